// Whole runs: the cache against recomputation, recording, interventions, and
// what is refused. On random models of every kind and every kernel table.
#include "core/generate/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/core/random_model.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

using Tokens = std::vector<std::int32_t>;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

class SessionTest
    : public ::testing::TestWithParam<std::tuple<const Kernels*, std::string>> {
 protected:
  SessionTest()
      : config_(random_model_config(std::get<1>(GetParam()))),
        model_(make_random_model(config_, *std::get<0>(GetParam()), 7)) {}

  Session make(Index capacity = 64) const {
    auto session = Session::make(model_, capacity);
    EXPECT_TRUE(session.ok()) << session.status().message();
    return std::move(session.value());
  }

  Session run(const Tokens& tokens, const RunOptions& options,
              Index capacity = 64) const {
    Session session = make(capacity);
    const Status status = session.prefill(tokens, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return session;
  }

  RunOptions recording_all() const {
    RunOptions options;
    options.execution = Execution::kTraced;
    options.record = all_tensors(config_);
    return options;
  }

  static std::vector<float> data(const Result<Tensor>& tensor) {
    EXPECT_TRUE(tensor.ok()) << tensor.status().message();
    const FloatBuffer& buffer = tensor.value().data;
    return {buffer.data(), buffer.data() + buffer.size()};
  }
  static std::vector<float> logits(const Session& session) {
    return {session.logits().begin(), session.logits().end()};
  }
  static std::int32_t argmax(const Session& session) {
    const auto logits = session.last_logits();
    return static_cast<std::int32_t>(
        std::max_element(logits.begin(), logits.end()) - logits.begin());
  }

  ModelConfig config_;
  std::shared_ptr<const Model> model_;
};

INSTANTIATE_TEST_SUITE_P(
    Models, SessionTest,
    ::testing::Combine(::testing::ValuesIn(kernels_under_test()),
                       ::testing::ValuesIn(random_model_kinds())),
    [](const auto& info) {
      return std::get<0>(info.param)->name + ("_" + std::get<1>(info.param));
    });

float largest_difference(const std::vector<float>& a,
                         const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) largest = std::max(largest, std::fabs(a[i] - b[i]));
  }
  return largest;
}

TEST_P(SessionTest, ExecutionsGiveTheSameLogits) {
  const Tokens tokens = random_tokens(config_, 50, 1);
  RunOptions options;
  options.all_logits = true;
  const auto streaming = logits(run(tokens, options));
  options.execution = Execution::kTraced;
  const auto traced = logits(run(tokens, options));
  options.execution = Execution::kReference;
  const auto reference = logits(run(tokens, options));
  EXPECT_LT(largest_difference(streaming, reference), 2e-4f);
  EXPECT_LT(largest_difference(traced, reference), 2e-4f);
}

// Trap 14: greedy, cache on and off: the same tokens and weights. The order of
// every sum is fixed, so it is the same to the bit.
TEST_P(SessionTest, CachedDecodingEqualsRecomputationToTheBit) {
  for (const Execution execution :
       {Execution::kTraced, Execution::kStreaming}) {
    RunOptions options;
    options.execution = execution;
    if (execution == Execution::kTraced) options.record = all_tensors(config_);
    Tokens tokens = random_tokens(config_, 3, 2);
    Session cached = run(tokens, options);
    for (int step = 0; step < 30; ++step) {
      const std::int32_t next = argmax(cached);
      tokens.push_back(next);
      ASSERT_TRUE(cached.decode_step(next).ok());
      const Session whole = run(tokens, options);
      ASSERT_EQ(logits(cached), logits(whole)) << step;
      for (const TensorId id : options.record) {
        if (id.hook == Hook::kScores)
          continue;  // future cells: NaN when cached
        ASSERT_EQ(data(cached.trace().tensor(id)),
                  data(whole.trace().tensor(id)))
            << tensor_name(id, config_);
      }
    }
  }
}

// Trap 15: one-token prompt, then decode.
TEST_P(SessionTest, OneTokenPromptThenDecode) {
  const Tokens tokens = random_tokens(config_, 2, 3);
  Session cached = run({tokens[0]}, recording_all());
  ASSERT_TRUE(cached.decode_step(tokens[1]).ok());
  const Session whole = run(tokens, recording_all());
  for (Index layer = 0; layer < config_.num_layers; ++layer) {
    EXPECT_EQ(data(cached.trace().tensor({Hook::kKey, layer})),
              data(whole.trace().tensor({Hook::kKey, layer})));
  }
}

// Trap 9: a prompt of 3 and 3 generated: weights grow to 6 rows.
TEST_P(SessionTest, WeightsGrowByARowPerToken) {
  Session session = run(random_tokens(config_, 3, 4), recording_all());
  for (int step = 0; step < 3; ++step) {
    ASSERT_TRUE(session.decode_step(5).ok());
  }
  const auto tensor = session.trace().tensor({Hook::kWeights, 1});
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor.value().shape,
            (std::vector<Index>{config_.num_query_heads, 6, 6}));
  const auto head = session.trace().head_cells({Hook::kWeights, 1}, 2);
  ASSERT_TRUE(head.ok());
  EXPECT_EQ(head.value().shape, (std::vector<Index>{6, 6}));
  for (std::size_t i = 0; i < 6; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      const float weight = head.value().data[i * 6 + j];
      EXPECT_EQ(weight == 0, j > i);
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST_P(SessionTest, RecordingChangesNothing) {
  const Tokens tokens = random_tokens(config_, 20, 5);
  RunOptions plain;
  plain.execution = Execution::kTraced;
  EXPECT_EQ(logits(run(tokens, plain)), logits(run(tokens, recording_all())));
}

TEST_P(SessionTest, RecordedTensorsFitTogether) {
  const Session session = run(random_tokens(config_, 9, 6), recording_all());
  const Trace& trace = session.trace();
  for (Index layer = 0; layer < config_.num_layers; ++layer) {
    auto sum = data(trace.tensor({Hook::kResidPre, layer}));
    const auto attention = data(trace.tensor({Hook::kAttnOut, layer}));
    const auto mlp = data(trace.tensor({Hook::kMlpOut, layer}));
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += attention[i];
      sum[i] += mlp[i];
    }
    EXPECT_EQ(sum, data(trace.tensor({Hook::kResidPost, layer})));
  }
}

// Trap 21: [PAD, PAD, a, b] and [a, b] give equal outputs; so does padding
// between.
TEST_P(SessionTest, PaddingChangesNothing) {
  const Tokens tokens = random_tokens(config_, 7, 8);
  Tokens padded = {0, 0};
  padded.insert(padded.end(), tokens.begin(), tokens.end());
  padded.insert(padded.begin() + 4, 0);
  RunOptions options;
  options.execution = Execution::kTraced;
  Session alone = run(tokens, options);
  options.mask = Mask::causal() & Mask::padding({1, 1, 0, 0, 1});
  Session beside = run(padded, options);
  EXPECT_EQ(beside.empty_rows(),
            2 * config_.num_layers * config_.num_query_heads);
  EXPECT_LT(largest_difference(logits(alone), logits(beside)), 1e-5f);
  ASSERT_TRUE(alone.decode_step(3).ok());
  ASSERT_TRUE(beside.decode_step(3).ok());
  EXPECT_LT(largest_difference(logits(alone), logits(beside)), 1e-5f);
}

TEST_P(SessionTest, AblatedHeadIsReplacedAndTheRestFollows) {
  const Tokens tokens = random_tokens(config_, 8, 9);
  RunOptions options = recording_all();
  const Session plain = run(tokens, options);
  const auto mean = plain.trace().mean_head_output(AttentionPart::kSelf, 1, 2);
  ASSERT_TRUE(mean.ok());
  for (const std::vector<float>& replacement :
       {std::vector<float>(), mean.value()}) {
    options.interventions = {{{1, 2}, AblateHead{replacement}}};
    const Session ablated = run(tokens, options);
    const auto before = data(plain.trace().tensor({Hook::kHeadOutput, 1}));
    const auto after = data(ablated.trace().tensor({Hook::kHeadOutput, 1}));
    for (std::size_t i = 0; i < after.size(); ++i) {
      const auto dim = static_cast<Index>(i) % config_.head_dim;
      const Index head =
          static_cast<Index>(i) / config_.head_dim % config_.num_query_heads;
      const float expected = head != 2 ? before[i]
                             : replacement.empty()
                                 ? 0
                                 : replacement[static_cast<std::size_t>(dim)];
      EXPECT_EQ(after[i], expected);
    }
    EXPECT_EQ(data(plain.trace().tensor({Hook::kResidPost, 0})),
              data(ablated.trace().tensor({Hook::kResidPost, 0})));
    EXPECT_NE(logits(plain), logits(ablated));
  }
}

TEST_P(SessionTest, ToggledCellHoldsForItsHeadOnly) {
  RunOptions options = recording_all();
  options.interventions = {{{0, 1}, MaskCell{3, 2, false}}};
  const Session session = run(random_tokens(config_, 5, 10), options);
  for (Index head = 0; head < config_.num_query_heads; ++head) {
    const auto weights = session.trace().head_cells({Hook::kWeights, 0}, head);
    const auto mask = session.mask(AttentionPart::kSelf, 0, head);
    ASSERT_TRUE(mask.ok());
    EXPECT_EQ(weights.value().data[3 * 5 + 2] == 0, head == 1);
    EXPECT_EQ(mask.value()[3 * 5 + 2] == 0, head == 1);
  }
}

TEST_P(SessionTest, ScaleAndTemperatureReachTheScores) {
  const Tokens tokens = random_tokens(config_, 6, 11);
  RunOptions options = recording_all();
  options.interventions = {{{kEvery, kEvery}, SetScale{1}}};
  const Session unscaled = run(tokens, options);
  const auto scores =
      unscaled.trace().head_cells({Hook::kScores, 0}, 0).value().data[0];
  EXPECT_EQ(
      unscaled.trace().head_cells({Hook::kMaskedScores, 0}, 0).value().data[0],
      scores);
  options.interventions = {{{kEvery, kEvery}, SetTemperature{0}}};
  const Session frozen = run(tokens, options);
  const auto weights = frozen.trace().head_cells({Hook::kWeights, 2}, 3);
  for (std::size_t i = 0; i < weights.value().data.size(); ++i) {
    const float weight = weights.value().data[i];
    EXPECT_TRUE(weight == 0 || weight == 1);
  }
}

// Trap 16: capacity 8, prompt 6, ask for 5: stops at 8 and says why.
TEST_P(SessionTest, FullCacheIsAClearEnd) {
  Session session = run(random_tokens(config_, 6, 12), {}, 8);
  EXPECT_TRUE(session.decode_step(1).ok());
  EXPECT_TRUE(session.decode_step(1).ok());
  const auto before = logits(session);
  const Status status = session.decode_step(1);
  EXPECT_EQ(status.code(), StatusCode::kCapacityReached);
  EXPECT_NE(status.message().find("8 tokens"), std::string::npos);
  EXPECT_EQ(session.length(), 8);
  EXPECT_EQ(logits(session), before);
}

TEST_P(SessionTest, RefusedCallsLeaveTheSessionAsItWas) {
  const Tokens tokens = random_tokens(config_, 4, 13);
  Session session = run(tokens, recording_all(), 8);
  const auto before = logits(session);
  const auto weights = data(session.trace().tensor({Hook::kWeights, 0}));
  const auto vocabulary = static_cast<std::int32_t>(config_.vocabulary_size);
  RunOptions bad_temperature;
  bad_temperature.interventions = {{{0, 0}, SetTemperature{kNaN}}};
  RunOptions bad_scale;
  bad_scale.interventions = {{{0, 0}, SetScale{kNaN}}};
  RunOptions bad_head;
  bad_head.interventions = {{{0, config_.num_query_heads}, AblateHead{}}};
  RunOptions bad_layer;
  bad_layer.interventions = {{{config_.num_layers, 0}, AblateHead{}}};
  RunOptions bad_length;
  bad_length.interventions = {{{0, 0}, AblateHead{{1, 2, 3}}}};
  RunOptions bad_cell;
  bad_cell.interventions = {{{0, 0}, MaskCell{-1, 0, true}}};
  RunOptions cells_from_streaming;
  cells_from_streaming.record = {{Hook::kWeights, 0}};
  const std::vector<std::tuple<Tokens, RunOptions, StatusCode>> bad = {
      {{}, {}, StatusCode::kEmptyInput},
      {{1, vocabulary}, {}, StatusCode::kTokenOutOfRange},
      {{-1}, {}, StatusCode::kTokenOutOfRange},
      {random_tokens(config_, 9, 1), {}, StatusCode::kCapacityReached},
      {{1}, bad_temperature, StatusCode::kInvalidArgument},
      {{1}, bad_scale, StatusCode::kInvalidArgument},
      {{1}, bad_head, StatusCode::kInvalidArgument},
      {{1}, bad_layer, StatusCode::kInvalidArgument},
      {{1}, bad_length, StatusCode::kInvalidArgument},
      {{1}, bad_cell, StatusCode::kInvalidArgument},
      {{1}, cells_from_streaming, StatusCode::kInvalidArgument}};
  for (const auto& [input, options, code] : bad) {
    const Status status = session.prefill(input, options);
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_FALSE(status.message().empty());
  }
  EXPECT_EQ(session.decode_step(vocabulary).code(),
            StatusCode::kTokenOutOfRange);
  EXPECT_EQ(session.length(), 4);
  EXPECT_EQ(logits(session), before);
  EXPECT_EQ(data(session.trace().tensor({Hook::kWeights, 0})), weights);
}

TEST_P(SessionTest, CapacityMustFitTheContext) {
  for (const Index capacity : {Index{0}, Index{-1}, config_.context + 1}) {
    EXPECT_EQ(Session::make(model_, capacity).status().code(),
              StatusCode::kInvalidArgument);
  }
}

TEST_P(SessionTest, DecodeBeforePrefillIsRefused) {
  EXPECT_EQ(make().decode_step(1).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(make().mask(AttentionPart::kSelf, 0, 0).status().code(),
            StatusCode::kInvalidArgument);
}

TEST_P(SessionTest, AskingForWhatWasNotRecordedIsAnError) {
  const Session session = run({1, 2}, {});
  EXPECT_EQ(session.trace().tensor({Hook::kWeights, 0}).status().code(),
            StatusCode::kUnknownTensor);
  const Session recorded = run({1, 2}, recording_all());
  EXPECT_EQ(recorded.trace()
                .head_cells({Hook::kWeights, 0}, config_.num_query_heads)
                .status()
                .code(),
            StatusCode::kInvalidArgument);
}

TEST_P(SessionTest, NewPrefillForgetsTheOldText) {
  const Tokens tokens = random_tokens(config_, 6, 14);
  Session session = run(random_tokens(config_, 30, 15), recording_all());
  ASSERT_TRUE(session.prefill(tokens, recording_all()).ok());
  const Session fresh = run(tokens, recording_all());
  EXPECT_EQ(logits(session), logits(fresh));
  EXPECT_EQ(data(session.trace().tensor({Hook::kWeights, 2})),
            data(fresh.trace().tensor({Hook::kWeights, 2})));
}

TEST_P(SessionTest, TensorNamesReadBack) {
  for (const TensorId id : all_tensors(config_)) {
    const auto parsed = parse_tensor_name(tensor_name(id, config_), config_);
    ASSERT_TRUE(parsed.ok()) << tensor_name(id, config_);
    EXPECT_EQ(parsed.value(), id);
  }
  for (const char* name :
       {"", "blocks.3.attn.hook_q", "blocks.0.hook_embed",
        "blocks..attn.hook_q", "blocks.-1.attn.hook_q", "blocks.0", "blocks.0.",
        "hook_q", "blocks.99999999999999999999.attn.hook_q",
        "blocks.0.attn.hook_q "}) {
    const auto parsed = parse_tensor_name(name, config_);
    ASSERT_FALSE(parsed.ok()) << name;
    EXPECT_EQ(parsed.status().code(), StatusCode::kUnknownTensor);
    EXPECT_NE(parsed.status().message().find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace attnscope
