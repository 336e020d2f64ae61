// The arithmetic of slots: sizes, and the address of an element.
#include "core/checkpoint/slot.h"

#include <algorithm>
#include <utility>

#include "core/base/bytes.h"

namespace attnscope {

std::uint64_t Slot::num_elements() const {
  return static_cast<std::uint64_t>(outputs) *
         static_cast<std::uint64_t>(inputs);
}

std::uint64_t Slot::allocated_bytes(Index panel_width) const {
  const Index columns = outputs / num_parts();
  const Index stored = matrices.empty()
                           ? columns
                           : num_panels(columns, panel_width) * panel_width;
  return array_bytes({num_parts(), stored, inputs}, sizeof(float));
}

Status Slot::allocate(Index panel_width) const {
  const Index columns = outputs / num_parts();
  for (PackedMatrix* matrix : matrices) {
    auto made = PackedMatrix::allocate(inputs, columns, panel_width,
                                       Storage::kFloat32, name.c_str());
    if (!made.ok()) return made.status();
    *matrix = std::move(made.value());
  }
  for (FloatBuffer* buffer : buffers) {
    auto made = FloatBuffer::allocate(columns, inputs, name.c_str());
    if (!made.ok()) return made.status();
    *buffer = std::move(made.value());
  }
  return {};
}

Slot::Run Slot::run_at(Index element, Index panel_width) const {
  const bool input_first = layout == Layout::kInputFirst;
  const Index output = input_first ? element % outputs : element / inputs;
  const Index input = input_first ? element / outputs : element % inputs;

  const Index turn = output / group;
  const Index in_group = output % group;
  const auto part = static_cast<std::size_t>(turn % num_parts());
  const Index column = turn / num_parts() * group + in_group;
  const Index left_in_group = group - in_group;

  switch (layout) {
    case Layout::kOutputFirst:
      return {&matrices[part]->at(input, column), panel_width, inputs - input};
    case Layout::kInputFirst:
      return {&matrices[part]->at(input, column), 1,
              std::min(left_in_group, panel_width - column % panel_width)};
    case Layout::kFlat:
      break;
  }
  return {buffers[part]->data() + column * inputs + input, 1,
          left_in_group * inputs - input};
}

}  // namespace attnscope
