// The kinds in which learned matrices are kept, and the plain conversions
// between each and float32: what the kernels that expand a stored matrix
// (../kernels/expand_template.h) are tested against. Read next:
// packed_matrix.h.
#ifndef ATTNSCOPE_CORE_BASE_STORAGE_H_
#define ATTNSCOPE_CORE_BASE_STORAGE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace attnscope {

enum class Storage {
  kFloat32,
  kBFloat16,  // the upper half of a float32: its range, 8 bits of precision
  kFloat16,   // IEEE 754 binary16: at most 65504, 11 bits of precision
  kInt8,      // value / scale, whole from -127 to 127; a scale for each column
};

// Bytes of an element.
std::size_t element_bytes(Storage storage);
// As programs write it: "float32", "bfloat16", "float16", "int8".
const char* storage_name(Storage storage);
// None for a name that is not one of those.
std::optional<Storage> find_storage(std::string_view name);

// Conversions to float32 are exact. Those from it round to the nearest, ties to
// even; too large a number becomes an infinity, a NaN stays a NaN.
inline float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}
std::uint16_t to_bfloat16(float value);
// 1 sign, 5 exponent (bias 15), 10 fraction bits.
inline float from_float16(std::uint16_t bits) {
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
std::uint16_t to_float16(float value);

// The scale of a column whose largest |value| is `largest`, finite.
inline float int8_scale(float largest) { return largest / 127; }
inline float from_int8(std::int8_t stored, float scale) {
  return static_cast<float>(stored) * scale;
}
// value / scale to the nearest whole number, ties to even. 0 for a scale of 0.
std::int8_t to_int8(float value, float scale);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_BASE_STORAGE_H_
