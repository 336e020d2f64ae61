// Sizes of workspace.h, and which tables of positions a model needs.
#include "core/model/workspace.h"

#include <algorithm>
#include <utility>

#include "core/positions/relative.h"
#include "core/positions/sinusoidal.h"

namespace attnscope {

namespace {

// Moves a result's value to its place. Errors: the result's.
template <class T>
Status keep(Result<T> result, T& to) {
  if (result.ok()) to = std::move(result.value());
  return result.status();
}

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

}  // namespace

Result<Workspace> Workspace::allocate(const ModelConfig& config,
                                      const StackParameters& parameters,
                                      Index capacity, Index source_capacity) {
  Workspace work;
  Status status;
  const auto reserve = [&](FloatBuffer& buffer, Index rows, Index width,
                           const char* purpose) {
    if (status.ok())
      status = keep(FloatBuffer::allocate(rows, width, purpose), buffer);
  };
  reserve(work.residual, capacity, config.model_dim, "the residual");
  reserve(work.normed, capacity, config.model_dim, "normed rows");
  reserve(work.query, capacity, config.query_dim(), "queries");
  // The keys and values of a source pass through here too.
  const Index keys = std::max(capacity, source_capacity);
  reserve(work.key, keys, config.kv_dim(), "keys");
  reserve(work.value, keys, config.kv_dim(), "values");
  reserve(work.head_output, capacity, config.query_dim(), "head outputs");
  reserve(work.attention_output, capacity, config.model_dim,
          "attention outputs");
  reserve(work.mlp_up, capacity, config.mlp_dim, "the MLP");
  if (config.gated_mlp) {
    reserve(work.mlp_gate, capacity, config.mlp_dim, "the MLP's gate");
  }
  reserve(work.mlp_output, capacity, config.model_dim, "MLP outputs");
  reserve(work.cells, kQueryBlock, keys, "a block of cells");
  if (!status.ok()) return status;
  work.views.resize(static_cast<std::size_t>(config.num_kv_heads));
  status = make_position_tables(config, parameters, capacity, work);
  if (!status.ok()) return status;
  return work;
}

}  // namespace attnscope
