// Fills the tables of rotary.h; leaves turning to Kernels::rotate.
#include "core/positions/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace attnscope {

namespace {

// The pair whose wavelength goes `turns` times into the original context, as a
// real number (Peng et al. 2023, appendix A.2).
double pair_of_turns(const RotarySettings& settings, double turns) {
  return static_cast<double>(settings.dim) *
         std::log(settings.original_context / (turns * 2 * std::numbers::pi)) /
         (2 * std::log(static_cast<double>(settings.base)));
}

// How much of its frequency pair i keeps, 0 to 1. Rounded to float32 step by
// step from where the reference has tensors; see RotaryTable::make.
float yarn_share(const RotarySettings& settings, Index i) {
  double first = pair_of_turns(settings, settings.beta_fast);
  double last = pair_of_turns(settings, settings.beta_slow);
  if (settings.truncate) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::min(last, static_cast<double>(settings.dim - 1));
  if (first == last) last += 0.001;
  const float ramp = (static_cast<float>(i) - static_cast<float>(first)) /
                     static_cast<float>(last - first);
  return 1 - std::clamp(ramp, 0.0f, 1.0f);
}

float llama3_share(const RotarySettings& settings, float frequency) {
  constexpr auto kTurn = static_cast<float>(2 * std::numbers::pi);
  const float turns = 1 / (1 / frequency * kTurn) *
                      static_cast<float>(settings.original_context);
  const float share =
      (turns - static_cast<float>(settings.low_frequency_factor)) /
      static_cast<float>(settings.high_frequency_factor -
                         settings.low_frequency_factor);
  return std::clamp(share, 0.0f, 1.0f);
}

float scaled_frequency(const RotarySettings& settings, Index i,
                       float wavelength) {
  const float frequency = 1 / wavelength;
  const auto factor = static_cast<float>(settings.factor);
  switch (settings.scaling) {
    case RotaryScaling::kNone:
      break;
    case RotaryScaling::kLinear:
      return frequency / factor;
    case RotaryScaling::kLlama3: {
      const float share = llama3_share(settings, frequency);
      return (1 - share) * frequency / factor + share * frequency;
    }
    case RotaryScaling::kYarn: {
      const float share = yarn_share(settings, i);
      return 1 / (factor * wavelength) * (1 - share) + frequency * share;
    }
  }
  return frequency;
}

}  // namespace

Result<RotaryTable> RotaryTable::make(const RotarySettings& settings,
                                      Index num_positions) {
  RotaryTable table;
  table.half_ = (settings.dim + 1) / 2;
  auto cosines =
      FloatBuffer::allocate(num_positions, table.half_, "the rotary cosines");
  if (!cosines.ok()) return cosines.status();
  auto sines =
      FloatBuffer::allocate(num_positions, table.half_, "the rotary sines");
  if (!sines.ok()) return sines.status();
  table.cosines_ = std::move(cosines.value());
  table.sines_ = std::move(sines.value());

  for (Index i = 0; i < table.half_; ++i) {
    const double exponent =
        static_cast<double>(2 * i) / static_cast<double>(settings.dim);
    // Each of these float32 roundings moves the angle at a far position by
    // more than the last bit, so they are the reference's, one by one.
    const float wavelength = static_cast<float>(
        std::pow(static_cast<double>(settings.base), exponent));
    const float frequency = scaled_frequency(settings, i, wavelength);
    for (Index p = 0; p < num_positions; ++p) {
      const float angle = static_cast<float>(p) * frequency;
      const auto at = static_cast<std::size_t>(p * table.half_ + i);
      table.cosines_[at] = static_cast<float>(std::cos(double{angle}) *
                                              settings.attention_factor);
      table.sines_[at] = static_cast<float>(std::sin(double{angle}) *
                                            settings.attention_factor);
    }
  }
  return table;
}

}  // namespace attnscope
