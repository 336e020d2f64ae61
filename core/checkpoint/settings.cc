// Typed and checked access to the settings of a config.json.
#include "core/checkpoint/settings.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/checkpoint/quote.h"

namespace attnscope {
namespace {

using nlohmann::json;

// A value as JSON in ASCII, for messages.
std::string value_text(const json& value) {
  return quote(value.dump(-1, ' ', true, json::error_handler_t::replace));
}

// The value if it is a whole number in [least, most].
std::optional<Index> whole_number(const json& value, Index least, Index most) {
  const auto* number = value.get_ptr<const json::number_integer_t*>();
  if (number == nullptr || *number < least || *number > most)
    return std::nullopt;
  // Unsigned numbers beyond the signed range are stored in the same bits.
  if (value.is_number_unsigned() &&
      *value.get_ptr<const json::number_unsigned_t*>() >
          static_cast<json::number_unsigned_t>(most))
    return std::nullopt;
  return static_cast<Index>(*number);
}

}  // namespace

void Settings::fail(StatusCode code, std::string message) {
  if (status_.ok()) status_ = {code, "config.json: " + std::move(message)};
}

void Settings::invalid(std::string_view name, const json& value,
                       const std::string& wanted) {
  fail(StatusCode::kInvalidConfig,
       std::string(name) + " is " + value_text(value) + ", expected " + wanted);
}

const json* Settings::find(std::string_view name) {
  const json* value = &object_;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    if (!value->is_object()) {
      invalid(name.substr(0, begin - 1), *value, "an object");
      return nullptr;
    }
    const auto member = value->find(name.substr(begin, end - begin));
    if (member == value->end() || member->is_null()) return nullptr;
    value = &*member;
    begin = end + 1;
  }
  return value;
}

Index Settings::size(std::string_view name, Index most) {
  const json* value = find(name);
  if (value == nullptr) {
    fail(StatusCode::kInvalidConfig, std::string(name) + " is missing");
    return 1;
  }
  if (const auto number = whole_number(*value, 1, most)) return *number;
  invalid(name, *value, "a whole number from 1 to " + std::to_string(most));
  return 1;
}

Index Settings::size_or(std::string_view name, Index most, Index fallback) {
  return has(name) ? size(name, most) : fallback;
}

double Settings::positive_or(std::initializer_list<std::string_view> names,
                             double most, double fallback) {
  const json* first = nullptr;
  std::string_view first_name;
  for (const std::string_view name : names) {
    const json* value = find(name);
    if (value == nullptr) continue;
    if (first != nullptr && *value != *first)
      fail(StatusCode::kInvalidConfig,
           std::string(first_name) + " is " + value_text(*first) + " but " +
               std::string(name) + ", the same setting, is " +
               value_text(*value));
    first = value;
    first_name = name;
  }
  if (first == nullptr) return fallback;
  if (first->is_number()) {
    const double number = first->get<double>();
    // As float32 too, which it becomes: there 1e-60 is 0.
    if (number > 0 && number <= most && static_cast<float>(number) > 0)
      return number;
  }
  invalid(first_name, *first,
          "a number above 0 and at most " + json(most).dump());
  return 1;
}

bool Settings::flag_or(std::string_view name, bool fallback) {
  const json* value = find(name);
  if (value == nullptr) return fallback;
  if (const auto* flag = value->get_ptr<const json::boolean_t*>()) return *flag;
  invalid(name, *value, "true or false");
  return fallback;
}

Activation Settings::activation_or(std::string_view name, Activation fallback) {
  const json* value = find(name);
  if (value == nullptr) return fallback;
  const auto* text = value->get_ptr<const json::string_t*>();
  if (text == nullptr) {
    invalid(name, *value, "the name of an activation function");
    return fallback;
  }
  if (*text == "gelu") return Activation::kGeluErf;
  if (*text == "gelu_new" || *text == "gelu_fast" ||
      *text == "gelu_pytorch_tanh")
    return Activation::kGeluTanh;
  if (*text == "silu" || *text == "swish") return Activation::kSilu;
  if (*text == "relu") return Activation::kRelu;
  fail(StatusCode::kUnsupportedSetting,
       std::string(name) + " is " + value_text(*value) +
           "; implemented are gelu, gelu_new, gelu_fast, gelu_pytorch_tanh, "
           "silu, swish and relu");
  return fallback;
}

std::vector<Index> Settings::tokens_or(std::string_view name,
                                       Index vocabulary_size, Index fallback) {
  std::vector<Index> tokens;
  const auto add = [&](Index token) {
    if (token >= 0 && token < vocabulary_size) tokens.push_back(token);
  };
  const auto member = object_.find(name);
  if (member == object_.end()) {
    add(fallback);
    return tokens;
  }
  if (member->is_null()) return tokens;  // here null means: there is none
  const json list = member->is_array() ? *member : json::array({*member});
  for (const json& value : list) {
    if (!value.is_number_integer()) {
      invalid(name, *member, "a token id, a list of token ids or null");
      break;
    }
    if (const auto token = whole_number(value, 0, vocabulary_size - 1))
      add(*token);
  }
  return tokens;
}

void Settings::only(std::string_view name, const json& implemented) {
  const json* value = find(name);
  if (value != nullptr && *value != implemented)
    fail(StatusCode::kUnsupportedSetting,
         std::string(name) + " is " + value_text(*value) + "; only " +
             value_text(implemented) + " is implemented");
}

void Settings::only_members(std::string_view name,
                            std::initializer_list<std::string_view> known) {
  const json* object = find(name);
  if (object == nullptr) return;
  if (!object->is_object()) return invalid(name, *object, "an object");
  for (const auto& [key, value] : object->items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail(StatusCode::kUnsupportedSetting,
           std::string(name) + " has the member " + quote(key) + " = " +
               value_text(value) + ", which is not implemented");
}

}  // namespace attnscope
