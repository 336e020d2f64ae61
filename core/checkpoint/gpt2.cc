// GPT-2 (Radford et al. 2019) in the Hugging Face layout: learned positions,
// LayerNorm before each part, projections stored as [in, out], query, key and
// value in one tensor [in, (q; k; v)].
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  config.model_dim = settings.size("n_embd", kMostWidth);
  config.num_layers = settings.size("n_layer", kMostLayers);
  config.num_query_heads = settings.size("n_head", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim =
      settings.size_or("n_inner", kMostWidth, 4 * config.model_dim);
  // n_positions counts where both are there, as in many published files.
  const bool old_name = settings.has("n_ctx") && !settings.has("n_positions");
  config.context =
      settings.size(old_name ? "n_ctx" : "n_positions", kMostContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"layer_norm_epsilon"}, 1, 1e-5));
  config.position = PositionKind::kLearned;
  config.activation =
      settings.activation_or("activation_function", Activation::kGeluTanh);
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  config.attention_scale = settings.flag_or("scale_attn_weights", true)
                               ? usual_attention_scale(config.head_dim)
                               : 1;
  config.scale_by_inverse_layer =
      settings.flag_or("scale_attn_by_inverse_layer_idx", false);
  settings.only("add_cross_attention", false);
  read_tokens(settings, 50256, 50256, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const auto projection = [&](const std::string& name, Index outputs,
                              Index inputs, Projection& to) {
    list.fused(name, Layout::kInputFirst, outputs, inputs, outputs, true,
               {&to});
  };
  const std::string base = kGpt2.prefix;
  list.embedding(base + "wte", config, parameters.token_embedding);
  list.table(base + "wpe", config.context, dim, parameters.position_embedding);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "h." + std::to_string(i) + ".";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "ln_1", config, block.attention_norm);
    list.fused(
        name + "attn.c_attn", Layout::kInputFirst, dim, dim, dim, true,
        {&block.attention.query_projection, &block.attention.key_projection,
         &block.attention.value_projection});
    projection(name + "attn.c_proj", dim, dim,
               block.attention.output_projection);
    list.norm(name + "ln_2", config, block.mlp_norm);
    projection(name + "mlp.c_fc", mlp, dim, block.mlp_up);
    projection(name + "mlp.c_proj", dim, mlp, block.mlp_down);
  }
  list.norm(base + "ln_f", config, parameters.final_norm);
  list.output("lm_head", config, parameters.output);
}

}  // namespace

const Family kGpt2 = {
    .model_type = "gpt2",
    .prefix = "transformer.",
    .output_name = "lm_head.weight",
    .ignored = {".attn.bias", ".attn.masked_bias"},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
