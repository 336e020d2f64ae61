// Cuts a matrix product into kernel calls: blocks of rows whose left operand
// stays in the second cache, blocks of depth whose panels stay in the first.
// Sums over part of the depth wait in the output, which rounds nothing, so the
// cuts do not change the result. Read next: ../attention/attention.h.
#include "core/kernels/matmul.h"

#include <algorithm>

namespace attnscope {
namespace {

constexpr Index kRowBlock = 192;      // a multiple of every tile's rows
constexpr Index kPanelFloats = 6144;  // 24 KiB
// Multiply-adds in a call: about 0.1 ms, so that an engine that compiles while
// it runs (V8) gets to swap in better code soon.
constexpr Index kCallSize = 1 << 20;

}  // namespace

void matmul(const Kernels& kernels, const float* left, Index left_stride,
            const PackedView& right, Index rows, float* output,
            Index output_stride, bool accumulate) {
  const Index width = right.panel_width;
  for (Index row = 0; row < rows; row += kRowBlock) {
    const Index row_count = std::min(kRowBlock, rows - row);
    // Few rows read each panel once: no use in keeping it.
    const Index depth_block =
        row_count <= 6 ? right.depth : std::max(kPanelFloats / width, Index{1});
    Index k = 0;
    do {
      const Index depth = std::min(depth_block, right.depth - k);
      const Index panels = std::max(
          kCallSize / std::max(row_count * depth * width, Index{1}), Index{1});
      for (Index column = 0; column < right.columns; column += panels * width) {
        kernels.multiply(
            left + row * left_stride + k, left_stride,
            right.data + column / width * right.panel_stride + k * width,
            right.panel_stride, row_count, depth,
            std::min(panels * width, right.columns - column),
            output + row * output_stride + column, output_stride,
            accumulate || k > 0);
      }
      k += depth;
    } while (k < right.depth);  // depth 0 still writes the empty sum
  }
}

}  // namespace attnscope
