// The command line of attnscope_run, and how the program ends when something is
// wrong. Whether ids and names fit the checkpoint is for the engine. Read next:
// main.cc.
#ifndef ATTNSCOPE_SCRIPTS_LIB_ATTNSCOPE_RUN_COMMAND_H_
#define ATTNSCOPE_SCRIPTS_LIB_ATTNSCOPE_RUN_COMMAND_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/packed_matrix.h"
#include "core/base/status.h"

namespace attnscope {

using Ids = std::vector<std::int32_t>;

struct Command {
  std::string folder;
  std::string output;
  Ids ids;                         // the text; of an encoder-decoder the source
  std::optional<Ids> decoder_ids;  // of an encoder-decoder the text
  Ids token_types;                 // [token] or empty
  std::vector<std::uint8_t> hidden;  // [token], 1 for padding, or empty
  Index greedy = 0;
  std::vector<std::string> tensors;
  Storage storage = Storage::kFloat32;
};

// Says what is wrong and ends the program: 2 for a wrong command, else 1.
[[noreturn]] void die(const std::string& message, int exit_code);
void check(const Status& status, const std::string& about = "");
template <class T>
T unwrap(Result<T> result, const std::string& about = "") {
  check(result.status(), about);
  return std::move(result.value());
}

Command parse_command(int count, char** arguments);

}  // namespace attnscope

#endif  // ATTNSCOPE_SCRIPTS_LIB_ATTNSCOPE_RUN_COMMAND_H_
