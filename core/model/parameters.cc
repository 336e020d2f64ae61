// Counts what parameters.h holds.
#include "core/model/parameters.h"

namespace attnscope {

namespace {

Index count(const FloatBuffer& vector) {
  return static_cast<Index>(vector.size());
}
Index count(const PackedMatrix& matrix) {
  return matrix.depth() * matrix.columns();
}
Index count(const Norm& norm) { return count(norm.gain) + count(norm.bias); }
Index count(const Projection& projection) {
  return count(projection.matrix) + count(projection.bias);
}
Index count(const BlockParameters& block) {
  return count(block.attention_norm) + count(block.query_projection) +
         count(block.key_projection) + count(block.value_projection) +
         count(block.output_projection) + count(block.query_norm) +
         count(block.key_norm) + count(block.attention_output_norm) +
         count(block.mlp_norm) + count(block.mlp_gate) + count(block.mlp_up) +
         count(block.mlp_down) + count(block.mlp_output_norm);
}

}  // namespace

Index num_parameters(const ModelParameters& parameters) {
  Index total = count(parameters.token_embedding) +
                count(parameters.embedding_norm) +
                count(parameters.position_embedding) +
                count(parameters.final_norm) + count(parameters.output);
  for (const BlockParameters& block : parameters.blocks) total += count(block);
  return total;
}

}  // namespace attnscope
