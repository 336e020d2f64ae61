// Scratch and tables of one stack's forward passes, allocated once for a number
// of tokens, so that a decode step allocates nothing. Read next: block.h.
#ifndef ATTNSCOPE_CORE_MODEL_WORKSPACE_H_
#define ATTNSCOPE_CORE_MODEL_WORKSPACE_H_

#include <vector>

#include "core/attention/attention.h"
#include "core/model/config.h"
#include "core/model/parameters.h"
#include "core/positions/rotary.h"

namespace attnscope {

struct Workspace {
  // For at most `capacity` tokens, which look at up to `source_capacity` of a
  // source. Errors: kOutOfMemory.
  static Result<Workspace> allocate(const ModelConfig& config,
                                    const StackParameters& parameters,
                                    Index capacity, Index source_capacity);

  // The bytes that allocate() takes. Saturates (../base/bytes.h).
  static std::uint64_t allocated_bytes(const ModelConfig& config,
                                       Index capacity, Index source_capacity);

  RotaryTable rotary;             // [capacity], rotary models only
  RotaryTable window_rotary;      // [capacity], where windows have their own
  FloatBuffer sinusoidal;         // [position_offset + capacity, model_dim],
                                  // sinusoidal only
  FloatBuffer position_bias;      // ALiBi and relative only: the table of
  Index position_bias_reach = 0;  // ../positions/relative.h
  FloatBuffer residual;           // [token, model_dim]
  FloatBuffer normed;             // [token, model_dim]
  FloatBuffer query;              // [token, query_head, head_dim]
  FloatBuffer key;                // [token, kv_head, head_dim]
  FloatBuffer value;              // [token, kv_head, head_dim]
  FloatBuffer head_output;        // [token, query_head, head_dim]
  FloatBuffer attention_output;   // [token, model_dim]
  FloatBuffer mlp_gate;           // [token, mlp_dim], gated models only
  FloatBuffer mlp_up;             // [token, mlp_dim]
  FloatBuffer mlp_output;         // [token, model_dim]
  FloatBuffer cells;              // [kQueryBlock, keys], keys of text or source
  std::vector<KeyValueView> views;  // [kv_head]
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_WORKSPACE_H_
