// The learned numbers of a decoder, in the order of the computation. Filled by
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

struct BlockParameters {
  Norm attention_norm;
  Projection query_projection;   // [model_dim, query_dim]
  Projection key_projection;     // [model_dim, kv_dim]
  Projection value_projection;   // [model_dim, kv_dim]
  Projection output_projection;  // [query_dim, model_dim]
  FloatBuffer query_norm;        // gain [head_dim], query_key_norm only
  FloatBuffer key_norm;          // gain [head_dim], query_key_norm only
  Norm attention_output_norm;    // output_norms only
  Norm mlp_norm;
  Projection mlp_gate;   // [model_dim, mlp_dim], empty unless gated_mlp
  Projection mlp_up;     // [model_dim, mlp_dim]
  Projection mlp_down;   // [mlp_dim, model_dim]
  Norm mlp_output_norm;  // output_norms only
};

struct ModelParameters {
  // [model_dim, vocabulary]: column t is the vector of token t. Stored packed,
  // so that a tied output projection is this matrix itself.
  PackedMatrix token_embedding;
  Norm embedding_norm;             // embedding_norm only
  FloatBuffer position_embedding;  // [position_offset + context, model_dim],
                                   // learned only
  std::vector<BlockParameters> blocks;
  Norm final_norm;
  Projection output;  // [model_dim, vocabulary], empty if tied
};

// Learned numbers; a tied output counts once.
Index num_parameters(const ModelParameters& parameters);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_PARAMETERS_H_
