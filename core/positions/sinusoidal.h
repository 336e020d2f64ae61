// Sinusoidal positions (Vaswani et al. 2017, section 3.5): the P of H = X + P.
// Read next: ../attention/mask.h.
#ifndef ATTNSCOPE_CORE_POSITIONS_SINUSOIDAL_H_
#define ATTNSCOPE_CORE_POSITIONS_SINUSOIDAL_H_

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"

namespace attnscope {

// Where sines and cosines stand, and how wavelengths grow.
enum class SinusoidalLayout {
  // P[p, 2i] = sin(p / 10000^(2i / model_dim)), P[p, 2i + 1] its cosine: the
  // paper's.
  kInterleaved,
  // The same numbers, all sines before all cosines: Marian's.
  kHalves,
  // Sines before cosines, wavelengths 10000^(i / (model_dim / 2 - 1)):
  // tensor2tensor's, and M2M100's.
  kTensor2Tensor,
};

// P[position, model_dim]; computed in double and rounded once (angles of
// kTensor2Tensor in float32, as the reference implementations do).
// Errors: kOutOfMemory.
Result<FloatBuffer> sinusoidal_positions(SinusoidalLayout layout,
                                         Index num_positions, Index model_dim);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_POSITIONS_SINUSOIDAL_H_
