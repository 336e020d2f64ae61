// The forward pass: token ids in, logits out, the KV cache grown by the tokens
// given. An encoder-decoder's source passes through the encoder first. Read
// forward.cc from top to bottom. Read next: ../generate/session.h.
#ifndef ATTNSCOPE_CORE_MODEL_FORWARD_H_
#define ATTNSCOPE_CORE_MODEL_FORWARD_H_

#include <cstdint>
#include <span>

#include "core/model/block.h"

namespace attnscope {

// Runs tokens at places cache.length() and after; the caller has checked ids
// and room. token_types[token] may be empty: then all are of kind 0. Leaves the
// stack's output in workspace.normed[token, model_dim]. Returns the number of
// attention rows (over layers and heads) in which nothing was allowed.
Index run_stack(const StackPass& pass, const PackedMatrix& token_embedding,
                std::span<const std::int32_t> tokens,
                std::span<const std::int32_t> token_types);

// logits[rows, vocabulary] of a stack's output[rows, model_dim], which is
// overwritten, as is scratch[rows, model_dim].
void unembed(const Model& model, float* output, Index rows, float* scratch,
             float* logits);

// The logits that residual[rows, model_dim] would give if it left the last
// block: final norm and output projection (the logit lens, nostalgebraist
// 2020). Residual and scratch[rows, model_dim] are overwritten.
void read_logits(const Model& model, float* residual, Index rows,
                 float* scratch, float* logits);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_FORWARD_H_
