// The machine's multiply-add peak: a loop over registers alone, nothing loaded
// or stored, in the instructions of one table of kernels. What the products
// are measured against. Read next: workload.h.
#ifndef ATTNSCOPE_TESTS_BENCH_PEAK_H_
#define ATTNSCOPE_TESTS_BENCH_PEAK_H_

#include <string_view>

#include "core/base/buffer.h"

namespace attnscope {

struct PeakLoop {
  // Returns something that hangs on every operation done.
  float (*run)(Index iterations);
  double flops_per_iteration;
};

// For the table of kernels of that name.
PeakLoop peak_loop(std::string_view kernels_name);

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_BENCH_PEAK_H_
