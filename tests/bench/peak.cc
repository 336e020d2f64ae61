// See peak.h. Functions here carry the instruction set as an attribute, so this
// file needs no compiler flags of its own.
#include "tests/bench/peak.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace attnscope {
namespace {

// Twelve sums hide the latency of a multiplication and an addition; they and
// the two constants fit in 16 registers. Every sum tends to 1, never to
// infinity or a denormal.
constexpr int kSums = 12;
constexpr float kFactor = 0.75f;
constexpr float kTerm = 0.25f;

// A macro, since a template cannot carry the target attribute.
#define ATTNSCOPE_PEAK(NAME, TARGET, VECTOR, BROADCAST, MULTIPLY_ADD) \
  TARGET float NAME(Index iterations) {                               \
    const VECTOR factor = BROADCAST(kFactor);                         \
    const VECTOR term = BROADCAST(kTerm);                             \
    VECTOR sums[kSums];                                               \
    for (int s = 0; s < kSums; ++s)                                   \
      sums[s] = BROADCAST(static_cast<float>(s));                     \
    for (Index i = 0; i < iterations; ++i)                            \
      for (int s = 0; s < kSums; ++s)                                 \
        sums[s] = MULTIPLY_ADD(sums[s], factor, term);                \
    alignas(64) float lanes[kSums * sizeof(VECTOR) / sizeof(float)];  \
    __builtin_memcpy(lanes, sums, sizeof(lanes));                     \
    float total = 0;                                                  \
    for (float lane : lanes) total += lane;                           \
    return total;                                                     \
  }

#define ATTNSCOPE_SCALAR(x) (x)
#define ATTNSCOPE_TWO_STEPS(a, b, c) ((a) * (b) + (c))

[[maybe_unused]] ATTNSCOPE_PEAK(scalar_peak, , float, ATTNSCOPE_SCALAR,
                                ATTNSCOPE_TWO_STEPS)

#if defined(__x86_64__)
#define ATTNSCOPE_SSE(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
    ATTNSCOPE_PEAK(sse_peak, , __m128, _mm_set1_ps, ATTNSCOPE_SSE)
        ATTNSCOPE_PEAK(avx2_peak, __attribute__((target("avx2,fma"))), __m256,
                       _mm256_set1_ps, _mm256_fmadd_ps)
            ATTNSCOPE_PEAK(avx512_peak, __attribute__((target("avx512f"))),
                           __m512, _mm512_set1_ps, _mm512_fmadd_ps)
#elif defined(__wasm_relaxed_simd__)
    ATTNSCOPE_PEAK(relaxed_peak, , v128_t, wasm_f32x4_splat,
                   wasm_f32x4_relaxed_madd)
#elif defined(__wasm_simd128__)
#define ATTNSCOPE_SIMD128(a, b, c) wasm_f32x4_add(wasm_f32x4_mul(a, b), c)
    ATTNSCOPE_PEAK(simd128_peak, , v128_t, wasm_f32x4_splat, ATTNSCOPE_SIMD128)
#elif defined(__aarch64__)
#define ATTNSCOPE_NEON(a, b, c) vfmaq_f32(c, a, b)
    ATTNSCOPE_PEAK(neon_peak, , float32x4_t, vdupq_n_f32, ATTNSCOPE_NEON)
#endif

}  // namespace

PeakLoop peak_loop([[maybe_unused]] std::string_view kernels_name) {
#if defined(__x86_64__)
  if (kernels_name == "avx512") return {avx512_peak, 2.0 * kSums * 16};
  if (kernels_name == "avx2") return {avx2_peak, 2.0 * kSums * 8};
  // The compiler may vectorise the scalar table too: it shares this peak.
  return {sse_peak, 2.0 * kSums * 4};
#elif defined(__wasm_relaxed_simd__)
  return {relaxed_peak, 2.0 * kSums * 4};
#elif defined(__wasm_simd128__)
  return {simd128_peak, 2.0 * kSums * 4};
#elif defined(__aarch64__)
  return {neon_peak, 2.0 * kSums * 4};
#else
  return {scalar_peak, 2.0 * kSums};
#endif
}

}  // namespace attnscope
