// Saturating arithmetic, and amounts of memory for people.
#include "core/base/bytes.h"

#include <array>
#include <limits>

namespace attnscope {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b) {
  return a > kMost - b ? kMost : a + b;
}

std::uint64_t array_bytes(std::initializer_list<std::ptrdiff_t> sizes,
                          std::size_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::ptrdiff_t signed_size : sizes) {
    const auto size = static_cast<std::uint64_t>(signed_size);
    if (size == 0) return 0;
    bytes = bytes > kMost / size ? kMost : bytes * size;
  }
  return bytes;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  constexpr std::array kUnits = {"KB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  std::uint64_t of_unit = 1024;
  // Up to 1023.9: what rounds to 1024 is one of the next.
  while (unit + 1 < kUnits.size() &&
         bytes > of_unit * 1024 - (of_unit + 9) / 10) {
    ++unit;
    of_unit *= 1024;
  }
  const std::uint64_t rest = bytes % of_unit;
  // Rounded up; rest * 10 fits, as a unit has at most 2^60 bytes.
  std::uint64_t tenths =
      bytes / of_unit * 10 + (rest * 10 + of_unit - 1) / of_unit;
  std::string text = std::to_string(tenths / 10);
  if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
  return text + " " + kUnits[unit];
}

}  // namespace attnscope
