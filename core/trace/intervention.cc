// Checks of interventions before a run starts.
#include "core/trace/intervention.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace attnscope {

namespace {

// What a change is checked against.
struct Room {
  Index head_dim;
  Index keys;
};

// Why a change cannot be made, or an empty string.
std::string fault_of(const AblateHead& ablate, Room room) {
  const auto length = static_cast<Index>(ablate.replacement.size());
  if (length == 0 || length == room.head_dim) return {};
  return "replacement has " + std::to_string(length) +
         " numbers, a head's output has " + std::to_string(room.head_dim);
}

std::string fault_of(const MaskCell& cell, Room) {
  if (cell.query >= 0 && cell.key >= 0) return {};
  return "cell (" + std::to_string(cell.query) + ", " +
         std::to_string(cell.key) + ") has a negative position";
}

std::string fault_of(const SetScale& change, Room) {
  if (std::isfinite(change.scale)) return {};
  return "scale " + std::to_string(change.scale) + " is not finite";
}

std::string fault_of(const SetTemperature& change, Room) {
  if (std::isfinite(change.temperature) && change.temperature >= 0) return {};
  return "temperature " + std::to_string(change.temperature) +
         " is not a finite number of at least 0";
}

std::string fault_of(const ReplaceWeights& change, Room room) {
  if (change.query < 0) {
    return "query " + std::to_string(change.query) + " is negative";
  }
  const auto length = static_cast<Index>(change.weights.size());
  if (length > room.keys) {
    return "there are " + std::to_string(length) + " weights for at most " +
           std::to_string(room.keys) + " keys";
  }
  for (const float weight : change.weights) {
    if (weight >= 0 && weight <= 1) continue;
    return "weight " + std::to_string(weight) + " is not between 0 and 1";
  }
  return {};
}

std::string fault_of(const SwapValue& change, Room room) {
  if (change.key < 0) {
    return "key " + std::to_string(change.key) + " is negative";
  }
  const auto length = static_cast<Index>(change.value.size());
  if (length != room.head_dim) {
    return "the value has " + std::to_string(length) +
           " numbers, a head's values have " + std::to_string(room.head_dim);
  }
  const bool finite = std::all_of(change.value.begin(), change.value.end(),
                                  [](float x) { return std::isfinite(x); });
  return finite ? "" : "the value has a number that is not finite";
}

std::string fault_of(const Scope& scope, const ModelConfig& config) {
  const Index num_layers = num_layers_of(config, scope.part);
  const Index num_heads = num_heads_of(config, scope.part);
  if (num_layers == 0) {
    return std::string("this model has no ") + name_of(scope.part);
  }
  if (scope.layer < kEvery || scope.layer >= num_layers) {
    return "layer " + std::to_string(scope.layer) +
           " does not exist, there are " + std::to_string(num_layers);
  }
  if (scope.head < kEvery || scope.head >= num_heads) {
    return "head " + std::to_string(scope.head) +
           " does not exist, there are " + std::to_string(num_heads);
  }
  return {};
}

}  // namespace

Index num_layers_of(const ModelConfig& config, AttentionPart part) {
  if (part == AttentionPart::kSelf) return config.num_layers;
  if (!config.has_encoder()) return 0;
  return part == AttentionPart::kCross ? config.num_layers
                                       : config.encoder.num_layers;
}

Index num_heads_of(const ModelConfig& config, AttentionPart part) {
  return part == AttentionPart::kEncoder ? config.encoder.num_heads
                                         : config.num_query_heads;
}

Index head_dim_of(const ModelConfig& config, AttentionPart part) {
  return part == AttentionPart::kEncoder ? config.encoder.head_dim
                                         : config.head_dim;
}

const char* name_of(AttentionPart part) {
  switch (part) {
    case AttentionPart::kSelf:
      return "self-attention";
    case AttentionPart::kEncoder:
      return "encoder";
    case AttentionPart::kCross:
      return "cross-attention";
  }
  return "";
}

Status check_interventions(std::span<const Intervention> interventions,
                           const ModelConfig& config, TextLengths room) {
  for (std::size_t i = 0; i < interventions.size(); ++i) {
    const Scope& scope = interventions[i].scope;
    std::string fault = fault_of(scope, config);
    if (fault.empty()) {
      const bool on_text = scope.part == AttentionPart::kSelf;
      const Room here{head_dim_of(config, scope.part),
                      on_text ? room.text : room.source};
      fault =
          std::visit([&](const auto& change) { return fault_of(change, here); },
                     interventions[i].change);
    }
    if (!fault.empty()) {
      return Status(StatusCode::kInvalidArgument,
                    "intervention " + std::to_string(i) + ": " + fault);
    }
  }
  return {};
}

}  // namespace attnscope
