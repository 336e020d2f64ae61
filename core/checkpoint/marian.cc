// Marian (Junczys-Dowmunt et al. 2018; the opus-mt models) in the Hugging Face
// layout: BART with sinusoidal positions and no norm on the embedding.
#include "core/checkpoint/bart_like.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  read_bart_config(settings, Activation::kGeluErf, config);
  config.norm_place = NormPlace::kAfter;
  config.final_norm = false;
  config.position = PositionKind::kSinusoidal;
  config.sinusoidal = SinusoidalLayout::kHalves;
  settings.only("normalize_before", false);
  settings.only("normalize_embedding", false);
  settings.only("add_final_layer_norm", false);
  settings.only("static_position_embeddings", true);
  settings.only("share_encoder_decoder_embeddings", true);
  settings.only("decoder_vocab_size", config.vocabulary_size);
  read_tokens(settings, -1, 0, config);
  read_start_tokens(settings, 58100, config);
}

}  // namespace

const Family kMarian = {
    .model_type = "marian",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored =
        [] {
          auto ignored = bart_ignored();
          ignored.push_back("embed_positions.weight");
          return ignored;
        }(),
    .read_config = read_config,
    .list_slots = list_bart_slots,
};

}  // namespace attnscope
