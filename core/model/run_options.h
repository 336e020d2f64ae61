// What a person asks of a run, and what that means for each layer's heads. Read
// next: workspace.h.
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
  // Of the text on itself. An encoder's own is Mask::none().
  Mask mask = Mask::causal();
  // Encoder-decoders: of the source on itself, and of the text on the source.
  // What padding hides in the source is hidden in both.
  Mask source_mask = Mask::none();
  Mask cross_mask = Mask::none();
  std::vector<Intervention> interventions;
  Execution execution = Execution::kStreaming;
  // Tensors to keep. Cells of attention need kTraced or kReference.
  std::vector<TensorId> record;
  // Logits of every position of a prefill instead of the last only.
  bool all_logits = false;
};

// How one attention's heads run under some options.
struct AttentionSettings {
  struct Ablation {
    Index head = 0;
    std::vector<float> replacement;  // [head_dim]
  };
  std::vector<HeadSettings> heads;  // [query_head]
  std::vector<Ablation> ablations;

  bool needs_rows() const;
};

// [layer] of one part; empty if the model does not have it. The interventions
// must have passed check_interventions; where two touch the same thing, the
// later wins.
std::vector<AttentionSettings> make_attention_settings(
    const ModelConfig& config, const RunOptions& options, AttentionPart part);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_RUN_OPTIONS_H_
