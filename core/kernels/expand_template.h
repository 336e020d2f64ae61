// The kernels that expand stretches of a stored matrix to float32. They are
// plain loops without branches, which compilers turn into vector code for the
// instruction set of the file that instantiates them; V makes each one's own
// (row_templates.h says why). Specified by ../base/storage.h. Read next:
// multiply_template.h.
#ifndef ATTNSCOPE_CORE_KERNELS_EXPAND_TEMPLATE_H_
#define ATTNSCOPE_CORE_KERNELS_EXPAND_TEMPLATE_H_

#include <cstdint>

#include "core/kernels/multiply_template.h"

namespace attnscope {

template <class V>
struct ExpandKernels {
  static void bfloat16(const std::uint16_t* __restrict x, float* __restrict y,
                       Index n) {
    for (Index i = 0; i < n; ++i)
      y[i] = __builtin_bit_cast(float, std::uint32_t{x[i]} << 16);
  }

  static void float16(const std::uint16_t* __restrict x, float* __restrict y,
                      Index n) {
    for (Index i = 0; i < n; ++i) y[i] = from_half(x[i]);
  }

  static void int8(const std::int8_t* __restrict x,
                   const float* __restrict scales, float* __restrict y,
                   Index depth) {
    constexpr Index kWidth = MultiplyKernel<V>::kPanelWidth;
    for (Index k = 0; k < depth; ++k)
      for (Index c = 0; c < kWidth; ++c)
        y[k * kWidth + c] = static_cast<float>(x[k * kWidth + c]) * scales[c];
  }

 private:
  // Exponent and fraction move to float32's places. With 224 added the exponent
  // ends where float32's does, so that infinity and NaN stay; a product takes
  // off what is too much, 224 - (127 - 15) = 112. Subnormals have no exponent:
  // as the fraction of 1/2 they count units of 2^-24, and the 1/2 is taken off.
  static float from_half(std::uint32_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16;
    const std::uint32_t magnitude = bits & 0x7FFFu;
    const float normal =
        __builtin_bit_cast(float, (magnitude << 13) + (224u << 23)) * 0x1p-112f;
    const float subnormal =
        __builtin_bit_cast(float, magnitude | (126u << 23)) - 0.5f;
    // All ones to take the subnormal: a choice that no compiler makes a branch.
    const std::uint32_t mask = magnitude < 0x400u ? ~0u : 0u;
    return __builtin_bit_cast(
        float, sign | (__builtin_bit_cast(std::uint32_t, subnormal) & mask) |
                   (__builtin_bit_cast(std::uint32_t, normal) & ~mask));
  }
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_EXPAND_TEMPLATE_H_
