// The execution that people look at: vectorised, and every cell exists once, so
// that it can be recorded. Recording copies; whether a cell is kept changes no
// result. Memory is a block of rows, not the whole square.
#include <algorithm>
#include <limits>

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
  Index empty_rows = 0;

  for (Index head = 0; head < num_query_heads; ++head) {
    const HeadSettings& settings = input.heads[static_cast<std::size_t>(head)];
    const KeyValueView& kv = input.kv_head_of(head);
    const float factor = inverse_temperature(settings.temperature);

    for (Index first = 0; first < input.num_queries; first += kQueryBlock) {
      const Index rows = std::min(kQueryBlock, input.num_queries - first);
      const Index offset = first * query_stride + head * input.head_dim;
      const Index cell_block = (head * input.num_queries + first) * num_keys;
      const auto keep = [&](float* recorded) {
        if (recorded == nullptr) return;
        std::copy_n(scratch, rows * num_keys, recorded + cell_block);
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
        lower_by_distance(settings.mask, settings.distance_slope, query, 0,
                          num_keys, row);
        hide_masked(settings.mask, query, num_keys, 0, num_keys, row);
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
      }
      keep(cells.weights);

      // 4. Weigh.
      matmul(kernels, scratch, num_keys, kv.values, rows, head_output + offset,
             query_stride, false);
    }
  }
  return empty_rows;
}

}  // namespace attnscope
