// config.json to ModelConfig: what all families have in common. What differs is
// in the families' own files.
#include "core/checkpoint/config_json.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/families.h"
#include "core/checkpoint/quote.h"
#include "core/checkpoint/settings.h"

namespace attnscope {
namespace {

using nlohmann::json;

// Real ones have a few kilobytes. Bounds what a hostile one can cost.
constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;
// Values are compared, copied and shown one level of the stack a level.
constexpr int kMostLevels = 32;

// JSON leaves open which of two equal keys counts, so neither does.
Result<json> parse_unambiguous(std::string_view text) {
  if (text.size() > kMostConfigBytes)
    return Status(StatusCode::kInvalidConfig,
                  "config.json has " + std::to_string(text.size()) +
                      " bytes, more than the " +
                      std::to_string(kMostConfigBytes) + " accepted");
  std::vector<std::set<std::string>> keys;  // of every open object
  std::string repeated;
  bool is_deep = false;
  const auto watch = [&](int level, json::parse_event_t event, json& parsed) {
    is_deep = is_deep || level > kMostLevels;
    if (is_deep) return false;  // nothing more is kept
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key) {
      const auto& key = *parsed.get_ptr<const std::string*>();
      if (!keys.back().insert(key).second) repeated = quote(key);
    }
    return true;
  };
  json parsed = json::parse(text.begin(), text.end(), watch, false);
  if (is_deep)
    return Status(StatusCode::kInvalidConfig,
                  "config.json is nested more than " +
                      std::to_string(kMostLevels) + " levels deep");
  if (parsed.is_discarded())
    return Status(StatusCode::kInvalidConfig, "config.json is not valid JSON");
  if (!parsed.is_object())
    return Status(StatusCode::kInvalidConfig,
                  "config.json is not a JSON object");
  if (!repeated.empty())
    return Status(StatusCode::kInvalidConfig,
                  "config.json has the key " + repeated + " twice");
  return parsed;
}

void check_heads(const ModelConfig& config, Settings& settings) {
  if (config.num_query_heads % config.num_kv_heads != 0)
    settings.fail(StatusCode::kInvalidConfig,
                  "the number of key and value heads " +
                      std::to_string(config.num_kv_heads) +
                      " does not divide that of query heads " +
                      std::to_string(config.num_query_heads));
  const Index rotary_dim = config.rotary.dim;
  if (config.position == PositionKind::kRotary &&
      (rotary_dim < 1 || rotary_dim + rotary_dim % 2 > config.head_dim))
    settings.fail(StatusCode::kInvalidConfig,
                  "rotary positions turn " + std::to_string(rotary_dim) +
                      " dimensions of a head of " +
                      std::to_string(config.head_dim) +
                      "; they turn in pairs, and the head must have them all");
}

}  // namespace

Result<ModelConfig> parse_config(std::string_view text) {
  Result<json> parsed = parse_unambiguous(text);
  if (!parsed.ok()) return parsed.status();
  const json& object = parsed.value();

  const auto model_type = object.find("model_type");
  const auto* name = model_type == object.end()
                         ? nullptr
                         : model_type->get_ptr<const std::string*>();
  if (name == nullptr)
    return Status(StatusCode::kInvalidConfig,
                  "config.json: model_type is missing or not a text");
  const Family* family = find_family(*name);
  if (family == nullptr)
    return Status(StatusCode::kUnsupportedArchitecture,
                  "config.json: model_type " + quote(*name) +
                      " is not implemented; " + family_names() + " are");

  Settings settings(object);
  ModelConfig config;
  config.model_type = *name;
  config.vocabulary_size = settings.size("vocab_size", kMostVocabulary);
  settings.only("quantization_config", nullptr);
  settings.only("is_causal", true);
  family->read_config(settings, config);
  if (settings.status().ok()) check_heads(config, settings);
  if (!settings.status().ok()) return settings.status();
  return config;
}

}  // namespace attnscope
