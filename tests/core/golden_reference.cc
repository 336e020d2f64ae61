// Reading of golden.safetensors and comparisons with it.
#include "tests/core/golden_reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace attnscope {
namespace {

float largest_difference(std::span<const float> a, std::span<const float> b) {
  float largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // NaN is largest
  }
  return largest;
}

void expect_close(std::span<const float> actual,
                  std::span<const float> expected, float most,
                  const std::string& name, const char* what) {
  ASSERT_EQ(actual.size(), expected.size()) << name;
  const float error = largest_difference(actual, expected);
  EXPECT_LE(error, most) << name;
  std::printf("  %-36s %-9s largest error %.2g\n", name.c_str(), what,
              static_cast<double>(error));
}

Tokens row_of(const TensorFile& file, const std::string& name, Index row) {
  const Index length = file.shape(name)[1];
  const auto ids = file.integers(name);
  const auto begin = ids.begin() + row * length;
  return {begin, begin + length};
}

std::int32_t best_of(std::span<const float> logits) {
  return static_cast<std::int32_t>(
      std::max_element(logits.begin(), logits.end()) - logits.begin());
}

Prompt prompt_of(const Text& text) {
  return {text.tokens, text.source, text.token_types};
}

TextLengths lengths_of(const Text& text) {
  return {static_cast<Index>(text.tokens.size()),
          static_cast<Index>(text.source.size())};
}

// What leaves a stack.
TensorId last_state(const ModelConfig& config, Stack stack, Index num_layers) {
  if (config.final_norm) return {Hook::kFinalNorm, 0, stack};
  return {Hook::kNormedResidPost, num_layers - 1, stack};
}

// Weights and states of one stack. `states` and `weights` are the names of the
// golden tensors, "decoder_hidden_states." for example.
void expect_stack(const Session& session, const Golden& golden, Index row,
                  Stack stack, Index num_layers, Index length,
                  const std::string& weights, const std::string& states) {
  const ModelConfig& config = session.model().config;
  for (Index layer = 0; layer < num_layers; ++layer) {
    const std::string number = std::to_string(layer);
    expect_tensor(session, {Hook::kWeights, layer, stack},
                  golden.cells(weights + number, row, length, length),
                  kMostWeightError, "weights");
    // One shared folder has no hidden states.
    if (!golden.has(states + number)) continue;
    expect_tensor(session, {Hook::kResidPre, layer, stack},
                  golden.rows(states + number, row, length), kMostStateError,
                  "state");
  }
  const std::string last = states + std::to_string(num_layers);
  if (!golden.has(last)) return;
  expect_tensor(session, last_state(config, stack, num_layers),
                golden.rows(last, row, length), kMostStateError, "state");
}

}  // namespace

nlohmann::json read_json(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

Text without_padding(const Text& text, Architecture architecture) {
  Text alone = text;
  const auto shown = static_cast<std::size_t>(
      std::count(text.hidden.begin(), text.hidden.end(), 0));
  Tokens& padded = architecture == Architecture::kEncoderDecoder ? alone.source
                                                                 : alone.tokens;
  padded.resize(shown);
  if (!alone.token_types.empty()) alone.token_types.resize(shown);
  alone.hidden.clear();
  return alone;
}

Golden Golden::read(const std::string& folder) {
  Golden golden;
  golden.file_ = TensorFile::read(folder + "/golden.safetensors");
  return golden;
}

Index Golden::num_texts() const { return file_.shape("input_ids")[0]; }

Text Golden::text(Index row) const {
  Text text;
  text.tokens = row_of(file_, "input_ids", row);
  if (has("token_type_ids"))
    text.token_types = row_of(file_, "token_type_ids", row);
  if (has("attention_mask"))
    for (const std::int32_t shown : row_of(file_, "attention_mask", row))
      text.hidden.push_back(shown == 0 ? 1 : 0);
  if (has("decoder_input_ids"))
    text.source =
        std::exchange(text.tokens, row_of(file_, "decoder_input_ids", row));
  return text;
}

std::vector<float> Golden::rows(const std::string& name, Index row,
                                Index positions) const {
  const auto shape = file_.shape(name);  // [text, position, width]
  const auto numbers = file_.floats(name);
  const auto begin = numbers.begin() + row * shape[1] * shape[2];
  return {begin, begin + positions * shape[2]};
}

std::vector<float> Golden::cells(const std::string& name, Index row,
                                 Index queries, Index keys) const {
  const auto shape = file_.shape(name);  // [text, head, query, key]
  const auto numbers = file_.floats(name);
  std::vector<float> cells;
  for (Index head = 0; head < shape[1]; ++head) {
    for (Index query = 0; query < queries; ++query) {
      const auto begin =
          numbers.begin() +
          ((row * shape[1] + head) * shape[2] + query) * shape[3];
      cells.insert(cells.end(), begin, begin + keys);
    }
  }
  return cells;
}

Session make_session(std::shared_ptr<const Model> model, TextLengths room) {
  auto session = Session::make(std::move(model), room);
  EXPECT_TRUE(session.ok()) << session.status().message();
  return std::move(session.value());
}

RunOptions options_for(const Model& model, const Text& text) {
  RunOptions options;
  const Mask padding = Mask::padding(text.hidden);
  switch (model.config.architecture) {
    case Architecture::kDecoder:
      break;
    case Architecture::kEncoder:
      options.mask = padding;
      break;
    case Architecture::kEncoderDecoder:
      options.source_mask = padding;
      break;
  }
  return options;
}

Session run_traced(const std::shared_ptr<const Model>& model,
                   const Text& text) {
  Session session = make_session(model, lengths_of(text));
  RunOptions options = options_for(*model, text);
  options.execution = Execution::kTraced;
  options.record = all_tensors(model->config);
  options.all_logits = true;
  const Status status = session.prefill(prompt_of(text), std::move(options));
  EXPECT_TRUE(status.ok()) << status.message();
  return session;
}

void expect_tensor(const Session& session, TensorId id,
                   const std::vector<float>& expected, float most,
                   const char* what) {
  const auto tensor = session.trace().tensor(id);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  const FloatBuffer& data = tensor.value().data;
  expect_close({data.data(), data.size()}, expected, most,
               tensor_name(id, session.model().config), what);
}

void expect_logits(const Session& session, const std::vector<float>& expected) {
  expect_close(session.logits(), expected, kMostLogitError, "logits", "");
}

void expect_equals(const Session& session, const Golden& golden, Index row) {
  const ModelConfig& config = session.model().config;
  const Index length = session.length();
  expect_logits(session, golden.rows("logits", row, length));
  if (!config.has_encoder()) {
    expect_stack(session, golden, row, Stack::kText, config.num_layers, length,
                 "attentions.", "hidden_states.");
    return;
  }
  const Index source_length = session.source_length();
  expect_stack(session, golden, row, Stack::kEncoder, config.encoder.num_layers,
               source_length, "encoder_attentions.", "encoder_hidden_states.");
  expect_stack(session, golden, row, Stack::kText, config.num_layers, length,
               "decoder_attentions.", "decoder_hidden_states.");
  for (Index layer = 0; layer < config.num_layers; ++layer)
    expect_tensor(session, {Hook::kCrossWeights, layer},
                  golden.cells("cross_attentions." + std::to_string(layer), row,
                               length, source_length),
                  kMostWeightError, "weights");
}

Tokens generate(const std::shared_ptr<const Model>& model, const Text& start,
                std::size_t length) {
  TextLengths room = lengths_of(start);
  room.text = static_cast<Index>(length);
  Session session = make_session(model, room);
  Status status = session.prefill(prompt_of(start), options_for(*model, start));
  Tokens tokens = start.tokens;
  while (status.ok() && tokens.size() < length) {
    tokens.push_back(best_of(session.last_logits()));
    status = session.decode_step(tokens.back());
  }
  EXPECT_TRUE(status.ok()) << status.message();
  return tokens;
}

void expect_cache_equals_whole(const std::shared_ptr<const Model>& model,
                               const Text& start, std::size_t length) {
  const ModelConfig& config = model->config;
  std::vector<TensorId> weights;
  for (const AttentionPart part : {AttentionPart::kSelf, AttentionPart::kCross})
    for (Index layer = 0; layer < num_layers_of(config, part); ++layer)
      weights.push_back(weights_of(part, layer));

  TextLengths room = lengths_of(start);
  room.text = static_cast<Index>(length);
  Session cached = make_session(model, room);
  RunOptions options = options_for(*model, start);
  options.execution = Execution::kTraced;
  options.record = weights;
  ASSERT_TRUE(cached.prefill(prompt_of(start), options).ok());
  Text text = start;
  while (text.tokens.size() < length) {
    text.tokens.push_back(best_of(cached.last_logits()));
    ASSERT_TRUE(cached.decode_step(text.tokens.back()).ok());
  }

  const Session whole = run_traced(model, text);
  for (std::size_t i = start.tokens.size(); i < length; ++i) {
    const auto vocabulary = static_cast<std::size_t>(config.vocabulary_size);
    EXPECT_EQ(best_of(whole.logits().subspan((i - 1) * vocabulary, vocabulary)),
              text.tokens[i]);
  }
  for (const TensorId id : weights) {
    const auto tensor = whole.trace().tensor(id);
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    const FloatBuffer& data = tensor.value().data;
    expect_tensor(cached, id, {data.data(), data.data() + data.size()},
                  kMostCacheError, "cached");
  }
}

}  // namespace attnscope
