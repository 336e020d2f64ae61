// Names, sizes and roundings of the storage kinds.
#include "core/base/storage.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {
namespace {

constexpr std::array kStorages = {Storage::kFloat32, Storage::kBFloat16,
                                  Storage::kFloat16, Storage::kInt8};

constexpr std::uint32_t kMagnitude = 0x7FFF'FFFF;  // all bits but the sign
constexpr std::uint32_t kInfinity = 0x7F80'0000;

// magnitude / 2^bits to the nearest, ties to even: what is cut off carries into
// the rest when it is above one half, or one half and the rest odd.
std::uint32_t shift_rounded(std::uint32_t magnitude, unsigned bits) {
  const std::uint32_t below_half = (1u << (bits - 1)) - 1;
  const std::uint32_t odd = (magnitude >> bits) & 1u;
  return (magnitude + below_half + odd) >> bits;
}

}  // namespace

std::size_t element_bytes(Storage storage) {
  switch (storage) {
    case Storage::kFloat32:
      return 4;
    case Storage::kBFloat16:
    case Storage::kFloat16:
      return 2;
    case Storage::kInt8:
      return 1;
  }
  return 0;
}

const char* storage_name(Storage storage) {
  switch (storage) {
    case Storage::kFloat32:
      return "float32";
    case Storage::kBFloat16:
      return "bfloat16";
    case Storage::kFloat16:
      return "float16";
    case Storage::kInt8:
      return "int8";
  }
  return "";
}

std::optional<Storage> find_storage(std::string_view name) {
  for (const Storage storage : kStorages) {
    if (name == storage_name(storage)) return storage;
  }
  return std::nullopt;
}

std::uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & kMagnitude) > kInfinity) {  // NaN: its upper half, kept a NaN
    return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  }
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  return static_cast<std::uint16_t>(sign |
                                    shift_rounded(bits & kMagnitude, 16));
}

std::uint16_t to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t magnitude = bits & kMagnitude;
  std::uint32_t rounded = 0;
  if (magnitude > kInfinity) {
    rounded = 0x7E00;  // NaN
  } else if (magnitude >= std::bit_cast<std::uint32_t>(65520.0f)) {
    rounded = 0x7C00;  // infinity: halfway to 65536 rounds up
  } else if (magnitude < std::bit_cast<std::uint32_t>(0x1p-14f)) {
    // Subnormal: multiples of 2^-24, to which an addition of 1/2 rounds.
    const float sum = std::bit_cast<float>(magnitude) + 0.5f;
    rounded =
        std::bit_cast<std::uint32_t>(sum) - std::bit_cast<std::uint32_t>(0.5f);
  } else {
    rounded = shift_rounded(magnitude - ((127u - 15u) << 23), 13);
  }
  return static_cast<std::uint16_t>(sign | rounded);
}

std::int8_t to_int8(float value, float scale) {
  if (scale == 0) return 0;
  // Only a scale that is itself subnormal lets a quotient pass 127.
  const float whole = std::nearbyint(value / scale);
  return static_cast<std::int8_t>(std::clamp(whole, -127.0f, 127.0f));
}

}  // namespace attnscope
