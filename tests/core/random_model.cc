// Fills parameters in the order of parameters.h, so that a seed means the same
// model whatever the kernel table's panel width.
#include "tests/core/random_model.h"

#include <cmath>
#include <utility>

#include "tests/core/random_numbers.h"

namespace attnscope {

namespace {

class Filler {
 public:
  Filler(std::uint32_t seed, Index panel_width)
      : random_(seed), panel_width_(panel_width) {}

  FloatBuffer vector(Index n, float centre, float size) {
    FloatBuffer buffer =
        std::move(FloatBuffer::allocate(1, n, "a test vector").value());
    for (std::size_t i = 0; i < buffer.size(); ++i) {
      buffer[i] = centre + random_.number(size);
    }
    return buffer;
  }

  PackedMatrix matrix(Index depth, Index columns, float size) {
    PackedMatrix matrix =
        std::move(PackedMatrix::allocate(depth, columns, panel_width_,
                                         Storage::kFloat32, "a test matrix")
                      .value());
    for (Index c = 0; c < columns; ++c) {
      for (Index k = 0; k < depth; ++k) matrix.at(k, c) = random_.number(size);
    }
    return matrix;
  }

  // Large enough that attention is far from uniform.
  Projection projection(Index in, Index out, bool biased) {
    const float size = 3 / std::sqrt(static_cast<float>(in));
    Projection projection{matrix(in, out, size), {}};
    if (biased) projection.bias = vector(out, 0, 0.2f);
    return projection;
  }

  Norm norm(const ModelConfig& config) {
    Norm norm{vector(config.model_dim, 1, 0.3f), {}};
    if (config.norm == NormKind::kLayerNorm) {
      norm.bias = vector(config.model_dim, 0, 0.2f);
    }
    return norm;
  }

 private:
  RandomNumbers random_;
  Index panel_width_;
};

}  // namespace

std::vector<std::string> random_model_kinds() {
  return {"learned", "parallel", "grouped", "sinusoidal", "alibi"};
}

ModelConfig random_model_config(const std::string& kind) {
  ModelConfig config;
  config.model_type = kind;
  config.vocabulary_size = 61;
  config.model_dim = 40;
  config.num_layers = 3;
  config.num_query_heads = 4;
  config.num_kv_heads = 4;
  config.head_dim = 10;
  config.mlp_dim = 52;
  config.context = 160;
  config.norm_epsilon = 1e-5f;
  config.activation = Activation::kGeluTanh;
  config.tied_output = true;
  if (kind == "parallel") {
    config.position = PositionKind::kRotary;
    config.rotary.dim = 4;
    config.rotary.base = 10000;
    config.activation = Activation::kGeluErf;
    config.parallel_residual = true;
    config.tied_output = false;
  } else if (kind == "grouped") {
    config.num_query_heads = 6;
    config.num_kv_heads = 2;
    config.head_dim = 8;
    config.norm = NormKind::kRmsNorm;
    config.position = PositionKind::kRotary;
    config.rotary.dim = 8;
    config.rotary.base = 500;
    config.activation = Activation::kSilu;
    config.gated_mlp = true;
  } else if (kind == "sinusoidal") {
    config.position = PositionKind::kSinusoidal;
    config.activation = Activation::kRelu;
  } else if (kind == "alibi") {
    config.num_query_heads = 6;
    config.num_kv_heads = 6;
    config.position = PositionKind::kAlibi;
    config.embedding_norm = true;
  }
  config.attention_scale = 1 / std::sqrt(static_cast<float>(config.head_dim));
  return config;
}

std::shared_ptr<const Model> make_random_model(const ModelConfig& config,
                                               const Kernels& kernels,
                                               std::uint32_t seed) {
  Filler fill(seed, kernels.panel_width);
  auto model = std::make_shared<Model>();
  model->config = config;
  model->kernels = &kernels;
  ModelParameters& parameters = model->parameters;
  parameters.token_embedding =
      fill.matrix(config.model_dim, config.vocabulary_size, 0.5f);
  if (config.position == PositionKind::kLearned) {
    parameters.position_embedding =
        fill.vector(config.context * config.model_dim, 0, 0.5f);
  }
  if (config.embedding_norm) parameters.embedding_norm = fill.norm(config);
  const bool biased = config.norm == NormKind::kLayerNorm;
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    BlockParameters block;
    block.attention_norm = fill.norm(config);
    block.attention.query_projection =
        fill.projection(config.model_dim, config.query_dim(), biased);
    block.attention.key_projection =
        fill.projection(config.model_dim, config.kv_dim(), biased);
    block.attention.value_projection =
        fill.projection(config.model_dim, config.kv_dim(), biased);
    block.attention.output_projection =
        fill.projection(config.query_dim(), config.model_dim, biased);
    block.mlp_norm = fill.norm(config);
    if (config.gated_mlp) {
      block.mlp_gate =
          fill.projection(config.model_dim, config.mlp_dim, biased);
    }
    block.mlp_up = fill.projection(config.model_dim, config.mlp_dim, biased);
    block.mlp_down = fill.projection(config.mlp_dim, config.model_dim, biased);
    parameters.blocks.push_back(std::move(block));
  }
  parameters.final_norm = fill.norm(config);
  if (!config.tied_output) {
    parameters.output =
        fill.projection(config.model_dim, config.vocabulary_size, false);
  }
  return model;
}

std::vector<std::int32_t> random_tokens(const ModelConfig& config, Index count,
                                        std::uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<std::int32_t> tokens;
  for (Index i = 0; i < count; ++i) {
    tokens.push_back(static_cast<std::int32_t>(
        engine() % static_cast<std::uint32_t>(config.vocabulary_size)));
  }
  return tokens;
}

}  // namespace attnscope
