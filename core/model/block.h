// One block of a stack: attention on the text, in a decoder with an encoder
// attention on the source, and the MLP, each with its norm and added to the
// residual. What differs between families is data (config.h). Read block.cc
// from top to bottom: it follows the computation. Read next: forward.h.
#ifndef ATTNSCOPE_CORE_MODEL_BLOCK_H_
#define ATTNSCOPE_CORE_MODEL_BLOCK_H_

#include <span>

#include "core/model/kv_cache.h"
#include "core/model/model.h"
#include "core/model/run_options.h"
#include "core/model/workspace.h"
#include "core/trace/trace.h"

namespace attnscope {

// What a pass through a stack works with.
struct StackPass {
  const Kernels& kernels;
  Stack stack;
  const ModelConfig& config;  // of this stack
  const StackParameters& parameters;
  std::span<const AttentionSettings> settings;        // [layer]
  std::span<const AttentionSettings> cross_settings;  // [layer], or empty
  Execution execution;
  const Mask& positions;        // tells the positions of the tokens
  KvCache& cache;               // of the text
  const KvCache* source_cache;  // of the source; null without one
  Workspace& workspace;
  Trace& trace;
};

// The rows of a pass: `count` tokens, the first at place `first`.
struct Rows {
  Index first;
  Index count;
};

// y[rows, model_dim] from x.
void normalise(const Kernels& kernels, const ModelConfig& config,
               const Norm& norm, const float* x, Index rows, float* y);
// y[rows, out] = x[rows, in] x matrix + bias.
void project(const Kernels& kernels, const Projection& projection,
             const float* x, Index rows, float* y);
void activate(const Kernels& kernels, Activation activation, float* x, Index n);

// The cross-attention's keys and values of source[num_rows, model_dim], the
// encoder's output, into the cache.
void project_source(const StackPass& decoder, const float* source,
                    Index num_rows, KvCache& cache);

// Takes the residual through a block. Returns the number of attention rows
// (over heads) in which nothing was allowed.
Index run_block(const StackPass& pass, Rows rows, Index layer);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_BLOCK_H_
