// Files may hold the token embedding more than once: as a tied output, as the
// embeddings of two stacks. The further ones are skipped, which is right only
// if they are the same, and files are read once, from front to back: so each is
// hashed. Read next: checkpoint_loader.cc.
#ifndef ATTNSCOPE_CORE_CHECKPOINT_EMBEDDING_COPIES_H_
#define ATTNSCOPE_CORE_CHECKPOINT_EMBEDDING_COPIES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace attnscope {

class EmbeddingCopies {
 public:
  // A tensor whose bytes follow, in pieces.
  void begin_embedding(std::string_view name);
  void begin_copy(std::string_view name);
  void append(std::span<const std::uint8_t> bytes);
  // After the last byte of all. Errors: kUnsupportedSetting, naming the copy.
  Status check() const;

 private:
  struct Hashed {
    std::string name;
    std::uint64_t hash;
  };
  Hashed embedding_ = {};
  std::vector<Hashed> copies_;
  bool in_copy_ = false;
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_CHECKPOINT_EMBEDDING_COPIES_H_
