// Memory: products of sizes are counted without wrapping around, and a model's
// limit holds for its sessions and runs too, to the byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/bytes.h"
#include "core/generate/session.h"
#include "tests/core/checkpoint_files.h"

namespace attnscope {
namespace {

TEST(Memory, BuffersAboveAllAddressesAreRefused) {
  constexpr Index kLarge = std::numeric_limits<Index>::max();
  const std::vector<std::vector<Index>> cases = {
      {kLarge, 1}, {kLarge, kLarge}, {kLarge / 4 + 1, 1}, {kLarge / 2 + 1, 2}};
  for (const auto& sizes : cases) {
    const auto buffer = FloatBuffer::allocate(sizes[0], sizes[1], "a test");
    ASSERT_FALSE(buffer.ok());
    EXPECT_EQ(buffer.status().code(), StatusCode::kOutOfMemory);
    EXPECT_TRUE(buffer.status().message().ends_with("B for a test"))
        << buffer.status().message();
  }
  // Multiples of 2^32 and 2^64, which would wrap around to nothing.
  constexpr Index kRow = 1 << 20;
  EXPECT_FALSE(FloatBuffer::allocate({kRow, kRow, kRow, kRow}, "a test").ok());
  EXPECT_FALSE(FloatBuffer::allocate({kRow, kRow, kRow, 4}, "a test").ok());
  if (sizeof(Index) == 4) {
    EXPECT_FALSE(FloatBuffer::allocate({kRow, 1 << 12}, "a test").ok());
    EXPECT_FALSE(FloatBuffer::allocate({kRow, 1 << 10}, "a test").ok());
  }
  EXPECT_TRUE(FloatBuffer::allocate({kLarge, kLarge, 0}, "a test").ok());
}

class MemoryTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    model_ = load_folder(golden_folder() + "/" + GetParam(), best_kernels());
    ASSERT_NE(model_, nullptr);
    // As the loader counts them, all in whole panels.
    EXPECT_GT(model_->stored_bytes, 0u);
    room_ = {12, model_->config.has_encoder() ? 9 : 0};
    for (Index i = 0; i < 10; ++i)
      tokens_.push_back(static_cast<std::int32_t>(i * 7 % 60));
  }
  Result<Session> make() const { return Session::make(model_, room_); }
  Prompt prompt() const {
    const std::span<const std::int32_t> tokens = tokens_;
    if (!model_->config.has_encoder()) return {tokens, {}, {}};
    return {tokens, tokens.first(9), {}};
  }
  RunOptions recording() const {
    RunOptions options;
    options.execution = Execution::kTraced;
    options.record = all_tensors(model_->config);
    options.all_logits = true;
    return options;
  }
  // Beside the parameters.
  void set_room(std::uint64_t bytes) {
    model_->memory_limit = model_->stored_bytes + bytes;
  }
  // The least room that `attempt` is not refused for. Refusals say how much is
  // needed, the limit, and why.
  template <class Attempt>
  std::uint64_t least_room(Attempt attempt) {
    std::uint64_t low = 0;
    std::uint64_t high = std::uint64_t{1} << 30;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      set_room(middle);
      const Status status = attempt();
      if (status.ok()) {
        high = middle;
        continue;
      }
      low = middle + 1;
      EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
      const std::string limit =
          " beside the model's " + bytes_text(model_->stored_bytes) +
          ", the limit here is " + bytes_text(model_->memory_limit);
      EXPECT_TRUE(status.message().ends_with(limit)) << status.message();
      EXPECT_NE(status.message().find("KV cache"), std::string::npos);
    }
    set_room(low);
    return low;
  }

  std::shared_ptr<Model> model_;
  TextLengths room_;
  std::vector<std::int32_t> tokens_;
};

INSTANTIATE_TEST_SUITE_P(Folders, MemoryTest,
                         ::testing::Values("gpt2", "llama_gqa", "gemma3_text",
                                           "bloom", "bert", "t5", "marian"));

TEST_P(MemoryTest, TheLimitOfASessionIsWhatItTakes) {
  const ModelConfig& config = model_->config;
  const auto cache = [&](const ModelConfig& stack, Index capacity,
                         bool windowed) {
    KvCache::Shape shape{stack.num_kv_heads,
                         stack.head_dim,
                         capacity,
                         model_->kernels->panel_width,
                         {}};
    for (Index layer = 0; layer < stack.num_layers; ++layer)
      shape.windows.push_back(windowed ? stack.window(layer) : 0);
    return KvCache::allocated_bytes(shape);
  };
  std::uint64_t wanted =
      cache(config, 12, true) +
      Workspace::allocated_bytes(config, 12, room_.source) +
      sizeof(float) * static_cast<std::uint64_t>(config.vocabulary_size);
  if (config.has_encoder()) {
    const ModelConfig encoder = encoder_of(config);
    wanted += cache(config, 9, false) + cache(encoder, 9, false) +
              Workspace::allocated_bytes(encoder, 9, 0);
  }
  EXPECT_EQ(least_room([&] { return make().status(); }), wanted);
}

TEST_P(MemoryTest, ARefusedRunLeavesTheSessionAsItWas) {
  auto session = make();
  ASSERT_TRUE(session.ok());
  ASSERT_TRUE(session.value().prefill(prompt(), {}).ok());
  const std::vector<float> logits(session.value().logits().begin(),
                                  session.value().logits().end());
  set_room(0);
  const Status refused = session.value().prefill(prompt(), recording());
  EXPECT_EQ(refused.code(), StatusCode::kOutOfMemory);
  EXPECT_NE(refused.message().find("recorded tensors "), std::string::npos)
      << refused.message();
  EXPECT_EQ(session.value().length(), 10);
  EXPECT_TRUE(std::equal(logits.begin(), logits.end(),
                         session.value().logits().begin(),
                         session.value().logits().end()));
}

TEST_P(MemoryTest, TheLimitOfARunCountsEachRecordedTensor) {
  auto session = make();
  ASSERT_TRUE(session.ok());
  const std::uint64_t plain =
      least_room([&] { return session.value().prefill(prompt(), {}); });
  const std::uint64_t recorded = least_room(
      [&] { return session.value().prefill(prompt(), recording()); });
  std::uint64_t floats = session.value().logits().size();
  floats -= session.value().last_logits().size();
  for (const TensorId id : all_tensors(model_->config)) {
    const auto tensor = session.value().trace().tensor(id);
    ASSERT_TRUE(tensor.ok());
    floats += tensor.value().data.size();
  }
  EXPECT_EQ(recorded - plain, sizeof(float) * floats);
  EXPECT_EQ(session.value().trace().held_bytes() +
                sizeof(float) * (session.value().logits().size() -
                                 session.value().last_logits().size()),
            recorded - plain);
}

TEST_P(MemoryTest, ADecodeStepThatHasNoRoomIsRefused) {
  if (model_->config.architecture == Architecture::kEncoder)
    GTEST_SKIP() << "encoders take no steps";
  auto session = make();
  ASSERT_TRUE(session.ok());
  least_room([&] { return session.value().prefill(prompt(), recording()); });
  const Status refused = session.value().decode_step(3);
  EXPECT_EQ(refused.code(), StatusCode::kOutOfMemory) << refused.message();
  EXPECT_EQ(session.value().length(), 10);
  model_->memory_limit = kAddressSpaceBytes;
  EXPECT_TRUE(session.value().decode_step(3).ok());
  EXPECT_EQ(session.value().length(), 11);
}

}  // namespace
}  // namespace attnscope
