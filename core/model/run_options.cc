// Spreads the options over layers and heads: the mask with the model's own
// window, the scale, the slope of ALiBi, and each intervention where its scope
// covers.
#include "core/model/run_options.h"

#include <utility>
#include <variant>

#include "core/positions/alibi.h"

namespace attnscope {

std::vector<BlockSettings> make_block_settings(const ModelConfig& config,
                                               const RunOptions& options) {
  std::vector<BlockSettings> settings(
      static_cast<std::size_t>(config.num_layers));
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    BlockSettings& block = settings[static_cast<std::size_t>(layer)];
    const Index window = config.window(layer);
    const Mask mask =
        window == 0 ? options.mask : options.mask & Mask::reach(window);
    for (Index head = 0; head < config.num_query_heads; ++head) {
      HeadSettings plain{mask, config.attention_scale, 1, 0};
      if (config.position == PositionKind::kAlibi) {
        plain.distance_slope = alibi_slope(head, config.num_query_heads);
      }
      for (const Intervention& intervention : options.interventions) {
        if (!intervention.scope.covers(layer, head)) continue;
        const auto& change = intervention.change;
        if (const auto* cell = std::get_if<MaskCell>(&change)) {
          plain.mask = std::move(plain.mask)
                           .with_cell(cell->query, cell->key, cell->allowed);
        } else if (const auto* scale = std::get_if<SetScale>(&change)) {
          plain.scale = scale->scale;
        } else if (const auto* heat = std::get_if<SetTemperature>(&change)) {
          plain.temperature = heat->temperature;
        } else if (const auto* ablate = std::get_if<AblateHead>(&change)) {
          BlockSettings::Ablation ablation{head, ablate->replacement};
          ablation.replacement.resize(static_cast<std::size_t>(config.head_dim),
                                      0);
          block.ablations.push_back(std::move(ablation));
        }
      }
      block.heads.push_back(std::move(plain));
    }
  }
  return settings;
}

}  // namespace attnscope
