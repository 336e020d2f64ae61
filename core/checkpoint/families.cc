// The list of families, and what they share.
#include "core/checkpoint/families.h"

#include <array>
#include <cmath>

namespace attnscope {
namespace {

constexpr std::array kFamilies = {&kGpt2, &kGptNeox, &kLlama};

std::vector<std::uint64_t> shape_of(std::initializer_list<Index> sizes) {
  return {sizes.begin(), sizes.end()};
}

}  // namespace

void SlotList::table(const std::string& name, Index rows, Index columns,
                     FloatBuffer& to) {
  Slot slot;
  slot.name = name + ".weight";
  slot.shape = shape_of({rows, columns});
  slot.outputs = rows;
  slot.inputs = columns;
  slot.buffers = {&to};
  slot.group = rows;
  slots.push_back(std::move(slot));
}

void SlotList::embedding(const std::string& name, const ModelConfig& config,
                         PackedMatrix& to) {
  Slot slot;
  slot.name = name + ".weight";
  slot.shape = shape_of({config.vocabulary_size, config.model_dim});
  slot.layout = Layout::kOutputFirst;
  slot.outputs = config.vocabulary_size;
  slot.inputs = config.model_dim;
  slot.matrices = {&to};
  slot.group = slot.outputs;
  slots.push_back(std::move(slot));
}

void SlotList::norm(const std::string& name, const ModelConfig& config,
                    Norm& to) {
  const auto vector = [&](const char* end, FloatBuffer& buffer) {
    Slot slot;
    slot.name = name + end;
    slot.shape = shape_of({config.model_dim});
    slot.outputs = config.model_dim;
    slot.buffers = {&buffer};
    slot.group = slot.outputs;
    slots.push_back(std::move(slot));
  };
  vector(".weight", to.gain);
  if (config.norm == NormKind::kLayerNorm) vector(".bias", to.bias);
}

void SlotList::linear(const std::string& name, Index outputs, Index inputs,
                      bool bias, Projection& to) {
  fused(name, Layout::kOutputFirst, outputs, inputs, outputs, bias, {&to});
}

void SlotList::fused(const std::string& name, Layout layout, Index outputs,
                     Index inputs, Index group, bool bias,
                     std::initializer_list<Projection*> to) {
  Slot weight;
  weight.name = name + ".weight";
  weight.layout = layout;
  weight.outputs = outputs * static_cast<Index>(to.size());
  weight.inputs = inputs;
  weight.shape = layout == Layout::kInputFirst
                     ? shape_of({inputs, weight.outputs})
                     : shape_of({weight.outputs, inputs});
  weight.group = group;
  for (Projection* projection : to)
    weight.matrices.push_back(&projection->matrix);

  Slot bias_slot;
  bias_slot.name = name + ".bias";
  bias_slot.outputs = weight.outputs;
  bias_slot.shape = shape_of({bias_slot.outputs});
  bias_slot.group = group;
  for (Projection* projection : to)
    bias_slot.buffers.push_back(&projection->bias);

  slots.push_back(std::move(weight));
  if (bias) slots.push_back(std::move(bias_slot));
}

const Family* find_family(std::string_view model_type) {
  for (const Family* family : kFamilies)
    if (family->model_type == model_type) return family;
  return nullptr;
}

std::string family_names() {
  std::string names;
  for (const Family* family : kFamilies)
    names += (names.empty() ? "" : ", ") + std::string(family->model_type);
  return names;
}

float usual_attention_scale(Index head_dim) {
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(head_dim)));
}

Index usual_head_dim(const ModelConfig& config, Settings& settings) {
  if (config.model_dim % config.num_query_heads != 0)
    settings.fail(
        StatusCode::kInvalidConfig,
        "the number of heads " + std::to_string(config.num_query_heads) +
            " does not divide the width " + std::to_string(config.model_dim));
  return config.model_dim / config.num_query_heads;
}

void read_tokens(Settings& settings, Index begin_fallback, Index end_fallback,
                 ModelConfig& config) {
  const auto begin = settings.tokens_or("bos_token_id", config.vocabulary_size,
                                        begin_fallback);
  if (!begin.empty()) config.begin_token = begin.front();
  config.end_tokens =
      settings.tokens_or("eos_token_id", config.vocabulary_size, end_fallback);
}

void read_rotary_base(Settings& settings, std::string_view old_name,
                      ModelConfig& config) {
  for (const std::string object : {"rope_parameters", "rope_scaling"}) {
    settings.only(object + ".rope_type", "default");
    settings.only(object + ".type", "default");
    settings.only_members(
        object, {"rope_type", "type", "rope_theta", "partial_rotary_factor"});
  }
  config.position = PositionKind::kRotary;
  config.rotary_base = static_cast<float>(settings.positive_or(
      {"rope_theta", old_name, "rope_parameters.rope_theta",
       "rope_scaling.rope_theta"},
      1e30, 10000));
}

}  // namespace attnscope
