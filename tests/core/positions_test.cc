// Rotary and sinusoidal tables against the formulas and against numbers of an
// independent implementation.
#include <gtest/gtest.h>

#include <cmath>

#include "core/positions/rotary.h"
#include "core/positions/sinusoidal.h"

namespace attnscope {
namespace {

Result<RotaryTable> make_rotary(Index dim, float base, Index positions) {
  RotarySettings settings;
  settings.dim = dim;
  settings.base = base;
  return RotaryTable::make(settings, positions);
}

TEST(RotaryTable, FirstPositionTurnsNothing) {
  auto table = make_rotary(8, 10000.0f, 3);
  ASSERT_TRUE(table.ok());
  ASSERT_EQ(table.value().half(), 4);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_EQ(table.value().cosine(0)[i], 1.0f);
    EXPECT_EQ(table.value().sine(0)[i], 0.0f);
  }
}

TEST(RotaryTable, AnglesFollowTheFormula) {
  for (float base : {10000.0f, 500000.0f, 100.0f})
    for (Index rotary_dim : {2, 3, 4, 16, 64, 128}) {
      const Index positions = 300;
      auto table = make_rotary(rotary_dim, base, positions);
      ASSERT_TRUE(table.ok());
      for (Index p = 0; p < positions; ++p)
        for (Index i = 0; i < (rotary_dim + 1) / 2; ++i) {
          const double angle =
              static_cast<double>(p) *
              std::pow(double{base}, -2.0 * static_cast<double>(i) /
                                         static_cast<double>(rotary_dim));
          // Three float32 roundings of the angle, one of the result.
          const double allowed = 3 * 0x1p-24 * angle + 0x1p-24;
          EXPECT_NEAR(table.value().cosine(p)[i], std::cos(angle), allowed);
          EXPECT_NEAR(table.value().sine(p)[i], std::sin(angle), allowed);
        }
    }
}

TEST(RotaryTable, NoPositionsAndNoDimensionsAreFine) {
  EXPECT_TRUE(make_rotary(0, 10000.0f, 5).ok());
  EXPECT_TRUE(make_rotary(8, 10000.0f, 0).ok());
}

TEST(SinusoidalPositions, FollowThePaper) {
  for (Index model_dim : {1, 2, 5, 16, 512}) {
    const Index positions = 200;
    auto table = sinusoidal_positions(SinusoidalLayout::kInterleaved, positions,
                                      model_dim);
    ASSERT_TRUE(table.ok());
    ASSERT_EQ(table.value().size(),
              static_cast<std::size_t>(positions * model_dim));
    for (Index p = 0; p < positions; ++p)
      for (Index d = 0; d < model_dim; ++d) {
        const double angle =
            static_cast<double>(p) *
            std::exp(-std::log(10000.0) * static_cast<double>(d / 2 * 2) /
                     static_cast<double>(model_dim));
        EXPECT_NEAR(table.value()[static_cast<std::size_t>(p * model_dim + d)],
                    d % 2 == 0 ? std::sin(angle) : std::cos(angle), 0x1p-24);
      }
  }
}

TEST(SinusoidalPositions, KnownRow) {
  // sin(1), cos(1), sin(1/100), cos(1/100): model_dim 4, position 1.
  auto table = sinusoidal_positions(SinusoidalLayout::kInterleaved, 2, 4);
  ASSERT_TRUE(table.ok());
  EXPECT_FLOAT_EQ(table.value()[4], 0.841470985f);
  EXPECT_FLOAT_EQ(table.value()[5], 0.540302306f);
  EXPECT_FLOAT_EQ(table.value()[6], 0.00999983333f);
  EXPECT_FLOAT_EQ(table.value()[7], 0.999950000f);
}

}  // namespace
}  // namespace attnscope
