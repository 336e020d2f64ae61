// The numbers of a checkpoint, from the type they are stored in there (F32,
// F16, BF16) to the kind they are kept in here. Read next: slot.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_ELEMENTS_H_
#define ATTNSCOPE_CORE_CHECKPOINT_ELEMENTS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/buffer.h"
#include "core/base/storage.h"
#include "core/checkpoint/safetensors.h"

namespace attnscope {

// Bytes of an element; 0 for kOther.
std::size_t element_bytes(Dtype dtype);

// output[i * stride] = element i of `bytes` (little endian, any alignment), for
// i in [0, count); `output` holds elements of `storage`, rounded as storage.h
// says. Every type is exact in float32, and in itself. False if a finite number
// became an infinity. dtype is not kOther, storage not kInt8, whose scale takes
// a column to know (slot_writer.h).
bool convert_elements(const std::uint8_t* bytes, Dtype dtype, Index count,
                      Storage storage, void* output, Index stride);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_ELEMENTS_H_
