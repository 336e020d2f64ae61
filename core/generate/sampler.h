// Chooses the next token from logits: greedy, temperature, top-k, top-p
// (nucleus sampling, Holtzman et al. 2020), seeded and reproducible on every
// platform. Read next: session.h.
#ifndef ATTNSCOPE_CORE_GENERATE_SAMPLER_H_
#define ATTNSCOPE_CORE_GENERATE_SAMPLER_H_

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/status.h"
#include "core/kernels/kernels.h"

namespace attnscope {

struct SamplerOptions {
  float temperature = 0;  // finite, >= 0; 0 means the largest logit
  Index top_k = 0;        // 0 means all; more than the vocabulary means all
  float top_p = 1;        // 0 < top_p <= 1
  std::uint64_t seed = 0;
};

class Sampler {
 public:
  // Errors: kInvalidArgument naming the option and its value.
  static Result<Sampler> make(const SamplerOptions& options,
                              const Kernels& kernels, Index vocabulary_size);

  // The next token for logits[vocabulary]. Ties go to the smaller id. NaN
  // logits are never chosen unless all are NaN, which gives token 0 and
  // probabilities that are NaN too. Allocates nothing.
  Index sample(std::span<const float> logits);

  // probabilities[vocabulary] that the last sample was drawn from, after
  // temperature, top-k and top-p.
  std::span<const float> probabilities() const { return probabilities_; }

 private:
  Sampler() = default;
  SamplerOptions options_;
  const Kernels* kernels_ = nullptr;
  std::mt19937_64 random_;
  std::vector<float> probabilities_;  // [vocabulary]
  std::vector<Index> order_;          // [vocabulary], token ids by logit
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_GENERATE_SAMPLER_H_
