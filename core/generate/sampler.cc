// Sampling in the order of the Hugging Face library: temperature, then top-k,
// then top-p of what top-k kept.
#include "core/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace attnscope {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Status invalid(const char* name, double value, const char* wanted) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", value);
  return {StatusCode::kInvalidArgument,
          std::string(name) + " is " + text + ", expected " + wanted};
}

// Logits that can be compared: NaN is never chosen.
float comparable(float logit) { return std::isnan(logit) ? -kInfinity : logit; }

double sum_of(std::span<const float> x) {
  return std::accumulate(x.begin(), x.end(), 0.0);
}

// Zeroes the weights of all tokens but those that top-k and top-p keep.
// `order` is scratch. Only the kept tokens are put in order, by a heap: sorting
// a whole vocabulary would take longer than many a decode step.
void keep_likeliest(const SamplerOptions& options,
                    std::span<const float> logits, std::span<float> weights,
                    std::span<Index> order) {
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  const auto size = static_cast<Index>(order.size());
  const auto less_likely = [&](Index a, Index b) {
    const float logit_a = comparable(logits[at(a)]);
    const float logit_b = comparable(logits[at(b)]);
    return logit_a < logit_b || (logit_a == logit_b && a > b);
  };
  std::iota(order.begin(), order.end(), Index{0});
  std::make_heap(order.begin(), order.end(), less_likely);
  // The likeliest tokens gather behind the shrinking heap, rank 0 last.
  Index num_ranked = 0;
  const auto weight_of_rank = [&](Index rank) -> double {
    for (; num_ranked <= rank; ++num_ranked)
      std::pop_heap(order.begin(), order.end() - num_ranked, less_likely);
    return weights[at(order[at(size - 1 - rank)])];
  };

  const Index most = options.top_k > 0 ? std::min(options.top_k, size) : size;
  double total = 0;  // that top_p is a share of
  if (most < size)
    for (Index rank = 0; rank < most; ++rank) total += weight_of_rank(rank);
  else
    total = sum_of(weights);
  Index kept = 0;
  // Weights too small to change a sum are still kept by a top_p of 1.
  for (double mass = 0;
       kept < most && (options.top_p == 1 || mass < options.top_p * total);
       ++kept)
    mass += weight_of_rank(kept);
  for (Index i = 0; i < size - kept; ++i) weights[at(order[at(i)])] = 0;
}

}  // namespace

Result<Sampler> Sampler::make(const SamplerOptions& options,
                              const Kernels& kernels, Index vocabulary_size) {
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature))
    return invalid("temperature", options.temperature,
                   "a finite number, 0 or above");
  if (options.top_k < 0)
    return invalid("top_k", static_cast<double>(options.top_k),
                   "a whole number, 0 (all tokens) or above");
  if (!(options.top_p > 0 && options.top_p <= 1))
    return invalid("top_p", options.top_p, "a number above 0 and at most 1");
  if (vocabulary_size < 1)
    return invalid("vocabulary_size", static_cast<double>(vocabulary_size),
                   "at least 1");
  Sampler sampler;
  sampler.options_ = options;
  sampler.kernels_ = &kernels;
  sampler.random_.seed(options.seed);
  sampler.probabilities_.resize(static_cast<std::size_t>(vocabulary_size));
  sampler.order_.resize(static_cast<std::size_t>(vocabulary_size));
  return sampler;
}

Index Sampler::sample(std::span<const float> logits) {
  const auto size = static_cast<Index>(probabilities_.size());
  std::transform(logits.begin(), logits.end(), probabilities_.begin(),
                 comparable);
  const float maximum = kernels_->maximum(probabilities_.data(), size);
  // Greedy, and where an infinite maximum leaves no finite differences.
  if (options_.temperature == 0 || !std::isfinite(maximum)) {
    const auto found = std::find(logits.begin(), logits.end(), maximum);
    if (found == logits.end()) {  // all NaN: nothing is known of any token
      std::fill(probabilities_.begin(), probabilities_.end(),
                std::numeric_limits<float>::quiet_NaN());
      return 0;
    }
    const Index best = found - logits.begin();
    std::fill(probabilities_.begin(), probabilities_.end(), 0.0f);
    probabilities_[static_cast<std::size_t>(best)] = 1;
    return best;
  }

  // Below about 1e-38 the reciprocal would be infinite, and infinity times the
  // zero of the largest logit NaN.
  const float factor =
      std::min(1 / options_.temperature, std::numeric_limits<float>::max());
  kernels_->exponentials(probabilities_.data(), maximum, factor,
                         probabilities_.data(), size);
  if (options_.top_k > 0 || options_.top_p < 1)
    keep_likeliest(options_, logits, probabilities_, order_);

  // 53 random bits: uniform in [0, 1). No distribution of the standard library,
  // whose results differ between implementations.
  const double uniform = static_cast<double>(random_() >> 11) * 0x1p-53;
  const double total = sum_of(probabilities_);
  Index chosen = 0;
  double cumulative = 0;
  for (Index token = 0; cumulative <= uniform * total && token < size;
       ++token) {
    const float weight = probabilities_[static_cast<std::size_t>(token)];
    if (weight > 0) chosen = token;
    cumulative += weight;
  }
  kernels_->scale(static_cast<float>(1 / total), probabilities_.data(), size);
  return chosen;
}

}  // namespace attnscope
