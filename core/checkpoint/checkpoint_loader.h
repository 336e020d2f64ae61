// Builds a Model from a configuration and the bytes of one or more safetensors
// files as they arrive, in pieces of any size. Each element goes straight to
// its place in a packed matrix, so the file is never held. Read next:
// tensor_assignment.h (which tensor goes where).
#ifndef ATTNSCOPE_CORE_CHECKPOINT_CHECKPOINT_LOADER_H_
#define ATTNSCOPE_CORE_CHECKPOINT_CHECKPOINT_LOADER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/bytes.h"
#include "core/checkpoint/config_json.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/slot.h"
#include "core/model/model.h"

namespace attnscope {

struct LoadOptions {
  // That the checkpoint's tensors are spread over, in any order.
  Index num_files = 1;
  // Most bytes that the model may take; for int8 with the largest matrix that
  // is stored as [in, out], which is held as float32 meanwhile.
  std::uint64_t memory_limit = kAddressSpaceBytes;
  // The kind that matrices are kept in. bfloat16 and float16 are exact for
  // checkpoints of that type, int8 is for none.
  Storage storage = Storage::kFloat32;
};

class CheckpointLoader {
 public:
  // `kernels` must outlive the model. Errors: those of parse_config,
  // kInvalidArgument (no file), kOutOfMemory (the model needs more than the
  // limit).
  static Result<CheckpointLoader> begin(std::string_view config_json,
                                        const Kernels& kernels,
                                        const LoadOptions& options = {});

  CheckpointLoader(CheckpointLoader&&) noexcept;
  CheckpointLoader& operator=(CheckpointLoader&&) noexcept;
  ~CheckpointLoader();

  // The tensors that the checkpoint must hold, in the order of the computation.
  std::span<const Slot> slots() const;

  // The file's next bytes. Errors: those of parse_safetensors_header; as soon
  // as the header is known, those of TensorAssignment::assign, kOutOfMemory
  // and, in the last file, kMissingTensor; then kOversized, kInvalidArgument (a
  // number that the storage kind cannot hold). After an error the loader
  // accepts no more.
  Status append(std::span<const std::uint8_t> bytes);

  // After a file's last byte: what follows is the next one's. Errors: that of
  // append, kTruncated, kNotSafetensors (fewer than eight bytes),
  // kInvalidArgument (it was the last).
  Status next_file();

  // After the last file's last byte, once. Errors: those of next_file,
  // kTruncated where files are left.
  Result<std::unique_ptr<Model>> finish();

 private:
  struct State;
  explicit CheckpointLoader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_CHECKPOINT_LOADER_H_
