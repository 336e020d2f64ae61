// Conversion of stored numbers, a run of elements at a time.
#include "core/checkpoint/elements.h"

#include <bit>
#include <cstring>

namespace attnscope {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors is little endian, and elements are copied as bytes");

float from_float32(std::uint32_t bits) { return std::bit_cast<float>(bits); }

// The upper half of a float32.
float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits.
float from_float16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1Fu;
  const std::uint32_t fraction = bits & 0x3FFu;
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24, exact in float32
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
  }
  const std::uint32_t wide_exponent =
      exponent == 0x1F ? 0xFFu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide_exponent << 23 | fraction << 13);
}

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
