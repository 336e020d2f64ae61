// The pass around the blocks: embed, run every block, norm, and the logits.
#include "core/model/forward.h"

#include <algorithm>

#include "core/kernels/matmul.h"

namespace attnscope {

namespace {

// X, and H = X + P where positions are added.
void embed(const StackPass& pass, const PackedMatrix& token_embedding,
           Rows rows, std::span<const std::int32_t> tokens,
           std::span<const std::int32_t> token_types) {
  const ModelConfig& config = pass.config;
  const StackParameters& parameters = pass.parameters;
  const Index width = config.model_dim;
  float* residual = pass.workspace.residual.data();
  const auto record = [&](Hook hook, const float* x, Index count) {
    pass.trace.record_rows({hook, 0, pass.stack}, x, count, width);
  };

  for (Index i = 0; i < rows.count; ++i) {
    float* row = residual + i * width;
    token_embedding.copy_column(tokens[static_cast<std::size_t>(i)], row);
    if (config.embedding_scale != 1) {
      pass.kernels.scale(config.embedding_scale, row, width);
    }
  }
  record(Hook::kEmbed, residual, rows.count);

  for (Index i = 0; i < rows.count && config.num_token_types > 0; ++i) {
    const Index type =
        token_types.empty() ? 0 : token_types[static_cast<std::size_t>(i)];
    const float* row = parameters.token_type_embedding.data() + type * width;
    record(Hook::kTokenTypeEmbed, row, 1);
    pass.kernels.add(row, residual + i * width, width);
  }
  if (config.adds_positions()) {
    const float* table = config.position == PositionKind::kLearned
                             ? parameters.position_embedding.data()
                             : pass.workspace.sinusoidal.data();
    for (Index i = 0; i < rows.count; ++i) {
      const Index place = rows.first + i;
      // The padding token is known by its id too, where a text has it unmasked.
      const Index padding_token = config.position_offset - 1;
      const bool at_padding =
          config.padding_has_position &&
          (pass.positions.pads(place) ||
           tokens[static_cast<std::size_t>(i)] == padding_token);
      const Index position = at_padding ? -1 : pass.positions.position(place);
      const float* row = table + (config.position_offset + position) * width;
      record(Hook::kPosEmbed, row, 1);
      pass.kernels.add(row, residual + i * width, width);
    }
  }
  if (config.embedding_norm) {
    normalise(pass.kernels, config, parameters.embedding_norm, residual,
              rows.count, residual);
  }
}

}  // namespace

Index run_stack(const StackPass& pass, const PackedMatrix& token_embedding,
                std::span<const std::int32_t> tokens,
                std::span<const std::int32_t> token_types) {
  const Rows rows{pass.cache.length(), static_cast<Index>(tokens.size())};
  embed(pass, token_embedding, rows, tokens, token_types);
  Index empty_rows = 0;
  for (Index layer = 0; layer < pass.config.num_layers; ++layer) {
    empty_rows += run_block(pass, rows, layer);
  }
  pass.cache.set_length(rows.first + rows.count);

  Workspace& work = pass.workspace;
  const Index width = pass.config.model_dim;
  if (pass.config.final_norm) {
    normalise(pass.kernels, pass.config, pass.parameters.final_norm,
              work.residual.data(), rows.count, work.normed.data());
    pass.trace.record_rows({Hook::kFinalNorm, 0, pass.stack},
                           work.normed.data(), rows.count, width);
  } else {
    std::copy_n(work.residual.data(), rows.count * width, work.normed.data());
  }
  return empty_rows;
}

void unembed(const Model& model, float* output, Index rows, float* scratch,
             float* logits) {
  const ModelConfig& config = model.config;
  const ModelParameters& parameters = model.parameters;
  const Kernels& kernels = *model.kernels;
  const Index width = config.model_dim;
  if (config.output_transform) {
    project(kernels, parameters.output_transform, output, rows, scratch);
    activate(kernels, config.output_activation, scratch, rows * width);
    normalise(kernels, config, parameters.output_norm, scratch, rows, output);
  }
  if (config.output_scale != 1) {
    kernels.scale(config.output_scale, output, rows * width);
  }
  const PackedMatrix& matrix = config.tied_output ? parameters.token_embedding
                                                  : parameters.output.matrix;
  const bool biased = !parameters.output.bias.empty();
  if (biased) {
    for (Index i = 0; i < rows; ++i) {
      std::copy_n(parameters.output.bias.data(), config.vocabulary_size,
                  logits + i * config.vocabulary_size);
    }
  }
  matmul(kernels, output, width, matrix, rows, logits, config.vocabulary_size,
         biased);
}

void read_logits(const Model& model, float* residual, Index rows,
                 float* scratch, float* logits) {
  if (model.config.final_norm) {
    normalise(*model.kernels, model.config, model.parameters.final_norm,
              residual, rows, residual);
  }
  unembed(model, residual, rows, scratch, logits);
}

}  // namespace attnscope
