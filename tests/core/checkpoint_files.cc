// Reading and building of checkpoints for tests.
#include "tests/core/checkpoint_files.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "core/checkpoint/elements.h"

#if defined(__SANITIZE_ADDRESS__)
// Without this the sanitizer ends the program where malloc would return null,
// which the core's refusal of too large models depends on.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
#endif

namespace attnscope {

std::string golden_folder() { return ATTNSCOPE_SOURCE_DIR "/tests/golden"; }

std::string shared_folder() {
  const char* variable = std::getenv("ATTNSCOPE_SHARED_DIR");
  const std::string folder =
      variable != nullptr ? variable : ATTNSCOPE_SOURCE_DIR "/../shared";
  std::error_code ignored;
  return std::filesystem::is_directory(folder + "/golden", ignored) ? folder
                                                                    : "";
}

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::string read_text(const std::string& path) {
  const Bytes bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

namespace {

// model.safetensors, or the files that an index names.
std::vector<Bytes> weight_files(const std::string& folder) {
  const std::string path = folder + "/model.safetensors.index.json";
  if (!std::filesystem::exists(path))
    return {read_file(folder + "/model.safetensors")};
  const auto index = nlohmann::json::parse(read_text(path));
  std::set<std::string> names;
  for (const auto& name : index["weight_map"])
    names.insert(name.get<std::string>());
  std::vector<Bytes> files;
  for (const std::string& name : names)
    files.push_back(read_file(folder + "/" + name));
  return files;
}

Result<std::unique_ptr<Model>> load_files(std::string_view config_json,
                                          const std::vector<Bytes>& files,
                                          const Kernels& kernels,
                                          LoadOptions options) {
  options.num_files = static_cast<Index>(files.size());
  auto loader = CheckpointLoader::begin(config_json, kernels, options);
  if (!loader.ok()) return loader.status();
  for (std::size_t i = 0; i < files.size(); ++i) {
    Status status = i == 0 ? Status() : loader.value().next_file();
    if (status.ok()) status = loader.value().append(files[i]);
    if (!status.ok()) return status;
  }
  return loader.value().finish();
}

}  // namespace

Result<std::unique_ptr<Model>> load_checkpoint(
    std::string_view config_json, std::span<const std::uint8_t> bytes,
    const Kernels& kernels, const LoadOptions& options) {
  return load_files(config_json, {Bytes(bytes.begin(), bytes.end())}, kernels,
                    options);
}

std::unique_ptr<Model> load_folder(const std::string& folder,
                                   const Kernels& kernels) {
  auto model = load_files(read_text(folder + "/config.json"),
                          weight_files(folder), kernels, {});
  EXPECT_TRUE(model.ok()) << folder << ": " << model.status().message();
  return model.ok() ? std::move(model.value()) : nullptr;
}

std::size_t header_end(const Bytes& file) {
  const auto length =
      read_header_length(std::span<const std::uint8_t, 8>(file.data(), 8));
  return 8 + static_cast<std::size_t>(length.value());
}

TensorFile TensorFile::read(const std::string& path) {
  return parse(read_file(path), path);
}

TensorFile TensorFile::parse(const Bytes& bytes, const std::string& label) {
  TensorFile file;
  if (bytes.size() < 8) {
    ADD_FAILURE() << label << " has no header";
    return file;
  }
  const auto length =
      read_header_length(std::span<const std::uint8_t, 8>(bytes.data(), 8));
  const std::size_t begin =
      8 + (length.ok() ? static_cast<std::size_t>(length.value()) : 0);
  if (begin > bytes.size()) {
    ADD_FAILURE() << label << " is cut in its header";
    return file;
  }
  auto header = parse_safetensors_header(
      std::span<const std::uint8_t>(bytes).subspan(8, begin - 8));
  if (!header.ok() || header.value().data_bytes != bytes.size() - begin) {
    ADD_FAILURE() << label << ": " << header.status().message();
    return file;
  }
  file.header_ = std::move(header.value());
  file.data_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                    bytes.end());
  return file;
}

const TensorEntry* TensorFile::find(std::string_view name) const {
  for (const TensorEntry& tensor : header_.tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

const TensorEntry* TensorFile::expect(std::string_view name) const {
  const TensorEntry* tensor = find(name);
  EXPECT_NE(tensor, nullptr) << "no tensor " << name;
  return tensor;
}

std::vector<Index> TensorFile::shape(std::string_view name) const {
  const TensorEntry* tensor = expect(name);
  if (tensor == nullptr) return {};
  return {tensor->shape.begin(), tensor->shape.end()};
}

std::vector<float> TensorFile::floats(std::string_view name) const {
  const TensorEntry* tensor = expect(name);
  if (tensor == nullptr) return {};
  const std::size_t width = element_bytes(tensor->dtype);
  if (width == 0) {
    ADD_FAILURE() << name << " is " << tensor->dtype_name;
    return {};
  }
  std::vector<float> numbers((tensor->end - tensor->begin) / width);
  convert_elements(data_.data() + tensor->begin, tensor->dtype,
                   static_cast<Index>(numbers.size()), Storage::kFloat32,
                   numbers.data(), 1);
  return numbers;
}

std::vector<std::int64_t> TensorFile::integers(std::string_view name) const {
  const TensorEntry* tensor = expect(name);
  if (tensor == nullptr) return {};
  if (tensor->dtype_name != "I64") {
    ADD_FAILURE() << name << " is " << tensor->dtype_name;
    return {};
  }
  std::vector<std::int64_t> numbers((tensor->end - tensor->begin) / 8);
  if (!numbers.empty())
    std::memcpy(numbers.data(), data_.data() + tensor->begin,
                numbers.size() * 8);
  return numbers;
}

Bytes float_bytes(std::span<const float> numbers) {
  Bytes bytes(numbers.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

Bytes safetensors_of(std::string_view header_json,
                     std::span<const std::uint8_t> data) {
  Bytes file;
  for (int i = 0; i < 8; ++i)
    file.push_back(static_cast<std::uint8_t>(
        std::uint64_t{header_json.size()} >> (8 * i)));
  file.insert(file.end(), header_json.begin(), header_json.end());
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

Bytes safetensors_of(const std::vector<TensorToWrite>& tensors) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  Bytes data;
  for (const TensorToWrite& tensor : tensors) {
    const std::size_t begin = data.size();
    data.insert(data.end(), tensor.bytes.begin(), tensor.bytes.end());
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", tensor.shape},
                           {"data_offsets", {begin, data.size()}}};
  }
  return safetensors_of(header.dump(), data);
}

}  // namespace attnscope
