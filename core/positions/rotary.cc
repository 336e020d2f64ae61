// Fills the tables of rotary.h; leaves turning to Kernels::rotate.
#include "core/positions/rotary.h"

#include <cmath>
#include <utility>

namespace attnscope {

Result<RotaryTable> RotaryTable::make(Index rotary_dim, float base,
                                      Index num_positions) {
  RotaryTable table;
  table.half_ = rotary_dim / 2;
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
        static_cast<double>(2 * i) / static_cast<double>(rotary_dim);
    // Each of these float32 roundings moves the angle at a far position by
    // more than the last bit, so they are the reference's, one by one.
    const float wavelength =
        static_cast<float>(std::pow(static_cast<double>(base), exponent));
    const float frequency = 1.0f / wavelength;
    for (Index p = 0; p < num_positions; ++p) {
      const float angle = static_cast<float>(p) * frequency;
      const auto at = static_cast<std::size_t>(p * table.half_ + i);
      table.cosines_[at] = static_cast<float>(std::cos(double{angle}));
      table.sines_[at] = static_cast<float>(std::sin(double{angle}));
    }
  }
  return table;
}

}  // namespace attnscope
