// Amounts of memory, counted in 64 bits that saturate: no size from outside can
// look small because a product wrapped around. Read next: buffer.h.
#ifndef ATTNSCOPE_CORE_BASE_BYTES_H_
#define ATTNSCOPE_CORE_BASE_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace attnscope {

// More than a pointer of this machine can tell apart: 4 GB in WebAssembly.
inline constexpr std::uint64_t kAddressSpaceBytes =
    sizeof(void*) == 4 ? std::uint64_t{1} << 32 : std::uint64_t{1} << 47;

std::uint64_t add_bytes(std::uint64_t a, std::uint64_t b);
// Of an array with these sizes, none of them negative.
std::uint64_t array_bytes(std::initializer_list<std::ptrdiff_t> sizes,
                          std::size_t element_bytes);

// For messages, rounded up and in units of 1024: "5.2 GB", "4 GB", "17 bytes".
std::string bytes_text(std::uint64_t bytes);

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_BASE_BYTES_H_
