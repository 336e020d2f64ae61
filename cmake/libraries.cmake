# Where libraries come from: one's own (find_package), else the copies that the set-up staged from
# Debian 13 in .toolchain/headers, else their public releases. xsimd and nlohmann-json are headers only.

include(FetchContent)
set(staged ${CMAKE_SOURCE_DIR}/.toolchain/headers)

# attnscope_find(NAME VERSION URL): find_package, then the staged copy, then the release at URL.
macro(attnscope_find name version url)
  find_package(${name} ${version} QUIET)
  if(NOT ${name}_FOUND)
    find_package(${name} ${version} QUIET PATHS ${staged}/share/cmake NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  endif()
  if(NOT ${name}_FOUND)
    FetchContent_Declare(${name} URL ${url})
    FetchContent_MakeAvailable(${name})
  endif()
endmacro()

# The staged xsimd was packaged with optional support for xtl, which it looks for in the same place.
if(EXISTS ${staged}/share/cmake/xtl)
  set(xtl_DIR ${staged}/share/cmake/xtl)
endif()
attnscope_find(xsimd 13.2 https://github.com/xtensor-stack/xsimd/archive/refs/tags/13.2.0.tar.gz)
attnscope_find(nlohmann_json 3.11 https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz)

# GoogleTest has code to compile: a library of the machine serves native builds only.
set(INSTALL_GTEST OFF)
set(BUILD_GMOCK OFF)
if(NOT EMSCRIPTEN)
  find_package(GTest QUIET)
  find_package(benchmark QUIET)
endif()
if(NOT GTest_FOUND)
  if(EXISTS ${staged}/src/googletest)
    add_subdirectory(${staged}/src/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  else()
    FetchContent_Declare(googletest URL https://github.com/google/googletest/archive/refs/tags/v1.16.0.tar.gz)
    FetchContent_MakeAvailable(googletest)
  endif()
endif()
