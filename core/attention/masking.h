// What the executions share: positions and masks on a stretch of a row of
// scores, the query blocks' key ranges, and what a person put in the place of
// weights and values. Private to this folder.
#ifndef ATTNSCOPE_CORE_ATTENTION_MASKING_H_
#define ATTNSCOPE_CORE_ATTENTION_MASKING_H_

#include "core/attention/attention.h"

namespace attnscope {

// row[j] += what the bias has for this head and the difference of positions,
// key first_key + j less query, j = 0..count.
void add_position_bias(const Mask& mask, const PositionBias& bias, Index head,
                       Index query, Index first_key, Index count, float* row);

// Sets row[j] to -infinity for every key first_key + j that the query at this
// place may not see, j = 0..count.
void hide_masked(const Mask& mask, Index query, Index num_keys, Index first_key,
                 Index count, float* row);

// The smallest range that holds the hulls of the queries first..first + count.
KeyRange joint_hull(const Mask& mask, Index first_query, Index count,
                    Index num_keys);

// Puts the replaced softmax row of the query at this place, if there is one,
// into row[num_keys], whose first key is first_key.
void replace_weights(const HeadSettings& settings, Index query, Index first_key,
                     Index num_keys, float* row);

// The replaced values' part of the output. take_swapped_weights moves their
// weights out of row[num_keys] into taken[swapped value], leaving zeros for the
// product with the cached values; add_swapped_values then adds taken x values
// to output[head_dim].
void take_swapped_weights(const HeadSettings& settings, Index first_key,
                          Index num_keys, float* row, float* taken);
void add_swapped_values(const HeadSettings& settings, const float* taken,
                        Index head_dim, float* output);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_ATTENTION_MASKING_H_
