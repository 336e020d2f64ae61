// Fills the table of sinusoidal.h.
#include "core/positions/sinusoidal.h"

#include <cmath>

namespace attnscope {

Result<FloatBuffer> sinusoidal_positions(Index num_positions, Index model_dim) {
  auto result = FloatBuffer::allocate(num_positions, model_dim,
                                      "the sinusoidal positions");
  if (!result.ok()) return result;
  float* positions = result.value().data();
  for (Index d = 0; d < model_dim; ++d) {
    const double exponent =
        static_cast<double>(d - d % 2) / static_cast<double>(model_dim);
    const double wavelength = std::pow(10000.0, exponent);
    for (Index p = 0; p < num_positions; ++p) {
      const double angle = static_cast<double>(p) / wavelength;
      positions[p * model_dim + d] =
          static_cast<float>(d % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return result;
}

}  // namespace attnscope
