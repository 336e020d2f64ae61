// Spreads the options over layers and heads: the mask with the model's own
// window, the scale, and each intervention where its scope covers.
#include "core/model/run_options.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace attnscope {

namespace {

const Mask& mask_of(const RunOptions& options, AttentionPart part) {
  switch (part) {
    case AttentionPart::kEncoder:
      return options.source_mask;
    case AttentionPart::kCross:
      return options.cross_mask;
    case AttentionPart::kSelf:
      break;
  }
  return options.mask;
}

float scale_of(const ModelConfig& config, AttentionPart part, Index layer) {
  const float scale = part == AttentionPart::kEncoder
                          ? config.encoder.attention_scale
                          : config.attention_scale;
  return config.scale_by_inverse_layer ? scale / static_cast<float>(layer + 1)
                                       : scale;
}

void change_head(const AblateHead& ablate, Index head, Index head_dim,
                 AttentionSettings& settings) {
  AttentionSettings::Ablation ablation{head, ablate.replacement};
  ablation.replacement.resize(static_cast<std::size_t>(head_dim), 0);
  settings.ablations.push_back(std::move(ablation));
}

void change_head(const MaskCell& cell, HeadSettings& head) {
  head.mask =
      std::move(head.mask).with_cell(cell.query, cell.key, cell.allowed);
}

void change_head(const SetScale& change, HeadSettings& head) {
  head.scale = change.scale;
}

void change_head(const SetTemperature& change, HeadSettings& head) {
  head.temperature = change.temperature;
}

void change_head(const ReplaceWeights& change, HeadSettings& head) {
  head.weights_rows.push_back({change.query, change.weights});
}

void change_head(const SwapValue& change, HeadSettings& head) {
  std::erase_if(head.swapped_values,
                [&](const auto& earlier) { return earlier.key == change.key; });
  head.swapped_values.push_back({change.key, change.value});
}

}  // namespace

bool AttentionSettings::needs_rows() const {
  return std::any_of(heads.begin(), heads.end(), [](const HeadSettings& head) {
    return head.needs_rows();
  });
}

std::vector<AttentionSettings> make_attention_settings(
    const ModelConfig& config, const RunOptions& options, AttentionPart part) {
  std::vector<AttentionSettings> layers(
      static_cast<std::size_t>(num_layers_of(config, part)));
  Mask mask = mask_of(options, part);
  if (part == AttentionPart::kCross) {
    mask = options.source_mask.padding_only() & mask;
  }
  Index layer = 0;
  for (AttentionSettings& settings : layers) {
    const Index window =
        part == AttentionPart::kSelf ? config.window(layer) : 0;
    const Mask seen = window == 0 ? mask : mask & Mask::reach(window);
    for (Index head = 0; head < num_heads_of(config, part); ++head) {
      HeadSettings plain;
      plain.mask = seen;
      plain.scale = scale_of(config, part, layer);
      for (const Intervention& intervention : options.interventions) {
        if (!intervention.scope.covers(part, layer, head)) continue;
        std::visit(
            [&](const auto& change) {
              using Change = std::decay_t<decltype(change)>;
              if constexpr (std::is_same_v<Change, AblateHead>) {
                change_head(change, head, head_dim_of(config, part), settings);
              } else {
                change_head(change, plain);
              }
            },
            intervention.change);
      }
      settings.heads.push_back(std::move(plain));
    }
    ++layer;
  }
  return layers;
}

}  // namespace attnscope
