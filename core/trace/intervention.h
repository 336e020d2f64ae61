// Changes to a run, as values: what a person does to the computation to see
// what depends on it. A run with interventions is compared with the plain run.
// Read next: trace.h.
#ifndef ATTNSCOPE_CORE_TRACE_INTERVENTION_H_
#define ATTNSCOPE_CORE_TRACE_INTERVENTION_H_

#include <span>
#include <variant>
#include <vector>

#include "core/base/packed_matrix.h"
#include "core/base/status.h"
#include "core/model/config.h"

namespace attnscope {

inline constexpr Index kEvery = -1;

// Which of a model's attentions: that of the text on itself, that of an
// encoder-decoder's encoder, or that of the text on the source.
enum class AttentionPart { kSelf, kEncoder, kCross };

// Of one part, 0 where the model does not have it.
Index num_layers_of(const ModelConfig& config, AttentionPart part);
Index num_heads_of(const ModelConfig& config, AttentionPart part);
Index head_dim_of(const ModelConfig& config, AttentionPart part);
// For messages: "self-attention".
const char* name_of(AttentionPart part);

// The heads that an intervention touches; kEvery means all.
struct Scope {
  Index layer = kEvery;
  Index head = kEvery;
  AttentionPart part = AttentionPart::kSelf;

  bool covers(AttentionPart some_part, Index some_layer,
              Index some_head) const {
    return part == some_part && (layer == kEvery || layer == some_layer) &&
           (head == kEvery || head == some_head);
  }
};

// The head's output is replaced at every position: by zeros if `replacement`
// is empty, else by that vector. For mean ablation pass the mean of the plain
// run's head output (Trace::mean_head_output).
struct AblateHead {
  std::vector<float> replacement;  // [head_dim] or empty
};

// One cell of the mask is decided, by positions in the text.
struct MaskCell {
  Index query = 0;
  Index key = 0;
  bool allowed = false;
};

// The scores are multiplied by this instead of the model's own scale. 1 drops
// the scale.
struct SetScale {
  float scale = 1;
};

// The scores are divided by this inside the softmax. 0 means the limit: all
// weight on the largest score, shared equally by ties.
struct SetTemperature {
  float temperature = 1;
};

// The softmax row of one query is this one: weights[key], each in [0, 1], 0 for
// keys past its end.
struct ReplaceWeights {
  Index query = 0;
  std::vector<float> weights;
};

// The value vector at one position is this one, wherever these heads read it.
struct SwapValue {
  Index key = 0;
  std::vector<float> value;  // [head_dim]
};

struct Intervention {
  Scope scope;
  std::variant<AblateHead, MaskCell, SetScale, SetTemperature, ReplaceWeights,
               SwapValue>
      change;
};

// Lengths of the texts that a run has room for.
struct TextLengths {
  Index text = 0;
  Index source = 0;
};

// Errors: kInvalidArgument naming the intervention's number and fault: an
// attention, layer or head that does not exist, a vector of the wrong length, a
// row longer than the keys, numbers out of range, a negative position, a scale
// that is not finite, a temperature that is negative or not finite.
Status check_interventions(std::span<const Intervention> interventions,
                           const ModelConfig& config, TextLengths room);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_TRACE_INTERVENTION_H_
