// Masking of score rows: outside the hull without looking, inside it cell by
// cell only if the hull does not decide.
#include "core/attention/masking.h"

#include <algorithm>
#include <limits>

#include "core/attention/attention.h"

namespace attnscope {

namespace {
constexpr float kMasked = -std::numeric_limits<float>::infinity();
}

float inverse_temperature(float temperature) {
  // 0 * kMost is 0, and a difference of scores above 1e-36 times it is beyond
  // -100, where exp is 0.
  constexpr float kMost = std::numeric_limits<float>::max();
  return temperature * kMost > 1 ? 1 / temperature : kMost;
}

void lower_by_distance(const Mask& mask, float slope, Index query,
                       Index first_key, Index count, float* row) {
  if (slope == 0) return;
  Index distance = mask.position(query) - mask.position(first_key);
  for (Index j = 0; j < count; ++j) {
    row[j] -= slope * static_cast<float>(distance);
    if (!mask.pads(first_key + j)) --distance;
  }
}

void hide_masked(const Mask& mask, Index query, Index num_keys, Index first_key,
                 Index count, float* row) {
  const KeyRange hull = mask.hull(query, num_keys);
  const Index begin = std::clamp<Index>(hull.begin - first_key, 0, count);
  const Index end = std::clamp<Index>(hull.end - first_key, begin, count);
  std::fill(row, row + begin, kMasked);
  std::fill(row + end, row + count, kMasked);
  if (mask.hull_is_exact()) return;
  for (Index j = begin; j < end; ++j) {
    if (!mask.allows(query, first_key + j)) row[j] = kMasked;
  }
}

KeyRange joint_hull(const Mask& mask, Index first_query, Index count,
                    Index num_keys) {
  KeyRange joint{num_keys, 0};
  for (Index query = first_query; query < first_query + count; ++query) {
    const KeyRange hull = mask.hull(query, num_keys);
    joint.begin = std::min(joint.begin, hull.begin);
    joint.end = std::max(joint.end, hull.end);
  }
  joint.begin = std::min(joint.begin, joint.end);
  return joint;
}

}  // namespace attnscope
