// Where the elements of one tensor of a checkpoint go. A slot covers the ways
// in which families store the same thing: matrices as [out, in] or [in, out],
// and query, key and value fused into one tensor. Read next: families.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_SLOT_H_
#define ATTNSCOPE_CORE_CHECKPOINT_SLOT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/buffer.h"
#include "core/base/packed_matrix.h"
#include "core/base/status.h"

namespace attnscope {

enum class Layout {
  kFlat,         // [out] or [out, in], to a buffer of the same order
  kOutputFirst,  // [out, in] to a matrix, as torch.nn.Linear is stored
  kInputFirst,   // [in, out] to a matrix, as GPT-2 stores its projections
};

struct Slot {
  std::string name;  // of the tensor
  // Its other spelling in files from before 2020; empty where there is none.
  std::string old_name;
  std::vector<std::uint64_t> shape;
  Layout layout = Layout::kFlat;
  // 0 for tensors that must be there. Others may be missing, but only together
  // with all of the same set.
  int optional_set = 0;
  Index outputs = 0;
  Index inputs = 1;

  // The destinations: one kind, one or more of equal size. Of several, `group`
  // consecutive outputs go to the first, as many to the next, and so on, in
  // turns: with query, key and value, group = model_dim splits [q; k; v] and
  // group = head_dim splits [head, (q; k; v)].
  std::vector<PackedMatrix*> matrices;
  std::vector<FloatBuffer*> buffers;
  Index group = 0;

  std::uint64_t num_elements() const;
  // That allocate() takes, exact even where Index is too small to count it.
  // Saturates (../base/bytes.h).
  std::uint64_t allocated_bytes(Index panel_width, Storage storage) const;
  // Matrices are kept in that kind, buffers always as float32. Errors:
  // kOutOfMemory.
  Status allocate(Index panel_width, Storage storage) const;

  // The place of an element, and how many from it on follow `stride` elements
  // of the kind apart.
  struct Run {
    void* first;
    Storage storage;
    Index stride;
    Index length;
  };
  // Only after allocate(), for element < num_elements().
  Run run_at(Index element) const;

  // Which destination an output is in, and where there.
  struct Place {
    std::size_t part;
    Index column;
    Index left_in_group;  // this output and those of its group after it
  };
  Place place_of(Index output) const;

 private:
  Index num_parts() const {
    return static_cast<Index>(matrices.size() + buffers.size());
  }
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_SLOT_H_
