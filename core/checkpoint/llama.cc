// Llama (Touvron et al. 2023) in the Hugging Face layout: RMSNorm, rotary
// positions, grouped-query attention, gated MLP. Scaled rotary positions
// (Llama 3.1 and later) are left out and refused.
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  config.model_dim = settings.size("hidden_size", kMostWidth);
  config.num_layers = settings.size("num_hidden_layers", kMostLayers);
  config.num_query_heads = settings.size("num_attention_heads", kMostHeads);
  config.num_kv_heads = settings.size_or("num_key_value_heads", kMostHeads,
                                         config.num_query_heads);
  config.head_dim = settings.has("head_dim")
                        ? settings.size("head_dim", kMostHeadDim)
                        : usual_head_dim(config, settings);
  config.mlp_dim = settings.size("intermediate_size", kMostWidth);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kRmsNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"rms_norm_eps"}, 1, 1e-6));
  read_rotary_base(settings, "rope_theta", config);
  config.rotary_dim = config.head_dim;
  for (const char* name :
       {"partial_rotary_factor", "rope_parameters.partial_rotary_factor",
        "rope_scaling.partial_rotary_factor"})
    settings.only(name, 1);
  config.activation = settings.activation_or("hidden_act", Activation::kSilu);
  config.gated_mlp = true;
  config.tied_output = settings.flag_or("tie_word_embeddings", false);
  config.attention_bias = settings.flag_or("attention_bias", false);
  config.mlp_bias = settings.flag_or("mlp_bias", false);
  config.attention_scale = usual_attention_scale(config.head_dim);
  settings.only("pretraining_tp", 1);
  read_tokens(settings, 1, 2, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const bool attention_bias = config.attention_bias;
  const std::string base = kLlama.prefix;
  list.embedding(base + "embed_tokens", config, parameters.token_embedding);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "layers." + std::to_string(i) + ".";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "input_layernorm", config, block.attention_norm);
    list.linear(name + "self_attn.q_proj", config.query_dim(), dim,
                attention_bias, block.query_projection);
    list.linear(name + "self_attn.k_proj", config.kv_dim(), dim, attention_bias,
                block.key_projection);
    list.linear(name + "self_attn.v_proj", config.kv_dim(), dim, attention_bias,
                block.value_projection);
    list.linear(name + "self_attn.o_proj", dim, config.query_dim(),
                attention_bias, block.output_projection);
    list.norm(name + "post_attention_layernorm", config, block.mlp_norm);
    list.linear(name + "mlp.gate_proj", mlp, dim, config.mlp_bias,
                block.mlp_gate);
    list.linear(name + "mlp.up_proj", mlp, dim, config.mlp_bias, block.mlp_up);
    list.linear(name + "mlp.down_proj", dim, mlp, config.mlp_bias,
                block.mlp_down);
  }
  list.norm(base + "norm", config, parameters.final_norm);
  if (!config.tied_output)
    list.linear("lm_head", config.vocabulary_size, dim, false,
                parameters.output);
}

}  // namespace

const Family kLlama = {
    .model_type = "llama",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored = {"rotary_emb.inv_freq"},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
