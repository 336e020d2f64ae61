// Every kernel of every table, swept over lengths, misaligned starts and
// extreme values: against the plain order of sums that kernels.h promises, bit
// for bit, and against double precision, printing the largest error.
#include "core/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/kernels/kernel_templates.h"
#include "core/kernels/matmul.h"
#include "core/kernels/vector_scalar.h"
#include "tests/core/test_kernels.h"

namespace attnscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kHuge = std::numeric_limits<float>::max();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr double kEpsilon = std::numeric_limits<float>::epsilon();

// The specification, in every build (a WebAssembly module has one table only).
constexpr Kernels kReference =
    make_kernels<ScalarVector>("reference", "none", false);

std::vector<Index> row_lengths() {
  std::vector<Index> lengths;
  for (Index n = 0; n <= 4 * kSumLanes + 1; ++n) lengths.push_back(n);
  for (Index n : {100, 127, 768, 1000, 1024}) lengths.push_back(n);
  return lengths;
}

// A row at any misalignment between guards that nobody may write.
class GuardedRow {
 public:
  GuardedRow(const std::vector<float>& values, Index misalignment)
      : buffer_(values.size() + 2 * kGuard + 16, kCanary),
        size_(static_cast<Index>(values.size())) {
    const auto address = std::bit_cast<std::uintptr_t>(buffer_.data());
    const auto to_aligned = static_cast<Index>((64 - address % 64) % 64 / 4);
    start_ = kGuard + to_aligned % 16 + misalignment;
    // kGuard is a multiple of 16 floats, so data() is aligned for 0.
    std::copy(values.begin(), values.end(), buffer_.begin() + start_);
  }
  float* data() { return buffer_.data() + start_; }
  std::vector<float> values() {
    return {buffer_.begin() + start_, buffer_.begin() + start_ + size_};
  }
  ::testing::AssertionResult guards_intact() {
    for (Index i = 0; i < static_cast<Index>(buffer_.size()); ++i)
      if ((i < start_ || i >= start_ + size_) &&
          buffer_[static_cast<std::size_t>(i)] != kCanary)
        return ::testing::AssertionFailure()
               << "written at " << i - start_ << " of " << size_;
    return ::testing::AssertionSuccess();
  }

 private:
  static constexpr Index kGuard = 64;
  static constexpr float kCanary = -123456.75f;
  std::vector<float> buffer_;
  Index size_;
  Index start_ = 0;
};

std::vector<float> random_values(Index n, unsigned seed, float scale = 1) {
  std::mt19937 generator(seed);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values)
    value = scale * (static_cast<float>(generator() >> 8) * 0x1p-23f - 1);
  return values;
}

::testing::AssertionResult same_bits(const std::vector<float>& a,
                                     const std::vector<float>& b) {
  if (a.size() != b.size())
    return ::testing::AssertionFailure() << a.size() << " != " << b.size();
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint32_t>(a[i]) !=
        std::bit_cast<std::uint32_t>(b[i]))
      return ::testing::AssertionFailure()
             << "element " << i << ": " << a[i] << " != " << b[i];
  return ::testing::AssertionSuccess();
}

// Distance in units of the last place of the exact value's float.
double ulp_error(float value, double exact) {
  const float nearest = static_cast<float>(exact);
  const float magnitude =
      std::max(std::fabs(nearest), std::numeric_limits<float>::min());
  const double ulp = static_cast<double>(magnitude) -
                     static_cast<double>(std::nextafter(magnitude, 0.0f));
  return std::fabs(static_cast<double>(value) - exact) / ulp;
}

// The largest error met, printed with the test.
class LargestError {
 public:
  explicit LargestError(std::string name) : name_(std::move(name)) {}
  ~LargestError() {
    std::printf("    largest error of %s: %.3f %s at %.9g\n", name_.c_str(),
                error_, unit_, at_);
  }
  void see(double error, double at) {
    if (!(error <= error_)) {  // NaN counts as larger
      error_ = error;
      at_ = at;
    }
  }
  double value() const { return error_; }
  LargestError& unit(const char* unit) {
    unit_ = unit;
    return *this;
  }

 private:
  std::string name_;
  const char* unit_ = "ULP";
  double error_ = 0;
  double at_ = 0;
};

class KernelsTest : public ::testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& kernels() const { return *GetParam(); }
  std::string named(const char* function) const {
    return std::string(function) + " (" + kernels().name + ")";
  }
};

INSTANTIATE_TEST_SUITE_P(Tables, KernelsTest,
                         ::testing::ValuesIn(kernels_under_test()),
                         [](const auto& info) {
                           return std::string(info.param->name);
                         });

// ---- the table -------------------------------------------------------------

TEST(KernelTable, HasTablesFastestLastFoundByName) {
  ASSERT_FALSE(available_kernels().empty());
  EXPECT_EQ(&best_kernels(), available_kernels().back());
  for (const Kernels* kernels : available_kernels())
    EXPECT_EQ(find_kernels(kernels->name), kernels);
  EXPECT_EQ(find_kernels("no such thing"), nullptr);
  EXPECT_EQ(find_kernels(""), nullptr);
}

// ---- rows ------------------------------------------------------------------

float documented_sum(const std::vector<float>& values) {
  float partial[kSumLanes] = {};
  for (std::size_t i = 0; i < values.size(); ++i)
    partial[i % kSumLanes] += values[i];
  for (Index half = kSumLanes / 2; half > 0; half /= 2)
    for (Index i = 0; i < half; ++i) partial[i] += partial[i + half];
  return partial[0];
}

TEST_P(KernelsTest, MaximumOfEveryLengthAndPlace) {
  for (Index n : row_lengths())
    for (Index misalignment = 0; misalignment < 4; ++misalignment) {
      std::vector<float> values =
          random_values(n, static_cast<unsigned>(n), 100);
      const float expected =
          n == 0 ? -kInfinity : *std::max_element(values.begin(), values.end());
      GuardedRow row(values, misalignment);
      EXPECT_EQ(kernels().maximum(row.data(), n), expected) << n;
    }
  // Wherever the largest stands, and if all are lower than any padding.
  for (Index n = 1; n <= 2 * kSumLanes + 1; ++n)
    for (Index at = 0; at < n; ++at) {
      std::vector<float> values(static_cast<std::size_t>(n), -kHuge);
      values[static_cast<std::size_t>(at)] = -1e30f;
      EXPECT_EQ(kernels().maximum(values.data(), n), -1e30f);
      values[static_cast<std::size_t>(at)] = kInfinity;
      EXPECT_EQ(kernels().maximum(values.data(), n), kInfinity);
    }
}

TEST_P(KernelsTest, MaximumPassesOverNan) {
  for (Index n = 1; n <= 2 * kSumLanes + 1; ++n)
    for (Index at = 0; at < n; ++at) {
      std::vector<float> values = random_values(n, 4);
      values[static_cast<std::size_t>(at)] = -kInfinity;
      const float others = *std::max_element(values.begin(), values.end());
      values[static_cast<std::size_t>(at)] = kNan;
      EXPECT_EQ(kernels().maximum(values.data(), n), others) << n << " " << at;
    }
  const std::vector<float> nothing(37, -kInfinity);
  EXPECT_EQ(kernels().maximum(nothing.data(), 37), -kInfinity);
}

TEST_P(KernelsTest, ExponentialsSumInTheDocumentedOrder) {
  LargestError largest(named("exponentials"));
  for (Index n : row_lengths())
    for (Index misalignment = 0; misalignment < 4; ++misalignment) {
      const std::vector<float> x =
          random_values(n, static_cast<unsigned>(n), 20);
      GuardedRow input(x, misalignment);
      GuardedRow output(x, (misalignment + 1) % 4);
      const float sum =
          kernels().exponentials(input.data(), 20.0f, 0.5f, output.data(), n);
      EXPECT_TRUE(output.guards_intact());
      EXPECT_TRUE(same_bits(input.values(), x));
      EXPECT_TRUE(same_bits({sum}, {documented_sum(output.values())})) << n;
      for (Index i = 0; i < n; ++i) {
        const float argument = (x[static_cast<std::size_t>(i)] - 20.0f) * 0.5f;
        largest.see(ulp_error(output.data()[i], std::exp(double{argument})),
                    argument);
      }
      // In place.
      EXPECT_EQ(
          kernels().exponentials(input.data(), 20.0f, 0.5f, input.data(), n),
          sum);
      EXPECT_TRUE(same_bits(input.values(), output.values()));
    }
  EXPECT_LE(largest.value(), 1.52);
}

// Floats spread evenly over the representations of [low, high], both <= 0 or
// both >= 0.
std::vector<float> spread(float low, float high, Index count) {
  auto first = std::bit_cast<std::uint32_t>(low);
  auto last = std::bit_cast<std::uint32_t>(high);
  if (first > last) std::swap(first, last);
  std::vector<float> values;
  for (Index i = 0; i < count; ++i)
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(
        first + static_cast<std::uint64_t>(last - first) *
                    static_cast<std::uint64_t>(i) /
                    static_cast<std::uint64_t>(count - 1))));
  return values;
}

TEST_P(KernelsTest, ExponentialsAreAccurateOverTheirDomain) {
  LargestError largest(named("exponentials, [-87.3, 88.3]"));
  for (const std::vector<float>& x :
       {spread(-0.0f, -87.3f, 2000003), spread(0.0f, 88.3f, 2000003)}) {
    std::vector<float> y = x;
    kernels().exponentials(x.data(), 0, 1, y.data(),
                           static_cast<Index>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
      largest.see(ulp_error(y[i], std::exp(double{x[i]})), x[i]);
  }
  EXPECT_LE(largest.value(), 1.52);
}

TEST_P(KernelsTest, ExponentialsAtTheEdges) {
  for (Index n = 1; n <= 2 * kSumLanes + 1; ++n) {
    std::vector<float> x(static_cast<std::size_t>(n), -kInfinity);
    std::vector<float> y(static_cast<std::size_t>(n), 9.0f);
    EXPECT_EQ(kernels().exponentials(x.data(), 0, 1, y.data(), n), 0);
    for (float value : y)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value), 0u);  // not -0, not NaN
    // Nothing but zeros far below the maximum, exactly one at it.
    std::fill(x.begin(), x.end(), -kHuge);
    x[static_cast<std::size_t>(n / 2)] = 1e30f;
    EXPECT_EQ(kernels().exponentials(x.data(), 1e30f, 0.125f, y.data(), n), 1);
    EXPECT_EQ(y[static_cast<std::size_t>(n / 2)], 1);
    EXPECT_EQ(std::count(y.begin(), y.end(), 0.0f), n - 1);
    // A temperature near zero is a huge factor.
    EXPECT_EQ(kernels().exponentials(x.data(), 1e30f, 1e30f, y.data(), n), 1);

    x[static_cast<std::size_t>(n / 2)] = kNan;
    EXPECT_TRUE(
        std::isnan(kernels().exponentials(x.data(), 0, 1, y.data(), n)));
    EXPECT_TRUE(std::isnan(y[static_cast<std::size_t>(n / 2)]));
    EXPECT_EQ(std::count(y.begin(), y.end(), 0.0f), n - 1);
    x[static_cast<std::size_t>(n / 2)] = kInfinity;
    EXPECT_EQ(kernels().exponentials(x.data(), 0, 1, y.data(), n), kInfinity);
    x[static_cast<std::size_t>(n / 2)] = kDenormal;
    EXPECT_EQ(kernels().exponentials(x.data(), 0, 1, y.data(), n), 1);
  }
}

TEST_P(KernelsTest, TrailingMinusInfinityChangesNothing) {
  for (Index n : row_lengths()) {
    std::vector<float> x = random_values(n, 5, 8);
    std::vector<float> y(static_cast<std::size_t>(n));
    const float sum = kernels().exponentials(x.data(), 8, 1, y.data(), n);
    const float maximum = kernels().maximum(x.data(), n);
    x.resize(static_cast<std::size_t>(n) + 37, -kInfinity);
    y.resize(x.size());
    const auto longer = static_cast<Index>(x.size());
    EXPECT_EQ(kernels().exponentials(x.data(), 8, 1, y.data(), longer), sum);
    EXPECT_EQ(kernels().maximum(x.data(), longer), maximum);
  }
}

// x and y in, y out: the three simple element-wise kernels.
TEST_P(KernelsTest, ElementwiseKernelsRoundOnce) {
  const float extremes[] = {0.0f,  -0.0f,  kInfinity, -kInfinity, kNan,
                            kHuge, -kHuge, kDenormal, 1e-30f,     3.0f};
  for (Index n : row_lengths())
    for (Index misalignment = 0; misalignment < 4; ++misalignment) {
      std::vector<float> x = random_values(n, 1, 3);
      std::vector<float> y = random_values(n, 2, 3);
      for (std::size_t i = 0; i < x.size(); i += 3) {
        x[i] = extremes[i % 10];
        y[i] = extremes[i / 3 % 10];
      }
      std::vector<float> sum = y, product = y, scaled = y;
      for (std::size_t i = 0; i < x.size(); ++i) {
        sum[i] += x[i];
        product[i] *= x[i];
        scaled[i] *= 0.3f;
      }
      // NaN's sign and payload are the CPU's affair.
      const auto same = [](std::vector<float> a, std::vector<float> b) {
        for (float& value : a)
          if (std::isnan(value)) value = kNan;
        for (float& value : b)
          if (std::isnan(value)) value = kNan;
        return same_bits(a, b);
      };
      GuardedRow input(x, misalignment);
      GuardedRow added(y, 0), multiplied(y, 1), scaled_row(y, misalignment);
      kernels().add(input.data(), added.data(), n);
      kernels().multiply_elements(input.data(), multiplied.data(), n);
      kernels().scale(0.3f, scaled_row.data(), n);
      EXPECT_TRUE(same(added.values(), sum)) << n;
      EXPECT_TRUE(same(multiplied.values(), product)) << n;
      EXPECT_TRUE(same(scaled_row.values(), scaled)) << n;
      EXPECT_TRUE(added.guards_intact());
      EXPECT_TRUE(multiplied.guards_intact());
      EXPECT_TRUE(scaled_row.guards_intact());
      EXPECT_TRUE(input.guards_intact());
    }
}

TEST_P(KernelsTest, RotateHasTheSameBitsInEveryTable) {
  for (Index half : row_lengths())
    for (Index misalignment = 0; misalignment < 4; ++misalignment) {
      const std::vector<float> cosine = random_values(half, 1);
      const std::vector<float> sine = random_values(half, 2);
      const std::vector<float> x = random_values(2 * half, 3, 5);
      std::vector<float> expected = x;
      const auto h = static_cast<std::size_t>(half);
      for (std::size_t i = 0; i < h; ++i) {
        const float a = x[i] * cosine[i], b = x[h + i] * sine[i];
        const float c = x[h + i] * cosine[i], d = x[i] * sine[i];
        expected[i] = a - b;
        expected[h + i] = c + d;
      }
      GuardedRow row(x, misalignment);
      kernels().rotate(cosine.data(), sine.data(), row.data(), half);
      EXPECT_TRUE(same_bits(row.values(), expected)) << half;
      EXPECT_TRUE(row.guards_intact());
    }
}

TEST_P(KernelsTest, LayerNorm) {
  LargestError largest(named("layer_norm"));
  largest.unit("epsilon * (|x - mean| + |mean|) / deviation");
  for (float offset : {0.0f, 100.0f})
    for (Index n : row_lengths())
      for (Index misalignment = 0; misalignment < 4; ++misalignment) {
        std::vector<float> x = random_values(n, static_cast<unsigned>(n), 4);
        for (float& value : x) value += offset;
        const std::vector<float> gain = random_values(n, 8, 2);
        const std::vector<float> bias = random_values(n, 9);
        GuardedRow input(x, misalignment), output(x, 3 - misalignment);
        kernels().layer_norm(input.data(), gain.data(), nullptr, 1e-5f,
                             output.data(), n);
        EXPECT_TRUE(output.guards_intact());

        double mean = 0, variance = 0;
        for (float value : x) mean += value / static_cast<double>(n);
        for (float value : x)
          variance += (value - mean) * (value - mean) / static_cast<double>(n);
        const double deviation = std::sqrt(variance + 1e-5);
        for (std::size_t i = 0; i < x.size(); ++i) {
          const double exact = (x[i] - mean) / deviation * gain[i];
          const double unit = kEpsilon * std::fabs(gain[i]) *
                              (std::fabs(x[i] - mean) + std::fabs(mean)) /
                              deviation;
          largest.see(std::fabs(output.data()[i] - exact) / unit, x[i]);
        }

        std::vector<float> expected(x.size());
        kReference.layer_norm(x.data(), gain.data(), nullptr, 1e-5f,
                              expected.data(), n);
        if (!kernels().fused_multiply_add) {
          EXPECT_TRUE(same_bits(output.values(), expected)) << n;
        }
        // The bias comes last, rounded by itself; in place.
        std::vector<float> with_bias = output.values();
        for (std::size_t i = 0; i < x.size(); ++i) with_bias[i] += bias[i];
        kernels().layer_norm(input.data(), gain.data(), bias.data(), 1e-5f,
                             input.data(), n);
        EXPECT_TRUE(same_bits(input.values(), with_bias)) << n;
        EXPECT_TRUE(input.guards_intact());
      }
  EXPECT_LE(largest.value(), 4);
}

TEST_P(KernelsTest, LayerNormOfAConstantRowIsTheBias) {
  for (Index n : row_lengths()) {
    const std::vector<float> x(static_cast<std::size_t>(n), 0.5f);
    const std::vector<float> gain = random_values(n, 1);
    const std::vector<float> bias = random_values(n, 2);
    std::vector<float> y = x;
    kernels().layer_norm(x.data(), gain.data(), bias.data(), 1e-5f, y.data(),
                         n);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], bias[i]);
  }
}

TEST_P(KernelsTest, RmsNormHasTheSameBitsInEveryTable) {
  LargestError largest(named("rms_norm"));
  for (Index n : row_lengths())
    for (Index misalignment = 0; misalignment < 4; ++misalignment) {
      const std::vector<float> x =
          random_values(n, static_cast<unsigned>(n), 4);
      const std::vector<float> gain = random_values(n, 8, 2);
      GuardedRow input(x, misalignment), output(x, 3 - misalignment);
      kernels().rms_norm(input.data(), gain.data(), 1e-5f, output.data(), n);
      EXPECT_TRUE(output.guards_intact());
      double mean = 0;
      for (float value : x)
        mean += double{value} * double{value} / static_cast<double>(n);
      for (std::size_t i = 0; i < x.size(); ++i)
        largest.see(ulp_error(output.data()[i],
                              x[i] / std::sqrt(mean + 1e-5) * gain[i]),
                    x[i]);
      std::vector<float> expected(x.size());
      kReference.rms_norm(x.data(), gain.data(), 1e-5f, expected.data(), n);
      EXPECT_TRUE(same_bits(output.values(), expected)) << n;
      kernels().rms_norm(input.data(), gain.data(), 1e-5f, input.data(), n);
      EXPECT_TRUE(same_bits(input.values(), output.values())) << n;
    }
  EXPECT_LE(largest.value(), 2.7);
}

// ---- activations -----------------------------------------------------------

struct Activation {
  const char* name;
  void (*Kernels::*function)(float*, Index);
  double (*exact)(double);
};

const Activation kActivations[] = {
    {"gelu_erf", &Kernels::gelu_erf,
     [](double x) { return x * 0.5 * std::erfc(-x * std::sqrt(0.5)); }},
    {"gelu_tanh", &Kernels::gelu_tanh,
     [](double x) {
       const double pi = 3.14159265358979323846;
       const double inner = std::sqrt(2 / pi) * (x + 0.044715 * x * x * x);
       return x / (1 + std::exp(-2 * inner));  // 0.5 * (1 + tanh(inner))
     }},
    {"silu", &Kernels::silu, [](double x) { return x / (1 + std::exp(-x)); }},
};

TEST_P(KernelsTest, ActivationsAreAccurateEverywhere) {
  for (const Activation& activation : kActivations) {
    LargestError largest(named(activation.name));
    largest.unit("epsilon * |x|");
    for (const std::vector<float>& x :
         {spread(-0.0f, -kHuge, 1000003), spread(0.0f, kHuge, 1000003),
          spread(-0.01f, -20.0f, 1000003), spread(0.01f, 20.0f, 1000003)}) {
      std::vector<float> y = x;
      (kernels().*activation.function)(y.data(), static_cast<Index>(y.size()));
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double unit =
            std::max(kEpsilon * std::fabs(x[i]), double{kDenormal});
        largest.see(std::fabs(y[i] - activation.exact(x[i])) / unit, x[i]);
      }
    }
    EXPECT_LE(largest.value(), 1.1) << activation.name;
  }
}

TEST_P(KernelsTest, ActivationsOfEveryLengthAndAtTheEdges) {
  for (const Activation& activation : kActivations) {
    for (Index n : row_lengths())
      for (Index misalignment = 0; misalignment < 4; ++misalignment) {
        const std::vector<float> x = random_values(n, 7, 6);
        GuardedRow row(x, misalignment);
        (kernels().*activation.function)(row.data(), n);
        EXPECT_TRUE(row.guards_intact());
        // The place in the row must not matter.
        for (Index i = 0; i < n; ++i) {
          float alone = x[static_cast<std::size_t>(i)];
          (kernels().*activation.function)(&alone, 1);
          ASSERT_EQ(alone, row.data()[i]) << activation.name << " " << i;
        }
      }
    float edges[] = {-kInfinity, kInfinity, -kHuge, kHuge, kNan, 0.0f, -1e20f};
    (kernels().*activation.function)(edges, 7);
    EXPECT_EQ(edges[0], 0) << activation.name;
    EXPECT_EQ(edges[1], kInfinity) << activation.name;
    EXPECT_EQ(edges[2], 0) << activation.name;
    EXPECT_EQ(edges[3], kHuge) << activation.name;
    EXPECT_TRUE(std::isnan(edges[4])) << activation.name;
    EXPECT_EQ(edges[5], 0) << activation.name;
    EXPECT_EQ(edges[6], 0) << activation.name;
  }
}

// ---- products --------------------------------------------------------------

struct Product {
  Index rows, depth, columns;
  bool accumulate = false;
  Index left_stride = 0, output_stride = 0;  // beyond depth and columns
};

PackedMatrix pack(const std::vector<float>& right, Index depth, Index columns,
                  Index panel_width) {
  auto packed = PackedMatrix::allocate(depth, columns, panel_width,
                                       Storage::kFloat32, "test");
  EXPECT_TRUE(packed.ok());
  for (Index k = 0; k < depth; ++k)
    for (Index c = 0; c < columns; ++c)
      packed.value().at(k, c) =
          right[static_cast<std::size_t>(k * columns + c)];
  return std::move(packed.value());
}

// Each element alone, k = 0, 1, 2, ...
float plain_element(const float* left, const std::vector<float>& right,
                    Index column, const Product& shape, float start,
                    bool fused) {
  float sum = shape.accumulate ? start : 0.0f;
  for (Index k = 0; k < shape.depth; ++k) {
    const float r = right[static_cast<std::size_t>(k * shape.columns + column)];
    if (fused) {
      sum = std::fma(left[k], r, sum);
    } else {
      const float product = left[k] * r;
      sum += product;
    }
  }
  return sum;
}

using Multiply = std::function<void(
    const float* left, Index left_stride, const PackedView& right, Index rows,
    float* output, Index output_stride, bool accumulate)>;

::testing::AssertionResult product_is_exact(const Kernels& kernels,
                                            const Product& shape,
                                            const Multiply& multiply) {
  const Index left_stride = shape.depth + shape.left_stride;
  const Index output_stride = shape.columns + shape.output_stride;
  const std::vector<float> left = random_values(shape.rows * left_stride, 1);
  const std::vector<float> right =
      random_values(shape.depth * shape.columns, 2);
  const std::vector<float> before =
      random_values(shape.rows * output_stride, 3);
  const PackedMatrix packed =
      pack(right, shape.depth, shape.columns, kernels.panel_width);

  // Without a fused instruction the relaxed multiply-add rounds twice: the
  // engine decides, and must then do so everywhere.
  bool matches[2] = {true, true};
  matches[0] = !kernels.fused_multiply_add ||
               std::string_view(kernels.name) == "relaxed";
  matches[1] = kernels.fused_multiply_add;
  for (Index misalignment = 0; misalignment < 2; ++misalignment) {
    GuardedRow input(left, misalignment), output(before, misalignment);
    multiply(input.data(), left_stride, packed.view(), shape.rows,
             output.data(), output_stride, shape.accumulate);
    if (auto intact = output.guards_intact(); !intact) return intact;
    const std::vector<float> after = output.values();
    for (int fused = 0; fused < 2; ++fused) {
      if (!matches[fused]) continue;
      std::vector<float> expected = before;
      for (Index r = 0; r < shape.rows; ++r)
        for (Index c = 0; c < shape.columns; ++c) {
          float& element =
              expected[static_cast<std::size_t>(r * output_stride + c)];
          element = plain_element(left.data() + r * left_stride, right, c,
                                  shape, element, fused == 1);
        }
      matches[fused] = bool{same_bits(after, expected)};
    }
  }
  if (matches[0] || matches[1]) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << kernels.name << " [" << shape.rows << ", " << shape.depth << "] x ["
         << shape.depth << ", " << shape.columns << "]"
         << (shape.accumulate ? " accumulated" : "");
}

TEST_P(KernelsTest, MultiplySumsEveryElementInOrder) {
  const Multiply multiply =
      [&](const float* left, Index left_stride, const PackedView& right,
          Index rows, float* output, Index output_stride, bool accumulate) {
        kernels().multiply(left, left_stride, right.data, right.panel_stride,
                           rows, right.depth, right.columns, output,
                           output_stride, accumulate);
      };
  const Index width = kernels().panel_width;
  for (bool accumulate : {false, true}) {
    for (Index rows = 0; rows <= 13; ++rows)
      for (Index columns : {Index{0}, Index{1}, width - 1, width, width + 1,
                            2 * width, 3 * width + 1, 5 * width + 2})
        for (Index depth : {0, 1, 7})
          ASSERT_TRUE(product_is_exact(
              kernels(), {rows, depth, columns, accumulate, 3, 5}, multiply));
    for (Index columns = 0; columns <= 2 * width + 1; ++columns)
      for (Index rows : {1, 2, 6})
        ASSERT_TRUE(product_is_exact(kernels(), {rows, 5, columns, accumulate},
                                     multiply));
    for (Index depth = 0; depth <= 2 * 16 + 1; ++depth)
      for (Index rows : {1, 7})
        ASSERT_TRUE(product_is_exact(
            kernels(), {rows, depth, width + 3, accumulate}, multiply));
  }
}

TEST_P(KernelsTest, MatmulDoesNotDependOnItsCuts) {
  const Multiply multiply =
      [&](const float* left, Index left_stride, const PackedView& right,
          Index rows, float* output, Index output_stride, bool accumulate) {
        matmul(kernels(), left, left_stride, right, rows, output, output_stride,
               accumulate);
      };
  for (const Product& shape :
       {Product{0, 4, 4}, Product{4, 0, 4}, Product{4, 4, 0},
        Product{4, 0, 4, true}, Product{1, 2000, 700},
        Product{3, 1000, 450, true}, Product{7, 900, 40},
        Product{199, 400, 70, true, 2, 3},   // two blocks of rows
        Product{20, 1700, 50, false, 0, 1},  // many blocks of depth
        Product{193, 31, 300, true}})
    EXPECT_TRUE(product_is_exact(kernels(), shape, multiply));
}

TEST_P(KernelsTest, MultiplyKeepsInfinityAndNanInTheirElements) {
  // Columns past the last are zeros in storage: they must not be multiplied
  // into a neighbour, nor one row into another.
  const Index width = kernels().panel_width;
  for (Index rows : {1, 6, 8}) {
    const Index columns = width + 1;
    std::vector<float> left(static_cast<std::size_t>(rows), 1.0f);
    left.back() = kInfinity;
    std::vector<float> right(static_cast<std::size_t>(columns), 1.0f);
    right.back() = 0.0f;
    const PackedMatrix packed = pack(right, 1, columns, width);
    std::vector<float> output(static_cast<std::size_t>(rows * columns));
    matmul(kernels(), left.data(), 1, packed.view(), rows, output.data(),
           columns, false);
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c) {
        const float value = output[static_cast<std::size_t>(r * columns + c)];
        const float expected = left[static_cast<std::size_t>(r)] *
                               right[static_cast<std::size_t>(c)];
        EXPECT_TRUE(value == expected ||
                    (std::isnan(value) && std::isnan(expected)));
      }
  }
}

}  // namespace
}  // namespace attnscope
