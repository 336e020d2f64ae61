// Keys and values of the tokens so far, so that a new token costs one row
// instead of a whole pass. Stored as the packed right operands that the
// attention products read (../base/packed_matrix.h), allocated once for
// `capacity` tokens. Read next: run_options.h.
#ifndef ATTNSCOPE_CORE_MODEL_KV_CACHE_H_
#define ATTNSCOPE_CORE_MODEL_KV_CACHE_H_

#include "core/attention/attention.h"
#include "core/base/buffer.h"

namespace attnscope {

class KvCache {
 public:
  struct Shape {
    Index num_layers = 0;
    Index num_kv_heads = 0;
    Index head_dim = 0;
    Index capacity = 0;  // tokens
    Index panel_width = 0;
  };

  KvCache() = default;
  // Errors: kOutOfMemory.
  static Result<KvCache> allocate(const Shape& shape);

  Index length() const { return length_; }
  Index capacity() const { return shape_.capacity; }

  // Stores key[kv_head, head_dim] and value[kv_head, head_dim] of the token at
  // `place` < capacity. Does not change the length.
  void write(Index layer, Index place, const float* key, const float* value);
  // Declares the first `length` places valid.
  void set_length(Index length) { length_ = length; }

  // The first num_keys keys and values of a head.
  KeyValueView view(Index layer, Index kv_head, Index num_keys) const;

 private:
  // Floats of one head of one layer.
  Index head_keys() const;
  Index head_values() const;

  Shape shape_;
  Index length_ = 0;
  FloatBuffer keys_;    // [layer, kv_head, panel of places, head_dim, in panel]
  FloatBuffer values_;  // [layer, kv_head, panel of head_dim, place, in panel]
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_MODEL_KV_CACHE_H_
