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

Index Settings::count_or(std::string_view name, Index most, Index fallback) {
  const json* value = find(name);
  if (value == nullptr) return fallback;
  if (const auto number = whole_number(*value, 0, most)) return *number;
  invalid(name, *value, "a whole number from 0 to " + std::to_string(most));
  return fallback;
}

Index Settings::size_or(std::string_view name, Index most, Index fallback) {
  return has(name) ? size(name, most) : fallback;
}

bool Settings::is_null(std::string_view name) const {
  const auto member = object_.find(name);
  return member != object_.end() && member->is_null();
}

Settings::Named Settings::find_one(const std::vector<std::string>& names) {
  Named first;
  for (const std::string& name : names) {
    const json* value = find(name);
    if (value == nullptr) continue;
    if (first.value != nullptr && *value != *first.value)
      fail(StatusCode::kInvalidConfig,
           first.name + " is " + value_text(*first.value) + " but " + name +
               ", the same setting, is " + value_text(*value));
    first = {value, name};
  }
  return first;
}

double Settings::positive_or(const std::vector<std::string>& names, double most,
                             double fallback) {
  const Named found = find_one(names);
  if (found.value == nullptr) return fallback;
  if (found.value->is_number()) {
    const double number = found.value->get<double>();
    // As float32 too, which it becomes: there 1e-60 is 0.
    if (number > 0 && number <= most && static_cast<float>(number) > 0)
      return number;
  }
  invalid(found.name, *found.value,
          "a number above 0 and at most " + json(most).dump());
  return 1;
}

std::string Settings::choice(std::string_view name, const json& value,
                             std::initializer_list<std::string_view> choices) {
  std::string listed;
  for (const std::string_view choice : choices) {
    if (value == choice) return std::string(choice);
    listed += (listed.empty() ? "" : ", ") + std::string(choice);
  }
  if (!value.is_string()) {
    invalid(name, value, "one of " + listed);
  } else {
    fail(StatusCode::kUnsupportedSetting, std::string(name) + " is " +
                                              value_text(value) +
                                              "; implemented are " + listed);
  }
  return std::string(*choices.begin());
}

std::string Settings::choice_or(const std::vector<std::string>& names,
                                std::initializer_list<std::string_view> choices,
                                std::string_view fallback) {
  const Named found = find_one(names);
  return found.value == nullptr ? std::string(fallback)
                                : choice(found.name, *found.value, choices);
}

std::vector<std::string> Settings::choices(
    std::string_view name, Index length,
    std::initializer_list<std::string_view> choices) {
  std::vector<std::string> list;
  const json* value = find(name);
  if (value == nullptr) return list;
  if (!value->is_array() || value->size() != static_cast<std::size_t>(length)) {
    invalid(name, *value, "a list of " + std::to_string(length));
    return list;
  }
  for (const json& element : *value)
    list.push_back(choice(name, element, choices));
  return list;
}

std::vector<std::string> Settings::repeated_choices(
    std::string_view name, Index length,
    std::initializer_list<std::string_view> choices) {
  std::vector<std::string> list;
  const auto is_full = [&] {
    return list.size() >= static_cast<std::size_t>(length);
  };
  const json* value = find(name);
  bool valid = value != nullptr && value->is_array();
  for (std::size_t i = 0; valid && i < value->size(); ++i) {
    const json& group = (*value)[i];
    const bool is_pair =
        group.is_array() && group.size() == 2 && group[0].is_array();
    const auto times =
        is_pair ? whole_number(group[1], 1, length) : std::nullopt;
    valid = times.has_value();
    for (Index time = 0; time < times.value_or(0) && !is_full(); ++time)
      for (const json& element : group[0])
        list.push_back(choice(name, element, choices));
  }
  if (value == nullptr) {
    fail(StatusCode::kInvalidConfig, std::string(name) + " is missing");
  } else if (!valid || list.size() != static_cast<std::size_t>(length)) {
    invalid(
        name, *value,
        "a list of [list, times] with " + std::to_string(length) + " in all");
  }
  return list;
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
    if (!value.is_null() &&
        std::find(known.begin(), known.end(), key) == known.end())
      fail(StatusCode::kUnsupportedSetting,
           std::string(name) + " has the member " + quote(key) + " = " +
               value_text(value) + ", which is not implemented");
}

}  // namespace attnscope
