// Conversions between the core's values and JavaScript's: names change case
// here and nowhere else, numbers are copied at once. Read next: bindings.cc.
#ifndef ATTNSCOPE_WASM_BINDINGS_CONVERT_H_
#define ATTNSCOPE_WASM_BINDINGS_CONVERT_H_

#include <emscripten/val.h>

#include <span>
#include <string>
#include <utility>

#include "core/base/status.h"
#include "core/checkpoint/checkpoint_loader.h"
#include "core/generate/sampler.h"
#include "core/model/forward.h"
#include "core/model/model.h"
#include "core/trace/trace.h"

namespace attnscope {

// null, or {code, message}.
emscripten::val to_js(const Status& status);

// {error}, or {value} as `convert` makes it from the result's value.
template <class T, class Convert>
emscripten::val to_js(Result<T> result, Convert convert) {
  emscripten::val outcome = emscripten::val::object();
  if (result.ok()) {
    outcome.set("value", convert(std::move(result.value())));
  } else {
    outcome.set("error", to_js(result.status()));
  }
  return outcome;
}

// Fresh arrays: a view of this module's memory would be cut off when it grows.
emscripten::val copy_floats(std::span<const float> values);
emscripten::val copy_bytes(std::span<const std::uint8_t> values);

emscripten::val to_js(const ModelConfig& config);
// The configuration with the number of parameters.
emscripten::val to_js(const Model& model);
emscripten::val to_js(const Tensor& tensor);

LoadOptions load_options_from(const emscripten::val& options);
// "self", "encoder" or "cross".
AttentionPart attention_part_from(const std::string& name);
// Options as run-options.ts writes them. Errors: kUnknownTensor.
Result<RunOptions> run_options_from(const emscripten::val& options,
                                    const ModelConfig& config);
SamplerOptions sampler_options_from(const emscripten::val& options);

}  // namespace attnscope

#endif  // ATTNSCOPE_WASM_BINDINGS_CONVERT_H_
