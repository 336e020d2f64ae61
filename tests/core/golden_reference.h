// What transformers computed for a checkpoint folder, and comparisons of a
// session with it. Read next: golden_test.cc.
#ifndef ATTNSCOPE_TESTS_CORE_GOLDEN_REFERENCE_H_
#define ATTNSCOPE_TESTS_CORE_GOLDEN_REFERENCE_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/generate/session.h"
#include "tests/core/checkpoint_files.h"

namespace attnscope {

using Tokens = std::vector<std::int32_t>;

inline constexpr float kMostWeightError = 1e-5f;
inline constexpr float kMostLogitError = 1e-3f;
inline constexpr float kMostStateError = 1e-3f;
// Between a cached generation and the whole text at once.
inline constexpr float kMostCacheError = 1e-6f;

nlohmann::json read_json(const std::string& path);

// A text that a model runs on, and for encoder-decoders its source.
struct Text {
  Tokens tokens = {};
  Tokens source = {};
  Tokens token_types = {};
  // [token] of the source, or of the text of an encoder: 1 for padding. Empty
  // if there is none.
  std::vector<std::uint8_t> hidden = {};
};

// The text as it is without its padding, which ends it.
Text without_padding(const Text& text, Architecture architecture);

// golden.safetensors of a folder: a batch of texts.
class Golden {
 public:
  static Golden read(const std::string& folder);

  Index num_texts() const;
  Text text(Index row) const;
  bool has(const std::string& name) const { return file_.has(name); }
  // [positions, width] of one text's tensor [position, width].
  std::vector<float> rows(const std::string& name, Index row,
                          Index positions) const;
  // [head, queries, keys] of one text's tensor [head, query, key].
  std::vector<float> cells(const std::string& name, Index row, Index queries,
                           Index keys) const;

 private:
  TensorFile file_;
};

Session make_session(std::shared_ptr<const Model> model, TextLengths room);
// With the masks of the architecture and the text's padding.
RunOptions options_for(const Model& model, const Text& text);
// Everything recorded, and all logits.
Session run_traced(const std::shared_ptr<const Model>& model, const Text& text);

void expect_tensor(const Session& session, TensorId id,
                   const std::vector<float>& expected, float most,
                   const char* what);
void expect_logits(const Session& session, const std::vector<float>& expected);
// Logits, weights and hidden states of one text of the batch, up to the lengths
// of the session's texts.
void expect_equals(const Session& session, const Golden& golden, Index row);

// Greedy through the cache, streaming: the way a person generates. Starts from
// `start.tokens`.
Tokens generate(const std::shared_ptr<const Model>& model, const Text& start,
                std::size_t length);
// A text of that length, generated token by token through the cache and run as
// a whole: the same ids and weights.
void expect_cache_equals_whole(const std::shared_ptr<const Model>& model,
                               const Text& start, std::size_t length);

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_CORE_GOLDEN_REFERENCE_H_
