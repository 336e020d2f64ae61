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

namespace attnscope {

inline constexpr Index kEvery = -1;

// The heads that an intervention touches; kEvery means all.
struct Scope {
  Index layer = kEvery;
  Index head = kEvery;

  bool covers(Index some_layer, Index some_head) const {
    return (layer == kEvery || layer == some_layer) &&
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

struct Intervention {
  Scope scope;
  std::variant<AblateHead, MaskCell, SetScale, SetTemperature> change;
};

struct ModelConfig;

// Errors: kInvalidArgument naming the intervention's number and fault: a layer
// or head that does not exist, a replacement of the wrong length, a negative
// position, a scale that is not finite, a temperature that is negative or not
// finite.
Status check_interventions(std::span<const Intervention> interventions,
                           const ModelConfig& config);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_TRACE_INTERVENTION_H_
