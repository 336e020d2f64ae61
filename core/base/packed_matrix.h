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
#include <cstdint>

#include "core/base/buffer.h"
#include "core/base/storage.h"

namespace attnscope {

// Panels needed for `columns` columns.
inline Index num_panels(Index columns, Index panel_width) {
  return (columns + panel_width - 1) / panel_width;
}

// A view of float32 panels that somebody else owns.
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

// An owned matrix in one of the storage kinds, filled while a checkpoint loads.
// Whatever the kind, elements lie in the order above.
class PackedMatrix {
 public:
  PackedMatrix() = default;

  // right[depth, columns], all zero. Errors: kOutOfMemory.
  static Result<PackedMatrix> allocate(Index depth, Index columns,
                                       Index panel_width, Storage storage,
                                       const char* purpose);
  // The bytes that allocate() takes. Saturates (bytes.h).
  static std::uint64_t allocated_bytes(Index depth, Index columns,
                                       Index panel_width, Storage storage);

  Index depth() const { return depth_; }
  Index columns() const { return columns_; }
  Index panel_width() const { return panel_width_; }
  Storage storage() const { return storage_; }
  bool empty() const { return columns_ == 0; }
  std::uint64_t stored_bytes() const {
    return data_.size() + scales_.size() * sizeof(float);
  }

  // Where right[k, c] is stored, in elements from data().
  std::size_t place(Index k, Index c) const {
    return static_cast<std::size_t>((c / panel_width_) * depth_ * panel_width_ +
                                    k * panel_width_ + c % panel_width_);
  }
  // The elements. T is the type of the storage kind: float, std::uint16_t for
  // both halves, std::int8_t.
  template <class T>
  T* data() {
    return reinterpret_cast<T*>(data_.data());
  }
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(data_.data());
  }
  void* address(Index k, Index c) {
    return data_.data() + place(k, c) * element_bytes(storage_);
  }
  // [columns, up to whole panels], kInt8 only.
  FloatBuffer& scales() { return scales_; }
  const FloatBuffer& scales() const { return scales_; }

  // An element, and a view of all, kFloat32 only.
  float& at(Index k, Index c) { return data<float>()[place(k, c)]; }
  PackedView view() const {
    return {data<float>(), depth_, columns_, panel_width_,
            depth_ * panel_width_};
  }
  // Writes column c as float32 to output[depth]: with a token embedding packed
  // as [model_dim, vocabulary], the vector of token c.
  void copy_column(Index c, float* output) const;

 private:
  ByteBuffer data_;
  FloatBuffer scales_;
  Index depth_ = 0;
  Index columns_ = 0;
  Index panel_width_ = 1;
  Storage storage_ = Storage::kFloat32;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_BASE_PACKED_MATRIX_H_
