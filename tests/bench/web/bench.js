// Times every workload of one benchmark module. scripts/lib/bench_page.mjs
// opens this page, calls measureModule and prints what it returns.

const WARM_UP_MS = 400;
const MEASURE_MS = 1000;
// Many short samples, of which the fastest counts: what the code can do, whatever
// else the machine was doing. The clock's steps are 5 microseconds.
const SAMPLE_MS = 4;

/**
 * @param {string} url of attnscope_bench_module.mjs
 * @returns {Promise<{name: string, isProduct: boolean, microseconds: number,
 *   gigaPerSecond: number}[]>} the first is the multiply-add peak
 */
window.measureModule = async (url) => {
  const { default: instantiate } = await import(url);
  const module = await instantiate();
  const results = [];
  for (let i = 0; i < module._bench_count(); i++) {
    const time = (times) => {
      const start = performance.now();
      module._bench_run(i, times);
      return performance.now() - start;
    };
    // Long enough for the engine to swap in its optimised code.
    let runs = 0;
    const started = performance.now();
    while (performance.now() - started < WARM_UP_MS) runs += 1 + 0 * time(1);
    let times = Math.max(1, Math.round((runs * SAMPLE_MS) / WARM_UP_MS));
    times = Math.max(1, Math.round((times * SAMPLE_MS) / time(times)));

    const samples = [];
    const end = performance.now() + MEASURE_MS;
    while (performance.now() < end || samples.length < 3) {
      samples.push(time(times) / times);
      await new Promise((resolve) => setTimeout(resolve));
    }
    const milliseconds = Math.min(...samples);
    results.push({
      name: module.UTF8ToString(module._bench_name(i)),
      isProduct: module._bench_is_product(i) !== 0,
      microseconds: milliseconds * 1e3,
      gigaPerSecond: module._bench_operations(i) / milliseconds / 1e6,
    });
  }
  return results;
};
