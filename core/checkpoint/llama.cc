// Llama (Touvron et al. 2023) in the Hugging Face layout, and the families that
// change details of it: Mistral (a window), Qwen2 (biases), Qwen3 (normed
// queries and keys). RMSNorm, rotary positions, grouped-query attention, gated
// MLP.
#include "core/checkpoint/llama_like.h"

namespace attnscope {
namespace {

void read_plain_rotary(Settings& settings, ModelConfig& config) {
  config.rotary =
      read_rotary(settings, rotary_objects(), {"rope_theta"}, 10000, config);
  for (const char* name :
       {"partial_rotary_factor", "rope_parameters.partial_rotary_factor",
        "rope_scaling.partial_rotary_factor"})
    settings.only(name, 1);
}

void read_llama(Settings& settings, ModelConfig& config) {
  read_llama_like(settings, config);
  read_plain_rotary(settings, config);
  config.attention_bias = settings.flag_or("attention_bias", false);
  config.attention_output_bias = config.attention_bias;
  config.mlp_bias = settings.flag_or("mlp_bias", false);
  settings.only("pretraining_tp", 1);
  read_tokens(settings, 1, 2, config);
}

void read_mistral(Settings& settings, ModelConfig& config) {
  read_llama_like(settings, config);
  read_plain_rotary(settings, config);
  config.attention_bias = false;
  config.attention_output_bias = false;
  read_tokens(settings, 1, 2, config);
  const auto types = settings.choices("layer_types", config.num_layers,
                                      {"full_attention", "sliding_attention"});
  if (settings.is_null("sliding_window")) return;
  const Index window = settings.size_or("sliding_window", kMostContext, 4096);
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    const bool sliding =
        types.empty() ||
        types[static_cast<std::size_t>(layer)] == "sliding_attention";
    config.windows.push_back(sliding ? window : 0);
  }
}

// Windows of Qwen2 and Qwen3: a list of layer types, or all layers from
// max_window_layers on, and only if use_sliding_window says so.
void read_qwen_windows(Settings& settings, ModelConfig& config) {
  const auto types = settings.choices("layer_types", config.num_layers,
                                      {"full_attention", "sliding_attention"});
  const bool used = settings.flag_or("use_sliding_window", false) &&
                    !settings.is_null("sliding_window");
  const Index window = settings.size_or("sliding_window", kMostContext, 4096);
  const Index first = settings.count_or("max_window_layers", kMostLayers, 28);
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    const bool sliding =
        types.empty()
            ? layer >= first
            : types[static_cast<std::size_t>(layer)] == "sliding_attention";
    config.windows.push_back(used && sliding ? window : 0);
  }
}

void read_qwen2(Settings& settings, ModelConfig& config) {
  read_llama_like(settings, config);
  read_plain_rotary(settings, config);
  config.attention_bias = true;
  config.attention_output_bias = false;
  read_qwen_windows(settings, config);
  read_tokens(settings, -1, -1, config);
}

void read_qwen3(Settings& settings, ModelConfig& config) {
  read_llama_like(settings, config, 128);
  read_plain_rotary(settings, config);
  config.attention_bias = settings.flag_or("attention_bias", false);
  config.attention_output_bias = config.attention_bias;
  config.query_key_norm = true;
  read_qwen_windows(settings, config);
  read_tokens(settings, -1, -1, config);
}

Family like_llama(const char* model_type,
                  void (*read)(Settings&, ModelConfig&)) {
  return {.model_type = model_type,
          .prefix = "model.",
          .output_name = "lm_head.weight",
          .ignored = {"rotary_emb.inv_freq"},
          .read_config = read,
          .list_slots = list_llama_like};
}

}  // namespace

void read_llama_like(Settings& settings, ModelConfig& config,
                     Index head_dim_fallback) {
  config.model_dim = settings.size("hidden_size", kMostWidth);
  config.num_layers = settings.size("num_hidden_layers", kMostLayers);
  config.num_query_heads = settings.size("num_attention_heads", kMostHeads);
  config.num_kv_heads = settings.size_or("num_key_value_heads", kMostHeads,
                                         config.num_query_heads);
  config.head_dim =
      settings.has("head_dim") || head_dim_fallback != 0
          ? settings.size_or("head_dim", kMostHeadDim, head_dim_fallback)
          : usual_head_dim(config, settings);
  config.mlp_dim = settings.size("intermediate_size", kMostWidth);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kRmsNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"rms_norm_eps"}, 1, 1e-6));
  config.position = PositionKind::kRotary;
  config.activation = settings.activation_or("hidden_act", Activation::kSilu);
  config.gated_mlp = true;
  config.tied_output = settings.flag_or("tie_word_embeddings", false);
  config.attention_scale = usual_attention_scale(config.head_dim);
  config.mlp_bias = false;
}

void list_llama_like(const ModelConfig& config, ModelParameters& parameters,
                     SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string base = "model.";
  list.embedding(base + "embed_tokens", config, parameters.token_embedding);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "layers." + std::to_string(i) + ".";
    const std::string attention = name + "self_attn.";
    BlockParameters& block = parameters.blocks[i];
    list.norm(name + "input_layernorm", config, block.attention_norm);
    list.linear(attention + "q_proj", config.query_dim(), dim,
                config.attention_bias, block.attention.query_projection);
    list.linear(attention + "k_proj", config.kv_dim(), dim,
                config.attention_bias, block.attention.key_projection);
    list.linear(attention + "v_proj", config.kv_dim(), dim,
                config.attention_bias, block.attention.value_projection);
    list.linear(attention + "o_proj", dim, config.query_dim(),
                config.attention_output_bias,
                block.attention.output_projection);
    if (config.query_key_norm) {
      list.gain(attention + "q_norm", config.head_dim,
                block.attention.query_norm);
      list.gain(attention + "k_norm", config.head_dim,
                block.attention.key_norm);
    }
    // With norms on what is added, the MLP's own has another name.
    if (config.output_norms) {
      list.norm(name + "post_attention_layernorm", config,
                block.attention_output_norm);
      list.norm(name + "pre_feedforward_layernorm", config, block.mlp_norm);
      list.norm(name + "post_feedforward_layernorm", config,
                block.mlp_output_norm);
    } else {
      list.norm(name + "post_attention_layernorm", config, block.mlp_norm);
    }
    list.linear(name + "mlp.gate_proj", mlp, dim, config.mlp_bias,
                block.mlp_gate);
    list.linear(name + "mlp.up_proj", mlp, dim, config.mlp_bias, block.mlp_up);
    list.linear(name + "mlp.down_proj", dim, mlp, config.mlp_bias,
                block.mlp_down);
  }
  list.norm(base + "norm", config, parameters.final_norm);
  list.output("lm_head", config, parameters.output);
}

const Family kLlama = like_llama("llama", read_llama);
const Family kMistral = like_llama("mistral", read_mistral);
const Family kQwen2 = like_llama("qwen2", read_qwen2);
const Family kQwen3 = like_llama("qwen3", read_qwen3);

}  // namespace attnscope
