// The native engine behind scripts/inspect: runs a checkpoint folder on token
// ids and writes every array as a .npy file. Text, tokenization and .npz are
// left to inspect/. Read next: inspect/native-engine.mjs.
//
//   attnscope_run FOLDER --ids 1,2,3 --out FOLDER [--attention-mask 1,1,0]
//                 [--greedy N] [--tensors NAME,...|all] [--storage KIND]
//
// ATTNSCOPE_VARIANT in the environment chooses the kernels by name.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint_loader.h"
#include "core/generate/sampler.h"
#include "core/generate/session.h"

namespace attnscope {
namespace {

using Ids = std::vector<std::int32_t>;

// Says what is wrong and ends the program: 2 for a wrong command, else 1.
[[noreturn]] void die(const std::string& message, int exit_code) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(exit_code);
}

void check(const Status& status, const std::string& about = "") {
  if (status.ok()) return;
  die(std::string(status_code_name(status.code())) + ": " +
          (about.empty() ? "" : about + ": ") + status.message(),
      1);
}

template <class T>
T unwrap(Result<T> result, const std::string& about = "") {
  check(result.status(), about);
  return std::move(result.value());
}

// ---- the command ------------------------------------------------------------

struct Command {
  std::string folder;
  std::string output;
  Ids ids;
  std::vector<std::uint8_t> hidden;  // [token], 1 for padding, or empty
  Index greedy = 0;
  std::vector<std::string> tensors;
  Storage storage = Storage::kFloat32;
};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size()
                                                       : comma + 1);
  }
  return parts;
}

std::int32_t parse_number(const std::string& text, const std::string& option) {
  std::int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    die(option + ": '" + text + "' is not a whole number", 2);
  }
  return number;
}

Command parse_command(int count, char** arguments) {
  Command command;
  std::map<std::string, std::string> options;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (!argument.starts_with("--")) {
      command.folder = argument;
    } else if (i + 1 < count) {
      options[argument] = arguments[++i];
    } else {
      die(argument + " needs a value", 2);
    }
  }
  for (const auto& [name, value] : options) {
    if (name == "--out") {
      command.output = value;
    } else if (name == "--ids") {
      for (const auto& id : split(value)) {
        command.ids.push_back(parse_number(id, name));
      }
    } else if (name == "--attention-mask") {
      for (const auto& shown : split(value)) {
        command.hidden.push_back(parse_number(shown, name) == 0 ? 1 : 0);
      }
    } else if (name == "--greedy") {
      command.greedy = parse_number(value, name);
    } else if (name == "--tensors") {
      command.tensors = split(value);
    } else if (name == "--storage") {
      const auto storage = find_storage(value);
      if (!storage) die("--storage: '" + value + "' is not a storage kind", 2);
      command.storage = *storage;
    } else {
      die("unknown option " + name, 2);
    }
  }
  if (command.folder.empty() || command.output.empty()) {
    die("usage: attnscope_run FOLDER --ids 1,2,3 --out FOLDER", 2);
  }
  return command;
}

// ---- files ------------------------------------------------------------------

std::ifstream open_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  // A folder opens like a file, and fails only when it is read.
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored)) {
    die("fetch-failed: " + path.string() + " cannot be read", 1);
  }
  return file;
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file = open_file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<const Model> load_model(const std::filesystem::path& folder,
                                        Storage storage) {
  const char* name = std::getenv("ATTNSCOPE_VARIANT");
  const bool any = name == nullptr || *name == '\0';
  const Kernels* kernels = any ? &best_kernels() : find_kernels(name);
  if (kernels == nullptr) {
    die("unsupported-variant: " + std::string(name) + " cannot run here", 1);
  }

  auto loader =
      unwrap(CheckpointLoader::begin(read_text(folder / "config.json"),
                                     *kernels, {.storage = storage}),
             folder.string());
  const auto path = folder / "model.safetensors";
  std::ifstream file = open_file(path);
  std::vector<char> chunk(1 << 20);
  while (file) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    check(loader.append({reinterpret_cast<const std::uint8_t*>(chunk.data()),
                         static_cast<std::size_t>(file.gcount())}),
          path.string());
  }
  return unwrap(loader.finish(), path.string());
}

// Writes NumPy's format, version 1.0, for two axes or more. `type` is NumPy's
// name of the element type, all little endian: "<f4", "<i8".
void write_npy(const std::filesystem::path& path, const char* type,
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

// Every array has a leading axis of one text, [1, ...].
class Output {
 public:
  explicit Output(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void write(const std::string& name, const Ids& ids) const {
    const std::vector<std::int64_t> wide(ids.begin(), ids.end());
    write_npy(folder_ / (name + ".npy"), "<i8",
              {1, static_cast<Index>(ids.size())}, wide.data(),
              wide.size() * sizeof(std::int64_t));
  }
  void write(const std::string& name, std::vector<Index> shape,
             std::span<const float> values) const {
    shape.insert(shape.begin(), 1);
    write_npy(folder_ / (name + ".npy"), "<f4", shape, values.data(),
              values.size_bytes());
  }

 private:
  std::filesystem::path folder_;
};

// ---- the run ----------------------------------------------------------------

std::string weights_name(Index layer, const ModelConfig& config) {
  return tensor_name({Hook::kWeights, layer}, config);
}

std::vector<std::string> tensors_to_write(const Command& command,
                                          const ModelConfig& config) {
  if (command.tensors != std::vector<std::string>{"all"}) {
    return command.tensors;
  }
  std::vector<std::string> names;
  for (const TensorId id : all_tensors(config)) {
    names.push_back(tensor_name(id, config));
  }
  return names;
}

void write_prompt(const std::shared_ptr<const Model>& model,
                  const Command& command, const Mask& mask,
                  const Output& output) {
  const ModelConfig& config = model->config;
  const auto length = static_cast<Index>(command.ids.size());
  RunOptions options;
  options.mask = mask;
  options.execution = Execution::kTraced;
  options.all_logits = true;
  const auto names = tensors_to_write(command, config);
  for (const auto& name : names) {
    options.record.push_back(unwrap(parse_tensor_name(name, config)));
  }
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    options.record.push_back({Hook::kWeights, layer});
  }
  auto session = unwrap(Session::make(model, std::max<Index>(length, 1)));
  check(session.prefill(command.ids, std::move(options)));

  const auto write_tensor = [&](const std::string& as,
                                const std::string& name) {
    const Tensor tensor =
        unwrap(session.trace().tensor(unwrap(parse_tensor_name(name, config))));
    output.write(as, tensor.shape, {tensor.data.data(), tensor.data.size()});
  };
  output.write("ids", command.ids);
  output.write("logits", {length, config.vocabulary_size}, session.logits());
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    write_tensor("attentions." + std::to_string(layer),
                 weights_name(layer, config));
  }
  for (const auto& name : names) write_tensor(name, name);
}

// The prompt and `greedy` tokens more, each the likeliest; an end token does
// not end it.
void write_continuation(const std::shared_ptr<const Model>& model,
                        const Command& command, const Mask& mask,
                        const Output& output) {
  const auto length = static_cast<Index>(command.ids.size());
  auto session = unwrap(Session::make(model, length + command.greedy));
  RunOptions options;
  options.mask = mask;
  check(session.prefill(command.ids, std::move(options)));
  auto sampler =
      unwrap(Sampler::make({}, *model->kernels, model->config.vocabulary_size));
  Ids text = command.ids;
  for (Index i = 0; i < command.greedy; ++i) {
    text.push_back(
        static_cast<std::int32_t>(sampler.sample(session.last_logits())));
    // The last token's own logits are not needed.
    if (i + 1 < command.greedy) check(session.decode_step(text.back()));
  }
  output.write("greedy", text);
}

void run(const Command& command) {
  const auto model = load_model(command.folder, command.storage);
  const std::size_t length = command.ids.size();
  const auto context = static_cast<std::size_t>(model->config.context);
  if (length > context) {
    check({StatusCode::kCapacityReached,
           "the text has " + std::to_string(length) +
               " tokens, the model's context holds " +
               std::to_string(context)});
  }
  Mask mask = Mask::causal();
  if (!command.hidden.empty()) mask = mask & Mask::padding(command.hidden);
  const Output output(command.output);
  write_prompt(model, command, mask, output);
  if (command.greedy > 0) write_continuation(model, command, mask, output);
}

}  // namespace
}  // namespace attnscope

int main(int count, char** arguments) {
  attnscope::run(attnscope::parse_command(count, arguments));
}
