// Checks what a caller gives, then runs. All checks come before any change, so
// a refused call leaves the session as it was.
#include "core/generate/session.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "core/base/bytes.h"

namespace attnscope {

namespace {

// `what` is what the ids are called: "token id".
Status check_ids(std::span<const std::int32_t> ids, Index limit,
                 const char* what, const char* of_what) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < limit) continue;
    return Status(StatusCode::kTokenOutOfRange,
                  std::string(what) + " " + std::to_string(ids[i]) +
                      " at position " + std::to_string(i) + " is not " +
                      of_what + " " + std::to_string(limit));
  }
  return {};
}

Status check_tokens(std::span<const std::int32_t> tokens,
                    const ModelConfig& config) {
  return check_ids(tokens, config.vocabulary_size, "token id",
                   "in the vocabulary of");
}

Status check_length(std::size_t length, Index room, const char* text) {
  if (length == 0) {
    return Status(StatusCode::kEmptyInput,
                  std::string("the ") + text + " has no token to run");
  }
  if (static_cast<Index>(length) > room) {
    return Status(StatusCode::kCapacityReached,
                  std::string("the ") + text + " has " +
                      std::to_string(length) + " tokens, there is room for " +
                      std::to_string(room));
  }
  return {};
}

Status check_room(Index room, const char* name, Index context) {
  if (room >= 1 && room <= context) return {};
  return Status(StatusCode::kInvalidArgument,
                std::string(name) + " " + std::to_string(room) +
                    " is not between 1 and the model's context of " +
                    std::to_string(context) + " tokens");
}

// [layer] keys that a query sees, 0 for all.
std::vector<Index> windows_of(const ModelConfig& config) {
  std::vector<Index> windows;
  windows.reserve(static_cast<std::size_t>(config.num_layers));
  for (Index layer = 0; layer < config.num_layers; ++layer) {
    windows.push_back(config.window(layer));
  }
  return windows;
}

// The same, but all in the layers where an intervention reaches past the
// window.
std::vector<Index> windows_under(const ModelConfig& config,
                                 std::span<const AttentionSettings> settings) {
  std::vector<Index> windows = windows_of(config);
  for (std::size_t layer = 0; layer < windows.size(); ++layer) {
    for (const HeadSettings& head : settings[layer].heads) {
      if (head.mask.sees_past(windows[layer]) || !head.weights_rows.empty()) {
        windows[layer] = 0;
      }
    }
  }
  return windows;
}

struct MemoryPart {
  const char* name;
  std::uint64_t bytes;
};

// Whether the parts fit beside the model's parameters. Errors: kOutOfMemory,
// naming what needs how much.
Status check_memory(const Model& model, const char* what,
                    std::initializer_list<MemoryPart> parts) {
  std::uint64_t needed = 0;
  for (const MemoryPart& part : parts) needed = add_bytes(needed, part.bytes);
  if (add_bytes(needed, model.stored_bytes) <= model.memory_limit) return {};
  std::string listed;
  for (const MemoryPart& part : parts) {
    if (part.bytes == 0) continue;
    listed += (listed.empty() ? "" : ", ") + std::string(part.name) + " " +
              bytes_text(part.bytes);
  }
  return Status(StatusCode::kOutOfMemory,
                std::string(what) + " needs " + bytes_text(needed) + " (" +
                    listed + ") beside the model's " +
                    bytes_text(model.stored_bytes) + ", the limit here is " +
                    bytes_text(model.memory_limit));
}

}  // namespace

Result<Session> Session::make(std::shared_ptr<const Model> model,
                              TextLengths room) {
  const ModelConfig& config = model->config;
  const ModelParameters& parameters = model->parameters;
  Status status = check_room(room.text, "capacity", config.context);
  if (status.ok() && config.has_encoder()) {
    status = check_room(room.source, "source capacity", config.context);
  } else if (status.ok() && room.source != 0) {
    status = Status(StatusCode::kInvalidArgument,
                    "a " + config.model_type + " model reads no source");
  }
  if (!status.ok()) return status;

  Session session;
  session.encoder_config_ = encoder_of(config);
  const ModelConfig& encoder = session.encoder_config_;
  const auto cache_shape = [&](const ModelConfig& stack, Index capacity,
                               std::vector<Index> windows) {
    return KvCache::Shape{stack.num_kv_heads, stack.head_dim, capacity,
                          model->kernels->panel_width, std::move(windows)};
  };
  const auto no_windows = [](const ModelConfig& stack) {
    return std::vector<Index>(static_cast<std::size_t>(stack.num_layers), 0);
  };
  const auto text = cache_shape(config, room.text, windows_of(config));
  const auto encoder_text =
      cache_shape(encoder, room.source, no_windows(encoder));
  const auto source = cache_shape(config, room.source, no_windows(config));

  const std::uint64_t text_bytes = KvCache::allocated_bytes(text);
  std::uint64_t& others = session.other_bytes_;
  others = Workspace::allocated_bytes(config, room.text, room.source);
  if (config.has_encoder()) {
    others = add_bytes(others, KvCache::allocated_bytes(encoder_text));
    others = add_bytes(others, KvCache::allocated_bytes(source));
    others =
        add_bytes(others, Workspace::allocated_bytes(encoder, room.source, 0));
  }
  status = check_memory(
      *model, "a run of this length",
      {{"KV cache", text_bytes},
       {config.has_encoder() ? "encoder and workspace" : "workspace", others},
       {"logits", array_bytes({config.vocabulary_size}, sizeof(float))}});
  if (!status.ok()) return status;

  status = keep(KvCache::allocate(text), session.cache_);
  if (status.ok()) {
    status =
        keep(Workspace::allocate(config, parameters, room.text, room.source),
             session.workspace_);
  }
  if (status.ok() && config.has_encoder()) {
    status = keep(KvCache::allocate(encoder_text), session.encoder_cache_);
    if (status.ok())
      status = keep(KvCache::allocate(source), session.source_cache_);
    if (status.ok()) {
      status =
          keep(Workspace::allocate(encoder, parameters.encoder, room.source, 0),
               session.encoder_workspace_);
    }
  }
  if (status.ok()) {
    status = keep(FloatBuffer::allocate(1, config.vocabulary_size, "logits"),
                  session.logits_);
  }
  if (!status.ok()) return status;
  session.model_ = std::move(model);
  return session;
}

Status Session::check_run_memory(std::uint64_t cache, std::uint64_t recorded,
                                 std::uint64_t logits) const {
  return check_memory(
      *model_, "this run",
      {{"KV cache and workspace", add_bytes(cache, other_bytes_)},
       {"recorded tensors", recorded},
       {"logits", logits}});
}

Status Session::check_prompt(const Prompt& prompt) const {
  const ModelConfig& config = model_->config;
  Status status = check_length(prompt.tokens.size(), capacity(), "text");
  if (status.ok()) status = check_tokens(prompt.tokens, config);
  if (!status.ok()) return status;
  if (config.has_encoder()) {
    status =
        check_length(prompt.source.size(), source_cache_.capacity(), "source");
    if (status.ok()) status = check_tokens(prompt.source, config);
    if (!status.ok()) return status;
  } else if (!prompt.source.empty()) {
    return Status(StatusCode::kInvalidArgument,
                  "a " + config.model_type + " model reads no source");
  }
  if (prompt.token_types.empty()) return {};
  if (config.num_token_types == 0) {
    return Status(StatusCode::kInvalidArgument,
                  "a " + config.model_type + " model has no token types");
  }
  if (prompt.token_types.size() != prompt.tokens.size()) {
    return Status(StatusCode::kInvalidArgument,
                  "there are " + std::to_string(prompt.token_types.size()) +
                      " token types for " +
                      std::to_string(prompt.tokens.size()) + " tokens");
  }
  return check_ids(prompt.token_types, config.num_token_types, "token type",
                   "below the number of types");
}

Status Session::check_options(const RunOptions& options,
                              const Prompt& prompt) const {
  const ModelConfig& config = model_->config;
  if (options.execution == Execution::kStreaming) {
    for (const TensorId id : options.record) {
      if (!is_cells(id.hook)) continue;
      return Status(StatusCode::kInvalidArgument,
                    "the streaming execution cannot record '" +
                        tensor_name(id, config) + "'");
    }
  }
  return check_interventions(
      options.interventions, config,
      {capacity(), static_cast<Index>(prompt.source.size())});
}

Status Session::prefill(const Prompt& prompt, RunOptions options) {
  const ModelConfig& config = model_->config;
  const auto count = static_cast<Index>(prompt.tokens.size());
  const auto source_count = static_cast<Index>(prompt.source.size());
  Status status = check_prompt(prompt);
  if (status.ok()) status = check_options(options, prompt);
  if (!status.ok()) return status;

  auto settings =
      make_attention_settings(config, options, AttentionPart::kSelf);
  auto windows = windows_under(config, settings);
  KvCache::Shape shape = cache_.shape();
  shape.windows = std::move(windows);
  Trace trace(config);
  for (const TensorId id : options.record) trace.want(id);
  const Index logit_rows = !config.has_logits   ? 0
                           : options.all_logits ? count
                                                : 1;
  std::uint64_t recorded =
      trace.run_bytes(Stack::kText, count, count, source_count);
  if (config.has_encoder()) {
    recorded = add_bytes(
        recorded,
        trace.run_bytes(Stack::kEncoder, source_count, source_count, 0));
  }
  status = check_run_memory(
      KvCache::allocated_bytes(shape), recorded,
      array_bytes({logit_rows, config.vocabulary_size}, sizeof(float)));
  if (!status.ok()) return status;

  std::optional<KvCache> other_cache;
  if (shape.windows != cache_.shape().windows) {
    auto cache = KvCache::allocate(std::move(shape));
    if (!cache.ok()) return cache.status();
    other_cache = std::move(cache.value());
  }
  if (config.has_encoder()) {
    status = trace.begin_run(Stack::kEncoder, source_count, source_count, 0);
    if (!status.ok()) return status;
  }
  status = trace.begin_run(Stack::kText, count, count, source_count);
  if (!status.ok()) return status;
  auto logits =
      FloatBuffer::allocate(logit_rows, config.vocabulary_size, "logits");
  if (!logits.ok()) return logits.status();

  trace_ = std::move(trace);
  logits_ = std::move(logits.value());
  options_ = std::move(options);
  settings_ = std::move(settings);
  encoder_settings_ =
      make_attention_settings(config, options_, AttentionPart::kEncoder);
  cross_settings_ =
      make_attention_settings(config, options_, AttentionPart::kCross);
  if (other_cache) cache_ = std::move(*other_cache);
  cache_.clear();
  empty_rows_ = 0;
  if (config.has_encoder()) run_encoder(prompt.source);
  run_text(prompt, logit_rows);
  return {};
}

Status Session::decode_step(std::int32_t token) {
  if (model_->config.architecture == Architecture::kEncoder) {
    return Status(StatusCode::kInvalidArgument,
                  "a " + model_->config.model_type +
                      " model reads a whole text and does not continue it");
  }
  if (length() == 0) {
    return Status(StatusCode::kInvalidArgument,
                  "a decode step needs a prefill before it");
  }
  if (length() == capacity()) {
    return Status(
        StatusCode::kCapacityReached,
        "the KV cache is full at " + std::to_string(capacity()) + " tokens");
  }
  const std::span<const std::int32_t> tokens(&token, 1);
  if (Status status = check_tokens(tokens, model_->config); !status.ok()) {
    return status;
  }
  const std::uint64_t recorded = add_bytes(
      trace_.held_bytes(),
      trace_.run_bytes(Stack::kText, 1, length() + 1, source_length()));
  constexpr std::uint64_t kFloatBytes = sizeof(float);
  if (Status status = check_run_memory(cache_.size() * kFloatBytes, recorded,
                                       logits_.size() * kFloatBytes);
      !status.ok()) {
    return status;
  }
  if (Status status =
          trace_.begin_run(Stack::kText, 1, length() + 1, source_length());
      !status.ok()) {
    return status;
  }
  run_text({tokens, {}, {}}, 1);
  return {};
}

StackPass Session::text_pass() {
  return {*model_->kernels,
          Stack::kText,
          model_->config,
          model_->parameters,
          settings_,
          cross_settings_,
          options_.execution,
          options_.mask,
          cache_,
          model_->config.has_encoder() ? &source_cache_ : nullptr,
          workspace_,
          trace_};
}

void Session::run_encoder(std::span<const std::int32_t> source) {
  const StackPass encoder{*model_->kernels,   Stack::kEncoder,
                          encoder_config_,    model_->parameters.encoder,
                          encoder_settings_,  {},
                          options_.execution, options_.source_mask,
                          encoder_cache_,     nullptr,
                          encoder_workspace_, trace_};
  encoder_cache_.clear();
  empty_rows_ +=
      run_stack(encoder, model_->parameters.token_embedding, source, {});
  project_source(text_pass(), encoder_workspace_.normed.data(),
                 static_cast<Index>(source.size()), source_cache_);
}

void Session::run_text(const Prompt& prompt, Index logit_rows) {
  logit_rows_ = logit_rows;
  empty_rows_ += run_stack(text_pass(), model_->parameters.token_embedding,
                           prompt.tokens, prompt.token_types);
  if (logit_rows == 0) return;
  const Index first = static_cast<Index>(prompt.tokens.size()) - logit_rows;
  const Index offset = first * model_->config.model_dim;
  unembed(*model_, workspace_.normed.data() + offset, logit_rows,
          workspace_.attention_output.data(), logits_.data());
}

std::span<const float> Session::logits() const {
  return {logits_.data(), static_cast<std::size_t>(
                              logit_rows_ * model_->config.vocabulary_size)};
}

std::span<const float> Session::last_logits() const {
  return logits().last(logit_rows_ == 0 ? 0
                                        : static_cast<std::size_t>(
                                              model_->config.vocabulary_size));
}

Result<Tensor> Session::logit_lens(TensorId residual, Index first,
                                   Index num_rows) const {
  const ModelConfig& config = model_->config;
  if (!is_residual(residual.hook) || residual.stack != Stack::kText) {
    return Status(StatusCode::kInvalidArgument,
                  "'" + tensor_name(residual, config) +
                      "' is not a residual of the text");
  }
  if (!config.has_logits) {
    return Status(StatusCode::kInvalidArgument,
                  "this checkpoint has no layers that predict tokens");
  }
  auto recorded = trace_.tensor(residual);
  if (!recorded.ok()) return recorded.status();
  const Index positions = recorded.value().shape[0];
  if (first < 0 || num_rows < 1 || num_rows > positions - first) {
    return Status(StatusCode::kInvalidArgument,
                  std::to_string(num_rows) + " positions from " +
                      std::to_string(first) + " on are not among the " +
                      std::to_string(positions) + " of the text");
  }
  auto scratch =
      FloatBuffer::allocate(num_rows, config.model_dim, "the logit lens");
  if (!scratch.ok()) return scratch.status();
  auto logits =
      FloatBuffer::allocate(num_rows, config.vocabulary_size, "logits");
  if (!logits.ok()) return logits.status();
  read_logits(*model_, recorded.value().data.data() + first * config.model_dim,
              num_rows, scratch.value().data(), logits.value().data());
  return Tensor{{num_rows, config.vocabulary_size}, std::move(logits.value())};
}

Result<ByteBuffer> Session::mask(AttentionPart part, Index layer,
                                 Index head) const {
  const ModelConfig& config = model_->config;
  if (layer < 0 || layer >= num_layers_of(config, part) || head < 0 ||
      head >= num_heads_of(config, part) || settings_.empty()) {
    return Status(StatusCode::kInvalidArgument,
                  "layer " + std::to_string(layer) + " head " +
                      std::to_string(head) + " has no mask");
  }
  const auto& settings = part == AttentionPart::kSelf      ? settings_
                         : part == AttentionPart::kEncoder ? encoder_settings_
                                                           : cross_settings_;
  const Mask& rules = settings[static_cast<std::size_t>(layer)]
                          .heads[static_cast<std::size_t>(head)]
                          .mask;
  const bool of_text = part != AttentionPart::kEncoder;
  const bool on_text = part == AttentionPart::kSelf;
  const Index num_queries = of_text ? length() : source_length();
  const Index num_keys = on_text ? length() : source_length();
  auto allowed = ByteBuffer::allocate(num_queries, num_keys, "a mask");
  if (!allowed.ok()) return allowed;
  std::uint8_t* cell = allowed.value().data();
  for (Index query = 0; query < num_queries; ++query) {
    for (Index key = 0; key < num_keys; ++key) {
      *cell++ = rules.allows(query, key) ? 1 : 0;
    }
  }
  return allowed;
}

}  // namespace attnscope
