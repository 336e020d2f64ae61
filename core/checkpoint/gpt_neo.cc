// GPT-Neo (Black et al. 2021; the TinyStories models) in the Hugging Face
// layout: GPT-2's block with separate projections, no scale of the scores, and
// a window in every other layer.
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  config.model_dim = settings.size("hidden_size", kMostWidth);
  config.num_layers = settings.size("num_layers", kMostLayers);
  config.num_query_heads = settings.size("num_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim =
      settings.size_or("intermediate_size", kMostWidth, 4 * config.model_dim);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"layer_norm_epsilon"}, 1, 1e-5));
  config.position = PositionKind::kLearned;
  config.activation =
      settings.activation_or("activation_function", Activation::kGeluTanh);
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  config.attention_bias = false;
  config.attention_scale = 1;

  const Index window = settings.size_or("window_size", kMostContext, 256);
  // The list by layers is made from the other; where both are there it counts.
  auto types = settings.choices("attention_layers", config.num_layers,
                                {"global", "local"});
  if (types.empty())
    types = settings.repeated_choices("attention_types", config.num_layers,
                                      {"global", "local"});
  for (const std::string& type : types)
    config.windows.push_back(type == "local" ? window : 0);
  read_tokens(settings, 50256, 50256, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string base = kGptNeo.prefix;
  list.embedding(base + "wte", config, parameters.token_embedding);
  list.table(base + "wpe", config.context, dim, parameters.position_embedding);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "h." + std::to_string(i) + ".";
    const std::string attention = name + "attn.attention.";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "ln_1", config, block.attention_norm);
    list.linear(attention + "q_proj", dim, dim, false,
                block.attention.query_projection);
    list.linear(attention + "k_proj", dim, dim, false,
                block.attention.key_projection);
    list.linear(attention + "v_proj", dim, dim, false,
                block.attention.value_projection);
    list.linear(attention + "out_proj", dim, dim, true,
                block.attention.output_projection);
    list.norm(name + "ln_2", config, block.mlp_norm);
    list.linear(name + "mlp.c_fc", mlp, dim, true, block.mlp_up);
    list.linear(name + "mlp.c_proj", dim, mlp, true, block.mlp_down);
  }
  list.norm(base + "ln_f", config, parameters.final_norm);
  list.output("lm_head", config, parameters.output);
}

}  // namespace

const Family kGptNeo = {
    .model_type = "gpt_neo",
    .prefix = "transformer.",
    .output_name = "lm_head.weight",
    .ignored = {".attention.bias", ".attention.masked_bias"},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
