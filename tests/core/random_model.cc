// Fills parameters in the order of parameters.h, so that a seed means the same
// model whatever the kernel table's panel width.
#include "tests/core/random_model.h"

#include <algorithm>
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

  AttentionParameters attention(const ModelConfig& config, bool biased) {
    AttentionParameters attention;
    attention.query_projection =
        projection(config.model_dim, config.query_dim(), biased);
    attention.key_projection =
        projection(config.model_dim, config.kv_dim(), biased);
    attention.value_projection =
        projection(config.model_dim, config.kv_dim(), biased);
    attention.output_projection =
        projection(config.query_dim(), config.model_dim, biased);
    return attention;
  }

  void stack(const ModelConfig& config, StackParameters& stack) {
    if (config.position == PositionKind::kLearned) {
      stack.position_embedding =
          vector(config.context * config.model_dim, 0, 0.5f);
    }
    if (config.position == PositionKind::kRelative) {
      stack.relative_bias =
          vector(config.relative.num_buckets * config.num_query_heads, 0, 2);
    }
    if (config.num_token_types > 0) {
      stack.token_type_embedding =
          vector(config.num_token_types * config.model_dim, 0, 0.5f);
    }
    if (config.embedding_norm) stack.embedding_norm = norm(config);
    const bool biased = config.norm == NormKind::kLayerNorm;
    for (Index layer = 0; layer < config.num_layers; ++layer) {
      BlockParameters block;
      block.attention_norm = norm(config);
      block.attention = attention(config, biased);
      if (config.has_encoder()) {
        block.cross_attention_norm = norm(config);
        block.cross_attention = attention(config, biased);
      }
      block.mlp_norm = norm(config);
      if (config.gated_mlp) {
        block.mlp_gate = projection(config.model_dim, config.mlp_dim, biased);
      }
      block.mlp_up = projection(config.model_dim, config.mlp_dim, biased);
      block.mlp_down = projection(config.mlp_dim, config.model_dim, biased);
      stack.blocks.push_back(std::move(block));
    }
    if (config.final_norm) stack.final_norm = norm(config);
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
  return {"learned", "parallel", "grouped", "sinusoidal", "alibi", "windowed"};
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
  } else if (kind == "windowed") {
    config.context = 700;
    config.position = PositionKind::kRotary;
    config.rotary.dim = 10;
    config.windows = {20, 0, 150};
  } else if (kind == "encoder") {
    config.architecture = Architecture::kEncoder;
    config.norm_place = NormPlace::kAfter;
    config.num_token_types = 3;
    config.embedding_norm = true;
    config.final_norm = false;
    config.output_transform = true;
  } else if (kind == "translator") {
    config.position = PositionKind::kSinusoidal;
    config.sinusoidal = SinusoidalLayout::kTensor2Tensor;
    config.position_offset = 1;
    config.padding_has_position = true;
    config.embedding_scale = 2;
  } else if (kind == "summariser") {
    config.norm_place = NormPlace::kAfter;
    config.embedding_norm = true;
    config.final_norm = false;
  } else if (kind == "relative") {
    config.norm = NormKind::kRmsNorm;
    config.position = PositionKind::kRelative;
    config.relative = {8, 20, false};
    config.gated_mlp = true;
    config.output_scale = 0.5f;
  } else if (kind == "alibi") {
    config.num_query_heads = 6;
    config.num_kv_heads = 6;
    config.position = PositionKind::kAlibi;
    config.embedding_norm = true;
  }
  config.attention_scale = 1 / std::sqrt(static_cast<float>(config.head_dim));
  const auto kinds = random_encoder_decoder_kinds();
  if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
    config.architecture = Architecture::kEncoderDecoder;
    config.encoder = {2, 5, 8, 44, 1 / std::sqrt(8.0f)};
    config.start_tokens = {2};
  }
  return config;
}

std::vector<std::string> random_encoder_decoder_kinds() {
  return {"translator", "summariser", "relative"};
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
  fill.stack(config, parameters);
  if (config.has_encoder()) fill.stack(encoder_of(config), parameters.encoder);
  if (config.output_transform) {
    parameters.output_transform =
        fill.projection(config.model_dim, config.model_dim, true);
    parameters.output_norm = fill.norm(config);
    parameters.output.bias = fill.vector(config.vocabulary_size, 0, 0.5f);
  }
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
