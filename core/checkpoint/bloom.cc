// BLOOM (BigScience 2022) in the Hugging Face layout: ALiBi instead of
// positions, a norm on the embedding, query, key and value in one tensor [head,
// (q; k; v), in].
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

// ALiBi has no longest text; config.json may name that of the training.
constexpr Index kContext = 2048;

void read_config(Settings& settings, ModelConfig& config) {
  // Older files have these names for width, layers and heads.
  const auto either = [&](const char* name, const char* old_name) {
    return settings.has(name) ? name : old_name;
  };
  config.model_dim =
      settings.size(either("hidden_size", "n_embed"), kMostWidth);
  config.num_layers =
      settings.size(either("n_layer", "num_hidden_layers"), kMostLayers);
  config.num_query_heads =
      settings.size(either("n_head", "num_attention_heads"), kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim = 4 * config.model_dim;
  config.context = settings.size_or("seq_length", kMostContext, kContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"layer_norm_epsilon"}, 1, 1e-5));
  config.embedding_norm = true;
  config.position = PositionKind::kAlibi;
  config.activation = Activation::kGeluTanh;
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  config.attention_scale = usual_attention_scale(config.head_dim);
  settings.only("apply_residual_connection_post_layernorm", false);
  // It leaves out the biases of the projections that it cuts in pieces.
  settings.only("slow_but_exact", false);
  read_tokens(settings, 1, 2, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string base = kBloom.prefix;
  list.embedding(base + "word_embeddings", config, parameters.token_embedding);
  list.norm(base + "word_embeddings_layernorm", config,
            parameters.embedding_norm);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "h." + std::to_string(i) + ".";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "input_layernorm", config, block.attention_norm);
    list.fused(
        name + "self_attention.query_key_value", Layout::kOutputFirst, dim, dim,
        config.head_dim, true,
        {&block.attention.query_projection, &block.attention.key_projection,
         &block.attention.value_projection});
    list.linear(name + "self_attention.dense", dim, dim, true,
                block.attention.output_projection);
    list.norm(name + "post_attention_layernorm", config, block.mlp_norm);
    list.linear(name + "mlp.dense_h_to_4h", mlp, dim, true, block.mlp_up);
    list.linear(name + "mlp.dense_4h_to_h", dim, mlp, true, block.mlp_down);
  }
  list.norm(base + "ln_f", config, parameters.final_norm);
  list.output("lm_head", config, parameters.output);
}

}  // namespace

const Family kBloom = {
    .model_type = "bloom",
    .prefix = "transformer.",
    .output_name = "lm_head.weight",
    .ignored = {},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
