# Compiler and linker flags, and which kernel source is compiled for which vector unit.
# Next to read: core/kernels, where table.cc picks one of the compiled kernels at run time.

add_library(attnscope_flags INTERFACE)
target_compile_options(attnscope_flags INTERFACE -Wall -Wextra -Wpedantic -Werror)
# GCC 12 warns of overlap in its own std::string (GCC bug 105651).
target_compile_options(attnscope_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
# A multiply and an add stay two roundings, so that every 128-bit build computes the same bits.
target_compile_options(attnscope_flags INTERFACE -ffp-contract=off)
if(ATTNSCOPE_SANITIZE)
  target_compile_options(attnscope_flags INTERFACE -O1 -g -fno-omit-frame-pointer
    -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_link_options(attnscope_flags INTERFACE -fsanitize=address,undefined)
endif()
if(ATTNSCOPE_FUZZ)
  target_compile_options(attnscope_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# xsimd's headers as system headers: warnings in them are not ours.
add_library(attnscope_xsimd INTERFACE)
target_include_directories(attnscope_xsimd SYSTEM INTERFACE $<TARGET_PROPERTY:xsimd,INTERFACE_INCLUDE_DIRECTORIES>)

if(EMSCRIPTEN)
  # A module holds one variant: engines validate a module whole, unused instructions included.
  set(ATTNSCOPE_VARIANTS ${ATTNSCOPE_WASM_VARIANT})
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(ATTNSCOPE_VARIANTS scalar neon64)
else()
  set(ATTNSCOPE_VARIANTS scalar sse4_2 avx2 avx512)
endif()

set(flags_of_scalar "")
set(flags_of_sse4_2 -msse4.2)
set(flags_of_avx2 -mavx2 -mfma)
set(flags_of_avx512 -mavx512f -mavx512cd -mavx512dq -mavx512bw -mavx512vl)
set(flags_of_neon64 "")
set(flags_of_simd128 -msimd128)
set(flags_of_relaxed -msimd128 -mrelaxed-simd)

# Adds core/kernels/arch_<variant>.cc for each variant, with the flags of that unit on that file alone,
# and defines ATTNSCOPE_HAS_<VARIANT>.
function(attnscope_add_kernels target)
  foreach(variant IN LISTS ATTNSCOPE_VARIANTS)
    set(source ${CMAKE_SOURCE_DIR}/core/kernels/arch_${variant}.cc)
    target_sources(${target} PRIVATE ${source})
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags_of_${variant}}")
    string(TOUPPER ${variant} name)
    target_compile_definitions(${target} PUBLIC ATTNSCOPE_HAS_${name}=1)
  endforeach()
endfunction()

# Memory never shrinks, so it grows in small steps: the default of a fifth would be most of the slack
# that a load is allowed beside a model of any size.
set(ATTNSCOPE_WASM_MEMORY -sALLOW_MEMORY_GROWTH=1 -sMEMORY_GROWTH_GEOMETRIC_STEP=0.05 -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=1MB)
# An ES module for pages, workers and node that needs no eval (strict CSP) and no virtual file system.
set(ATTNSCOPE_WASM_MODULE -lembind -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker,node
  -sDYNAMIC_EXECUTION=0 -sFILESYSTEM=0 --no-entry)
