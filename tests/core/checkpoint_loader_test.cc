// Loading of checkpoints: every element of every tensor in its place, for each
// family, element type, panel width and cut of the bytes; and a clear refusal
// of every file that does not fit its configuration.
#include "core/checkpoint/checkpoint_loader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/checkpoint/families.h"
#include "core/checkpoint/quote.h"
#include "tests/core/checkpoint_files.h"
#include "tests/core/random_numbers.h"

namespace attnscope {
namespace {

using nlohmann::json;
using Tensors = std::vector<TensorToWrite>;

struct Checkpoint {
  json config;
  Tensors tensors;
  Bytes file() const { return safetensors_of(tensors); }
};

// ---- Small checkpoints of random numbers, names in the files' usual order
// ----

class Builder {
 public:
  explicit Builder(std::string dtype) : dtype_(std::move(dtype)) {}

  void add(const std::string& name, std::vector<Index> shape) {
    std::size_t count = 1;
    for (Index size : shape) count *= static_cast<std::size_t>(size);
    // Two random bytes are a number as good as any other in F16 and BF16; their
    // top exponents are avoided, as NaN equals nothing.
    Bytes bytes;
    if (dtype_ == "F32")
      bytes = float_bytes(random_.numbers(count, 2));
    else
      for (std::size_t i = 0; i < count; ++i) {
        const auto bits =
            static_cast<unsigned>(random_.number(32768) + 32768) & 0xBBFF;
        bytes.push_back(static_cast<std::uint8_t>(bits));
        bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
      }
    tensors.push_back({name, dtype_, std::move(shape), std::move(bytes)});
  }
  void add_with_bias(const std::string& name, std::vector<Index> shape,
                     Index outputs) {
    add(name + ".bias", {outputs});
    add(name + ".weight", std::move(shape));
  }

  Tensors tensors;

 private:
  std::string dtype_;
  RandomNumbers random_{7};
};

Checkpoint small_gpt2(bool tied, const std::string& dtype = "F32") {
  const json config = {{"model_type", "gpt2"}, {"vocab_size", 19},
                       {"n_embd", 6},          {"n_layer", 2},
                       {"n_head", 3},          {"n_inner", 10},
                       {"n_positions", 5},     {"tie_word_embeddings", tied}};
  Builder build(dtype);
  if (!tied) build.add("lm_head.weight", {19, 6});
  for (const std::string layer : {"transformer.h.0.", "transformer.h.1."}) {
    build.add_with_bias(layer + "attn.c_attn", {6, 18}, 18);
    build.add_with_bias(layer + "attn.c_proj", {6, 6}, 6);
    build.add_with_bias(layer + "ln_1", {6}, 6);
    build.add_with_bias(layer + "ln_2", {6}, 6);
    build.add_with_bias(layer + "mlp.c_fc", {6, 10}, 10);
    build.add_with_bias(layer + "mlp.c_proj", {10, 6}, 6);
  }
  build.add_with_bias("transformer.ln_f", {6}, 6);
  build.add("transformer.wpe.weight", {5, 6});
  build.add("transformer.wte.weight", {19, 6});
  return {config, build.tensors};
}

Checkpoint small_gpt_neox(bool tied, bool attention_bias = true,
                          const std::string& dtype = "F32") {
  const json config = {{"model_type", "gpt_neox"},
                       {"vocab_size", 19},
                       {"hidden_size", 24},
                       {"num_hidden_layers", 2},
                       {"num_attention_heads", 3},
                       {"intermediate_size", 10},
                       {"max_position_embeddings", 5},
                       {"attention_bias", attention_bias},
                       {"tie_word_embeddings", tied}};
  Builder build(dtype);
  if (!tied) build.add("embed_out.weight", {19, 24});
  build.add("gpt_neox.embed_in.weight", {19, 24});
  build.add_with_bias("gpt_neox.final_layer_norm", {24}, 24);
  for (const std::string layer : {"gpt_neox.layers.0.", "gpt_neox.layers.1."}) {
    if (attention_bias) {
      build.add(layer + "attention.dense.bias", {24});
      build.add(layer + "attention.query_key_value.bias", {72});
    }
    build.add(layer + "attention.dense.weight", {24, 24});
    build.add(layer + "attention.query_key_value.weight", {72, 24});
    build.add_with_bias(layer + "input_layernorm", {24}, 24);
    build.add_with_bias(layer + "mlp.dense_4h_to_h", {24, 10}, 24);
    build.add_with_bias(layer + "mlp.dense_h_to_4h", {10, 24}, 10);
    build.add_with_bias(layer + "post_attention_layernorm", {24}, 24);
  }
  return {config, build.tensors};
}

Checkpoint small_llama(bool tied, bool bias = false,
                       const std::string& dtype = "F32") {
  const json config = {{"model_type", "llama"},
                       {"vocab_size", 19},
                       {"hidden_size", 6},
                       {"num_hidden_layers", 2},
                       {"num_attention_heads", 4},
                       {"num_key_value_heads", 2},
                       {"head_dim", 4},
                       {"intermediate_size", 10},
                       {"max_position_embeddings", 5},
                       {"attention_bias", bias},
                       {"mlp_bias", bias},
                       {"tie_word_embeddings", tied}};
  Builder build(dtype);
  const auto linear = [&](const std::string& name, Index outputs,
                          Index inputs) {
    if (bias) build.add(name + ".bias", {outputs});
    build.add(name + ".weight", {outputs, inputs});
  };
  if (!tied) build.add("lm_head.weight", {19, 6});
  build.add("model.embed_tokens.weight", {19, 6});
  for (const std::string layer : {"model.layers.0.", "model.layers.1."}) {
    build.add(layer + "input_layernorm.weight", {6});
    linear(layer + "mlp.down_proj", 6, 10);
    linear(layer + "mlp.gate_proj", 10, 6);
    linear(layer + "mlp.up_proj", 10, 6);
    build.add(layer + "post_attention_layernorm.weight", {6});
    linear(layer + "self_attn.k_proj", 8, 6);
    linear(layer + "self_attn.o_proj", 6, 16);
    linear(layer + "self_attn.q_proj", 16, 6);
    linear(layer + "self_attn.v_proj", 8, 6);
  }
  build.add("model.norm.weight", {6});
  return {config, build.tensors};
}

// ---- Comparison of a model with the tensors it came from ----

void expect_buffer(const FloatBuffer& buffer, const std::vector<float>& wanted,
                   const std::string& name) {
  ASSERT_EQ(buffer.size(), wanted.size()) << name;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_EQ(buffer[i], wanted[i]) << name << " at " << i;
}

// wanted(k, c) for every element of matrix[depth, columns].
template <class Wanted>
void expect_matrix(const PackedMatrix& matrix, Index depth, Index columns,
                   const std::string& name, Wanted wanted) {
  ASSERT_EQ(matrix.depth(), depth) << name;
  ASSERT_EQ(matrix.columns(), columns) << name;
  const PackedView view = matrix.view();
  for (Index k = 0; k < depth; ++k)
    for (Index c = 0; c < columns; ++c)
      ASSERT_EQ(view.at(k, c), wanted(k, c))
          << name << " at " << k << ", " << c;
}

// A torch.nn.Linear or embedding [out, in].
void expect_output_first(const PackedMatrix& matrix, const TensorFile& file,
                         const std::string& name) {
  const auto shape = file.shape(name);
  const auto numbers = file.floats(name);
  ASSERT_EQ(shape.size(), 2u) << name;
  expect_matrix(matrix, shape[1], shape[0], name, [&](Index k, Index c) {
    return numbers[static_cast<std::size_t>(c * shape[1] + k)];
  });
}

void expect_linear(const Projection& projection, const TensorFile& file,
                   const std::string& name, bool bias) {
  expect_output_first(projection.matrix, file, name + ".weight");
  expect_buffer(projection.bias,
                bias ? file.floats(name + ".bias") : std::vector<float>(),
                name);
}

// GPT-2's [in, out], columns [begin, begin + width).
void expect_input_first(const Projection& projection, const TensorFile& file,
                        const std::string& name, Index begin, Index width) {
  const auto shape = file.shape(name + ".weight");
  const auto numbers = file.floats(name + ".weight");
  const auto bias = file.floats(name + ".bias");
  ASSERT_EQ(shape.size(), 2u) << name;
  expect_matrix(
      projection.matrix, shape[0], width, name, [&](Index k, Index c) {
        return numbers[static_cast<std::size_t>(k * shape[1] + begin + c)];
      });
  expect_buffer(projection.bias,
                {bias.begin() + begin, bias.begin() + begin + width}, name);
}

// GPT-NeoX's [head, part, head_dim, in], part 0 the queries.
void expect_of_head(const Projection& projection, const TensorFile& file,
                    const std::string& name, Index part, Index head_dim,
                    bool biased) {
  const auto shape = file.shape(name + ".weight");
  const auto numbers = file.floats(name + ".weight");
  const Index dim = shape[1];
  const auto row = [&](Index c) {
    return (c / head_dim * 3 + part) * head_dim + c % head_dim;
  };
  expect_matrix(projection.matrix, dim, dim, name, [&](Index k, Index c) {
    return numbers[static_cast<std::size_t>(row(c) * dim + k)];
  });
  if (!biased) return expect_buffer(projection.bias, {}, name);
  const auto bias = file.floats(name + ".bias");
  std::vector<float> wanted;
  for (Index c = 0; c < dim; ++c)
    wanted.push_back(bias[static_cast<std::size_t>(row(c))]);
  expect_buffer(projection.bias, wanted, name);
}

void expect_norm(const Norm& norm, const TensorFile& file,
                 const std::string& name, bool bias) {
  expect_buffer(norm.gain, file.floats(name + ".weight"), name);
  expect_buffer(norm.bias,
                bias ? file.floats(name + ".bias") : std::vector<float>(),
                name);
}

void expect_gpt2(const Model& model, const TensorFile& file) {
  const ModelParameters& parameters = model.parameters;
  const Index dim = model.config.model_dim;
  expect_output_first(parameters.token_embedding, file,
                      "transformer.wte.weight");
  expect_buffer(parameters.position_embedding,
                file.floats("transformer.wpe.weight"), "wpe");
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const BlockParameters& block = parameters.blocks[i];
    const std::string layer = "transformer.h." + std::to_string(i) + ".";
    expect_norm(block.attention_norm, file, layer + "ln_1", true);
    expect_input_first(block.attention.query_projection, file,
                       layer + "attn.c_attn", 0, dim);
    expect_input_first(block.attention.key_projection, file,
                       layer + "attn.c_attn", dim, dim);
    expect_input_first(block.attention.value_projection, file,
                       layer + "attn.c_attn", 2 * dim, dim);
    expect_input_first(block.attention.output_projection, file,
                       layer + "attn.c_proj", 0, dim);
    expect_norm(block.mlp_norm, file, layer + "ln_2", true);
    EXPECT_TRUE(block.mlp_gate.matrix.empty());
    expect_input_first(block.mlp_up, file, layer + "mlp.c_fc", 0,
                       model.config.mlp_dim);
    expect_input_first(block.mlp_down, file, layer + "mlp.c_proj", 0, dim);
  }
  expect_norm(parameters.final_norm, file, "transformer.ln_f", true);
  if (!model.config.tied_output)
    return expect_linear(parameters.output, file, "lm_head", false);
  EXPECT_TRUE(parameters.output.matrix.empty());
}

void expect_gpt_neox(const Model& model, const TensorFile& file) {
  const ModelParameters& parameters = model.parameters;
  const Index head_dim = model.config.head_dim;
  const bool bias = model.config.attention_bias;
  expect_output_first(parameters.token_embedding, file,
                      "gpt_neox.embed_in.weight");
  EXPECT_TRUE(parameters.position_embedding.empty());
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const BlockParameters& block = parameters.blocks[i];
    const std::string layer = "gpt_neox.layers." + std::to_string(i) + ".";
    const std::string fused = layer + "attention.query_key_value";
    expect_norm(block.attention_norm, file, layer + "input_layernorm", true);
    expect_of_head(block.attention.query_projection, file, fused, 0, head_dim,
                   bias);
    expect_of_head(block.attention.key_projection, file, fused, 1, head_dim,
                   bias);
    expect_of_head(block.attention.value_projection, file, fused, 2, head_dim,
                   bias);
    expect_linear(block.attention.output_projection, file,
                  layer + "attention.dense", bias);
    expect_norm(block.mlp_norm, file, layer + "post_attention_layernorm", true);
    EXPECT_TRUE(block.mlp_gate.matrix.empty());
    expect_linear(block.mlp_up, file, layer + "mlp.dense_h_to_4h", true);
    expect_linear(block.mlp_down, file, layer + "mlp.dense_4h_to_h", true);
  }
  expect_norm(parameters.final_norm, file, "gpt_neox.final_layer_norm", true);
  if (!model.config.tied_output)
    return expect_linear(parameters.output, file, "embed_out", false);
  EXPECT_TRUE(parameters.output.matrix.empty());
}

void expect_llama(const Model& model, const TensorFile& file) {
  const ModelParameters& parameters = model.parameters;
  const bool attention_bias = model.config.attention_bias;
  const bool mlp_bias = model.config.mlp_bias;
  expect_output_first(parameters.token_embedding, file,
                      "model.embed_tokens.weight");
  EXPECT_TRUE(parameters.position_embedding.empty());
  for (std::size_t i = 0; i < parameters.blocks.size(); ++i) {
    const BlockParameters& block = parameters.blocks[i];
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    expect_norm(block.attention_norm, file, layer + "input_layernorm", false);
    expect_linear(block.attention.query_projection, file,
                  layer + "self_attn.q_proj", attention_bias);
    expect_linear(block.attention.key_projection, file,
                  layer + "self_attn.k_proj", attention_bias);
    expect_linear(block.attention.value_projection, file,
                  layer + "self_attn.v_proj", attention_bias);
    expect_linear(block.attention.output_projection, file,
                  layer + "self_attn.o_proj", attention_bias);
    expect_norm(block.mlp_norm, file, layer + "post_attention_layernorm",
                false);
    expect_linear(block.mlp_gate, file, layer + "mlp.gate_proj", mlp_bias);
    expect_linear(block.mlp_up, file, layer + "mlp.up_proj", mlp_bias);
    expect_linear(block.mlp_down, file, layer + "mlp.down_proj", mlp_bias);
  }
  expect_norm(parameters.final_norm, file, "model.norm", false);
  if (!model.config.tied_output)
    return expect_linear(parameters.output, file, "lm_head", false);
  EXPECT_TRUE(parameters.output.matrix.empty());
}

void expect_parameters(const Model& model, const TensorFile& file) {
  if (model.config.model_type == "gpt2") return expect_gpt2(model, file);
  if (model.config.model_type == "gpt_neox")
    return expect_gpt_neox(model, file);
  return expect_llama(model, file);
}

// ---- Loading ----

Kernels with_panel_width(Index panel_width) {
  Kernels kernels = best_kernels();
  kernels.panel_width = panel_width;
  return kernels;
}

std::vector<Checkpoint> all_kinds(const std::string& dtype) {
  return {small_gpt2(true, dtype),
          small_gpt2(false, dtype),
          small_gpt_neox(true, true, dtype),
          small_gpt_neox(false, true, dtype),
          small_gpt_neox(false, false, dtype),
          small_llama(true, false, dtype),
          small_llama(false, false, dtype),
          small_llama(false, true, dtype)};
}

TEST(Checkpoint, EveryElementIsInItsPlaceForEveryPanelWidth) {
  for (const char* dtype : {"F32", "F16", "BF16"})
    for (const Checkpoint& checkpoint : all_kinds(dtype))
      for (Index panel_width : {1, 4, 7, 16, 64}) {
        SCOPED_TRACE(checkpoint.config.dump() + " " + dtype + " panels of " +
                     std::to_string(panel_width));
        const Kernels kernels = with_panel_width(panel_width);
        const Bytes bytes = checkpoint.file();
        const auto model =
            load_checkpoint(checkpoint.config.dump(), bytes, kernels);
        ASSERT_TRUE(model.ok()) << model.status().message();
        EXPECT_EQ(model.value()->kernels, &kernels);
        EXPECT_EQ(model.value()->parameters.token_embedding.view().panel_width,
                  panel_width);
        expect_parameters(*model.value(), TensorFile::parse(bytes, "file"));
        if (HasFatalFailure()) return;
      }
}

TEST(Checkpoint, BytesMayComeInPiecesOfAnySize) {
  for (const char* dtype : {"F32", "BF16"})
    for (const Checkpoint& checkpoint :
         {small_gpt2(false, dtype), small_gpt_neox(false, true, dtype),
          small_llama(true, false, dtype)}) {
      const Bytes bytes = checkpoint.file();
      const TensorFile file = TensorFile::parse(bytes, "file");
      for (std::size_t piece : {1u, 2u, 3u, 5u, 7u, 8u, 9u, 61u, 1000u}) {
        SCOPED_TRACE(checkpoint.config.dump() + " in pieces of " +
                     std::to_string(piece));
        auto loader =
            CheckpointLoader::begin(checkpoint.config.dump(), best_kernels());
        ASSERT_TRUE(loader.ok()) << loader.status().message();
        std::span<const std::uint8_t> rest = bytes;
        while (!rest.empty()) {
          const std::size_t count = std::min(piece, rest.size());
          const Status status = loader.value().append(rest.first(count));
          ASSERT_TRUE(status.ok()) << status.message();
          ASSERT_TRUE(loader.value().append({}).ok());
          rest = rest.subspan(count);
        }
        const auto model = loader.value().finish();
        ASSERT_TRUE(model.ok()) << model.status().message();
        expect_parameters(*model.value(), file);
        if (HasFatalFailure()) return;
      }
    }
}

// ---- Several files ----

Status append_files(CheckpointLoader& loader, const std::vector<Bytes>& files) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i > 0)
      if (Status next = loader.next_file(); !next.ok()) return next;
    if (Status status = loader.append(files[i]); !status.ok()) return status;
  }
  return {};
}

Result<std::unique_ptr<Model>> load_files(const Checkpoint& checkpoint,
                                          const std::vector<Bytes>& files) {
  LoadOptions options;
  options.num_files = static_cast<Index>(files.size());
  auto loader = CheckpointLoader::begin(checkpoint.config.dump(),
                                        best_kernels(), options);
  if (!loader.ok()) return loader.status();
  if (Status status = append_files(loader.value(), files); !status.ok())
    return status;
  return loader.value().finish();
}

// Tensor i goes to file i % count, which leaves files empty where there are
// more of them than tensors.
std::vector<Bytes> deal(const Tensors& tensors, std::size_t count) {
  std::vector<Tensors> dealt(count);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    dealt[i % count].push_back(tensors[i]);
  std::vector<Bytes> files;
  for (const Tensors& file : dealt) files.push_back(safetensors_of(file));
  return files;
}

TEST(Checkpoint, TensorsMayBeInSeveralFiles) {
  for (const char* dtype : {"F32", "BF16"})
    for (const Checkpoint& checkpoint : all_kinds(dtype))
      for (std::size_t count : {2u, 3u, 100u}) {
        SCOPED_TRACE(checkpoint.config.dump() + " in " + std::to_string(count));
        const auto model =
            load_files(checkpoint, deal(checkpoint.tensors, count));
        ASSERT_TRUE(model.ok()) << model.status().message();
        expect_parameters(*model.value(),
                          TensorFile::parse(checkpoint.file(), "file"));
        if (HasFatalFailure()) return;
      }
}

void expect_files_refused(const Checkpoint& checkpoint,
                          const std::vector<Bytes>& files, StatusCode code,
                          const std::string& part_of_message) {
  const auto model = load_files(checkpoint, files);
  ASSERT_FALSE(model.ok()) << part_of_message;
  EXPECT_EQ(model.status().code(), code) << model.status().message();
  EXPECT_NE(model.status().message().find(part_of_message), std::string::npos)
      << model.status().message();
}

TEST(Checkpoint, ATensorMissingFromAllFilesIsNamedByTheLastHeader) {
  const Checkpoint checkpoint = small_gpt2(true);
  for (std::size_t i = 0; i < checkpoint.tensors.size(); ++i) {
    Tensors lacking = checkpoint.tensors;
    lacking.erase(lacking.begin() + static_cast<Index>(i));
    const std::vector<Bytes> files = deal(lacking, 3);
    LoadOptions options;
    options.num_files = 3;
    auto loader = CheckpointLoader::begin(checkpoint.config.dump(),
                                          best_kernels(), options);
    ASSERT_TRUE(loader.ok());
    ASSERT_TRUE(append_files(loader.value(), {files[0], files[1]}).ok());
    ASSERT_TRUE(loader.value().next_file().ok());
    const Status status = loader.value().append(
        std::span<const std::uint8_t>(files[2]).first(header_end(files[2])));
    EXPECT_EQ(status.code(), StatusCode::kMissingTensor) << status.message();
    EXPECT_NE(status.message().find(quote(checkpoint.tensors[i].name)),
              std::string::npos)
        << status.message();
  }
}

TEST(Checkpoint, ATensorInTwoFilesIsNamed) {
  const Checkpoint checkpoint = small_llama(true);
  std::vector<Bytes> files = deal(checkpoint.tensors, 2);
  files.push_back(safetensors_of({checkpoint.tensors[3]}));
  expect_files_refused(
      checkpoint, files, StatusCode::kCorruptHeader,
      "tensor " + quote(checkpoint.tensors[3].name) + " is in two files");
  // Also one that is skipped, and one that lacks the prefix in one of them.
  const TensorToWrite foreign = {"score.weight", "U8", {3}, {1, 2, 3}};
  expect_files_refused(
      checkpoint,
      {safetensors_of({foreign}), safetensors_of({foreign}), checkpoint.file()},
      StatusCode::kCorruptHeader, "tensor 'score.weight' is in two files");
  TensorToWrite bare = checkpoint.tensors.back();
  bare.name = "norm.weight";
  expect_files_refused(
      checkpoint, {safetensors_of({bare}), checkpoint.file()},
      StatusCode::kCorruptHeader,
      "is there twice, as 'norm.weight' and as 'model.norm.weight'");
}

TEST(Checkpoint, EachFileMustBeComplete) {
  const Checkpoint checkpoint = small_gpt2(true);
  std::vector<Bytes> files = deal(checkpoint.tensors, 2);
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<Bytes> cut = files;
    cut[i].pop_back();
    expect_files_refused(checkpoint, cut, StatusCode::kTruncated,
                         "the file ends after ");
    cut[i].resize(9);
    expect_files_refused(checkpoint, cut, StatusCode::kTruncated,
                         "within its header");
    cut[i].clear();
    expect_files_refused(checkpoint, cut, StatusCode::kNotSafetensors,
                         "only 0 bytes");
    cut[i] = files[i];
    cut[i].push_back(0);
    expect_files_refused(checkpoint, cut, StatusCode::kOversized,
                         "goes on after");
  }
}

TEST(Checkpoint, TheNumberOfFilesIsKept) {
  const Checkpoint checkpoint = small_gpt2(true);
  LoadOptions options;
  for (Index num_files : {0, -1}) {
    options.num_files = num_files;
    EXPECT_EQ(CheckpointLoader::begin(checkpoint.config.dump(), best_kernels(),
                                      options)
                  .status()
                  .code(),
              StatusCode::kInvalidArgument);
  }
  options.num_files = 3;
  auto fewer = CheckpointLoader::begin(checkpoint.config.dump(), best_kernels(),
                                       options);
  ASSERT_TRUE(fewer.ok());
  ASSERT_TRUE(append_files(fewer.value(), deal(checkpoint.tensors, 2)).ok());
  const Status ends_early = fewer.value().finish().status();
  EXPECT_EQ(ends_early.code(), StatusCode::kTruncated);
  EXPECT_NE(ends_early.message().find("ends after 2 of 3 files"),
            std::string::npos)
      << ends_early.message();

  auto more = CheckpointLoader::begin(checkpoint.config.dump(), best_kernels());
  ASSERT_TRUE(more.ok());
  ASSERT_TRUE(more.value().append(checkpoint.file()).ok());
  EXPECT_EQ(more.value().next_file().code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(more.value().finish().ok());
}

// ---- Names ----

TEST(Checkpoint, NamesMayLackTheirPrefix) {
  const std::vector<std::pair<Checkpoint, std::string>> cases = {
      {small_gpt2(true), "transformer."},
      {small_gpt_neox(false), "gpt_neox."},
      {small_llama(true), "model."}};
  for (auto [checkpoint, prefix] : cases) {
    const TensorFile file = TensorFile::parse(checkpoint.file(), "file");
    for (TensorToWrite& tensor : checkpoint.tensors)
      if (tensor.name.starts_with(prefix))
        tensor.name = tensor.name.substr(prefix.size());
    const auto model = load_checkpoint(checkpoint.config.dump(),
                                       checkpoint.file(), best_kernels());
    ASSERT_TRUE(model.ok()) << model.status().message();
    expect_parameters(*model.value(), file);
  }
}

// ".gamma" and ".beta" where files have ".weight" and ".bias" since 2020.
TEST(Checkpoint, NormsMayHaveTheirOldNames) {
  for (Checkpoint checkpoint :
       {small_gpt2(true), small_gpt_neox(false), small_llama(true)}) {
    const TensorFile file = TensorFile::parse(checkpoint.file(), "file");
    Index renamed = 0;
    for (TensorToWrite& tensor : checkpoint.tensors) {
      const bool is_norm = tensor.name.find("norm") != std::string::npos ||
                           tensor.name.find("ln_") != std::string::npos;
      if (!is_norm) continue;
      ++renamed;
      const std::size_t dot = tensor.name.rfind('.');
      const bool is_gain = tensor.name.substr(dot) == ".weight";
      const Checkpoint with_both = [&] {
        Checkpoint both = checkpoint;
        both.tensors.push_back(tensor);
        both.tensors.back().name.replace(dot, std::string::npos,
                                         is_gain ? ".gamma" : ".beta");
        return both;
      }();
      tensor.name.replace(dot, std::string::npos, is_gain ? ".gamma" : ".beta");
      const auto refused = load_checkpoint(with_both.config.dump(),
                                           with_both.file(), best_kernels());
      ASSERT_FALSE(refused.ok()) << tensor.name;
      EXPECT_EQ(refused.status().code(), StatusCode::kCorruptHeader);
      EXPECT_NE(refused.status().message().find("as " + quote(tensor.name)),
                std::string::npos)
          << refused.status().message();
    }
    EXPECT_GE(renamed, 5);
    const auto model = load_checkpoint(checkpoint.config.dump(),
                                       checkpoint.file(), best_kernels());
    ASSERT_TRUE(model.ok()) << model.status().message();
    expect_parameters(*model.value(), file);
  }
  // Nothing else has these names.
  Checkpoint checkpoint = small_gpt2(true);
  checkpoint.tensors.push_back(
      {"transformer.h.0.mlp.c_fc.beta", "F32", {1}, {0, 0, 0, 0}});
  const auto refused = load_checkpoint(checkpoint.config.dump(),
                                       checkpoint.file(), best_kernels());
  EXPECT_EQ(refused.status().code(), StatusCode::kUnsupportedSetting);
}

TEST(Checkpoint, BuffersAndForeignPartsAreSkipped) {
  struct Case {
    Checkpoint checkpoint;
    std::vector<std::string> extras;
  };
  const std::vector<Case> cases = {
      {small_gpt2(true),
       {"transformer.h.0.attn.bias", "h.1.attn.masked_bias", "score.weight",
        "multiple_choice_head.summary.weight"}},
      {small_gpt_neox(true),
       {"gpt_neox.layers.0.attention.bias",
        "gpt_neox.layers.1.attention.masked_bias",
        "gpt_neox.layers.0.attention.rotary_emb.inv_freq"}},
      {small_llama(true),
       {"model.layers.1.self_attn.rotary_emb.inv_freq",
        "model.rotary_emb.inv_freq", "v_head.weight"}}};
  for (const Case& one : cases) {
    Tensors tensors;
    const TensorFile file = TensorFile::parse(one.checkpoint.file(), "file");
    // Between the others, of odd sizes and of types that are not implemented.
    for (std::size_t i = 0; i < one.checkpoint.tensors.size(); ++i) {
      if (i < one.extras.size()) {
        tensors.push_back({one.extras[i], "U8", {3}, {1, 2, 3}});
        tensors.push_back({"empty" + std::to_string(i), "F64", {0, 7}, {}});
      }
      tensors.push_back(one.checkpoint.tensors[i]);
    }
    tensors.push_back({"trailing", "BOOL", {0}, {}});
    const auto model = load_checkpoint(one.checkpoint.config.dump(),
                                       safetensors_of(tensors), best_kernels());
    ASSERT_TRUE(model.ok()) << model.status().message();
    expect_parameters(*model.value(), file);
  }
}

// A tied output may be in the file if it is the embedding once more, before it
// or after it.
TEST(Checkpoint, ARepeatedEmbeddingMustBeTheSame) {
  for (const bool before : {false, true}) {
    Checkpoint checkpoint = small_gpt2(true);
    TensorToWrite copy = checkpoint.tensors.back();
    ASSERT_EQ(copy.name, "transformer.wte.weight");
    copy.name = "lm_head.weight";
    const auto with_copy = [&] {
      Tensors tensors = checkpoint.tensors;
      tensors.insert(before ? tensors.begin() : tensors.end(), copy);
      return safetensors_of(tensors);
    };
    const auto model =
        load_checkpoint(checkpoint.config.dump(), with_copy(), best_kernels());
    ASSERT_TRUE(model.ok()) << model.status().message();
    EXPECT_TRUE(model.value()->config.tied_output);

    copy.bytes.back() ^= 1;
    const auto other =
        load_checkpoint(checkpoint.config.dump(), with_copy(), best_kernels());
    EXPECT_EQ(other.status().code(), StatusCode::kUnsupportedSetting);
    EXPECT_NE(other.status().message().find("'lm_head.weight' differs from "
                                            "'transformer.wte.weight'"),
              std::string::npos)
        << other.status().message();
  }
}

// ---- Refusals ----

void expect_refused(const Checkpoint& checkpoint, const Bytes& bytes,
                    StatusCode code, const std::string& part_of_message) {
  const auto model =
      load_checkpoint(checkpoint.config.dump(), bytes, best_kernels());
  ASSERT_FALSE(model.ok()) << part_of_message;
  EXPECT_EQ(model.status().code(), code) << model.status().message();
  EXPECT_NE(model.status().message().find(part_of_message), std::string::npos)
      << model.status().message();
}

TEST(Checkpoint, EveryMissingTensorIsNamed) {
  for (const Checkpoint& checkpoint : all_kinds("F32"))
    for (std::size_t i = 0; i < checkpoint.tensors.size(); ++i) {
      Checkpoint lacking = checkpoint;
      lacking.tensors.erase(lacking.tensors.begin() + static_cast<Index>(i));
      expect_refused(lacking, lacking.file(), StatusCode::kMissingTensor,
                     quote(checkpoint.tensors[i].name));
    }
  Checkpoint empty = small_gpt2(true);
  empty.tensors.clear();
  expect_refused(empty, empty.file(), StatusCode::kMissingTensor,
                 "'transformer.wte.weight' [19, 6]");
}

TEST(Checkpoint, EveryWrongShapeIsNamed) {
  for (const Checkpoint& checkpoint : all_kinds("F32"))
    for (std::size_t i = 0; i < checkpoint.tensors.size(); ++i) {
      Checkpoint wrong = checkpoint;
      TensorToWrite& tensor = wrong.tensors[i];
      tensor.shape.insert(tensor.shape.begin(), 1);  // as many elements
      expect_refused(wrong, wrong.file(), StatusCode::kWrongShape,
                     quote(tensor.name) + " has the shape [1, ");
    }
  // Square matrices apart, [in, out] and [out, in] are told from each other.
  Checkpoint turned = small_gpt2(true);
  for (TensorToWrite& tensor : turned.tensors)
    if (tensor.name == "transformer.h.0.mlp.c_fc.weight")
      tensor.shape = {10, 6};
  expect_refused(turned, turned.file(), StatusCode::kWrongShape,
                 "has the shape [10, 6], but config.json implies [6, 10]");
}

TEST(Checkpoint, ElementTypesOtherThanFloatsAreRefused) {
  Checkpoint checkpoint = small_llama(true);
  TensorToWrite& tensor = checkpoint.tensors.back();
  for (const std::string dtype : {"F64", "I32", "U8", "F8_E4M3"}) {
    tensor.dtype = dtype;
    tensor.bytes.resize(dtype == "F64" ? 48 : dtype == "I32" ? 24 : 6);
    expect_refused(checkpoint, checkpoint.file(), StatusCode::kUnsupportedDtype,
                   "'model.norm.weight' is stored as " + dtype);
  }
}

TEST(Checkpoint, TensorsWithoutAPlaceInTheDecoderAreRefused) {
  const std::vector<std::pair<Checkpoint, std::string>> cases = {
      {small_llama(true), "model.layers.0.self_attn.q_proj.bias"},
      {small_llama(true), "layers.1.self_attn.q_norm.weight"},
      {small_llama(true), "model.layers.2.input_layernorm.weight"},
      {small_llama(true), "model.norm.bias"},
      {small_llama(true), "lm_head.bias"},
      {small_llama(false), "lm_head.bias"},
      {small_llama(true), "model.something_new.weight"},
      {small_gpt2(true), "transformer.h.0.crossattention.c_attn.weight"},
      {small_gpt2(true), "wte.bias"},
      {small_gpt_neox(false, false), "gpt_neox.layers.0.attention.dense.bias"}};
  for (auto [checkpoint, name] : cases) {
    checkpoint.tensors.push_back({name, "F32", {1}, {0, 0, 0, 0}});
    expect_refused(checkpoint, checkpoint.file(),
                   StatusCode::kUnsupportedSetting, quote(name));
  }
}

TEST(Checkpoint, TheSameTensorUnderTwoNamesIsRefused) {
  Checkpoint checkpoint = small_llama(true);
  checkpoint.tensors.push_back(checkpoint.tensors.back());
  checkpoint.tensors.back().name = "norm.weight";
  expect_refused(checkpoint, checkpoint.file(), StatusCode::kCorruptHeader,
                 "'model.norm.weight' is there twice");
}

TEST(Checkpoint, BytesAfterTheEndAreRefused) {
  const Checkpoint checkpoint = small_gpt2(true);
  Bytes bytes = checkpoint.file();
  bytes.push_back(0);
  expect_refused(checkpoint, bytes, StatusCode::kOversized, "goes on after");
}

TEST(Checkpoint, WebPageInTheFilesPlaceIsRefused) {
  const std::string page = "<!DOCTYPE html><html></html>";
  expect_refused(small_gpt2(true), {page.begin(), page.end()},
                 StatusCode::kNotSafetensors, "<!DOCTYP");
}

TEST(Checkpoint, AfterAnErrorTheLoaderAcceptsNoMore) {
  const Checkpoint checkpoint = small_gpt2(true);
  const Bytes bytes = checkpoint.file();
  auto loader =
      CheckpointLoader::begin(checkpoint.config.dump(), best_kernels());
  ASSERT_TRUE(loader.ok());
  EXPECT_EQ(loader.value().append(Bytes(8, 0xFF)).code(),
            StatusCode::kNotSafetensors);
  EXPECT_EQ(loader.value().append(bytes).code(), StatusCode::kNotSafetensors);
  EXPECT_EQ(loader.value().finish().status().code(),
            StatusCode::kNotSafetensors);
}

TEST(Checkpoint, ModelIsHandedOutOnce) {
  const Checkpoint checkpoint = small_gpt2(true);
  auto loader =
      CheckpointLoader::begin(checkpoint.config.dump(), best_kernels());
  ASSERT_TRUE(loader.ok());
  ASSERT_TRUE(loader.value().append(checkpoint.file()).ok());
  EXPECT_TRUE(loader.value().finish().ok());
  EXPECT_EQ(loader.value().finish().status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(loader.value().append({}).code(), StatusCode::kInvalidArgument);
}

TEST(Checkpoint, FaultsOfTheConfigurationComeFirst) {
  const auto loader = CheckpointLoader::begin("{}", best_kernels());
  ASSERT_FALSE(loader.ok());
  EXPECT_EQ(loader.status().code(), StatusCode::kInvalidConfig);
}

// ---- Memory ----

// As float32 in packed panels.
std::uint64_t model_bytes(const Model& model) {
  std::uint64_t floats = 0;
  const auto add_matrix = [&](const PackedMatrix& matrix) {
    const PackedView view = matrix.view();
    if (view.columns > 0)
      floats += static_cast<std::uint64_t>(
          num_panels(view.columns, view.panel_width) * view.panel_stride);
  };
  const auto add_projection = [&](const Projection& projection) {
    add_matrix(projection.matrix);
    floats += projection.bias.size();
  };
  const auto add_norm = [&](const Norm& norm) {
    floats += norm.gain.size() + norm.bias.size();
  };
  const ModelParameters& parameters = model.parameters;
  add_matrix(parameters.token_embedding);
  floats += parameters.position_embedding.size();
  for (const BlockParameters& block : parameters.blocks) {
    add_norm(block.attention_norm);
    for (const Projection* projection :
         {&block.attention.query_projection, &block.attention.key_projection,
          &block.attention.value_projection, &block.attention.output_projection,
          &block.mlp_gate, &block.mlp_up, &block.mlp_down})
      add_projection(*projection);
    add_norm(block.mlp_norm);
  }
  add_norm(parameters.final_norm);
  add_projection(parameters.output);
  return 4 * floats;
}

TEST(Checkpoint, TheLimitIsExactlyWhatTheModelTakes) {
  for (const Checkpoint& checkpoint : all_kinds("BF16")) {
    const auto model = load_checkpoint(checkpoint.config.dump(),
                                       checkpoint.file(), best_kernels());
    ASSERT_TRUE(model.ok()) << model.status().message();
    const std::uint64_t needed = model_bytes(*model.value());
    LoadOptions options;
    options.memory_limit = needed;
    EXPECT_TRUE(CheckpointLoader::begin(checkpoint.config.dump(),
                                        best_kernels(), options)
                    .ok());
    options.memory_limit = needed - 1;
    const auto refused = CheckpointLoader::begin(checkpoint.config.dump(),
                                                 best_kernels(), options);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.status().code(), StatusCode::kOutOfMemory);
    EXPECT_EQ(refused.status().message(),
              "the model needs " + bytes_text(needed) + ", the limit here is " +
                  bytes_text(needed - 1));
  }
}

TEST(Checkpoint, AModelAboveTheLimitIsRefusedBeforeItsFirstByte) {
  // Llama 3.2 3B: 3,212,749,824 parameters with the tied output counted once.
  const json config = {{"model_type", "llama"},
                       {"vocab_size", 128256},
                       {"hidden_size", 3072},
                       {"num_hidden_layers", 28},
                       {"num_attention_heads", 24},
                       {"num_key_value_heads", 8},
                       {"head_dim", 128},
                       {"intermediate_size", 8192},
                       {"max_position_embeddings", 131072},
                       {"tie_word_embeddings", true}};
  LoadOptions options;
  options.memory_limit = std::uint64_t{4} << 30;
  const auto refused =
      CheckpointLoader::begin(config.dump(), best_kernels(), options);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::kOutOfMemory);
  EXPECT_EQ(refused.status().message(),
            "the model needs 12 GB, the limit here is 4 GB");
}

// The largest that a configuration can describe, of every family: no product or
// sum of its sizes wraps around to something small.
TEST(Checkpoint, TheLargestModelsAreRefusedForTheirSize) {
  std::istringstream names(family_names());
  Index num_families = 0;
  for (std::string model_type; std::getline(names, model_type, ',');) {
    if (model_type.starts_with(' ')) model_type.erase(0, 1);
    SCOPED_TRACE(model_type);
    ++num_families;
    json config = {
        {"model_type", model_type},
        {"vocab_size", 1 << 22},
        {"head_dim", 1 << 12},
        {"d_kv", 1 << 12},
        {"attention_types", json::array({{json::array({"global"}), 1024}})}};
    for (const char* name :
         {"hidden_size", "n_embd", "d_model", "dim", "intermediate_size",
          "n_inner", "ffn_dim", "d_ff", "hidden_dim", "encoder_ffn_dim",
          "decoder_ffn_dim", "word_embed_proj_dim", "type_vocab_size"})
      config[name] = 1 << 20;
    for (const char* name : {"max_position_embeddings", "n_positions",
                             "seq_length", "sliding_window"})
      config[name] = 1 << 24;
    for (const char* name :
         {"num_hidden_layers", "num_layers", "n_layer", "n_layers",
          "encoder_layers", "decoder_layers", "num_attention_heads",
          "num_heads", "n_head", "n_heads", "num_key_value_heads",
          "encoder_attention_heads", "decoder_attention_heads"})
      config[name] = 1024;
    const auto refused =
        CheckpointLoader::begin(config.dump(), best_kernels(), {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.status().code(), StatusCode::kOutOfMemory)
        << refused.status().message();
    EXPECT_NE(refused.status().message().find(" PB, the limit here is "),
              std::string::npos)
        << refused.status().message();
  }
  EXPECT_GE(num_families, 18);
}

// A header may promise a lot; memory is used as bytes follow.
TEST(Checkpoint, LyingHeaderLengthCostsNothing) {
  Bytes bytes = {0x00, 0xE1, 0xF5, 0x05, 0, 0, 0, 0, '{'};
  expect_refused(small_gpt2(true), bytes, StatusCode::kTruncated,
                 "within its header");
}

// ---- Real files ----

void expect_folder(const std::string& folder) {
  SCOPED_TRACE(folder);
  const auto model = load_folder(folder, best_kernels());
  ASSERT_NE(model, nullptr);
  expect_parameters(*model, TensorFile::read(folder + "/model.safetensors"));
}

TEST(Checkpoint, GoldenFoldersLoad) {
  for (const std::string name :
       {"gpt2", "gpt_neox_parallel", "gpt_neox_sequential", "llama_gqa",
        "llama_tied_bf16"})
    expect_folder(golden_folder() + "/" + name);
}

TEST(Checkpoint, SharedFoldersLoad) {
  const std::string shared = shared_folder();
  if (shared.empty())
    GTEST_SKIP() << "no shared reference data beside the checkout";
  for (const std::string name : {"golden/gpt2", "golden/gpt_neox",
                                 "golden/llama_gqa", "real/stories260k"})
    expect_folder(shared + "/" + name);
}

}  // namespace
}  // namespace attnscope
