// A vector of floats of one instruction set, on top of xsimd: the only header
// that includes it, since xsimd's WebAssembly part does not compile without
// -msimd128. The same interface with one lane is vector_scalar.h; the kernels
// written on both are in kernel_templates.h.
#ifndef ATTNSCOPE_CORE_KERNELS_VECTOR_XSIMD_H_
#define ATTNSCOPE_CORE_KERNELS_VECTOR_XSIMD_H_

#include "core/base/packed_matrix.h"
#include "xsimd/xsimd.hpp"

namespace attnscope {

// Everything is a member or friend of a type that names the arch, so that the
// linker cannot put code compiled for one CPU where another one calls it.
template <class Arch>
class XsimdVector {
 public:
  using Batch = xsimd::batch<float, Arch>;

  static constexpr Index kLanes = static_cast<Index>(Batch::size);
  // A product's tile is 6 rows x 2 vectors: 12 sums, 2 vectors of the right
  // operand and 1 of the left fill the 16 registers of SSE, AVX2 and V8.
  static constexpr Index kTileRows = 6;
  static constexpr Index kPanelVectors = 2;

  XsimdVector() = default;
  XsimdVector(Batch batch) : batch_(batch) {}

  static XsimdVector load(const float* x) { return Batch::load_unaligned(x); }
  static XsimdVector broadcast(float x) { return Batch(x); }
  void store(float* x) const { batch_.store_unaligned(x); }

  friend XsimdVector operator+(XsimdVector a, XsimdVector b) {
    return a.batch_ + b.batch_;
  }
  friend XsimdVector operator-(XsimdVector a, XsimdVector b) {
    return a.batch_ - b.batch_;
  }
  friend XsimdVector operator*(XsimdVector a, XsimdVector b) {
    return a.batch_ * b.batch_;
  }
  friend XsimdVector operator/(XsimdVector a, XsimdVector b) {
#ifdef __aarch64__
    // xsimd 13.2 refines an estimate, off by more than a rounding.
    return Batch(vdivq_f32(a.batch_, b.batch_));
#else
    return a.batch_ / b.batch_;
#endif
  }

  // a * b + c, with one rounding where the CPU has the instruction.
  static XsimdVector mul_add(XsimdVector a, XsimdVector b, XsimdVector c) {
#ifdef __wasm_relaxed_simd__
    // xsimd 13.2 multiplies and adds here.
    return Batch(wasm_f32x4_relaxed_madd(a.batch_, b.batch_, c.batch_));
#else
    return xsimd::fma(a.batch_, b.batch_, c.batch_);
#endif
  }

  // a > b ? a : b, hence b if either is NaN; the instructions of the
  // different CPUs disagree on that.
  static XsimdVector max(XsimdVector a, XsimdVector b) {
    return xsimd::select(a.batch_ > b.batch_, a.batch_, b.batch_);
  }

  static XsimdVector sqrt(XsimdVector x) {
#ifdef __aarch64__
    return Batch(vsqrtq_f32(x.batch_));  // as for division
#else
    return xsimd::sqrt(x.batch_);
#endif
  }
  static XsimdVector exp(XsimdVector x) { return xsimd::exp(x.batch_); }
  static XsimdVector tanh(XsimdVector x) { return xsimd::tanh(x.batch_); }
  static XsimdVector erf(XsimdVector x) { return xsimd::erf(x.batch_); }

 private:
  Batch batch_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_VECTOR_XSIMD_H_
