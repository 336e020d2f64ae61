// What a person asks of a run, and what that means for each layer's heads. Read
// next: decoder.h.
#ifndef ATTNSCOPE_CORE_MODEL_RUN_OPTIONS_H_
#define ATTNSCOPE_CORE_MODEL_RUN_OPTIONS_H_

#include <vector>

#include "core/attention/attention.h"
#include "core/model/config.h"
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

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_RUN_OPTIONS_H_
