// Quoting for error messages.
#include "core/checkpoint/quote.h"

#include <algorithm>

namespace attnscope {
namespace {

// A message is one line, and a file's text must not steer a terminal.
std::string without_controls(std::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(),
      [](unsigned char byte) { return byte < 0x20 || byte == 0x7F; }, '.');
  return shown;
}

}  // namespace

std::string quote(std::string_view text) {
  constexpr std::size_t kMost = 100;
  if (text.size() <= kMost) return "'" + without_controls(text) + "'";
  std::size_t end = kMost;
  const auto inside_character = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (end > 0 && inside_character(end)) --end;
  return "'" + without_controls(text.substr(0, end)) + "...'";
}

}  // namespace attnscope
