// Hostile bytes: every bit of a small checkpoint flipped, every length it can
// be cut to, and every byte of its configuration. Nothing may crash; each
// attempt ends in a model or in a status that the loader's contract names.
#include <gtest/gtest.h>

#include <set>
#include <span>
#include <string>

#include "core/checkpoint/checkpoint_loader.h"
#include "tests/core/checkpoint_files.h"

namespace attnscope {
namespace {

const std::string kConfig =
    R"({"model_type":"llama","vocab_size":3,"hidden_size":2,)"
    R"("num_hidden_layers":1,"num_attention_heads":1,"intermediate_size":2,)"
    R"("max_position_embeddings":4,"rms_norm_eps":1e-5,)"
    R"("rope_parameters":{"rope_theta":1e4,"rope_type":"default"},)"
    R"("eos_token_id":[1,2],"tie_word_embeddings":true})";

Bytes valid_file() {
  std::vector<TensorToWrite> tensors;
  const auto add = [&](const std::string& name, std::vector<Index> shape) {
    Index count = 2;  // bytes of BF16
    for (Index size : shape) count *= size;
    tensors.push_back({name, "BF16", std::move(shape),
                       Bytes(static_cast<std::size_t>(count), 0x3F)});
  };
  add("model.embed_tokens.weight", {3, 2});
  const std::string layer = "model.layers.0.";
  for (const std::string name :
       {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj",
        "self_attn.o_proj", "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"})
    add(layer + name + ".weight", {2, 2});
  add(layer + "input_layernorm.weight", {2});
  add(layer + "post_attention_layernorm.weight", {2});
  add("model.norm.weight", {2});
  return safetensors_of(tensors);
}

Status status_of(const std::string& config,
                 std::span<const std::uint8_t> file) {
  return load_checkpoint(config, file, best_kernels()).status();
}

TEST(Mutation, TheFileItselfLoads) {
  EXPECT_EQ(status_of(kConfig, valid_file()).message(), "");
}

TEST(Mutation, EveryTruncationIsNoticed) {
  const Bytes file = valid_file();
  for (std::size_t length = 0; length < file.size(); ++length) {
    const Status status =
        status_of(kConfig, std::span<const std::uint8_t>(file).first(length));
    ASSERT_EQ(status.code(),
              length < 8 ? StatusCode::kNotSafetensors : StatusCode::kTruncated)
        << length << ": " << status.message();
  }
}

TEST(Mutation, EveryFlippedBitOfTheFileEndsInAStatus) {
  const std::set<StatusCode> allowed = {
      StatusCode::kNotSafetensors,   StatusCode::kCorruptHeader,
      StatusCode::kTruncated,        StatusCode::kOversized,
      StatusCode::kUnsupportedDtype, StatusCode::kMissingTensor,
      StatusCode::kWrongShape,       StatusCode::kUnsupportedSetting};
  Bytes file = valid_file();
  const std::size_t data = header_end(file);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < file.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      file[i] ^= static_cast<std::uint8_t>(1 << bit);
      const Status status = status_of(kConfig, file);
      file[i] ^= static_cast<std::uint8_t>(1 << bit);
      if (status.ok()) continue;
      ++refused;
      ASSERT_LT(i, data) << "numbers are not checked: " << status.message();
      ASSERT_TRUE(allowed.contains(status.code()))
          << "bit " << bit << " of byte " << i << ": " << status.message();
      ASSERT_FALSE(status.message().empty());
    }
  // No bit of this header is idle.
  EXPECT_EQ(refused, 8 * data);
}

TEST(Mutation, EveryByteOfTheHeaderReplacedEndsInAStatus) {
  Bytes file = valid_file();
  const std::size_t data = header_end(file);
  for (std::size_t i = 8; i < data; ++i)
    for (const char replacement :
         std::string_view("\0\"{}[]:,0-9e.\\ \xff", 16)) {
      const std::uint8_t original = file[i];
      file[i] = static_cast<std::uint8_t>(replacement);
      const Status status = status_of(kConfig, file);
      if (file[i] != original) {
        EXPECT_FALSE(status.ok()) << i << " " << replacement;
      }
      file[i] = original;
    }
}

TEST(Mutation, EveryByteOfTheConfigurationReplacedEndsInAStatus) {
  const Bytes file = valid_file();
  for (std::size_t i = 0; i < kConfig.size(); ++i)
    for (int byte = 0; byte < 256; ++byte) {
      std::string config = kConfig;
      config[i] = static_cast<char>(byte);
      const auto parsed = parse_config(config);
      if (!parsed.ok()) {
        ASSERT_FALSE(parsed.status().message().empty());
        continue;
      }
      // What is accepted is a model that can exist: as this file, or not.
      const Status status = status_of(config, file);
      ASSERT_TRUE(status.ok() || status.code() == StatusCode::kWrongShape ||
                  status.code() == StatusCode::kMissingTensor ||
                  status.code() == StatusCode::kUnsupportedSetting)
          << config << ": " << status.message();
    }
}

TEST(Mutation, EveryTruncationOfTheConfigurationIsRefused) {
  for (std::size_t length = 0; length < kConfig.size(); ++length)
    ASSERT_EQ(parse_config(std::string_view(kConfig).substr(0, length))
                  .status()
                  .code(),
              StatusCode::kInvalidConfig);
}

}  // namespace
}  // namespace attnscope
