// DistilBERT (Sanh et al. 2019) in the Hugging Face layout: BERT's block under
// other names, without kinds of segments.
#include "core/checkpoint/bert_like.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  config.architecture = Architecture::kEncoder;
  config.model_dim = settings.size("dim", kMostWidth);
  config.num_layers = settings.size("n_layers", kMostLayers);
  config.num_query_heads = settings.size("n_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim = settings.size("hidden_dim", kMostWidth);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_place = NormPlace::kAfter;
  config.norm_epsilon = 1e-12f;
  config.embedding_norm = true;
  config.final_norm = false;
  // sinusoidal_pos_embds only fills the table once; the file has it.
  config.position = PositionKind::kLearned;
  config.activation =
      settings.activation_or("activation", Activation::kGeluErf);
  config.output_transform = true;
  config.output_activation = config.activation;
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  config.attention_scale = usual_attention_scale(config.head_dim);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string base = kDistilBert.prefix;
  list.embedding(base + "embeddings.word_embeddings", config,
                 parameters.token_embedding);
  list.table(base + "embeddings.position_embeddings", config.context, dim,
             parameters.position_embedding);
  list.norm(base + "embeddings.LayerNorm", config, parameters.embedding_norm);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name =
        base + "transformer.layer." + std::to_string(i) + ".";
    const std::string attention = name + "attention.";
    BlockParameters& block = parameters.blocks[i];
    list.linear(attention + "q_lin", dim, dim, true,
                block.attention.query_projection);
    list.linear(attention + "k_lin", dim, dim, true,
                block.attention.key_projection);
    list.linear(attention + "v_lin", dim, dim, true,
                block.attention.value_projection);
    list.linear(attention + "out_lin", dim, dim, true,
                block.attention.output_projection);
    list.norm(name + "sa_layer_norm", config, block.attention_norm);
    list.linear(name + "ffn.lin1", mlp, dim, true, block.mlp_up);
    list.linear(name + "ffn.lin2", dim, mlp, true, block.mlp_down);
    list.norm(name + "output_layer_norm", config, block.mlp_norm);
  }
  list_token_predictor("vocab_transform", "vocab_layer_norm", "vocab_projector",
                       "vocab_projector", config, parameters, list);
}

}  // namespace

const Family kDistilBert = {
    .model_type = "distilbert",
    .prefix = "distilbert.",
    .output_name = "vocab_projector.weight",
    .ignored = {"embeddings.position_ids"},
    .read_config = read_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
