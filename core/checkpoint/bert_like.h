// What BERT and RoBERTa share. Read next: bert.cc.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_BERT_LIKE_H_
#define ATTNSCOPE_CORE_CHECKPOINT_BERT_LIKE_H_

#include <string>

#include "core/checkpoint/families.h"

namespace attnscope {

void read_bert_config(Settings& settings, ModelConfig& config);

// Embeddings and blocks, their names behind `base`.
void list_bert_stack(const std::string& base, const ModelConfig& config,
                     ModelParameters& parameters, SlotList& list);

// The layers that predict tokens, all of them or none: a dense layer and a norm
// of these names, the output matrix and its bias behind `output`. A tied output
// has its bias behind `tied_bias`.
void list_token_predictor(const std::string& dense, const std::string& norm,
                          const std::string& output,
                          const std::string& tied_bias,
                          const ModelConfig& config,
                          ModelParameters& parameters, SlotList& list);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_BERT_LIKE_H_
