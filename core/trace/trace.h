// What a run leaves behind for people to look at: tensors under the names that
// interpretability people know from TransformerLens. Recording only copies; it
// never changes results. Read next: ../model/decoder.h.
#ifndef ATTNSCOPE_CORE_TRACE_TRACE_H_
#define ATTNSCOPE_CORE_TRACE_TRACE_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"
#include "core/base/status.h"
#include "core/model/config.h"

namespace attnscope {

// In the order of the computation. P = positions so far, in text order.
enum class Hook {
  kEmbed,         // hook_embed                      [P, model_dim]
  kPosEmbed,      // hook_pos_embed                  [P, model_dim]
  kResidPre,      // blocks.L.hook_resid_pre         [P, model_dim]
  kQuery,         // blocks.L.attn.hook_q            [P, query_head, head_dim]
  kKey,           // blocks.L.attn.hook_k            [P, kv_head, head_dim]
  kValue,         // blocks.L.attn.hook_v            [P, kv_head, head_dim]
  kRotatedQuery,  // blocks.L.attn.hook_rot_q        [P, query_head, head_dim]
  kRotatedKey,    // blocks.L.attn.hook_rot_k        [P, kv_head, head_dim]
  kScores,        // blocks.L.attn.hook_scores       [query_head, P, P], before
                  //   scale and mask (not in TransformerLens)
  kMaskedScores,  // blocks.L.attn.hook_attn_scores  [query_head, P, P], after
  kWeights,       // blocks.L.attn.hook_pattern      [query_head, P, P]
  kHeadOutput,    // blocks.L.attn.hook_z            [P, query_head, head_dim]
  kAttnOut,       // blocks.L.hook_attn_out          [P, model_dim]
  kResidMid,      // blocks.L.hook_resid_mid         [P, model_dim], absent with
                  //   a parallel residual
  kMlpOut,        // blocks.L.hook_mlp_out           [P, model_dim]
  kResidPost,     // blocks.L.hook_resid_post        [P, model_dim]
  kFinalNorm,     // ln_final.hook_normalized        [P, model_dim], with gain
                  //   and bias applied
};

struct TensorId {
  Hook hook = Hook::kEmbed;
  Index layer = 0;  // 0 for the hooks outside blocks

  bool operator==(const TensorId&) const = default;
};

std::string tensor_name(TensorId id);
// Whether the tensor is one of attention's cells (scores, masked scores,
// weights), which the streaming execution never holds.
bool is_cells(Hook hook);
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

  // Room for what a run of num_queries tokens on num_keys keys will record,
  // kept with that of earlier runs. Errors: kOutOfMemory; then the trace is as
  // before.
  Status begin_run(Index num_queries, Index num_keys);
  // Appends rows[num_rows, width] to this run's tensor, if wanted.
  void record_rows(TensorId id, const float* rows, Index num_rows, Index width);
  // This run's cells [query_head, num_queries, num_keys], to be filled; null if
  // not wanted.
  float* cells(TensorId id);

  // The tensor over all positions so far. Cells that no run computed, since
  // their keys came after the query's run, hold 0 in weights, -infinity in
  // masked scores and NaN in scores. Errors: kUnknownTensor if not recorded,
  // kOutOfMemory.
  Result<Tensor> tensor(TensorId id) const;
  // One head of a [query_head, P, P] tensor, as [P, P]. Errors: those of
  // tensor, kInvalidArgument for a head that does not exist.
  Result<Tensor> head_cells(TensorId id, Index head) const;
  // The mean over positions of one head's output, [head_dim]; needs kHeadOutput
  // of that layer. Errors: kUnknownTensor, kInvalidArgument.
  Result<std::vector<float>> mean_head_output(Index layer, Index head) const;

 private:
  // What one run added to one tensor.
  struct Block {
    Index num_queries = 0;
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
  // Floats a position has in a tensor recorded by rows.
  Index row_width(Hook hook) const;
  Status check_recorded(TensorId id) const;
  void copy_head(const Slot& slot, Index head, float missing, Index positions,
                 float* output) const;

  ModelConfig config_;
  std::vector<Slot> slots_;  // [hook, layer]
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_TRACE_TRACE_H_
