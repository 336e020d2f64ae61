// Allocation and column access of packed matrices.
#include "core/base/packed_matrix.h"

#include <utility>

#include "core/base/bytes.h"

namespace attnscope {

Result<PackedMatrix> PackedMatrix::allocate(Index depth, Index columns,
                                            Index panel_width, Storage storage,
                                            const char* purpose) {
  PackedMatrix matrix;
  matrix.depth_ = depth;
  matrix.columns_ = columns;
  matrix.panel_width_ = panel_width;
  matrix.storage_ = storage;
  const Index padded = num_panels(columns, panel_width) * panel_width;
  const auto width = static_cast<Index>(element_bytes(storage));
  auto data = ByteBuffer::allocate(padded * width, depth, purpose);
  if (!data.ok()) return data.status();
  matrix.data_ = std::move(data.value());
  if (storage == Storage::kInt8) {
    auto scales = FloatBuffer::allocate(1, padded, purpose);
    if (!scales.ok()) return scales.status();
    matrix.scales_ = std::move(scales.value());
  }
  return matrix;
}

std::uint64_t PackedMatrix::allocated_bytes(Index depth, Index columns,
                                            Index panel_width,
                                            Storage storage) {
  const Index padded = num_panels(columns, panel_width) * panel_width;
  const std::uint64_t elements =
      array_bytes({depth, padded}, element_bytes(storage));
  return storage == Storage::kInt8
             ? add_bytes(elements, array_bytes({padded}, sizeof(float)))
             : elements;
}

void PackedMatrix::copy_column(Index c, float* output) const {
  const auto copy = [&](const auto* stored, auto to_float) {
    const auto* column = stored + place(0, c);
    for (Index k = 0; k < depth_; ++k)
      output[k] = to_float(column[k * panel_width_]);
  };
  switch (storage_) {
    case Storage::kFloat32:
      return copy(data<float>(), [](float value) { return value; });
    case Storage::kBFloat16:
      return copy(data<std::uint16_t>(), from_bfloat16);
    case Storage::kFloat16:
      return copy(data<std::uint16_t>(), from_float16);
    case Storage::kInt8:
      const float scale = scales_[static_cast<std::size_t>(c)];
      return copy(data<std::int8_t>(), [scale](std::int8_t stored) {
        return from_int8(stored, scale);
      });
  }
}

}  // namespace attnscope
