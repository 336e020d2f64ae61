// Cuts a matrix product into kernel calls: blocks of rows whose left operand
// stays in the second cache, blocks of depth whose panels stay in the first.
// Sums over part of the depth wait in the output, which rounds nothing, so the
// cuts do not change the result. Read next: ../attention/attention.h.
#include "core/kernels/matmul.h"

#include <algorithm>

namespace attnscope {
namespace {

constexpr Index kRowBlock = 192;      // a multiple of every tile's rows
constexpr Index kFewRows = 6;         // they read each panel once
constexpr Index kPanelFloats = 6144;  // 24 KiB
// Multiply-adds in a call: about 0.1 ms, so that an engine that compiles while
// it runs (V8) gets to swap in better code soon.
constexpr Index kCallSize = 1 << 20;
// The most panels that the product kernel takes at once, for a single row.
constexpr Index kPanelsAtOnce = 4;

struct Operands {
  const Kernels& kernels;
  const float* left;
  Index left_stride;
  Index rows;
  Index depth;
  Index columns;
  float* output;
  Index output_stride;
  bool accumulate;
};

// Panels of the right operand from some row and column on.
struct Stretch {
  const float* panels;
  Index panel_stride;
};

// A source of the right operand tells how much a call may take of it,
//   Index depth_block(Index rows), Index panels(Index rows, Index depth),
// and gives that:
//   Stretch stretch(Index k, Index depth, Index column, Index panels).
template <class Source>
void multiply_blocks(const Operands& operands, Source source) {
  const Index width = operands.kernels.panel_width;
  const Index columns = operands.columns;
  for (Index row = 0; row < operands.rows; row += kRowBlock) {
    const Index rows = std::min(kRowBlock, operands.rows - row);
    const Index depth_block = source.depth_block(rows);
    Index k = 0;
    do {
      const Index depth = std::min(depth_block, operands.depth - k);
      const Index panels = source.panels(rows, depth);
      for (Index column = 0; column < columns; column += panels * width) {
        const Index count = std::min(panels * width, columns - column);
        const Stretch right =
            source.stretch(k, depth, column, num_panels(count, width));
        operands.kernels.multiply(
            operands.left + row * operands.left_stride + k,
            operands.left_stride, right.panels, right.panel_stride, rows, depth,
            count, operands.output + row * operands.output_stride + column,
            operands.output_stride, operands.accumulate || k > 0);
      }
      k += depth;
    } while (k < operands.depth);  // depth 0 still writes the empty sum
  }
}

// float32, used where it is.
struct InPlace {
  const PackedView& right;

  Index depth_block(Index rows) const {
    // Few rows read each panel once: no use in keeping it.
    return rows <= kFewRows
               ? right.depth
               : std::max(kPanelFloats / right.panel_width, Index{1});
  }
  Index panels(Index rows, Index depth) const {
    const Index panel = rows * depth * right.panel_width;
    return std::max(kCallSize / std::max(panel, Index{1}), Index{1});
  }
  Stretch stretch(Index k, Index, Index column, Index) const {
    const Index width = right.panel_width;
    return {right.data + column / width * right.panel_stride + k * width,
            right.panel_stride};
  }
};

// Any other kind, expanded into a buffer that stays in the first cache.
struct Expanded {
  const Kernels& kernels;
  const PackedMatrix& right;
  float* buffer;  // [kPanelFloats]

  Index depth_block(Index rows) const {
    const Index panels = rows <= kFewRows ? kPanelsAtOnce : 1;
    return kPanelFloats / (panels * kernels.panel_width);
  }
  Index panels(Index, Index depth) const {
    return kPanelFloats / std::max(depth * kernels.panel_width, Index{1});
  }
  Stretch stretch(Index k, Index depth, Index column, Index panels) const {
    const Index width = kernels.panel_width;
    for (Index panel = 0; panel < panels; ++panel) {
      expand(k, depth, column + panel * width, buffer + panel * depth * width);
    }
    return {buffer, depth * width};
  }
  // The panel that begins with `column`.
  void expand(Index k, Index depth, Index column, float* output) const {
    const std::size_t place = right.place(k, column);
    const Index count = depth * kernels.panel_width;
    switch (right.storage()) {
      case Storage::kFloat32:
        break;  // never here
      case Storage::kBFloat16:
        return kernels.expand_bfloat16(right.data<std::uint16_t>() + place,
                                       output, count);
      case Storage::kFloat16:
        return kernels.expand_float16(right.data<std::uint16_t>() + place,
                                      output, count);
      case Storage::kInt8:
        return kernels.expand_int8(right.data<std::int8_t>() + place,
                                   right.scales().data() + column, output,
                                   depth);
    }
  }
};

}  // namespace

void matmul(const Kernels& kernels, const float* left, Index left_stride,
            const PackedView& right, Index rows, float* output,
            Index output_stride, bool accumulate) {
  multiply_blocks({kernels, left, left_stride, rows, right.depth, right.columns,
                   output, output_stride, accumulate},
                  InPlace{right});
}

void matmul(const Kernels& kernels, const float* left, Index left_stride,
            const PackedMatrix& right, Index rows, float* output,
            Index output_stride, bool accumulate) {
  if (right.storage() == Storage::kFloat32) {
    return matmul(kernels, left, left_stride, right.view(), rows, output,
                  output_stride, accumulate);
  }
  alignas(kAlignment) float buffer[kPanelFloats];
  multiply_blocks({kernels, left, left_stride, rows, right.depth(),
                   right.columns(), output, output_stride, accumulate},
                  Expanded{kernels, right, buffer});
}

}  // namespace attnscope
