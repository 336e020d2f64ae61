// Keys and values of the tokens so far, so that a new token costs one row
// instead of a whole pass. Stored as the packed right operands that the
// attention products read (../base/packed_matrix.h), allocated once. A layer
// that looks back no further than a window keeps little more than that. Read
// next: run_options.h.
#ifndef ATTNSCOPE_CORE_MODEL_KV_CACHE_H_
#define ATTNSCOPE_CORE_MODEL_KV_CACHE_H_

#include <vector>

#include "core/attention/attention.h"
#include "core/base/buffer.h"

namespace attnscope {

class KvCache {
 public:
  struct Shape {
    Index num_kv_heads = 0;
    Index head_dim = 0;
    Index capacity = 0;  // tokens
    Index panel_width = 0;
    // [layer] keys that a query sees, its own included; 0 means all.
    std::vector<Index> windows;
  };

  KvCache() = default;
  // Errors: kOutOfMemory.
  static Result<KvCache> allocate(Shape shape);
  // The bytes that allocate() takes. Saturates (../base/bytes.h).
  static std::uint64_t allocated_bytes(const Shape& shape);

  Index length() const { return length_; }
  Index capacity() const { return shape_.capacity; }
  // Places that a layer keeps; fewer than the capacity if it has a window:
  // that, a block of queries and what rounds both up to blocks of keys.
  Index places(Index layer) const;
  // Tokens that may be written before their queries are attended, so that
  // nothing is dropped that one of them sees.
  Index most_at_once(Index layer) const;
  const Shape& shape() const { return shape_; }
  // Floats, of keys and values together.
  std::size_t size() const { return keys_.size() + values_.size(); }

  // Starts anew, with nothing valid.
  void clear();
  // Stores key[kv_head, head_dim] and value[kv_head, head_dim] of the token at
  // `place` < capacity; places follow one another. Drops the oldest block of
  // keys where the layer is full. Does not change the length.
  void write(Index layer, Index place, const float* key, const float* value);
  // Declares the first `length` places valid.
  void set_length(Index length) { length_ = length; }

  // Place of the first key that a layer still has, a multiple of kKeyBlock.
  Index first_key(Index layer) const {
    return layers_[static_cast<std::size_t>(layer)].first;
  }
  // The keys and values of a head from first_key(layer) to `end`.
  KeyValueView view(Index layer, Index kv_head, Index end) const;

 private:
  struct Layer {
    Index places = 0;
    Index first = 0;         // place of what is stored first
    std::size_t keys = 0;    // where the layer starts in keys_
    std::size_t values = 0;  // and in values_
  };
  // Floats of one head in a layer.
  Index head_keys(const Layer& layer) const;
  Index head_values(const Layer& layer) const;
  void drop_block(Layer& layer);

  Shape shape_;
  Index length_ = 0;
  std::vector<Layer> layers_;
  FloatBuffer keys_;    // [layer, kv_head, panel of places, head_dim, in panel]
  FloatBuffer values_;  // [layer, kv_head, panel of head_dim, place, in panel]
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_KV_CACHE_H_
