// Checks what a caller gives, then runs. All checks come before any change, so
// a refused call leaves the session as it was.
#include "core/generate/session.h"

#include <string>
#include <utility>

namespace attnscope {

namespace {

Status check_options(const RunOptions& options, const ModelConfig& config) {
  if (options.execution == Execution::kStreaming) {
    for (const TensorId id : options.record) {
      if (is_cells(id.hook)) {
        return Status(
            StatusCode::kInvalidArgument,
            "the streaming execution cannot record '" + tensor_name(id) + "'");
      }
    }
  }
  return check_interventions(options.interventions, config);
}

Status check_tokens(std::span<const std::int32_t> tokens,
                    const ModelConfig& config) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] < 0 || tokens[i] >= config.vocabulary_size) {
      return Status(StatusCode::kTokenOutOfRange,
                    "token id " + std::to_string(tokens[i]) + " at position " +
                        std::to_string(i) + " is not in the vocabulary of " +
                        std::to_string(config.vocabulary_size));
    }
  }
  return {};
}

}  // namespace

Result<Session> Session::make(std::shared_ptr<const Model> model,
                              Index capacity) {
  const ModelConfig& config = model->config;
  if (capacity < 1 || capacity > config.context) {
    return Status(StatusCode::kInvalidArgument,
                  "capacity " + std::to_string(capacity) +
                      " is not between 1 and the model's context of " +
                      std::to_string(config.context) + " tokens");
  }
  Session session;
  auto cache = KvCache::allocate({config.num_layers, config.num_kv_heads,
                                  config.head_dim, capacity,
                                  model->kernels->panel_width});
  if (!cache.ok()) return cache.status();
  session.cache_ = std::move(cache.value());
  auto workspace = Workspace::allocate(*model, capacity);
  if (!workspace.ok()) return workspace.status();
  session.workspace_ = std::move(workspace.value());
  auto logits = FloatBuffer::allocate(1, config.vocabulary_size, "logits");
  if (!logits.ok()) return logits.status();
  session.logits_ = std::move(logits.value());
  session.model_ = std::move(model);
  return session;
}

Status Session::prefill(std::span<const std::int32_t> tokens,
                        RunOptions options) {
  const ModelConfig& config = model_->config;
  const auto count = static_cast<Index>(tokens.size());
  if (count == 0) {
    return Status(StatusCode::kEmptyInput, "there is no token to run");
  }
  if (count > capacity()) {
    return Status(StatusCode::kCapacityReached,
                  "the text has " + std::to_string(count) +
                      " tokens, there is room for " +
                      std::to_string(capacity()));
  }
  if (Status status = check_tokens(tokens, config); !status.ok()) return status;
  if (Status status = check_options(options, config); !status.ok()) {
    return status;
  }
  const Index logit_rows = options.all_logits ? count : 1;
  Trace trace(config);
  for (const TensorId id : options.record) trace.want(id);
  if (Status status = trace.begin_run(count, count); !status.ok()) {
    return status;
  }
  auto logits =
      FloatBuffer::allocate(logit_rows, config.vocabulary_size, "logits");
  if (!logits.ok()) return logits.status();

  trace_ = std::move(trace);
  logits_ = std::move(logits.value());
  options_ = std::move(options);
  settings_ = make_block_settings(config, options_);
  cache_.set_length(0);
  empty_rows_ = 0;
  run(tokens, logit_rows);
  return {};
}

Status Session::decode_step(std::int32_t token) {
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
  if (Status status = trace_.begin_run(1, length() + 1); !status.ok()) {
    return status;
  }
  run(tokens, 1);
  return {};
}

void Session::run(std::span<const std::int32_t> tokens, Index logit_rows) {
  logit_rows_ = logit_rows;
  empty_rows_ +=
      forward({*model_, settings_, options_, cache_, workspace_, trace_},
              tokens, logit_rows, logits_.data());
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

Result<std::vector<std::uint8_t>> Session::mask(Index layer, Index head) const {
  const ModelConfig& config = model_->config;
  if (layer < 0 || layer >= config.num_layers || head < 0 ||
      head >= config.num_query_heads || settings_.empty()) {
    return Status(StatusCode::kInvalidArgument,
                  "layer " + std::to_string(layer) + " head " +
                      std::to_string(head) + " has no mask");
  }
  const Mask& rules = settings_[static_cast<std::size_t>(layer)]
                          .heads[static_cast<std::size_t>(head)]
                          .mask;
  std::vector<std::uint8_t> allowed;
  allowed.reserve(static_cast<std::size_t>(length() * length()));
  for (Index query = 0; query < length(); ++query) {
    for (Index key = 0; key < length(); ++key) {
      allowed.push_back(rules.allows(query, key) ? 1 : 0);
    }
  }
  return allowed;
}

}  // namespace attnscope
