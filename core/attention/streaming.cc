// The fast execution: keys in blocks, a running maximum and sum for each row
// (online softmax), so that nothing of the size of a row is ever held. When a
// block raises the maximum, what was added before is scaled down to it. Blocks
// start at multiples of kKeyBlock whatever the number of queries, so a cached
// decode step and a full pass give the same bits.
#include <algorithm>
#include <limits>

#include "core/attention/attention.h"
#include "core/attention/masking.h"

namespace attnscope {

namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

// The columns first..first + count of packed keys, first a multiple of the
// panel width.
const float* key_block(const PackedView& keys, Index first) {
  return keys.data + first / keys.panel_width * keys.panel_stride;
}

// The rows from first on of packed values.
const float* value_block(const PackedView& values, Index first) {
  return values.data + first * values.panel_width;
}

}  // namespace

Index attend_streaming(const Kernels& kernels, const AttentionInput& input,
                       float* head_output) {
  alignas(kAlignment) float block[kQueryBlock * kKeyBlock];
  float maximum[kQueryBlock];
  float sum[kQueryBlock];

  const auto num_query_heads = static_cast<Index>(input.heads.size());
  const Index stride = num_query_heads * input.head_dim;
  Index empty_rows = 0;

  for (Index head = 0; head < num_query_heads; ++head) {
    const HeadSettings& settings = input.heads[static_cast<std::size_t>(head)];
    const KeyValueView& kv = input.kv_head_of(head);
    const float factor = inverse_temperature(settings.temperature);

    for (Index first = 0; first < input.num_queries; first += kQueryBlock) {
      const Index rows = std::min(kQueryBlock, input.num_queries - first);
      const Index offset = first * stride + head * input.head_dim;
      const float* query = input.query + offset;
      float* output = head_output + offset;
      for (Index i = 0; i < rows; ++i) {
        maximum[i] = kNothing;
        sum[i] = 0;
        std::fill_n(output + i * stride, input.head_dim, 0.0f);
      }

      const KeyRange keys = joint_hull(settings.mask, input.first_query + first,
                                       rows, input.end_key());
      const Index first_block = keys.begin / kKeyBlock * kKeyBlock;
      for (Index key = std::max(first_block, input.first_key); key < keys.end;
           key += kKeyBlock) {
        const Index columns = std::min(kKeyBlock, keys.end - key);
        kernels.multiply(query, stride,
                         key_block(kv.keys, key - input.first_key),
                         kv.keys.panel_stride, rows, input.head_dim, columns,
                         block, kKeyBlock, false);

        for (Index i = 0; i < rows; ++i) {
          float* row = block + i * kKeyBlock;
          const Index place = input.first_query + first + i;
          kernels.scale(settings.scale, row, columns);
          add_position_bias(settings.mask, input.position_bias, head, place,
                            key, columns, row);
          hide_masked(settings.mask, place, input.end_key(), key, columns, row);
          const float raised =
              std::max(maximum[i], kernels.maximum(row, columns));
          if (raised != maximum[i] && sum[i] != 0) {
            float correction = 0;
            kernels.exponentials(&maximum[i], raised, factor, &correction, 1);
            sum[i] *= correction;
            kernels.scale(correction, output + i * stride, input.head_dim);
          }
          maximum[i] = raised;
          const float shift = raised == kNothing ? 0 : raised;
          sum[i] += kernels.exponentials(row, shift, factor, row, columns);
        }
        kernels.multiply(block, kKeyBlock,
                         value_block(kv.values, key - input.first_key),
                         kv.values.panel_stride, rows, columns, input.head_dim,
                         output, stride, true);
      }

      for (Index i = 0; i < rows; ++i) {
        if (sum[i] == 0) {
          ++empty_rows;
        } else {
          kernels.scale(1 / sum[i], output + i * stride, input.head_dim);
        }
      }
    }
  }
  return empty_rows;
}

}  // namespace attnscope
