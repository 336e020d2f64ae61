// Allocation and column access of packed matrices.
#include "core/base/packed_matrix.h"

#include <utility>

namespace attnscope {

Result<PackedMatrix> PackedMatrix::allocate(Index depth, Index columns,
                                            Index panel_width,
                                            const char* purpose) {
  PackedMatrix matrix;
  matrix.depth_ = depth;
  matrix.columns_ = columns;
  matrix.panel_width_ = panel_width;
  auto data = FloatBuffer::allocate(
      num_panels(columns, panel_width) * panel_width, depth, purpose);
  if (!data.ok()) return data.status();
  matrix.data_ = std::move(data.value());
  return matrix;
}

void PackedMatrix::copy_column(Index c, float* output) const {
  const float* column = data_.data() +
                        (c / panel_width_) * depth_ * panel_width_ +
                        c % panel_width_;
  for (Index k = 0; k < depth_; ++k) output[k] = column[k * panel_width_];
}

}  // namespace attnscope
