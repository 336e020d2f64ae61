// The kernels for x86 with AVX-512. Read next: kernel_templates.h.
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 warns about its own intrinsics: an "undefined" operand that they do
// not read (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_xsimd.h"

namespace attnscope {

constinit const Kernels kAvx512Kernels =
    make_kernels<XsimdVector<xsimd::avx512bw>>(
        "avx512", "AVX-512 F, CD, DQ, BW and VL", true);

}  // namespace attnscope
