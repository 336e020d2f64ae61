// The kernels for x86 with SSE4.2. Read next: kernel_templates.h.
#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_xsimd.h"

namespace attnscope {

constinit const Kernels kSse42Kernels =
    make_kernels<XsimdVector<xsimd::sse4_2>>("sse4_2", "SSE4.2", false);

}  // namespace attnscope
