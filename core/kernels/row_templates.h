// The kernels on single rows, each written once over the vector type V: sums,
// softmax's exponentials, norms, activations, rotation. Contracts are in
// kernels.h. Read next: multiply_template.h.
//
// Whatever is called here must be a template over V or built into the compiler:
// a shared inline function (of the standard library, say) could be compiled
// with AVX instructions here and be chosen by the linker for everybody.
#ifndef ATTNSCOPE_CORE_KERNELS_ROW_TEMPLATES_H_
#define ATTNSCOPE_CORE_KERNELS_ROW_TEMPLATES_H_

#include <limits>

#include "core/kernels/row_step.h"

namespace attnscope {

template <class V>
struct RowKernels {
  using Step = RowStep<V>;

  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  static constexpr float kLowest = std::numeric_limits<float>::lowest();

  static float maximum(const float* x, Index n) {
    Step result = Step::broadcast(-kInfinity);
    for (Index i = 0; i < n; i += kSumLanes)
      result = Step::max(Step::load(x + i, n - i, -kInfinity), result);
    return result.reduce([](float a, float b) { return a > b ? a : b; });
  }

  static float exponentials(const float* x, float shift, float factor, float* y,
                            Index n) {
    const Step shifts = Step::broadcast(shift);
    const Step factors = Step::broadcast(factor);
    Step sum = Step::broadcast(0);
    for (Index i = 0; i < n; i += kSumLanes) {
      const Step step = Step::load(x + i, n - i, -kInfinity);
      const Step result = Step::exp((step - shifts) * factors);
      result.store(y + i, n - i);
      sum = sum + result;
    }
    return sum.sum();
  }

  static void scale(float factor, float* x, Index n) {
    const Step factors = Step::broadcast(factor);
    map(x, n, [&](const Step& step) { return step * factors; });
  }

  static void add(const float* x, float* y, Index n) {
    for (Index i = 0; i < n; i += kSumLanes)
      (Step::load(y + i, n - i, 0) + Step::load(x + i, n - i, 0))
          .store(y + i, n - i);
  }

  static void multiply_elements(const float* x, float* y, Index n) {
    for (Index i = 0; i < n; i += kSumLanes)
      (Step::load(y + i, n - i, 0) * Step::load(x + i, n - i, 0))
          .store(y + i, n - i);
  }

  static void layer_norm(const float* x, const float* gain, const float* bias,
                         float epsilon, float* y, Index n) {
    if (n == 0) return;
    const float count = static_cast<float>(n);
    Step sum = Step::broadcast(0);
    for (Index i = 0; i < n; i += kSumLanes)
      sum = sum + Step::load(x + i, n - i, 0);
    const float mean = sum.sum() / count;

    // From the differences: mean(x^2) - mean^2 would cancel.
    const Step means = Step::broadcast(mean);
    Step squares = Step::broadcast(0);
    for (Index i = 0; i < n; i += kSumLanes) {
      const Step centred = Step::load(x + i, n - i, mean) - means;
      squares = Step::mul_add(centred, centred, squares);
    }
    const Step deviation =
        Step::sqrt(Step::broadcast(squares.sum() / count + epsilon));
    const Step inverse = Step::broadcast(1) / deviation;

    for (Index i = 0; i < n; i += kSumLanes) {
      Step result = (Step::load(x + i, n - i, 0) - means) * inverse *
                    Step::load(gain + i, n - i, 0);
      if (bias != nullptr) result = result + Step::load(bias + i, n - i, 0);
      result.store(y + i, n - i);
    }
  }

  static void rms_norm(const float* x, const float* gain, float epsilon,
                       float* y, Index n) {
    if (n == 0) return;
    const float mean = sum_of_squares(x, n) / static_cast<float>(n);
    const Step inverse =
        Step::broadcast(1) / Step::sqrt(Step::broadcast(mean + epsilon));
    for (Index i = 0; i < n; i += kSumLanes)
      (Step::load(x + i, n - i, 0) * inverse * Step::load(gain + i, n - i, 0))
          .store(y + i, n - i);
  }

  static void gelu_erf(float* x, Index n) {
    const Step half = Step::broadcast(0.5f);
    const Step one = Step::broadcast(1);
    const Step inverse_sqrt_2 = Step::broadcast(0.70710678118654752f);
    map(x, n, [&](const Step& step) {
      const Step bounded = no_minus_infinity(step);
      return half * bounded * (one + Step::erf(bounded * inverse_sqrt_2));
    });
  }

  static void gelu_tanh(float* x, Index n) {
    const Step half = Step::broadcast(0.5f);
    const Step one = Step::broadcast(1);
    const Step sqrt_2_over_pi = Step::broadcast(0.79788456080286536f);
    const Step cubic = Step::broadcast(0.044715f);
    map(x, n, [&](const Step& step) {
      const Step bounded = no_minus_infinity(step);
      // x^3 may overflow to an infinity of the right sign.
      const Step cube = bounded * bounded * bounded;
      const Step inner = sqrt_2_over_pi * (bounded + cubic * cube);
      return half * bounded * (one + Step::tanh(inner));
    });
  }

  static void silu(float* x, Index n) {
    const Step zero = Step::broadcast(0);
    const Step one = Step::broadcast(1);
    map(x, n, [&](const Step& step) {
      const Step bounded = no_minus_infinity(step);
      return bounded / (one + Step::exp(zero - bounded));
    });
  }

  // Without mul_add, so that every table gives the same bits.
  static void rotate(const float* cosine, const float* sine, float* x,
                     Index half) {
    for (Index i = 0; i < half; i += kSumLanes) {
      const Index remaining = half - i;
      const Step cosines = Step::load(cosine + i, remaining, 0);
      const Step sines = Step::load(sine + i, remaining, 0);
      const Step first = Step::load(x + i, remaining, 0);
      const Step second = Step::load(x + half + i, remaining, 0);
      (first * cosines - second * sines).store(x + i, remaining);
      (second * cosines + first * sines).store(x + half + i, remaining);
    }
  }

 private:
  // In the order of PyTorch, which computes the references: its rounding scales
  // a whole row, so later products do not average it out, and steep scores (T5
  // does not scale its own) multiply it. Four vectors of eight partial sums,
  // those of each 512 elements joined; what is left over goes to the first
  // vector, and single elements come before all. Without mul_add, so that every
  // table gives the same bits.
  static float sum_of_squares(const float* x, Index n) {
    constexpr Index kWidth = 8;
    constexpr Index kStride = 2 * kSumLanes;
    constexpr Index kBlock = 512;
    const Step zero = Step::broadcast(0);
    Step first = zero, second = zero;
    Step first_blocks = zero, second_blocks = zero;
    Index i = 0;
    for (; i + kStride <= n; i += kStride) {
      first = first + square(x + i);
      second = second + square(x + i + kSumLanes);
      if ((i + kStride) % kBlock != 0) continue;
      first_blocks = first_blocks + first;
      second_blocks = second_blocks + second;
      first = second = zero;
    }
    alignas(kAlignment) float partial[kStride];
    (first + first_blocks).store(partial, kSumLanes);
    (second + second_blocks).store(partial + kSumLanes, kSumLanes);

    for (; i + kWidth <= n; i += kWidth)
      for (Index lane = 0; lane < kWidth; ++lane)
        partial[lane] += x[i + lane] * x[i + lane];
    float sum = 0;
    for (; i < n; ++i) sum += x[i] * x[i];
    for (Index lane = 0; lane < kWidth; ++lane) {
      float joined = partial[lane];
      for (Index other = lane + kWidth; other < kStride; other += kWidth)
        joined += partial[other];
      sum += joined;
    }
    return sum;
  }
  static Step square(const float* x) {
    const Step step = Step::load(x, kSumLanes, 0);
    return step * step;
  }

  // x[i] = function(x[i])
  template <class Function>
  static void map(float* x, Index n, Function function) {
    for (Index i = 0; i < n; i += kSumLanes)
      function(Step::load(x + i, n - i, 0)).store(x + i, n - i);
  }

  // The lowest float for -infinity, which would give -infinity * 0 = NaN where
  // an activation has the limit 0. NaN stays: max gives its second argument.
  static Step no_minus_infinity(const Step& x) {
    return Step::max(Step::broadcast(kLowest), x);
  }
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_ROW_TEMPLATES_H_
