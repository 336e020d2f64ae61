// The engine as JavaScript sees it: a loader, a model, a session and a sampler,
// each a handle that its owner deletes. Only registration and conversion; the
// shapes are declared in wasm/src/engine/module.ts.
#include <emscripten/bind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/checkpoint/checkpoint_loader.h"
#include "core/checkpoint/config_json.h"
#include "core/generate/session.h"
#include "wasm/bindings/convert.h"

namespace attnscope {
namespace {

using emscripten::val;

// Bytes that cross into the module at once.
constexpr std::size_t kChunkBytes = 1 << 20;

// A checkpoint under way, with the buffer that its bytes come through.
class Loader {
 public:
  explicit Loader(CheckpointLoader loader)
      : loader_(std::move(loader)), chunk_(kChunkBytes) {}

  // A view of the buffer, good until the next call into the module.
  val chunk() {
    return val(emscripten::typed_memory_view(chunk_.size(), chunk_.data()));
  }
  // The first `size` bytes of the buffer are the file's next.
  val append(std::size_t size) {
    return to_js(loader_.append({chunk_.data(), size}));
  }
  // What follows is the next file's.
  val next_file() { return to_js(loader_.next_file()); }
  val finish() {
    return to_js(loader_.finish(), [](std::unique_ptr<Model> model) {
      return val(std::shared_ptr<Model>(std::move(model)));
    });
  }

 private:
  CheckpointLoader loader_;
  std::vector<std::uint8_t> chunk_;
};

val kernels() {
  const Kernels& table = best_kernels();
  val object = val::object();
  object.set("name", std::string(table.name));
  object.set("requiredFeatures", std::string(table.required_features));
  object.set("lanes", table.lanes);
  object.set("fusedMultiplyAdd", table.fused_multiply_add);
  return object;
}

val parse_config_to_js(const std::string& json) {
  return to_js(parse_config(json),
               [](const ModelConfig& config) { return to_js(config); });
}

val begin_loading(const std::string& config_json, const val& options) {
  return to_js(CheckpointLoader::begin(config_json, best_kernels(),
                                       load_options_from(options)),
               [](CheckpointLoader loader) {
                 return val(std::make_unique<Loader>(std::move(loader)));
               });
}

val tensor_names(const Model& model) {
  val names = val::array();
  for (const TensorId& id : all_tensors(model.config)) {
    names.call<void>("push", tensor_name(id, model.config));
  }
  return names;
}

val make_session(const std::shared_ptr<Model>& model, Index capacity,
                 Index source_capacity) {
  return to_js(Session::make(model, {capacity, source_capacity}),
               [](Session session) {
                 return val(std::make_unique<Session>(std::move(session)));
               });
}

val prefill(Session& session, const val& prompt, const val& options) {
  Result<RunOptions> run = run_options_from(options, session.model().config);
  if (!run.ok()) return to_js(run.status());
  const auto ids_of = [&](const char* key) {
    return emscripten::convertJSArrayToNumberVector<std::int32_t>(prompt[key]);
  };
  const auto tokens = ids_of("ids");
  const auto source = ids_of("sourceIds");
  const auto token_types = ids_of("tokenTypes");
  return to_js(
      session.prefill({tokens, source, token_types}, std::move(run.value())));
}

val decode_step(Session& session, std::int32_t id) {
  return to_js(session.decode_step(id));
}

val logits(const Session& session) { return copy_floats(session.logits()); }

// A recorded tensor by name, as `read` takes it from the trace.
template <class Read>
val read_trace(const Session& session, const std::string& name, Read read) {
  const Result<TensorId> id = parse_tensor_name(name, session.model().config);
  Result<Tensor> tensor =
      id.ok() ? read(session.trace(), id.value()) : Result<Tensor>(id.status());
  return to_js(std::move(tensor), [](Tensor value) { return to_js(value); });
}

val tensor(const Session& session, const std::string& name) {
  return read_trace(session, name, [](const Trace& trace, TensorId id) {
    return trace.tensor(id);
  });
}

val head_cells(const Session& session, const std::string& name, Index head) {
  return read_trace(session, name, [head](const Trace& trace, TensorId id) {
    return trace.head_cells(id, head);
  });
}

val logit_lens(const Session& session, const std::string& name, Index first,
               Index count) {
  const Result<TensorId> id = parse_tensor_name(name, session.model().config);
  Result<Tensor> logits = id.ok() ? session.logit_lens(id.value(), first, count)
                                  : Result<Tensor>(id.status());
  return to_js(std::move(logits), [](Tensor value) { return to_js(value); });
}

val mean_head_output(const Session& session, const std::string& attention,
                     Index layer, Index head) {
  return to_js(
      session.trace().mean_head_output(attention_part_from(attention), layer,
                                       head),
      [](const std::vector<float>& mean) { return copy_floats(mean); });
}

val mask(const Session& session, const std::string& attention, Index layer,
         Index head) {
  return to_js(session.mask(attention_part_from(attention), layer, head),
               [](const ByteBuffer& cells) {
                 return copy_bytes({cells.data(), cells.size()});
               });
}

val make_sampler(const Model& model, const val& options) {
  return to_js(Sampler::make(sampler_options_from(options), *model.kernels,
                             model.config.vocabulary_size),
               [](Sampler sampler) {
                 return val(std::make_unique<Sampler>(std::move(sampler)));
               });
}

// From row number `row` of the session's logits.
Index sample(Sampler& sampler, const Session& session, std::size_t row) {
  const auto vocabulary =
      static_cast<std::size_t>(session.model().config.vocabulary_size);
  return sampler.sample(session.logits().subspan(row * vocabulary, vocabulary));
}

// Of one token, in the last sample.
float probability(const Sampler& sampler, std::size_t id) {
  return sampler.probabilities()[id];
}

val probabilities(const Sampler& sampler) {
  return copy_floats(sampler.probabilities());
}

val config_of(const Model& model) { return to_js(model); }
std::string storage_of(const Model& model) {
  return storage_name(model.storage);
}
double stored_bytes_of(const Model& model) {
  return static_cast<double>(model.stored_bytes);
}

EMSCRIPTEN_BINDINGS(attnscope) {
  emscripten::function("kernels", &kernels);
  emscripten::function("parseConfig", &parse_config_to_js);
  emscripten::function("beginLoading", &begin_loading);
  emscripten::function("makeSession", &make_session);
  emscripten::function("makeSampler", &make_sampler);

  emscripten::class_<Loader>("Loader")
      .function("chunk", &Loader::chunk)
      .function("append", &Loader::append)
      .function("nextFile", &Loader::next_file)
      .function("finish", &Loader::finish);

  emscripten::class_<Model>("Model")
      .smart_ptr<std::shared_ptr<Model>>("ModelPointer")
      .function("config", &config_of)
      .function("storage", &storage_of)
      .function("storedBytes", &stored_bytes_of)
      .function("tensorNames", &tensor_names);

  emscripten::class_<Session>("Session")
      .function("prefill", &prefill)
      .function("decodeStep", &decode_step)
      .function("length", &Session::length)
      .function("sourceLength", &Session::source_length)
      .function("logits", &logits)
      .function("logitRows", &Session::logit_rows)
      .function("tensor", &tensor)
      .function("headCells", &head_cells)
      .function("logitLens", &logit_lens)
      .function("meanHeadOutput", &mean_head_output)
      .function("mask", &mask);

  emscripten::class_<Sampler>("Sampler")
      .function("sample", &sample)
      .function("probability", &probability)
      .function("probabilities", &probabilities);
}

}  // namespace
}  // namespace attnscope
