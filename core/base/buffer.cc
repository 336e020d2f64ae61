// Aligned allocation that reports failure. std::aligned_alloc is used because
// operator new may abort where exceptions are off.
#include "core/base/buffer.h"

#include <cstdlib>
#include <cstring>
#include <limits>

namespace attnscope {

void FloatBuffer::Free::operator()(float *pointer) const { std::free(pointer); }

Result<FloatBuffer> FloatBuffer::allocate(std::size_t count,
                                          const char *purpose) {
  FloatBuffer buffer;
  if (count == 0)
    return buffer;
  const auto refuse = [&] {
    return Status(StatusCode::kOutOfMemory, std::string("cannot allocate ") +
                                                std::to_string(count) +
                                                " floats for " + purpose);
  };
  constexpr std::size_t kMost =
      (std::numeric_limits<std::size_t>::max() - kAlignment) / sizeof(float);
  if (count > kMost)
    return refuse();
  const std::size_t bytes =
      (count * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
  void *memory = std::aligned_alloc(kAlignment, bytes);
  if (memory == nullptr)
    return refuse();
  std::memset(memory, 0, bytes);
  buffer.data_.reset(static_cast<float *>(memory));
  buffer.size_ = count;
  return buffer;
}

} // namespace attnscope
