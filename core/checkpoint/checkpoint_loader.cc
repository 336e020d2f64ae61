// The streaming loader: first the header, checked against the configuration,
// then the bytes of one tensor after the other, each put in its place as it
// comes.
#include "core/checkpoint/checkpoint_loader.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/checkpoint/elements.h"
#include "core/checkpoint/families.h"
#include "core/checkpoint/quote.h"

namespace attnscope {
namespace {

constexpr std::size_t kLengthBytes = 8;  // of the header's length

// Whether `bytes` can be had at all. Saying so before the first weight arrives
// spares a person the rest of a download; nothing is touched, and in
// WebAssembly the memory grows once instead of many times.
bool can_allocate(std::uint64_t bytes) {
  if (bytes > std::numeric_limits<std::size_t>::max()) return false;
  // volatile keeps compilers from removing the unused pair.
  void* volatile memory = std::malloc(static_cast<std::size_t>(bytes));
  const bool ok = memory != nullptr;
  std::free(memory);
  return ok;
}

std::string_view without_prefix(std::string_view name,
                                std::string_view prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

// "h" of "h.0.attn.bias".
std::string_view first_part(std::string_view name) {
  return name.substr(0, name.find('.'));
}

// Which slot each tensor of a header fills.
class Assignment {
 public:
  Assignment(const Family& family, const std::vector<Slot>& slots)
      : family_(family), slots_(slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const auto name = without_prefix(slots[i].name, family.prefix);
      by_name_[name] = i;
      parts_.insert(first_part(name));
    }
    parts_.insert(first_part(family.output_name));
  }

  // [tensor], null for tensors to skip. Errors as in CheckpointLoader::append.
  Result<std::vector<const Slot*>> assign(const SafetensorsHeader& header) {
    std::vector<const Slot*> assigned;
    std::unordered_set<const Slot*> filled;
    for (const TensorEntry& tensor : header.tensors) {
      const auto found =
          by_name_.find(without_prefix(tensor.name, family_.prefix));
      if (found == by_name_.end()) {
        if (Status status = check_skipped(tensor); !status.ok()) return status;
        assigned.push_back(nullptr);
        continue;
      }
      const Slot& slot = slots_[found->second];
      if (Status status = check_fits(tensor, slot); !status.ok()) return status;
      if (!filled.insert(&slot).second)
        return Status(StatusCode::kCorruptHeader,
                      "tensor " + quote(slot.name) +
                          " is there twice, with and without " +
                          quote(family_.prefix));
      assigned.push_back(&slot);
    }
    for (const Slot& slot : slots_)
      if (!filled.contains(&slot))
        return Status(StatusCode::kMissingTensor,
                      "tensor " + quote(slot.name) + " " +
                          shape_text(slot.shape) + " is missing");
    return assigned;
  }

 private:
  // A tensor without a slot may be skipped if the decoder's computation cannot
  // contain it: known buffers, the tied output, and parts of another name, such
  // as a classifier's. Anything else in the decoder's own parts (a bias where
  // the configuration has none, a further norm) would change the result.
  Status check_skipped(const TensorEntry& tensor) const {
    const std::string_view name = tensor.name;
    const auto bare = without_prefix(name, family_.prefix);
    const auto is_end = [&](const char* end) { return name.ends_with(end); };
    const bool is_known =
        name == family_.output_name ||
        std::any_of(family_.ignored.begin(), family_.ignored.end(), is_end);
    const bool is_of_decoder =
        bare.size() < name.size() || parts_.contains(first_part(bare));
    if (is_known || !is_of_decoder) return {};
    return {StatusCode::kUnsupportedSetting,
            "tensor " + quote(name) + " " + shape_text(tensor.shape) +
                " has no place in the " + family_.model_type +
                " model that config.json describes"};
  }

  static Status check_fits(const TensorEntry& tensor, const Slot& slot) {
    if (tensor.shape != slot.shape)
      return {StatusCode::kWrongShape,
              "tensor " + quote(tensor.name) + " has the shape " +
                  shape_text(tensor.shape) + ", but config.json implies " +
                  shape_text(slot.shape)};
    if (tensor.dtype == Dtype::kOther)
      return {StatusCode::kUnsupportedDtype,
              "tensor " + quote(tensor.name) + " is stored as " +
                  tensor.dtype_name + "; F32, F16 and BF16 are implemented"};
    return {};
  }

  const Family& family_;
  const std::vector<Slot>& slots_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  std::unordered_set<std::string_view> parts_;
};

}  // namespace

struct CheckpointLoader::State {
  const Family* family = nullptr;
  std::unique_ptr<Model> model;
  std::vector<Slot> slots;
  Status status;  // once not ok, it stays

  std::vector<std::uint8_t> head;  // length and header, as far as they arrived
  bool header_is_read = false;
  SafetensorsHeader header;
  std::vector<const Slot*> slot_of;  // [tensor], null to skip

  std::uint64_t received = 0;  // bytes of data
  std::size_t tensor = 0;      // that the next byte belongs to
  std::uint64_t position = 0;  // of the next byte in that tensor
  // Start of an element whose end is still to come.
  std::array<std::uint8_t, 4> cut_element = {};

  Status append(std::span<const std::uint8_t> bytes);
  Result<std::size_t> head_size() const;
  Status read_header();
  Status place(std::span<const std::uint8_t> bytes);
  void store(const Slot& slot, Dtype dtype,
             std::span<const std::uint8_t> bytes);
  void store_whole(const Slot& slot, Dtype dtype, Index element, Index count,
                   const std::uint8_t* bytes);
  Status check_complete() const;
};

// Bytes before the data, as far as known.
Result<std::size_t> CheckpointLoader::State::head_size() const {
  if (head.size() < kLengthBytes) return kLengthBytes;
  const auto length = read_header_length(
      std::span<const std::uint8_t, 8>(head.data(), kLengthBytes));
  if (!length.ok()) return length.status();
  return kLengthBytes + static_cast<std::size_t>(length.value());
}

Status CheckpointLoader::State::append(std::span<const std::uint8_t> bytes) {
  while (!header_is_read && !bytes.empty()) {
    const auto size = head_size();
    if (!size.ok()) return size.status();
    const std::size_t count =
        std::min(size.value() - head.size(), bytes.size());
    head.insert(head.end(), bytes.begin(),
                bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    const auto now = head_size();  // the length itself may have come just now
    if (!now.ok()) return now.status();
    if (head.size() > kLengthBytes && head.size() == now.value())
      if (Status read = read_header(); !read.ok()) return read;
  }
  return place(bytes);
}

Status CheckpointLoader::State::read_header() {
  auto parsed = parse_safetensors_header(
      std::span<const std::uint8_t>(head).subspan(kLengthBytes));
  if (!parsed.ok()) return parsed.status();
  header = std::move(parsed.value());
  auto assigned = Assignment(*family, slots).assign(header);
  if (!assigned.ok()) return assigned.status();
  slot_of = std::move(assigned.value());

  std::uint64_t bytes = 0;
  for (const Slot& slot : slots)
    bytes += slot.allocated_bytes(model->kernels->panel_width);
  if (!can_allocate(bytes))
    return {StatusCode::kOutOfMemory, "the model needs " +
                                          std::to_string(bytes) +
                                          " bytes, which cannot be had"};
  header_is_read = true;
  head = {};
  return {};
}

Status CheckpointLoader::State::place(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    if (tensor == header.tensors.size())
      return {StatusCode::kOversized,
              "the file goes on after the " +
                  std::to_string(header.data_bytes) +
                  " bytes of data that its header announces"};
    const TensorEntry& entry = header.tensors[tensor];
    const std::uint64_t size = entry.end - entry.begin;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(size - position, bytes.size()));
    if (const Slot* slot = slot_of[tensor]) {
      // Only now, so that a header's claims cost nothing until bytes follow.
      if (position == 0)
        if (Status made = slot->allocate(model->kernels->panel_width);
            !made.ok())
          return made;
      store(*slot, entry.dtype, bytes.first(count));
    }
    bytes = bytes.subspan(count);
    received += count;
    position += count;
    if (position == size) {
      ++tensor;
      position = 0;
    }
  }
  return {};
}

// Bytes from `position` on of the tensor that fills `slot`. Pieces may begin
// and end within an element.
void CheckpointLoader::State::store(const Slot& slot, Dtype dtype,
                                    std::span<const std::uint8_t> bytes) {
  const std::size_t width = element_bytes(dtype);
  auto element = static_cast<Index>(position / width);
  const auto before = static_cast<std::size_t>(position % width);
  if (before > 0) {
    const std::size_t count = std::min(width - before, bytes.size());
    std::copy_n(bytes.begin(), count, cut_element.begin() + before);
    bytes = bytes.subspan(count);
    if (before + count < width) return;
    store_whole(slot, dtype, element++, 1, cut_element.data());
  }
  const std::size_t whole = bytes.size() / width;
  store_whole(slot, dtype, element, static_cast<Index>(whole), bytes.data());
  bytes = bytes.subspan(whole * width);
  std::copy(bytes.begin(), bytes.end(), cut_element.begin());
}

void CheckpointLoader::State::store_whole(const Slot& slot, Dtype dtype,
                                          Index element, Index count,
                                          const std::uint8_t* bytes) {
  while (count > 0) {
    const Slot::Run run = slot.run_at(element, model->kernels->panel_width);
    const Index length = std::min(run.length, count);
    convert_elements(bytes, dtype, length, run.first, run.stride);
    bytes += static_cast<std::size_t>(length) * element_bytes(dtype);
    element += length;
    count -= length;
  }
}

Status CheckpointLoader::State::check_complete() const {
  if (header_is_read) {
    if (received == header.data_bytes) return {};
    return {StatusCode::kTruncated,
            "the file ends after " + std::to_string(received) + " of " +
                std::to_string(header.data_bytes) + " bytes of data"};
  }
  if (head.size() < kLengthBytes)
    return {StatusCode::kNotSafetensors,
            "not a safetensors file: it has only " +
                std::to_string(head.size()) + " bytes"};
  return {StatusCode::kTruncated, "the file ends within its header, after " +
                                      std::to_string(head.size()) + " bytes"};
}

Result<CheckpointLoader> CheckpointLoader::begin(std::string_view config_json,
                                                 const Kernels& kernels) {
  auto config = parse_config(config_json);
  if (!config.ok()) return config.status();
  auto state = std::make_unique<State>();
  state->family = find_family(config.value().model_type);
  state->model = std::make_unique<Model>();
  Model& model = *state->model;
  model.config = std::move(config.value());
  model.kernels = &kernels;
  model.parameters.blocks.resize(
      static_cast<std::size_t>(model.config.num_layers));
  SlotList list;
  state->family->list_slots(model.config, model.parameters, list);
  state->slots = std::move(list.slots);
  return CheckpointLoader(std::move(state));
}

CheckpointLoader::CheckpointLoader(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CheckpointLoader::CheckpointLoader(CheckpointLoader&&) noexcept = default;
CheckpointLoader& CheckpointLoader::operator=(CheckpointLoader&&) noexcept =
    default;
CheckpointLoader::~CheckpointLoader() = default;

Status CheckpointLoader::append(std::span<const std::uint8_t> bytes) {
  if (state_->status.ok()) state_->status = state_->append(bytes);
  return state_->status;
}

Result<std::unique_ptr<Model>> CheckpointLoader::finish() {
  if (!state_->status.ok()) return state_->status;
  state_->status = state_->check_complete();
  if (!state_->status.ok()) return state_->status;
  state_->status = {StatusCode::kInvalidArgument,
                    "this loader has handed out its model already"};
  Model& model = *state_->model;
  const Family& family = *find_family(model.config.model_type);
  if (family.finish != nullptr) family.finish(model.parameters);
  return std::move(state_->model);
}

}  // namespace attnscope
