// One text under way: a model, its KV caches, the options of the run and what
// it recorded. This is the interface of the core that the bindings and the
// native tool use. Read next: ../../wasm/bindings/.
#ifndef ATTNSCOPE_CORE_GENERATE_SESSION_H_
#define ATTNSCOPE_CORE_GENERATE_SESSION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/model/forward.h"
#include "core/trace/trace.h"

namespace attnscope {

// What a run starts with.
struct Prompt {
  std::span<const std::int32_t> tokens;
  // Of encoder-decoders: what the encoder reads.
  std::span<const std::int32_t> source;
  // The kind of segment of each token, for models that have kinds; empty means
  // that all are of kind 0.
  std::span<const std::int32_t> token_types;
};

class Session {
 public:
  // Room for `room.text` tokens, allocated now: at least 1, at most the model's
  // context; for encoder-decoders as many for a source, otherwise 0. Errors:
  // kInvalidArgument, kOutOfMemory (also where the model's memory_limit would
  // be passed, as in the calls below).
  static Result<Session> make(std::shared_ptr<const Model> model,
                              TextLengths room);
  static Result<Session> make(std::shared_ptr<const Model> model,
                              Index capacity) {
    return make(std::move(model), TextLengths{capacity, 0});
  }

  // Starts anew with this prompt. The options hold for later decode steps too.
  // Errors: kEmptyInput, kTokenOutOfRange, kCapacityReached, kInvalidArgument,
  // kUnknownTensor, kOutOfMemory; then the session is as before the call.
  Status prefill(const Prompt& prompt, RunOptions options);
  Status prefill(std::span<const std::int32_t> tokens, RunOptions options) {
    return prefill(Prompt{tokens, {}, {}}, std::move(options));
  }
  // Appends one token. Errors: kTokenOutOfRange, kCapacityReached,
  // kInvalidArgument before any prefill and for encoders, whose earlier tokens
  // would have seen it. Allocates nothing unless recording.
  Status decode_step(std::int32_t token);

  Index length() const { return cache_.length(); }
  Index source_length() const { return source_cache_.length(); }
  Index capacity() const { return cache_.capacity(); }
  const Model& model() const { return *model_; }
  const RunOptions& options() const { return options_; }

  // Of the last call: [rows, vocabulary], rows being 1, or the prompt's length
  // after a prefill with all_logits; empty for models without logits.
  std::span<const float> logits() const;
  Index logit_rows() const { return logit_rows_; }
  // Of the last token, [vocabulary].
  std::span<const float> last_logits() const;
  // [rows, vocabulary]: the logits that recorded residuals of the text would
  // give if they left the last block, of `num_rows` positions from `first` on
  // (the logit lens, nostalgebraist 2020). Errors: kUnknownTensor,
  // kInvalidArgument, kOutOfMemory.
  Result<Tensor> logit_lens(TensorId residual, Index first,
                            Index num_rows) const;

  const Trace& trace() const { return trace_; }
  // allowed[query, key]: 1 where the mask of this head lets a query see a key;
  // over the positions so far. Errors: kInvalidArgument before any prefill or
  // for a head that does not exist, kOutOfMemory.
  Result<ByteBuffer> mask(AttentionPart part, Index layer, Index head) const;
  // Attention rows so far, over layers and heads, in which nothing was allowed.
  Index empty_rows() const { return empty_rows_; }

 private:
  Session() = default;
  Status check_prompt(const Prompt& prompt) const;
  Status check_options(const RunOptions& options, const Prompt& prompt) const;
  // Errors: kOutOfMemory.
  Status check_run_memory(std::uint64_t cache, std::uint64_t recorded,
                          std::uint64_t logits) const;
  StackPass text_pass();
  void run_encoder(std::span<const std::int32_t> source);
  void run_text(const Prompt& prompt, Index logit_rows);

  std::shared_ptr<const Model> model_;
  KvCache cache_;
  Workspace workspace_;
  // Encoder-decoders only: the encoder's own attention, and its output as the
  // decoder's cross-attention reads it.
  ModelConfig encoder_config_;
  KvCache encoder_cache_;
  Workspace encoder_workspace_;
  KvCache source_cache_;
  std::uint64_t other_bytes_ = 0;  // of all but cache_, trace and logits

  RunOptions options_;
  // [layer], from options_.
  std::vector<AttentionSettings> settings_;
  std::vector<AttentionSettings> encoder_settings_;
  std::vector<AttentionSettings> cross_settings_;
  Trace trace_;
  FloatBuffer logits_;
  Index logit_rows_ = 0;
  Index empty_rows_ = 0;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_GENERATE_SESSION_H_
