// The kernels for WebAssembly with 128-bit vectors. Read next:
// kernel_templates.h.
#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_xsimd.h"

namespace attnscope {

constinit const Kernels kSimd128Kernels =
    make_kernels<XsimdVector<xsimd::wasm>>("simd128", "WebAssembly SIMD",
                                           false);

}  // namespace attnscope
