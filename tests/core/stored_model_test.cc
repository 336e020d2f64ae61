// Whole models loaded in each storage kind. What such a model computes is
// specified by a second checkpoint, made here: the same file with every matrix
// rounded as the kind rounds it, loaded as float32. Both must give the same
// bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/storage.h"
#include "core/generate/session.h"
#include "tests/core/checkpoint_files.h"
#include "tests/core/random_model.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

constexpr Storage kKinds[] = {Storage::kBFloat16, Storage::kFloat16,
                              Storage::kInt8};

// A checkpoint in memory, its tensors as float32.
struct Checkpoint {
  std::string name;
  std::string config;
  std::vector<TensorToWrite> tensors;

  Bytes file() const { return safetensors_of(tensors); }
};

std::vector<float> floats_of(const TensorToWrite& tensor) {
  std::vector<float> values(tensor.bytes.size() / sizeof(float));
  std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

Checkpoint read_checkpoint(const std::string& name) {
  const std::string folder = golden_folder() + "/" + name;
  const Bytes bytes = read_file(folder + "/model.safetensors");
  const TensorFile file = TensorFile::parse(bytes, name);
  const auto header = parse_safetensors_header(
      std::span(bytes).subspan(8, header_end(bytes) - 8));
  Checkpoint checkpoint{name, read_text(folder + "/config.json"), {}};
  for (const TensorEntry& entry : header.value().tensors) {
    if (entry.dtype == Dtype::kOther) continue;
    // Several files hold bfloat16 numbers; a hundredth more takes more bits.
    std::vector<float> values = file.floats(entry.name);
    for (float& value : values) value *= 1.01f;
    checkpoint.tensors.push_back(
        {entry.name, "F32", file.shape(entry.name), float_bytes(values)});
  }
  return checkpoint;
}

bool ends_in(std::string_view name, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(),
                     [&](const char* end) { return name.ends_with(end); });
}

// Tables of positions have two axes and are no matrices.
bool is_matrix(const TensorToWrite& tensor) {
  return tensor.shape.size() == 2 &&
         !ends_in(tensor.name, {"wpe.weight", "embed_positions.weight"});
}

// GPT-2's projections are [in, out], all others [out, in].
bool is_input_first(const Checkpoint& checkpoint, const TensorToWrite& tensor) {
  return checkpoint.name == "gpt2" && !tensor.name.ends_with("wte.weight");
}

// What the kind keeps of the numbers of one output.
void round_output(Storage storage, std::vector<float*>& output) {
  float largest = 0;
  for (const float* value : output) {
    largest = std::max(largest, std::fabs(*value));
  }
  for (float* value : output) {
    switch (storage) {
      case Storage::kFloat32:
        break;
      case Storage::kBFloat16:
        *value = from_bfloat16(to_bfloat16(*value));
        break;
      case Storage::kFloat16:
        *value = from_float16(to_float16(*value));
        break;
      case Storage::kInt8:
        const float scale = largest / 127;
        *value = scale == 0 ? 0 : std::nearbyint(*value / scale) * scale;
        break;
    }
  }
}

Checkpoint rounded(Checkpoint checkpoint, Storage storage) {
  for (TensorToWrite& tensor : checkpoint.tensors) {
    if (!is_matrix(tensor)) continue;
    std::vector<float> values = floats_of(tensor);
    const bool input_first = is_input_first(checkpoint, tensor);
    const auto outputs = static_cast<std::size_t>(tensor.shape[input_first]);
    const std::size_t inputs = values.size() / outputs;
    for (std::size_t o = 0; o < outputs; ++o) {
      std::vector<float*> output;
      for (std::size_t i = 0; i < inputs; ++i) {
        output.push_back(
            &values[input_first ? i * outputs + o : o * inputs + i]);
      }
      round_output(storage, output);
    }
    tensor.bytes = float_bytes(values);
  }
  return checkpoint;
}

std::vector<float> logits_of(std::shared_ptr<const Model> model) {
  const auto tokens = random_tokens(model->config, 7, 3);
  auto session = Session::make(std::move(model), 7);
  RunOptions options;
  options.all_logits = true;
  EXPECT_TRUE(session.value().prefill(tokens, options).ok());
  const auto logits = session.value().logits();
  return {logits.begin(), logits.end()};
}

std::unique_ptr<Model> load(const Checkpoint& checkpoint,
                            const Kernels& kernels, Storage storage) {
  auto model = load_checkpoint(checkpoint.config, checkpoint.file(), kernels,
                               {.storage = storage});
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(model.value()) : nullptr;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

class StoredModel : public ::testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    Families, StoredModel,
    ::testing::Values("gpt2", "gpt_neo", "gpt_neox_parallel", "opt", "bloom",
                      "llama_gqa", "mistral", "qwen2", "qwen3", "gemma3_text"),
    [](const auto& info) { return std::string(info.param); });

TEST_P(StoredModel, ComputesWithTheRoundedMatrices) {
  const Checkpoint checkpoint = read_checkpoint(GetParam());
  for (const Kernels* kernels : kernels_under_test()) {
    const auto plain = logits_of(load(checkpoint, *kernels, Storage::kFloat32));
    for (const Storage storage : kKinds) {
      const auto expected = logits_of(
          load(rounded(checkpoint, storage), *kernels, Storage::kFloat32));
      const auto logits = logits_of(load(checkpoint, *kernels, storage));
      EXPECT_TRUE(same_bits(logits, expected))
          << kernels->name << " " << storage_name(storage);
      EXPECT_FALSE(same_bits(logits, plain)) << "nothing was rounded";
    }
  }
}

TEST(StoredModelOf, BFloat16CheckpointsAreExactAsBFloat16) {
  const std::string folder = golden_folder() + "/llama_tied_bf16";
  const std::string config = read_text(folder + "/config.json");
  const Bytes file = read_file(folder + "/model.safetensors");
  for (const Kernels* kernels : kernels_under_test()) {
    auto wide = load_checkpoint(config, file, *kernels);
    auto half = load_checkpoint(config, file, *kernels,
                                {.storage = Storage::kBFloat16});
    ASSERT_TRUE(wide.ok() && half.ok());
    EXPECT_TRUE(same_bits(logits_of(std::move(half.value())),
                          logits_of(std::move(wide.value()))))
        << kernels->name;
  }
}

TEST(StoredModelOf, Float16CheckpointsAreExactAsFloat16) {
  const Checkpoint half = rounded(read_checkpoint("gpt2"), Storage::kFloat16);
  EXPECT_TRUE(
      same_bits(logits_of(load(half, best_kernels(), Storage::kFloat16)),
                logits_of(load(half, best_kernels(), Storage::kFloat32))));
}

TEST(StoredModelOf, PiecesOfAnySizeGiveTheSame) {
  for (const char* name : {"gpt2", "gpt_neox_parallel"}) {
    const Checkpoint checkpoint = read_checkpoint(name);
    const Bytes file = checkpoint.file();
    for (const Storage storage : kKinds) {
      const auto expected =
          logits_of(load(checkpoint, best_kernels(), storage));
      for (const std::size_t piece : {1u, 7u, 1000u}) {
        auto loader = CheckpointLoader::begin(checkpoint.config, best_kernels(),
                                              {.storage = storage});
        for (std::size_t at = 0; at < file.size(); at += piece) {
          const auto bytes =
              std::span(file).subspan(at, std::min(piece, file.size() - at));
          ASSERT_TRUE(loader.value().append(bytes).ok());
        }
        auto model = loader.value().finish();
        ASSERT_TRUE(model.ok()) << model.status().message();
        EXPECT_TRUE(same_bits(logits_of(std::move(model.value())), expected))
            << name << " " << storage_name(storage) << " by " << piece;
      }
    }
  }
}

TEST(StoredModelOf, TakesLessMemoryAndSaysHowMuch) {
  const Checkpoint checkpoint = read_checkpoint("llama_gqa");
  const auto bytes = [&](Storage storage) {
    const auto model = load(checkpoint, best_kernels(), storage);
    EXPECT_EQ(model->storage, storage);
    return static_cast<double>(model->stored_bytes);
  };
  const double plain = bytes(Storage::kFloat32);
  std::size_t elements = 0;
  for (const TensorToWrite& tensor : checkpoint.tensors) {
    elements += tensor.bytes.size() / sizeof(float);
  }
  EXPECT_GE(plain, static_cast<double>(elements * sizeof(float)));
  EXPECT_NEAR(bytes(Storage::kBFloat16) / plain, 0.5, 0.01);
  EXPECT_NEAR(bytes(Storage::kFloat16) / plain, 0.5, 0.01);
  EXPECT_NEAR(bytes(Storage::kInt8) / plain, 0.265, 0.015);

  // A limit between two kinds lets the smaller in.
  const LoadOptions options{
      .memory_limit = static_cast<std::uint64_t>(0.6 * plain),
      .storage = Storage::kFloat32};
  const auto refused = load_checkpoint(checkpoint.config, checkpoint.file(),
                                       best_kernels(), options);
  EXPECT_EQ(refused.status().code(), StatusCode::kOutOfMemory);
  LoadOptions half = options;
  half.storage = Storage::kFloat16;
  EXPECT_TRUE(load_checkpoint(checkpoint.config, checkpoint.file(),
                              best_kernels(), half)
                  .ok());
}

// ---- numbers that a kind cannot hold ----------------------------------------

Status status_with(float number, const char* tensor_name, Storage storage) {
  Checkpoint checkpoint = read_checkpoint("gpt2");
  for (TensorToWrite& tensor : checkpoint.tensors) {
    if (!tensor.name.ends_with(tensor_name)) continue;
    std::vector<float> values = floats_of(tensor);
    values[values.size() / 2] = number;
    tensor.bytes = float_bytes(values);
  }
  return load_checkpoint(checkpoint.config, checkpoint.file(), best_kernels(),
                         {.storage = storage})
      .status();
}

TEST(StoredModelOf, NumbersThatTheKindCannotHoldAreRefusedByTensor) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kHuge = std::numeric_limits<float>::max();
  const char* matrix = "h.0.attn.c_attn.weight";
  const char* embedding = "wte.weight";
  struct Case {
    float number;
    const char* tensor;
    Storage storage;
    const char* reason;  // null: it can be held
  };
  for (const Case& c : std::vector<Case>{
           {-65520, matrix, Storage::kFloat16, "too large"},
           {65519, matrix, Storage::kFloat16, nullptr},
           {65520, matrix, Storage::kBFloat16, nullptr},
           {-kHuge, embedding, Storage::kBFloat16, "too large"},
           {kHuge, embedding, Storage::kInt8, nullptr},
           {kInfinity, matrix, Storage::kInt8, "not finite"},
           {kNan, embedding, Storage::kInt8, "not finite"},
           // What the file says is kept.
           {kInfinity, matrix, Storage::kFloat16, nullptr},
           {kNan, matrix, Storage::kBFloat16, nullptr},
           {kHuge, matrix, Storage::kFloat32, nullptr},
           // Norms and biases are float32 in every kind.
           {kHuge, "h.0.ln_1.weight", Storage::kFloat16, nullptr},
           {kNan, "h.0.attn.c_attn.bias", Storage::kInt8, nullptr},
           {kHuge, "wpe.weight", Storage::kFloat16, nullptr}}) {
    const Status status = status_with(c.number, c.tensor, c.storage);
    if (c.reason == nullptr) {
      EXPECT_TRUE(status.ok()) << status.message();
      continue;
    }
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    for (const char* part : {c.tensor, c.reason, storage_name(c.storage)}) {
      EXPECT_NE(status.message().find(part), std::string::npos)
          << status.message();
    }
  }
}

}  // namespace
}  // namespace attnscope
