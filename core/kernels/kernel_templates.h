// A table of kernels for the vector type V. Each arch_<name>.cc, compiled with
// the flags of its CPU, makes one. Read next: table.cc, which picks.
#ifndef ATTNSCOPE_CORE_KERNELS_KERNEL_TEMPLATES_H_
#define ATTNSCOPE_CORE_KERNELS_KERNEL_TEMPLATES_H_

#include "core/kernels/expand_template.h"
#include "core/kernels/kernels.h"
#include "core/kernels/multiply_template.h"
#include "core/kernels/row_templates.h"

namespace attnscope {

// constexpr: nothing of a table may run before the CPU is known.
template <class V>
constexpr Kernels make_kernels(const char* name, const char* required_features,
                               bool fused_multiply_add) {
  return {.name = name,
          .required_features = required_features,
          .fused_multiply_add = fused_multiply_add,
          .lanes = V::kLanes,
          .panel_width = MultiplyKernel<V>::kPanelWidth,
          .multiply = MultiplyKernel<V>::multiply,
          .expand_bfloat16 = ExpandKernels<V>::bfloat16,
          .expand_float16 = ExpandKernels<V>::float16,
          .expand_int8 = ExpandKernels<V>::int8,
          .maximum = RowKernels<V>::maximum,
          .exponentials = RowKernels<V>::exponentials,
          .scale = RowKernels<V>::scale,
          .add = RowKernels<V>::add,
          .multiply_elements = RowKernels<V>::multiply_elements,
          .layer_norm = RowKernels<V>::layer_norm,
          .rms_norm = RowKernels<V>::rms_norm,
          .gelu_erf = RowKernels<V>::gelu_erf,
          .gelu_tanh = RowKernels<V>::gelu_tanh,
          .silu = RowKernels<V>::silu,
          .rotate = RowKernels<V>::rotate};
}

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_KERNEL_TEMPLATES_H_
