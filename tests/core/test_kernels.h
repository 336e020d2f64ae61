// Which kernel tables a test runs on: all that this machine has, or the one
// that the environment variable ATTNSCOPE_VARIANT names.
#ifndef ATTNSCOPE_TESTS_CORE_TEST_KERNELS_H_
#define ATTNSCOPE_TESTS_CORE_TEST_KERNELS_H_

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/kernels/kernels.h"

namespace attnscope {

// CTest's SKIP_RETURN_CODE: the machine lacks the instructions, nothing failed.
inline constexpr int kSkippedExitCode = 77;

inline std::vector<const Kernels*> kernels_under_test() {
  const char* variant = std::getenv("ATTNSCOPE_VARIANT");
  if (variant == nullptr || *variant == '\0') {
    const auto available = available_kernels();
    return {available.begin(), available.end()};
  }
  const Kernels* kernels = find_kernels(variant);
  if (kernels == nullptr) {
    std::printf("skipped: this build or machine has no kernels '%s'\n",
                variant);
    std::exit(kSkippedExitCode);
  }
  return {kernels};
}

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_CORE_TEST_KERNELS_H_
