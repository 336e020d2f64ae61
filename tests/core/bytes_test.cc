// Amounts of memory: no product or sum wraps around, and people can read them.
#include "core/base/bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace attnscope {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

TEST(Bytes, SumsSaturate) {
  EXPECT_EQ(add_bytes(2, 3), 5u);
  EXPECT_EQ(add_bytes(kMost - 1, 1), kMost);
  EXPECT_EQ(add_bytes(kMost, 1), kMost);
  EXPECT_EQ(add_bytes(kMost / 2 + 1, kMost / 2 + 1), kMost);
}

TEST(Bytes, ProductsSaturate) {
  const std::ptrdiff_t large = std::numeric_limits<std::ptrdiff_t>::max();
  EXPECT_EQ(array_bytes({}, 4), 4u);
  EXPECT_EQ(array_bytes({3, 5, 7}, 4), 420u);
  EXPECT_EQ(array_bytes({1 << 20, 1 << 20, 1 << 20}, 1),
            std::uint64_t{1} << 60);
  EXPECT_EQ(array_bytes({1 << 20, 1 << 20, 1 << 20, 16}, 1), kMost);
  // 2^64 exactly, which would wrap around to nothing.
  EXPECT_EQ(array_bytes({1 << 16, 1 << 16, 1 << 16, 1 << 14}, 4), kMost);
  EXPECT_EQ(array_bytes({large, large, large}, 4), kMost);
  EXPECT_EQ(array_bytes({large, large, large, 0}, 4), 0u);
}

TEST(Bytes, TextIsInHumanUnitsAndRoundedUp) {
  const std::uint64_t gigabyte = std::uint64_t{1} << 30;
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1024), "1 KB");
  EXPECT_EQ(bytes_text(1025), "1.1 KB");
  EXPECT_EQ(bytes_text(4 * gigabyte), "4 GB");
  EXPECT_EQ(bytes_text(4 * gigabyte + 1), "4.1 GB");
  EXPECT_EQ(bytes_text(5 * gigabyte + gigabyte / 5), "5.2 GB");
  EXPECT_EQ(bytes_text(gigabyte - 1), "1 GB");
  EXPECT_EQ(bytes_text(gigabyte - (2 << 20)), "1022 MB");
  EXPECT_EQ(bytes_text(1024 * gigabyte), "1 TB");
  EXPECT_EQ(bytes_text(kMost), "16 EB");
}

}  // namespace
}  // namespace attnscope
