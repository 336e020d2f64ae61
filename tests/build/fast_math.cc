// Compiled with -ffast-math by a CMake test, which expects the core's headers
// to refuse.

#include "core/base/status.h"
