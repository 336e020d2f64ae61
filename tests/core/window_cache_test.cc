// Caches of layers that look back no further than a window: what they keep, and
// that dropping the rest changes nothing.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/generate/session.h"
#include "tests/core/random_model.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

using Tokens = std::vector<std::int32_t>;

constexpr Index kLength = 600;  // past every window and its blocks of keys

class WindowCacheTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  WindowCacheTest()
      : config_(random_model_config("windowed")),
        windowed_(make_random_model(config_, *GetParam(), 7)) {
    // The same numbers, with the windows as a mask that a person gives: then
    // the cache keeps everything.
    ModelConfig whole = config_;
    whole.windows.clear();
    whole_ = make_random_model(whole, *GetParam(), 7);
  }

  static Session run(std::shared_ptr<const Model> model, const Tokens& tokens,
                     const RunOptions& options) {
    auto session = Session::make(std::move(model), kLength + 8);
    EXPECT_TRUE(session.ok()) << session.status().message();
    const Status status = session.value().prefill(tokens, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return std::move(session.value());
  }

  RunOptions recording(Execution execution) const {
    RunOptions options;
    options.execution = execution;
    if (execution != Execution::kStreaming) {
      for (Index layer = 0; layer < config_.num_layers; ++layer)
        options.record.push_back({Hook::kWeights, layer});
    }
    return options;
  }

  // Cells by hand that make a model without windows attend as one with.
  std::vector<Intervention> windows_by_hand() const {
    std::vector<Intervention> hidden;
    for (Index layer = 0; layer < config_.num_layers; ++layer) {
      const Index window = config_.window(layer);
      if (window == 0) continue;
      for (Index query = window; query < kShort; ++query)
        for (Index key = 0; key <= query - window; ++key)
          hidden.push_back({{layer, kEvery}, MaskCell{query, key, false}});
    }
    return hidden;
  }

  static std::vector<float> logits(const Session& session) {
    return {session.logits().begin(), session.logits().end()};
  }
  static std::vector<float> weights(const Session& session, Index layer) {
    const auto tensor = session.trace().tensor({Hook::kWeights, layer});
    EXPECT_TRUE(tensor.ok());
    const FloatBuffer& data = tensor.value().data;
    return {data.data(), data.data() + data.size()};
  }

  static constexpr Index kShort = 60;
  ModelConfig config_;
  std::shared_ptr<const Model> windowed_;
  std::shared_ptr<const Model> whole_;
};

INSTANTIATE_TEST_SUITE_P(Kernels, WindowCacheTest,
                         ::testing::ValuesIn(kernels_under_test()),
                         [](const auto& info) { return info.param->name; });

TEST_P(WindowCacheTest, KeepsAWindowAndBlocks) {
  const auto places = [&](Index window, Index capacity) {
    auto cache =
        KvCache::allocate({2, 8, capacity, GetParam()->panel_width, {window}});
    EXPECT_TRUE(cache.ok());
    return cache.value().places(0);
  };
  EXPECT_EQ(places(0, 5000), 5000);
  EXPECT_EQ(places(4096, 100'000), 4096 + 2 * kKeyBlock);
  EXPECT_EQ(places(20, 100'000), 2 * kKeyBlock);
  EXPECT_EQ(places(20, 30), 30);
  // Memory does not grow with the capacity.
  const auto floats = [&](Index capacity) {
    return KvCache::allocate({2, 8, capacity, GetParam()->panel_width, {512}})
        .value()
        .size();
  };
  EXPECT_EQ(floats(2000), floats(200'000));
}

// Windows given as toggled cells, on a model that keeps everything.
TEST_P(WindowCacheTest, IsTheWindowAsAMask) {
  const Tokens tokens = random_tokens(config_, kShort, 1);
  RunOptions options = recording(Execution::kTraced);
  const Session windowed = run(windowed_, tokens, options);
  options.interventions = windows_by_hand();
  const Session by_hand = run(whole_, tokens, options);
  EXPECT_EQ(logits(windowed), logits(by_hand));
  for (Index layer = 0; layer < config_.num_layers; ++layer)
    EXPECT_EQ(weights(windowed, layer), weights(by_hand, layer));
}

// A prefill far longer than what the cache keeps, against token by token, and
// against a cache that an intervention makes keep everything: the same bits.
TEST_P(WindowCacheTest, DroppingKeysChangesNoBit) {
  const Tokens tokens = random_tokens(config_, kLength, 2);
  for (const Execution execution :
       {Execution::kTraced, Execution::kStreaming}) {
    RunOptions options = recording(execution);
    const Session at_once = run(windowed_, tokens, options);
    Session step_by_step = run(windowed_, {tokens[0]}, options);
    for (std::size_t i = 1; i < tokens.size(); ++i)
      ASSERT_TRUE(step_by_step.decode_step(tokens[i]).ok());
    EXPECT_EQ(logits(at_once), logits(step_by_step));

    // A cell beyond the window, of a query that is not there yet.
    options.interventions = {
        {{0, 0}, MaskCell{kLength + 7, 0, true}},
        {{2, 0}, MaskCell{kLength + 7, 0, true}},
    };
    const Session keeping = run(windowed_, tokens, options);
    EXPECT_EQ(logits(at_once), logits(keeping));
    for (const TensorId id : options.record) {
      EXPECT_EQ(weights(at_once, id.layer), weights(step_by_step, id.layer));
      EXPECT_EQ(weights(at_once, id.layer), weights(keeping, id.layer));
    }
  }
}

TEST_P(WindowCacheTest, ReferenceAgrees) {
  const Tokens tokens = random_tokens(config_, kLength, 3);
  const auto traced = run(windowed_, tokens, recording(Execution::kTraced));
  const auto reference =
      run(windowed_, tokens, recording(Execution::kReference));
  for (Index layer = 0; layer < config_.num_layers; ++layer) {
    const auto a = weights(traced, layer), b = weights(reference, layer);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 2e-5);
  }
}

// A cell that a person allows beyond the window is seen, in the prefill and in
// later steps.
TEST_P(WindowCacheTest, AllowedCellsBeyondTheWindowAreSeen) {
  const Tokens tokens = random_tokens(config_, kLength, 4);
  RunOptions options = recording(Execution::kTraced);
  options.interventions = {{{0, 1}, MaskCell{kLength - 1, 0, true}},
                           {{0, 1}, MaskCell{kLength, 3, true}}};
  Session session = run(windowed_, tokens, options);
  ASSERT_TRUE(session.decode_step(5).ok());
  const auto cells = session.trace().head_cells({Hook::kWeights, 0}, 1);
  ASSERT_TRUE(cells.ok());
  const auto at = [&](Index query, Index key) {
    return cells.value()
        .data[static_cast<std::size_t>(query * (kLength + 1) + key)];
  };
  EXPECT_GT(at(kLength - 1, 0), 0);
  EXPECT_EQ(at(kLength - 1, 1), 0);
  EXPECT_GT(at(kLength, 3), 0);
  EXPECT_EQ(at(kLength, 0), 0);
}

}  // namespace
}  // namespace attnscope
