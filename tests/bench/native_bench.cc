// The native benchmark: every workload on the tables of kernels under test,
// one thread. GFLOP/s for products (giga elements per second for rows), and the
// share of the multiply-add peak that the same run measured.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include "tests/bench/workload.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

using Clock = std::chrono::steady_clock;

// Operations per second of the best of many short runs.
double best_rate(const Workload& workload) {
  double best = 0;
  for (int i = 0; i < 300; ++i) {
    const auto start = Clock::now();
    workload.run();
    const std::chrono::duration<double> seconds = Clock::now() - start;
    best = std::max(best, workload.operations / seconds.count());
  }
  return best;
}

void register_table(const Kernels& kernels) {
  const auto workloads =
      std::make_shared<std::vector<Workload>>(make_workloads(kernels));
  const auto peak = std::make_shared<double>(0.0);
  for (const Workload& workload : *workloads) {
    const std::string name = std::string(kernels.name) + "/" + workload.name;
    benchmark::RegisterBenchmark(name.c_str(), [workloads, peak, &workload](
                                                   benchmark::State& state) {
      if (*peak == 0) *peak = best_rate(workloads->front());
      for (auto _ : state) workload.run();
      const double total =
          workload.operations * static_cast<double>(state.iterations());
      state.counters["rate"] =
          benchmark::Counter(total, benchmark::Counter::kIsRate);
      if (workload.is_product)
        state.counters["of_peak"] =
            benchmark::Counter(total / *peak, benchmark::Counter::kIsRate);
    })->Unit(benchmark::kMicrosecond);
  }
}

const bool kRegistered = [] {
  for (const Kernels* kernels : kernels_under_test()) register_table(*kernels);
  return true;
}();

}  // namespace
}  // namespace attnscope
