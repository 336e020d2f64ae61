// Quoting for error messages.
#include "core/checkpoint/quote.h"

namespace attnscope {

std::string quote(std::string_view text) {
  constexpr std::size_t kMost = 100;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  std::size_t end = kMost;
  const auto inside_character = [&](std::size_t i) {
    return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
  };
  while (end > 0 && inside_character(end)) --end;
  return "'" + std::string(text.substr(0, end)) + "...'";
}

}  // namespace attnscope
