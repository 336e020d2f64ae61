// Fuzzes what reads other people's files: config.json and safetensors, as far
// as a loaded model and one short run of it. Left out: the tokenizer and the
// network, which are TypeScript. Read next: make_corpus.py, which writes the
// inputs to start from.
//
// An input is
//   byte 0      kind: bit 0 the file is made from the configuration (below),
//               bit 1 a file too short for its header is filled up,
//               bit 2 the checkpoint has two files,
//               bits 3-4 the element type of a made file,
//               bits 5-6 the storage kind of the model's matrices
//   byte 1      size of the pieces that the loader gets, 0 for all at once
//   bytes 2-3   length of config.json, little endian
//   bytes 4-5   length of the first of two files
//   then        config.json and the file, or the two
//
// A made file has exactly the tensors that the loader expects, so that every
// configuration it accepts is run, not only those with a file in the corpus.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint_loader.h"
#include "core/generate/sampler.h"
#include "core/generate/session.h"

// The core's refusal of what is too large depends on malloc returning null.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size);

namespace attnscope {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t kMemoryLimit = 1 << 20;
constexpr std::size_t kHeadBytes = 6;
constexpr std::size_t kLengthBytes = 8;  // of a safetensors header's length
constexpr Index kMostTokens = 6;

// Not assert: it must hold in every kind of build.
void expect(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what.c_str());
  std::abort();
}

struct Input {
  std::uint8_t kind = 0;
  std::uint8_t piece = 0;
  Bytes config;
  std::array<Bytes, 2> files;

  bool is_made() const { return (kind & 1) != 0; }
  bool is_filled() const { return (kind & 2) != 0; }
  bool has_two_files() const { return (kind & 4) != 0; }
  Storage storage() const {
    return std::array{Storage::kFloat32, Storage::kBFloat16, Storage::kFloat16,
                      Storage::kInt8}[kind >> 5 & 3];
  }

  static Input read(std::span<const std::uint8_t> bytes);
  std::size_t write(std::span<std::uint8_t> to) const;
};

// What is missing is zero or empty.
Input Input::read(std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, kHeadBytes> head = {};
  const std::size_t head_size = std::min(bytes.size(), head.size());
  std::copy_n(bytes.begin(), head_size, head.begin());
  bytes = bytes.subspan(head_size);
  const auto take = [&](std::size_t wanted) {
    const auto taken = bytes.first(std::min(wanted, bytes.size()));
    bytes = bytes.subspan(taken.size());
    return Bytes(taken.begin(), taken.end());
  };
  Input input;
  input.kind = head[0];
  input.piece = head[1];
  input.config = take(head[2] + 256u * head[3]);
  input.files[0] =
      take(input.has_two_files() ? head[4] + 256u * head[5] : bytes.size());
  input.files[1] = take(bytes.size());
  return input;
}

std::size_t Input::write(std::span<std::uint8_t> to) const {
  const auto low = [](const Bytes& part) {
    return static_cast<std::uint8_t>(part.size() % 256);
  };
  const auto high = [](const Bytes& part) {
    return static_cast<std::uint8_t>(part.size() / 256);
  };
  Bytes bytes = {kind,         piece,         low(config),
                 high(config), low(files[0]), high(files[0])};
  for (const Bytes* part : {&config, &files[0], &files[1]})
    bytes.insert(bytes.end(), part->begin(), part->end());
  const std::size_t size = std::min(bytes.size(), to.size());
  std::copy_n(bytes.begin(), size, to.begin());
  return size;
}

// The bytes given, over and over.
Bytes repeated(std::span<const std::uint8_t> bytes, std::size_t size) {
  Bytes data(size);
  for (std::size_t i = 0; i < size && !bytes.empty(); ++i)
    data[i] = bytes[i % bytes.size()];
  return data;
}

void append_header(Bytes& file, const std::string& json) {
  for (std::size_t i = 0; i < kLengthBytes; ++i)
    file.push_back(
        static_cast<std::uint8_t>(std::uint64_t{json.size()} >> (8 * i)));
  file.insert(file.end(), json.begin(), json.end());
}

Bytes make_file(std::span<const Slot> slots, std::uint8_t kind,
                std::span<const std::uint8_t> source) {
  constexpr std::array kTypes = {std::pair{"F32", 4}, std::pair{"F16", 2},
                                 std::pair{"BF16", 2}};
  const auto [type, width] = kTypes[(kind >> 3) % kTypes.size()];
  nlohmann::json header = nlohmann::json::object();
  std::uint64_t end = 0;
  for (const Slot& slot : slots) {
    const std::uint64_t begin = end;
    end += slot.num_elements() * static_cast<std::uint64_t>(width);
    header[slot.name] = {
        {"dtype", type}, {"shape", slot.shape}, {"data_offsets", {begin, end}}};
  }
  Bytes file;
  append_header(file, header.dump());
  const Bytes data = repeated(source, static_cast<std::size_t>(end));
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

// With the data that its header announces, if that is no more than a model may
// take.
void fill_up(Bytes& file) {
  if (file.size() < kLengthBytes) return;
  const auto length = read_header_length(
      std::span<const std::uint8_t, kLengthBytes>(file.data(), kLengthBytes));
  if (!length.ok() || length.value() > file.size() - kLengthBytes) return;
  const std::size_t data_begin =
      kLengthBytes + static_cast<std::size_t>(length.value());
  const auto header =
      parse_safetensors_header(std::span<const std::uint8_t>(file)
                                   .first(data_begin)
                                   .subspan(kLengthBytes));
  if (!header.ok() || header.value().data_bytes > kMemoryLimit) return;
  const std::size_t wanted =
      data_begin + static_cast<std::size_t>(header.value().data_bytes);
  if (file.size() >= wanted) return;
  const Bytes data = repeated(file, wanted - file.size());
  file.insert(file.end(), data.begin(), data.end());
}

Status append_in_pieces(CheckpointLoader& loader,
                        std::span<const std::uint8_t> file, std::size_t piece) {
  while (!file.empty()) {
    const std::size_t count =
        piece == 0 ? file.size() : std::min(piece, file.size());
    if (Status status = loader.append(file.first(count)); !status.ok())
      return status;
    file = file.subspan(count);
  }
  return {};
}

Result<std::unique_ptr<Model>> load(CheckpointLoader& loader,
                                    std::span<const Bytes> files,
                                    std::size_t piece) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0)
      if (Status status = loader.next_file(); !status.ok()) return status;
    if (Status status = append_in_pieces(loader, files[i], piece); !status.ok())
      return status;
  }
  return loader.finish();
}

void expect_message(const Status& status) {
  expect(!status.ok() && !status.message().empty(), "a fault has a message");
}

std::vector<std::int32_t> some_tokens(Index count, const ModelConfig& config) {
  std::vector<std::int32_t> tokens;
  for (Index i = 0; i < count; ++i)
    tokens.push_back(
        static_cast<std::int32_t>(i * 7919 % config.vocabulary_size));
  return tokens;
}

// A prompt with everything recorded, then a token more.
void run(std::shared_ptr<const Model> model) {
  const ModelConfig& config = model->config;
  const Index room = std::min(config.context, kMostTokens);
  auto made =
      Session::make(model, TextLengths{room, config.has_encoder() ? room : 0});
  if (!made.ok()) return expect_message(made.status());
  Session& session = made.value();
  const auto tokens = some_tokens(std::max<Index>(room - 1, 1), config);
  const auto source = some_tokens(config.has_encoder() ? room : 0, config);
  RunOptions options;
  options.execution = Execution::kTraced;
  options.record = all_tensors(config);
  options.all_logits = true;
  const Status prefilled =
      session.prefill(Prompt{tokens, source, {}}, std::move(options));
  if (!prefilled.ok()) return expect_message(prefilled);
  for (const TensorId id : all_tensors(config))
    expect(session.trace().tensor(id).ok(), "what was asked for is recorded");
  const std::size_t rows = config.has_logits ? tokens.size() : 0;
  expect(session.logits().size() ==
             rows * static_cast<std::size_t>(config.vocabulary_size),
         "a row of logits for every token");
  if (rows == 0) return;
  auto sampler = Sampler::make({}, *model->kernels, config.vocabulary_size);
  expect(sampler.ok(), "the plain sampler is made");
  const Index next = sampler.value().sample(session.last_logits());
  expect(next >= 0 && next < config.vocabulary_size,
         "a sampled token is in the vocabulary");
  if (config.architecture == Architecture::kEncoder ||
      session.length() == session.capacity())
    return;
  const Status stepped = session.decode_step(static_cast<std::int32_t>(next));
  if (!stepped.ok()) return expect_message(stepped);
}

void test(const Input& input) {
  const std::string_view config(
      reinterpret_cast<const char*>(input.config.data()), input.config.size());
  std::vector<Bytes> files = {input.files[0]};
  if (input.has_two_files() && !input.is_made())
    files.push_back(input.files[1]);
  LoadOptions options;
  options.num_files = static_cast<Index>(files.size());
  options.memory_limit = kMemoryLimit;
  options.storage = input.storage();
  const auto begin = [&] {
    return CheckpointLoader::begin(config, best_kernels(), options);
  };
  auto loader = begin();
  if (!loader.ok()) return expect_message(loader.status());
  if (input.is_made())
    files[0] = make_file(loader.value().slots(), input.kind, files[0]);
  else if (input.is_filled())
    for (Bytes& file : files) fill_up(file);

  auto model = load(loader.value(), files, 0);
  if (input.piece != 0) {
    auto again = begin();
    const Status status = load(again.value(), files, input.piece).status();
    expect(status.code() == model.status().code() &&
               status.message() == model.status().message(),
           "pieces of any size give the same: '" + status.message() +
               "' and '" + model.status().message() + "'");
  }
  if (!model.ok()) {
    // But for a number that the storage kind cannot hold.
    expect(!input.is_made() ||
               (input.storage() != Storage::kFloat32 &&
                model.status().code() == StatusCode::kInvalidArgument),
           "its own file fits: " + model.status().message());
    return expect_message(model.status());
  }
  run(std::move(model.value()));
}

// Changes one part and leaves the lengths true, which changes to the whole
// would hardly ever do.
void mutate(Input& input, unsigned seed) {
  const auto change = [](Bytes& bytes, std::size_t from) {
    constexpr std::size_t kMostGrowth = 64;
    const std::size_t size = bytes.size() - from;
    bytes.resize(bytes.size() + kMostGrowth);
    const std::size_t now =
        LLVMFuzzerMutate(bytes.data() + from, size, size + kMostGrowth);
    bytes.resize(from + now);
  };
  switch (seed % 8) {
    case 0:
      input.kind = static_cast<std::uint8_t>(seed >> 8);
      input.piece = static_cast<std::uint8_t>(seed >> 16);
      return;
    case 1:
    case 2:
    case 3:
      return change(input.config, 0);
    default: {
      Bytes& file = input.files[input.has_two_files() ? seed >> 8 & 1 : 0];
      const bool keep_true = seed % 32 != 4 && file.size() > kLengthBytes;
      change(file, keep_true ? kLengthBytes : 0);
      if (!keep_true || input.is_made()) return;
      const std::uint64_t length = file.size() - kLengthBytes;
      for (std::size_t i = 0; i < kLengthBytes; ++i)
        file[i] = static_cast<std::uint8_t>(length >> (8 * i));
    }
  }
}

}  // namespace
}  // namespace attnscope

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  attnscope::test(attnscope::Input::read({data, size}));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned seed) {
  auto input = attnscope::Input::read({data, size});
  attnscope::mutate(input, seed);
  return input.write({data, max_size});
}
