// The workloads as a WebAssembly module of plain functions; web/bench.js calls
// and times them.
#include <emscripten/emscripten.h>

#include "tests/bench/workload.h"

namespace {

const std::vector<attnscope::Workload>& workloads() {
  static const auto all = attnscope::make_workloads(attnscope::best_kernels());
  return all;
}

const attnscope::Workload& workload(int i) {
  return workloads()[static_cast<std::size_t>(i)];
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE int bench_count() {
  return static_cast<int>(workloads().size());
}
EMSCRIPTEN_KEEPALIVE const char* bench_name(int i) {
  return workload(i).name.c_str();
}
EMSCRIPTEN_KEEPALIVE double bench_operations(int i) {
  return workload(i).operations;
}
EMSCRIPTEN_KEEPALIVE int bench_is_product(int i) {
  return workload(i).is_product;
}
EMSCRIPTEN_KEEPALIVE void bench_run(int i, int times) {
  for (int t = 0; t < times; ++t) workload(i).run();
}

}  // extern "C"
