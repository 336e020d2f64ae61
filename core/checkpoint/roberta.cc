// RoBERTa (Liu et al. 2019), XLM-RoBERTa and CamemBERT in the Hugging Face
// layout: BERT's blocks, positions that start after that of the padding token,
// and token-predicting layers of other names.
#include "core/checkpoint/bert_like.h"

namespace attnscope {
namespace {

constexpr const char* kPrefix = "roberta.";

void read_config(Settings& settings, ModelConfig& config) {
  read_bert_config(settings, config);
  const Index padding = settings.count_or("pad_token_id", kMostVocabulary, 1);
  config.position_offset = padding + 1;
  config.padding_has_position = true;
  config.context -= config.position_offset;
  if (config.context < 1)
    settings.fail(StatusCode::kInvalidConfig,
                  "max_position_embeddings leaves no position after that of "
                  "pad_token_id " +
                      std::to_string(padding));
  config.output_activation = Activation::kGeluErf;
  read_tokens(settings, 0, 2, config);
}

void list_slots(const ModelConfig& config, ModelParameters& parameters,
                SlotList& list) {
  list_bert_stack(kPrefix, config, parameters, list);
  list_token_predictor("lm_head.dense", "lm_head.layer_norm", "lm_head.decoder",
                       "lm_head", config, parameters, list);
}

// The name tells the tokenizer and the text it was trained on, not the
// architecture.
Family like_roberta(const char* model_type) {
  return {
      .model_type = model_type,
      .prefix = kPrefix,
      .output_name = "lm_head.decoder.weight",
      .ignored = {"embeddings.position_ids", "pooler.dense.weight",
                  "pooler.dense.bias", "lm_head.decoder.bias", "lm_head.bias"},
      .read_config = read_config,
      .list_slots = list_slots};
}

}  // namespace

const Family kRoberta = like_roberta("roberta");
const Family kXlmRoberta = like_roberta("xlm-roberta");
const Family kCamembert = like_roberta("camembert");

}  // namespace attnscope
