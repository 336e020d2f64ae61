// Text from a file, made fit for an error message: short, and in quotes. Read
// next: safetensors.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_QUOTE_H_
#define ATTNSCOPE_CORE_CHECKPOINT_QUOTE_H_

#include <string>
#include <string_view>

namespace attnscope {

// `text` in single quotes, cut to about a hundred bytes. A hostile name may be
// megabytes long. Valid UTF-8 stays valid: the cut never splits a character.
std::string quote(std::string_view text);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_QUOTE_H_
