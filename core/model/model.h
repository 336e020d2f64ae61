// A loaded model: configuration, parameters and the kernel table they were
// packed for. Immutable once made; sessions share it. Read next: kv_cache.h.
#ifndef ATTNSCOPE_CORE_MODEL_MODEL_H_
#define ATTNSCOPE_CORE_MODEL_MODEL_H_

#include "core/base/bytes.h"
#include "core/kernels/kernels.h"
#include "core/model/config.h"
#include "core/model/parameters.h"

namespace attnscope {

struct Model {
  ModelConfig config;
  ModelParameters parameters;
  Storage storage = Storage::kFloat32;  // of every matrix
  std::uint64_t stored_bytes = 0;       // of the parameters
  const Kernels* kernels = nullptr;     // never null in a loaded model
  // Most bytes that the parameters and one session may take together.
  std::uint64_t memory_limit = kAddressSpaceBytes;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_MODEL_H_
