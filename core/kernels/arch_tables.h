// The tables of all instruction sets; a build has those whose
// ATTNSCOPE_HAS_<NAME> it defines. Only table.cc and the arch_<name>.cc
// themselves need this. Read next: kernel_templates.h.
#ifndef ATTNSCOPE_CORE_KERNELS_ARCH_TABLES_H_
#define ATTNSCOPE_CORE_KERNELS_ARCH_TABLES_H_

#include "core/kernels/kernels.h"

namespace attnscope {

extern const Kernels kScalarKernels;
extern const Kernels kSse42Kernels;
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
extern const Kernels kNeon64Kernels;
extern const Kernels kSimd128Kernels;
extern const Kernels kRelaxedKernels;

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_KERNELS_ARCH_TABLES_H_
