// The list of families, and what they share.
#include "core/checkpoint/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attnscope {
namespace {

constexpr std::array kFamilies = {
    &kGpt2,  &kGptNeo,  &kGptNeox,    &kOpt,       &kBloom,
    &kLlama, &kMistral, &kQwen2,      &kQwen3,     &kGemma3,
    &kBert,  &kRoberta, &kXlmRoberta, &kCamembert, &kDistilBert,
    &kT5,    &kBart,    &kMBart,      &kMarian,    &kM2M100};

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

void SlotList::vector(const std::string& name, const std::string& old_name,
                      Index length, FloatBuffer& to) {
  Slot slot;
  slot.name = name;
  slot.old_name = old_name;
  slot.shape = shape_of({length});
  slot.outputs = length;
  slot.buffers = {&to};
  slot.group = length;
  slots.push_back(std::move(slot));
}

void SlotList::gain(const std::string& name, Index length, FloatBuffer& to) {
  vector(name + ".weight", name + ".gamma", length, to);
}

void SlotList::norm(const std::string& name, const ModelConfig& config,
                    Norm& to) {
  gain(name, config.model_dim, to.gain);
  if (config.norm == NormKind::kLayerNorm)
    vector(name + ".bias", name + ".beta", config.model_dim, to.bias);
}

void SlotList::linear(const std::string& name, Index outputs, Index inputs,
                      bool bias, Projection& to) {
  fused(name, Layout::kOutputFirst, outputs, inputs, outputs, bias, {&to});
}

void SlotList::bias(const std::string& tensor, std::vector<std::uint64_t> shape,
                    FloatBuffer& to) {
  vector(tensor, "", static_cast<Index>(shape.back()), to);
  slots.back().shape = std::move(shape);
}

void SlotList::make_optional(std::size_t first) {
  int set = 1;
  for (const Slot& slot : slots) set = std::max(set, slot.optional_set + 1);
  for (std::size_t i = first; i < slots.size(); ++i)
    slots[i].optional_set = set;
}

void SlotList::output(const std::string& name, const ModelConfig& config,
                      Projection& to) {
  if (!config.tied_output)
    linear(name, config.vocabulary_size, config.model_dim, false, to);
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

float inverse_sqrt(double n) { return static_cast<float>(1.0 / std::sqrt(n)); }

float usual_attention_scale(Index head_dim) {
  return inverse_sqrt(static_cast<double>(head_dim));
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

void read_start_tokens(Settings& settings, Index fallback,
                       ModelConfig& config) {
  const auto read = [&](const char* name, Index otherwise) {
    const auto tokens =
        settings.tokens_or(name, config.vocabulary_size, otherwise);
    if (tokens.empty() && settings.has(name) && !settings.is_null(name))
      settings.fail(StatusCode::kInvalidConfig,
                    std::string(name) + " is not in the vocabulary of " +
                        std::to_string(config.vocabulary_size) + " tokens");
    config.start_tokens.insert(config.start_tokens.end(), tokens.begin(),
                               tokens.end());
  };
  read("decoder_start_token_id", fallback);
  read("forced_bos_token_id", -1);
}

std::vector<std::string> rotary_objects() {
  return {"rope_parameters", "rope_scaling"};
}

RotarySettings read_rotary(Settings& settings,
                           const std::vector<std::string>& objects,
                           const std::vector<std::string>& base_names,
                           double base_fallback, const ModelConfig& config) {
  const auto in_objects = [&](std::initializer_list<const char*> members) {
    std::vector<std::string> names;
    for (const std::string& object : objects)
      for (const char* member : members) names.push_back(object + "." + member);
    return names;
  };
  const auto number = [&](const char* name, double fallback) {
    return settings.positive_or(in_objects({name}), 1e30, fallback);
  };
  const auto only_members = [&](std::initializer_list<std::string_view> known) {
    for (const std::string& object : objects)
      settings.only_members(object, known);
  };

  RotarySettings rotary;
  rotary.dim = config.head_dim;
  std::vector<std::string> bases = in_objects({"rope_theta"});
  bases.insert(bases.end(), base_names.begin(), base_names.end());
  rotary.base =
      static_cast<float>(settings.positive_or(bases, 1e30, base_fallback));
  const std::string kind =
      settings.choice_or(in_objects({"rope_type", "type"}),
                         {"default", "linear", "llama3", "yarn"}, "default");
  if (kind == "default") {
    only_members({"rope_type", "type", "rope_theta", "partial_rotary_factor"});
    return rotary;
  }
  rotary.factor = number("factor", 0);
  if (rotary.factor == 0)
    settings.fail(StatusCode::kInvalidConfig,
                  objects.front() + ": the factor of the scaling is missing");
  // Some files have it outside of the object.
  std::vector<std::string> originals =
      in_objects({"original_max_position_embeddings"});
  originals.push_back("original_max_position_embeddings");
  rotary.original_context = settings.positive_or(
      originals, 1e30, static_cast<double>(config.context));
  if (kind == "linear") {
    rotary.scaling = RotaryScaling::kLinear;
    only_members({"rope_type", "type", "rope_theta", "partial_rotary_factor",
                  "factor", "original_max_position_embeddings"});
  } else if (kind == "llama3") {
    rotary.scaling = RotaryScaling::kLlama3;
    rotary.low_frequency_factor = number("low_freq_factor", 1);
    rotary.high_frequency_factor = number("high_freq_factor", 4);
    if (rotary.high_frequency_factor <= rotary.low_frequency_factor)
      settings.fail(
          StatusCode::kInvalidConfig,
          objects.front() + ": high_freq_factor is not above low_freq_factor");
    only_members({"rope_type", "type", "rope_theta", "partial_rotary_factor",
                  "factor", "low_freq_factor", "high_freq_factor",
                  "original_max_position_embeddings"});
  } else {
    rotary.scaling = RotaryScaling::kYarn;
    rotary.beta_fast = number("beta_fast", 32);
    rotary.beta_slow = number("beta_slow", 1);
    for (const std::string& object : objects)
      rotary.truncate = settings.flag_or(object + ".truncate", rotary.truncate);
    const double sharpening =
        rotary.factor > 1 ? 0.1 * std::log(rotary.factor) + 1 : 1;
    rotary.attention_factor = number("attention_factor", sharpening);
    only_members({"rope_type", "type", "rope_theta", "partial_rotary_factor",
                  "factor", "beta_fast", "beta_slow", "truncate",
                  "attention_factor", "original_max_position_embeddings"});
  }
  return rotary;
}

double read_rotary_part(Settings& settings, double fallback) {
  return settings.positive_or({"rotary_pct", "partial_rotary_factor",
                               "rope_parameters.partial_rotary_factor",
                               "rope_scaling.partial_rotary_factor"},
                              1, fallback);
}

}  // namespace attnscope
