// What a run leaves behind for people to look at: tensors under the names that
// interpretability people know from TransformerLens. Recording only copies; it
// never changes results. Read next: ../model/block.h.
#ifndef ATTNSCOPE_CORE_TRACE_TRACE_H_
#define ATTNSCOPE_CORE_TRACE_TRACE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"
#include "core/base/status.h"
#include "core/model/config.h"
#include "core/trace/intervention.h"

namespace attnscope {

// In the order of the computation. P = positions so far, in text order; S =
// those of the source. Names are those of a model with one stack; of an
// encoder-decoder "encoder.L." or "decoder.L." stands for "blocks.L.",
// "encoder.hook_embed" for "hook_embed" and "encoder_final_ln" for "ln_final".
enum class Hook {
  kEmbed,           // hook_embed                    [P, model_dim]
  kTokenTypeEmbed,  // hook_token_type_embed         [P, model_dim]
  kPosEmbed,        // hook_pos_embed                [P, model_dim]
  kResidPre,        // blocks.L.hook_resid_pre       [P, model_dim]
  kQuery,           // blocks.L.attn.hook_q            [P, query_head, head_dim]
  kKey,             // blocks.L.attn.hook_k            [P, kv_head, head_dim]
  kValue,           // blocks.L.attn.hook_v            [P, kv_head, head_dim]
  kRotatedQuery,    // blocks.L.attn.hook_rot_q        [P, query_head, head_dim]
  kRotatedKey,      // blocks.L.attn.hook_rot_k        [P, kv_head, head_dim]
  kScores,        // blocks.L.attn.hook_scores       [query_head, P, P], before
                  //   scale and mask (not in TransformerLens)
  kMaskedScores,  // blocks.L.attn.hook_attn_scores  [query_head, P, P], after
  kWeights,       // blocks.L.attn.hook_pattern      [query_head, P, P]
  kHeadOutput,    // blocks.L.attn.hook_z            [P, query_head, head_dim]
  kAttnOut,       // blocks.L.hook_attn_out          [P, model_dim]
  kResidMid,      // blocks.L.hook_resid_mid         [P, model_dim], absent with
                  //   a parallel residual
  // The decoder of an encoder-decoder on the source.
  kCrossQuery,         // decoder.L.cross_attn.hook_q      [P, head, head_dim]
  kCrossKey,           // decoder.L.cross_attn.hook_k      [S, head, head_dim]
  kCrossValue,         // decoder.L.cross_attn.hook_v      [S, head, head_dim]
  kCrossScores,        // decoder.L.cross_attn.hook_scores [head, P, S]
  kCrossMaskedScores,  // decoder.L.cross_attn.hook_attn_scores
                       //                                  [head, P, S]
  kCrossWeights,       // decoder.L.cross_attn.hook_pattern [head, P, S]
  kCrossHeadOutput,    // decoder.L.cross_attn.hook_z      [P, head, head_dim]
  kCrossAttnOut,       // decoder.L.hook_cross_attn_out    [P, model_dim]
  kResidMidCross,      // decoder.L.hook_resid_mid_cross   [P, model_dim]
  kMlpOut,             // blocks.L.hook_mlp_out            [P, model_dim]
  kResidPost,          // blocks.L.hook_resid_post         [P, model_dim]
  kNormedResidPost,    // blocks.L.hook_normalized_resid_post [P, model_dim],
                       //   only with norms after each part
  kFinalNorm,          // ln_final.hook_normalized         [P, model_dim], with
                       //   gain and bias applied
};

struct TensorId {
  Hook hook = Hook::kEmbed;
  Index layer = 0;  // 0 for the hooks outside blocks
  Stack stack = Stack::kText;

  bool operator==(const TensorId&) const = default;
};

std::string tensor_name(TensorId id, const ModelConfig& config);
// Whether the tensor is one of attention's cells (scores, masked scores,
// weights), which the streaming execution never holds.
bool is_cells(Hook hook);
// Whether it is the residual, which the logit lens reads.
bool is_residual(Hook hook);
// The weights of a layer of one part.
TensorId weights_of(AttentionPart part, Index layer);
// Errors: kUnknownTensor, naming it, also for a layer or hook that the model
// does not have.
Result<TensorId> parse_tensor_name(std::string_view name,
                                   const ModelConfig& config);
// Every tensor that a run of this model can record, in order.
std::vector<TensorId> all_tensors(const ModelConfig& config);

// A dense copy, row-major.
struct Tensor {
  std::vector<Index> shape;
  FloatBuffer data;
};

class Trace {
 public:
  Trace() = default;
  explicit Trace(const ModelConfig& config);

  void want(TensorId id) { slot(id).wanted = true; }

  // Room for what a run of a stack will record, num_queries tokens on num_keys
  // keys and num_source of a source, kept with that of earlier runs. Errors:
  // kOutOfMemory; then the trace is as before.
  Status begin_run(Stack stack, Index num_queries, Index num_keys,
                   Index num_source);
  // The bytes that begin_run() would take; saturates (../base/bytes.h). And
  // those that it took so far.
  std::uint64_t run_bytes(Stack stack, Index num_queries, Index num_keys,
                          Index num_source) const;
  std::uint64_t held_bytes() const { return held_bytes_; }
  // Appends rows[num_rows, width] to this run's tensor, if wanted.
  void record_rows(TensorId id, const float* rows, Index num_rows, Index width);
  // This run's cells [query_head, num_queries, num_keys], to be filled; null if
  // not wanted.
  float* cells(TensorId id);

  // The tensor over all positions so far. Cells that no run computed, since
  // their keys came after the query's run or had left the cache of a window,
  // hold 0 in weights, -infinity in masked scores and NaN in scores. Errors:
  // kUnknownTensor if not recorded, kOutOfMemory.
  Result<Tensor> tensor(TensorId id) const;
  // One head of a tensor of cells, as [query, key]. Errors: those of tensor,
  // kInvalidArgument for a head that does not exist.
  Result<Tensor> head_cells(TensorId id, Index head) const;
  // The mean over positions of one head's output, [head_dim]; needs the head
  // outputs of that layer. Errors: kUnknownTensor, kInvalidArgument.
  Result<std::vector<float>> mean_head_output(AttentionPart part, Index layer,
                                              Index head) const;

 private:
  // What one run added to one tensor.
  struct Block {
    Index num_queries = 0;  // rows, of tensors recorded by rows
    Index num_keys = 0;
    Index filled = 0;  // floats, of tensors recorded by rows
    FloatBuffer data;  // [num_queries, width] or [query_head, num_queries,
                       // num_keys]
  };
  struct Slot {
    bool wanted = false;
    std::vector<Block> blocks;
  };

  std::size_t slot_index(TensorId id) const;
  Slot& slot(TensorId id) { return slots_[slot_index(id)]; }
  const Slot& slot(TensorId id) const { return slots_[slot_index(id)]; }
  const ModelConfig& config_of(Stack stack) const {
    return stack == Stack::kText ? config_ : encoder_;
  }
  // What a run adds to a tensor, without its data; nothing to most.
  std::optional<Block> next_block(TensorId id, Index num_queries,
                                  Index num_keys, Index num_source) const;
  // Of a block's data: [num_queries, width], or of cells [query_head,
  // num_queries, num_keys].
  std::array<Index, 3> block_shape(TensorId id, const Block& block) const;
  // Floats a position has in a tensor recorded by rows.
  Index row_width(TensorId id) const;
  Status check_recorded(TensorId id) const;
  // [head, query, key], cells that no run computed included.
  Result<Tensor> cells_of_heads(TensorId id, Index first_head,
                                Index num_heads) const;
  Index num_layers() const { return config_.num_layers + encoder_.num_layers; }

  ModelConfig config_;
  ModelConfig encoder_;  // of the encoder, without layers if there is none
  std::uint64_t held_bytes_ = 0;
  std::vector<Slot> slots_;  // [hook, layer of the text's stack or the encoder]
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_TRACE_TRACE_H_
