// What distinguishes one decoder family from another, as data: the decoder
// reads these settings and has no code per family. Filled from config.json by
// ../checkpoint/config_json.h. Read next: parameters.h.
#ifndef ATTNSCOPE_CORE_MODEL_CONFIG_H_
#define ATTNSCOPE_CORE_MODEL_CONFIG_H_

#include <optional>
#include <string>
#include <vector>

#include "core/base/packed_matrix.h"
#include "core/positions/rotary.h"

namespace attnscope {

enum class NormKind { kLayerNorm, kRmsNorm };
// Positions are added to the embedding (learned, sinusoidal), turn queries and
// keys (rotary), or lower the scores of far keys (ALiBi).
enum class PositionKind { kLearned, kSinusoidal, kRotary, kAlibi };
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

  float embedding_scale = 1;    // multiplies the token embedding
  bool embedding_norm = false;  // a norm between embedding and first block

  PositionKind position = PositionKind::kLearned;
  Index position_offset = 0;  // rows of the learned table before position 0
  RotarySettings rotary;
  // Of the layers with a window, where it differs.
  std::optional<RotarySettings> window_rotary;
  // [layer] keys that a query sees, its own position's included; 0 means all.
  // Empty means all in every layer.
  std::vector<Index> windows;

  Activation activation = Activation::kGeluErf;
  bool gated_mlp = false;  // activation(gate) * up, as in Llama
  bool parallel_residual =
      false;                 // attention and MLP both read the block input
  bool tied_output = false;  // the output projection is the embedding

  // Which projections have biases: query, key and value; attention's output;
  // the MLP's.
  bool attention_bias = true;
  bool attention_output_bias = true;
  bool mlp_bias = true;

  bool query_key_norm = false;  // RMSNorm of each head's query and key
  bool output_norms = false;    // norms of what attention and MLP add

  float attention_scale = 0;  // of the scores, usually 1 / sqrt(head_dim)

  // Marks around a text, -1 where there is none.
  Index begin_token = -1;
  std::vector<Index> end_tokens;

  Index query_dim() const { return num_query_heads * head_dim; }
  Index kv_dim() const { return num_kv_heads * head_dim; }
  // Whether H = X + P.
  bool adds_positions() const {
    return position == PositionKind::kLearned ||
           position == PositionKind::kSinusoidal;
  }
  Index window(Index layer) const {
    return windows.empty() ? 0 : windows[static_cast<std::size_t>(layer)];
  }
  // The head of keys and values that a query head reads (grouped-query
  // attention, Ainslie et al. 2023): 4 query heads on 2 give 0, 0, 1, 1.
  Index kv_head(Index query_head) const {
    return query_head / (num_query_heads / num_kv_heads);
  }
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_CONFIG_H_
