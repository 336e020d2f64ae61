// GPT-NeoX (Black et al. 2022; the Pythia models) in the Hugging Face layout:
// rotary positions on a part of each head, attention and MLP usually side by
// side, query, key and value in one tensor [head, (q; k; v), in].
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  config.model_dim = settings.size("hidden_size", kMostWidth);
  config.num_layers = settings.size("num_hidden_layers", kMostLayers);
  config.num_query_heads = settings.size("num_attention_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim = settings.size("intermediate_size", kMostWidth);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"layer_norm_eps"}, 1, 1e-5));
  config.position = PositionKind::kRotary;
  config.rotary = read_rotary(settings, rotary_objects(),
                              {"rotary_emb_base", "rope_theta"}, 10000, config);
  config.rotary.dim = static_cast<Index>(static_cast<double>(config.head_dim) *
                                         read_rotary_part(settings, 0.25));
  config.activation =
      settings.activation_or("hidden_act", Activation::kGeluErf);
  config.parallel_residual = settings.flag_or("use_parallel_residual", true);
  config.tied_output = settings.flag_or("tie_word_embeddings", false);
  config.attention_bias = settings.flag_or("attention_bias", true);
  config.attention_output_bias = config.attention_bias;
  config.attention_scale = usual_attention_scale(config.head_dim);
  read_tokens(settings, 0, 2, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string base = kGptNeox.prefix;
  list.embedding(base + "embed_in", config, parameters.token_embedding);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "layers." + std::to_string(i) + ".";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "input_layernorm", config, block.attention_norm);
    list.fused(
        name + "attention.query_key_value", Layout::kOutputFirst, dim, dim,
        config.head_dim, config.attention_bias,
        {&block.attention.query_projection, &block.attention.key_projection,
         &block.attention.value_projection});
    list.linear(name + "attention.dense", dim, dim,
                config.attention_output_bias,
                block.attention.output_projection);
    list.norm(name + "post_attention_layernorm", config, block.mlp_norm);
    list.linear(name + "mlp.dense_h_to_4h", mlp, dim, true, block.mlp_up);
    list.linear(name + "mlp.dense_4h_to_h", dim, mlp, true, block.mlp_down);
  }
  list.norm(base + "final_layer_norm", config, parameters.final_norm);
  list.output("embed_out", config, parameters.output);
}

}  // namespace

const Family kGptNeox = {
    .model_type = "gpt_neox",
    .prefix = "gpt_neox.",
    .output_name = "embed_out.weight",
    .ignored = {".attention.bias", ".attention.masked_bias",
                "rotary_emb.inv_freq"},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
