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
Index count(const AttentionParameters& attention) {
  return count(attention.query_projection) + count(attention.key_projection) +
         count(attention.value_projection) +
         count(attention.output_projection) + count(attention.query_norm) +
         count(attention.key_norm);
}
Index count(const BlockParameters& block) {
  return count(block.attention_norm) + count(block.attention) +
         count(block.attention_output_norm) +
         count(block.cross_attention_norm) + count(block.cross_attention) +
         count(block.mlp_norm) + count(block.mlp_gate) + count(block.mlp_up) +
         count(block.mlp_down) + count(block.mlp_output_norm);
}
Index count(const StackParameters& stack) {
  Index total = count(stack.token_type_embedding) +
                count(stack.position_embedding) + count(stack.embedding_norm) +
                count(stack.relative_bias) + count(stack.final_norm);
  for (const BlockParameters& block : stack.blocks) total += count(block);
  return total;
}

}  // namespace

Index num_parameters(const ModelParameters& parameters) {
  const StackParameters& text = parameters;
  return count(text) + count(parameters.token_embedding) +
         count(parameters.encoder) + count(parameters.output_transform) +
         count(parameters.output_norm) + count(parameters.output);
}

}  // namespace attnscope
