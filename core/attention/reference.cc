// Attention as the paper writes it: softmax(Q K^T * scale + mask) V, in four
// passes of plain loops. No vectors, no blocks: this file is what the other
// executions are tested against.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/masking.h"

namespace attnscope {

Index attend_reference(const AttentionInput& input, const AttentionCells& cells,
                       float* head_output) {
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  const auto num_query_heads = static_cast<Index>(input.heads.size());
  const Index num_keys = input.num_keys;
  std::vector<float> row_memory(static_cast<std::size_t>(num_keys));
  float* row = row_memory.data();  // [key], of one query
  Index empty_rows = 0;

  for (Index head = 0; head < num_query_heads; ++head) {
    const HeadSettings& settings = input.heads[static_cast<std::size_t>(head)];
    const KeyValueView& kv = input.kv_head_of(head);
    const float factor = inverse_temperature(settings.temperature);
    const float* bias = input.position_bias.of(head);

    for (Index i = 0; i < input.num_queries; ++i) {
      const float* query =
          input.query + (i * num_query_heads + head) * input.head_dim;
      float* output =
          head_output + (i * num_query_heads + head) * input.head_dim;
      const Index place = input.first_query + i;
      const Index cell_row = cells.offset(head, i);

      // 1. Score: how well the query fits each key.
      for (Index j = 0; j < num_keys; ++j) {
        float score = 0;
        for (Index d = 0; d < input.head_dim; ++d) {
          score += query[d] * kv.keys.at(d, j);
        }
        row[j] = score;
        if (cells.scores != nullptr) cells.scores[cell_row + j] = score;
      }

      // 2. Mask: scale, add what the distance adds, hide what the query may not
      // see.
      float maximum = kMasked;
      const bool by_place = input.position_bias.counts_padding;
      const Index position = by_place ? place : settings.mask.position(place);
      for (Index j = 0; j < num_keys; ++j) {
        const Index key = input.first_key + j;
        const bool allowed = settings.mask.allows(place, key);
        const Index key_position =
            by_place ? key : settings.mask.shown_before(key);
        const float added = bias == nullptr ? 0 : bias[key_position - position];
        row[j] = allowed ? row[j] * settings.scale + added : kMasked;
        maximum = std::fmax(maximum, row[j]);
        if (cells.masked_scores != nullptr) {
          cells.masked_scores[cell_row + j] = row[j];
        }
      }

      // 3. Softmax: positive weights that sum to 1. The maximum is subtracted
      // so that no exp overflows. Nothing allowed: every exp is 0, and so is
      // every weight.
      const float shift = maximum == kMasked ? 0 : maximum;
      float sum = 0;
      for (Index j = 0; j < num_keys; ++j) {
        row[j] = std::exp((row[j] - shift) * factor);
        sum += row[j];
      }
      if (sum == 0) ++empty_rows;
      for (Index j = 0; j < num_keys; ++j) {
        if (sum != 0) row[j] /= sum;
      }
      replace_weights(settings, place, input.first_key, num_keys, row);
      if (cells.weights != nullptr) {
        std::copy_n(row, num_keys, cells.weights + cell_row);
      }

      // 4. Weigh: the average of the values under the weights.
      std::vector<float> swapped(settings.swapped_values.size());
      take_swapped_weights(settings, input.first_key, num_keys, row,
                           swapped.data());
      for (Index d = 0; d < input.head_dim; ++d) {
        float total = 0;
        for (Index j = 0; j < num_keys; ++j) {
          total += row[j] * kv.values.at(j, d);
        }
        output[d] = total;
      }
      add_swapped_values(settings, swapped.data(), input.head_dim, output);
    }
  }
  return empty_rows;
}

}  // namespace attnscope
