// Whole runs of encoder-decoders and encoders: the caches against
// recomputation, padding, interventions on every attention, the logit lens, and
// what is refused. On random models of every kind and every kernel table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "core/generate/session.h"
#include "tests/core/random_model.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

using Tokens = std::vector<std::int32_t>;
using Numbers = std::vector<float>;

constexpr AttentionPart kParts[] = {
    AttentionPart::kSelf, AttentionPart::kEncoder, AttentionPart::kCross};

Numbers data(const Result<Tensor>& tensor) {
  EXPECT_TRUE(tensor.ok()) << tensor.status().message();
  const FloatBuffer& buffer = tensor.value().data;
  return {buffer.data(), buffer.data() + buffer.size()};
}

Numbers logits(const Session& session) {
  return {session.logits().begin(), session.logits().end()};
}

float largest_difference(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.size(), b.size());
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const float difference = std::fabs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;  // NaN is largest
  }
  return largest;
}

TensorId head_output_of(AttentionPart part, Index layer) {
  if (part == AttentionPart::kCross)
    return {Hook::kCrossHeadOutput, layer, Stack::kText};
  return {Hook::kHeadOutput, layer,
          part == AttentionPart::kEncoder ? Stack::kEncoder : Stack::kText};
}

class EncoderDecoderTest
    : public ::testing::TestWithParam<std::tuple<const Kernels*, std::string>> {
 protected:
  EncoderDecoderTest()
      : config_(random_model_config(std::get<1>(GetParam()))),
        model_(make_random_model(config_, *std::get<0>(GetParam()), 7)) {}

  Session run(const Tokens& source, const Tokens& text,
              const RunOptions& options) const {
    auto session = Session::make(model_, TextLengths{40, 30});
    EXPECT_TRUE(session.ok()) << session.status().message();
    const Status status = session.value().prefill({text, source, {}}, options);
    EXPECT_TRUE(status.ok()) << status.message();
    return std::move(session.value());
  }

  RunOptions recording_all(Execution execution = Execution::kTraced) const {
    RunOptions options;
    options.execution = execution;
    options.all_logits = true;
    for (const TensorId id : all_tensors(config_)) {
      if (execution != Execution::kStreaming || !is_cells(id.hook))
        options.record.push_back(id);
    }
    return options;
  }

  ModelConfig config_;
  std::shared_ptr<const Model> model_;
};

INSTANTIATE_TEST_SUITE_P(
    Models, EncoderDecoderTest,
    ::testing::Combine(::testing::ValuesIn(kernels_under_test()),
                       ::testing::ValuesIn(random_encoder_decoder_kinds())),
    [](const auto& info) {
      return std::get<0>(info.param)->name + ("_" + std::get<1>(info.param));
    });

TEST_P(EncoderDecoderTest, ExecutionsAgree) {
  const Tokens source = random_tokens(config_, 23, 1);
  const Tokens text = random_tokens(config_, 17, 2);
  const Session traced = run(source, text, recording_all());
  const Session reference =
      run(source, text, recording_all(Execution::kReference));
  const Session streaming =
      run(source, text, recording_all(Execution::kStreaming));
  EXPECT_LT(largest_difference(logits(traced), logits(reference)), 2e-4f);
  EXPECT_LT(largest_difference(logits(streaming), logits(reference)), 2e-4f);
  for (const AttentionPart part : kParts) {
    const TensorId id = weights_of(part, 1);
    EXPECT_LT(largest_difference(data(traced.trace().tensor(id)),
                                 data(reference.trace().tensor(id))),
              2e-5f);
  }
}

// Trap 14, for both caches: the order of every sum is fixed, so it is the same
// to the bit.
TEST_P(EncoderDecoderTest, CachedDecodingEqualsRecomputationToTheBit) {
  const Tokens source = random_tokens(config_, 11, 3);
  for (const Execution execution :
       {Execution::kTraced, Execution::kStreaming}) {
    RunOptions options = recording_all(execution);
    options.all_logits = false;
    Tokens text = {2};
    Session cached = run(source, text, options);
    for (int step = 0; step < 20; ++step) {
      const auto row = cached.last_logits();
      text.push_back(static_cast<std::int32_t>(
          std::max_element(row.begin(), row.end()) - row.begin()));
      ASSERT_TRUE(cached.decode_step(text.back()).ok());
      const Session whole = run(source, text, options);
      ASSERT_EQ(logits(cached), logits(whole)) << step;
      for (const TensorId id : options.record) {
        if (id.hook == Hook::kScores && id.stack == Stack::kText)
          continue;  // future cells: NaN when cached
        ASSERT_EQ(data(cached.trace().tensor(id)),
                  data(whole.trace().tensor(id)))
            << tensor_name(id, config_);
      }
    }
  }
}

TEST_P(EncoderDecoderTest, ShapesOfWhatIsRecorded) {
  Session session =
      run(random_tokens(config_, 9, 4), {2, 5, 6}, recording_all());
  ASSERT_TRUE(session.decode_step(7).ok());
  const auto shape = [&](TensorId id) {
    return session.trace().tensor(id).value().shape;
  };
  using Shape = std::vector<Index>;
  const Index heads = config_.num_query_heads;
  EXPECT_EQ(shape(weights_of(AttentionPart::kSelf, 0)), (Shape{heads, 4, 4}));
  EXPECT_EQ(shape(weights_of(AttentionPart::kCross, 2)), (Shape{heads, 4, 9}));
  EXPECT_EQ(shape(weights_of(AttentionPart::kEncoder, 1)), (Shape{5, 9, 9}));
  EXPECT_EQ(shape({Hook::kCrossKey, 0}), (Shape{9, heads, config_.head_dim}));
  EXPECT_EQ(shape({Hook::kValue, 0, Stack::kEncoder}), (Shape{9, 5, 8}));
  EXPECT_EQ(shape({Hook::kResidMidCross, 0}), (Shape{4, config_.model_dim}));
  for (const AttentionPart part : kParts) {
    const auto mask = session.mask(part, 0, 0);
    const auto cells = session.trace().head_cells(weights_of(part, 0), 0);
    ASSERT_TRUE(mask.ok());
    EXPECT_EQ(mask.value().size(), cells.value().data.size());
    for (std::size_t i = 0; i < mask.value().size(); ++i)
      EXPECT_EQ(mask.value()[i] != 0, cells.value().data[i] != 0);
  }
}

// Trap 21: a padded source runs as the source alone, wherever the padding is.
TEST_P(EncoderDecoderTest, PaddedSourceRunsAsTheSourceAlone) {
  const Tokens source = random_tokens(config_, 5, 5);
  const Tokens text = random_tokens(config_, 6, 6);
  const Session alone = run(source, text, recording_all());
  for (const bool in_front : {true, false}) {
    Tokens padded = source;
    padded.insert(in_front ? padded.begin() : padded.end(), 3, 1);
    std::vector<std::uint8_t> hidden(8, 0);
    std::fill_n(in_front ? hidden.begin() : hidden.begin() + 5, 3, 1);
    RunOptions options = recording_all();
    options.source_mask = Mask::padding(hidden);
    const Session beside = run(padded, text, options);
    EXPECT_LT(largest_difference(logits(alone), logits(beside)), 1e-5f);
    const auto cross =
        beside.trace().head_cells(weights_of(AttentionPart::kCross, 1), 2);
    const auto cross_alone =
        alone.trace().head_cells(weights_of(AttentionPart::kCross, 1), 2);
    for (std::size_t query = 0; query < 6; ++query) {
      for (std::size_t key = 0; key < 8; ++key) {
        const float weight = cross.value().data[query * 8 + key];
        const std::size_t own = key - (in_front ? 3 : 0);
        if (hidden[key] != 0) {
          EXPECT_EQ(weight, 0);
        } else {
          EXPECT_NEAR(weight, cross_alone.value().data[query * 5 + own], 1e-6);
        }
      }
    }
  }
}

// Each intervention on each attention: there it does what it says, in other
// heads of the layer nothing, and the result follows.
TEST_P(EncoderDecoderTest, AblationOnEveryAttention) {
  const Tokens source = random_tokens(config_, 7, 7);
  const Tokens text = random_tokens(config_, 6, 8);
  RunOptions options = recording_all();
  const Session plain = run(source, text, options);
  for (const AttentionPart part : kParts) {
    const TensorId id = head_output_of(part, 1);
    const auto mean = plain.trace().mean_head_output(part, 1, 2);
    ASSERT_TRUE(mean.ok());
    const auto head_dim = static_cast<std::size_t>(head_dim_of(config_, part));
    const auto heads = static_cast<std::size_t>(num_heads_of(config_, part));
    for (const Numbers& replacement : {Numbers(), mean.value()}) {
      options.interventions = {{{1, 2, part}, AblateHead{replacement}}};
      const Session ablated = run(source, text, options);
      const auto before = data(plain.trace().tensor(id));
      const auto after = data(ablated.trace().tensor(id));
      for (std::size_t i = 0; i < after.size(); ++i) {
        const std::size_t head = i / head_dim % heads;
        const float expected = head != 2 ? before[i]
                               : replacement.empty()
                                   ? 0
                                   : replacement[i % head_dim];
        ASSERT_EQ(after[i], expected);
      }
      EXPECT_NE(logits(plain), logits(ablated));
    }
  }
}

TEST_P(EncoderDecoderTest, CellScaleAndTemperatureOnEveryAttention) {
  const Tokens source = random_tokens(config_, 7, 9);
  const Tokens text = random_tokens(config_, 6, 10);
  RunOptions options = recording_all();
  const Session plain = run(source, text, options);
  for (const AttentionPart part : kParts) {
    const TensorId id = weights_of(part, 0);
    const auto num_keys = static_cast<std::size_t>(
        part == AttentionPart::kSelf ? text.size() : source.size());
    const Scope scope{0, 1, part};
    const auto row_of = [&](const Session& session, Index head) {
      const auto cells = data(session.trace().head_cells(id, head));
      return Numbers(cells.begin() + 4 * static_cast<std::ptrdiff_t>(num_keys),
                     cells.begin() + 5 * static_cast<std::ptrdiff_t>(num_keys));
    };
    options.interventions = {{scope, MaskCell{4, 2, false}}};
    const Session hidden = run(source, text, options);
    EXPECT_EQ(row_of(hidden, 1)[2], 0);
    EXPECT_GT(row_of(plain, 1)[2], 0);
    EXPECT_EQ(row_of(hidden, 0), row_of(plain, 0));

    options.interventions = {{scope, SetTemperature{0}}};
    const auto frozen = row_of(run(source, text, options), 1);
    EXPECT_EQ(*std::max_element(frozen.begin(), frozen.end()), 1);

    options.interventions = {{scope, SetScale{0}}};
    if (config_.position != PositionKind::kRelative ||
        part == AttentionPart::kCross) {
      const auto flat = row_of(run(source, text, options), 1);
      const float allowed =
          part == AttentionPart::kSelf ? 5 : static_cast<float>(num_keys);
      EXPECT_NEAR(flat[1], 1 / allowed, 1e-6);
    }
  }
}

TEST_P(EncoderDecoderTest, ReplacedRowAndSwappedValueOnEveryAttention) {
  const Tokens source = random_tokens(config_, 7, 11);
  const Tokens text = random_tokens(config_, 6, 12);
  for (const AttentionPart part : kParts) {
    const auto head_dim = static_cast<std::size_t>(head_dim_of(config_, part));
    const auto heads = static_cast<std::size_t>(num_heads_of(config_, part));
    Numbers value(head_dim, 0.5f);
    value[0] = -3;
    // All of the weight on one key whose value is given: the head puts out that
    // value.
    for (const Execution execution :
         {Execution::kTraced, Execution::kReference, Execution::kStreaming}) {
      RunOptions options = recording_all(execution);
      options.interventions = {
          {{1, 2, part}, ReplaceWeights{3, {0, 0, 1}}},
          {{1, 2, part}, SwapValue{2, value}},
      };
      const Session session = run(source, text, options);
      const auto output = data(session.trace().tensor(head_output_of(part, 1)));
      const auto first =
          static_cast<std::ptrdiff_t>((3 * heads + 2) * head_dim);
      EXPECT_EQ(Numbers(output.begin() + first,
                        output.begin() + first +
                            static_cast<std::ptrdiff_t>(head_dim)),
                value);
      if (execution == Execution::kStreaming) continue;
      const auto cells = session.trace().head_cells(weights_of(part, 1), 2);
      const auto num_keys = static_cast<std::size_t>(cells.value().shape[1]);
      for (std::size_t key = 0; key < num_keys; ++key)
        EXPECT_EQ(cells.value().data[3 * num_keys + key], key == 2 ? 1 : 0);
    }
  }
}

// A value swapped for itself is no change.
TEST_P(EncoderDecoderTest, SwappingAValueForItselfChangesNothing) {
  const Tokens source = random_tokens(config_, 7, 13);
  const Tokens text = random_tokens(config_, 6, 14);
  RunOptions options = recording_all();
  const Session plain = run(source, text, options);
  const auto values = data(plain.trace().tensor({Hook::kCrossValue, 1}));
  const auto first =
      values.begin() + (4 * config_.num_kv_heads + 3) * config_.head_dim;
  options.interventions = {
      {{1, 3, AttentionPart::kCross},
       SwapValue{4, Numbers(first, first + config_.head_dim)}}};
  const Session swapped = run(source, text, options);
  EXPECT_LT(largest_difference(logits(plain), logits(swapped)), 1e-4f);
}

TEST_P(EncoderDecoderTest, LogitLensOfTheLastResidualIsTheOutput) {
  const Session session =
      run(random_tokens(config_, 7, 15), {2, 4, 6, 8}, recording_all());
  const Hook last = config_.norm_place == NormPlace::kAfter
                        ? Hook::kNormedResidPost
                        : Hook::kResidPost;
  const auto lens = session.logit_lens({last, config_.num_layers - 1}, 0, 4);
  EXPECT_EQ(data(lens), logits(session));
  const auto early = session.logit_lens({Hook::kResidPre, 0}, 2, 2);
  ASSERT_TRUE(early.ok());
  EXPECT_EQ(early.value().shape,
            (std::vector<Index>{2, config_.vocabulary_size}));
  const auto code = [&](TensorId id, Index first, Index count) {
    return session.logit_lens(id, first, count).status().code();
  };
  EXPECT_EQ(code({Hook::kResidPost, 0, Stack::kEncoder}, 0, 1),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(code({Hook::kQuery, 0}, 0, 1), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({Hook::kResidPost, 0}, 3, 2), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({Hook::kResidPost, 0}, -1, 1), StatusCode::kInvalidArgument);
}

TEST_P(EncoderDecoderTest, TensorNamesReadBack) {
  for (const TensorId id : all_tensors(config_)) {
    const std::string name = tensor_name(id, config_);
    const auto parsed = parse_tensor_name(name, config_);
    ASSERT_TRUE(parsed.ok()) << name;
    EXPECT_EQ(parsed.value(), id) << name;
    EXPECT_TRUE(name.starts_with("encoder") || name.starts_with("decoder"));
  }
  EXPECT_EQ(tensor_name({Hook::kCrossWeights, 1}, config_),
            "decoder.1.cross_attn.hook_pattern");
  EXPECT_EQ(tensor_name({Hook::kWeights, 0, Stack::kEncoder}, config_),
            "encoder.0.attn.hook_pattern");
  for (const char* name :
       {"blocks.0.attn.hook_pattern", "encoder.2.attn.hook_q",
        "encoder.0.cross_attn.hook_q", "decoder.3.attn.hook_q", "encoder",
        "encoder.", "encoder.0.", "hook_embed"}) {
    EXPECT_EQ(parse_tensor_name(name, config_).status().code(),
              StatusCode::kUnknownTensor)
        << name;
  }
}

TEST_P(EncoderDecoderTest, RefusesWhatItCannotRun) {
  auto session = Session::make(model_, TextLengths{10, 6});
  ASSERT_TRUE(session.ok());
  const Tokens good = {3, 4};
  const auto code = [&](const Prompt& prompt, RunOptions options = {}) {
    return session.value().prefill(prompt, std::move(options)).code();
  };
  ASSERT_TRUE(session.value().prefill({good, good, {}}, {}).ok());
  const auto before = logits(session.value());
  const Tokens none, long_source(7, 1), wrong = {3, 61};
  EXPECT_EQ(code({good, none, {}}), StatusCode::kEmptyInput);
  EXPECT_EQ(code({none, good, {}}), StatusCode::kEmptyInput);
  EXPECT_EQ(code({good, long_source, {}}), StatusCode::kCapacityReached);
  EXPECT_EQ(code({good, wrong, {}}), StatusCode::kTokenOutOfRange);
  EXPECT_EQ(code({good, good, good}), StatusCode::kInvalidArgument);
  for (const Intervention& change : std::vector<Intervention>{
           {{0, 9, AttentionPart::kEncoder}, AblateHead{}},
           {{2, 0, AttentionPart::kEncoder}, AblateHead{}},
           {{0, 0, AttentionPart::kCross}, ReplaceWeights{0, {0, 0, 1}}},
           {{0, 0}, ReplaceWeights{0, {2}}},
           {{0, 0}, ReplaceWeights{-1, {1}}},
           {{0, 0}, SwapValue{0, {1, 2}}},
           {{0, 0}, SwapValue{-1, Numbers(10, 1)}},
           {{0, 0}, SwapValue{0, Numbers(10, NAN)}}}) {
    RunOptions options;
    options.interventions = {change};
    EXPECT_EQ(code({good, good, {}}, options), StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(logits(session.value()), before);
  for (const TextLengths room : {TextLengths{10, 0}, TextLengths{10, 161},
                                 TextLengths{0, 6}, TextLengths{161, 6}}) {
    EXPECT_EQ(Session::make(model_, room).status().code(),
              StatusCode::kInvalidArgument);
  }
}

class EncoderTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  EncoderTest()
      : config_(random_model_config("encoder")),
        model_(make_random_model(config_, *GetParam(), 7)) {}

  Session run(const Prompt& prompt, RunOptions options) const {
    auto session = Session::make(model_, 30);
    EXPECT_TRUE(session.ok()) << session.status().message();
    options.all_logits = true;
    const Status status = session.value().prefill(prompt, std::move(options));
    EXPECT_TRUE(status.ok()) << status.message();
    return std::move(session.value());
  }

  static RunOptions seeing_all() {
    RunOptions options;
    options.mask = Mask::none();
    return options;
  }

  ModelConfig config_;
  std::shared_ptr<const Model> model_;
};

INSTANTIATE_TEST_SUITE_P(Kernels, EncoderTest,
                         ::testing::ValuesIn(kernels_under_test()),
                         [](const auto& info) { return info.param->name; });

TEST_P(EncoderTest, EveryTokenSeesEveryOther) {
  const Tokens tokens = random_tokens(config_, 8, 1);
  RunOptions options = seeing_all();
  options.execution = Execution::kTraced;
  options.record = all_tensors(config_);
  const Session session = run({tokens, {}, {}}, options);
  const auto weights = data(session.trace().tensor({Hook::kWeights, 0}));
  EXPECT_TRUE(std::all_of(weights.begin(), weights.end(),
                          [](float weight) { return weight > 0; }));
  EXPECT_EQ(session.logit_rows(), 8);
  // The last token changes what the first position predicts.
  Tokens other = tokens;
  other.back() = (other.back() + 1) % 61;
  EXPECT_NE(logits(session)[0], logits(run({other, {}, {}}, options))[0]);
}

TEST_P(EncoderTest, TokenTypesCount) {
  const Tokens tokens = random_tokens(config_, 4, 2);
  const Tokens zeros(4, 0), types = {0, 0, 2, 1};
  const auto plain = logits(run({tokens, {}, {}}, seeing_all()));
  EXPECT_EQ(plain, logits(run({tokens, {}, zeros}, seeing_all())));
  EXPECT_NE(plain, logits(run({tokens, {}, types}, seeing_all())));
}

TEST_P(EncoderTest, Refusals) {
  Session session = run({Tokens{1, 2}, {}, {}}, seeing_all());
  EXPECT_EQ(session.decode_step(1).code(), StatusCode::kInvalidArgument);
  const Tokens tokens = {1, 2}, short_types = {0}, wrong_types = {0, 3};
  EXPECT_EQ(session.prefill({tokens, {}, short_types}, {}).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(session.prefill({tokens, {}, wrong_types}, {}).code(),
            StatusCode::kTokenOutOfRange);
  EXPECT_EQ(session.prefill({tokens, tokens, {}}, {}).code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(Session::make(model_, TextLengths{5, 5}).status().code(),
            StatusCode::kInvalidArgument);
  RunOptions options;
  options.interventions = {{{0, 0, AttentionPart::kCross}, AblateHead{}}};
  EXPECT_EQ(session.prefill({tokens, {}, {}}, options).code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace attnscope
