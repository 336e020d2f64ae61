// Reads single settings out of a parsed config.json, for the families. The
// first fault is kept and every later read returns a harmless value, so that a
// family's reader is a plain list of settings. Read next: families.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_SETTINGS_H_
#define ATTNSCOPE_CORE_CHECKPOINT_SETTINGS_H_

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/model/config.h"

namespace attnscope {

// Settings are named by their path: "rope_parameters.rope_theta". One that is
// null counts as absent.
class Settings {
 public:
  // `object` is a JSON object and outlives this.
  explicit Settings(const nlohmann::json& object) : object_(object) {}

  // The first fault so far.
  const Status& status() const { return status_; }
  void fail(StatusCode code, std::string message);

  bool has(std::string_view name) { return find(name) != nullptr; }
  // Whether it is there and null, for settings where that is a value.
  bool is_null(std::string_view name) const;

  // A whole number in [1, most].
  Index size(std::string_view name, Index most);
  Index size_or(std::string_view name, Index most, Index fallback);
  // A whole number in [0, most], `fallback` if absent.
  Index count_or(std::string_view name, Index most, Index fallback);
  // A number in (0, most], as float32 too. Several names are spellings of one
  // setting; those that are there must agree.
  double positive_or(const std::vector<std::string>& names, double most,
                     double fallback);
  bool flag_or(std::string_view name, bool fallback);
  // A text among those given.
  std::string choice_or(const std::vector<std::string>& names,
                        std::initializer_list<std::string_view> choices,
                        std::string_view fallback);
  // A list of `length` such texts. Empty if it is absent.
  std::vector<std::string> choices(
      std::string_view name, Index length,
      std::initializer_list<std::string_view> choices);
  // The same from a list of [list, times], as GPT-Neo writes it: [[["global",
  // "local"], 12]] is 24 texts.
  std::vector<std::string> repeated_choices(
      std::string_view name, Index length,
      std::initializer_list<std::string_view> choices);
  Activation activation_or(std::string_view name, Activation fallback);
  // A token id or a list of them. Ids outside of the vocabulary, which no text
  // can contain, are left out.
  std::vector<Index> tokens_or(std::string_view name, Index vocabulary_size,
                               Index fallback);

  // Refuses (kUnsupportedSetting) any other value than the one implemented.
  void only(std::string_view name, const nlohmann::json& implemented);
  // Refuses members of the object `name` that are not listed.
  void only_members(std::string_view name,
                    std::initializer_list<std::string_view> known);

 private:
  const nlohmann::json* find(std::string_view name);
  // Of several spellings of one setting the one that is there; those that are
  // must agree. Null if none is.
  struct Named {
    const nlohmann::json* value = nullptr;
    std::string name;
  };
  Named find_one(const std::vector<std::string>& names);
  std::string choice(std::string_view name, const nlohmann::json& value,
                     std::initializer_list<std::string_view> choices);
  void invalid(std::string_view name, const nlohmann::json& value,
               const std::string& wanted);

  const nlohmann::json& object_;
  Status status_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_SETTINGS_H_
