// Sinusoidal positions (Vaswani et al. 2017, section 3.5): the P of H = X + P.
// Read next: ../attention/mask.h.
#ifndef ATTNSCOPE_CORE_POSITIONS_SINUSOIDAL_H_
#define ATTNSCOPE_CORE_POSITIONS_SINUSOIDAL_H_

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"

namespace attnscope {

// P[position, model_dim] with P[p, 2i] = sin(p / 10000^(2i / model_dim)) and
// P[p, 2i + 1] = cos of the same; computed in double and rounded once.
// Errors: kOutOfMemory.
Result<FloatBuffer> sinusoidal_positions(Index num_positions, Index model_dim);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_POSITIONS_SINUSOIDAL_H_
