// Reading of checkpoint folders, in one file or several, and NumPy's format.
#include "scripts/lib/attnscope_run/files.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/checkpoint/checkpoint_loader.h"

namespace attnscope {
namespace {

using Path = std::filesystem::path;

std::ifstream open_file(const Path& path) {
  std::ifstream file(path, std::ios::binary);
  // A folder opens like a file, and fails only when it is read.
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored)) {
    die("fetch-failed: " + path.string() + " cannot be read", 1);
  }
  return file;
}

std::string read_text(const Path& path) {
  std::ifstream file = open_file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// model.safetensors or, where there is none, the files that its index names.
std::vector<Path> weight_files(const Path& folder) {
  const Path single = folder / "model.safetensors";
  const Path path = folder / "model.safetensors.index.json";
  std::error_code ignored;
  if (std::filesystem::exists(single, ignored) ||
      !std::filesystem::exists(path, ignored)) {
    return {single};
  }
  const auto refuse = [&](const std::string& fault) {
    die("invalid-config: " + path.string() + ": " + fault, 1);
  };
  const auto index = nlohmann::json::parse(read_text(path), nullptr, false);
  if (!index.is_object() || !index.contains("weight_map") ||
      !index["weight_map"].is_object() || index["weight_map"].empty()) {
    refuse("is no object with a weight_map of file names");
  }
  std::set<std::string> names;
  for (const auto& name : index["weight_map"]) {
    if (!name.is_string()) refuse("a file name in weight_map is no text");
    const Path file = name.get<std::string>();
    if (file.empty() || file != file.filename()) {
      refuse("'" + file.string() + "' is not a file beside it");
    }
    names.insert(file.string());
  }
  std::vector<Path> files;
  for (const std::string& name : names) files.push_back(folder / name);
  return files;
}

// For two axes or more, version 1.0. `type` is NumPy's name of the element
// type, all little endian: "<f4", "<i8".
void write_npy(const Path& path, const char* type,
               const std::vector<Index>& shape, const void* data,
               std::size_t bytes) {
  std::string header = "{'descr': '" + std::string(type) +
                       "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    header += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  header += "), }";
  constexpr std::size_t kPrefix = 10;  // magic, version, length of the header
  header.resize((kPrefix + header.size()) / 64 * 64 + 63 - kPrefix, ' ');
  header += '\n';
  const char prefix[kPrefix] = {'\x93',
                                'N',
                                'U',
                                'M',
                                'P',
                                'Y',
                                1,
                                0,
                                static_cast<char>(header.size() % 256),
                                static_cast<char>(header.size() / 256)};
  std::ofstream file(path, std::ios::binary);
  file.write(prefix, kPrefix);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(static_cast<const char*>(data),
             static_cast<std::streamsize>(bytes));
  if (!file.flush()) die("cannot write " + path.string(), 1);
}

}  // namespace

std::shared_ptr<const Model> load_model(const Path& folder, Storage storage) {
  const char* name = std::getenv("ATTNSCOPE_VARIANT");
  const bool any = name == nullptr || *name == '\0';
  const Kernels* kernels = any ? &best_kernels() : find_kernels(name);
  if (kernels == nullptr) {
    die("unsupported-variant: " + std::string(name) + " cannot run here", 1);
  }

  const std::string config = read_text(folder / "config.json");
  const auto paths = weight_files(folder);
  auto loader = unwrap(
      CheckpointLoader::begin(
          config, *kernels,
          {.num_files = static_cast<Index>(paths.size()), .storage = storage}),
      folder.string());
  std::vector<char> chunk(1 << 20);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (i > 0) check(loader.next_file(), paths[i - 1].string());
    std::ifstream file = open_file(paths[i]);
    while (file) {
      file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
      check(loader.append({reinterpret_cast<const std::uint8_t*>(chunk.data()),
                           static_cast<std::size_t>(file.gcount())}),
            paths[i].string());
    }
  }
  return unwrap(loader.finish(), paths.back().string());
}

void Output::write(const std::string& name, const Ids& ids) const {
  const std::vector<std::int64_t> wide(ids.begin(), ids.end());
  write_npy(folder_ / (name + ".npy"), "<i8",
            {1, static_cast<Index>(ids.size())}, wide.data(),
            wide.size() * sizeof(std::int64_t));
}

void Output::write(const std::string& name, std::vector<Index> shape,
                   std::span<const float> values) const {
  shape.insert(shape.begin(), 1);
  write_npy(folder_ / (name + ".npy"), "<f4", shape, values.data(),
            values.size_bytes());
}

}  // namespace attnscope
