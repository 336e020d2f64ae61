// What distinguishes one family from another, as data: the forward pass reads
// these settings and has no code per family. Filled from config.json by
// ../checkpoint/config_json.h. Read next: parameters.h.
#ifndef ATTNSCOPE_CORE_MODEL_CONFIG_H_
#define ATTNSCOPE_CORE_MODEL_CONFIG_H_

#include <optional>
#include <string>
#include <vector>

#include "core/base/packed_matrix.h"
#include "core/positions/relative.h"
#include "core/positions/rotary.h"
#include "core/positions/sinusoidal.h"

namespace attnscope {

// A decoder continues its text, each token seeing those before it. An encoder
// reads a whole text, each token seeing all. An encoder-decoder continues a
// text while looking at a source text that its encoder has read.
enum class Architecture { kDecoder, kEncoder, kEncoderDecoder };
// Of an encoder-decoder, the encoder is a stack of blocks of its own; every
// other stack is the one that ends in logits.
enum class Stack { kText, kEncoder };

enum class NormKind { kLayerNorm, kRmsNorm };
// Norms stand before attention and MLP, or after each is added (post-norm, as
// in Vaswani et al. 2017).
enum class NormPlace { kBefore, kAfter };
// Positions are added to the embedding (learned, sinusoidal), turn queries and
// keys (rotary), or are added to the scores by distance (ALiBi, relative).
enum class PositionKind { kLearned, kSinusoidal, kRotary, kAlibi, kRelative };
enum class Activation { kGeluErf, kGeluTanh, kSilu, kRelu };

// What an encoder-decoder's encoder has of its own; the rest it shares.
struct EncoderConfig {
  Index num_layers = 0;
  Index num_heads = 0;
  Index head_dim = 0;
  Index mlp_dim = 0;
  float attention_scale = 0;
};

struct ModelConfig {
  std::string model_type;  // as config.json says: "gpt2", "gpt_neox", "llama"
  Architecture architecture = Architecture::kDecoder;
  EncoderConfig encoder;  // encoder-decoders only

  Index vocabulary_size = 0;
  Index model_dim = 0;
  Index num_layers = 0;
  Index num_query_heads = 0;
  Index num_kv_heads = 0;  // divides num_query_heads
  Index head_dim = 0;
  Index mlp_dim = 0;
  Index context = 0;  // most tokens that the model was made for

  NormKind norm = NormKind::kLayerNorm;
  NormPlace norm_place = NormPlace::kBefore;
  float norm_epsilon = 0;

  float embedding_scale = 1;    // multiplies the token embedding
  Index num_token_types = 0;    // kinds of segments with an embedding (BERT)
  bool embedding_norm = false;  // a norm between embedding and first block
  bool final_norm = true;       // a norm after the last block

  PositionKind position = PositionKind::kLearned;
  Index position_offset = 0;  // rows of the table before position 0
  // Whether padding stands at the row before position 0, as a position of its
  // own; the row has the number of the padding token.
  bool padding_has_position = false;
  SinusoidalLayout sinusoidal = SinusoidalLayout::kInterleaved;
  RelativeBuckets relative;
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
  float output_scale = 1;    // multiplies what the output projection reads
  // A dense layer, an activation and a norm before the output projection, as
  // masked language models have.
  bool output_transform = false;
  Activation output_activation = Activation::kGeluErf;
  // False for encoders saved without the layers that predict tokens.
  bool has_logits = true;

  // Which projections have biases: query, key and value; attention's output;
  // the MLP's.
  bool attention_bias = true;
  bool attention_output_bias = true;
  bool mlp_bias = true;

  bool query_key_norm = false;  // RMSNorm of each head's query and key
  bool output_norms = false;    // norms of what attention and MLP add

  float attention_scale = 0;  // of the scores, usually 1 / sqrt(head_dim)
  bool scale_by_inverse_layer = false;  // ... / (layer + 1)

  // Marks around a text, -1 where there is none.
  Index begin_token = -1;
  std::vector<Index> end_tokens;
  std::vector<Index>
      start_tokens;  // that an encoder-decoder's text begins with

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
  bool has_encoder() const {
    return architecture == Architecture::kEncoderDecoder;
  }
};

// The stack of an encoder-decoder that reads the source, as a model of its own.
inline ModelConfig encoder_of(const ModelConfig& config) {
  ModelConfig encoder = config;
  encoder.architecture = Architecture::kEncoder;
  encoder.num_layers = config.encoder.num_layers;
  encoder.num_query_heads = config.encoder.num_heads;
  encoder.num_kv_heads = config.encoder.num_heads;
  encoder.head_dim = config.encoder.head_dim;
  encoder.mlp_dim = config.encoder.mlp_dim;
  encoder.attention_scale = config.encoder.attention_scale;
  encoder.relative.both_ways = true;
  return encoder;
}

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_CONFIG_H_
