// What the vectorised executions share: masking a stretch of a row of scores,
// and the query blocks' key ranges. Private to this folder.
#ifndef ATTNSCOPE_CORE_ATTENTION_MASKING_H_
#define ATTNSCOPE_CORE_ATTENTION_MASKING_H_

#include "core/attention/mask.h"

namespace attnscope {

// row[j] -= slope * distance, j = 0..count, the distance being the query's
// position less that of key first_key + j.
void lower_by_distance(const Mask& mask, float slope, Index query,
                       Index first_key, Index count, float* row);

// Sets row[j] to -infinity for every key first_key + j that the query at this
// place may not see, j = 0..count.
void hide_masked(const Mask& mask, Index query, Index num_keys, Index first_key,
                 Index count, float* row);

// The smallest range that holds the hulls of the queries first..first + count.
KeyRange joint_hull(const Mask& mask, Index first_query, Index count,
                    Index num_keys);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_ATTENTION_MASKING_H_
