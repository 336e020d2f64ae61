// Models of random numbers, one for every kind of block the decoder knows.
#ifndef ATTNSCOPE_TESTS_CORE_RANDOM_MODEL_H_
#define ATTNSCOPE_TESTS_CORE_RANDOM_MODEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/model/model.h"

namespace attnscope {

// Small, with every size different. Kinds of decoders: learned positions and
// LayerNorm; partial rotary with a parallel residual; rotary, grouped heads,
// RMSNorm and a gated MLP; sinusoidal positions; ALiBi with a normed embedding;
// windows.
std::vector<std::string> random_model_kinds();
// As M2M100, BART and T5 are. The kind "encoder" is as BERT is.
std::vector<std::string> random_encoder_decoder_kinds();
ModelConfig random_model_config(const std::string& kind);
std::shared_ptr<const Model> make_random_model(const ModelConfig& config,
                                               const Kernels& kernels,
                                               std::uint32_t seed);
std::vector<std::int32_t> random_tokens(const ModelConfig& config, Index count,
                                        std::uint32_t seed);

}  // namespace attnscope

#endif  // ATTNSCOPE_TESTS_CORE_RANDOM_MODEL_H_
