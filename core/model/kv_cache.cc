// Layout of the cache. A key is a column of its head's packed keys, a value a
// row of its head's packed values.
#include "core/model/kv_cache.h"

#include <utility>

namespace attnscope {

Index KvCache::head_keys() const {
  return num_panels(shape_.capacity, shape_.panel_width) * shape_.panel_width *
         shape_.head_dim;
}

Index KvCache::head_values() const {
  return num_panels(shape_.head_dim, shape_.panel_width) * shape_.panel_width *
         shape_.capacity;
}

Result<KvCache> KvCache::allocate(const Shape& shape) {
  KvCache cache;
  cache.shape_ = shape;
  const Index heads = shape.num_layers * shape.num_kv_heads;
  const Index width = shape.panel_width;
  const Index places = num_panels(shape.capacity, width) * width;
  const Index dims = num_panels(shape.head_dim, width) * width;
  auto keys =
      FloatBuffer::allocate(heads * shape.head_dim, places, "cached keys");
  if (!keys.ok()) return keys.status();
  auto values =
      FloatBuffer::allocate(heads * dims, shape.capacity, "cached values");
  if (!values.ok()) return values.status();
  cache.keys_ = std::move(keys.value());
  cache.values_ = std::move(values.value());
  return cache;
}

void KvCache::write(Index layer, Index place, const float* key,
                    const float* value) {
  const Index width = shape_.panel_width;
  const Index head_dim = shape_.head_dim;
  for (Index head = 0; head < shape_.num_kv_heads; ++head) {
    const Index index = layer * shape_.num_kv_heads + head;
    float* column = keys_.data() + index * head_keys() +
                    place / width * (head_dim * width) + place % width;
    float* row = values_.data() + index * head_values() + place * width;
    for (Index d = 0; d < head_dim; ++d) {
      column[d * width] = key[head * head_dim + d];
      row[d / width * (shape_.capacity * width) + d % width] =
          value[head * head_dim + d];
    }
  }
}

KeyValueView KvCache::view(Index layer, Index kv_head, Index num_keys) const {
  const Index width = shape_.panel_width;
  const Index index = layer * shape_.num_kv_heads + kv_head;
  return {{keys_.data() + index * head_keys(), shape_.head_dim, num_keys, width,
           shape_.head_dim * width},
          {values_.data() + index * head_values(), num_keys, shape_.head_dim,
           width, shape_.capacity * width}};
}

}  // namespace attnscope
