// What BART, mBART, Marian and M2M100 share: an encoder and a decoder whose
// tensors have the same names. They differ in the norms' places and in
// positions. Read next: bart.cc.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_BART_LIKE_H_
#define ATTNSCOPE_CORE_CHECKPOINT_BART_LIKE_H_

#include <vector>

#include "core/checkpoint/families.h"

namespace attnscope {

// All but norms, positions and start tokens.
void read_bart_config(Settings& settings, Activation activation,
                      ModelConfig& config);

// Every tensor of the model that the configuration describes.
void list_bart_slots(const ModelConfig& config, ModelParameters& parameters,
                     SlotList& list);

// Ends of the names of tensors that hold what another tensor holds too, or what
// is computed.
std::vector<const char*> bart_ignored();

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_BART_LIKE_H_
