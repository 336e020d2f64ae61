// What distinguishes one decoder family from another, as data: the decoder
// reads these settings and has no code per family. Filled from config.json by
// ../checkpoint/config_json.h. Read next: parameters.h.
#ifndef ATTNSCOPE_CORE_MODEL_CONFIG_H_
#define ATTNSCOPE_CORE_MODEL_CONFIG_H_

#include <string>
#include <vector>

#include "core/base/packed_matrix.h"

namespace attnscope {

enum class NormKind { kLayerNorm, kRmsNorm };
enum class PositionKind { kLearned, kSinusoidal, kRotary };
enum class Activation { kGeluErf, kGeluTanh, kSilu, kRelu };

struct ModelConfig {
  std::string model_type;  // as config.json says: "gpt2", "gpt_neox", "llama"

  Index vocabulary_size = 0;
  Index model_dim = 0;
  Index num_layers = 0;
  Index num_query_heads = 0;
  Index num_kv_heads = 0;  // divides num_query_heads
  Index head_dim = 0;
  Index mlp_dim = 0;
  Index context = 0;  // most tokens that the model was made for

  NormKind norm = NormKind::kLayerNorm;
  float norm_epsilon = 0;

  PositionKind position = PositionKind::kLearned;
  Index rotary_dim = 0;  // leading dimensions of a head that turn
  float rotary_base = 0;

  Activation activation = Activation::kGeluErf;
  bool gated_mlp = false;  // activation(gate) * up, as in Llama
  bool parallel_residual =
      false;                 // attention and MLP both read the block input
  bool tied_output = false;  // the output projection is the embedding

  // Whether the projections of attention, and those of the MLP, have biases.
  bool attention_bias = true;
  bool mlp_bias = true;

  float attention_scale = 0;  // of the scores, usually 1 / sqrt(head_dim)

  // Marks around a text, -1 where there is none.
  Index begin_token = -1;
  std::vector<Index> end_tokens;

  Index query_dim() const { return num_query_heads * head_dim; }
  Index kv_dim() const { return num_kv_heads * head_dim; }
  // The head of keys and values that a query head reads (grouped-query
  // attention, Ainslie et al. 2023): 4 query heads on 2 give 0, 0, 1, 1.
  Index kv_head(Index query_head) const {
    return query_head / (num_query_heads / num_kv_heads);
  }
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_CONFIG_H_
