// The kernels for 64-bit ARM. Read next: kernel_templates.h.
#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_xsimd.h"

namespace attnscope {

constinit const Kernels kNeon64Kernels =
    make_kernels<XsimdVector<xsimd::neon64>>("neon64", "NEON", true);

}  // namespace attnscope
