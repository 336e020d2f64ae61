// The three executions of attention against one another, and against numbers
// from elsewhere, on every kernel table.
#include "core/attention/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "core/model/kv_cache.h"
#include "tests/core/random_numbers.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// An attention call that owns its numbers.
class Problem {
 public:
  Problem(const Kernels& kernels, Index queries, Index keys, Index query_heads,
          Index kv_heads, Index head_dim, float size = 1,
          std::uint32_t seed = 1)
      : kernels_(kernels), queries_(queries), keys_(keys), head_dim_(head_dim) {
    RandomNumbers random(seed);
    query = random.numbers(at(queries * query_heads * head_dim), size);
    key = random.numbers(at(keys * kv_heads * head_dim), size);
    value = random.numbers(at(keys * kv_heads * head_dim), 1);
    heads.resize(at(query_heads));
    for (HeadSettings& head : heads) {
      head.scale = 1 / std::sqrt(static_cast<float>(head_dim));
    }
    kv_heads_ = kv_heads;
  }

  bool counts_padding = false;  // in the bias by distance
  // Queries that stand at the end of the keys, as with a cache.
  Index first_query = 0;
  std::vector<float> query;
  std::vector<float> key;
  std::vector<float> value;
  std::vector<HeadSettings> heads;

  void set_mask(const Mask& mask) {
    for (HeadSettings& head : heads) head.mask = mask;
  }

  // A number of its own for every head and distance.
  void add_position_bias() {
    RandomNumbers random(3);
    position_bias_ = random.numbers(
        at(static_cast<Index>(heads.size()) * (2 * reach() - 1)), 1);
  }

  struct Answer {
    std::vector<float> scores, masked_scores, weights, output;
    Index empty_rows = 0;
  };

  enum class Way { kReference, kTraced, kStreaming };

  Answer solve(Way way) const {
    auto cache = KvCache::allocate({kv_heads_,
                                    head_dim_,
                                    std::max<Index>(keys_, 1),
                                    kernels_.panel_width,
                                    {0}});
    EXPECT_TRUE(cache.ok());
    for (Index j = 0; j < keys_; ++j) {
      cache.value().write(0, j, key.data() + j * kv_heads_ * head_dim_,
                          value.data() + j * kv_heads_ * head_dim_);
    }
    std::vector<KeyValueView> views;
    for (Index head = 0; head < kv_heads_; ++head) {
      views.push_back(cache.value().view(0, head, keys_));
    }
    AttentionInput input{.query = query.data(),
                         .num_queries = queries_,
                         .num_keys = keys_,
                         .head_dim = head_dim_,
                         .first_query = first_query,
                         .heads = heads,
                         .kv_heads = views,
                         .position_bias = {}};
    if (!position_bias_.empty())
      input.position_bias = {position_bias_.data(), reach(), counts_padding};
    Answer answer;
    const auto num_heads = static_cast<Index>(heads.size());
    answer.output.assign(at(queries_ * num_heads * head_dim_), 99);
    if (way == Way::kStreaming) {
      answer.empty_rows =
          attend_streaming(kernels_, input, answer.output.data());
      return answer;
    }
    const std::size_t cells = at(num_heads * queries_ * keys_);
    answer.scores.assign(cells, 99);
    answer.masked_scores.assign(cells, 99);
    answer.weights.assign(cells, 99);
    const AttentionCells record{answer.scores.data(),
                                answer.masked_scores.data(),
                                answer.weights.data(), queries_ * keys_, keys_};
    std::vector<float> scratch(at(kQueryBlock * keys_));
    answer.empty_rows =
        way == Way::kReference
            ? attend_reference(input, record, answer.output.data())
            : attend_traced(kernels_, input, record, scratch.data(),
                            answer.output.data());
    return answer;
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index reach() const { return std::max(queries_, keys_); }

  const Kernels& kernels_;
  Index queries_, keys_, head_dim_, kv_heads_ = 1;
  std::vector<float> position_bias_;  // [head, 2 * reach - 1], or empty
};

using Way = Problem::Way;

float largest_difference(const std::vector<float>& a,
                         const std::vector<float>& b) {
  EXPECT_EQ(a.size(), b.size());
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;  // equal infinities
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

class AttentionTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Kernels, AttentionTest,
                         ::testing::ValuesIn(kernels_under_test()),
                         [](const auto& info) { return info.param->name; });

// Sizes around every block and vector edge, all masks, grouped heads, with a
// bias by distance.
TEST_P(AttentionTest, ThreeExecutionsAgree) {
  const std::vector<Index> query_sizes = {1,
                                          2,
                                          5,
                                          6,
                                          7,
                                          15,
                                          16,
                                          17,
                                          33,
                                          kQueryBlock - 1,
                                          kQueryBlock,
                                          kQueryBlock + 1,
                                          2 * kQueryBlock + 2};
  const std::vector<Index> key_sizes = {1,
                                        2,
                                        5,
                                        6,
                                        7,
                                        15,
                                        16,
                                        17,
                                        33,
                                        63,
                                        64,
                                        65,
                                        kKeyBlock - 1,
                                        kKeyBlock,
                                        kKeyBlock + 1,
                                        2 * kKeyBlock + 2};
  struct Named {
    const char* name;
    Mask mask;
  };
  std::vector<std::uint8_t> hidden(2 * kKeyBlock + 2, 0);
  for (std::size_t j = 0; j < hidden.size(); j += 3) hidden[j] = 1;
  const std::vector<Named> masks = {
      {"none", Mask::none()},
      {"causal", Mask::causal()},
      {"window", Mask::sliding_window(5)},
      {"prefix", Mask::prefix(7)},
      {"padding", Mask::causal() & Mask::padding(hidden)},
      {"cells", Mask::causal().with_cell(3, 70, true).with_cell(0, 0, false)}};
  float worst_weights = 0, worst_traced = 0, worst_streaming = 0;
  for (const Index queries : query_sizes) {
    for (const Index keys : key_sizes) {
      for (const Named& named : masks) {
        Problem problem(kernels(), queries, keys, 4, 2, 24, 2);
        problem.first_query = std::max<Index>(0, keys - queries);
        problem.set_mask(named.mask);
        problem.add_position_bias();
        problem.counts_padding = queries % 2 == 0;
        const auto reference = problem.solve(Way::kReference);
        const auto traced = problem.solve(Way::kTraced);
        const auto streaming = problem.solve(Way::kStreaming);
        ASSERT_EQ(reference.empty_rows, traced.empty_rows);
        ASSERT_EQ(reference.empty_rows, streaming.empty_rows);
        worst_weights =
            std::max(worst_weights,
                     largest_difference(reference.weights, traced.weights));
        worst_traced = std::max(
            worst_traced, largest_difference(reference.output, traced.output));
        worst_streaming =
            std::max(worst_streaming,
                     largest_difference(reference.output, streaming.output));
        ASSERT_LT(
            largest_difference(reference.masked_scores, traced.masked_scores),
            2e-6f)
            << named.name << " " << queries << "x" << keys;
        ASSERT_LT(worst_weights, 1e-6f) << named.name;
        ASSERT_LT(worst_traced, 1e-6f) << named.name;
        ASSERT_LT(worst_streaming, 1e-6f)
            << named.name << " " << queries << "x" << keys;
      }
    }
  }
  std::printf("largest difference: weights %.3g traced %.3g streaming %.3g\n",
              static_cast<double>(worst_weights),
              static_cast<double>(worst_traced),
              static_cast<double>(worst_streaming));
}

// Trap 12: weights in [0, 1], rows sum to 1. Trap 10: [2, 5], not transposed.
TEST_P(AttentionTest, RowsOfWeightsSumToOne) {
  for (const float size : {0.01f, 1.0f, 30.0f, 3000.0f}) {
    Problem problem(kernels(), 2, 5, 1, 1, 16, size);
    const auto answer = problem.solve(Way::kTraced);
    ASSERT_EQ(answer.weights.size(), 10u);
    for (std::size_t i = 0; i < 2; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        const float weight = answer.weights[i * 5 + j];
        EXPECT_GE(weight, 0);
        EXPECT_LE(weight, 1);
        sum += weight;
      }
      EXPECT_NEAR(sum, 1, 1e-6);
    }
  }
}

// A textbook's row of scores; it prints other numbers, these are right.
TEST_P(AttentionTest, WorkedRowOfATextbook) {
  const std::vector<float> scores = {2.1f, 1.7f, 2.9f, 0.6f, 1.3f, 0.2f};
  const std::vector<double> expected = {0.2120, 0.1421, 0.4717,
                                        0.0473, 0.0952, 0.0317};
  Problem problem(kernels(), 1, 6, 1, 1, 1);
  problem.query = {1};
  problem.key = scores;
  problem.heads[0].scale = 1;
  for (const Way way : {Way::kReference, Way::kTraced}) {
    const auto answer = problem.solve(way);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(answer.weights[j], expected[j], 0.00005);
    }
  }
}

// Trap 17: T = 3, causal, key 0 hidden from query 0: row 0 is zero and counted.
TEST_P(AttentionTest, RowWithNothingAllowedIsZeroAndCounted) {
  Problem problem(kernels(), 3, 3, 1, 1, 8);
  problem.set_mask(Mask::causal().with_cell(0, 0, false));
  for (const Way way : {Way::kReference, Way::kTraced, Way::kStreaming}) {
    const auto answer = problem.solve(way);
    EXPECT_EQ(answer.empty_rows, 1);
    for (std::size_t d = 0; d < 8; ++d) EXPECT_EQ(answer.output[d], 0);
    for (const float x : answer.output) EXPECT_FALSE(std::isnan(x));
    for (std::size_t j = 0; j < 3 && way != Way::kStreaming; ++j) {
      EXPECT_EQ(answer.weights[j], 0);
    }
  }
}

TEST_P(AttentionTest, NoKeysGiveZeroOutput) {
  Problem problem(kernels(), 2, 0, 2, 1, 8);
  for (const Way way : {Way::kReference, Way::kTraced, Way::kStreaming}) {
    const auto answer = problem.solve(way);
    EXPECT_EQ(answer.empty_rows, 4);
    for (const float x : answer.output) EXPECT_EQ(x, 0);
  }
}

// Trap 22: 4 query heads on 2 heads of keys and values: 0, 0, 1, 1.
TEST_P(AttentionTest, QueryHeadsShareKvHeadsInGroups) {
  Problem problem(kernels(), 1, 1, 4, 2, 8);
  const auto answer = problem.solve(Way::kStreaming);
  for (std::size_t head = 0; head < 4; ++head) {
    for (std::size_t d = 0; d < 8; ++d) {
      EXPECT_EQ(answer.output[head * 8 + d], problem.value[head / 2 * 8 + d]);
    }
  }
}

TEST_P(AttentionTest, MaskedKeysHaveNoInfluence) {
  Problem problem(kernels(), 4, 4, 2, 2, 16);
  problem.set_mask(Mask::padding({0, 1, 0, 0}));
  Problem changed = problem;
  for (std::size_t d = 0; d < 32; ++d) {
    changed.key[32 + d] = 1e6f;
    changed.value[32 + d] = -1e6f;
  }
  for (const Way way : {Way::kReference, Way::kTraced, Way::kStreaming}) {
    EXPECT_EQ(problem.solve(way).output, changed.solve(way).output);
  }
}

// Why cached decoding gives the bits of a full pass.
TEST_P(AttentionTest, LaterKeysDoNotChangeEarlierCausalRows) {
  constexpr Index kAll = 2 * kKeyBlock + 3;
  Problem whole(kernels(), kAll, kAll, 2, 1, 32);
  whole.set_mask(Mask::causal());
  for (const Way way : {Way::kTraced, Way::kStreaming}) {
    const auto all = whole.solve(way).output;
    for (const Index length : {Index{1}, Index{9}, kQueryBlock, kKeyBlock,
                               kKeyBlock + 1, 2 * kKeyBlock + 1, kAll}) {
      Problem part(kernels(), 1, length, 2, 1, 32);
      part.set_mask(Mask::causal());
      part.first_query = length - 1;
      part.key.assign(whole.key.begin(), whole.key.begin() + length * 32);
      part.value.assign(whole.value.begin(), whole.value.begin() + length * 32);
      part.query.assign(whole.query.begin() + (length - 1) * 64,
                        whole.query.begin() + length * 64);
      const std::vector<float> row(all.begin() + (length - 1) * 64,
                                   all.begin() + length * 64);
      EXPECT_EQ(part.solve(way).output, row) << length;
    }
  }
}

TEST_P(AttentionTest, ExtremeScoresStayFinite) {
  // The largest score comes in a later block than the first.
  constexpr std::size_t kLargest = kKeyBlock + 2;
  Problem problem(kernels(), 3, kKeyBlock + 6, 1, 1, 4);
  std::fill(problem.query.begin(), problem.query.end(), 1e18f);
  for (std::size_t j = 0; j < problem.key.size(); ++j) {
    problem.key[j] = j / 4 == kLargest ? 1e18f : -1e18f;
  }
  problem.heads[0].scale = 1;
  for (const Way way : {Way::kReference, Way::kTraced, Way::kStreaming}) {
    const auto answer = problem.solve(way);
    for (std::size_t d = 0; d < 4; ++d) {
      EXPECT_EQ(answer.output[d], problem.value[kLargest * 4 + d]);
    }
  }
}

// Case 20 for the temperature of the scores.
TEST_P(AttentionTest, TemperatureZeroIsTheArgmaxAndTiesShare) {
  Problem problem(kernels(), 1, 4, 1, 1, 1);
  problem.query = {1};
  problem.key = {0.5f, 2, -1, 2};
  problem.heads[0].scale = 1;
  for (const float temperature : {0.0f, 1e-30f}) {
    problem.heads[0].temperature = temperature;
    for (const Way way : {Way::kReference, Way::kTraced}) {
      EXPECT_EQ(problem.solve(way).weights,
                (std::vector<float>{0, 0.5f, 0, 0.5f}));
    }
    EXPECT_NEAR(problem.solve(Way::kStreaming).output[0],
                (problem.value[1] + problem.value[3]) / 2, 1e-6);
  }
}

TEST_P(AttentionTest, TemperatureAndScaleMultiply) {
  Problem hot(kernels(), 5, kKeyBlock + 26, 2, 2, 16, 3);
  Problem scaled = hot;
  for (HeadSettings& head : hot.heads) head.temperature = 2;
  for (HeadSettings& head : scaled.heads) head.scale /= 2;
  for (const Way way : {Way::kReference, Way::kTraced, Way::kStreaming}) {
    EXPECT_LT(
        largest_difference(hot.solve(way).output, scaled.solve(way).output),
        1e-6f);
  }
}

TEST_P(AttentionTest, NanInAKeyReachesTheRowsThatSeeItAndNoOthers) {
  constexpr std::size_t kSpoilt = kKeyBlock + 6;
  constexpr std::size_t kAll = kKeyBlock + 16;
  Problem problem(kernels(), kAll, kAll, 1, 1, 8);
  problem.set_mask(Mask::causal());
  problem.key[kSpoilt * 8] = std::numeric_limits<float>::quiet_NaN();
  for (const Way way : {Way::kTraced, Way::kStreaming}) {
    const auto answer = problem.solve(way);
    for (std::size_t i = 0; i < kAll; ++i) {
      EXPECT_EQ(std::isnan(answer.output[i * 8]), i >= kSpoilt) << i;
    }
  }
}

// A NaN is not an empty row, even where it is all that a query may see.
TEST_P(AttentionTest, NanInTheOnlyVisibleKeyIsNotAnEmptyRow) {
  Problem problem(kernels(), 3, 3, 1, 1, 8);
  problem.set_mask(Mask::causal());
  problem.key[0] = std::numeric_limits<float>::quiet_NaN();
  for (const Way way : {Way::kReference, Way::kTraced, Way::kStreaming}) {
    const auto answer = problem.solve(way);
    EXPECT_EQ(answer.empty_rows, 0);
    for (const float x : answer.output) EXPECT_TRUE(std::isnan(x));
  }
}

TEST_P(AttentionTest, MaskedScoresHoldMinusInfinityOnlyWhereMasked) {
  Problem problem(kernels(), 6, 6, 1, 1, 8);
  problem.set_mask(Mask::sliding_window(2));
  const auto answer = problem.solve(Way::kTraced);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) {
      const auto cell = static_cast<std::size_t>(i * 6 + j);
      const bool allowed = problem.heads[0].mask.allows(i, j);
      EXPECT_EQ(answer.masked_scores[cell] == -kInfinity, !allowed);
      EXPECT_EQ(answer.weights[cell] == 0, !allowed);
      EXPECT_TRUE(std::isfinite(answer.scores[cell]));
    }
  }
}

}  // namespace
}  // namespace attnscope
