// Rotary positions (Su et al. 2021, "RoFormer", section 3.4.2): tables of
// cosines and sines for every position and pair of a head. Turning is a kernel
// (Kernels::rotate). Read next: ../attention/mask.h.
#ifndef ATTNSCOPE_CORE_POSITIONS_ROTARY_H_
#define ATTNSCOPE_CORE_POSITIONS_ROTARY_H_

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"

namespace attnscope {

// Tables [position, rotary_dim / 2]. The angle of pair i at position p is
// p * base^(-2i / rotary_dim), the frequency and the product rounded to float32
// as the reference implementations do; cosine and sine are computed in double
// and rounded once, so that they do not hang on a platform's float libm.
class RotaryTable {
 public:
  RotaryTable() = default;
  // rotary_dim even, num_positions >= 0. Errors: kOutOfMemory.
  static Result<RotaryTable> make(Index rotary_dim, float base,
                                  Index num_positions);

  Index half() const { return half_; }
  const float* cosine(Index position) const {
    return cosines_.data() + position * half_;
  }
  const float* sine(Index position) const {
    return sines_.data() + position * half_;
  }

 private:
  Index half_ = 0;
  FloatBuffer cosines_;  // [position, half]
  FloatBuffer sines_;    // [position, half]
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_POSITIONS_ROTARY_H_
