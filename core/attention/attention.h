// Scaled dot-product attention over many heads (Vaswani et al. 2017, section
// 3.2): one mathematics, three executions. Read reference.cc first, it is the
// specification; then traced.cc and streaming.cc. Projections are not here:
// ../model/block.cc.
#ifndef ATTNSCOPE_CORE_ATTENTION_ATTENTION_H_
#define ATTNSCOPE_CORE_ATTENTION_ATTENTION_H_

#include <span>
#include <vector>

#include "core/attention/mask.h"
#include "core/base/packed_matrix.h"
#include "core/kernels/kernels.h"
#include "core/positions/relative.h"

namespace attnscope {

// Rows of queries that the vectorised executions take at a time: a multiple of
// the kernel's six rows, so that a block's scores stay in the first cache.
inline constexpr Index kQueryBlock = 48;
// Keys that the streaming execution takes at a time; a multiple of every
// panel width.
inline constexpr Index kKeyBlock = 128;

// How one query head attends.
struct HeadSettings {
  Mask mask;
  float scale = 1;        // of the scores
  float temperature = 1;  // divides the masked scores inside the softmax; >= 0

  // Softmax rows that are replaced: of the query at a place, weights[key], 0
  // past the end. Values that are replaced: of the key at a place,
  // value[head_dim]. The streaming execution, which holds no row, has neither.
  struct WeightsRow {
    Index query = 0;
    std::vector<float> weights;
  };
  struct SwappedValue {
    Index key = 0;
    std::vector<float> value;
  };
  std::vector<WeightsRow> weights_rows;
  std::vector<SwappedValue> swapped_values;

  bool needs_rows() const {
    return !weights_rows.empty() || !swapped_values.empty();
  }
};

// Keys and values of one kv head, as packed right operands (kv_cache.h).
struct KeyValueView {
  PackedView keys;    // [head_dim, num_keys]: the scores are query x keys
  PackedView values;  // [num_keys, head_dim]: the output is weights x values
};

struct AttentionInput {
  const float* query = nullptr;  // [num_queries, query_head, head_dim]
  Index num_queries = 0;
  Index num_keys = 0;
  // Place of the first of these keys in the text, a multiple of kKeyBlock: not
  // 0 where a cache has dropped keys that nobody sees any more.
  Index first_key = 0;
  Index head_dim = 0;
  // Place of the first query in the text, for the masks: in self-attention the
  // last query stands at the last key, in cross-attention this is 0 or later.
  Index first_query = 0;
  std::span<const HeadSettings> heads;     // [query_head]
  std::span<const KeyValueView> kv_heads;  // [kv_head], divides query_head
  PositionBias position_bias;              // added to the scaled scores

  // Places of the keys end before this one.
  Index end_key() const { return first_key + num_keys; }

  const KeyValueView& kv_head_of(Index query_head) const {
    const std::size_t group = heads.size() / kv_heads.size();
    return kv_heads[static_cast<std::size_t>(query_head) / group];
  }
};

// Where to leave what an execution computed on the way, each
// [query_head, num_queries, num_keys] with these strides, or null.
struct AttentionCells {
  float* scores = nullptr;         // query x key
  float* masked_scores = nullptr;  // scores * scale + position bias, -infinity
                                   // where masked
  float* weights = nullptr;        // softmax of masked_scores / temperature
  Index head_stride = 0;
  Index row_stride = 0;

  Index offset(Index head, Index query) const {
    return head * head_stride + query * row_stride;
  }
};

// Each execution writes head_output[num_queries, query_head, head_dim] and
// returns the number of rows (over all heads) in which nothing was allowed;
// those have zero weights and zero output.

// Scalar and slow; the specification and the oracle.
Index attend_reference(const AttentionInput& input, const AttentionCells& cells,
                       float* head_output);

// Vectorised, one row of cells a query. scratch[kQueryBlock, num_keys].
Index attend_traced(const Kernels& kernels, const AttentionInput& input,
                    const AttentionCells& cells, float* scratch,
                    float* head_output);

// Vectorised, never holds a row: running maximum and sum over blocks of keys
// (online softmax: Milakov and Gimelshein 2018; Dao et al. 2022). Memory does
// not grow with num_keys.
Index attend_streaming(const Kernels& kernels, const AttentionInput& input,
                       float* head_output);

// The factor inside exp for a temperature. Temperature 0 is the limit: a factor
// so large that every score below the maximum underflows to 0.
float inverse_temperature(float temperature);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_ATTENTION_ATTENTION_H_
