// Errors as data: a code a program can switch on and a message a person can
// read. The core never throws, prints or aborts on bad input; every fallible
// call returns a Status or a Result. Read next: buffer.h.
#ifndef ATTNSCOPE_CORE_BASE_STATUS_H_
#define ATTNSCOPE_CORE_BASE_STATUS_H_

#ifdef __FAST_MATH__
#error \
    "attnscope must not be built with -ffast-math: it breaks exp and infinities"
#endif

#include <string>
#include <utility>
#include <variant>

namespace attnscope {

enum class StatusCode {
  kOk,
  // A call's argument is outside its documented domain (negative or NaN
  // temperature, top-p of 2, a head that does not exist).
  kInvalidArgument,
  // A run needs at least one token.
  kEmptyInput,
  // A token id is negative or not below the vocabulary size.
  kTokenOutOfRange,
  // The text does not fit in the KV cache or the model's context.
  kCapacityReached,
  // The memory for a model, cache or result cannot be had.
  kOutOfMemory,
  // config.json is not valid JSON, or a setting is missing or of a wrong type.
  kInvalidConfig,
  // config.json names an architecture that is not implemented.
  kUnsupportedArchitecture,
  // A known architecture with a setting that is not implemented.
  kUnsupportedSetting,
  // The bytes are not a safetensors file.
  kNotSafetensors,
  // A safetensors header that lies: overlapping, out of range, wrong sizes.
  kCorruptHeader,
  // The file ends before the bytes its header announces.
  kTruncated,
  // More bytes arrive than the header announces.
  kOversized,
  // A tensor has an element type that is not implemented.
  kUnsupportedDtype,
  // A tensor that the configuration needs is not in the file.
  kMissingTensor,
  // A tensor's shape is not the one that the configuration implies.
  kWrongShape,
  // A run was asked to record a tensor whose name is unknown, or one that this
  // run did not record was asked for.
  kUnknownTensor,
};

// The code's name as programs see it ("missing-tensor"), stable across
// versions.
const char* status_code_name(StatusCode code);

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message)
      : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// A value, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Status status) : state_(std::move(status)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  Status status() const {
    return ok() ? Status() : *std::get_if<Status>(&state_);
  }
  // Only when ok().
  T& value() { return *std::get_if<T>(&state_); }
  const T& value() const { return *std::get_if<T>(&state_); }

 private:
  std::variant<T, Status> state_;
};

// Moves a result's value to its place. Errors: the result's.
template <class T>
Status keep(Result<T> result, T& to) {
  if (result.ok()) to = std::move(result.value());
  return result.status();
}

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_BASE_STATUS_H_
