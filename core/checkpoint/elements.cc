// Conversion of stored numbers, a run of elements at a time.
#include "core/checkpoint/elements.h"

#include <bit>
#include <cstring>

namespace attnscope {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors is little endian, and elements are copied as bytes");

float from_float32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

template <class Stored>
void convert(const std::uint8_t* bytes, Index count, float* output,
             Index stride, float (*to_float)(Stored)) {
  for (Index i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, bytes + static_cast<std::size_t>(i) * sizeof(Stored),
                sizeof(Stored));
    output[i * stride] = to_float(stored);
  }
}

}  // namespace

std::size_t element_bytes(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat32:
      return 4;
    case Dtype::kFloat16:
    case Dtype::kBFloat16:
      return 2;
    case Dtype::kOther:
      break;
  }
  return 0;
}

void convert_elements(const std::uint8_t* bytes, Dtype dtype, Index count,
                      float* output, Index stride) {
  switch (dtype) {
    case Dtype::kFloat32:
      return convert(bytes, count, output, stride, from_float32);
    case Dtype::kFloat16:
      return convert(bytes, count, output, stride, from_float16);
    case Dtype::kBFloat16:
      return convert(bytes, count, output, stride, from_bfloat16);
    case Dtype::kOther:
      break;
  }
}

}  // namespace attnscope
