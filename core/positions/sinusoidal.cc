// Fills the table of sinusoidal.h.
#include "core/positions/sinusoidal.h"

#include <cmath>

namespace attnscope {

namespace {

// The angle of pair i at position 1 in tensor2tensor's layout, in float32 from
// the logarithm on.
float tensor2tensor_frequency(Index pair, Index half) {
  const double step = std::log(10000.0) / static_cast<double>(half - 1);
  const float exponent = static_cast<float>(pair) * static_cast<float>(-step);
  return static_cast<float>(std::exp(static_cast<double>(exponent)));
}

}  // namespace

Result<FloatBuffer> sinusoidal_positions(SinusoidalLayout layout,
                                         Index num_positions, Index model_dim) {
  auto result = FloatBuffer::allocate(num_positions, model_dim,
                                      "the sinusoidal positions");
  if (!result.ok()) return result;
  float* positions = result.value().data();
  const Index half = model_dim / 2;
  const Index sines = model_dim - half;
  for (Index d = 0; d < model_dim; ++d) {
    const bool interleaved = layout == SinusoidalLayout::kInterleaved;
    const bool is_sine = interleaved ? d % 2 == 0 : d < sines;
    const Index pair = interleaved ? d / 2 : is_sine ? d : d - sines;
    const double wavelength =
        std::pow(10000.0, static_cast<double>(2 * pair) /
                              static_cast<double>(model_dim));
    const float frequency = tensor2tensor_frequency(pair, half);
    for (Index p = 0; p < num_positions; ++p) {
      const double angle =
          layout == SinusoidalLayout::kTensor2Tensor
              ? static_cast<double>(static_cast<float>(p) * frequency)
              : static_cast<double>(p) / wavelength;
      positions[p * model_dim + d] =
          static_cast<float>(is_sine ? std::sin(angle) : std::cos(angle));
    }
  }
  return result;
}

}  // namespace attnscope
