// BERT (Devlin et al. 2019) in the Hugging Face layout: an encoder with learned
// positions, embeddings of two kinds of segments and norms after each part,
// read by a masked language model's layers. The pooler and the next-sentence
// head, which have no part in it, are left out.
#include "core/checkpoint/bert_like.h"

namespace attnscope {

void read_bert_config(Settings& settings, ModelConfig& config) {
  config.architecture = Architecture::kEncoder;
  config.model_dim = settings.size("hidden_size", kMostWidth);
  config.num_layers = settings.size("num_hidden_layers", kMostLayers);
  config.num_query_heads = settings.size("num_attention_heads", kMostHeads);
  config.num_kv_heads = config.num_query_heads;
  config.head_dim = usual_head_dim(config, settings);
  config.mlp_dim = settings.size("intermediate_size", kMostWidth);
  config.context = settings.size("max_position_embeddings", kMostContext);

  config.norm = NormKind::kLayerNorm;
  config.norm_place = NormPlace::kAfter;
  config.norm_epsilon =
      static_cast<float>(settings.positive_or({"layer_norm_eps"}, 1, 1e-12));
  config.embedding_norm = true;
  config.final_norm = false;
  config.num_token_types = settings.size_or("type_vocab_size", kMostWidth, 2);
  config.position = PositionKind::kLearned;
  config.activation =
      settings.activation_or("hidden_act", Activation::kGeluErf);
  config.output_transform = true;
  config.output_activation = config.activation;
  config.tied_output = settings.flag_or("tie_word_embeddings", true);
  config.attention_scale = usual_attention_scale(config.head_dim);
  settings.only("position_embedding_type", "absolute");
  settings.only("is_decoder", false);
  settings.only("add_cross_attention", false);
}

void list_bert_stack(const std::string& base, const ModelConfig& config,
                     ModelParameters& parameters, SlotList& list) {
  const Index dim = config.model_dim;
  const Index mlp = config.mlp_dim;
  const std::string embeddings = base + "embeddings.";
  list.embedding(embeddings + "word_embeddings", config,
                 parameters.token_embedding);
  list.table(embeddings + "token_type_embeddings", config.num_token_types, dim,
             parameters.token_type_embedding);
  list.table(embeddings + "position_embeddings",
             config.position_offset + config.context, dim,
             parameters.position_embedding);
  list.norm(embeddings + "LayerNorm", config, parameters.embedding_norm);
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const std::string name = base + "encoder.layer." + std::to_string(i) + ".";
    const std::string attention = name + "attention.self.";
    BlockParameters& block = parameters.blocks[i];
    list.linear(attention + "query", dim, dim, true,
                block.attention.query_projection);
    list.linear(attention + "key", dim, dim, true,
                block.attention.key_projection);
    list.linear(attention + "value", dim, dim, true,
                block.attention.value_projection);
    list.linear(name + "attention.output.dense", dim, dim, true,
                block.attention.output_projection);
    list.norm(name + "attention.output.LayerNorm", config,
              block.attention_norm);
    list.linear(name + "intermediate.dense", mlp, dim, true, block.mlp_up);
    list.linear(name + "output.dense", dim, mlp, true, block.mlp_down);
    list.norm(name + "output.LayerNorm", config, block.mlp_norm);
  }
}

void list_token_predictor(const std::string& dense, const std::string& norm,
                          const std::string& output,
                          const std::string& tied_bias,
                          const ModelConfig& config,
                          ModelParameters& parameters, SlotList& list) {
  const std::size_t first = list.slots.size();
  list.linear(dense, config.model_dim, config.model_dim, true,
              parameters.output_transform);
  list.norm(norm, config, parameters.output_norm);
  list.output(output, config, parameters.output);
  list.bias((config.tied_output ? tied_bias : output) + ".bias",
            {static_cast<std::uint64_t>(config.vocabulary_size)},
            parameters.output.bias);
  list.make_optional(first);
}

namespace {

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  list_bert_stack(kBert.prefix, config, parameters, list);
  const std::string head = "cls.predictions.";
  list_token_predictor(head + "transform.dense", head + "transform.LayerNorm",
                       head + "decoder", "cls.predictions", config, parameters,
                       list);
}

}  // namespace

const Family kBert = {
    .model_type = "bert",
    .prefix = "bert.",
    .output_name = "cls.predictions.decoder.weight",
    .ignored = {"embeddings.position_ids", "pooler.dense.weight",
                "pooler.dense.bias", "cls.seq_relationship.weight",
                "cls.seq_relationship.bias", "cls.predictions.decoder.bias",
                "cls.predictions.bias"},
    .read_config = read_bert_config,
    .list_slots = list_slots,
};

}  // namespace attnscope
