// The forward pass in the order of the computation: embed, then for each block
// normalise, project, rotate, attend, join, MLP, and last the logits. Each step
// is one function; `forward` at the end is the table of contents.
#include "core/model/decoder.h"

#include <algorithm>
#include <utility>

#include "core/kernels/matmul.h"
#include "core/positions/sinusoidal.h"

namespace attnscope {

namespace {

// The rows of this pass: `count` tokens, the first at place `first`.
struct Rows {
  Index first;
  Index count;
};

void add_rows(const Kernels& kernels, const float* x, float* y, Index rows,
              Index width) {
  for (Index i = 0; i < rows; ++i) {
    kernels.add(x + i * width, y + i * width, width);
  }
}

// y[rows, out] = x[rows, in] x matrix + bias.
void project(const Kernels& kernels, const Projection& projection,
             const float* x, Index rows, float* y) {
  const PackedMatrix& matrix = projection.matrix;
  const bool biased = !projection.bias.empty();
  if (biased) {
    for (Index i = 0; i < rows; ++i) {
      std::copy_n(projection.bias.data(), matrix.columns(),
                  y + i * matrix.columns());
    }
  }
  matmul(kernels, x, matrix.depth(), matrix, rows, y, matrix.columns(), biased);
}

void normalise(const Model& model, const Norm& norm, const float* x, Index rows,
               float* y) {
  const Index width = model.config.model_dim;
  const float epsilon = model.config.norm_epsilon;
  for (Index i = 0; i < rows; ++i) {
    if (model.config.norm == NormKind::kLayerNorm) {
      model.kernels->layer_norm(x + i * width, norm.gain.data(),
                                norm.bias.data(), epsilon, y + i * width,
                                width);
    } else {
      model.kernels->rms_norm(x + i * width, norm.gain.data(), epsilon,
                              y + i * width, width);
    }
  }
}

// X, and H = X + P where positions are added.
void embed(const ForwardPass& pass, Rows rows,
           std::span<const std::int32_t> tokens) {
  const ModelConfig& config = pass.model.config;
  const ModelParameters& parameters = pass.model.parameters;
  const Index width = config.model_dim;
  float* residual = pass.workspace.residual.data();

  for (Index i = 0; i < rows.count; ++i) {
    float* row = residual + i * width;
    parameters.token_embedding.copy_column(tokens[static_cast<std::size_t>(i)],
                                           row);
    if (config.embedding_scale != 1) {
      pass.model.kernels->scale(config.embedding_scale, row, width);
    }
  }
  pass.trace.record_rows({Hook::kEmbed}, residual, rows.count, width);

  if (config.adds_positions()) {
    const float* table = config.position == PositionKind::kLearned
                             ? parameters.position_embedding.data() +
                                   config.position_offset * width
                             : pass.workspace.sinusoidal.data();
    for (Index i = 0; i < rows.count; ++i) {
      const Index position = pass.options.mask.position(rows.first + i);
      const float* row = table + position * width;
      pass.trace.record_rows({Hook::kPosEmbed}, row, 1, width);
      pass.model.kernels->add(row, residual + i * width, width);
    }
  }
  if (config.embedding_norm) {
    normalise(pass.model, parameters.embedding_norm, residual, rows.count,
              residual);
  }
}

void normalise_heads(const Model& model, const FloatBuffer& gain, float* x,
                     Index count) {
  const Index head_dim = model.config.head_dim;
  for (Index i = 0; i < count; ++i) {
    model.kernels->rms_norm(x + i * head_dim, gain.data(),
                            model.config.norm_epsilon, x + i * head_dim,
                            head_dim);
  }
}

// Turns the leading dimensions of every head by the token's position.
void rotate_heads(const ForwardPass& pass, const RotaryTable& table, Rows rows,
                  Index num_heads, float* x) {
  const Index head_dim = pass.model.config.head_dim;
  for (Index i = 0; i < rows.count; ++i) {
    const Index position = pass.options.mask.position(rows.first + i);
    for (Index head = 0; head < num_heads; ++head) {
      pass.model.kernels->rotate(table.cosine(position), table.sine(position),
                                 x + (i * num_heads + head) * head_dim,
                                 table.half());
    }
  }
}

// Query, key and value of the normed rows; keys and values join the cache.
void project_heads(const ForwardPass& pass, Rows rows, Index layer) {
  const ModelConfig& config = pass.model.config;
  const Kernels& kernels = *pass.model.kernels;
  const auto& block =
      pass.model.parameters.blocks[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;
  const float* normed = work.normed.data();

  project(kernels, block.query_projection, normed, rows.count,
          work.query.data());
  project(kernels, block.key_projection, normed, rows.count, work.key.data());
  project(kernels, block.value_projection, normed, rows.count,
          work.value.data());
  Trace& trace = pass.trace;
  trace.record_rows({Hook::kQuery, layer}, work.query.data(), rows.count,
                    config.query_dim());
  trace.record_rows({Hook::kKey, layer}, work.key.data(), rows.count,
                    config.kv_dim());
  trace.record_rows({Hook::kValue, layer}, work.value.data(), rows.count,
                    config.kv_dim());

  if (config.query_key_norm) {
    normalise_heads(pass.model, block.query_norm, work.query.data(),
                    rows.count * config.num_query_heads);
    normalise_heads(pass.model, block.key_norm, work.key.data(),
                    rows.count * config.num_kv_heads);
  }
  if (config.position == PositionKind::kRotary) {
    const RotaryTable& table = config.window_rotary && config.window(layer) != 0
                                   ? work.window_rotary
                                   : work.rotary;
    rotate_heads(pass, table, rows, config.num_query_heads, work.query.data());
    rotate_heads(pass, table, rows, config.num_kv_heads, work.key.data());
    trace.record_rows({Hook::kRotatedQuery, layer}, work.query.data(),
                      rows.count, config.query_dim());
    trace.record_rows({Hook::kRotatedKey, layer}, work.key.data(), rows.count,
                      config.kv_dim());
  }

  for (Index i = 0; i < rows.count; ++i) {
    pass.cache.write(layer, rows.first + i,
                     work.key.data() + i * config.kv_dim(),
                     work.value.data() + i * config.kv_dim());
  }
}

// Every head's output, by the chosen execution; then the ablations.
Index attend(const ForwardPass& pass, Rows rows, Index layer) {
  const ModelConfig& config = pass.model.config;
  const BlockSettings& settings =
      pass.settings[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;
  const Index num_keys = rows.first + rows.count;
  for (Index head = 0; head < config.num_kv_heads; ++head) {
    work.views[static_cast<std::size_t>(head)] =
        pass.cache.view(layer, head, num_keys);
  }
  const AttentionInput input{work.query.data(), rows.count, num_keys,
                             config.head_dim,   rows.first, settings.heads,
                             work.views};
  float* head_output = work.head_output.data();

  Index empty_rows = 0;
  if (pass.options.execution == Execution::kStreaming) {
    empty_rows = attend_streaming(*pass.model.kernels, input, head_output);
  } else {
    Trace& trace = pass.trace;
    const AttentionCells cells{trace.cells({Hook::kScores, layer}),
                               trace.cells({Hook::kMaskedScores, layer}),
                               trace.cells({Hook::kWeights, layer})};
    empty_rows = pass.options.execution == Execution::kTraced
                     ? attend_traced(*pass.model.kernels, input, cells,
                                     work.cells.data(), head_output)
                     : attend_reference(input, cells, head_output);
  }

  for (const BlockSettings::Ablation& ablation : settings.ablations) {
    for (Index i = 0; i < rows.count; ++i) {
      std::copy(ablation.replacement.begin(), ablation.replacement.end(),
                head_output + (i * config.num_query_heads + ablation.head) *
                                  config.head_dim);
    }
  }
  pass.trace.record_rows({Hook::kHeadOutput, layer}, head_output, rows.count,
                         config.query_dim());
  return empty_rows;
}

void activate(const Kernels& kernels, Activation activation, float* x,
              Index n) {
  switch (activation) {
    case Activation::kGeluErf:
      return kernels.gelu_erf(x, n);
    case Activation::kGeluTanh:
      return kernels.gelu_tanh(x, n);
    case Activation::kSilu:
      return kernels.silu(x, n);
    case Activation::kRelu:
      for (Index i = 0; i < n; ++i) x[i] = std::max(x[i], 0.0f);
      return;
  }
}

// mlp_output of the normed rows.
void feed_forward(const ForwardPass& pass, Rows rows, Index layer) {
  const ModelConfig& config = pass.model.config;
  const Kernels& kernels = *pass.model.kernels;
  const auto& block =
      pass.model.parameters.blocks[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;

  project(kernels, block.mlp_up, work.normed.data(), rows.count,
          work.mlp_up.data());
  if (config.gated_mlp) {
    project(kernels, block.mlp_gate, work.normed.data(), rows.count,
            work.mlp_gate.data());
  }
  for (Index i = 0; i < rows.count; ++i) {
    float* up = work.mlp_up.data() + i * config.mlp_dim;
    if (config.gated_mlp) {
      float* gate = work.mlp_gate.data() + i * config.mlp_dim;
      activate(kernels, config.activation, gate, config.mlp_dim);
      kernels.multiply_elements(gate, up, config.mlp_dim);
    } else {
      activate(kernels, config.activation, up, config.mlp_dim);
    }
  }
  project(kernels, block.mlp_down, work.mlp_up.data(), rows.count,
          work.mlp_output.data());
}

Index run_block(const ForwardPass& pass, Rows rows, Index layer) {
  const ModelConfig& config = pass.model.config;
  const Kernels& kernels = *pass.model.kernels;
  const auto& block =
      pass.model.parameters.blocks[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;
  const Index width = config.model_dim;
  float* residual = work.residual.data();
  const auto record = [&](Hook hook, const float* x) {
    pass.trace.record_rows({hook, layer}, x, rows.count, width);
  };

  record(Hook::kResidPre, residual);
  normalise(pass.model, block.attention_norm, residual, rows.count,
            work.normed.data());
  project_heads(pass, rows, layer);
  const Index empty_rows = attend(pass, rows, layer);
  project(kernels, block.output_projection, work.head_output.data(), rows.count,
          work.attention_output.data());
  if (config.output_norms) {
    normalise(pass.model, block.attention_output_norm,
              work.attention_output.data(), rows.count,
              work.attention_output.data());
  }
  record(Hook::kAttnOut, work.attention_output.data());

  // With a parallel residual the MLP reads the block's input too.
  if (config.parallel_residual) {
    normalise(pass.model, block.mlp_norm, residual, rows.count,
              work.normed.data());
  }
  add_rows(kernels, work.attention_output.data(), residual, rows.count, width);
  if (!config.parallel_residual) {
    record(Hook::kResidMid, residual);
    normalise(pass.model, block.mlp_norm, residual, rows.count,
              work.normed.data());
  }
  feed_forward(pass, rows, layer);
  if (config.output_norms) {
    normalise(pass.model, block.mlp_output_norm, work.mlp_output.data(),
              rows.count, work.mlp_output.data());
  }
  record(Hook::kMlpOut, work.mlp_output.data());
  add_rows(kernels, work.mlp_output.data(), residual, rows.count, width);
  record(Hook::kResidPost, residual);
  return empty_rows;
}

void unembed(const ForwardPass& pass, Rows rows, Index num_logit_rows,
             float* logits) {
  const ModelConfig& config = pass.model.config;
  const ModelParameters& parameters = pass.model.parameters;
  Workspace& work = pass.workspace;
  const Index width = config.model_dim;
  normalise(pass.model, parameters.final_norm, work.residual.data(), rows.count,
            work.normed.data());
  pass.trace.record_rows({Hook::kFinalNorm}, work.normed.data(), rows.count,
                         width);
  const float* last =
      work.normed.data() + (rows.count - num_logit_rows) * width;
  if (config.tied_output) {
    matmul(*pass.model.kernels, last, width, parameters.token_embedding,
           num_logit_rows, logits, config.vocabulary_size, false);
  } else {
    project(*pass.model.kernels, parameters.output, last, num_logit_rows,
            logits);
  }
}

}  // namespace

Result<Workspace> Workspace::allocate(const Model& model, Index capacity) {
  const ModelConfig& config = model.config;
  Workspace work;
  Status status;
  const auto reserve = [&](FloatBuffer& buffer, Index rows, Index width,
                           const char* purpose) {
    if (!status.ok()) return;
    auto result = FloatBuffer::allocate(rows, width, purpose);
    if (result.ok()) {
      buffer = std::move(result.value());
    } else {
      status = result.status();
    }
  };
  reserve(work.residual, capacity, config.model_dim, "the residual");
  reserve(work.normed, capacity, config.model_dim, "normed rows");
  reserve(work.query, capacity, config.query_dim(), "queries");
  reserve(work.key, capacity, config.kv_dim(), "keys");
  reserve(work.value, capacity, config.kv_dim(), "values");
  reserve(work.head_output, capacity, config.query_dim(), "head outputs");
  reserve(work.attention_output, capacity, config.model_dim,
          "attention outputs");
  reserve(work.mlp_up, capacity, config.mlp_dim, "the MLP");
  if (config.gated_mlp) {
    reserve(work.mlp_gate, capacity, config.mlp_dim, "the MLP's gate");
  }
  reserve(work.mlp_output, capacity, config.model_dim, "MLP outputs");
  reserve(work.cells, kQueryBlock, capacity, "a block of cells");
  if (!status.ok()) return status;

  work.views.resize(static_cast<std::size_t>(config.num_kv_heads));
  if (config.position == PositionKind::kRotary) {
    auto table = RotaryTable::make(config.rotary, capacity);
    if (!table.ok()) return table.status();
    work.rotary = std::move(table.value());
    if (config.window_rotary) {
      table = RotaryTable::make(*config.window_rotary, capacity);
      if (!table.ok()) return table.status();
      work.window_rotary = std::move(table.value());
    }
  } else if (config.position == PositionKind::kSinusoidal) {
    auto table = sinusoidal_positions(capacity, config.model_dim);
    if (!table.ok()) return table.status();
    work.sinusoidal = std::move(table.value());
  }
  return work;
}

Index forward(const ForwardPass& pass, std::span<const std::int32_t> tokens,
              Index num_logit_rows, float* logits) {
  const Rows rows{pass.cache.length(), static_cast<Index>(tokens.size())};
  embed(pass, rows, tokens);
  Index empty_rows = 0;
  for (Index layer = 0; layer < pass.model.config.num_layers; ++layer) {
    empty_rows += run_block(pass, rows, layer);
  }
  unembed(pass, rows, num_logit_rows, logits);
  pass.cache.set_length(rows.first + rows.count);
  return empty_rows;
}

}  // namespace attnscope
