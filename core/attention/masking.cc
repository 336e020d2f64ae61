// Masking of score rows: outside the hull without looking, inside it cell by
// cell only if the hull does not decide.
#include "core/attention/masking.h"

#include <algorithm>
#include <limits>
#include <utility>

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

void add_position_bias(const Mask& mask, const PositionBias& bias, Index head,
                       Index query, Index first_key, Index count, float* row) {
  const float* of_head = bias.of(head);
  if (of_head == nullptr || count == 0) return;
  const bool by_place = bias.counts_padding;
  Index difference = by_place
                         ? first_key - query
                         : mask.shown_before(first_key) - mask.position(query);
  for (Index j = 0; j < count; ++j) {
    row[j] += of_head[difference];
    if (by_place || !mask.pads(first_key + j)) ++difference;
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

void replace_weights(const HeadSettings& settings, Index query, Index first_key,
                     Index num_keys, float* row) {
  for (const HeadSettings::WeightsRow& replaced : settings.weights_rows) {
    if (replaced.query != query) continue;
    const Index known = std::clamp<Index>(
        static_cast<Index>(replaced.weights.size()) - first_key, 0, num_keys);
    std::fill(row, row + num_keys, 0.0f);
    if (known > 0) {
      std::copy_n(replaced.weights.begin() + first_key, known, row);
    }
  }
}

void take_swapped_weights(const HeadSettings& settings, Index first_key,
                          Index num_keys, float* row, float* taken) {
  for (const HeadSettings::SwappedValue& swapped : settings.swapped_values) {
    const Index key = swapped.key - first_key;
    const bool is_here = key >= 0 && key < num_keys;
    *taken++ = is_here ? std::exchange(row[key], 0.0f) : 0.0f;
  }
}

void add_swapped_values(const HeadSettings& settings, const float* taken,
                        Index head_dim, float* output) {
  for (const HeadSettings::SwappedValue& swapped : settings.swapped_values) {
    const float weight = *taken++;
    for (Index d = 0; d < head_dim; ++d) {
      output[d] += weight * swapped.value[static_cast<std::size_t>(d)];
    }
  }
}

}  // namespace attnscope
