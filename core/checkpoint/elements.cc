// Conversion of stored numbers, a run of elements at a time.
#include "core/checkpoint/elements.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace attnscope {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors is little endian, and elements are copied as bytes");

struct Float32 {
  using Stored = float;
  static float decode(Stored value) { return value; }
  static Stored encode(float value) { return value; }
};

struct BFloat16 {
  using Stored = std::uint16_t;
  static float decode(Stored bits) { return from_bfloat16(bits); }
  static Stored encode(float value) { return to_bfloat16(value); }
};

struct Float16 {
  using Stored = std::uint16_t;
  static float decode(Stored bits) { return from_float16(bits); }
  static Stored encode(float value) { return to_float16(value); }
};

template <class From, class To>
bool convert(const std::uint8_t* bytes, Index count, void* output,
             Index stride) {
  constexpr std::size_t kWidth = sizeof(typename From::Stored);
  auto* kept = static_cast<typename To::Stored*>(output);
  bool fits = true;
  for (Index i = 0; i < count; ++i) {
    typename From::Stored stored;
    std::memcpy(&stored, bytes + static_cast<std::size_t>(i) * kWidth, kWidth);
    const float value = From::decode(stored);
    const auto encoded = To::encode(value);
    kept[i * stride] = encoded;
    fits =
        fits && (std::isfinite(To::decode(encoded)) || !std::isfinite(value));
  }
  return fits;
}

template <class From>
bool convert_to(Storage storage, const std::uint8_t* bytes, Index count,
                void* output, Index stride) {
  switch (storage) {
    case Storage::kFloat32:
      return convert<From, Float32>(bytes, count, output, stride);
    case Storage::kBFloat16:
      return convert<From, BFloat16>(bytes, count, output, stride);
    case Storage::kFloat16:
      return convert<From, Float16>(bytes, count, output, stride);
    case Storage::kInt8:
      break;
  }
  return false;
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

bool convert_elements(const std::uint8_t* bytes, Dtype dtype, Index count,
                      Storage storage, void* output, Index stride) {
  switch (dtype) {
    case Dtype::kFloat32:
      return convert_to<Float32>(storage, bytes, count, output, stride);
    case Dtype::kFloat16:
      return convert_to<Float16>(storage, bytes, count, output, stride);
    case Dtype::kBFloat16:
      return convert_to<BFloat16>(storage, bytes, count, output, stride);
    case Dtype::kOther:
      break;
  }
  return false;
}

}  // namespace attnscope
