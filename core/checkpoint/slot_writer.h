// Puts the bytes of one tensor after the other where their slots say, in the
// storage kind of the model. int8 needs a whole output before its scale is
// known: a tensor [out, in] waits a row at a time in a float32 scratch, a
// tensor [in, out] as a whole. Read next: elements.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_SLOT_WRITER_H_
#define ATTNSCOPE_CORE_CHECKPOINT_SLOT_WRITER_H_

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/slot.h"

namespace attnscope {

class SlotWriter {
 public:
  // For tensors of these slots; takes no memory yet.
  SlotWriter(const std::vector<Slot>& slots, Index panel_width,
             Storage storage);

  // That all slots take together.
  std::uint64_t stored_bytes() const { return stored_bytes_; }
  // With the scratch.
  std::uint64_t needed_bytes() const;

  // Takes the memory for a tensor whose bytes follow. The slot outlives that.
  // Errors: kOutOfMemory.
  Status begin(const Slot& slot, Dtype dtype);
  // Its next bytes; pieces may begin and end within an element. Errors:
  // kInvalidArgument (a number that the storage kind cannot hold).
  Status write(std::span<const std::uint8_t> bytes);

 private:
  Status write_whole(const std::uint8_t* bytes, Index count);
  Status quantize(Index first_output, Index count);
  Status cannot_hold(const std::string& what) const;

  Index panel_width_;
  Storage storage_;
  std::uint64_t stored_bytes_ = 0;
  Index scratch_size_ = 0;  // floats that the largest tensor needs
  FloatBuffer scratch_;     // kInt8 only

  // The tensor under way.
  const Slot* slot_ = nullptr;
  Dtype dtype_ = Dtype::kOther;
  Index element_ = 0;          // the next
  std::size_t cut_bytes_ = 0;  // of it that are here already
  std::array<std::uint8_t, 4> cut_element_ = {};
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_SLOT_WRITER_H_
