// The storage kinds: roundings against the numbers that a kind can hold, the
// kernels that expand a stored matrix against the plain conversions, and
// products with a stored matrix against those with a float32 matrix of the same
// values, bit for bit.
#include "core/base/storage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/packed_matrix.h"
#include "core/kernels/matmul.h"
#include "tests/core/random_numbers.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr Storage kHalves[] = {Storage::kBFloat16, Storage::kFloat16};

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
float from_half(Storage storage, std::uint16_t bits) {
  return storage == Storage::kFloat16 ? from_float16(bits)
                                      : from_bfloat16(bits);
}
std::uint16_t to_half(Storage storage, float value) {
  return storage == Storage::kFloat16 ? to_float16(value) : to_bfloat16(value);
}
std::uint16_t infinity_of(Storage storage) {
  return storage == Storage::kFloat16 ? 0x7C00 : 0x7F80;
}

// ---- one number ------------------------------------------------------------

TEST(Storage, NamesAreFoundAgain) {
  for (const Storage storage : {Storage::kFloat32, Storage::kBFloat16,
                                Storage::kFloat16, Storage::kInt8}) {
    EXPECT_EQ(find_storage(storage_name(storage)), storage);
  }
  EXPECT_EQ(find_storage("float64"), std::nullopt);
  EXPECT_EQ(find_storage(""), std::nullopt);
}

TEST(Storage, HalvesMeanWhatTheirFormatsSay) {
  for (const Storage storage : kHalves) {
    const int fraction_bits = storage == Storage::kFloat16 ? 10 : 7;
    const int bias = storage == Storage::kFloat16 ? 15 : 127;
    for (int bits = 0; bits < infinity_of(storage); ++bits) {
      const int exponent = bits >> fraction_bits;
      const int fraction = bits & ((1 << fraction_bits) - 1);
      const int lead = exponent == 0 ? 0 : 1 << fraction_bits;
      const double exact = std::ldexp(
          lead + fraction, std::max(exponent, 1) - bias - fraction_bits);
      const auto half = static_cast<std::uint16_t>(bits);
      const auto negative = static_cast<std::uint16_t>(bits | 0x8000);
      ASSERT_EQ(static_cast<double>(from_half(storage, half)), exact) << bits;
      ASSERT_EQ(bits_of(from_half(storage, negative)),
                bits_of(-from_half(storage, half)));
    }
    const std::uint16_t infinity = infinity_of(storage);
    EXPECT_EQ(from_half(storage, infinity), kInfinity);
    EXPECT_EQ(from_half(storage, infinity | 0x8000u), -kInfinity);
    for (int bits = infinity + 1; bits < 0x8000; ++bits) {
      EXPECT_TRUE(
          std::isnan(from_half(storage, static_cast<std::uint16_t>(bits))));
    }
  }
}

TEST(Storage, RoundsToTheNearestHalfAndTiesToEven) {
  for (const Storage storage : kHalves) {
    const std::uint16_t infinity = infinity_of(storage);
    for (std::uint16_t half = 0; half < infinity; ++half) {
      const auto next = static_cast<std::uint16_t>(half + 1);
      const float value = from_half(storage, half);
      // Past the largest the step goes on, and its middle is an infinity.
      const double step =
          next < infinity
              ? static_cast<double>(from_half(storage, next)) - value
              : value - static_cast<double>(from_half(
                            storage, static_cast<std::uint16_t>(half - 1)));
      const auto middle = static_cast<float>(value + step / 2);
      for (const std::uint16_t sign : {0, 0x8000}) {
        const float signed_middle = sign == 0 ? middle : -middle;
        const auto expect = [&](float number, std::uint16_t magnitude) {
          ASSERT_EQ(to_half(storage, number), magnitude | sign)
              << storage_name(storage) << " of " << number;
        };
        expect(sign == 0 ? value : -value, half);
        expect(signed_middle, half % 2 == 0 ? half : next);
        expect(std::nextafter(signed_middle, 0.0f), half);
        expect(std::nextafter(signed_middle, signed_middle * 2), next);
      }
    }
    EXPECT_EQ(to_half(storage, kInfinity), infinity);
    EXPECT_EQ(to_half(storage, -kInfinity), infinity | 0x8000);
    for (const std::uint32_t bits :
         {0x7F80'0001u, 0x7FFF'FFFFu, 0xFF80'0001u, bits_of(kNan)}) {
      const float nan = std::bit_cast<float>(bits);
      EXPECT_TRUE(std::isnan(from_half(storage, to_half(storage, nan))));
    }
  }
}

TEST(Storage, Int8IsTheNearestOf255Values) {
  const float scale = int8_scale(12.7f);
  EXPECT_EQ(to_int8(12.7f, scale), 127);
  EXPECT_EQ(to_int8(-12.7f, scale), -127);
  EXPECT_EQ(to_int8(0.26f, scale), 3);
  EXPECT_EQ(to_int8(-0.24f, scale), -2);
  EXPECT_EQ(to_int8(2.5f, 1), 2);  // ties to even
  EXPECT_EQ(to_int8(3.5f, 1), 4);
  EXPECT_EQ(to_int8(0, 0), 0);
  EXPECT_EQ(from_int8(-127, scale), -127 * scale);
  // The scale of subnormal numbers has few bits.
  const float tiny = 180 * std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(to_int8(-tiny, int8_scale(tiny)), -127);
  RandomNumbers random(5);
  for (int i = 0; i < 10'000; ++i) {
    const float largest = std::fabs(random.number(3));
    const float value = random.number(1) * largest;
    const float kept =
        from_int8(to_int8(value, int8_scale(largest)), int8_scale(largest));
    EXPECT_LE(std::fabs(kept - value), int8_scale(largest) * 0.5001f);
  }
}

// ---- kernels ---------------------------------------------------------------

class StorageTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Tables, StorageTest,
                         ::testing::ValuesIn(kernels_under_test()),
                         [](const auto& info) {
                           return std::string(info.param->name);
                         });

// A NaN's further bits are nobody's promise.
bool same_number(float a, float b) {
  return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
}

TEST_P(StorageTest, EveryHalfExpandsExactly) {
  std::vector<std::uint16_t> halves(0x10000);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>(i);
  }
  std::vector<float> expanded(halves.size());
  for (const Storage storage : kHalves) {
    const auto expand = storage == Storage::kFloat16
                            ? kernels().expand_float16
                            : kernels().expand_bfloat16;
    expand(halves.data(), expanded.data(), 0x10000);
    for (std::size_t i = 0; i < halves.size(); ++i) {
      ASSERT_TRUE(same_number(expanded[i], from_half(storage, halves[i])))
          << storage_name(storage) << " " << i << " is " << expanded[i];
    }
    // Every length and misaligned start; nothing past the end is written.
    for (Index n = 0; n <= 67; ++n) {
      for (Index start = 0; start < 3; ++start) {
        std::fill(expanded.begin(), expanded.end(), 42.0f);
        expand(halves.data() + 15'000 + start, expanded.data() + start, n);
        for (Index i = 0; i < 80; ++i) {
          const bool inside = i >= start && i < start + n;
          const float expected =
              inside
                  ? from_half(storage, static_cast<std::uint16_t>(15'000 + i))
                  : 42.0f;
          ASSERT_EQ(expanded[static_cast<std::size_t>(i)], expected) << n;
        }
      }
    }
  }
}

TEST_P(StorageTest, EveryInt8ExpandsExactly) {
  const Index width = kernels().panel_width;
  RandomNumbers random(6);
  const auto scales = random.numbers(static_cast<std::size_t>(width), 0.1f);
  for (const Index depth : {0, 1, 2, 3, 16, 256}) {
    const auto count = static_cast<std::size_t>(depth * width);
    std::vector<std::int8_t> stored(count);
    for (std::size_t i = 0; i < count; ++i) {
      // Each row its own number, -128 (which no file gives) included.
      stored[i] = static_cast<std::int8_t>(i / static_cast<std::size_t>(width));
    }
    std::vector<float> expanded(count + 32, 42.0f);
    kernels().expand_int8(stored.data(), scales.data(), expanded.data(), depth);
    for (std::size_t i = 0; i < count; ++i) {
      const float scale = scales[i % static_cast<std::size_t>(width)];
      ASSERT_EQ(bits_of(expanded[i]), bits_of(from_int8(stored[i], scale)));
    }
    for (std::size_t i = count; i < expanded.size(); ++i) {
      ASSERT_EQ(expanded[i], 42.0f);
    }
  }
}

// ---- products --------------------------------------------------------------

// right[depth, columns] of random numbers, in that kind.
PackedMatrix random_matrix(Index depth, Index columns, Index panel_width,
                           Storage storage) {
  auto made =
      PackedMatrix::allocate(depth, columns, panel_width, storage, "a test");
  PackedMatrix& matrix = made.value();
  RandomNumbers random(7);
  for (Index c = 0; c < columns; ++c) {
    const float scale = int8_scale(1.0f + static_cast<float>(c % 5));
    if (storage == Storage::kInt8) {
      matrix.scales()[static_cast<std::size_t>(c)] = scale;
    }
    for (Index k = 0; k < depth; ++k) {
      const float value = random.number(1);
      const std::size_t place = matrix.place(k, c);
      switch (storage) {
        case Storage::kFloat32:
          matrix.data<float>()[place] = value;
          break;
        case Storage::kBFloat16:
        case Storage::kFloat16:
          matrix.data<std::uint16_t>()[place] = to_half(storage, value);
          break;
        case Storage::kInt8:
          matrix.data<std::int8_t>()[place] = to_int8(value, scale);
          break;
      }
    }
  }
  return std::move(made.value());
}

// The same numbers as float32, column by column.
PackedMatrix as_float32(const PackedMatrix& matrix) {
  auto made =
      PackedMatrix::allocate(matrix.depth(), matrix.columns(),
                             matrix.panel_width(), Storage::kFloat32, "a test");
  std::vector<float> column(static_cast<std::size_t>(matrix.depth()));
  for (Index c = 0; c < matrix.columns(); ++c) {
    matrix.copy_column(c, column.data());
    for (Index k = 0; k < matrix.depth(); ++k) {
      made.value().at(k, c) = column[static_cast<std::size_t>(k)];
    }
  }
  return std::move(made.value());
}

TEST(Storage, ColumnsAreCopiedAsFloat32) {
  for (const Storage storage : {Storage::kFloat32, Storage::kBFloat16,
                                Storage::kFloat16, Storage::kInt8}) {
    const PackedMatrix matrix = random_matrix(5, 11, 4, storage);
    RandomNumbers random(7);
    for (Index c = 0; c < 11; ++c) {
      float column[5];
      matrix.copy_column(c, column);
      const float step = storage == Storage::kInt8 ? 0.02f : 0.004f;
      for (const float kept : column) {
        EXPECT_NEAR(kept, random.number(1), step);
      }
    }
  }
}

TEST(Storage, AMatrixTakesTheBytesThatItAnnounces) {
  const auto bytes = [](Storage storage) {
    const auto matrix = PackedMatrix::allocate(100, 21, 8, storage, "a test");
    const std::uint64_t announced =
        PackedMatrix::allocated_bytes(100, 21, 8, storage);
    EXPECT_EQ(matrix.value().stored_bytes(), announced);
    return announced;
  };
  EXPECT_EQ(bytes(Storage::kFloat32), 24u * 100 * 4);  // 3 whole panels
  EXPECT_EQ(bytes(Storage::kBFloat16), 24u * 100 * 2);
  EXPECT_EQ(bytes(Storage::kFloat16), 24u * 100 * 2);
  EXPECT_EQ(bytes(Storage::kInt8), 24u * 100 + 24u * 4);
}

TEST_P(StorageTest, ProductsHaveTheBitsOfFloat32) {
  struct Shape {
    Index rows, depth, columns;
  };
  const Index width = kernels().panel_width;
  std::vector<Shape> shapes = {{1, 2000, 300}, {3, 1000, 150}, {7, 900, 40},
                               {199, 400, 70}, {20, 1700, 50}, {193, 31, 300},
                               {1, 5, 7000},   {0, 4, 4},      {4, 0, 4},
                               {4, 4, 0}};
  for (Index rows = 1; rows <= 8; ++rows) {
    for (const Index columns : {width - 1, width, 4 * width, 9 * width + 1}) {
      shapes.push_back({rows, 33, columns});
    }
  }
  for (const Storage storage :
       {Storage::kBFloat16, Storage::kFloat16, Storage::kInt8}) {
    for (const Shape& shape : shapes) {
      const PackedMatrix stored =
          random_matrix(shape.depth, shape.columns, width, storage);
      const PackedMatrix plain = as_float32(stored);
      RandomNumbers random(8);
      const auto left = random.numbers(
          static_cast<std::size_t>(shape.rows * (shape.depth + 3)), 1);
      const auto before = random.numbers(
          static_cast<std::size_t>(shape.rows * (shape.columns + 2)), 1);
      for (const bool accumulate : {false, true}) {
        std::vector<float> expected = before;
        std::vector<float> output = before;
        matmul(kernels(), left.data(), shape.depth + 3, plain.view(),
               shape.rows, expected.data(), shape.columns + 2, accumulate);
        matmul(kernels(), left.data(), shape.depth + 3, stored, shape.rows,
               output.data(), shape.columns + 2, accumulate);
        for (std::size_t i = 0; i < output.size(); ++i) {
          ASSERT_EQ(bits_of(output[i]), bits_of(expected[i]))
              << storage_name(storage) << " [" << shape.rows << ", "
              << shape.depth << ", " << shape.columns << "] at " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace attnscope
