// Whole models against what transformers computes for them: tests/golden, which
// the project owns, the bundled model, and, where they are beside the checkout,
// the reference checkpoints and a trained model that nobody here made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/generate/session.h"
#include "tests/core/checkpoint_files.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

using Tokens = std::vector<std::int32_t>;

constexpr float kMostWeightError = 1e-5f;
constexpr float kMostLogitError = 1e-3f;
constexpr float kMostStateError = 1e-3f;

float largest_difference(const float* a, const std::vector<float>& b) {
  float largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // NaN is largest
  }
  return largest;
}

Session make_session(std::shared_ptr<const Model> model, Index capacity) {
  auto session = Session::make(std::move(model), capacity);
  EXPECT_TRUE(session.ok()) << session.status().message();
  return std::move(session.value());
}

Session run_traced(const std::shared_ptr<const Model>& model,
                   const Tokens& tokens) {
  Session session = make_session(model, static_cast<Index>(tokens.size()));
  RunOptions options;
  options.execution = Execution::kTraced;
  options.record = all_tensors(model->config);
  options.all_logits = true;
  const Status status = session.prefill(tokens, options);
  EXPECT_TRUE(status.ok()) << status.message();
  return session;
}

// Both shapes start with a batch of 1, which the trace leaves out.
void expect_tensor(const Session& session, TensorId id,
                   const std::vector<float>& expected, float most,
                   const char* what) {
  const ModelConfig& config = session.model().config;
  const auto tensor = session.trace().tensor(id);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  ASSERT_EQ(tensor.value().data.size(), expected.size())
      << tensor_name(id, config);
  const float error = largest_difference(tensor.value().data.data(), expected);
  EXPECT_LE(error, most) << tensor_name(id, config);
  std::printf("  %-36s %-9s largest error %.2g\n",
              tensor_name(id, config).c_str(), what,
              static_cast<double>(error));
}

void expect_logits(const Session& session, const std::vector<float>& expected) {
  ASSERT_EQ(session.logits().size(), expected.size());
  const float error = largest_difference(session.logits().data(), expected);
  EXPECT_LE(error, kMostLogitError);
  std::printf("  %-46s largest error %.2g\n", "logits",
              static_cast<double>(error));
}

Tokens narrow(const std::vector<std::int64_t>& ids) {
  return {ids.begin(), ids.end()};
}

// Greedy through the cache, streaming: the way a person generates.
void expect_greedy(const std::shared_ptr<const Model>& model,
                   const Tokens& prompt, const Tokens& expected) {
  Session session = make_session(model, static_cast<Index>(expected.size()));
  ASSERT_TRUE(session.prefill(prompt, {}).ok());
  Tokens tokens = prompt;
  while (tokens.size() < expected.size()) {
    const auto logits = session.last_logits();
    tokens.push_back(static_cast<std::int32_t>(
        std::max_element(logits.begin(), logits.end()) - logits.begin()));
    ASSERT_TRUE(session.decode_step(tokens.back()).ok());
  }
  EXPECT_EQ(tokens, expected);
}

nlohmann::json read_json(const std::string& path) {
  return nlohmann::json::parse(read_text(path));
}

// A folder with golden.safetensors and greedy.json as in tests/golden.
void expect_folder(const std::string& folder) {
  const TensorFile golden = TensorFile::read(folder + "/golden.safetensors");
  const auto greedy = read_json(folder + "/greedy.json");
  for (const Kernels* kernels : kernels_under_test()) {
    std::printf("%s, %s\n", folder.c_str(), kernels->name);
    const std::shared_ptr<const Model> model = load_folder(folder, *kernels);
    ASSERT_NE(model, nullptr);
    const Tokens tokens = narrow(golden.integers("input_ids"));
    const Session session = run_traced(model, tokens);
    expect_logits(session, golden.floats("logits"));
    const Index num_layers = model->config.num_layers;
    for (Index layer = 0; layer < num_layers; ++layer) {
      const std::string number = std::to_string(layer);
      expect_tensor(session, {Hook::kWeights, layer},
                    golden.floats("attentions." + number), kMostWeightError,
                    "weights");
      expect_tensor(session, {Hook::kResidPre, layer},
                    golden.floats("hidden_states." + number), kMostStateError,
                    "state");
    }
    expect_tensor(session, {Hook::kFinalNorm},
                  golden.floats("hidden_states." + std::to_string(num_layers)),
                  kMostStateError, "state");
    expect_greedy(model, greedy["prompt"][0].get<Tokens>(),
                  greedy["greedy"][0].get<Tokens>());
  }
}

class OwnGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(OwnGolden, EqualsTransformers) {
  expect_folder(golden_folder() + "/" + GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Folders, OwnGolden,
    ::testing::Values("gpt2", "gpt_neo", "gpt_neox_parallel",
                      "gpt_neox_sequential", "opt", "bloom", "llama_gqa",
                      "llama_tied_bf16", "llama_linear", "llama_llama3",
                      "llama_yarn", "mistral", "qwen2", "qwen3", "gemma3_text"),
    [](const auto& info) { return info.param; });

class SharedGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedGolden, EqualsTransformers) {
  if (shared_folder().empty()) {
    GTEST_SKIP() << "the shared reference checkpoints are not here";
  }
  expect_folder(shared_folder() + "/golden/" + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Folders, SharedGolden,
                         ::testing::Values("gpt2", "gpt_neo", "gpt_neox", "opt",
                                           "bloom_alibi", "llama_gqa",
                                           "llama31_rope", "mistral_swa",
                                           "qwen2_gqa", "qwen2_swa",
                                           "qwen3_gqa", "gemma3_text"),
                         [](const auto& info) { return info.param; });

class BundledModel : public ::testing::TestWithParam<const char*> {};

TEST_P(BundledModel, EqualsTransformers) {
  const std::string name = GetParam();
  const std::string folder =
      std::string(ATTNSCOPE_SOURCE_DIR) + "/web/public/models/" + name;
  const TensorFile golden =
      TensorFile::read(golden_folder() + "/" + name + "/golden.safetensors");
  const auto greedy = read_json(golden_folder() + "/" + name + "/greedy.json");
  for (const Kernels* kernels : kernels_under_test()) {
    const std::shared_ptr<const Model> model = load_folder(folder, *kernels);
    ASSERT_NE(model, nullptr);
    for (const std::string text : {"0", "1"}) {
      std::printf("%s, text %s, %s\n", name.c_str(), text.c_str(),
                  kernels->name);
      const Session session =
          run_traced(model, narrow(golden.integers(text + ".input_ids")));
      expect_logits(session, golden.floats(text + ".logits"));
      for (Index layer = 0; layer < model->config.num_layers; ++layer) {
        expect_tensor(
            session, {Hook::kWeights, layer},
            golden.floats(text + ".attentions." + std::to_string(layer)),
            kMostWeightError, "weights");
      }
    }
    for (const auto& one : greedy) {
      expect_greedy(model, one["prompt"].get<Tokens>(),
                    one["greedy"].get<Tokens>());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Folders, BundledModel,
                         ::testing::Values("tales", "echo"),
                         [](const auto& info) { return info.param; });

TEST(TrainedModel, EqualsTransformersOverAHundredTokens) {
  if (shared_folder().empty()) {
    GTEST_SKIP() << "the shared trained checkpoint is not here";
  }
  const std::string folder = shared_folder() + "/real/stories260k";
  const auto cases = read_json(folder + "/reference/cases.json");
  ASSERT_FALSE(cases.empty());
  for (const Kernels* kernels : kernels_under_test()) {
    const std::shared_ptr<const Model> model = load_folder(folder, *kernels);
    ASSERT_NE(model, nullptr);
    for (const auto& one : cases) {
      std::printf("stories260k, %s\n", kernels->name);
      const auto prompt = one["input_ids"].get<Tokens>();
      const TensorFile reference = TensorFile::read(
          folder + "/reference/" + one["file"].get<std::string>());
      const Session session = run_traced(model, prompt);
      expect_logits(session, reference.floats("logits"));
      const auto attentions = reference.floats("attentions");
      const std::size_t cells =
          attentions.size() /
          static_cast<std::size_t>(model->config.num_layers);
      for (Index layer = 0; layer < model->config.num_layers; ++layer) {
        const auto begin =
            attentions.begin() + layer * static_cast<std::ptrdiff_t>(cells);
        expect_tensor(session, {Hook::kWeights, layer},
                      {begin, begin + static_cast<std::ptrdiff_t>(cells)},
                      kMostWeightError, "weights");
      }
      expect_greedy(model, prompt, one["greedy_ids"].get<Tokens>());
    }
  }
}

}  // namespace
}  // namespace attnscope
