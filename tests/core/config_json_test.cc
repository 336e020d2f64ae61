// config.json of the three families: what transformers would make of it is
// what comes out, and settings that are not implemented are refused by name.
#include "core/checkpoint/config_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/core/checkpoint_files.h"

namespace attnscope {
namespace {

using nlohmann::json;

// The least that each family needs.
json gpt2() {
  return {{"model_type", "gpt2"}, {"vocab_size", 96}, {"n_embd", 48},
          {"n_layer", 2},         {"n_head", 4},      {"n_positions", 64}};
}
json gpt_neox() {
  return {{"model_type", "gpt_neox"},
          {"vocab_size", 96},
          {"hidden_size", 64},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"intermediate_size", 100},
          {"max_position_embeddings", 64}};
}
json with_type(const char* model_type) {
  json config = gpt_neox();
  config["model_type"] = model_type;
  return config;
}
json llama() { return with_type("llama"); }

json gpt_neo() {
  return {{"model_type", "gpt_neo"},
          {"vocab_size", 96},
          {"hidden_size", 64},
          {"num_layers", 4},
          {"num_heads", 4},
          {"attention_types", {{{"global", "local"}, 2}}},
          {"max_position_embeddings", 64}};
}
json opt() {
  json config = gpt_neox();
  config["model_type"] = "opt";
  config["ffn_dim"] = 100;
  return config;
}
json bloom() {
  return {{"model_type", "bloom"},
          {"vocab_size", 96},
          {"hidden_size", 96},
          {"n_layer", 2},
          {"n_head", 6}};
}
json mistral() { return with_type("mistral"); }
json qwen2() { return with_type("qwen2"); }
json qwen3() { return with_type("qwen3"); }
json gemma3() { return with_type("gemma3_text"); }

json with(json config, const json& changes) {
  config.update(changes);
  return config;
}
json without(json config, const std::string& name) {
  config.erase(name);
  return config;
}

ModelConfig accepted(const json& config) {
  const auto parsed = parse_config(config.dump());
  EXPECT_TRUE(parsed.ok()) << config << ": " << parsed.status().message();
  return parsed.ok() ? parsed.value() : ModelConfig();
}

void expect_refused(const std::string& text, StatusCode code,
                    const std::vector<std::string>& parts_of_message) {
  const auto parsed = parse_config(text);
  ASSERT_FALSE(parsed.ok()) << text;
  EXPECT_EQ(parsed.status().code(), code)
      << text << ": " << parsed.status().message();
  for (const std::string& part : parts_of_message)
    EXPECT_NE(parsed.status().message().find(part), std::string::npos)
        << text << ": " << parsed.status().message();
}

void expect_invalid(const json& config, const std::string& name,
                    const std::string& value = "") {
  expect_refused(config.dump(), StatusCode::kInvalidConfig, {name, value});
}
void expect_unsupported(const json& config, const std::string& name,
                        const std::string& value = "") {
  expect_refused(config.dump(), StatusCode::kUnsupportedSetting, {name, value});
}

TEST(Config, Gpt2Defaults) {
  const ModelConfig config = accepted(gpt2());
  EXPECT_EQ(config.model_type, "gpt2");
  EXPECT_EQ(config.vocabulary_size, 96);
  EXPECT_EQ(config.model_dim, 48);
  EXPECT_EQ(config.num_layers, 2);
  EXPECT_EQ(config.num_query_heads, 4);
  EXPECT_EQ(config.num_kv_heads, 4);
  EXPECT_EQ(config.head_dim, 12);
  EXPECT_EQ(config.mlp_dim, 192);
  EXPECT_EQ(config.context, 64);
  EXPECT_EQ(config.norm, NormKind::kLayerNorm);
  EXPECT_EQ(config.norm_epsilon, 1e-5f);
  EXPECT_EQ(config.position, PositionKind::kLearned);
  EXPECT_EQ(config.activation, Activation::kGeluTanh);
  EXPECT_FALSE(config.gated_mlp);
  EXPECT_FALSE(config.parallel_residual);
  EXPECT_TRUE(config.tied_output);
  EXPECT_TRUE(config.attention_bias);
  EXPECT_TRUE(config.mlp_bias);
  EXPECT_EQ(config.attention_scale, static_cast<float>(1 / std::sqrt(12.0)));
}

TEST(Config, Gpt2Settings) {
  const ModelConfig config =
      accepted(with(gpt2(), {{"n_inner", 100},
                             {"layer_norm_epsilon", 1e-3},
                             {"activation_function", "relu"},
                             {"scale_attn_weights", false},
                             {"tie_word_embeddings", false},
                             {"reorder_and_upcast_attn", true},
                             {"n_ctx", 32}}));
  EXPECT_EQ(config.mlp_dim, 100);
  EXPECT_EQ(config.norm_epsilon, 1e-3f);
  EXPECT_EQ(config.activation, Activation::kRelu);
  EXPECT_EQ(config.attention_scale, 1.0f);
  EXPECT_FALSE(config.tied_output);
  EXPECT_EQ(config.context, 64);  // n_positions, not n_ctx
  EXPECT_EQ(accepted(with(gpt2(), {{"n_inner", nullptr}})).mlp_dim, 192);
  EXPECT_EQ(
      accepted(with(without(gpt2(), "n_positions"), {{"n_ctx", 32}})).context,
      32);
}

TEST(Config, GptNeoxDefaults) {
  const ModelConfig config = accepted(gpt_neox());
  EXPECT_EQ(config.model_dim, 64);
  EXPECT_EQ(config.head_dim, 16);
  EXPECT_EQ(config.num_kv_heads, 4);
  EXPECT_EQ(config.mlp_dim, 100);
  EXPECT_EQ(config.norm, NormKind::kLayerNorm);
  EXPECT_EQ(config.norm_epsilon, 1e-5f);
  EXPECT_EQ(config.position, PositionKind::kRotary);
  EXPECT_EQ(config.rotary.dim, 4);
  EXPECT_EQ(config.rotary.base, 10000.0f);
  EXPECT_EQ(config.activation, Activation::kGeluErf);
  EXPECT_TRUE(config.parallel_residual);
  EXPECT_FALSE(config.tied_output);
  EXPECT_TRUE(config.attention_bias);
  EXPECT_TRUE(config.mlp_bias);
  EXPECT_EQ(config.attention_scale, 0.25f);
}

TEST(Config, GptNeoxRotarySpellings) {
  for (const json& changes :
       {json{{"rotary_pct", 0.5}, {"rotary_emb_base", 500}},
        json{{"rope_parameters",
              {{"partial_rotary_factor", 0.5},
               {"rope_theta", 500.0},
               {"rope_type", "default"}}}},
        json{{"rotary_pct", 0.5},
             {"rope_theta", 500},
             {"rope_scaling", nullptr}},
        json{{"partial_rotary_factor", 0.5},
             {"rope_scaling", {{"type", "default"}, {"rope_theta", 500}}}},
        json{{"rotary_pct", 0.5},
             {"rotary_emb_base", 500},
             {"rope_theta", 500.0},
             {"rope_parameters", {{"partial_rotary_factor", 0.5}}}}}) {
    const ModelConfig config = accepted(with(gpt_neox(), changes));
    EXPECT_EQ(config.rotary.dim, 8) << changes;
    EXPECT_EQ(config.rotary.base, 500.0f) << changes;
  }
  // Python's int(10 * 0.3), in double.
  const json ten = with(gpt_neox(), {{"hidden_size", 40}});
  EXPECT_EQ(accepted(with(ten, {{"rotary_pct", 0.4}})).rotary.dim, 4);
  EXPECT_EQ(accepted(with(ten, {{"rotary_pct", 0.3}})).rotary.dim, 3);
  expect_invalid(with(ten, {{"rotary_pct", 0.01}}), "rotary", "0");
  expect_invalid(with(ten, {{"rotary_pct", 1.5}}), "rotary_pct", "1.5");
  expect_invalid(with(gpt_neox(),
                      {{"rotary_pct", 0.5},
                       {"rope_parameters", {{"partial_rotary_factor", 0.25}}}}),
                 "rope_parameters.partial_rotary_factor", "0.25");
  expect_invalid(
      with(gpt_neox(), {{"rotary_emb_base", 500}, {"rope_theta", 600}}),
      "rotary_emb_base", "600");
}

TEST(Config, LlamaDefaults) {
  const ModelConfig config = accepted(llama());
  EXPECT_EQ(config.num_query_heads, 4);
  EXPECT_EQ(config.num_kv_heads, 4);
  EXPECT_EQ(config.head_dim, 16);
  EXPECT_EQ(config.norm, NormKind::kRmsNorm);
  EXPECT_EQ(config.norm_epsilon, 1e-6f);
  EXPECT_EQ(config.position, PositionKind::kRotary);
  EXPECT_EQ(config.rotary.dim, 16);
  EXPECT_EQ(config.rotary.base, 10000.0f);
  EXPECT_EQ(config.activation, Activation::kSilu);
  EXPECT_TRUE(config.gated_mlp);
  EXPECT_FALSE(config.parallel_residual);
  EXPECT_FALSE(config.tied_output);
  EXPECT_FALSE(config.attention_bias);
  EXPECT_FALSE(config.mlp_bias);
  EXPECT_EQ(config.attention_scale, 0.25f);
}

TEST(Config, LlamaSettings) {
  const ModelConfig config =
      accepted(with(llama(), {{"num_key_value_heads", 2},
                              {"head_dim", 24},
                              {"rope_theta", 5e5},
                              {"attention_bias", true},
                              {"mlp_bias", true},
                              {"tie_word_embeddings", true},
                              {"hidden_act", "gelu_pytorch_tanh"},
                              {"pretraining_tp", 1}}));
  EXPECT_EQ(config.num_kv_heads, 2);
  EXPECT_EQ(config.head_dim, 24);
  EXPECT_EQ(config.rotary.dim, 24);
  EXPECT_EQ(config.query_dim(), 96);
  EXPECT_EQ(config.kv_dim(), 48);
  EXPECT_EQ(config.rotary.base, 5e5f);
  EXPECT_TRUE(config.attention_bias);
  EXPECT_TRUE(config.mlp_bias);
  EXPECT_TRUE(config.tied_output);
  EXPECT_EQ(config.activation, Activation::kGeluTanh);
  EXPECT_EQ(config.attention_scale, static_cast<float>(1 / std::sqrt(24.0)));
  const ModelConfig nulls =
      accepted(with(llama(), {{"num_key_value_heads", nullptr},
                              {"head_dim", nullptr},
                              {"rope_scaling", nullptr}}));
  EXPECT_EQ(nulls.num_kv_heads, 4);
  EXPECT_EQ(nulls.head_dim, 16);
}

TEST(Config, BeginAndEndTokens) {
  using Tokens = std::vector<Index>;
  EXPECT_EQ(accepted(llama()).begin_token, 1);
  EXPECT_EQ(accepted(llama()).end_tokens, Tokens{2});
  EXPECT_EQ(accepted(gpt_neox()).begin_token, 0);
  EXPECT_EQ(accepted(gemma3()).begin_token, 2);
  EXPECT_EQ(accepted(gemma3()).end_tokens, Tokens{1});
  EXPECT_EQ(accepted(qwen2()).begin_token, -1);
  EXPECT_TRUE(accepted(qwen2()).end_tokens.empty());
  const auto tokens = [](const json& begin, const json& end) {
    return accepted(
        with(llama(), {{"bos_token_id", begin}, {"eos_token_id", end}}));
  };
  EXPECT_EQ(tokens(7, 9).begin_token, 7);
  EXPECT_EQ(tokens(7, 9).end_tokens, Tokens{9});
  EXPECT_EQ(tokens(nullptr, nullptr).begin_token, -1);
  EXPECT_TRUE(tokens(nullptr, nullptr).end_tokens.empty());
  EXPECT_EQ(tokens(7, {9, 3, 95}).end_tokens, (Tokens{9, 3, 95}));
  EXPECT_TRUE(tokens(7, json::array()).end_tokens.empty());
  // The defaults of GPT-2, 50256, and others outside of this vocabulary.
  EXPECT_EQ(accepted(gpt2()).begin_token, -1);
  EXPECT_TRUE(accepted(gpt2()).end_tokens.empty());
  EXPECT_EQ(tokens(96, {-1, 96, 5}).begin_token, -1);
  EXPECT_EQ(tokens(96, {-1, 96, 5}).end_tokens, Tokens{5});
  expect_invalid(with(llama(), {{"eos_token_id", "</s>"}}), "eos_token_id",
                 "</s>");
  expect_invalid(with(llama(), {{"eos_token_id", {1, nullptr}}}),
                 "eos_token_id");
  expect_invalid(with(llama(), {{"bos_token_id", 1.5}}), "bos_token_id", "1.5");
}

TEST(Config, ActivationNames) {
  const auto activation = [](const char* name) {
    return accepted(with(llama(), {{"hidden_act", name}})).activation;
  };
  EXPECT_EQ(activation("gelu"), Activation::kGeluErf);
  EXPECT_EQ(activation("gelu_new"), Activation::kGeluTanh);
  EXPECT_EQ(activation("gelu_fast"), Activation::kGeluTanh);
  EXPECT_EQ(activation("gelu_pytorch_tanh"), Activation::kGeluTanh);
  EXPECT_EQ(activation("silu"), Activation::kSilu);
  EXPECT_EQ(activation("swish"), Activation::kSilu);
  EXPECT_EQ(activation("relu"), Activation::kRelu);
  expect_unsupported(with(gpt2(), {{"activation_function", "mish"}}),
                     "activation_function", "mish");
  expect_invalid(with(gpt2(), {{"activation_function", 3}}),
                 "activation_function", "3");
}

TEST(Config, RefusesWhatIsNotAnObject) {
  for (const std::string text :
       {"", "{", "nonsense", "[]", "1", "null", "{\"a\":1}}", "<html>",
        "{\"model_type\":\"gpt2\",\"layer_norm_epsilon\":NaN}", "{\"\xff\":1}"})
    expect_refused(text, StatusCode::kInvalidConfig, {"config.json"});
  expect_refused(std::string(1'000'000, '['), StatusCode::kInvalidConfig, {});
  expect_refused("{\"a\":" + std::string(1'000'000, '['),
                 StatusCode::kInvalidConfig, {});
  expect_refused(std::string(2'000'000, ' '), StatusCode::kInvalidConfig,
                 {"2000000"});
}

// Values are copied, compared and shown by recursion, which depth could make
// overflow the stack.
TEST(Config, RefusesDeepNesting) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  for (const char* name : {"eos_token_id", "n_inner", "tie_word_embeddings",
                           "activation_function", "is_causal", "unknown"}) {
    const auto with = [&](const std::string& value) {
      std::string text = gpt2().dump();
      text.insert(1, "\"" + std::string(name) + "\":" + value + ",");
      return text;
    };
    for (const std::size_t levels : {33u, 1'000u, 400'000u})
      expect_refused(with(nested(levels)), StatusCode::kInvalidConfig,
                     {"nested more than 32 levels deep"});
    // Else the setting's own fault is told, or none.
    const std::string message =
        parse_config(with(nested(31))).status().message();
    EXPECT_EQ(message.find("nested"), std::string::npos) << message;
  }
  std::string objects = gpt2().dump();
  std::string inner = "1";
  for (int level = 0; level < 1'000; ++level) inner = "{\"a\":" + inner + "}";
  objects.insert(1, "\"rope_scaling\":" + inner + ",");
  expect_refused(objects, StatusCode::kInvalidConfig,
                 {"nested more than 32 levels deep"});
}

TEST(Config, RefusesKeysTwice) {
  std::string text = gpt2().dump();
  text.insert(1, "\"n_head\":2,");
  expect_refused(text, StatusCode::kInvalidConfig, {"'n_head'", "twice"});
  text = gpt2().dump();
  text.insert(1, "\"other\":{\"a\":1,\"b\":{\"a\":1},\"a\":2},");
  expect_refused(text, StatusCode::kInvalidConfig, {"'a'", "twice"});
  text = gpt2().dump();
  text.insert(1, "\"other\":[{\"a\":1},{\"a\":1}],");
  EXPECT_TRUE(parse_config(text).ok());
}

TEST(Config, ReadsGptNeo) {
  const ModelConfig config = accepted(with(gpt_neo(), {{"window_size", 7}}));
  EXPECT_EQ(config.windows, (std::vector<Index>{0, 7, 0, 7}));
  EXPECT_EQ(config.attention_scale, 1);
  EXPECT_FALSE(config.attention_bias);
  EXPECT_TRUE(config.attention_output_bias);
  EXPECT_EQ(config.mlp_dim, 256);
  EXPECT_EQ(accepted(gpt_neo()).windows[1], 256);
  // The list by layers counts where both are there.
  const json layers = {"local", "global", "global", "local"};
  EXPECT_EQ(accepted(with(gpt_neo(),
                          {{"window_size", 7}, {"attention_layers", layers}}))
                .windows,
            (std::vector<Index>{7, 0, 0, 7}));
  expect_invalid(with(gpt_neo(), {{"attention_layers", {"local"}}}),
                 "attention_layers");
  for (const json& types :
       {json::parse("[[[\"global\"], 3]]"), json::parse("[[[\"global\"], 5]]"),
        json::parse("[[\"global\", 4]]"), json::parse("4"),
        json::parse("[[[\"global\"], 1e9]]"), json::parse("[]")})
    expect_invalid(with(gpt_neo(), {{"attention_types", types}}),
                   "attention_types");
}

TEST(Config, ReadsOpt) {
  const ModelConfig config = accepted(opt());
  EXPECT_EQ(config.position_offset, 2);
  EXPECT_EQ(config.activation, Activation::kRelu);
  EXPECT_EQ(config.mlp_dim, 100);
  EXPECT_TRUE(config.attention_bias && config.mlp_bias);
  const ModelConfig plain = accepted(with(opt(), {{"enable_bias", false}}));
  EXPECT_FALSE(plain.attention_bias || plain.attention_output_bias ||
               plain.mlp_bias);
}

TEST(Config, ReadsBloom) {
  const ModelConfig config = accepted(bloom());
  EXPECT_EQ(config.position, PositionKind::kAlibi);
  EXPECT_TRUE(config.embedding_norm);
  EXPECT_EQ(config.mlp_dim, 4 * 96);
}

TEST(Config, ReadsWindows) {
  using Windows = std::vector<Index>;
  EXPECT_EQ(accepted(mistral()).windows, (Windows{4096, 4096}));
  EXPECT_EQ(accepted(with(mistral(), {{"sliding_window", 6}})).windows,
            (Windows{6, 6}));
  EXPECT_EQ(accepted(with(mistral(), {{"sliding_window", nullptr}})).window(1),
            0);
  EXPECT_EQ(
      accepted(with(mistral(),
                    {{"layer_types", {"full_attention", "sliding_attention"}}}))
          .windows,
      (Windows{0, 4096}));
  EXPECT_EQ(accepted(qwen2()).windows, (Windows{0, 0}));
  const json used = with(qwen2(), {{"use_sliding_window", true},
                                   {"sliding_window", 5},
                                   {"max_window_layers", 1}});
  EXPECT_EQ(accepted(used).windows, (Windows{0, 5}));
  // As transformers writes it where all layers are of one kind.
  const json kinds = {{"full_attention", {{"rope_type", "default"}}},
                      {"sliding_attention", {{"rope_type", "default"}}},
                      {"rope_type", "default"},
                      {"rope_theta", nullptr}};
  EXPECT_EQ(accepted(with(gemma3(), {{"rope_parameters", kinds}})).rotary.base,
            1e6f);
  expect_unsupported(with(gemma3(), {{"rope_parameters",
                                      with(kinds, {{"rope_type", "linear"}})}}),
                     "rope_parameters.rope_type", "linear");
  EXPECT_EQ(accepted(with(used, {{"max_window_layers", 0}})).windows,
            (Windows{5, 5}));
  EXPECT_EQ(accepted(with(used, {{"layer_types",
                                  {"sliding_attention", "full_attention"}}}))
                .windows,
            (Windows{5, 0}));
  EXPECT_EQ(accepted(with(gemma3(),
                          {{"num_hidden_layers", 7}, {"sliding_window", 9}}))
                .windows,
            (Windows{9, 9, 9, 9, 9, 0, 9}));
  expect_invalid(with(qwen2(), {{"layer_types", {"full_attention"}}}),
                 "layer_types");
}

TEST(Config, ReadsQwen3AndGemma3) {
  const ModelConfig qwen = accepted(qwen3());
  EXPECT_TRUE(qwen.query_key_norm);
  EXPECT_EQ(qwen.head_dim, 128);
  EXPECT_EQ(qwen.rotary.dim, 128);
  EXPECT_FLOAT_EQ(qwen.attention_scale, 1 / std::sqrt(128.0f));
  const ModelConfig gemma =
      accepted(with(gemma3(), {{"query_pre_attn_scalar", 64},
                               {"rope_local_base_freq", 500.0}}));
  EXPECT_TRUE(gemma.query_key_norm && gemma.output_norms && gemma.tied_output);
  EXPECT_EQ(gemma.head_dim, 256);
  EXPECT_EQ(gemma.attention_scale, 0.125f);
  EXPECT_EQ(gemma.embedding_scale, 8.0f);
  EXPECT_EQ(gemma.rotary.base, 1e6f);
  ASSERT_TRUE(gemma.window_rotary.has_value());
  EXPECT_EQ(gemma.window_rotary->base, 500.0f);
}

TEST(Config, ReadsScaledRotaryPositions) {
  const ModelConfig linear = accepted(
      with(llama(), {{"rope_scaling", {{"type", "linear"}, {"factor", 2.0}}}}));
  EXPECT_EQ(linear.rotary.scaling, RotaryScaling::kLinear);
  EXPECT_EQ(linear.rotary.factor, 2.0);
  const ModelConfig yarn =
      accepted(with(llama(), {{"rope_parameters",
                               {{"rope_type", "yarn"},
                                {"factor", 4.0},
                                {"original_max_position_embeddings", 16}}}}));
  EXPECT_EQ(yarn.rotary.scaling, RotaryScaling::kYarn);
  EXPECT_EQ(yarn.rotary.original_context, 16.0);
  EXPECT_NEAR(yarn.rotary.attention_factor, 0.1 * std::log(4.0) + 1, 1e-12);
  const json llama3 =
      with(llama(), {{"original_max_position_embeddings", 16},
                     {"rope_scaling", {{"type", "llama3"}, {"factor", 8.0}}}});
  EXPECT_EQ(accepted(llama3).rotary.original_context, 16.0);
  for (const char* kind : {"linear", "llama3", "yarn"})
    expect_invalid(with(llama(), {{"rope_scaling", {{"rope_type", kind}}}}),
                   "factor");
  expect_invalid(with(llama(), {{"rope_scaling",
                                 {{"rope_type", "llama3"},
                                  {"factor", 8.0},
                                  {"low_freq_factor", 4.0},
                                  {"high_freq_factor", 4.0}}}}),
                 "high_freq_factor");
}

TEST(Config, RefusesOtherArchitectures) {
  expect_refused(with(llama(), {{"model_type", "mamba"}}).dump(),
                 StatusCode::kUnsupportedArchitecture,
                 {"'mamba'", "gpt2, gpt_neo", "llama, mistral"});
  expect_invalid(without(llama(), "model_type"), "model_type");
  expect_invalid(with(llama(), {{"model_type", 5}}), "model_type");
}

TEST(Config, RefusesMissingAndMalformedSizes) {
  const std::vector<std::pair<json, std::vector<std::string>>> needed = {
      {gpt2(), {"vocab_size", "n_embd", "n_layer", "n_head", "n_positions"}},
      {gpt_neox(),
       {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
        "intermediate_size", "max_position_embeddings"}},
      {llama(),
       {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
        "intermediate_size", "max_position_embeddings"}},
      {opt(),
       {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads",
        "ffn_dim", "max_position_embeddings"}},
      {gpt_neo(),
       {"vocab_size", "hidden_size", "num_layers", "num_heads",
        "max_position_embeddings"}}};
  for (const auto& [config, names] : needed)
    for (const std::string& name : names) {
      expect_invalid(without(config, name), name, "missing");
      expect_invalid(with(config, {{name, nullptr}}), name, "missing");
      for (const json& value :
           {json(0), json(-1), json(1.5), json(48.0), json("48"), json(true),
            json::array({48}), json(std::int64_t{1} << 40),
            json(std::uint64_t{1} << 63), json(~std::uint64_t{0}), json(1e30)})
        expect_invalid(with(config, {{name, value}}), name);
    }
  expect_invalid(with(gpt2(), {{"n_inner", 0}}), "n_inner", "0");
  expect_invalid(with(llama(), {{"head_dim", -8}}), "head_dim", "-8");
  expect_invalid(with(llama(), {{"num_key_value_heads", "2"}}),
                 "num_key_value_heads", "2");
}

TEST(Config, RefusesHeadsThatDoNotDivide) {
  expect_invalid(with(gpt2(), {{"n_head", 5}}), "heads 5", "48");
  expect_invalid(with(gpt2(), {{"n_head", 96}}), "heads 96", "48");
  expect_invalid(with(llama(), {{"num_attention_heads", 3}}), "heads 3", "64");
  expect_invalid(with(llama(), {{"num_key_value_heads", 3}}), "heads 3", "4");
  expect_invalid(with(llama(), {{"num_key_value_heads", 8}}), "heads 8", "4");
  expect_invalid(with(llama(), {{"head_dim", 15}}),
                 "15");  // 16 would turn
}

TEST(Config, RefusesMalformedNumbersAndFlags) {
  for (const json& value : {json(0), json(0.0), json(-1e-5), json(2),
                            json(1e-60), json("1e-5"), json(false)}) {
    expect_invalid(with(gpt2(), {{"layer_norm_epsilon", value}}),
                   "layer_norm_epsilon");
    expect_invalid(with(gpt_neox(), {{"layer_norm_eps", value}}),
                   "layer_norm_eps");
    expect_invalid(with(llama(), {{"rms_norm_eps", value}}), "rms_norm_eps");
  }
  for (const json& value : {json(0), json(-10000), json(1e38), json("x")})
    expect_invalid(with(llama(), {{"rope_theta", value}}), "rope_theta");
  expect_invalid(with(llama(), {{"rope_parameters", "default"}}),
                 "rope_parameters", "default");
  expect_invalid(with(llama(), {{"rope_parameters", 5}}), "rope_parameters",
                 "5");
  for (const json& value : {json(1), json("true"), json::array()}) {
    expect_invalid(with(llama(), {{"tie_word_embeddings", value}}),
                   "tie_word_embeddings");
    expect_invalid(with(llama(), {{"attention_bias", value}}),
                   "attention_bias");
    expect_invalid(with(gpt_neox(), {{"use_parallel_residual", value}}),
                   "use_parallel_residual");
    expect_invalid(with(gpt2(), {{"scale_attn_weights", value}}),
                   "scale_attn_weights");
  }
}

TEST(Config, RefusesStartTokensOutsideTheVocabulary) {
  const json t5 = {{"model_type", "t5"}, {"vocab_size", 96}, {"d_model", 24},
                   {"num_heads", 3},     {"d_kv", 6},        {"d_ff", 40},
                   {"num_layers", 2}};
  EXPECT_EQ(accepted(t5).start_tokens, std::vector<Index>{0});
  for (const char* name : {"decoder_start_token_id", "forced_bos_token_id"})
    for (const int token : {96, -1})
      expect_invalid(with(t5, {{name, token}}), name, "96");
}

TEST(Config, RefusesSettingsThatAreNotImplemented) {
  expect_unsupported(with(gpt2(), {{"add_cross_attention", true}}),
                     "add_cross_attention", "true");
  expect_unsupported(with(llama(), {{"pretraining_tp", 2}}), "pretraining_tp",
                     "2");
  expect_unsupported(with(llama(), {{"partial_rotary_factor", 0.5}}),
                     "partial_rotary_factor", "0.5");
  expect_unsupported(
      with(llama(), {{"rope_scaling", {{"type", "dynamic"}, {"factor", 2.0}}}}),
      "rope_scaling.type", "dynamic");
  expect_unsupported(
      with(llama(),
           {{"rope_scaling",
             {{"rope_type", "yarn"}, {"factor", 8.0}, {"mscale", 2.0}}}}),
      "rope_scaling", "mscale");
  expect_unsupported(with(gemma3(), {{"attn_logit_softcapping", 50.0}}),
                     "attn_logit_softcapping", "50.0");
  expect_unsupported(with(opt(), {{"word_embed_proj_dim", 32}}),
                     "word_embed_proj_dim", "32");
  expect_unsupported(
      with(bloom(), {{"apply_residual_connection_post_layernorm", true}}),
      "apply_residual_connection_post_layernorm", "true");
  expect_unsupported(with(bloom(), {{"slow_but_exact", true}}),
                     "slow_but_exact", "true");
  expect_unsupported(with(qwen2(), {{"layer_types", {"full_attention", "x"}}}),
                     "layer_types", "x");
  expect_unsupported(with(gpt_neox(), {{"rope_scaling", {{"factor", 2.0}}}}),
                     "rope_scaling", "factor");
  for (const json& config : {gpt2(), gpt_neox(), llama()}) {
    expect_unsupported(with(config, {{"quantization_config", {{"bits", 4}}}}),
                       "quantization_config", "bits");
    expect_unsupported(with(config, {{"is_causal", false}}), "is_causal",
                       "false");
    EXPECT_TRUE(parse_config(with(config, {{"quantization_config", nullptr},
                                           {"is_causal", true}})
                                 .dump())
                    .ok());
  }
  accepted(with(llama(), {{"rope_scaling", json::object()}}));
  accepted(with(llama(), {{"rope_scaling", {{"rope_type", "default"}}}}));
}

TEST(Config, MessagesStayShort) {
  const std::string longText(100'000, 'x');
  for (const json& config :
       {with(llama(), {{"model_type", longText}}),
        with(llama(), {{"hidden_act", longText}}),
        with(llama(), {{"vocab_size", longText}}),
        with(llama(), {{"rope_scaling", {{longText, longText}}}})}) {
    const auto parsed = parse_config(config.dump());
    ASSERT_FALSE(parsed.ok());
    EXPECT_LT(parsed.status().message().size(), 500u);
  }
}

}  // namespace
}  // namespace attnscope
