// The kernels for x86 with AVX2 and FMA. Read next: kernel_templates.h.
#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_xsimd.h"

namespace attnscope {

constinit const Kernels kAvx2Kernels =
    make_kernels<XsimdVector<xsimd::fma3<xsimd::avx2>>>("avx2", "AVX2 and FMA",
                                                        true);

}  // namespace attnscope
