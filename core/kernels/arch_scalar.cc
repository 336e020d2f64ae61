// The kernels with one lane, for every machine. Read next: kernel_templates.h.
#include "core/kernels/arch_tables.h"
#include "core/kernels/kernel_templates.h"
#include "core/kernels/vector_scalar.h"

namespace attnscope {

constinit const Kernels kScalarKernels =
    make_kernels<ScalarVector>("scalar", "none", false);

}  // namespace attnscope
