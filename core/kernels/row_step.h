// Sixteen consecutive elements of a row, whatever the vector width: the unit in
// which the row kernels read, compute, sum and write. It fixes the order of
// sums and handles a row's remainder in one place. Read next: row_templates.h.
#ifndef ATTNSCOPE_CORE_KERNELS_ROW_STEP_H_
#define ATTNSCOPE_CORE_KERNELS_ROW_STEP_H_

#include "core/kernels/kernels.h"

namespace attnscope {

// V is XsimdVector or ScalarVector. Operators act element by element.
template <class V>
class RowStep {
 public:
  static constexpr int kVectors = static_cast<int>(kSumLanes / V::kLanes);

  static RowStep broadcast(float x) {
    return each([x](int) { return V::broadcast(x); });
  }

  // x[0..16) if the row has that many elements left, else its `remaining` ones
  // and then `padding`.
  static RowStep load(const float* x, Index remaining, float padding) {
    if (remaining >= kSumLanes) return load_full(x);
    alignas(kAlignment) float padded[kSumLanes];
    for (Index i = 0; i < kSumLanes; ++i)
      padded[i] = i < remaining ? x[i] : padding;
    return load_full(padded);
  }

  void store(float* x, Index remaining) const {
    if (remaining >= kSumLanes) return store_full(x);
    alignas(kAlignment) float padded[kSumLanes];
    store_full(padded);
    for (Index i = 0; i < remaining; ++i) x[i] = padded[i];
  }

  friend RowStep operator+(const RowStep& a, const RowStep& b) {
    return each([&](int v) { return a.vectors_[v] + b.vectors_[v]; });
  }
  friend RowStep operator-(const RowStep& a, const RowStep& b) {
    return each([&](int v) { return a.vectors_[v] - b.vectors_[v]; });
  }
  friend RowStep operator*(const RowStep& a, const RowStep& b) {
    return each([&](int v) { return a.vectors_[v] * b.vectors_[v]; });
  }
  friend RowStep operator/(const RowStep& a, const RowStep& b) {
    return each([&](int v) { return a.vectors_[v] / b.vectors_[v]; });
  }
  static RowStep mul_add(const RowStep& a, const RowStep& b, const RowStep& c) {
    return each([&](int v) {
      return V::mul_add(a.vectors_[v], b.vectors_[v], c.vectors_[v]);
    });
  }
  static RowStep max(const RowStep& a, const RowStep& b) {
    return each([&](int v) { return V::max(a.vectors_[v], b.vectors_[v]); });
  }
  static RowStep sqrt(const RowStep& x) {
    return each([&](int v) { return V::sqrt(x.vectors_[v]); });
  }
  static RowStep exp(const RowStep& x) {
    return each([&](int v) { return V::exp(x.vectors_[v]); });
  }
  static RowStep tanh(const RowStep& x) {
    return each([&](int v) { return V::tanh(x.vectors_[v]); });
  }
  static RowStep erf(const RowStep& x) {
    return each([&](int v) { return V::erf(x.vectors_[v]); });
  }

  // The sixteen elements joined as a tree, halves first: i with i + 8, then
  // i + 4, i + 2, i + 1. `join` is called on single elements.
  template <class Join>
  float reduce(Join join) const {
    alignas(kAlignment) float partial[kSumLanes];
    store_full(partial);
    for (Index half = kSumLanes / 2; half > 0; half /= 2)
      for (Index i = 0; i < half; ++i)
        partial[i] = join(partial[i], partial[i + half]);
    return partial[0];
  }
  float sum() const {
    return reduce([](float a, float b) { return a + b; });
  }

 private:
  template <class Function>
  static RowStep each(Function function) {
    RowStep result;
    for (int v = 0; v < kVectors; ++v) result.vectors_[v] = function(v);
    return result;
  }
  static RowStep load_full(const float* x) {
    return each([x](int v) { return V::load(x + v * V::kLanes); });
  }
  void store_full(float* x) const {
    for (int v = 0; v < kVectors; ++v) vectors_[v].store(x + v * V::kLanes);
  }

  V vectors_[kVectors];
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_ROW_STEP_H_
