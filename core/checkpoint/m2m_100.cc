// M2M100 (Fan et al. 2021; NLLB's dense models) in the Hugging Face layout:
// norms before each part and after the last block, sinusoidal positions in
// tensor2tensor's layout that start after that of the padding token.
#include <cmath>

#include "core/checkpoint/bart_like.h"

namespace attnscope {
namespace {

void read_config(Settings& settings, ModelConfig& config) {
  read_bart_config(settings, Activation::kRelu, config);
  if (!settings.has("scale_embedding"))
    config.embedding_scale =
        static_cast<float>(std::sqrt(static_cast<double>(config.model_dim)));
  config.position = PositionKind::kSinusoidal;
  config.sinusoidal = SinusoidalLayout::kTensor2Tensor;
  config.position_offset =
      settings.count_or("pad_token_id", kMostVocabulary, 1) + 1;
  config.padding_has_position = true;
  if (config.model_dim < 4 || config.model_dim % 2 != 0)
    settings.fail(StatusCode::kInvalidConfig,
                  "d_model " + std::to_string(config.model_dim) +
                      " is not an even number from 4, as the positions need");
  settings.only("normalize_before", true);
  read_tokens(settings, 0, 2, config);
  read_start_tokens(settings, 2, config);
}

}  // namespace

const Family kM2M100 = {
    .model_type = "m2m_100",
    .prefix = "model.",
    .output_name = "lm_head.weight",
    .ignored =
        [] {
          auto ignored = bart_ignored();
          ignored.push_back("embed_positions.weights");
          return ignored;
        }(),
    .read_config = read_config,
    .list_slots = list_bart_slots,
};

}  // namespace attnscope
