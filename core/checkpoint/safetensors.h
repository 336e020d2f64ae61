// The safetensors file format: eight bytes of header length (little endian), a
// JSON header, then the tensors' bytes. The header is hostile input and is
// checked completely before any byte of data is used. Read next:
// checkpoint_loader.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_SAFETENSORS_H_
#define ATTNSCOPE_CORE_CHECKPOINT_SAFETENSORS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"

namespace attnscope {

// Largest header accepted, bytes; the reference implementation's own limit.
inline constexpr std::uint64_t kMostHeaderBytes = 100'000'000;

enum class Dtype { kFloat32, kFloat16, kBFloat16, kOther };

struct TensorEntry {
  std::string name;
  Dtype dtype = Dtype::kOther;
  std::string dtype_name;            // as written, for messages: "I64"
  std::vector<std::uint64_t> shape;  // empty for a scalar
  std::uint64_t begin = 0;           // bytes from the end of the header
  std::uint64_t end = 0;             // past the last
};

struct SafetensorsHeader {
  std::vector<TensorEntry> tensors;  // in file order, without gap or overlap
  std::uint64_t data_bytes = 0;      // of all tensors
};

// The header's length from a file's first eight bytes. Errors: kNotSafetensors
// (a length of 0, or above kMostHeaderBytes).
Result<std::uint64_t> read_header_length(
    std::span<const std::uint8_t, 8> first_bytes);

// Errors: kNotSafetensors (not a JSON object), kCorruptHeader (names twice,
// shapes or offsets that are negative, overflow, overlap, leave gaps, or do not
// match the element type), kUnsupportedDtype (an element type that the format
// does not have). Messages name the tensor.
Result<SafetensorsHeader> parse_safetensors_header(
    std::span<const std::uint8_t> json);

// A shape for messages: "[768, 2304]".
std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_SAFETENSORS_H_
