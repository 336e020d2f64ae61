// Rotary positions (Su et al. 2021, "RoFormer", section 3.4.2): tables of
// cosines and sines for every position and pair of a head. Turning is a kernel
// (Kernels::rotate). Read next: ../attention/mask.h.
#ifndef ATTNSCOPE_CORE_POSITIONS_ROTARY_H_
#define ATTNSCOPE_CORE_POSITIONS_ROTARY_H_

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"

namespace attnscope {

// How a model made for short texts was stretched to longer ones.
enum class RotaryScaling {
  kNone,
  kLinear,  // every frequency divided by the factor (Chen et al. 2023)
  kLlama3,  // only low frequencies, with a ramp between (Llama 3.1)
  kYarn,    // by wavelength, and the scores sharpened (Peng et al. 2023)
};

struct RotarySettings {
  // Leading dimensions of a head that turn. They turn in pairs: of an odd
  // number one more does, in the frequencies of the odd number.
  Index dim = 0;
  float base = 10000;

  RotaryScaling scaling = RotaryScaling::kNone;
  double factor = 1;                 // all but kNone
  double original_context = 0;       // kLlama3, kYarn
  double low_frequency_factor = 1;   // kLlama3
  double high_frequency_factor = 4;  // kLlama3
  double beta_fast = 32;             // kYarn
  double beta_slow = 1;              // kYarn
  bool truncate = true;              // kYarn: whole pairs as bounds of the ramp
  double attention_factor = 1;       // kYarn: multiplies cosines and sines
};

// Tables [position, pair]. The angle of pair i at position p is
// p * base^(-2i / dim), its frequency scaled as the settings say; frequency and
// product are rounded to float32 as the reference implementations do; cosine
// and sine are computed in double and rounded once, so that they do not hang on
// a platform's float libm.
class RotaryTable {
 public:
  RotaryTable() = default;
  // num_positions >= 0. Errors: kOutOfMemory.
  static Result<RotaryTable> make(const RotarySettings& settings,
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
