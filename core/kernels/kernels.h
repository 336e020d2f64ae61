// The table of kernels: every loop over numbers that is worth vectorising, as
// function pointers, one table per instruction set. Callers never know which
// one runs. Contracts are here; templates in kernel_templates.h; the plain
// loops that specify them are the `scalar` table. Read next: matmul.h.
//
// All arrays are float32 and may start at any address; n, rows, columns and
// depth may be 0. Errors stated are the largest that the tests measured. Sums
// run in a fixed order: a product's element is summed over k = 0, 1, 2, ... one
// term after the other; a row's sum is kept in kSumLanes partial sums (element
// i belongs to partial sum i % kSumLanes), joined as a tree. So the result does
// not depend on how a caller cuts the work, trailing zeros do not change it,
// and tables without fused multiply-add agree bit for bit whatever their vector
// width (transcendental functions: for equal libraries).
#ifndef ATTNSCOPE_CORE_KERNELS_KERNELS_H_
#define ATTNSCOPE_CORE_KERNELS_KERNELS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/packed_matrix.h"

namespace attnscope {

inline constexpr Index kSumLanes = 16;

struct Kernels {
  const char* name;               // "scalar", "sse4_2", "avx2", "simd128", ...
  const char* required_features;  // for people: "SSE4.2", "AVX2 and FMA"
  bool fused_multiply_add;        // products round once instead of twice
  Index lanes;                    // floats in a vector
  Index panel_width;              // columns in a panel of a packed matrix

  // output[rows, columns] = left[rows, depth] x right[depth, columns], added to
  // what output holds if `accumulate`. right is packed (packed_matrix.h).
  // Strides are in floats, between rows.
  void (*multiply)(const float* left, Index left_stride, const float* right,
                   Index right_panel_stride, Index rows, Index depth,
                   Index columns, float* output, Index output_stride,
                   bool accumulate);

  // y = x as float32, exact (../base/storage.h), for stretches of a matrix that
  // is stored in another kind. A NaN stays a NaN.
  void (*expand_bfloat16)(const std::uint16_t* x, float* y, Index n);
  void (*expand_float16)(const std::uint16_t* x, float* y, Index n);
  // y[k, c] = x[k, c] * scales[c], of depth rows of a panel, rounded once.
  void (*expand_int8)(const std::int8_t* x, const float* scales, float* y,
                      Index depth);

  // max(x[0..n)), -infinity for n = 0. NaN elements are passed over.
  float (*maximum)(const float* x, Index n);
  // y[i] = exp((x[i] - shift) * factor), returns the sum of y. x and y may be
  // the same array. shift is finite, factor positive and finite. -infinity
  // gives exactly 0, NaN stays NaN. Accurate to 1.52 ULP for exponents in
  // [-87.3, 88.3]; below, what would be denormal may be 0, above, infinity.
  float (*exponentials)(const float* x, float shift, float factor, float* y,
                        Index n);
  // x[i] *= factor
  void (*scale)(float factor, float* x, Index n);
  // y[i] += x[i]
  void (*add)(const float* x, float* y, Index n);
  // y[i] *= x[i]
  void (*multiply_elements)(const float* x, float* y, Index n);

  // y = (x - mean(x)) / sqrt(variance(x) + epsilon) * gain + bias, the variance
  // over n (Ba et al. 2016, "Layer Normalization"). bias may be null. x and y
  // may be the same array. Error, bias apart: at most 4 * 2^-23 * |gain| *
  // (|x - mean| + |mean|) / deviation.
  void (*layer_norm)(const float* x, const float* gain, const float* bias,
                     float epsilon, float* y, Index n);
  // y = x / sqrt(mean(x^2) + epsilon) * gain (Zhang and Sennrich 2019),
  // accurate to 2.7 ULP. x and y may be the same array. Every table gives the
  // same bits, those of PyTorch for 8 <= n < 8192: the squares are summed in
  // its order (row_templates.h), an exception to the above.
  void (*rms_norm)(const float* x, const float* gain, float epsilon, float* y,
                   Index n);

  // In place. x * Phi(x) by erf (Hendrycks and Gimpel 2016); its tanh
  // approximation; x * sigmoid(x). Error at most 1.1 * 2^-23 * |x| over all
  // floats; -infinity gives its limit 0, NaN stays NaN.
  void (*gelu_erf)(float* x, Index n);
  void (*gelu_tanh)(float* x, Index n);
  void (*silu)(float* x, Index n);

  // Rotary positions (Su et al. 2021) in the half-split layout of GPT-NeoX and
  // Llama: pairs (x[i], x[half + i]) turn by the angle whose cosine and sine
  // are given, 0 <= i < half. Every table gives the same bits.
  void (*rotate)(const float* cosine, const float* sine, float* x, Index half);
};

// The tables compiled in that this machine can run, slowest first; never empty.
std::span<const Kernels* const> available_kernels();
// The table of that name if it can run here, else null.
const Kernels* find_kernels(std::string_view name);
// The fastest that can run here.
const Kernels& best_kernels();

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_KERNELS_H_
