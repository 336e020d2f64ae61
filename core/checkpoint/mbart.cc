// mBART (Liu et al. 2020) in the Hugging Face layout: BART with norms before
// each part, and one more after the last block.
#include "core/checkpoint/bart_like.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  read_bart_config(settings, Activation::kGeluErf, config);
  config.embedding_norm = true;
  config.position = PositionKind::kLearned;
  config.position_offset = 2;
  settings.only("normalize_before", true);
  settings.only("normalize_embedding", true);
  settings.only("add_final_layer_norm", true);
  settings.only("static_position_embeddings", false);
  settings.only("extra_pos_embeddings", 2);
  read_tokens(settings, 0, 2, config);
  // Without the setting a text begins with its language's token, which only the
  // person knows.
  read_start_tokens(settings, -1, config);
}

}  // namespace

const Family kMBart = {
    .model_type = "mbart",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored = bart_ignored(),
    .read_config = read_config,
    .list_slots = list_bart_slots,
};

}  // namespace attnscope
