// Names, with and without their prefix, in the old spelling and the new, and
// what is wrong with a tensor that does not fit.
#include "core/checkpoint/tensor_assignment.h"

#include <algorithm>

#include "core/checkpoint/quote.h"

namespace attnscope {
namespace {

std::string_view without_prefix(std::string_view name,
                                std::string_view prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// "h" of "h.0.attn.bias".
std::string_view first_part(std::string_view name) {
  return name.substr(0, name.find('.'));
}

}  // namespace

TensorAssignment::TensorAssignment(const Family& family,
                                   const std::vector<Slot>& slots)
    : family_(family), slots_(slots) {
  const auto add = [&](std::string_view name, const Slot& slot) {
    const auto bare = without_prefix(name, family.prefix);
    by_name_.emplace(bare, &slot);
    parts_.emplace(first_part(bare));
  };
  for (const Slot& slot : slots) {
    add(slot.name, slot);
    if (!slot.old_name.empty()) add(slot.old_name, slot);
  }
  parts_.emplace(first_part(family.output_name));
}

Result<std::vector<const Slot*>> TensorAssignment::assign(
    const SafetensorsHeader& header) {
  std::vector<const Slot*> assigned;
  for (const TensorEntry& tensor : header.tensors) {
    // Within one file, names are checked by safetensors.h.
    if (!seen_.insert(tensor.name).second)
      return Status(StatusCode::kCorruptHeader,
                    "tensor " + quote(tensor.name) + " is in two files");
    const std::string bare(without_prefix(tensor.name, family_.prefix));
    const auto found = by_name_.find(bare);
    const Slot* slot = found == by_name_.end() ? nullptr : found->second;
    Status status =
        slot == nullptr ? check_skipped(tensor) : fill(tensor, *slot);
    if (!status.ok()) return status;
    assigned.push_back(slot);
  }
  return assigned;
}

Status TensorAssignment::check_complete() const {
  std::unordered_set<int> sets;  // that are there, in part at least
  for (const auto& [slot, name] : filled_) sets.insert(slot->optional_set);
  for (const Slot& slot : slots_) {
    const bool needed =
        slot.optional_set == 0 || sets.contains(slot.optional_set);
    if (needed && !filled_.contains(&slot))
      return {StatusCode::kMissingTensor, "tensor " + quote(slot.name) + " " +
                                              shape_text(slot.shape) +
                                              " is missing"};
  }
  return {};
}

bool TensorAssignment::repeats_embedding(const TensorEntry& tensor) const {
  const std::string bare(without_prefix(tensor.name, family_.prefix));
  return !by_name_.contains(bare) &&
         (tensor.name == family_.output_name ||
          tensor.name.ends_with("coder.embed_tokens.weight"));
}

// A tensor without a slot may be skipped if the model's computation cannot
// contain it: known buffers, the tied output, and parts of another name, such
// as a classifier's. Anything else in the model's own parts (a bias where the
// configuration has none, a further norm) would change the result.
Status TensorAssignment::check_skipped(const TensorEntry& tensor) const {
  const std::string_view name = tensor.name;
  const auto bare = without_prefix(name, family_.prefix);
  const auto is_end = [&](const char* end) { return name.ends_with(end); };
  const bool is_known =
      name == family_.output_name ||
      std::any_of(family_.ignored.begin(), family_.ignored.end(), is_end);
  const bool is_of_model = bare.size() < name.size() ||
                           parts_.contains(std::string(first_part(bare)));
  if (is_known || !is_of_model) return {};
  return {StatusCode::kUnsupportedSetting,
          "tensor " + quote(name) + " " + shape_text(tensor.shape) +
              " has no place in the " + family_.model_type +
              " model that config.json describes"};
}

Status TensorAssignment::fill(const TensorEntry& tensor, const Slot& slot) {
  if (tensor.shape != slot.shape)
    return {StatusCode::kWrongShape,
            "tensor " + quote(tensor.name) + " has the shape " +
                shape_text(tensor.shape) + ", but config.json implies " +
                shape_text(slot.shape)};
  if (tensor.dtype == Dtype::kOther)
    return {StatusCode::kUnsupportedDtype,
            "tensor " + quote(tensor.name) + " is stored as " +
                tensor.dtype_name + "; F32, F16 and BF16 are implemented"};
  const auto [by, is_first] = filled_.emplace(&slot, tensor.name);
  if (!is_first)
    return {StatusCode::kCorruptHeader,
            "tensor " + quote(slot.name) + " is there twice, as " +
                quote(by->second) + " and as " + quote(tensor.name)};
  return {};
}

}  // namespace attnscope
