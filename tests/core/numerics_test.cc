// The numeric functions against float64 results of an independent
// implementation (tests/golden/numerics.json), on every table of kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/kernels/kernels.h"
#include "core/positions/rotary.h"
#include "core/positions/sinusoidal.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

const nlohmann::json& golden() {
  static const nlohmann::json numbers = nlohmann::json::parse(
      std::ifstream(ATTNSCOPE_SOURCE_DIR "/tests/golden/numerics.json"),
      nullptr, false);
  return numbers;
}

// JSON has no infinity; the file says "-inf".
double number(const nlohmann::json& value) {
  if (value.is_string()) return -std::numeric_limits<double>::infinity();
  return value.get<double>();
}

std::vector<float> floats(const nlohmann::json& values) {
  std::vector<float> result;
  for (const auto& value : values)
    result.push_back(static_cast<float>(number(value)));
  return result;
}

Index size_of(const std::vector<float>& values) {
  return static_cast<Index>(values.size());
}

// |values - exact| <= allowed(i) for every element i.
template <class Allowed>
void expect_near(const char* what, const std::vector<float>& values,
                 const nlohmann::json& exact, Allowed allowed) {
  ASSERT_EQ(values.size(), exact.size()) << what;
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(values[i], number(exact[i]), allowed(i)) << what << " " << i;
}

class NumericsTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(golden().is_object()) << "tests/golden/numerics.json";
  }
  const Kernels& kernels() const { return *GetParam(); }

  std::vector<float> softmax(std::vector<float> row) const {
    const Index n = size_of(row);
    const float maximum = kernels().maximum(row.data(), n);
    const float sum =
        kernels().exponentials(row.data(), maximum, 1, row.data(), n);
    kernels().scale(1 / sum, row.data(), n);
    return row;
  }
};

INSTANTIATE_TEST_SUITE_P(Tables, NumericsTest,
                         ::testing::ValuesIn(kernels_under_test()),
                         [](const auto& info) {
                           return std::string(info.param->name);
                         });

TEST_P(NumericsTest, SoftmaxOfATextbookRow) {
  const std::vector<float> weights =
      softmax({2.1f, 1.7f, 2.9f, 0.6f, 1.3f, 0.2f});
  const double rounded[] = {0.2120, 0.1421, 0.4717, 0.0473, 0.0952, 0.0317};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(weights[i], rounded[i], 0.00005) << i;
}

TEST_P(NumericsTest, Softmax) {
  for (const auto& row : golden()["softmax"]) {
    const std::vector<float> input = floats(row["input"]);
    const float maximum = *std::max_element(input.begin(), input.end());
    expect_near("softmax", softmax(input), row["output"], [&](std::size_t i) {
      const double exact = number(row["output"][i]);
      if (exact == 0) return 0.0;
      // The difference is rounded before exp sees it; then exp, sum,
      // reciprocal and product. What is denormal may be 0.
      const double difference = double{maximum} - double{input[i]};
      return (difference / 2 + 4) * kEpsilon * exact + 1.2e-38;
    });
  }
}

TEST_P(NumericsTest, LayerNorm) {
  for (const auto& row : golden()["layer_norm"]) {
    std::vector<float> x = floats(row["input"]);
    const std::vector<float> gain = floats(row["gain"]);
    const std::vector<float> shift = floats(row["shift"]);
    kernels().layer_norm(x.data(), gain.data(), shift.data(),
                         row["epsilon"].get<float>(), x.data(), size_of(x));
    expect_near("layer_norm", x, row["output"], [&](std::size_t i) {
      return 4 * kEpsilon * (1 + std::fabs(number(row["output"][i])));
    });
  }
}

TEST_P(NumericsTest, RmsNorm) {
  for (const auto& row : golden()["rms_norm"]) {
    std::vector<float> x = floats(row["input"]);
    const std::vector<float> gain = floats(row["gain"]);
    kernels().rms_norm(x.data(), gain.data(), row["epsilon"].get<float>(),
                       x.data(), size_of(x));
    expect_near("rms_norm", x, row["output"], [&](std::size_t i) {
      return 4 * kEpsilon * std::fabs(number(row["output"][i]));
    });
  }
}

TEST_P(NumericsTest, Activations) {
  const struct {
    const char* name;
    void (*function)(float*, Index);
  } activations[] = {{"gelu_erf", kernels().gelu_erf},
                     {"gelu_tanh", kernels().gelu_tanh},
                     {"silu", kernels().silu}};
  for (const auto& activation : activations) {
    const auto& row = golden()[activation.name];
    const std::vector<float> input = floats(row["input"]);
    std::vector<float> x = input;
    activation.function(x.data(), size_of(x));
    expect_near(activation.name, x, row["output"], [&](std::size_t i) {
      return 1.1 * kEpsilon * std::fabs(input[i]);
    });
  }
}

TEST_P(NumericsTest, Rotary) {
  for (const auto& row : golden()["rotary"]) {
    const Index rotary_dim = row["rotary_dim"].get<Index>();
    const Index position = row["position"].get<Index>();
    RotarySettings settings;
    settings.dim = rotary_dim;
    settings.base = row["base"].get<float>();
    auto table = RotaryTable::make(settings, position + 1);
    ASSERT_TRUE(table.ok());
    const std::vector<float> input = floats(row["input"]);
    std::vector<float> x = input;
    kernels().rotate(table.value().cosine(position),
                     table.value().sine(position), x.data(),
                     table.value().half());
    float largest = 0;
    for (float value : input) largest = std::max(largest, std::fabs(value));
    // The angle, at most `position`, is rounded three times in float32.
    expect_near("rotary", x, row["output"], [&](std::size_t) {
      return (1.5 * static_cast<double>(position) + 2) * kEpsilon *
             double{largest};
    });
  }
}

TEST(Numerics, Sinusoidal) {
  ASSERT_TRUE(golden().is_object());
  for (const auto& row : golden()["sinusoidal"]) {
    const Index dim = row["dim"].get<Index>();
    const Index position = row["position"].get<Index>();
    auto table =
        sinusoidal_positions(SinusoidalLayout::kInterleaved, position + 1, dim);
    ASSERT_TRUE(table.ok());
    const float* first = table.value().data() + position * dim;
    expect_near("sinusoidal", std::vector<float>(first, first + dim),
                row["output"], [](std::size_t) { return 0x1p-24; });
  }
}

}  // namespace
}  // namespace attnscope
