// BART (Lewis et al. 2020) in the Hugging Face layout: norms after each part,
// learned positions whose table starts two rows early, a norm on the embedding.
#include "core/checkpoint/bart_like.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  read_bart_config(settings, Activation::kGeluErf, config);
  config.norm_place = NormPlace::kAfter;
  config.embedding_norm = true;
  config.final_norm = false;
  config.position = PositionKind::kLearned;
  config.position_offset = 2;
  settings.only("normalize_before", false);
  settings.only("normalize_embedding", true);
  settings.only("add_final_layer_norm", false);
  settings.only("static_position_embeddings", false);
  settings.only("extra_pos_embeddings", 2);
  read_tokens(settings, 0, 2, config);
  read_start_tokens(settings, 2, config);
}

}  // namespace

const Family kBart = {
    .model_type = "bart",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored = bart_ignored(),
    .read_config = read_config,
    .list_slots = list_bart_slots,
};

}  // namespace attnscope
