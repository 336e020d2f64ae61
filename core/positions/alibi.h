// ALiBi (Press et al. 2022, "Train short, test long", section 3): no positions
// in the embedding; a score falls with the distance between query and key, by a
// slope that differs from head to head. Read next: ../attention/mask.h.
#ifndef ATTNSCOPE_CORE_POSITIONS_ALIBI_H_
#define ATTNSCOPE_CORE_POSITIONS_ALIBI_H_

#include "core/base/packed_matrix.h"

namespace attnscope {

// 2^(-8 (head + 1) / n) for n heads, n a power of 2; otherwise those of the
// next smaller power of 2, then every other one of the next larger.
float alibi_slope(Index head, Index num_heads);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_POSITIONS_ALIBI_H_
