// The kernels for WebAssembly with relaxed vectors, whose multiply-add rounds
// once where the CPU can. Read next: kernel_templates.h.
#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_xsimd.h"

namespace attnscope {

constinit const Kernels kRelaxedKernels =
    make_kernels<XsimdVector<xsimd::wasm>>("relaxed",
                                           "WebAssembly relaxed SIMD", true);

}  // namespace attnscope
