// Matrix products over packed right operands, cut into pieces that call the
// kernel often (V8 replaces a WebAssembly function by its optimised code only
// between calls). Read next: ../attention/attention.h.
#ifndef ATTNSCOPE_CORE_KERNELS_MATMUL_H_
#define ATTNSCOPE_CORE_KERNELS_MATMUL_H_

#include "core/kernels/kernels.h"

namespace attnscope {

// output[rows, right.columns] = left[rows, right.depth] x right, added to what
// output holds if `accumulate`. right.panel_width must be the table's.
void matmul(const Kernels& kernels, const float* left, Index left_stride,
            const PackedView& right, Index rows, float* output,
            Index output_stride, bool accumulate);

// The same with a stored matrix of any kind: stretches of it are expanded to
// float32 on the stack and multiplied in the same order, so the result has the
// bits of a float32 matrix that holds the same values.
void matmul(const Kernels& kernels, const float* left, Index left_stride,
            const PackedMatrix& right, Index rows, float* output,
            Index output_stride, bool accumulate);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_MATMUL_H_
