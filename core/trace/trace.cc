// Names and storage of recorded tensors. Cells of attention are kept as the
// runs made them, since a square [P, P] cannot grow in place; a dense copy is
// made when somebody asks.
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "core/base/bytes.h"

namespace attnscope {

namespace {

enum class Shape {
  kModel,
  kQueryHeads,
  kKvHeads,
  kSourceHeads,  // keys and values of a source, told once
  kCells,
  kCrossCells,
};

struct HookInfo {
  Hook hook;
  const char* name;  // without the part that names stack and layer
  bool in_block;
  Shape shape;
};

constexpr std::array kHooks = {
    HookInfo{Hook::kEmbed, "hook_embed", false, Shape::kModel},
    HookInfo{Hook::kTokenTypeEmbed, "hook_token_type_embed", false,
             Shape::kModel},
    HookInfo{Hook::kPosEmbed, "hook_pos_embed", false, Shape::kModel},
    HookInfo{Hook::kResidPre, "hook_resid_pre", true, Shape::kModel},
    HookInfo{Hook::kQuery, "attn.hook_q", true, Shape::kQueryHeads},
    HookInfo{Hook::kKey, "attn.hook_k", true, Shape::kKvHeads},
    HookInfo{Hook::kValue, "attn.hook_v", true, Shape::kKvHeads},
    HookInfo{Hook::kRotatedQuery, "attn.hook_rot_q", true, Shape::kQueryHeads},
    HookInfo{Hook::kRotatedKey, "attn.hook_rot_k", true, Shape::kKvHeads},
    HookInfo{Hook::kScores, "attn.hook_scores", true, Shape::kCells},
    HookInfo{Hook::kMaskedScores, "attn.hook_attn_scores", true, Shape::kCells},
    HookInfo{Hook::kWeights, "attn.hook_pattern", true, Shape::kCells},
    HookInfo{Hook::kHeadOutput, "attn.hook_z", true, Shape::kQueryHeads},
    HookInfo{Hook::kAttnOut, "hook_attn_out", true, Shape::kModel},
    HookInfo{Hook::kResidMid, "hook_resid_mid", true, Shape::kModel},
    HookInfo{Hook::kCrossQuery, "cross_attn.hook_q", true, Shape::kQueryHeads},
    HookInfo{Hook::kCrossKey, "cross_attn.hook_k", true, Shape::kSourceHeads},
    HookInfo{Hook::kCrossValue, "cross_attn.hook_v", true, Shape::kSourceHeads},
    HookInfo{Hook::kCrossScores, "cross_attn.hook_scores", true,
             Shape::kCrossCells},
    HookInfo{Hook::kCrossMaskedScores, "cross_attn.hook_attn_scores", true,
             Shape::kCrossCells},
    HookInfo{Hook::kCrossWeights, "cross_attn.hook_pattern", true,
             Shape::kCrossCells},
    HookInfo{Hook::kCrossHeadOutput, "cross_attn.hook_z", true,
             Shape::kQueryHeads},
    HookInfo{Hook::kCrossAttnOut, "hook_cross_attn_out", true, Shape::kModel},
    HookInfo{Hook::kResidMidCross, "hook_resid_mid_cross", true, Shape::kModel},
    HookInfo{Hook::kMlpOut, "hook_mlp_out", true, Shape::kModel},
    HookInfo{Hook::kResidPost, "hook_resid_post", true, Shape::kModel},
    HookInfo{Hook::kNormedResidPost, "hook_normalized_resid_post", true,
             Shape::kModel},
    HookInfo{Hook::kFinalNorm, "hook_normalized", false, Shape::kModel},
};

const HookInfo& info_of(Hook hook) {
  return kHooks[static_cast<std::size_t>(hook)];
}

// `config` is the stack's own.
bool stack_has(Hook hook, const ModelConfig& config) {
  switch (hook) {
    case Hook::kTokenTypeEmbed:
      return config.num_token_types > 0;
    case Hook::kPosEmbed:
      return config.adds_positions();
    case Hook::kRotatedQuery:
    case Hook::kRotatedKey:
      return config.position == PositionKind::kRotary;
    case Hook::kResidMid:
      return !config.parallel_residual;
    case Hook::kCrossQuery:
    case Hook::kCrossKey:
    case Hook::kCrossValue:
    case Hook::kCrossScores:
    case Hook::kCrossMaskedScores:
    case Hook::kCrossWeights:
    case Hook::kCrossHeadOutput:
    case Hook::kCrossAttnOut:
    case Hook::kResidMidCross:
      return config.has_encoder();
    case Hook::kNormedResidPost:
      return config.norm_place == NormPlace::kAfter;
    case Hook::kFinalNorm:
      return config.final_norm;
    default:
      return true;
  }
}

// What stands in cells that no run computed.
float missing_cell(Hook hook) {
  switch (hook) {
    case Hook::kWeights:
    case Hook::kCrossWeights:
      return 0;
    case Hook::kMaskedScores:
    case Hook::kCrossMaskedScores:
      return -std::numeric_limits<float>::infinity();
    default:
      return std::numeric_limits<float>::quiet_NaN();
  }
}

// What stands before a hook's name: "blocks.3.", "decoder.3.", "ln_final.", "".
std::string prefix_of(const HookInfo& info, Index layer, Stack stack,
                      const ModelConfig& config) {
  const bool is_norm = info.hook == Hook::kFinalNorm;
  const std::string side = stack == Stack::kEncoder ? "encoder" : "decoder";
  if (info.in_block) {
    const std::string blocks = config.has_encoder() ? side : "blocks";
    return blocks + "." + std::to_string(layer) + ".";
  }
  if (is_norm) return config.has_encoder() ? side + "_final_ln." : "ln_final.";
  return config.has_encoder() ? side + "." : "";
}

// The number before the first '.', or -1.
Index leading_number(std::string_view text) {
  Index number = -1;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const auto digits = static_cast<std::size_t>(read.ptr - text.data());
  const bool ends_well = digits < text.size() && text[digits] == '.';
  return read.ec == std::errc() && ends_well ? number : -1;
}

}  // namespace

std::string tensor_name(TensorId id, const ModelConfig& config) {
  const HookInfo& info = info_of(id.hook);
  return prefix_of(info, id.layer, id.stack, config) + info.name;
}

bool is_cells(Hook hook) {
  const Shape shape = info_of(hook).shape;
  return shape == Shape::kCells || shape == Shape::kCrossCells;
}

bool is_residual(Hook hook) {
  switch (hook) {
    case Hook::kResidPre:
    case Hook::kResidMid:
    case Hook::kResidMidCross:
    case Hook::kResidPost:
    case Hook::kNormedResidPost:
      return true;
    default:
      return false;
  }
}

TensorId weights_of(AttentionPart part, Index layer) {
  switch (part) {
    case AttentionPart::kEncoder:
      return {Hook::kWeights, layer, Stack::kEncoder};
    case AttentionPart::kCross:
      return {Hook::kCrossWeights, layer, Stack::kText};
    case AttentionPart::kSelf:
      break;
  }
  return {Hook::kWeights, layer, Stack::kText};
}

Result<TensorId> parse_tensor_name(std::string_view name,
                                   const ModelConfig& config) {
  const auto find = [&](Stack stack,
                        const ModelConfig& stack_config) -> Result<TensorId> {
    const auto dot = name.find('.');
    const Index layer = dot == std::string_view::npos
                            ? -1
                            : leading_number(name.substr(dot + 1));
    for (const HookInfo& info : kHooks) {
      if (!name.ends_with(info.name) || !stack_has(info.hook, stack_config)) {
        continue;
      }
      if (info.in_block && (layer < 0 || layer >= stack_config.num_layers)) {
        continue;
      }
      const TensorId id{info.hook, info.in_block ? layer : 0, stack};
      if (tensor_name(id, config) == name) return id;
    }
    return Status(StatusCode::kUnknownTensor,
                  "this model has no tensor '" + std::string(name) +
                      "' (layers are 0 to " +
                      std::to_string(stack_config.num_layers - 1) + ")");
  };
  if (config.has_encoder() && name.starts_with("encoder")) {
    return find(Stack::kEncoder, encoder_of(config));
  }
  return find(Stack::kText, config);
}

std::vector<TensorId> all_tensors(const ModelConfig& config) {
  std::vector<TensorId> ids;
  const auto add_stack = [&](Stack stack, const ModelConfig& stack_config) {
    const auto add = [&](const HookInfo& info, Index layer) {
      if (stack_has(info.hook, stack_config)) {
        ids.push_back({info.hook, layer, stack});
      }
    };
    for (const HookInfo& info : kHooks) {
      if (!info.in_block && info.hook != Hook::kFinalNorm) add(info, 0);
    }
    for (Index layer = 0; layer < stack_config.num_layers; ++layer) {
      for (const HookInfo& info : kHooks) {
        if (info.in_block) add(info, layer);
      }
    }
    add(info_of(Hook::kFinalNorm), 0);
  };
  if (config.has_encoder()) add_stack(Stack::kEncoder, encoder_of(config));
  add_stack(Stack::kText, config);
  return ids;
}

Trace::Trace(const ModelConfig& config)
    : config_(config), encoder_(encoder_of(config)) {
  if (!config.has_encoder()) encoder_.num_layers = 0;
  slots_.resize(kHooks.size() * static_cast<std::size_t>(num_layers()));
}

std::size_t Trace::slot_index(TensorId id) const {
  const Index layer =
      id.stack == Stack::kText ? id.layer : config_.num_layers + id.layer;
  return static_cast<std::size_t>(id.hook) *
             static_cast<std::size_t>(num_layers()) +
         static_cast<std::size_t>(layer);
}

Index Trace::row_width(TensorId id) const {
  const ModelConfig& config = config_of(id.stack);
  switch (info_of(id.hook).shape) {
    case Shape::kQueryHeads:
      return config.query_dim();
    case Shape::kKvHeads:
    case Shape::kSourceHeads:
      return config.kv_dim();
    default:
      return config.model_dim;
  }
}

std::optional<Trace::Block> Trace::next_block(TensorId id, Index num_queries,
                                              Index num_keys,
                                              Index num_source) const {
  const Slot& target = slot(id);
  if (!target.wanted) return std::nullopt;
  const Shape shape = info_of(id.hook).shape;
  Block block;
  block.num_queries = num_queries;
  block.num_keys = shape == Shape::kCrossCells ? num_source : num_keys;
  if (shape == Shape::kSourceHeads) {
    if (!target.blocks.empty()) return std::nullopt;
    block.num_queries = num_source;
  }
  return block;
}

std::array<Index, 3> Trace::block_shape(TensorId id, const Block& block) const {
  if (!is_cells(id.hook)) return {1, block.num_queries, row_width(id)};
  return {config_of(id.stack).num_query_heads, block.num_queries,
          block.num_keys};
}

std::uint64_t Trace::run_bytes(Stack stack, Index num_queries, Index num_keys,
                               Index num_source) const {
  std::uint64_t bytes = 0;
  for (const HookInfo& info : kHooks) {
    for (Index layer = 0; layer < config_of(stack).num_layers; ++layer) {
      const TensorId id{info.hook, layer, stack};
      const auto block = next_block(id, num_queries, num_keys, num_source);
      if (!block) continue;
      const auto [heads, queries, width] = block_shape(id, *block);
      bytes =
          add_bytes(bytes, array_bytes({heads, queries, width}, sizeof(float)));
    }
  }
  return bytes;
}

Status Trace::begin_run(Stack stack, Index num_queries, Index num_keys,
                        Index num_source) {
  std::vector<Slot*> grown;
  std::uint64_t bytes = 0;
  for (const HookInfo& info : kHooks) {
    for (Index layer = 0; layer < config_of(stack).num_layers; ++layer) {
      const TensorId id{info.hook, layer, stack};
      auto block = next_block(id, num_queries, num_keys, num_source);
      if (!block) continue;
      const auto [heads, queries, width] = block_shape(id, *block);
      auto data = FloatBuffer::allocate({heads, queries, width},
                                        tensor_name(id, config_).c_str());
      if (!data.ok()) {
        for (Slot* earlier : grown) earlier->blocks.pop_back();
        return data.status();
      }
      block->data = std::move(data.value());
      bytes += std::uint64_t{block->data.size()} * sizeof(float);
      if (is_cells(info.hook)) {
        std::fill_n(block->data.data(), block->data.size(),
                    missing_cell(info.hook));
      }
      slot(id).blocks.push_back(std::move(*block));
      grown.push_back(&slot(id));
    }
  }
  held_bytes_ += bytes;
  return {};
}

void Trace::record_rows(TensorId id, const float* rows, Index num_rows,
                        Index width) {
  Slot& target = slot(id);
  if (!target.wanted) return;
  Block& block = target.blocks.back();
  std::copy_n(rows, num_rows * width, block.data.data() + block.filled);
  block.filled += num_rows * width;
}

float* Trace::cells(TensorId id) {
  Slot& target = slot(id);
  return target.wanted ? target.blocks.back().data.data() : nullptr;
}

Status Trace::check_recorded(TensorId id) const {
  if (!slots_.empty() && slot(id).wanted) return {};
  return Status(StatusCode::kUnknownTensor,
                "this run did not record '" + tensor_name(id, config_) + "'");
}

Result<Tensor> Trace::cells_of_heads(TensorId id, Index first_head,
                                     Index num_heads) const {
  const std::vector<Block>& blocks = slot(id).blocks;
  Index num_queries = 0;
  for (const Block& block : blocks) num_queries += block.num_queries;
  const Index num_keys = blocks.empty() ? 0 : blocks.back().num_keys;
  auto data = FloatBuffer::allocate({num_heads, num_queries, num_keys},
                                    tensor_name(id, config_).c_str());
  if (!data.ok()) return data.status();
  float* output = data.value().data();
  for (Index head = first_head; head < first_head + num_heads; ++head) {
    for (const Block& block : blocks) {
      const float* cells =
          block.data.data() + head * block.num_queries * block.num_keys;
      for (Index i = 0; i < block.num_queries; ++i) {
        std::copy_n(cells + i * block.num_keys, block.num_keys, output);
        std::fill(output + block.num_keys, output + num_keys,
                  missing_cell(id.hook));
        output += num_keys;
      }
    }
  }
  return Tensor{{num_heads, num_queries, num_keys}, std::move(data.value())};
}

Result<Tensor> Trace::tensor(TensorId id) const {
  if (Status status = check_recorded(id); !status.ok()) return status;
  const ModelConfig& config = config_of(id.stack);
  if (is_cells(id.hook)) return cells_of_heads(id, 0, config.num_query_heads);
  const std::vector<Block>& blocks = slot(id).blocks;
  Index positions = 0;
  for (const Block& block : blocks) positions += block.num_queries;
  const Index width = row_width(id);
  auto data =
      FloatBuffer::allocate(positions, width, tensor_name(id, config_).c_str());
  if (!data.ok()) return data.status();
  float* output = data.value().data();
  for (const Block& block : blocks) {
    output = std::copy_n(block.data.data(), block.filled, output);
  }
  const bool by_heads = info_of(id.hook).shape != Shape::kModel;
  return Tensor{by_heads
                    ? std::vector<Index>{positions, width / config.head_dim,
                                         config.head_dim}
                    : std::vector<Index>{positions, width},
                std::move(data.value())};
}

Result<Tensor> Trace::head_cells(TensorId id, Index head) const {
  if (Status status = check_recorded(id); !status.ok()) return status;
  if (!is_cells(id.hook)) {
    return Status(StatusCode::kInvalidArgument,
                  "'" + tensor_name(id, config_) + "' has no cells");
  }
  const Index num_heads = config_of(id.stack).num_query_heads;
  if (head < 0 || head >= num_heads) {
    return Status(StatusCode::kInvalidArgument,
                  "head " + std::to_string(head) +
                      " does not exist, there are " +
                      std::to_string(num_heads));
  }
  Result<Tensor> cells = cells_of_heads(id, head, 1);
  if (cells.ok()) cells.value().shape.erase(cells.value().shape.begin());
  return cells;
}

Result<std::vector<float>> Trace::mean_head_output(AttentionPart part,
                                                   Index layer,
                                                   Index head) const {
  if (layer < 0 || layer >= num_layers_of(config_, part) || head < 0 ||
      head >= num_heads_of(config_, part)) {
    return Status(StatusCode::kInvalidArgument,
                  "layer " + std::to_string(layer) + " head " +
                      std::to_string(head) + " does not exist");
  }
  const bool cross = part == AttentionPart::kCross;
  const TensorId id{
      cross ? Hook::kCrossHeadOutput : Hook::kHeadOutput, layer,
      part == AttentionPart::kEncoder ? Stack::kEncoder : Stack::kText};
  if (Status status = check_recorded(id); !status.ok()) return status;
  const Index head_dim = head_dim_of(config_, part);
  std::vector<float> mean(static_cast<std::size_t>(head_dim), 0);
  Index positions = 0;
  for (const Block& block : slot(id).blocks) {
    for (Index p = 0; p < block.num_queries; ++p) {
      const float* row =
          block.data.data() + p * row_width(id) + head * head_dim;
      for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += row[d];
    }
    positions += block.num_queries;
  }
  for (float& x : mean) x /= static_cast<float>(std::max<Index>(positions, 1));
  return mean;
}

}  // namespace attnscope
