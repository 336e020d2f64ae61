// The conversions, from small values to large. The shapes of the JavaScript
// objects are those of wasm/src/engine/module.ts.
#include "wasm/bindings/convert.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

using emscripten::convertJSArrayToNumberVector;
using emscripten::typed_memory_view;
using emscripten::val;

namespace {

const char* name_of(NormKind kind) {
  switch (kind) {
    case NormKind::kLayerNorm:
      return "layer-norm";
    case NormKind::kRmsNorm:
      return "rms-norm";
  }
  return "";
}

const char* name_of(NormPlace place) {
  switch (place) {
    case NormPlace::kBefore:
      return "before";
    case NormPlace::kAfter:
      return "after";
  }
  return "";
}

const char* name_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::kDecoder:
      return "decoder";
    case Architecture::kEncoder:
      return "encoder";
    case Architecture::kEncoderDecoder:
      return "encoder-decoder";
  }
  return "";
}

const char* name_of(PositionKind kind) {
  switch (kind) {
    case PositionKind::kLearned:
      return "learned";
    case PositionKind::kSinusoidal:
      return "sinusoidal";
    case PositionKind::kRotary:
      return "rotary";
    case PositionKind::kAlibi:
      return "alibi";
    case PositionKind::kRelative:
      return "relative";
  }
  return "";
}

const char* name_of(Activation activation) {
  switch (activation) {
    case Activation::kGeluErf:
      return "gelu-erf";
    case Activation::kGeluTanh:
      return "gelu-tanh";
    case Activation::kSilu:
      return "silu";
    case Activation::kRelu:
      return "relu";
  }
  return "";
}

Index index_of(const val& object, const char* key) {
  return object[key].as<Index>();
}

// What is left out means every layer or head.
Index index_or_every(const val& object, const char* key) {
  const val value = object[key];
  return value.isUndefined() ? kEvery : value.as<Index>();
}

std::vector<val> elements_of(const val& array) {
  return emscripten::vecFromJSArray<val>(array);
}

Mask mask_from(const val& rule) {
  const std::string kind = rule["kind"].as<std::string>();
  if (kind == "causal") return Mask::causal();
  if (kind == "window") return Mask::sliding_window(index_of(rule, "size"));
  if (kind == "prefix") return Mask::prefix(index_of(rule, "length"));
  if (kind == "padding") {
    return Mask::padding(
        convertJSArrayToNumberVector<std::uint8_t>(rule["hidden"]));
  }
  return Mask::none();
}

Intervention intervention_from(const val& object) {
  Intervention intervention;
  intervention.scope = {
      index_or_every(object, "layer"), index_or_every(object, "head"),
      attention_part_from(object["attention"].as<std::string>())};
  const std::string kind = object["kind"].as<std::string>();
  if (kind == "ablateHead") {
    intervention.change =
        AblateHead{convertJSArrayToNumberVector<float>(object["replacement"])};
  } else if (kind == "maskCell") {
    intervention.change =
        MaskCell{index_of(object, "query"), index_of(object, "key"),
                 object["allowed"].as<bool>()};
  } else if (kind == "scale") {
    intervention.change = SetScale{object["scale"].as<float>()};
  } else if (kind == "replaceWeights") {
    intervention.change =
        ReplaceWeights{index_of(object, "query"),
                       convertJSArrayToNumberVector<float>(object["weights"])};
  } else if (kind == "swapValue") {
    intervention.change =
        SwapValue{index_of(object, "key"),
                  convertJSArrayToNumberVector<float>(object["value"])};
  } else {
    intervention.change = SetTemperature{object["temperature"].as<float>()};
  }
  return intervention;
}

// A cell is allowed if every rule allows it.
Mask mask_from_rules(const val& rules) {
  Mask mask = Mask::none();
  for (const val& rule : elements_of(rules)) mask = mask & mask_from(rule);
  return mask;
}

Execution execution_from(const std::string& name) {
  if (name == "reference") return Execution::kReference;
  if (name == "streaming") return Execution::kStreaming;
  return Execution::kTraced;
}

}  // namespace

val to_js(const Status& status) {
  if (status.ok()) return val::null();
  val fault = val::object();
  fault.set("code", std::string(status_code_name(status.code())));
  fault.set("message", status.message());
  return fault;
}

val copy_floats(std::span<const float> values) {
  return val::global("Float32Array")
      .new_(typed_memory_view(values.size(), values.data()));
}

val copy_bytes(std::span<const std::uint8_t> values) {
  return val::global("Uint8Array")
      .new_(typed_memory_view(values.size(), values.data()));
}

AttentionPart attention_part_from(const std::string& name) {
  if (name == "encoder") return AttentionPart::kEncoder;
  if (name == "cross") return AttentionPart::kCross;
  return AttentionPart::kSelf;
}

val to_js(const ModelConfig& config) {
  val object = val::object();
  object.set("modelType", config.model_type);
  object.set("architecture", std::string(name_of(config.architecture)));
  if (config.has_encoder()) {
    val encoder = val::object();
    encoder.set("numLayers", config.encoder.num_layers);
    encoder.set("numHeads", config.encoder.num_heads);
    encoder.set("headDim", config.encoder.head_dim);
    encoder.set("mlpDim", config.encoder.mlp_dim);
    object.set("encoder", encoder);
  }
  object.set("vocabularySize", config.vocabulary_size);
  object.set("modelDim", config.model_dim);
  object.set("numLayers", config.num_layers);
  object.set("numQueryHeads", config.num_query_heads);
  object.set("numKvHeads", config.num_kv_heads);
  object.set("headDim", config.head_dim);
  object.set("mlpDim", config.mlp_dim);
  object.set("context", config.context);
  object.set("norm", std::string(name_of(config.norm)));
  object.set("normPlace", std::string(name_of(config.norm_place)));
  object.set("numTokenTypes", config.num_token_types);
  object.set("position", std::string(name_of(config.position)));
  object.set("activation", std::string(name_of(config.activation)));
  object.set("parallelResidual", config.parallel_residual);
  object.set("tiedOutput", config.tied_output);
  object.set("attentionScale", config.attention_scale);
  object.set("hasLogits", config.has_logits);
  object.set("startTokens", val::array(config.start_tokens));
  object.set("endTokens", val::array(config.end_tokens));
  return object;
}

val to_js(const Model& model) {
  val object = to_js(model.config);
  object.set("numParameters", num_parameters(model.parameters));
  return object;
}

val to_js(const Tensor& tensor) {
  val object = val::object();
  object.set("shape", val::array(tensor.shape));
  object.set("data", copy_floats({tensor.data.data(), tensor.data.size()}));
  return object;
}

Result<RunOptions> run_options_from(const val& options,
                                    const ModelConfig& config) {
  RunOptions run;
  run.mask = mask_from_rules(options["mask"]);
  run.source_mask = mask_from_rules(options["sourceMask"]);
  run.cross_mask = mask_from_rules(options["crossMask"]);
  for (const val& object : elements_of(options["interventions"])) {
    run.interventions.push_back(intervention_from(object));
  }
  for (const val& name : elements_of(options["record"])) {
    Result<TensorId> id = parse_tensor_name(name.as<std::string>(), config);
    if (!id.ok()) return id.status();
    run.record.push_back(id.value());
  }
  run.execution = execution_from(options["execution"].as<std::string>());
  run.all_logits = options["allLogits"].as<bool>();
  return run;
}

LoadOptions load_options_from(const val& options) {
  LoadOptions load;
  load.num_files = index_of(options, "numFiles");
  const val storage = options["storage"];
  if (!storage.isUndefined()) {
    load.storage =
        find_storage(storage.as<std::string>()).value_or(load.storage);
  }
  const val limit = options["memoryLimit"];
  if (!limit.isUndefined()) {
    load.memory_limit = static_cast<std::uint64_t>(limit.as<double>());
  }
  return load;
}

SamplerOptions sampler_options_from(const val& options) {
  return {
      .temperature = options["temperature"].as<float>(),
      .top_k = index_of(options, "topK"),
      .top_p = options["topP"].as<float>(),
      // A whole number below 2^53, which run-options.ts sees to.
      .seed = static_cast<std::uint64_t>(options["seed"].as<double>()),
  };
}

}  // namespace attnscope
