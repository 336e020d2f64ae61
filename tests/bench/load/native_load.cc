// Loads a checkpoint folder natively and prints what that took, as JSON: the
// bytes that the model keeps, and the most memory that the whole process had at
// once, its code and stack included. Linux keeps count of that. Read next:
// ../../../scripts/lib/bench_load.mjs.
//
//   attnscope_load_bench FOLDER STORAGE
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint_loader.h"

namespace attnscope {
namespace {

// The high-water mark of resident memory, bytes; 0 where it is not known.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == "VmHWM:") status >> kilobytes;
  }
  return kilobytes * 1024;
}

Result<std::unique_ptr<Model>> load(const std::string& folder,
                                    Storage storage) {
  std::ifstream config(folder + "/config.json");
  auto loader = CheckpointLoader::begin(
      std::string{std::istreambuf_iterator<char>(config), {}}, best_kernels(),
      {.storage = storage});
  if (!loader.ok()) return loader.status();
  std::ifstream file(folder + "/model.safetensors", std::ios::binary);
  std::vector<char> chunk(1 << 20);
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    const Status status = loader.value().append(
        {reinterpret_cast<const std::uint8_t*>(chunk.data()),
         static_cast<std::size_t>(file.gcount())});
    if (!status.ok()) return status;
  }
  return loader.value().finish();
}

int run(const std::string& folder, const std::string& kind) {
  const auto storage = find_storage(kind);
  if (!storage) {
    std::fprintf(stderr, "error: no storage kind '%s'\n", kind.c_str());
    return 2;
  }
  const auto model = load(folder, *storage);
  if (!model.ok()) {
    std::fprintf(stderr, "error: %s\n", model.status().message().c_str());
    return 1;
  }
  std::printf("{\"storedBytes\": %.0f, \"peakBytes\": %.0f}\n",
              static_cast<double>(model.value()->stored_bytes), peak_bytes());
  return 0;
}

}  // namespace
}  // namespace attnscope

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: attnscope_load_bench FOLDER STORAGE\n");
    return 2;
  }
  return attnscope::run(arguments[1], arguments[2]);
}
