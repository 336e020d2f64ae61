// One text under way: a model, a KV cache, the options of the run and what it
// recorded. This is the interface of the core that the bindings and the native
// tool use. Read next: ../../wasm/bindings/.
#ifndef ATTNSCOPE_CORE_GENERATE_SESSION_H_
#define ATTNSCOPE_CORE_GENERATE_SESSION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/model/decoder.h"
#include "core/trace/trace.h"

namespace attnscope {

class Session {
 public:
  // Room for `capacity` tokens, allocated now: 1 <= capacity <= the model's
  // context. Errors: kInvalidArgument, kOutOfMemory.
  static Result<Session> make(std::shared_ptr<const Model> model,
                              Index capacity);

  // Starts anew with these tokens. The options hold for later decode steps
  // too. Errors: kEmptyInput, kTokenOutOfRange, kCapacityReached,
  // kInvalidArgument, kUnknownTensor; then the session is as before the call.
  Status prefill(std::span<const std::int32_t> tokens, RunOptions options);
  // Appends one token. Errors: kTokenOutOfRange, kCapacityReached,
  // kInvalidArgument before any prefill. Allocates nothing unless recording.
  Status decode_step(std::int32_t token);

  Index length() const { return cache_.length(); }
  Index capacity() const { return cache_.capacity(); }
  const Model& model() const { return *model_; }
  const RunOptions& options() const { return options_; }

  // Of the last call: [rows, vocabulary], rows being 1, or the prompt's length
  // after a prefill with all_logits.
  std::span<const float> logits() const;
  // Of the last token, [vocabulary].
  std::span<const float> last_logits() const;

  const Trace& trace() const { return trace_; }
  // allowed[P, P]: 1 where the mask of this head lets a query see a key; over
  // the positions so far. Errors: kInvalidArgument before any prefill or for a
  // head that does not exist.
  Result<std::vector<std::uint8_t>> mask(Index layer, Index head) const;
  // Attention rows so far, over layers and heads, in which nothing was allowed.
  Index empty_rows() const { return empty_rows_; }

 private:
  Session() = default;
  void run(std::span<const std::int32_t> tokens, Index logit_rows);

  std::shared_ptr<const Model> model_;
  KvCache cache_;
  Workspace workspace_;
  RunOptions options_;
  std::vector<BlockSettings> settings_;  // [layer], from options_
  Trace trace_;
  FloatBuffer logits_;
  Index logit_rows_ = 0;
  Index empty_rows_ = 0;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_GENERATE_SESSION_H_
