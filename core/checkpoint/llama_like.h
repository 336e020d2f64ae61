// What Llama and the families that change details of it have in common. The
// definitions are in llama.cc; Gemma 3 (gemma3.cc) uses them too.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_LLAMA_LIKE_H_
#define ATTNSCOPE_CORE_CHECKPOINT_LLAMA_LIKE_H_

#include "core/checkpoint/families.h"

namespace attnscope {

// All settings but those of rotary positions, windows, biases and tokens.
// Without head_dim a head has `head_dim_fallback` dimensions, or the width's
// share if that is 0.
void read_llama_like(Settings& settings, ModelConfig& config,
                     Index head_dim_fallback = 0);
void list_llama_like(const ModelConfig& config, ModelParameters& parameters,
                     SlotList& list);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_LLAMA_LIKE_H_
