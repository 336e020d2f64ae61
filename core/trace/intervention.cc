// Checks of interventions before a run starts.
#include "core/trace/intervention.h"

#include <cmath>
#include <string>

#include "core/model/config.h"

namespace attnscope {

namespace {

// Why a change cannot be made, or an empty string.
std::string fault_of(const AblateHead& ablate, const ModelConfig& config) {
  const auto length = static_cast<Index>(ablate.replacement.size());
  if (length == 0 || length == config.head_dim) return {};
  return "replacement has " + std::to_string(length) +
         " numbers, a head's output has " + std::to_string(config.head_dim);
}

std::string fault_of(const MaskCell& cell, const ModelConfig&) {
  if (cell.query >= 0 && cell.key >= 0) return {};
  return "cell (" + std::to_string(cell.query) + ", " +
         std::to_string(cell.key) + ") has a negative position";
}

std::string fault_of(const SetScale& change, const ModelConfig&) {
  if (std::isfinite(change.scale)) return {};
  return "scale " + std::to_string(change.scale) + " is not finite";
}

std::string fault_of(const SetTemperature& change, const ModelConfig&) {
  if (std::isfinite(change.temperature) && change.temperature >= 0) return {};
  return "temperature " + std::to_string(change.temperature) +
         " is not a finite number of at least 0";
}

std::string fault_of(const Scope& scope, const ModelConfig& config) {
  if (scope.layer < kEvery || scope.layer >= config.num_layers) {
    return "layer " + std::to_string(scope.layer) +
           " does not exist, there are " + std::to_string(config.num_layers);
  }
  if (scope.head < kEvery || scope.head >= config.num_query_heads) {
    return "head " + std::to_string(scope.head) +
           " does not exist, there are " +
           std::to_string(config.num_query_heads);
  }
  return {};
}

}  // namespace

Status check_interventions(std::span<const Intervention> interventions,
                           const ModelConfig& config) {
  for (std::size_t i = 0; i < interventions.size(); ++i) {
    std::string fault = fault_of(interventions[i].scope, config);
    if (fault.empty()) {
      fault = std::visit(
          [&](const auto& change) { return fault_of(change, config); },
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
