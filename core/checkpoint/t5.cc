// T5 (Raffel et al. 2020), T5 v1.1 and Flan-T5 in the Hugging Face layout:
// encoder and decoder with RMSNorm before each part, positions as a learned
// bias by distance that a stack's blocks share, no scale of the scores and no
// biases.
#include "core/checkpoint/families.h"

namespace attnscope {
namespace {

// Relative positions have no longest text; older files name that of the
// training.
constexpr Index kContext = 512;

void read_feed_forward(Settings& settings, ModelConfig& config) {
  const std::string kind = settings.choice_or(
      {"feed_forward_proj"},
      {"relu", "gelu", "gelu_new", "silu", "swish", "gated-relu", "gated-gelu",
       "gated-gelu_new", "gated-silu", "gated-swish"},
      "relu");
  config.gated_mlp = kind.starts_with("gated-");
  const std::string name = config.gated_mlp ? kind.substr(6) : kind;
  if (name == "relu") {
    config.activation = Activation::kRelu;
  } else if (name == "silu" || name == "swish") {
    config.activation = Activation::kSilu;
  } else {
    // "gated-gelu" has always meant the tanh form.
    const bool exact = name == "gelu" && !config.gated_mlp;
    config.activation = exact ? Activation::kGeluErf : Activation::kGeluTanh;
  }
  // Newer files say the same twice.
  config.activation = settings.activation_or("dense_act_fn", config.activation);
  settings.only("is_gated_act", config.gated_mlp);
}

void read_config(Settings& settings, ModelConfig& config) {
  config.architecture = Architecture::kEncoderDecoder;
  config.model_dim = settings.size("d_model", kMostWidth);
  config.num_query_heads = settings.size("num_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = settings.size("d_kv", kMostHeadDim);
  config.mlp_dim = settings.size("d_ff", kMostWidth);
  config.encoder.num_layers = settings.size("num_layers", kMostLayers);
  config.num_layers = settings.size_or("num_decoder_layers", kMostLayers,
                                       config.encoder.num_layers);
  config.context = settings.size_or("n_positions", kMostContext, kContext);

  config.norm = NormKind::kRmsNorm;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"layer_norm_epsilon"}, 1, 1e-6));
  config.position = PositionKind::kRelative;
  config.relative.num_buckets =
      settings.size_or("relative_attention_num_buckets", kMostWidth, 32);
  config.relative.max_distance =
      settings.size_or("relative_attention_max_distance", kMostContext, 128);
  // The encoder halves the buckets, and half of those are for far distances.
  if (config.relative.num_buckets < 4 ||
      config.relative.max_distance <= config.relative.num_buckets / 2)
    settings.fail(StatusCode::kInvalidConfig,
                  "relative_attention_num_buckets must be at least 4, and "
                  "relative_attention_max_distance above half of it");
  read_feed_forward(settings, config);
  config.attention_bias = false;
  config.attention_output_bias = false;
  config.mlp_bias = false;
  config.attention_scale = 1;
  // An output matrix in the file counts whatever this setting says, and a file
  // without one is tied; the setting only tells whether the output is scaled.
  const bool says_tied = settings.flag_or("tie_word_embeddings", true);
  config.tied_output = false;
  if (settings.flag_or("scale_decoder_outputs", says_tied))
    config.output_scale = inverse_sqrt(static_cast<double>(config.model_dim));

  config.encoder.num_heads = config.num_query_heads;
  config.encoder.head_dim = config.head_dim;
  config.encoder.mlp_dim = config.mlp_dim;
  config.encoder.attention_scale = config.attention_scale;
  settings.only("is_decoder", false);
  settings.only("is_encoder_decoder", true);
  read_tokens(settings, -1, 1, config);
  read_start_tokens(
      settings, settings.count_or("pad_token_id", kMostVocabulary, 0), config);
}

void list_attention(const std::string& name, const ModelConfig& config,
                    AttentionParameters& attention, SlotList& list) {
  const Index dim = config.model_dim;
  list.linear(name + "q", config.query_dim(), dim, false,
              attention.query_projection);
  list.linear(name + "k", config.kv_dim(), dim, false,
              attention.key_projection);
  list.linear(name + "v", config.kv_dim(), dim, false,
              attention.value_projection);
  list.linear(name + "o", dim, config.query_dim(), false,
              attention.output_projection);
}

// `config` is the stack's own.
void list_stack(const std::string& base, const ModelConfig& config,
                StackParameters& stack, SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  for (std::size_t i = 0; i < stack.blocks.size(); ++i) {
    const std::string block_name = base + "block." + std::to_string(i) + ".";
    BlockParameters& block = stack.blocks[i];
    int part = 0;  // self-attention, perhaps cross-attention, MLP
    const auto next_part = [&] {
      return block_name + "layer." + std::to_string(part++) + ".";
    };
    std::string name = next_part();
    list.norm(name + "layer_norm", config, block.attention_norm);
    list_attention(name + "SelfAttention.", config, block.attention, list);
    if (i == 0)
      list.table(name + "SelfAttention.relative_attention_bias",
                 config.relative.num_buckets, config.num_query_heads,
                 stack.relative_bias);
    if (config.has_encoder()) {
      name = next_part();
      list.norm(name + "layer_norm", config, block.cross_attention_norm);
      list_attention(name + "EncDecAttention.", config, block.cross_attention,
                     list);
    }
    name = next_part();
    list.norm(name + "layer_norm", config, block.mlp_norm);
    name += "DenseReluDense.";
    if (config.gated_mlp) {
      list.linear(name + "wi_0", mlp, dim, false, block.mlp_gate);
      list.linear(name + "wi_1", mlp, dim, false, block.mlp_up);
    } else {
      list.linear(name + "wi", mlp, dim, false, block.mlp_up);
    }
    list.linear(name + "wo", dim, mlp, false, block.mlp_down);
  }
  list.norm(base + "final_layer_norm", config, stack.final_norm);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  list.embedding("shared", config, parameters.token_embedding);
  list_stack("encoder.", encoder_of(config), parameters.encoder, list);
  list_stack("decoder.", config, parameters, list);
  const std::size_t first = list.slots.size();
  list.output("lm_head", config, parameters.output);
  list.make_optional(first);
}

}  // namespace

const Family kT5 = {
    .model_type = "t5",
    .prefix = "",
    .output_name = "lm_head.weight",
    .ignored = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
                // Old files have it, and nothing reads it.
                "EncDecAttention.relative_attention_bias.weight"},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
