// The settings and the list of tensors of bart_like.h.
#include "core/checkpoint/bart_like.h"

#include <cmath>

namespace attnscope {

namespace {

void list_attention(const std::string& name, Index dim,
                    AttentionParameters& attention, SlotList& list) {
  list.linear(name + "q_proj", dim, dim, true, attention.query_projection);
  list.linear(name + "k_proj", dim, dim, true, attention.key_projection);
  list.linear(name + "v_proj", dim, dim, true, attention.value_projection);
  list.linear(name + "out_proj", dim, dim, true, attention.output_projection);
}

// `config` is the stack's own.
void list_stack(const std::string& base, const ModelConfig& config,
                StackParameters& stack, SlotList& list) {
  const Index dim = config.model_dim;
  if (config.position == PositionKind::kLearned)
    list.table(base + "embed_positions",
               config.position_offset + config.context, dim,
               stack.position_embedding);
  if (config.embedding_norm)
    list.norm(base + "layernorm_embedding", config, stack.embedding_norm);
  for (std::size_t i = 0; i < stack.blocks.size(); ++i) {
    const std::string name = base + "layers." + std::to_string(i) + ".";
    BlockParameters& block = stack.blocks[i];
    list_attention(name + "self_attn.", dim, block.attention, list);
    list.norm(name + "self_attn_layer_norm", config, block.attention_norm);
    if (config.has_encoder()) {
      list_attention(name + "encoder_attn.", dim, block.cross_attention, list);
      list.norm(name + "encoder_attn_layer_norm", config,
                block.cross_attention_norm);
    }
    list.linear(name + "fc1", config.mlp_dim, dim, true, block.mlp_up);
    list.linear(name + "fc2", dim, config.mlp_dim, true, block.mlp_down);
    list.norm(name + "final_layer_norm", config, block.mlp_norm);
  }
  if (config.final_norm)
    list.norm(base + "layer_norm", config, stack.final_norm);
}

}  // namespace

void read_bart_config(Settings& settings, Activation activation,
                      ModelConfig& config) {
  config.architecture = Architecture::kEncoderDecoder;
  config.model_dim = settings.size("d_model", kMostWidth);
  config.num_layers = settings.size("decoder_layers", kMostLayers);
  config.num_query_heads = settings.size("decoder_attention_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim = settings.size("decoder_ffn_dim", kMostWidth);
  config.attention_scale = usual_attention_scale(config.head_dim);
  config.context = settings.size("max_position_embeddings", kMostContext);

  ModelConfig encoder = config;
  encoder.num_query_heads =
      settings.size("encoder_attention_heads", kMostHeads);
  encoder.head_dim = usual_head_dim(encoder, settings);
  config.encoder.num_layers = settings.size("encoder_layers", kMostLayers);
  config.encoder.num_heads = encoder.num_query_heads;
  config.encoder.head_dim = encoder.head_dim;
  config.encoder.mlp_dim = settings.size("encoder_ffn_dim", kMostWidth);
  config.encoder.attention_scale = usual_attention_scale(encoder.head_dim);

  config.norm = NormKind::kLayerNorm;
  config.norm_epsilon = 1e-5f;
  config.activation = settings.activation_or("activation_function", activation);
  if (settings.flag_or("scale_embedding", false))
    config.embedding_scale =
        static_cast<float>(std::sqrt(static_cast<double>(config.model_dim)));
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  settings.only("is_decoder", false);
  settings.only("is_encoder_decoder", true);
}

void list_bart_slots(const ModelConfig& config, ModelParameters& parameters,
                     SlotList& list) {
  const std::string base = "model.";
  list.embedding(base + "shared", config, parameters.token_embedding);
  list_stack(base + "encoder.", encoder_of(config), parameters.encoder, list);
  list_stack(base + "decoder.", config, parameters, list);
  list.output("lm_head", config, parameters.output);
  const std::size_t first = list.slots.size();
  list.bias("final_logits_bias",
            {1, static_cast<std::uint64_t>(config.vocabulary_size)},
            parameters.output.bias);
  list.make_optional(first);
}

std::vector<const char*> bart_ignored() {
  return {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
          "encoder.version", "decoder.version"};
}

}  // namespace attnscope
