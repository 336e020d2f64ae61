// Aligned allocation that reports failure. std::aligned_alloc is used because
// operator new may abort where exceptions are off.
#include "core/base/buffer.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "core/base/bytes.h"

namespace attnscope {

template <class T>
void Buffer<T>::Free::operator()(T* pointer) const {
  std::free(pointer);
}

template <class T>
Result<Buffer<T>> Buffer<T>::allocate(std::initializer_list<Index> sizes,
                                      const char* purpose) {
  Buffer buffer;
  const std::uint64_t bytes = array_bytes(sizes, sizeof(T));
  if (bytes == 0) return buffer;
  // Differences between addresses within it fit an Index.
  constexpr auto kMost = static_cast<std::uint64_t>(
      std::numeric_limits<Index>::max() - static_cast<Index>(kAlignment));
  void* memory = nullptr;
  if (bytes <= kMost) {
    const auto exact = static_cast<std::size_t>(bytes);
    const std::size_t rounded =
        (exact + kAlignment - 1) / kAlignment * kAlignment;
    memory = std::aligned_alloc(kAlignment, rounded);
    if (memory != nullptr) std::memset(memory, 0, rounded);
  }
  if (memory == nullptr)
    return Status(
        StatusCode::kOutOfMemory,
        "there is no room of " + bytes_text(bytes) + " for " + purpose);
  buffer.data_.reset(static_cast<T*>(memory));
  buffer.size_ = static_cast<std::size_t>(bytes) / sizeof(T);
  return buffer;
}

template class Buffer<float>;
template class Buffer<std::uint8_t>;

}  // namespace attnscope
