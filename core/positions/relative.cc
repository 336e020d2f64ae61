// Fills the tables of relative.h.
#include "core/positions/relative.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/positions/alibi.h"

namespace attnscope {

namespace {

// table[head, difference] by fill(head, difference).
template <class Fill>
Result<FloatBuffer> make_table(Index num_heads, Index reach, Fill fill) {
  const Index width = 2 * reach - 1;
  auto table = FloatBuffer::allocate(num_heads, width, "the position bias");
  if (!table.ok()) return table;
  float* row = table.value().data();
  for (Index head = 0; head < num_heads; ++head, row += width) {
    for (Index i = 0; i < width; ++i) row[i] = fill(head, i - (reach - 1));
  }
  return table;
}

}  // namespace

Index RelativeBuckets::bucket(Index difference) const {
  const Index side = both_ways ? num_buckets / 2 : num_buckets;
  const Index first = both_ways && difference > 0 ? side : 0;
  const Index distance =
      both_ways ? std::abs(difference) : std::max<Index>(-difference, 0);
  const Index exact = side / 2;  // distances with a bucket each
  if (distance < exact) return first + distance;
  // The roundings are those of the reference implementations; the logarithm is
  // computed in double so that it does not hang on a platform's float libm.
  const auto ratio = static_cast<float>(distance) / static_cast<float>(exact);
  const auto log_ratio =
      static_cast<float>(std::log(static_cast<double>(ratio)));
  const auto log_most = static_cast<float>(
      std::log(static_cast<double>(max_distance) / static_cast<double>(exact)));
  const float shared = log_ratio / log_most * static_cast<float>(side - exact);
  // Far distances, also where they overflow an Index.
  if (!(shared < static_cast<float>(side - exact))) return first + side - 1;
  return first + std::min(exact + static_cast<Index>(shared), side - 1);
}

Result<FloatBuffer> alibi_bias(Index num_heads, Index reach) {
  return make_table(num_heads, reach, [&](Index head, Index difference) {
    return alibi_slope(head, num_heads) * static_cast<float>(difference);
  });
}

Result<FloatBuffer> bucket_bias(const RelativeBuckets& buckets,
                                const FloatBuffer& learned, Index num_heads,
                                Index reach) {
  return make_table(num_heads, reach, [&](Index head, Index difference) {
    return learned[static_cast<std::size_t>(
        buckets.bucket(difference) * num_heads + head)];
  });
}

}  // namespace attnscope
