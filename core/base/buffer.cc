// Aligned allocation that reports failure. std::aligned_alloc is used because
// operator new may abort where exceptions are off.
#include "core/base/buffer.h"

#include <cstdlib>
#include <cstring>
#include <limits>

namespace attnscope {

template <class T>
void Buffer<T>::Free::operator()(T* pointer) const {
  std::free(pointer);
}

template <class T>
Result<Buffer<T>> Buffer<T>::allocate(Index rows, Index width,
                                      const char* purpose) {
  Buffer buffer;
  if (rows == 0 || width == 0) return buffer;
  // Rounded in double, which is exact enough for a limit.
  const double bytes =
      static_cast<double>(rows) * static_cast<double>(width) * sizeof(T);
  constexpr auto kMost =
      static_cast<double>(std::numeric_limits<Index>::max()) / 2;
  void* memory = nullptr;
  if (bytes <= kMost) {
    const std::size_t exact = static_cast<std::size_t>(rows) *
                              static_cast<std::size_t>(width) * sizeof(T);
    const std::size_t rounded =
        (exact + kAlignment - 1) / kAlignment * kAlignment;
    memory = std::aligned_alloc(kAlignment, rounded);
    if (memory != nullptr) std::memset(memory, 0, rounded);
  }
  if (memory == nullptr) {
    return Status(StatusCode::kOutOfMemory,
                  "cannot allocate " + std::to_string(rows) + " x " +
                      std::to_string(width) + " numbers of " +
                      std::to_string(sizeof(T)) + " bytes for " + purpose);
  }
  buffer.data_.reset(static_cast<T*>(memory));
  buffer.size_ = static_cast<std::size_t>(rows * width);
  return buffer;
}

template class Buffer<float>;
template class Buffer<std::uint8_t>;

}  // namespace attnscope
