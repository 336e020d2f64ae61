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

std::uint64_t Slot::allocated_bytes(Index panel_width, Storage storage) const {
  const Index columns = outputs / num_parts();
  if (matrices.empty())
    return array_bytes({num_parts(), columns, inputs}, sizeof(float));
  std::uint64_t bytes = 0;
  for (Index part = 0; part < num_parts(); ++part)
    bytes = add_bytes(bytes, PackedMatrix::allocated_bytes(
                                 inputs, columns, panel_width, storage));
  return bytes;
}

Status Slot::allocate(Index panel_width, Storage storage) const {
  const Index columns = outputs / num_parts();
  for (PackedMatrix* matrix : matrices) {
    auto made = PackedMatrix::allocate(inputs, columns, panel_width, storage,
                                       name.c_str());
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

Slot::Place Slot::place_of(Index output) const {
  const Index turn = output / group;
  const Index in_group = output % group;
  return {static_cast<std::size_t>(turn % num_parts()),
          turn / num_parts() * group + in_group, group - in_group};
}

Slot::Run Slot::run_at(Index element) const {
  const bool input_first = layout == Layout::kInputFirst;
  const Index output = input_first ? element % outputs : element / inputs;
  const Index input = input_first ? element / outputs : element % inputs;
  const auto [part, column, left_in_group] = place_of(output);

  if (layout == Layout::kFlat) {
    return {buffers[part]->data() + column * inputs + input, Storage::kFloat32,
            1, left_in_group * inputs - input};
  }
  PackedMatrix& matrix = *matrices[part];
  const Index width = matrix.panel_width();
  void* first = matrix.address(input, column);
  if (input_first) {
    return {first, matrix.storage(), 1,
            std::min(left_in_group, width - column % width)};
  }
  return {first, matrix.storage(), width, inputs - input};
}

}  // namespace attnscope
