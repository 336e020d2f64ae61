// OPT (Zhang et al. 2022) in the Hugging Face layout: GPT-2's block with
// separate projections, ReLU, and learned positions whose table starts two rows
// early. The one size whose embedding is narrower than its blocks (350M) is
// refused.
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  config.model_dim = settings.size("hidden_size", kMostWidth);
  config.num_layers = settings.size("num_hidden_layers", kMostLayers);
  config.num_query_heads = settings.size("num_attention_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim = settings.size("ffn_dim", kMostWidth);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_epsilon = 1e-5f;
  config.position = PositionKind::kLearned;
  config.position_offset = 2;
  config.activation =
      settings.activation_or("activation_function", Activation::kRelu);
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  const bool biased = settings.flag_or("enable_bias", true);
  config.attention_bias = biased;
  config.attention_output_bias = biased;
  config.mlp_bias = biased;
  config.attention_scale = usual_attention_scale(config.head_dim);
  settings.only("word_embed_proj_dim", config.model_dim);
  const bool norms_before = settings.flag_or("do_layer_norm_before", true);
  config.norm_place = norms_before ? NormPlace::kBefore : NormPlace::kAfter;
  config.final_norm =
      norms_before && !settings.flag_or("_remove_final_layer_norm", false);
  settings.only("layer_norm_elementwise_affine", true);
  read_tokens(settings, 2, 2, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string base = std::string(kOpt.prefix) + "decoder.";
  list.embedding(base + "embed_tokens", config, parameters.token_embedding);
  list.table(base + "embed_positions", config.position_offset + config.context,
             dim, parameters.position_embedding);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "layers." + std::to_string(i) + ".";
    const std::string attention = name + "self_attn.";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "self_attn_layer_norm", config, block.attention_norm);
    list.linear(attention + "q_proj", dim, dim, config.attention_bias,
                block.attention.query_projection);
    list.linear(attention + "k_proj", dim, dim, config.attention_bias,
                block.attention.key_projection);
    list.linear(attention + "v_proj", dim, dim, config.attention_bias,
                block.attention.value_projection);
    list.linear(attention + "out_proj", dim, dim, config.attention_output_bias,
                block.attention.output_projection);
    list.norm(name + "final_layer_norm", config, block.mlp_norm);
    list.linear(name + "fc1", mlp, dim, config.mlp_bias, block.mlp_up);
    list.linear(name + "fc2", dim, mlp, config.mlp_bias, block.mlp_down);
  }
  if (config.final_norm)
    list.norm(base + "final_layer_norm", config, parameters.final_norm);
  list.output("lm_head", config, parameters.output);
}

}  // namespace

const Family kOpt = {
    .model_type = "opt",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored = {},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
