// Parsing of the command line.
#include "scripts/lib/attnscope_run/command.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <system_error>

namespace attnscope {
namespace {

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

Ids parse_numbers(const std::string& list, const std::string& option) {
  Ids numbers;
  for (const auto& number : split(list)) {
    numbers.push_back(parse_number(number, option));
  }
  return numbers;
}

}  // namespace

void die(const std::string& message, int exit_code) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(exit_code);
}

void check(const Status& status, const std::string& about) {
  if (status.ok()) return;
  die(std::string(status_code_name(status.code())) + ": " +
          (about.empty() ? "" : about + ": ") + status.message(),
      1);
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
      command.ids = parse_numbers(value, name);
    } else if (name == "--decoder-ids") {
      command.decoder_ids = parse_numbers(value, name);
    } else if (name == "--token-types") {
      command.token_types = parse_numbers(value, name);
    } else if (name == "--attention-mask") {
      for (const std::int32_t shown : parse_numbers(value, name)) {
        command.hidden.push_back(shown == 0 ? 1 : 0);
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

}  // namespace attnscope
