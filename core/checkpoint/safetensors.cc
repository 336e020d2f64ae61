// Header of a safetensors file. It is read event by event, without a tree, so
// that what a hostile header costs is bounded by its own length, however deep
// it nests. Read next: elements.h.
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "core/checkpoint/quote.h"

namespace attnscope {
namespace {

struct DtypeInfo {
  std::string_view name;
  Dtype dtype;
  unsigned bits;
};

// Every element type of the format. Those that no model here uses are known all
// the same, so that a file's sizes can be checked throughout.
constexpr std::array kDtypes = {
    DtypeInfo{"F32", Dtype::kFloat32, 32},
    DtypeInfo{"F16", Dtype::kFloat16, 16},
    DtypeInfo{"BF16", Dtype::kBFloat16, 16},
    DtypeInfo{"F64", Dtype::kOther, 64},
    DtypeInfo{"C64", Dtype::kOther, 64},
    DtypeInfo{"I64", Dtype::kOther, 64},
    DtypeInfo{"I32", Dtype::kOther, 32},
    DtypeInfo{"I16", Dtype::kOther, 16},
    DtypeInfo{"I8", Dtype::kOther, 8},
    DtypeInfo{"U64", Dtype::kOther, 64},
    DtypeInfo{"U32", Dtype::kOther, 32},
    DtypeInfo{"U16", Dtype::kOther, 16},
    DtypeInfo{"U8", Dtype::kOther, 8},
    DtypeInfo{"BOOL", Dtype::kOther, 8},
    DtypeInfo{"F8_E4M3", Dtype::kOther, 8},
    DtypeInfo{"F8_E5M2", Dtype::kOther, 8},
    DtypeInfo{"F8_E8M0", Dtype::kOther, 8},
    DtypeInfo{"F6_E2M3", Dtype::kOther, 6},
    DtypeInfo{"F6_E3M2", Dtype::kOther, 6},
    DtypeInfo{"F4", Dtype::kOther, 4},
};

const DtypeInfo* find_dtype(std::string_view name) {
  const auto found =
      std::find_if(kDtypes.begin(), kDtypes.end(),
                   [&](const DtypeInfo& info) { return info.name == name; });
  return found == kDtypes.end() ? nullptr : found;
}

Status corrupt(const TensorEntry& tensor, const std::string& what) {
  return {StatusCode::kCorruptHeader,
          "tensor " + quote(tensor.name) + ": " + what};
}

// Accepts exactly
//   { "__metadata__": { NAME: STRING, ... },
//     NAME: { "dtype": STRING, "shape": [WHOLE, ...],
//             "data_offsets": [WHOLE, WHOLE] }, ... }
// and keeps the tensors in the order of the text.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  Status status;
  std::vector<TensorEntry> tensors;

  bool start_object(std::size_t) override {
    switch (place_) {
      case Place::kBefore:
        place_ = Place::kTop;
        return true;
      case Place::kTop:
        place_ = in_metadata_ ? Place::kMetadata : Place::kTensor;
        return true;
      default:
        return refuse("an object where none belongs");
    }
  }

  bool end_object() override {
    if (place_ == Place::kTensor) {
      if (!has_dtype_) return refuse("has no dtype");
      if (!has_shape_) return refuse("has no shape");
      if (!has_offsets_) return refuse("has no data_offsets");
    }
    place_ = Place::kTop;  // after the outermost object only the end can follow
    return true;
  }

  bool key(std::string& name) override {
    if (place_ == Place::kTensor) {
      field_ = name;
      return true;
    }
    if (place_ == Place::kMetadata) return true;
    in_metadata_ = name == "__metadata__";
    entry_name_ = name;
    if (!names_.insert(name).second) return refuse("is there twice");
    if (in_metadata_) return true;
    tensors.emplace_back().name = name;
    has_dtype_ = has_shape_ = has_offsets_ = false;
    return true;
  }

  bool string(std::string& value) override {
    if (place_ == Place::kMetadata) return true;
    if (place_ != Place::kTensor || field_ != "dtype")
      return refuse("a string where none belongs");
    if (std::exchange(has_dtype_, true)) return refuse("has two dtypes");
    tensors.back().dtype_name = value;
    return true;
  }

  bool start_array(std::size_t) override {
    if (place_ == Place::kTensor && field_ == "shape") {
      place_ = Place::kShape;
      return !std::exchange(has_shape_, true) || refuse("has two shapes");
    }
    if (place_ == Place::kTensor && field_ == "data_offsets") {
      place_ = Place::kOffsets;
      num_offsets_ = 0;
      return !std::exchange(has_offsets_, true) ||
             refuse("has two data_offsets");
    }
    return refuse("a list where none belongs");
  }

  bool end_array() override {
    if (place_ == Place::kOffsets && num_offsets_ != 2)
      return refuse("data_offsets are not two numbers");
    place_ = Place::kTensor;
    return true;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (place_ == Place::kShape) {
      tensors.back().shape.push_back(value);
      return true;
    }
    if (place_ == Place::kOffsets) {
      if (num_offsets_ == 2) return refuse("data_offsets are not two numbers");
      (num_offsets_++ == 0 ? tensors.back().begin : tensors.back().end) = value;
      return true;
    }
    return refuse("a number where none belongs");
  }

  bool number_integer(std::int64_t value) override {
    return refuse("the negative number " + std::to_string(value));
  }
  bool number_float(double, const std::string& text) override {
    return refuse("the number " + text +
                  ", which is not whole or does not fit in 64 bits");
  }
  bool boolean(bool) override {
    return refuse("a truth value where none belongs");
  }
  bool null() override { return refuse("a null where none belongs"); }
  bool binary(binary_t&) override { return false; }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    status = {StatusCode::kNotSafetensors,
              "the header is not JSON (at its byte " +
                  std::to_string(position) +
                  "), so this is no safetensors file"};
    return false;
  }

 private:
  enum class Place { kBefore, kTop, kMetadata, kTensor, kShape, kOffsets };

  bool refuse(const std::string& what) {
    status = {StatusCode::kCorruptHeader,
              entry_name_.empty()
                  ? "header: " + what
                  : "header entry " + quote(entry_name_) + ": " + what};
    return false;
  }

  Place place_ = Place::kBefore;
  bool in_metadata_ = false;
  bool has_dtype_ = false;
  bool has_shape_ = false;
  bool has_offsets_ = false;
  int num_offsets_ = 0;
  std::string entry_name_;
  std::string field_;
  std::unordered_set<std::string> names_;
};

// Checks that [begin, end) is as long as the shape and dtype say, and names the
// dtype.
Status check_size(TensorEntry& tensor) {
  const DtypeInfo* dtype = find_dtype(tensor.dtype_name);
  if (dtype == nullptr)
    return {StatusCode::kUnsupportedDtype, "tensor " + quote(tensor.name) +
                                               ": unknown element type " +
                                               quote(tensor.dtype_name)};
  tensor.dtype = dtype->dtype;
  if (tensor.end < tensor.begin)
    return corrupt(tensor, "ends at byte " + std::to_string(tensor.end) +
                               ", before it begins at " +
                               std::to_string(tensor.begin));
  // A zero anywhere makes the product zero, whatever the others are.
  const bool is_empty = std::find(tensor.shape.begin(), tensor.shape.end(),
                                  0) != tensor.shape.end();
  std::uint64_t bits = is_empty ? 0 : dtype->bits;
  for (const std::uint64_t size : tensor.shape) {
    if (is_empty) break;
    if (bits > std::numeric_limits<std::uint64_t>::max() / size)
      return corrupt(tensor, "the product of its shape " +
                                 shape_text(tensor.shape) + " overflows");
    bits *= size;
  }
  const std::uint64_t bytes = tensor.end - tensor.begin;
  if (bits % 8 != 0 || bits / 8 != bytes)
    return corrupt(tensor, "shape " + shape_text(tensor.shape) + " of " +
                               tensor.dtype_name + " does not take the " +
                               std::to_string(bytes) +
                               " bytes that its data_offsets span");
  return {};
}

// The format leaves no gap and no overlap between tensors.
Status check_order(SafetensorsHeader& header) {
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const TensorEntry& a, const TensorEntry& b) {
              return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
            });
  std::uint64_t position = 0;
  for (const TensorEntry& tensor : header.tensors) {
    if (tensor.begin != position)
      return corrupt(tensor,
                     std::string(tensor.begin < position ? "overlaps the tensor"
                                                         : "leaves a gap after "
                                                           "the tensor") +
                         " before it: begins at byte " +
                         std::to_string(tensor.begin) + ", expected " +
                         std::to_string(position));
    position = tensor.end;
  }
  header.data_bytes = position;
  return {};
}

}  // namespace

std::string shape_text(std::span<const std::uint64_t> shape) {
  constexpr std::size_t kMost = 8;
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(shape.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() > kMost ? ", ...]" : "]");
}

Result<std::uint64_t> read_header_length(
    std::span<const std::uint8_t, 8> first_bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 8; ++i)
    length |= std::uint64_t{first_bytes[i]} << (8 * i);
  if (length > 0 && length <= kMostHeaderBytes) return length;
  // Often a web page or a pointer file of Git LFS: its first letters tell.
  std::string letters;
  for (const std::uint8_t byte : first_bytes)
    letters += std::isprint(byte) ? static_cast<char>(byte) : '.';
  return Status(StatusCode::kNotSafetensors,
                "not a safetensors file: it begins with " + quote(letters) +
                    ", which would be a header of " + std::to_string(length) +
                    " bytes");
}

Result<SafetensorsHeader> parse_safetensors_header(
    std::span<const std::uint8_t> json) {
  if (json.empty() || json.front() != '{')
    return Status(StatusCode::kNotSafetensors,
                  "the header does not begin with '{', so this is no "
                  "safetensors file");
  HeaderReader reader;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader))
    return reader.status;
  SafetensorsHeader header;
  header.tensors = std::move(reader.tensors);
  for (TensorEntry& tensor : header.tensors)
    if (Status status = check_size(tensor); !status.ok()) return status;
  if (Status status = check_order(header); !status.ok()) return status;
  return header;
}

}  // namespace attnscope
