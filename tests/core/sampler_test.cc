// Choice of the next token: against a plain double-precision reference over all
// options, the documented ties and limits, and the seeded randomness.
#include "core/generate/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "tests/core/random_numbers.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Sampler sampler_of(const SamplerOptions& options, std::size_t vocabulary_size,
                   const Kernels& kernels = best_kernels()) {
  auto sampler =
      Sampler::make(options, kernels, static_cast<Index>(vocabulary_size));
  EXPECT_TRUE(sampler.ok()) << sampler.status().message();
  return sampler.value();
}

std::vector<float> probabilities_of(const SamplerOptions& options,
                                    const std::vector<float>& logits,
                                    const Kernels& kernels = best_kernels()) {
  Sampler sampler = sampler_of(options, logits.size(), kernels);
  sampler.sample(logits);
  return {sampler.probabilities().begin(), sampler.probabilities().end()};
}

Index greedy(const std::vector<float>& logits) {
  return sampler_of({}, logits.size()).sample(logits);
}

// The definition: sort, cut to k, normalise, cut to the smallest set of mass p.
std::vector<double> expected_probabilities(const SamplerOptions& options,
                                           const std::vector<float>& logits) {
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
  if (options.top_k > 0 && options.top_k < static_cast<Index>(order.size()))
    order.resize(static_cast<std::size_t>(options.top_k));
  const auto weight = [&](std::size_t token) {
    return std::exp((static_cast<double>(logits[token]) - logits[order[0]]) /
                    options.temperature);
  };
  double total = 0;
  for (std::size_t token : order) total += weight(token);
  std::size_t kept = 0;
  for (double mass = 0; kept < order.size() &&
                        (options.top_p == 1 || mass < options.top_p * total);)
    mass += weight(order[kept++]);
  order.resize(kept);
  total = 0;
  for (std::size_t token : order) total += weight(token);
  std::vector<double> probabilities(logits.size());
  for (std::size_t token : order) probabilities[token] = weight(token) / total;
  return probabilities;
}

TEST(Sampler, ProbabilitiesFollowTheDefinitionForAllOptions) {
  RandomNumbers random(3);
  double largest_error = 0;
  for (const Kernels* kernels : kernels_under_test())
    for (std::size_t size : {1u, 2u, 7u, 16u, 33u, 500u}) {
      const std::vector<float> logits = random.numbers(size, 8);
      for (float temperature : {0.1f, 1.0f, 3.0f})
        for (Index top_k : {0, 1, 2, 5, 100, 1000})
          for (float top_p : {0.05f, 0.5f, 0.9f, 0.999f, 1.0f}) {
            const SamplerOptions options = {temperature, top_k, top_p, 1};
            const auto expected = expected_probabilities(options, logits);
            const auto actual = probabilities_of(options, logits, *kernels);
            double sum = 0;
            for (std::size_t i = 0; i < size; ++i) {
              const double error = std::abs(actual[i] - expected[i]);
              largest_error = std::max(largest_error, error);
              ASSERT_LE(error, 1e-6)
                  << kernels->name << " size " << size << " temperature "
                  << temperature << " top_k " << top_k << " top_p " << top_p;
              ASSERT_TRUE(actual[i] >= 0 && actual[i] <= 1);
              // Tokens that are cut have no probability at all.
              if (expected[i] == 0) {
                ASSERT_EQ(actual[i], 0);
              }
              sum += actual[i];
            }
            ASSERT_NEAR(sum, 1, 1e-6);
          }
    }
  std::printf("largest error of a probability: %.2g\n", largest_error);
}

// Chollet's book prints other numbers for this row; these are right.
TEST(Sampler, TextbookRowHasTheRightSoftmax) {
  const std::vector<float> expected = {0.2120f, 0.1421f, 0.4717f,
                                       0.0473f, 0.0952f, 0.0317f};
  for (const Kernels* kernels : kernels_under_test()) {
    const auto actual = probabilities_of(
        {.temperature = 1}, {2.1f, 1.7f, 2.9f, 0.6f, 1.3f, 0.2f}, *kernels);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(actual[i], expected[i], 5e-5) << kernels->name;
  }
}

TEST(Sampler, GreedyTakesTheLargestAndOfEqualsTheFirst) {
  EXPECT_EQ(greedy({1, 3, 2}), 1);
  EXPECT_EQ(greedy({1, 3, 3, 3}), 1);
  EXPECT_EQ(greedy({-5, -5}), 0);
  EXPECT_EQ(greedy({-0.0f, 0.0f}), 0);
  EXPECT_EQ(greedy({7}), 0);
  EXPECT_EQ(probabilities_of({}, {1, 3, 2}), (std::vector<float>{0, 1, 0}));
}

TEST(Sampler, NanIsNeverChosenUnlessThereIsNothingElse) {
  for (float temperature : {0.0f, 1.0f})
    for (Index top_k : {0, 1, 2})
      for (float top_p : {0.5f, 1.0f}) {
        const SamplerOptions options = {temperature, top_k, top_p, 5};
        const auto sample = [&](const std::vector<float>& logits) {
          return sampler_of(options, logits.size()).sample(logits);
        };
        EXPECT_EQ(sample({kNan, 2, kNan, kNan}), 1);
        EXPECT_EQ(sample({kNan, -kInfinity, kNan}), 1);
        EXPECT_EQ(sample({kNan, kNan, kInfinity, 1, kInfinity}), 2);
        EXPECT_EQ(sample({-kInfinity, -kInfinity, -3}), 2);
        EXPECT_EQ(sample({-kInfinity, -kInfinity}), 0);
        EXPECT_EQ(sample({kNan, kNan}), 0);
        for (const std::vector<float>& logits :
             {std::vector<float>{kNan, 2, kNan},
              {kInfinity, 1},
              {-kInfinity, -kInfinity}}) {
          const auto probabilities = probabilities_of(options, logits);
          EXPECT_EQ(
              std::accumulate(probabilities.begin(), probabilities.end(), 0.0f),
              1);
        }
      }
}

TEST(Sampler, NoTokenIsCertainWhereAllLogitsAreNan) {
  for (const SamplerOptions& options :
       {SamplerOptions{}, SamplerOptions{.temperature = 1, .top_k = 1}}) {
    for (float probability : probabilities_of(options, {kNan, kNan})) {
      EXPECT_TRUE(std::isnan(probability));
    }
  }
}

TEST(Sampler, AnyPositiveTemperatureIsFine) {
  const std::vector<float> logits = {1, 1.5f, -100, 1.5f};
  for (const Kernels* kernels : kernels_under_test()) {
    for (float temperature : {1e-30f, 1e-38f, 1e-45f}) {
      const auto cold =
          probabilities_of({.temperature = temperature}, logits, *kernels);
      EXPECT_EQ(cold, (std::vector<float>{0, 0.5f, 0, 0.5f})) << temperature;
    }
    const auto hot = probabilities_of(
        {.temperature = std::numeric_limits<float>::max()}, logits, *kernels);
    for (float probability : hot) EXPECT_NEAR(probability, 0.25, 1e-6);
    // The widest difference that float32 has.
    const float huge = std::numeric_limits<float>::max();
    EXPECT_EQ(probabilities_of({.temperature = 1}, {-huge, huge}, *kernels),
              (std::vector<float>{0, 1}));
  }
}

TEST(Sampler, OptionsOutsideTheirDomainAreRefusedByName) {
  struct Case {
    SamplerOptions options;
    std::string name;
    std::string value;
  };
  const std::vector<Case> cases = {
      {{.temperature = -1}, "temperature", "-1"},
      {{.temperature = -1e-30f}, "temperature", "-1e-30"},
      {{.temperature = kNan}, "temperature", "nan"},
      {{.temperature = kInfinity}, "temperature", "inf"},
      {{.top_k = -1}, "top_k", "-1"},
      {{.top_p = 0}, "top_p", "0"},
      {{.top_p = -0.5f}, "top_p", "-0.5"},
      {{.top_p = 1.5f}, "top_p", "1.5"},
      {{.top_p = kNan}, "top_p", "nan"}};
  for (const Case& one : cases) {
    const auto sampler = Sampler::make(one.options, best_kernels(), 10);
    ASSERT_FALSE(sampler.ok()) << one.name << " " << one.value;
    EXPECT_EQ(sampler.status().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(sampler.status().message().find(one.name + " is " + one.value),
              std::string::npos)
        << sampler.status().message();
  }
  EXPECT_FALSE(Sampler::make({}, best_kernels(), 0).ok());
}

std::vector<Index> kept_tokens(const SamplerOptions& options,
                               const std::vector<float>& logits) {
  const auto probabilities = probabilities_of(options, logits);
  std::vector<Index> kept;
  for (std::size_t i = 0; i < probabilities.size(); ++i)
    if (probabilities[i] > 0) kept.push_back(static_cast<Index>(i));
  return kept;
}

TEST(Sampler, TopKKeepsTheFirstOfEquals) {
  using Tokens = std::vector<Index>;
  const std::vector<float> logits = {2, 3, 2, 2, 1, 3};
  const auto kept = [&](Index top_k) {
    return kept_tokens({.temperature = 1, .top_k = top_k}, logits);
  };
  EXPECT_EQ(kept(1), (Tokens{1}));
  EXPECT_EQ(kept(2), (Tokens{1, 5}));
  EXPECT_EQ(kept(3), (Tokens{0, 1, 5}));
  EXPECT_EQ(kept(4), (Tokens{0, 1, 2, 5}));
  EXPECT_EQ(kept(5), (Tokens{0, 1, 2, 3, 5}));
  for (Index all : {0, 6, 7, 1'000'000}) EXPECT_EQ(kept(all).size(), 6u) << all;
}

TEST(Sampler, TopPKeepsTheSmallestSetThatReachesIt) {
  using Tokens = std::vector<Index>;
  const auto kept = [](float top_p, Index top_k,
                       const std::vector<float>& logits) {
    return kept_tokens({.temperature = 1, .top_k = top_k, .top_p = top_p},
                       logits);
  };
  // Probabilities 1/8, 1/2, 1/8, 1/4.
  const float half = std::log(0.5f);
  const std::vector<float> logits = {3 * half, half, 3 * half, 2 * half};
  EXPECT_EQ(kept(1e-6f, 0, logits), (Tokens{1}));
  EXPECT_EQ(kept(0.49f, 0, logits), (Tokens{1}));
  EXPECT_EQ(kept(0.51f, 0, logits), (Tokens{1, 3}));
  EXPECT_EQ(kept(0.76f, 0, logits), (Tokens{0, 1, 3}));
  EXPECT_EQ(kept(0.88f, 0, logits), (Tokens{0, 1, 2, 3}));
  // Reached exactly, it is reached.
  const std::vector<float> equal(8, 1.25f);
  EXPECT_EQ(kept(0.25f, 0, equal), (Tokens{0, 1}));
  EXPECT_EQ(kept(0.5f, 0, equal), (Tokens{0, 1, 2, 3}));
  // A share of what top-k keeps.
  EXPECT_EQ(kept(0.5f, 4, equal), (Tokens{0, 1}));
  EXPECT_EQ(kept(1.0f, 4, equal), (Tokens{0, 1, 2, 3}));
}

TEST(Sampler, DrawsAreTheSeedsRandomBits) {
  // Of 16 equal tokens, each draw is the upper four bits of the engine's
  // number.
  const std::vector<float> equal(16, 0.0f);
  for (std::uint64_t seed : {0ull, 1ull, 42ull, ~0ull}) {
    std::mt19937_64 engine(seed);
    Sampler sampler = sampler_of({.temperature = 1, .seed = seed}, 16);
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(sampler.sample(equal), static_cast<Index>(engine() >> 60));
  }
}

TEST(Sampler, SameSeedSameTokensOnEveryKernel) {
  RandomNumbers random(9);
  const std::vector<float> logits = random.numbers(300, 4);
  const SamplerOptions options = {0.8f, 40, 0.95f, 123};
  const auto draw = [&](const SamplerOptions& with, const Kernels& kernels) {
    Sampler sampler = sampler_of(with, logits.size(), kernels);
    std::vector<Index> tokens(200);
    for (Index& token : tokens) token = sampler.sample(logits);
    return tokens;
  };
  const auto tokens = draw(options, best_kernels());
  for (const Kernels* kernels : kernels_under_test())
    EXPECT_EQ(draw(options, *kernels), tokens) << kernels->name;
  SamplerOptions other = options;
  other.seed = 124;
  EXPECT_NE(draw(other, best_kernels()), tokens);
}

TEST(Sampler, FrequenciesFollowTheProbabilities) {
  const std::vector<float> logits = {0, 1, 2, -kInfinity, 0.5f};
  constexpr int kDraws = 100'000;
  Sampler sampler =
      sampler_of({.temperature = 0.7f, .seed = 11}, logits.size());
  std::vector<int> counts(logits.size());
  for (int i = 0; i < kDraws; ++i)
    ++counts[static_cast<std::size_t>(sampler.sample(logits))];
  EXPECT_EQ(counts[3], 0);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const double probability = sampler.probabilities()[i];
    const double deviation =
        std::sqrt(kDraws * probability * (1 - probability));
    EXPECT_NEAR(counts[i], kDraws * probability, 5 * deviation);
  }
}

TEST(Sampler, OnlyTokensThatAreKeptAreDrawn) {
  RandomNumbers random(21);
  for (int round = 0; round < 50; ++round) {
    const std::vector<float> logits = random.numbers(40, 3);
    const SamplerOptions options = {1.5f, 7, 0.8f,
                                    static_cast<std::uint64_t>(round)};
    Sampler sampler = sampler_of(options, logits.size());
    for (int i = 0; i < 50; ++i) {
      const Index token = sampler.sample(logits);
      ASSERT_GT(sampler.probabilities()[static_cast<std::size_t>(token)], 0);
    }
  }
}

}  // namespace
}  // namespace attnscope
