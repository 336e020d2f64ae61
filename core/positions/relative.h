// Positions as a bias of the scores by the distance between query and key: one
// table for the slopes of ALiBi and for the learned buckets of T5. Read next:
// ../attention/attention.h.
#ifndef ATTNSCOPE_CORE_POSITIONS_RELATIVE_H_
#define ATTNSCOPE_CORE_POSITIONS_RELATIVE_H_

#include "core/base/buffer.h"

namespace attnscope {

// How T5 groups distances (Raffel et al. 2020, section 2.1): near ones have a
// bucket each, farther ones share, and all from max_distance on have one.
struct RelativeBuckets {
  Index num_buckets = 0;
  Index max_distance = 0;
  // Half of the buckets are for keys after the query. Without, those share the
  // bucket of distance 0.
  bool both_ways = false;

  // In [0, num_buckets); difference = key position - query position.
  Index bucket(Index difference) const;
};

// table[head, 2 * reach - 1]: what is added to the scores of a head for every
// difference (key position - query position) of less than reach.
struct PositionBias {
  const float* table = nullptr;  // null where positions are told otherwise
  Index reach = 0;
  // Padding counts as a position, as in T5; in ALiBi it does not.
  bool counts_padding = false;

  // Of one head, to be read at a difference; null without a table.
  const float* of(Index head) const {
    return table == nullptr ? nullptr
                            : table + head * (2 * reach - 1) + reach - 1;
  }
};

// The table for ALiBi (alibi.h). Errors: kOutOfMemory.
Result<FloatBuffer> alibi_bias(Index num_heads, Index reach);

// The table for learned[bucket, head]. Errors: kOutOfMemory.
Result<FloatBuffer> bucket_bias(const RelativeBuckets& buckets,
                                const FloatBuffer& learned, Index num_heads,
                                Index reach);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_POSITIONS_RELATIVE_H_
