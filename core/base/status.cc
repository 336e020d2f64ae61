// Names of the status codes, as the package's AttnscopeError shows them.
#include "core/base/status.h"

namespace attnscope {

const char* status_code_name(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid-argument";
    case StatusCode::kEmptyInput:
      return "empty-input";
    case StatusCode::kTokenOutOfRange:
      return "token-out-of-range";
    case StatusCode::kCapacityReached:
      return "capacity-reached";
    case StatusCode::kOutOfMemory:
      return "out-of-memory";
    case StatusCode::kInvalidConfig:
      return "invalid-config";
    case StatusCode::kUnsupportedArchitecture:
      return "unsupported-architecture";
    case StatusCode::kUnsupportedSetting:
      return "unsupported-setting";
    case StatusCode::kNotSafetensors:
      return "not-safetensors";
    case StatusCode::kCorruptHeader:
      return "corrupt-header";
    case StatusCode::kTruncated:
      return "truncated";
    case StatusCode::kOversized:
      return "oversized";
    case StatusCode::kUnsupportedDtype:
      return "unsupported-dtype";
    case StatusCode::kMissingTensor:
      return "missing-tensor";
    case StatusCode::kWrongShape:
      return "wrong-shape";
    case StatusCode::kUnknownTensor:
      return "unknown-tensor";
  }
  return "unknown";
}

}  // namespace attnscope
