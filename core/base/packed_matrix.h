// The layout of every right operand of a matrix product: learned projections,
// cached keys and cached values. One layout, so one kernel serves all of them.
// Read next: ../kernels/kernels.h.
//
// A matrix right[depth, columns] is cut into panels of `panel_width` columns;
// a panel is stored row by row, so that the product reads it from front to
// back:
//
//   right[k, c]  is at  data[(c / panel_width) * panel_stride
//                            + k * panel_width + c % panel_width]
//
// Columns past the last are storage only; the product never writes them out.
#ifndef ATTNSCOPE_CORE_BASE_PACKED_MATRIX_H_
#define ATTNSCOPE_CORE_BASE_PACKED_MATRIX_H_

#include <cstddef>

#include "core/base/buffer.h"

namespace attnscope {

// Panels needed for `columns` columns.
inline Index num_panels(Index columns, Index panel_width) {
  return (columns + panel_width - 1) / panel_width;
}

// A view of panels that somebody else owns.
struct PackedView {
  const float* data = nullptr;
  Index depth = 0;
  Index columns = 0;
  Index panel_width = 0;
  Index panel_stride = 0;  // floats from one panel to the next

  float at(Index k, Index c) const {
    return data[(c / panel_width) * panel_stride + k * panel_width +
                c % panel_width];
  }
};

// An owned matrix, filled element by element while a checkpoint loads.
class PackedMatrix {
 public:
  PackedMatrix() = default;

  // right[depth, columns], all zero. Errors: kOutOfMemory.
  static Result<PackedMatrix> allocate(Index depth, Index columns,
                                       Index panel_width, const char* purpose);

  Index depth() const { return depth_; }
  Index columns() const { return columns_; }
  bool empty() const { return columns_ == 0; }
  float& at(Index k, Index c) {
    return data_[static_cast<std::size_t>((c / panel_width_) * depth_ *
                                              panel_width_ +
                                          k * panel_width_ + c % panel_width_)];
  }
  PackedView view() const {
    return {data_.data(), depth_, columns_, panel_width_,
            depth_ * panel_width_};
  }
  // Copies column c to output[depth]: with a token embedding packed as
  // [model_dim, vocabulary], the vector of token c.
  void copy_column(Index c, float* output) const;

 private:
  FloatBuffer data_;
  Index depth_ = 0;
  Index columns_ = 0;
  Index panel_width_ = 1;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_BASE_PACKED_MATRIX_H_
