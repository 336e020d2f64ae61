// Sizes of workspace.h, and which tables of positions a model needs.
#include "core/model/workspace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/positions/relative.h"
#include "core/positions/sinusoidal.h"

namespace attnscope {

namespace {

Status make_position_tables(const ModelConfig& config,
                            const StackParameters& parameters, Index capacity,
                            Workspace& work) {
  switch (config.position) {
    case PositionKind::kLearned:
      return {};
    case PositionKind::kRotary: {
      Status status =
          keep(RotaryTable::make(config.rotary, capacity), work.rotary);
      if (!status.ok() || !config.window_rotary) return status;
      return keep(RotaryTable::make(*config.window_rotary, capacity),
                  work.window_rotary);
    }
    case PositionKind::kSinusoidal: {
      Status status =
          keep(sinusoidal_positions(config.sinusoidal,
                                    config.position_offset + capacity,
                                    config.model_dim),
               work.sinusoidal);
      if (status.ok() && config.padding_has_position) {
        std::fill_n(work.sinusoidal.data() +
                        (config.position_offset - 1) * config.model_dim,
                    config.model_dim, 0.0f);
      }
      return status;
    }
    case PositionKind::kAlibi:
      work.position_bias_reach = capacity;
      return keep(alibi_bias(config.num_query_heads, capacity),
                  work.position_bias);
    case PositionKind::kRelative:
      work.position_bias_reach = capacity;
      return keep(bucket_bias(config.relative, parameters.relative_bias,
                              config.num_query_heads, capacity),
                  work.position_bias);
  }
  return {};
}

std::uint64_t position_table_bytes(const ModelConfig& config, Index capacity) {
  const auto rotary = [&](const RotarySettings& settings) {
    return array_bytes({2, capacity, (settings.dim + 1) / 2}, sizeof(float));
  };
  switch (config.position) {
    case PositionKind::kLearned:
      return 0;
    case PositionKind::kRotary:
      return add_bytes(
          rotary(config.rotary),
          config.window_rotary ? rotary(*config.window_rotary) : 0);
    case PositionKind::kSinusoidal:
      return array_bytes({config.position_offset + capacity, config.model_dim},
                         sizeof(float));
    case PositionKind::kAlibi:
    case PositionKind::kRelative:
      return array_bytes({config.num_query_heads, 2 * capacity - 1},
                         sizeof(float));
  }
  return 0;
}

// A buffer and its size.
struct Part {
  FloatBuffer Workspace::* buffer;
  Index rows;
  Index width;
  const char* purpose;
};

std::vector<Part> parts_of(const ModelConfig& config, Index capacity,
                           Index source_capacity) {
  using W = Workspace;
  const Index dim = config.model_dim;
  // The keys and values of a source pass through here too.
  const Index keys = std::max(capacity, source_capacity);
  return {
      {&W::residual, capacity, dim, "the residual"},
      {&W::normed, capacity, dim, "normed rows"},
      {&W::query, capacity, config.query_dim(), "queries"},
      {&W::key, keys, config.kv_dim(), "keys"},
      {&W::value, keys, config.kv_dim(), "values"},
      {&W::head_output, capacity, config.query_dim(), "head outputs"},
      {&W::attention_output, capacity, dim, "attention outputs"},
      {&W::mlp_up, capacity, config.mlp_dim, "the MLP"},
      {&W::mlp_gate, config.gated_mlp ? capacity : 0, config.mlp_dim,
       "the MLP's gate"},
      {&W::mlp_output, capacity, dim, "MLP outputs"},
      {&W::cells, kQueryBlock, keys, "a block of cells"},
  };
}

}  // namespace

std::uint64_t Workspace::allocated_bytes(const ModelConfig& config,
                                         Index capacity,
                                         Index source_capacity) {
  std::uint64_t bytes = position_table_bytes(config, capacity);
  for (const Part& part : parts_of(config, capacity, source_capacity))
    bytes =
        add_bytes(bytes, array_bytes({part.rows, part.width}, sizeof(float)));
  return bytes;
}

Result<Workspace> Workspace::allocate(const ModelConfig& config,
                                      const StackParameters& parameters,
                                      Index capacity, Index source_capacity) {
  Workspace work;
  for (const Part& part : parts_of(config, capacity, source_capacity)) {
    Status status =
        keep(FloatBuffer::allocate(part.rows, part.width, part.purpose),
             work.*part.buffer);
    if (!status.ok()) return status;
  }
  work.views.resize(static_cast<std::size_t>(config.num_kv_heads));
  Status status = make_position_tables(config, parameters, capacity, work);
  if (!status.ok()) return status;
  return work;
}

}  // namespace attnscope
