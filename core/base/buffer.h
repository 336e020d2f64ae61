// Owner of an array of numbers, aligned for every vector width and zeroed at
// birth. Allocation can fail and says so; nothing here grows. Read next:
// storage.h.
#ifndef ATTNSCOPE_CORE_BASE_BUFFER_H_
#define ATTNSCOPE_CORE_BASE_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

#include "core/base/status.h"

namespace attnscope {

// Sizes and positions. 32 bits wide on WebAssembly: products of sizes that come
// from outside are counted by bytes.h, or are no more than a buffer's size.
using Index = std::ptrdiff_t;

// Bytes; a cache line and the widest vector (AVX-512).
inline constexpr std::size_t kAlignment = 64;

template <class T>
class Buffer {
 public:
  Buffer() = default;

  // As many zeros as the product of the sizes, which may be more than an Index
  // holds. Errors: kOutOfMemory, its message naming `purpose`.
  static Result<Buffer> allocate(std::initializer_list<Index> sizes,
                                 const char* purpose);
  static Result<Buffer> allocate(Index rows, Index width, const char* purpose) {
    return allocate({rows, width}, purpose);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data_[i]; }
  T operator[](std::size_t i) const { return data_[i]; }

 private:
  struct Free {
    void operator()(T* pointer) const;
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

using FloatBuffer = Buffer<float>;
using ByteBuffer = Buffer<std::uint8_t>;

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_BASE_BUFFER_H_
