// What is measured, natively (native_bench.cc) and in a browser
// (web/bench_module.cc) alike: operands are made once, a run touches only them.
#ifndef ATTNSCOPE_TESTS_BENCH_WORKLOAD_H_
#define ATTNSCOPE_TESTS_BENCH_WORKLOAD_H_

#include <functional>
#include <string>
#include <vector>

#include "core/kernels/kernels.h"

namespace attnscope {

struct Workload {
  std::string name;
  // Floating-point operations of a run; elements for the row kernels, whose
  // functions have no agreed count.
  double operations;
  bool is_product;  // to be compared with the peak
  std::function<void()> run;
};

// The first is the multiply-add peak.
std::vector<Workload> make_workloads(const Kernels& kernels);

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_BENCH_WORKLOAD_H_
