// Builds a Model from a configuration and the bytes of model.safetensors as
// they arrive, in pieces of any size. Each element goes straight to its place
// in a packed matrix, so the file is never held. Read next: families.h (which
// tensor goes where).
#ifndef ATTNSCOPE_CORE_CHECKPOINT_CHECKPOINT_LOADER_H_
#define ATTNSCOPE_CORE_CHECKPOINT_CHECKPOINT_LOADER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/checkpoint/config_json.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/model.h"

namespace attnscope {

class CheckpointLoader {
 public:
  // `kernels` must outlive the model. Errors: those of parse_config.
  static Result<CheckpointLoader> begin(std::string_view config_json,
                                        const Kernels& kernels);

  CheckpointLoader(CheckpointLoader&&) noexcept;
  CheckpointLoader& operator=(CheckpointLoader&&) noexcept;
  ~CheckpointLoader();

  // The file's next bytes. Errors: those of parse_safetensors_header; as soon
  // as the header is known, kUnsupportedDtype, kMissingTensor, kWrongShape,
  // kUnsupportedSetting (a tensor of the decoder that the configuration has no
  // place for) and kOutOfMemory; then kOversized. After an error the loader
  // accepts no more.
  Status append(std::span<const std::uint8_t> bytes);

  // After the last byte, once. Errors: that of append, kTruncated,
  // kNotSafetensors (fewer than eight bytes).
  Result<std::unique_ptr<Model>> finish();

 private:
  struct State;
  explicit CheckpointLoader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_CHECKPOINT_LOADER_H_
