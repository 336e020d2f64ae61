// Reproducible random numbers for tests, the same on every platform.
#ifndef ATTNSCOPE_TESTS_CORE_RANDOM_NUMBERS_H_
#define ATTNSCOPE_TESTS_CORE_RANDOM_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace attnscope {

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint32_t seed) : engine_(seed) {}

  // Uniform in [-size, size). The standard's distributions differ between
  // libraries, its engines do not.
  float number(float size) {
    const auto bits = static_cast<float>(engine_() >> 8);
    return (bits * 0x1p-23f - 1) * size;
  }
  std::vector<float> numbers(std::size_t count, float size) {
    std::vector<float> result(count);
    for (float& x : result) x = number(size);
    return result;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_CORE_RANDOM_NUMBERS_H_
