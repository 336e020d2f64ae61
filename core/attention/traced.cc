// The execution that people look at: vectorised, and every cell exists once, so
// that it can be recorded. Recording copies; whether a cell is kept changes no
// result. Memory is a block of rows, not the whole square.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/attention/attention.h"
#include "core/attention/masking.h"
#include "core/kernels/matmul.h"

namespace attnscope {

namespace {
constexpr float kNothing = -std::numeric_limits<float>::infinity();
}

Index attend_traced(const Kernels& kernels, const AttentionInput& input,
                    const AttentionCells& cells, float* scratch,
                    float* head_output) {
  const auto num_query_heads = static_cast<Index>(input.heads.size());
  const Index num_keys = input.num_keys;
  const Index query_stride = num_query_heads * input.head_dim;
  std::vector<float> swapped_weights;  // [row of a block, swapped value]
  Index empty_rows = 0;

  for (Index head = 0; head < num_query_heads; ++head) {
    const HeadSettings& settings = input.heads[static_cast<std::size_t>(head)];
    const KeyValueView& kv = input.kv_head_of(head);
    const float factor = inverse_temperature(settings.temperature);

    for (Index first = 0; first < input.num_queries; first += kQueryBlock) {
      const Index rows = std::min(kQueryBlock, input.num_queries - first);
      const Index offset = first * query_stride + head * input.head_dim;
      const auto keep = [&](float* recorded) {
        if (recorded == nullptr) return;
        for (Index i = 0; i < rows; ++i) {
          std::copy_n(scratch + i * num_keys, num_keys,
                      recorded + cells.offset(head, first + i));
        }
      };

      // 1. Score.
      matmul(kernels, input.query + offset, query_stride, kv.keys, rows,
             scratch, num_keys, false);
      keep(cells.scores);

      // 2. Mask.
      for (Index i = 0; i < rows; ++i) {
        float* row = scratch + i * num_keys;
        const Index query = input.first_query + first + i;
        kernels.scale(settings.scale, row, num_keys);
        add_position_bias(settings.mask, input.position_bias, head, query,
                          input.first_key, num_keys, row);
        hide_masked(settings.mask, query, input.end_key(), input.first_key,
                    num_keys, row);
      }
      keep(cells.masked_scores);

      // 3. Softmax.
      for (Index i = 0; i < rows; ++i) {
        float* row = scratch + i * num_keys;
        const float maximum = kernels.maximum(row, num_keys);
        const float shift = maximum == kNothing ? 0 : maximum;
        const float sum =
            kernels.exponentials(row, shift, factor, row, num_keys);
        if (sum == 0) {
          ++empty_rows;
        } else {
          kernels.scale(1 / sum, row, num_keys);
        }
        replace_weights(settings, input.first_query + first + i,
                        input.first_key, num_keys, row);
      }
      keep(cells.weights);

      // 4. Weigh.
      const auto num_swapped =
          static_cast<Index>(settings.swapped_values.size());
      swapped_weights.resize(static_cast<std::size_t>(rows * num_swapped));
      float* swapped = swapped_weights.data();
      for (Index i = 0; i < rows; ++i) {
        take_swapped_weights(settings, input.first_key, num_keys,
                             scratch + i * num_keys, swapped + i * num_swapped);
      }
      matmul(kernels, scratch, num_keys, kv.values, rows, head_output + offset,
             query_stride, false);
      for (Index i = 0; i < rows; ++i) {
        add_swapped_values(settings, swapped + i * num_swapped, input.head_dim,
                           head_output + offset + i * query_stride);
      }
    }
  }
  return empty_rows;
}

}  // namespace attnscope
