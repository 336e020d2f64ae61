// Whole models against what transformers computes for them: tests/golden, which
// the project owns, the bundled model, and, where they are beside the checkout,
// the reference checkpoints and a trained model that nobody here made.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/core/checkpoint_files.h"
#include "tests/core/golden_reference.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

// The texts of golden.safetensors, those with padding also without it.
void expect_passes(const std::shared_ptr<const Model>& model,
                   const Golden& golden) {
  for (Index row = 0; row < golden.num_texts(); ++row) {
    const Text text = golden.text(row);
    expect_equals(run_traced(model, text), golden, row);
    const bool padded = std::count(text.hidden.begin(), text.hidden.end(), 1);
    if (!padded) continue;
    std::printf("  without padding\n");
    expect_equals(
        run_traced(model, without_padding(text, model->config.architecture)),
        golden, row);
  }
}

void expect_continuation(const std::shared_ptr<const Model>& model,
                         const Text& start, const Tokens& expected) {
  EXPECT_EQ(generate(model, start, expected.size()), expected);
  expect_cache_equals_whole(model, start, expected.size());
}

// The continuations of greedy.json.
void expect_greedy(const std::shared_ptr<const Model>& model,
                   const std::string& folder) {
  const auto greedy = read_json(folder + "/greedy.json");
  for (std::size_t row = 0; row < greedy["prompt"].size(); ++row) {
    Text start;
    start.tokens = greedy["prompt"][row].get<Tokens>();
    if (model->config.has_encoder()) {
      start.source = greedy["source"][row].get<Tokens>();
      for (const auto& shown : greedy["attention_mask"][row])
        start.hidden.push_back(shown == 0 ? 1 : 0);
    }
    expect_continuation(model, start, greedy["greedy"][row].get<Tokens>());
  }
}

// Folders with golden.safetensors and perhaps greedy.json, as in tests/golden.
void expect_folder(const std::string& folder) {
  const Golden golden = Golden::read(folder);
  for (const Kernels* kernels : kernels_under_test()) {
    std::printf("%s, %s\n", folder.c_str(), kernels->name);
    const std::shared_ptr<const Model> model = load_folder(folder, *kernels);
    ASSERT_NE(model, nullptr);
    expect_passes(model, golden);
    if (model->config.architecture == Architecture::kEncoder) continue;
    if (std::filesystem::exists(folder + "/greedy.json")) {
      expect_greedy(model, folder);
    } else {
      Text start = golden.text(0);
      start.tokens.resize(1);
      expect_cache_equals_whole(model, start, 20);
    }
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
                      "llama_yarn", "mistral", "qwen2", "qwen3", "gemma3_text",
                      "bert", "distilbert", "roberta", "t5", "t5_gated",
                      "marian", "bart", "mbart", "m2m100"),
    [](const auto& info) { return info.param; });

class SharedGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(SharedGolden, EqualsTransformers) {
  if (shared_folder().empty()) {
    GTEST_SKIP() << "the shared reference checkpoints are not here";
  }
  expect_folder(shared_folder() + "/golden/" + GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Folders, SharedGolden,
    ::testing::Values("gpt2", "gpt_neo", "gpt_neox", "opt", "bloom_alibi",
                      "llama_gqa", "llama31_rope", "mistral_swa", "qwen2_gqa",
                      "qwen2_swa", "qwen3_gqa", "gemma3_text", "bert_mlm",
                      "distilbert_mlm", "roberta_mlm", "t5", "t5_gated",
                      "t5_v11_untied", "marian", "bart", "mbart", "m2m100"),
    [](const auto& info) { return info.param; });

// Only the name differs: the reference of roberta is theirs.
TEST(Roberta, GoesByOtherNamesToo) {
  const std::string folder = golden_folder() + "/roberta";
  const Kernels& kernels = *kernels_under_test().front();
  for (const std::string name : {"xlm-roberta", "camembert"}) {
    auto config = read_json(folder + "/config.json");
    config["model_type"] = name;
    auto loaded = load_checkpoint(
        config.dump(), read_file(folder + "/model.safetensors"), kernels);
    ASSERT_TRUE(loaded.ok()) << loaded.status().message();
    const std::shared_ptr<const Model> model = std::move(loaded.value());
    EXPECT_EQ(model->config.model_type, name);
    expect_passes(model, Golden::read(folder));
  }
}

TEST(BundledModel, EqualsTransformers) {
  const std::string folder =
      std::string(ATTNSCOPE_SOURCE_DIR) + "/web/public/models/tales";
  const TensorFile golden =
      TensorFile::read(golden_folder() + "/tales/golden.safetensors");
  const auto greedy = read_json(golden_folder() + "/tales/greedy.json");
  for (const Kernels* kernels : kernels_under_test()) {
    const std::shared_ptr<const Model> model = load_folder(folder, *kernels);
    ASSERT_NE(model, nullptr);
    for (const std::string text : {"0", "1"}) {
      std::printf("tales, text %s, %s\n", text.c_str(), kernels->name);
      const auto ids = golden.integers(text + ".input_ids");
      const Session session =
          run_traced(model, {.tokens = Tokens(ids.begin(), ids.end())});
      expect_logits(session, golden.floats(text + ".logits"));
      for (Index layer = 0; layer < model->config.num_layers; ++layer) {
        expect_tensor(
            session, {Hook::kWeights, layer},
            golden.floats(text + ".attentions." + std::to_string(layer)),
            kMostWeightError, "weights");
      }
    }
    for (const auto& one : greedy) {
      expect_continuation(model, {.tokens = one["prompt"].get<Tokens>()},
                          one["greedy"].get<Tokens>());
    }
  }
}

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
      const Text prompt{.tokens = one["input_ids"].get<Tokens>()};
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
      expect_continuation(model, prompt, one["greedy_ids"].get<Tokens>());
    }
  }
}

}  // namespace
}  // namespace attnscope
