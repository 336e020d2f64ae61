// The slopes of alibi.h.
#include "core/positions/alibi.h"

#include <bit>
#include <cmath>
#include <cstddef>

namespace attnscope {

float alibi_slope(Index head, Index num_heads) {
  const auto power =
      static_cast<Index>(std::bit_floor(static_cast<std::size_t>(num_heads)));
  const double exponent =
      head < power
          ? -8.0 * static_cast<double>(head + 1) / static_cast<double>(power)
          : -4.0 * static_cast<double>(2 * (head - power) + 1) /
                static_cast<double>(power);
  return static_cast<float>(std::exp2(exponent));
}

}  // namespace attnscope
