// The numbers of a checkpoint, as stored: F32, F16 and BF16 to float32, all
// exactly. Read next: slot.h.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_ELEMENTS_H_
#define ATTNSCOPE_CORE_CHECKPOINT_ELEMENTS_H_

#include <cstddef>
#include <cstdint>

#include "core/base/packed_matrix.h"
#include "core/checkpoint/safetensors.h"

namespace attnscope {

// Bytes of an element; 0 for kOther.
std::size_t element_bytes(Dtype dtype);

// output[i * stride] = element i of `bytes` (little endian, any alignment), for
// i in [0, count). Infinities stay, subnormals keep their value, a NaN stays a
// NaN. dtype is not kOther.
void convert_elements(const std::uint8_t* bytes, Dtype dtype, Index count,
                      float* output, Index stride);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_ELEMENTS_H_
