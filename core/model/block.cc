// A block in the order of the computation: normalise, project, rotate, attend,
// join, then the same on the source, then the MLP. Each step is one function;
// `run_block` at the end is the table of contents.
#include "core/model/block.h"

#include <algorithm>

#include "core/kernels/matmul.h"

namespace attnscope {

namespace {

void add_rows(const Kernels& kernels, const float* x, float* y, Index rows,
              Index width) {
  for (Index i = 0; i < rows; ++i) {
    kernels.add(x + i * width, y + i * width, width);
  }
}

void normalise_heads(const StackPass& pass, const FloatBuffer& gain, float* x,
                     Index count) {
  const Index head_dim = pass.config.head_dim;
  for (Index i = 0; i < count; ++i) {
    pass.kernels.rms_norm(x + i * head_dim, gain.data(),
                          pass.config.norm_epsilon, x + i * head_dim, head_dim);
  }
}

// Turns the leading dimensions of every head by the token's position.
void rotate_heads(const StackPass& pass, const RotaryTable& table, Rows rows,
                  Index num_heads, float* x) {
  const Index head_dim = pass.config.head_dim;
  for (Index i = 0; i < rows.count; ++i) {
    const Index position = pass.positions.position(rows.first + i);
    for (Index head = 0; head < num_heads; ++head) {
      pass.kernels.rotate(table.cosine(position), table.sine(position),
                          x + (i * num_heads + head) * head_dim, table.half());
    }
  }
}

// Query, key and value of input[token, model_dim].
void project_heads(const StackPass& pass, Rows rows, Index layer,
                   const float* input) {
  const ModelConfig& config = pass.config;
  const Kernels& kernels = pass.kernels;
  const AttentionParameters& attention =
      pass.parameters.blocks[static_cast<std::size_t>(layer)].attention;
  Workspace& work = pass.workspace;
  const auto record = [&](Hook hook, const FloatBuffer& x, Index width) {
    pass.trace.record_rows({hook, layer, pass.stack}, x.data(), rows.count,
                           width);
  };

  project(kernels, attention.query_projection, input, rows.count,
          work.query.data());
  project(kernels, attention.key_projection, input, rows.count,
          work.key.data());
  project(kernels, attention.value_projection, input, rows.count,
          work.value.data());
  record(Hook::kQuery, work.query, config.query_dim());
  record(Hook::kKey, work.key, config.kv_dim());
  record(Hook::kValue, work.value, config.kv_dim());

  if (config.query_key_norm) {
    normalise_heads(pass, attention.query_norm, work.query.data(),
                    rows.count * config.num_query_heads);
    normalise_heads(pass, attention.key_norm, work.key.data(),
                    rows.count * config.num_kv_heads);
  }
  if (config.position == PositionKind::kRotary) {
    const RotaryTable& table = config.window_rotary && config.window(layer) != 0
                                   ? work.window_rotary
                                   : work.rotary;
    rotate_heads(pass, table, rows, config.num_query_heads, work.query.data());
    rotate_heads(pass, table, rows, config.num_kv_heads, work.key.data());
    record(Hook::kRotatedQuery, work.query, config.query_dim());
    record(Hook::kRotatedKey, work.key, config.kv_dim());
  }
}

// Where an attention's cells are recorded.
struct AttentionHooks {
  Hook scores;
  Hook masked_scores;
  Hook weights;
};
constexpr AttentionHooks kSelfHooks{Hook::kScores, Hook::kMaskedScores,
                                    Hook::kWeights};
constexpr AttentionHooks kCrossHooks{
    Hook::kCrossScores, Hook::kCrossMaskedScores, Hook::kCrossWeights};

// Some of a pass's rows: `count` from its row `begin` on.
struct Part {
  Index begin;
  Index count;
};

// Every head's output of a part of the rows, from workspace.query and the keys
// of a cache before `end_key`, by the chosen execution. Interventions on
// weights and values need rows of cells, so they run traced where streaming was
// chosen.
Index attend(const StackPass& pass, Rows rows, Part part, Index layer,
             const KvCache& cache, Index end_key, PositionBias bias,
             const AttentionSettings& settings, const AttentionHooks& hooks) {
  const ModelConfig& config = pass.config;
  Workspace& work = pass.workspace;
  for (Index head = 0; head < config.num_kv_heads; ++head) {
    work.views[static_cast<std::size_t>(head)] =
        cache.view(layer, head, end_key);
  }
  const Index first_key = cache.first_key(layer);
  const Index offset = part.begin * config.query_dim();
  const AttentionInput input{.query = work.query.data() + offset,
                             .num_queries = part.count,
                             .num_keys = end_key - first_key,
                             .first_key = first_key,
                             .head_dim = config.head_dim,
                             .first_query = rows.first + part.begin,
                             .heads = settings.heads,
                             .kv_heads = work.views,
                             .position_bias = bias};
  float* head_output = work.head_output.data() + offset;
  if (pass.execution == Execution::kStreaming && !settings.needs_rows()) {
    return attend_streaming(pass.kernels, input, head_output);
  }

  // Recorded rows have a cell for every key of the text or the source.
  AttentionCells cells;
  cells.row_stride =
      pass.source_cache == &cache ? cache.length() : rows.first + rows.count;
  cells.head_stride = rows.count * cells.row_stride;
  const auto recorded = [&](Hook hook) -> float* {
    float* all = pass.trace.cells({hook, layer, pass.stack});
    return all == nullptr ? nullptr
                          : all + part.begin * cells.row_stride + first_key;
  };
  cells.scores = recorded(hooks.scores);
  cells.masked_scores = recorded(hooks.masked_scores);
  cells.weights = recorded(hooks.weights);
  return pass.execution == Execution::kReference
             ? attend_reference(input, cells, head_output)
             : attend_traced(pass.kernels, input, cells, work.cells.data(),
                             head_output);
}

// The ablations, and the record of what all rows' heads put out.
void finish_heads(const StackPass& pass, Rows rows, Index layer,
                  const AttentionSettings& settings, Hook hook) {
  const ModelConfig& config = pass.config;
  float* head_output = pass.workspace.head_output.data();
  for (const AttentionSettings::Ablation& ablation : settings.ablations) {
    for (Index i = 0; i < rows.count; ++i) {
      std::copy(ablation.replacement.begin(), ablation.replacement.end(),
                head_output + (i * config.num_query_heads + ablation.head) *
                                  config.head_dim);
    }
  }
  pass.trace.record_rows({hook, layer, pass.stack}, head_output, rows.count,
                         config.query_dim());
}

// The text on itself: its keys and values join the cache, as many at once as
// the layer's window lets it keep.
Index attend_text(const StackPass& pass, Rows rows, Index layer) {
  const Index kv_dim = pass.config.kv_dim();
  const AttentionSettings& settings =
      pass.settings[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;
  const PositionBias bias{work.position_bias.data(), work.position_bias_reach,
                          pass.config.position == PositionKind::kRelative};
  Index empty_rows = 0;
  Part part{0, 0};
  for (; part.begin < rows.count; part.begin += part.count) {
    part.count =
        std::min(pass.cache.most_at_once(layer), rows.count - part.begin);
    const Index end = part.begin + part.count;
    for (Index i = part.begin; i < end; ++i) {
      pass.cache.write(layer, rows.first + i, work.key.data() + i * kv_dim,
                       work.value.data() + i * kv_dim);
    }
    empty_rows += attend(pass, rows, part, layer, pass.cache, rows.first + end,
                         bias, settings, kSelfHooks);
  }
  finish_heads(pass, rows, layer, settings, Hook::kHeadOutput);
  return empty_rows;
}

// The text on the source.
Index attend_source(const StackPass& pass, Rows rows, Index layer) {
  const AttentionSettings& settings =
      pass.cross_settings[static_cast<std::size_t>(layer)];
  const Index empty_rows =
      attend(pass, rows, {0, rows.count}, layer, *pass.source_cache,
             pass.source_cache->length(), {}, settings, kCrossHooks);
  finish_heads(pass, rows, layer, settings, Hook::kCrossHeadOutput);
  return empty_rows;
}

// mlp_output of input[token, model_dim].
void feed_forward(const StackPass& pass, Rows rows, Index layer,
                  const float* input) {
  const ModelConfig& config = pass.config;
  const Kernels& kernels = pass.kernels;
  const auto& block = pass.parameters.blocks[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;

  project(kernels, block.mlp_up, input, rows.count, work.mlp_up.data());
  if (config.gated_mlp) {
    project(kernels, block.mlp_gate, input, rows.count, work.mlp_gate.data());
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

}  // namespace

void normalise(const Kernels& kernels, const ModelConfig& config,
               const Norm& norm, const float* x, Index rows, float* y) {
  const Index width = config.model_dim;
  for (Index i = 0; i < rows; ++i) {
    if (config.norm == NormKind::kLayerNorm) {
      kernels.layer_norm(x + i * width, norm.gain.data(), norm.bias.data(),
                         config.norm_epsilon, y + i * width, width);
    } else {
      kernels.rms_norm(x + i * width, norm.gain.data(), config.norm_epsilon,
                       y + i * width, width);
    }
  }
}

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

void project_source(const StackPass& decoder, const float* source,
                    Index num_rows, KvCache& cache) {
  const Index kv_dim = decoder.config.kv_dim();
  Workspace& work = decoder.workspace;
  for (Index layer = 0; layer < decoder.config.num_layers; ++layer) {
    const AttentionParameters& cross =
        decoder.parameters.blocks[static_cast<std::size_t>(layer)]
            .cross_attention;
    project(decoder.kernels, cross.key_projection, source, num_rows,
            work.key.data());
    project(decoder.kernels, cross.value_projection, source, num_rows,
            work.value.data());
    decoder.trace.record_rows({Hook::kCrossKey, layer, decoder.stack},
                              work.key.data(), num_rows, kv_dim);
    decoder.trace.record_rows({Hook::kCrossValue, layer, decoder.stack},
                              work.value.data(), num_rows, kv_dim);
    for (Index i = 0; i < num_rows; ++i) {
      cache.write(layer, i, work.key.data() + i * kv_dim,
                  work.value.data() + i * kv_dim);
    }
  }
  cache.set_length(num_rows);
}

Index run_block(const StackPass& pass, Rows rows, Index layer) {
  const ModelConfig& config = pass.config;
  const Kernels& kernels = pass.kernels;
  const auto& block = pass.parameters.blocks[static_cast<std::size_t>(layer)];
  Workspace& work = pass.workspace;
  const Index width = config.model_dim;
  float* residual = work.residual.data();
  float* added = work.attention_output.data();
  const bool norms_before = config.norm_place == NormPlace::kBefore;
  const auto record = [&](Hook hook, const float* x) {
    pass.trace.record_rows({hook, layer, pass.stack}, x, rows.count, width);
  };
  // What a part reads, and how the residual is left once it has been added.
  const auto normed_input = [&](const Norm& norm) -> const float* {
    if (!norms_before) return residual;
    normalise(kernels, config, norm, residual, rows.count, work.normed.data());
    return work.normed.data();
  };
  const auto norm_after = [&](const Norm& norm) {
    if (norms_before) return;
    normalise(kernels, config, norm, residual, rows.count, residual);
  };

  record(Hook::kResidPre, residual);
  project_heads(pass, rows, layer, normed_input(block.attention_norm));
  Index empty_rows = attend_text(pass, rows, layer);
  project(kernels, block.attention.output_projection, work.head_output.data(),
          rows.count, added);
  if (config.output_norms) {
    normalise(kernels, config, block.attention_output_norm, added, rows.count,
              added);
  }
  record(Hook::kAttnOut, added);
  // With a parallel residual the MLP reads the block's input too.
  if (config.parallel_residual) {
    feed_forward(pass, rows, layer, normed_input(block.mlp_norm));
  }
  add_rows(kernels, added, residual, rows.count, width);
  if (!config.parallel_residual) record(Hook::kResidMid, residual);
  norm_after(block.attention_norm);

  if (pass.source_cache != nullptr) {
    project(kernels, block.cross_attention.query_projection,
            normed_input(block.cross_attention_norm), rows.count,
            work.query.data());
    pass.trace.record_rows({Hook::kCrossQuery, layer, pass.stack},
                           work.query.data(), rows.count, config.query_dim());
    empty_rows += attend_source(pass, rows, layer);
    project(kernels, block.cross_attention.output_projection,
            work.head_output.data(), rows.count, added);
    record(Hook::kCrossAttnOut, added);
    add_rows(kernels, added, residual, rows.count, width);
    record(Hook::kResidMidCross, residual);
    norm_after(block.cross_attention_norm);
  }

  if (!config.parallel_residual) {
    feed_forward(pass, rows, layer, normed_input(block.mlp_norm));
  }
  if (config.output_norms) {
    normalise(kernels, config, block.mlp_output_norm, work.mlp_output.data(),
              rows.count, work.mlp_output.data());
  }
  record(Hook::kMlpOut, work.mlp_output.data());
  add_rows(kernels, work.mlp_output.data(), residual, rows.count, width);
  record(Hook::kResidPost, residual);
  norm_after(block.mlp_norm);
  if (!norms_before) record(Hook::kNormedResidPost, residual);
  return empty_rows;
}

}  // namespace attnscope
