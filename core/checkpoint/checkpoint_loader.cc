// The streaming loader: of each file first the header, checked against the
// configuration, then the bytes of one tensor after the other, each put in its
// place as it comes.
#include "core/checkpoint/checkpoint_loader.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/embedding_copies.h"
#include "core/checkpoint/slot_writer.h"
#include "core/checkpoint/tensor_assignment.h"

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

// What is known of the file under way.
struct CurrentFile {
  std::vector<std::uint8_t> head;  // length and header, as far as they arrived
  bool header_is_read = false;
  SafetensorsHeader header;
  std::vector<const Slot*> slot_of;  // [tensor], null to skip

  std::uint64_t received = 0;  // bytes of data
  std::size_t tensor = 0;      // that the next byte belongs to
  std::uint64_t position = 0;  // of the next byte in that tensor

  Result<std::size_t> head_size() const;
  Status check_complete() const;
};

// Bytes before the data, as far as known.
Result<std::size_t> CurrentFile::head_size() const {
  if (head.size() < kLengthBytes) return kLengthBytes;
  const auto length = read_header_length(
      std::span<const std::uint8_t, 8>(head.data(), kLengthBytes));
  if (!length.ok()) return length.status();
  return kLengthBytes + static_cast<std::size_t>(length.value());
}

Status CurrentFile::check_complete() const {
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

}  // namespace

struct CheckpointLoader::State {
  LoadOptions options;
  std::unique_ptr<Model> model;
  std::vector<Slot> slots;
  std::unique_ptr<TensorAssignment> assignment;  // null only before begin
  std::unique_ptr<SlotWriter> writer;
  Index files_before = 0;  // complete ones
  CurrentFile file;
  EmbeddingCopies copies;
  bool may_have_copies = false;
  bool hashing = false;  // the tensor under way
  Status status;         // once not ok, it stays

  Status append(std::span<const std::uint8_t> bytes);
  Status read_header();
  void begin_hash(const TensorEntry& tensor, const Slot* slot);
  Status place(std::span<const std::uint8_t> bytes);
  Status next_file();
  Status check_finished() const;
  bool is_last_file() const { return files_before + 1 == options.num_files; }
};

Status CheckpointLoader::State::append(std::span<const std::uint8_t> bytes) {
  while (!file.header_is_read && !bytes.empty()) {
    const auto size = file.head_size();
    if (!size.ok()) return size.status();
    const std::size_t count =
        std::min(size.value() - file.head.size(), bytes.size());
    file.head.insert(file.head.end(), bytes.begin(),
                     bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    // The length itself may have come just now.
    const auto now = file.head_size();
    if (!now.ok()) return now.status();
    if (file.head.size() > kLengthBytes && file.head.size() == now.value())
      if (Status read = read_header(); !read.ok()) return read;
  }
  return place(bytes);
}

Status CheckpointLoader::State::read_header() {
  auto parsed = parse_safetensors_header(
      std::span<const std::uint8_t>(file.head).subspan(kLengthBytes));
  if (!parsed.ok()) return parsed.status();
  file.header = std::move(parsed.value());
  auto assigned = assignment->assign(file.header);
  if (!assigned.ok()) return assigned.status();
  file.slot_of = std::move(assigned.value());
  may_have_copies =
      options.num_files > 1 ||
      std::any_of(file.header.tensors.begin(), file.header.tensors.end(),
                  [&](const TensorEntry& tensor) {
                    return assignment->repeats_embedding(tensor);
                  });
  if (is_last_file())
    if (Status status = assignment->check_complete(); !status.ok())
      return status;
  if (const std::uint64_t needed = writer->needed_bytes();
      files_before == 0 && !can_allocate(needed))
    return {StatusCode::kOutOfMemory,
            "the model needs " + bytes_text(needed) + ", which cannot be had"};
  file.header_is_read = true;
  file.head = {};
  return {};
}

// Of the token embedding, and of tensors that are skipped as the same. Only
// where there may be both.
void CheckpointLoader::State::begin_hash(const TensorEntry& tensor,
                                         const Slot* slot) {
  const bool is_embedding =
      slot != nullptr &&
      slot->matrices ==
          std::vector<PackedMatrix*>{&model->parameters.token_embedding};
  const bool is_copy = slot == nullptr && assignment->repeats_embedding(tensor);
  hashing = is_copy || (is_embedding && may_have_copies);
  if (is_copy) copies.begin_copy(tensor.name);
  if (is_embedding && hashing) copies.begin_embedding(tensor.name);
}

Status CheckpointLoader::State::place(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    if (file.tensor == file.header.tensors.size())
      return {StatusCode::kOversized,
              "the file goes on after the " +
                  std::to_string(file.header.data_bytes) +
                  " bytes of data that its header announces"};
    const TensorEntry& entry = file.header.tensors[file.tensor];
    const std::uint64_t size = entry.end - entry.begin;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(size - file.position, bytes.size()));
    const Slot* slot = file.slot_of[file.tensor];
    if (file.position == 0) begin_hash(entry, slot);
    if (hashing) copies.append(bytes.first(count));
    if (slot != nullptr) {
      // Only now, so that a header's claims cost nothing until bytes follow.
      if (file.position == 0)
        if (Status begun = writer->begin(*slot, entry.dtype); !begun.ok())
          return begun;
      if (Status written = writer->write(bytes.first(count)); !written.ok())
        return written;
    }
    bytes = bytes.subspan(count);
    file.received += count;
    file.position += count;
    if (file.position == size) {
      ++file.tensor;
      file.position = 0;
    }
  }
  return {};
}

Status CheckpointLoader::State::next_file() {
  if (Status complete = file.check_complete(); !complete.ok()) return complete;
  if (is_last_file())
    return {StatusCode::kInvalidArgument,
            "the checkpoint has no more files than the " +
                std::to_string(options.num_files) + " announced"};
  ++files_before;
  file = {};
  return {};
}

Status CheckpointLoader::State::check_finished() const {
  if (Status complete = file.check_complete(); !complete.ok()) return complete;
  if (is_last_file()) return copies.check();
  return {StatusCode::kTruncated,
          "the checkpoint ends after " + std::to_string(files_before + 1) +
              " of " + std::to_string(options.num_files) + " files"};
}

Result<CheckpointLoader> CheckpointLoader::begin(std::string_view config_json,
                                                 const Kernels& kernels,
                                                 const LoadOptions& options) {
  if (options.num_files < 1)
    return Status(StatusCode::kInvalidArgument,
                  "a checkpoint of " + std::to_string(options.num_files) +
                      " files has no model");
  auto config = parse_config(config_json);
  if (!config.ok()) return config.status();
  const Family& family = *find_family(config.value().model_type);
  auto state = std::make_unique<State>();
  state->options = options;
  state->model = std::make_unique<Model>();
  Model& model = *state->model;
  model.config = std::move(config.value());
  model.kernels = &kernels;
  model.storage = options.storage;
  model.parameters.blocks.resize(
      static_cast<std::size_t>(model.config.num_layers));
  model.parameters.encoder.blocks.resize(
      static_cast<std::size_t>(model.config.encoder.num_layers));
  SlotList list;
  family.list_slots(model.config, model.parameters, list);
  state->slots = std::move(list.slots);
  state->assignment = std::make_unique<TensorAssignment>(family, state->slots);
  state->writer = std::make_unique<SlotWriter>(
      state->slots, kernels.panel_width, options.storage);
  model.stored_bytes = state->writer->stored_bytes();
  const std::uint64_t needed = state->writer->needed_bytes();
  const std::uint64_t limit =
      std::min(options.memory_limit, kAddressSpaceBytes);
  model.memory_limit = limit;
  if (needed > limit)
    return Status(StatusCode::kOutOfMemory,
                  "the model needs " + bytes_text(needed) +
                      ", the limit here is " + bytes_text(limit));
  return CheckpointLoader(std::move(state));
}

CheckpointLoader::CheckpointLoader(std::unique_ptr<State> state)
    : state_(std::move(state)) {}
CheckpointLoader::CheckpointLoader(CheckpointLoader&&) noexcept = default;
CheckpointLoader& CheckpointLoader::operator=(CheckpointLoader&&) noexcept =
    default;
CheckpointLoader::~CheckpointLoader() = default;

std::span<const Slot> CheckpointLoader::slots() const { return state_->slots; }

Status CheckpointLoader::append(std::span<const std::uint8_t> bytes) {
  if (state_->status.ok()) state_->status = state_->append(bytes);
  return state_->status;
}

Status CheckpointLoader::next_file() {
  if (state_->status.ok()) state_->status = state_->next_file();
  return state_->status;
}

Result<std::unique_ptr<Model>> CheckpointLoader::finish() {
  if (state_->status.ok()) state_->status = state_->check_finished();
  if (!state_->status.ok()) return state_->status;
  state_->status = {StatusCode::kInvalidArgument,
                    "this loader has handed out its model already"};
  Model& model = *state_->model;
  const Family& family = *find_family(model.config.model_type);
  if (family.finish != nullptr) family.finish(model.parameters);
  // What the file may have lacked.
  model.config.tied_output = model.parameters.output.matrix.empty();
  model.config.has_logits = !model.config.output_transform ||
                            !model.parameters.output_transform.matrix.empty();
  return std::move(state_->model);
}

}  // namespace attnscope
