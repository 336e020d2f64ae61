// Checkpoints for tests: reads those in files, and builds small ones in memory.
#ifndef ATTNSCOPE_TESTS_CORE_CHECKPOINT_FILES_H_
#define ATTNSCOPE_TESTS_CORE_CHECKPOINT_FILES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/checkpoint/checkpoint_loader.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/model.h"

namespace attnscope {

using Bytes = std::vector<std::uint8_t>;

// The project's own reference data, tests/golden.
std::string golden_folder();
// Reference data beside the checkout (or where the environment variable
// ATTNSCOPE_SHARED_DIR says). Empty where it is absent: tests skip then.
std::string shared_folder();

// A test failure and an empty result if it cannot be read.
Bytes read_file(const std::string& path);
std::string read_text(const std::string& path);

// All bytes of a checkpoint at once.
Result<std::unique_ptr<Model>> load_checkpoint(
    std::string_view config_json, std::span<const std::uint8_t> bytes,
    const Kernels& kernels, const LoadOptions& options = {});
// config.json and model.safetensors of a folder, or the files of its index. A
// test failure and null if that does not work.
std::unique_ptr<Model> load_folder(const std::string& folder,
                                   const Kernels& kernels);

// Where the data of a safetensors file begins.
std::size_t header_end(const Bytes& file);

// A safetensors file read as a whole. Unknown names and element types are test
// failures and give empty results.
class TensorFile {
 public:
  static TensorFile read(const std::string& path);
  // `label` names the bytes in failures.
  static TensorFile parse(const Bytes& bytes, const std::string& label);
  bool has(std::string_view name) const { return find(name) != nullptr; }
  std::vector<Index> shape(std::string_view name) const;
  std::vector<float> floats(std::string_view name) const;  // F32, F16, BF16
  std::vector<std::int64_t> integers(std::string_view name) const;  // I64

 private:
  const TensorEntry* find(std::string_view name) const;
  const TensorEntry* expect(std::string_view name) const;

  SafetensorsHeader header_;
  Bytes data_;
};

struct TensorToWrite {
  std::string name;
  std::string dtype;  // "F32"
  std::vector<Index> shape;
  Bytes bytes;
};

// Little-endian F32 bytes.
Bytes float_bytes(std::span<const float> numbers);

// A file of that header (as it stands, true or lying) and data.
Bytes safetensors_of(std::string_view header_json,
                     std::span<const std::uint8_t> data);
// A correct file of these tensors in this order.
Bytes safetensors_of(const std::vector<TensorToWrite>& tensors);

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_CORE_CHECKPOINT_FILES_H_
