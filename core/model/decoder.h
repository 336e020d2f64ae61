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
#include "core/positions/rotary.h"
#include "core/trace/intervention.h"
#include "core/trace/trace.h"

namespace attnscope {

enum class Execution { kStreaming, kTraced, kReference };

struct RunOptions {
  Mask mask = Mask::causal();
  std::vector<Intervention> interventions;
  Execution execution = Execution::kStreaming;
  // Tensors to keep. Cells of attention need kTraced or kReference.
  std::vector<TensorId> record;
  // Logits of every position of a prefill instead of the last only.
  bool all_logits = false;
};

// How one layer's heads run under some options.
struct BlockSettings {
  struct Ablation {
    Index head = 0;
    std::vector<float> replacement;  // [head_dim]
  };
  std::vector<HeadSettings> heads;  // [query_head]
  std::vector<Ablation> ablations;
};

// [layer]. The interventions must have passed check_interventions; where two
// touch the same thing, the later wins.
std::vector<BlockSettings> make_block_settings(const ModelConfig& config,
                                               const RunOptions& options);

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
