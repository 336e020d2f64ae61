// The matrix product kernel, written once over the vector type V: tiles of a
// few rows x one panel whose sums stay in registers for the whole depth. How a
// large product is cut for the caches is matmul.cc's part. Read next:
// kernel_templates.h.
#ifndef ATTNSCOPE_CORE_KERNELS_MULTIPLY_TEMPLATE_H_
#define ATTNSCOPE_CORE_KERNELS_MULTIPLY_TEMPLATE_H_

#include "core/kernels/kernels.h"

namespace attnscope {

template <class V>
struct MultiplyKernel {
  static constexpr Index kPanelWidth = V::kLanes * V::kPanelVectors;

  // The operands of one call, as in Kernels::multiply.
  struct Operands {
    const float* left;
    Index left_stride;
    const float* right;
    Index right_panel_stride;
    Index depth;
    Index columns;
    float* output;
    Index output_stride;
    bool accumulate;
  };

  static void multiply(const float* left, Index left_stride, const float* right,
                       Index right_panel_stride, Index rows, Index depth,
                       Index columns, float* output, Index output_stride,
                       bool accumulate) {
    const Operands operands{left,      left_stride, right,  right_panel_stride,
                            depth,     columns,     output, output_stride,
                            accumulate};
    // A panel stays in the nearest cache while all full tiles pass over it.
    const Index full_rows = rows - rows % V::kTileRows;
    for (Index column = 0; column < columns; column += kPanelWidth)
      for (Index row = 0; row < full_rows; row += V::kTileRows)
        tile<V::kTileRows, 1>(operands, row, column);
    last_rows<V::kTileRows - 1>(operands, full_rows, rows - full_rows);
  }

 private:
  // Finds the instance for the rows that are left over, 0..kRows.
  template <int kRows>
  static void last_rows(const Operands& operands, Index row, Index count) {
    if constexpr (kRows > 0) {
      if (count == kRows) return few_rows<kRows>(operands, row);
      last_rows<kRows - 1>(operands, row, count);
    }
  }

  // Too few rows to keep the adders busy with one panel take several at once:
  // 8 sums in flight hide a latency of 4 cycles at 2 operations per cycle.
  template <int kRows>
  static void few_rows(const Operands& operands, Index row) {
    constexpr int kSums = kRows * static_cast<int>(V::kPanelVectors);
    constexpr int kPanels = (8 + kSums - 1) / kSums;
    Index column = 0;
    for (; column + kPanels * kPanelWidth <= operands.columns;
         column += kPanels * kPanelWidth)
      tile<kRows, kPanels>(operands, row, column);
    for (; column < operands.columns; column += kPanelWidth)
      tile<kRows, 1>(operands, row, column);
  }

  // output[row..row + kRows, column..column + kPanels * kPanelWidth), fewer
  // columns if the last panel has fewer.
  template <int kRows, int kPanels>
  static void tile(const Operands& operands, Index row, Index column) {
    constexpr Index kColumns = kPanels * kPanelWidth;
    const float* left = operands.left + row * operands.left_stride;
    const float* right =
        operands.right + column / kPanelWidth * operands.right_panel_stride;
    float* output = operands.output + row * operands.output_stride + column;
    const Index stride = operands.output_stride;
    const Index columns = operands.columns - column;
    if (columns >= kColumns)
      return full_tile<kRows, kPanels>(operands, left, right, output, stride);

    float padded[kRows * kColumns];
    if (operands.accumulate)
      for (Index r = 0; r < kRows; ++r)
        for (Index c = 0; c < kColumns; ++c)
          padded[r * kColumns + c] = c < columns ? output[r * stride + c] : 0;
    full_tile<kRows, kPanels>(operands, left, right, padded, kColumns);
    for (Index r = 0; r < kRows; ++r)
      for (Index c = 0; c < columns; ++c)
        output[r * stride + c] = padded[r * kColumns + c];
  }

  // A function of its own: inlined among others, GCC 12 keeps a sum in memory.
  template <int kRows, int kPanels>
  [[gnu::noinline]] static void full_tile(const Operands& operands,
                                          const float* left, const float* right,
                                          float* output, Index output_stride) {
    constexpr int kPanelVectors = static_cast<int>(V::kPanelVectors);
    constexpr int kVectors = kPanels * kPanelVectors;
    const Index left_stride = operands.left_stride;
    const Index panel_stride = operands.right_panel_stride;
    const Index depth = operands.depth;

    V sums[kRows][kVectors];
    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        sums[r][v] = operands.accumulate
                         ? V::load(output + r * output_stride + v * V::kLanes)
                         : V::broadcast(0);

    for (Index k = 0; k < depth; ++k) {
      V rights[kVectors];
      for (int v = 0; v < kVectors; ++v)
        rights[v] = V::load(right + v / kPanelVectors * panel_stride +
                            k * kPanelWidth + v % kPanelVectors * V::kLanes);
      for (int r = 0; r < kRows; ++r) {
        const V element = V::broadcast(left[r * left_stride + k]);
        for (int v = 0; v < kVectors; ++v)
          sums[r][v] = V::mul_add(element, rights[v], sums[r][v]);
      }
    }

    for (int r = 0; r < kRows; ++r)
      for (int v = 0; v < kVectors; ++v)
        sums[r][v].store(output + r * output_stride + v * V::kLanes);
  }
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_MULTIPLY_TEMPLATE_H_
