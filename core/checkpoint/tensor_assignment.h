// Which slot each tensor of a checkpoint fills, over all its files. Read next:
// checkpoint_loader.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_TENSOR_ASSIGNMENT_H_
#define ATTNSCOPE_CORE_CHECKPOINT_TENSOR_ASSIGNMENT_H_

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/checkpoint/families.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/slot.h"

namespace attnscope {

class TensorAssignment {
 public:
  // Both outlive this.
  TensorAssignment(const Family& family, const std::vector<Slot>& slots);

  // For each tensor of a file its slot, null for those to skip. Errors:
  // kUnsupportedSetting (a tensor of the model that the configuration has no
  // place for), kWrongShape, kUnsupportedDtype, kCorruptHeader (a tensor twice,
  // in two files or under two names).
  Result<std::vector<const Slot*>> assign(const SafetensorsHeader& header);
  // Errors: kMissingTensor.
  Status check_complete() const;
  // Whether a tensor, if it has no slot, stands for the token embedding: a tied
  // output, or a stack's own embedding.
  bool repeats_embedding(const TensorEntry& tensor) const;

 private:
  Status check_skipped(const TensorEntry& tensor) const;
  Status fill(const TensorEntry& tensor, const Slot& slot);

  const Family& family_;
  const std::vector<Slot>& slots_;
  std::unordered_map<std::string, const Slot*> by_name_;  // without the prefix
  std::unordered_set<std::string> parts_;  // first parts of those names
  std::unordered_set<std::string> seen_;   // tensors of the files so far
  // By which tensor.
  std::unordered_map<const Slot*, std::string> filled_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_TENSOR_ASSIGNMENT_H_
