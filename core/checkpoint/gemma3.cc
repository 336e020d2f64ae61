// Gemma 3 text models (Gemma Team 2025) in the Hugging Face layout: Llama's
// block with a window in most layers and rotary positions of its own there,
// normed queries and keys, norms on what attention and MLP add, gains stored as
// their difference from 1, scaled embeddings. Images are left out.
#include <cmath>

#include "core/checkpoint/llama_like.h"

namespace attnscope {
namespace {

// Two kinds of layers, two rotary tables. Newer files nest the settings of
// each under its name; older ones have a base for each and scale only the full
// layers.
void read_rotary_kinds(Settings& settings, ModelConfig& config) {
  if (settings.has("rope_parameters.full_attention") ||
      settings.has("rope_parameters.sliding_attention")) {
    config.rotary = read_rotary(settings, {"rope_parameters.full_attention"},
                                {}, 1e6, config);
    config.window_rotary = read_rotary(
        settings, {"rope_parameters.sliding_attention"}, {}, 1e4, config);
    // Written beside them where all layers are of one kind.
    settings.only("rope_parameters.rope_type", "default");
    settings.only_members("rope_parameters",
                          {"full_attention", "sliding_attention", "rope_type"});
    return;
  }
  config.rotary =
      read_rotary(settings, rotary_objects(), {"rope_theta"}, 1e6, config);
  config.window_rotary =
      read_rotary(settings, {}, {"rope_local_base_freq"}, 1e4, config);
}

void read_gemma3(Settings& settings, ModelConfig& config) {
  read_llama_like(settings, config, 256);
  config.activation =
      settings.activation_or("hidden_activation", Activation::kGeluTanh);
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  config.attention_bias = settings.flag_or("attention_bias", false);
  config.attention_output_bias = config.attention_bias;
  config.query_key_norm = true;
  config.output_norms = true;
  config.embedding_scale =
      static_cast<float>(std::sqrt(static_cast<double>(config.model_dim)));
  config.attention_scale =
      inverse_sqrt(settings.positive_or({"query_pre_attn_scalar"}, 1e9, 256));
  read_rotary_kinds(settings, config);
  settings.only("attn_logit_softcapping", nullptr);
  settings.only("final_logit_softcapping", nullptr);
  settings.only("use_bidirectional_attention", false);
  read_tokens(settings, 2, 1, config);

  const Index window = settings.size_or("sliding_window", kMostContext, 4096);
  const Index pattern = settings.size_or(settings.has("sliding_window_pattern")
                                             ? "sliding_window_pattern"
                                             : "_sliding_window_pattern",
                                         kMostLayers, 6);
  const auto types = settings.choices("layer_types", config.num_layers,
                                      {"full_attention", "sliding_attention"});
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    const bool sliding =
        types.empty()
            ? (layer + 1) % pattern != 0
            : types[static_cast<std::size_t>(layer)] == "sliding_attention";
    config.windows.push_back(sliding ? window : 0);
  }
}

// Every norm multiplies by 1 + what is stored.
void finish(ModelParameters& parameters) {
  const auto add_one = [](FloatBuffer& gain) {
    for (std::size_t i = 0; i < gain.size(); ++i) gain[i] += 1;
  };
  for (BlockParameters& block : parameters.blocks) {
    add_one(block.attention_norm.gain);
    add_one(block.attention.query_norm);
    add_one(block.attention.key_norm);
    add_one(block.attention_output_norm.gain);
    add_one(block.mlp_norm.gain);
    add_one(block.mlp_output_norm.gain);
  }
  add_one(parameters.final_norm.gain);
}

}  // namespace

const Family kGemma3 = {
    .model_type = "gemma3_text",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored = {"rotary_emb.inv_freq"},
    .read_config = read_gemma3,
    .list_slots = list_llama_like,
    .finish = finish,
};

}  // namespace attnscope
