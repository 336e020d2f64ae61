// Reads a Hugging Face config.json into a ModelConfig. Every setting of a known
// family is honoured or refused by name; none that changes the computation is
// ignored. Read next: families.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_CONFIG_JSON_H_
#define ATTNSCOPE_CORE_CHECKPOINT_CONFIG_JSON_H_

#include <string_view>

#include "core/base/status.h"
#include "core/model/config.h"

namespace attnscope {

// Errors: kInvalidConfig (not JSON; a setting missing, of a wrong type or out
// of range), kUnsupportedArchitecture (a model_type that no family has),
// kUnsupportedSetting. Each message names the setting and its value.
Result<ModelConfig> parse_config(std::string_view json);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_CONFIG_JSON_H_
