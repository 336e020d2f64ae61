// The learned numbers of a model, in the order of the computation. Filled by
// ../checkpoint/checkpoint_loader.h. Read next: kv_cache.h.
#ifndef ATTNSCOPE_CORE_MODEL_PARAMETERS_H_
#define ATTNSCOPE_CORE_MODEL_PARAMETERS_H_

#include <vector>

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"

namespace attnscope {

// y[out] = x[in] x matrix + bias. bias is empty where the model has none.
struct Projection {
  PackedMatrix matrix;  // [in, out]
  FloatBuffer bias;     // [out]
};

struct Norm {
  FloatBuffer gain;  // [model_dim]
  FloatBuffer bias;  // [model_dim], empty for RMSNorm
};

struct AttentionParameters {
  Projection query_projection;   // [model_dim, query_dim]
  Projection key_projection;     // [model_dim, kv_dim]
  Projection value_projection;   // [model_dim, kv_dim]
  Projection output_projection;  // [query_dim, model_dim]
  FloatBuffer query_norm;        // gain [head_dim], query_key_norm only
  FloatBuffer key_norm;          // gain [head_dim], query_key_norm only
};

// Each norm stands before its part or after it, as ModelConfig::norm_place
// says.
struct BlockParameters {
  Norm attention_norm;
  AttentionParameters attention;
  Norm attention_output_norm;  // output_norms only
  // On the encoder's output; only in the decoder of an encoder-decoder.
  Norm cross_attention_norm;
  AttentionParameters cross_attention;
  Norm mlp_norm;
  Projection mlp_gate;   // [model_dim, mlp_dim], empty unless gated_mlp
  Projection mlp_up;     // [model_dim, mlp_dim]
  Projection mlp_down;   // [mlp_dim, model_dim]
  Norm mlp_output_norm;  // output_norms only
};

struct StackParameters {
  FloatBuffer token_type_embedding;  // [num_token_types, model_dim]
  FloatBuffer position_embedding;    // [position_offset + context, model_dim],
                                     // learned only
  Norm embedding_norm;               // embedding_norm only
  FloatBuffer relative_bias;         // [bucket, query_head], relative only
  std::vector<BlockParameters> blocks;
  Norm final_norm;  // final_norm only
};

// The stack that ends in logits, of an encoder-decoder its decoder; and what
// stands around it.
struct ModelParameters : StackParameters {
  // [model_dim, vocabulary]: column t is the vector of token t. Stored packed,
  // so that a tied output projection is this matrix itself.
  PackedMatrix token_embedding;
  StackParameters encoder;  // encoder-decoders only
  // Between the last block and the output, output_transform only.
  Projection output_transform;  // [model_dim, model_dim]
  Norm output_norm;
  // [model_dim, vocabulary]; without a matrix if tied, perhaps with a bias.
  Projection output;
};

// Learned numbers; a tied output counts once.
Index num_parameters(const ModelParameters& parameters);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_PARAMETERS_H_
