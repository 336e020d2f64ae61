// The interface of vector_xsimd.h with one lane and the C library's functions:
// the specification of the vector kernels, and what runs where there is no
// vector unit. Read next: kernel_templates.h.
#ifndef ATTNSCOPE_CORE_KERNELS_VECTOR_SCALAR_H_
#define ATTNSCOPE_CORE_KERNELS_VECTOR_SCALAR_H_

#include <cmath>

#include "core/base/packed_matrix.h"

namespace attnscope {

class ScalarVector {
 public:
  static constexpr Index kLanes = 1;
  // Eight independent sums hide the latency of an addition and leave registers
  // free; a second row would spill them.
  static constexpr Index kTileRows = 1;
  static constexpr Index kPanelVectors = 8;

  ScalarVector() = default;
  ScalarVector(float value) : value_(value) {}

  static ScalarVector load(const float* x) { return *x; }
  static ScalarVector broadcast(float x) { return x; }
  void store(float* x) const { *x = value_; }

  friend ScalarVector operator+(ScalarVector a, ScalarVector b) {
    return a.value_ + b.value_;
  }
  friend ScalarVector operator-(ScalarVector a, ScalarVector b) {
    return a.value_ - b.value_;
  }
  friend ScalarVector operator*(ScalarVector a, ScalarVector b) {
    return a.value_ * b.value_;
  }
  friend ScalarVector operator/(ScalarVector a, ScalarVector b) {
    return a.value_ / b.value_;
  }

  static ScalarVector mul_add(ScalarVector a, ScalarVector b, ScalarVector c) {
    return a * b + c;
  }
  static ScalarVector max(ScalarVector a, ScalarVector b) {
    return a.value_ > b.value_ ? a : b;
  }

  static ScalarVector sqrt(ScalarVector x) { return std::sqrt(x.value_); }
  static ScalarVector exp(ScalarVector x) { return std::exp(x.value_); }
  static ScalarVector tanh(ScalarVector x) { return std::tanh(x.value_); }
  static ScalarVector erf(ScalarVector x) { return std::erf(x.value_); }

 private:
  float value_ = 0;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_VECTOR_SCALAR_H_
