// Which tables are compiled in, which of them this machine can run, and which
// is the fastest. Read next: matmul.h.
#include <array>

#include "core/kernels/arch_tables.h"

namespace attnscope {
namespace {

// The compiled tables that can run here, slowest first.
struct Available {
  std::array<const Kernels*, 4> tables{};
  std::size_t count = 0;

  void add(const Kernels& table) { tables[count++] = &table; }

  // A WebAssembly engine validates a module whole, so what is running can run.
  // On x86 the compiler's run-time library asks the CPU and, for the wide
  // registers, whether the operating system saves them.
  Available() {
#ifdef ATTNSCOPE_HAS_SCALAR
    add(kScalarKernels);
#endif
#ifdef ATTNSCOPE_HAS_SSE4_2
    if (__builtin_cpu_supports("sse4.2")) add(kSse42Kernels);
#endif
#ifdef ATTNSCOPE_HAS_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      add(kAvx2Kernels);
#endif
#ifdef ATTNSCOPE_HAS_AVX512
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
      add(kAvx512Kernels);
#endif
#ifdef ATTNSCOPE_HAS_NEON64
    add(kNeon64Kernels);
#endif
#ifdef ATTNSCOPE_HAS_SIMD128
    add(kSimd128Kernels);
#endif
#ifdef ATTNSCOPE_HAS_RELAXED
    add(kRelaxedKernels);
#endif
  }
};

}  // namespace

std::span<const Kernels* const> available_kernels() {
  static const Available available;
  return {available.tables.data(), available.count};
}

const Kernels* find_kernels(std::string_view name) {
  for (const Kernels* kernels : available_kernels())
    if (kernels->name == name) return kernels;
  return nullptr;
}

const Kernels& best_kernels() { return *available_kernels().back(); }

}  // namespace attnscope
