// Names and storage of recorded tensors. Cells of attention are kept as the
// runs made them, since a square [P, P] cannot grow in place; a dense copy is
// made when somebody asks.
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

enum class Shape { kModel, kQueryHeads, kKvHeads, kCells };

struct HookInfo {
  Hook hook;
  const char* name;  // without "blocks.L."
  bool in_block;
  Shape shape;
};

constexpr std::array kHooks = {
    HookInfo{Hook::kEmbed, "hook_embed", false, Shape::kModel},
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
    HookInfo{Hook::kMlpOut, "hook_mlp_out", true, Shape::kModel},
    HookInfo{Hook::kResidPost, "hook_resid_post", true, Shape::kModel},
    HookInfo{Hook::kFinalNorm, "ln_final.hook_normalized", false,
             Shape::kModel},
};

const HookInfo& info_of(Hook hook) {
  return kHooks[static_cast<std::size_t>(hook)];
}

bool model_has(Hook hook, const ModelConfig& config) {
  switch (hook) {
    case Hook::kPosEmbed:
      return config.adds_positions();
    case Hook::kRotatedQuery:
    case Hook::kRotatedKey:
      return config.position == PositionKind::kRotary;
    case Hook::kResidMid:
      return !config.parallel_residual;
    default:
      return true;
  }
}

// What stands in cells that no run computed.
float missing_cell(Hook hook) {
  switch (hook) {
    case Hook::kWeights:
      return 0;
    case Hook::kMaskedScores:
      return -std::numeric_limits<float>::infinity();
    default:
      return std::numeric_limits<float>::quiet_NaN();
  }
}

}  // namespace

std::string tensor_name(TensorId id) {
  const HookInfo& info = info_of(id.hook);
  if (!info.in_block) return info.name;
  return "blocks." + std::to_string(id.layer) + "." + info.name;
}

bool is_cells(Hook hook) { return info_of(hook).shape == Shape::kCells; }

Result<TensorId> parse_tensor_name(std::string_view name,
                                   const ModelConfig& config) {
  constexpr std::string_view kBlocks = "blocks.";
  std::string_view rest = name;
  const bool in_block = rest.starts_with(kBlocks);
  Index layer = 0;
  if (in_block) {
    rest.remove_prefix(kBlocks.size());
    const auto number =
        std::from_chars(rest.data(), rest.data() + rest.size(), layer);
    const auto digits = static_cast<std::size_t>(number.ptr - rest.data());
    const bool valid = number.ec == std::errc() && layer >= 0 &&
                       digits < rest.size() && rest[digits] == '.';
    rest.remove_prefix(valid ? digits + 1 : rest.size());
  }
  for (const HookInfo& info : kHooks) {
    if (info.in_block == in_block && info.name == rest &&
        layer < config.num_layers && model_has(info.hook, config)) {
      return TensorId{info.hook, layer};
    }
  }
  return Status(StatusCode::kUnknownTensor,
                "this model has no tensor '" + std::string(name) +
                    "' (layers are 0 to " +
                    std::to_string(config.num_layers - 1) + ")");
}

std::vector<TensorId> all_tensors(const ModelConfig& config) {
  std::vector<TensorId> ids;
  const auto add = [&](const HookInfo& info, Index layer) {
    if (model_has(info.hook, config)) ids.push_back({info.hook, layer});
  };
  add(info_of(Hook::kEmbed), 0);
  add(info_of(Hook::kPosEmbed), 0);
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    for (const HookInfo& info : kHooks) {
      if (info.in_block) add(info, layer);
    }
  }
  add(info_of(Hook::kFinalNorm), 0);
  return ids;
}

Trace::Trace(const ModelConfig& config)
    : config_(config),
      slots_(kHooks.size() * static_cast<std::size_t>(config.num_layers)) {}

std::size_t Trace::slot_index(TensorId id) const {
  return static_cast<std::size_t>(id.hook) *
             static_cast<std::size_t>(config_.num_layers) +
         static_cast<std::size_t>(id.layer);
}

Index Trace::row_width(Hook hook) const {
  switch (info_of(hook).shape) {
    case Shape::kQueryHeads:
      return config_.query_dim();
    case Shape::kKvHeads:
      return config_.kv_dim();
    default:
      return config_.model_dim;
  }
}

Status Trace::begin_run(Index num_queries, Index num_keys) {
  for (const HookInfo& info : kHooks) {
    const Index width = is_cells(info.hook) ? config_.num_query_heads * num_keys
                                            : row_width(info.hook);
    for (Index layer = 0; layer < config_.num_layers; ++layer) {
      const TensorId id{info.hook, layer};
      Slot& target = slot(id);
      if (!target.wanted) continue;
      auto data =
          FloatBuffer::allocate(num_queries, width, tensor_name(id).c_str());
      if (!data.ok()) {
        // Give back what this run was given already.
        for (Slot& earlier : slots_) {
          if (&earlier == &target) break;
          if (earlier.wanted) earlier.blocks.pop_back();
        }
        return data.status();
      }
      target.blocks.push_back(
          Block{num_queries, num_keys, 0, std::move(data.value())});
    }
  }
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
                "this run did not record '" + tensor_name(id) + "'");
}

void Trace::copy_head(const Slot& source, Index head, float missing,
                      Index positions, float* output) const {
  for (const Block& block : source.blocks) {
    const float* cells =
        block.data.data() + head * block.num_queries * block.num_keys;
    for (Index i = 0; i < block.num_queries; ++i) {
      std::copy_n(cells + i * block.num_keys, block.num_keys, output);
      std::fill(output + block.num_keys, output + positions, missing);
      output += positions;
    }
  }
}

Result<Tensor> Trace::tensor(TensorId id) const {
  if (Status status = check_recorded(id); !status.ok()) return status;
  const Slot& source = slot(id);
  const Index positions =
      source.blocks.empty() ? 0 : source.blocks.back().num_keys;
  const bool by_cells = is_cells(id.hook);
  const Index width =
      by_cells ? config_.num_query_heads * positions : row_width(id.hook);
  auto data = FloatBuffer::allocate(positions, width, tensor_name(id).c_str());
  if (!data.ok()) return data.status();
  Tensor tensor;
  tensor.data = std::move(data.value());

  if (by_cells) {
    tensor.shape = {config_.num_query_heads, positions, positions};
    for (Index head = 0; head < config_.num_query_heads; ++head) {
      copy_head(source, head, missing_cell(id.hook), positions,
                tensor.data.data() + head * positions * positions);
    }
    return tensor;
  }
  float* output = tensor.data.data();
  for (const Block& block : source.blocks) {
    output = std::copy_n(block.data.data(), block.filled, output);
  }
  tensor.shape = info_of(id.hook).shape == Shape::kModel
                     ? std::vector<Index>{positions, width}
                     : std::vector<Index>{positions, width / config_.head_dim,
                                          config_.head_dim};
  return tensor;
}

Result<Tensor> Trace::head_cells(TensorId id, Index head) const {
  if (Status status = check_recorded(id); !status.ok()) return status;
  if (!is_cells(id.hook)) {
    return Status(StatusCode::kInvalidArgument,
                  "'" + tensor_name(id) + "' has no cells");
  }
  if (head < 0 || head >= config_.num_query_heads) {
    return Status(StatusCode::kInvalidArgument,
                  "head " + std::to_string(head) +
                      " does not exist, there are " +
                      std::to_string(config_.num_query_heads));
  }
  const Slot& source = slot(id);
  const Index positions =
      source.blocks.empty() ? 0 : source.blocks.back().num_keys;
  auto data =
      FloatBuffer::allocate(positions, positions, tensor_name(id).c_str());
  if (!data.ok()) return data.status();
  Tensor tensor{{positions, positions}, std::move(data.value())};
  copy_head(source, head, missing_cell(id.hook), positions, tensor.data.data());
  return tensor;
}

Result<std::vector<float>> Trace::mean_head_output(Index layer,
                                                   Index head) const {
  if (layer < 0 || layer >= config_.num_layers || head < 0 ||
      head >= config_.num_query_heads) {
    return Status(StatusCode::kInvalidArgument,
                  "layer " + std::to_string(layer) + " head " +
                      std::to_string(head) + " does not exist");
  }
  const TensorId id{Hook::kHeadOutput, layer};
  if (Status status = check_recorded(id); !status.ok()) return status;
  std::vector<float> mean(static_cast<std::size_t>(config_.head_dim), 0);
  Index positions = 0;
  for (const Block& block : slot(id).blocks) {
    for (Index p = 0; p < block.num_queries; ++p) {
      const float* row =
          block.data.data() + p * config_.query_dim() + head * config_.head_dim;
      for (std::size_t d = 0; d < mean.size(); ++d) mean[d] += row[d];
    }
    positions += block.num_queries;
  }
  for (float& x : mean) x /= static_cast<float>(std::max<Index>(positions, 1));
  return mean;
}

}  // namespace attnscope
