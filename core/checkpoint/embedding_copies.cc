// FNV-1a (Fowler, Noll, Vo), 64 bits: it does not matter where pieces end.
#include "core/checkpoint/embedding_copies.h"

#include "core/checkpoint/quote.h"

namespace attnscope {
namespace {

constexpr std::uint64_t kBasis = 0xcbf29ce484222325;
constexpr std::uint64_t kPrime = 0x100000001b3;

}  // namespace

void EmbeddingCopies::begin_embedding(std::string_view name) {
  embedding_ = {std::string(name), kBasis};
  in_copy_ = false;
}

void EmbeddingCopies::begin_copy(std::string_view name) {
  copies_.push_back({std::string(name), kBasis});
  in_copy_ = true;
}

void EmbeddingCopies::append(std::span<const std::uint8_t> bytes) {
  Hashed& tensor = in_copy_ ? copies_.back() : embedding_;
  std::uint64_t hash = tensor.hash;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * kPrime;
  tensor.hash = hash;
}

Status EmbeddingCopies::check() const {
  for (const Hashed& copy : copies_)
    if (copy.hash != embedding_.hash)
      return {StatusCode::kUnsupportedSetting,
              "tensor " + quote(copy.name) + " differs from " +
                  quote(embedding_.name) +
                  "; only one that repeats it is implemented"};
  return {};
}

}  // namespace attnscope
