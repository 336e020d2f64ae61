// The forward pass of a decoder: token ids in, logits out, the KV cache grown
// by the tokens given. One configurable block; what differs between families is
// data (config.h). Read decoder.cc from top to bottom: it follows the
// computation. Read next: ../generate/session.h.
#ifndef ATTNSCOPE_CORE_MODEL_DECODER_H_
#define ATTNSCOPE_CORE_MODEL_DECODER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/model/kv_cache.h"
#include "core/model/model.h"
#include "core/model/run_options.h"
#include "core/positions/rotary.h"
#include "core/trace/trace.h"

namespace attnscope {

// Scratch of a forward pass, allocated once for at most `capacity` tokens.
struct Workspace {
  // Errors: kOutOfMemory.
  static Result<Workspace> allocate(const Model& model, Index capacity);

  RotaryTable rotary;               // [capacity], rotary models only
  RotaryTable window_rotary;        // [capacity], where windows have their own
  FloatBuffer sinusoidal;           // [capacity, model_dim], sinusoidal only
  FloatBuffer residual;             // [token, model_dim]
  FloatBuffer normed;               // [token, model_dim]
  FloatBuffer query;                // [token, query_head, head_dim]
  FloatBuffer key;                  // [token, kv_head, head_dim]
  FloatBuffer value;                // [token, kv_head, head_dim]
  FloatBuffer head_output;          // [token, query_head, head_dim]
  FloatBuffer attention_output;     // [token, model_dim]
  FloatBuffer mlp_gate;             // [token, mlp_dim], gated models only
  FloatBuffer mlp_up;               // [token, mlp_dim]
  FloatBuffer mlp_output;           // [token, model_dim]
  FloatBuffer cells;                // [kQueryBlock, capacity]
  std::vector<KeyValueView> views;  // [kv_head]
};

struct ForwardPass {
  const Model& model;
  std::span<const BlockSettings> settings;  // [layer]
  const RunOptions& options;
  KvCache& cache;
  Workspace& workspace;
  Trace& trace;
};

// Runs tokens at places cache.length() and after; the caller has checked ids
// and room. Writes the logits of the last `num_logit_rows` tokens to
// logits[num_logit_rows, vocabulary]. Returns the number of attention rows
// (over layers and heads) in which nothing was allowed.
Index forward(const ForwardPass& pass, std::span<const std::int32_t> tokens,
              Index num_logit_rows, float* logits);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_DECODER_H_
