// Layout of the cache. A key is a column of its head's packed keys, a value a
// row of its head's packed values.
#include "core/model/kv_cache.h"

#include <algorithm>
#include <utility>

#include "core/base/bytes.h"

namespace attnscope {

namespace {

Index round_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

// Whole blocks of keys are dropped, so that the others stay where they were
// within their blocks: then a sum over a row has the same order, and the same
// bits, as in a full pass. There must be room for what a block of queries sees
// when that happens.
Index places_for(Index window, Index capacity) {
  if (window == 0 || window > capacity) return capacity;
  const Index seen = round_up(window + kQueryBlock, kKeyBlock);
  return std::min(capacity, seen + kKeyBlock);
}

}  // namespace

Index KvCache::head_keys(const Layer& layer) const {
  return round_up(layer.places, shape_.panel_width) * shape_.head_dim;
}

Index KvCache::head_values(const Layer& layer) const {
  return round_up(shape_.head_dim, shape_.panel_width) * layer.places;
}

std::uint64_t KvCache::allocated_bytes(const Shape& shape) {
  const Index heads = shape.num_kv_heads;
  const Index width = shape.panel_width;
  std::uint64_t bytes = 0;
  for (const Index window : shape.windows) {
    const Index places = places_for(window, shape.capacity);
    const auto add = [&](Index rows, Index columns) {
      bytes =
          add_bytes(bytes, array_bytes({heads, rows, columns}, sizeof(float)));
    };
    add(shape.head_dim, round_up(places, width));
    add(round_up(shape.head_dim, width), places);
  }
  return bytes;
}

Result<KvCache> KvCache::allocate(Shape shape) {
  // Then no sum or product below is too large for an Index.
  const std::uint64_t bytes = allocated_bytes(shape);
  if (bytes > kAddressSpaceBytes)
    return Status(StatusCode::kOutOfMemory, "there is no room of " +
                                                bytes_text(bytes) +
                                                " for cached keys and values");
  KvCache cache;
  cache.shape_ = std::move(shape);
  const Index heads = cache.shape_.num_kv_heads;
  const Index width = cache.shape_.panel_width;
  Index key_places = 0, value_places = 0;  // over layers
  for (const Index window : cache.shape_.windows) {
    Layer layer;
    layer.places = places_for(window, cache.shape_.capacity);
    layer.keys = static_cast<std::size_t>(key_places) *
                 static_cast<std::size_t>(heads * cache.shape_.head_dim);
    layer.values = static_cast<std::size_t>(value_places) *
                   static_cast<std::size_t>(
                       heads * round_up(cache.shape_.head_dim, width));
    key_places += round_up(layer.places, width);
    value_places += layer.places;
    cache.layers_.push_back(layer);
  }
  auto keys = FloatBuffer::allocate(heads * cache.shape_.head_dim, key_places,
                                    "cached keys");
  if (!keys.ok()) return keys.status();
  auto values =
      FloatBuffer::allocate(heads * round_up(cache.shape_.head_dim, width),
                            value_places, "cached values");
  if (!values.ok()) return values.status();
  cache.keys_ = std::move(keys.value());
  cache.values_ = std::move(values.value());
  return cache;
}

Index KvCache::places(Index layer) const {
  return layers_[static_cast<std::size_t>(layer)].places;
}

Index KvCache::most_at_once(Index layer) const {
  return places(layer) < shape_.capacity ? kQueryBlock : shape_.capacity;
}

void KvCache::clear() {
  length_ = 0;
  for (Layer& layer : layers_) layer.first = 0;
}

void KvCache::write(Index layer_index, Index place, const float* key,
                    const float* value) {
  Layer& layer = layers_[static_cast<std::size_t>(layer_index)];
  if (place - layer.first == layer.places) drop_block(layer);
  const Index column_index = place - layer.first;
  const Index width = shape_.panel_width;
  const Index head_dim = shape_.head_dim;
  for (Index head = 0; head < shape_.num_kv_heads; ++head) {
    float* column = keys_.data() + layer.keys + head * head_keys(layer) +
                    column_index / width * (head_dim * width) +
                    column_index % width;
    float* row = values_.data() + layer.values + head * head_values(layer) +
                 column_index * width;
    for (Index d = 0; d < head_dim; ++d) {
      column[d * width] = key[head * head_dim + d];
      row[d / width * (layer.places * width) + d % width] =
          value[head * head_dim + d];
    }
  }
}

// Moves what is stored a block of keys towards the front.
void KvCache::drop_block(Layer& layer) {
  const Index width = shape_.panel_width;
  const Index value_panels = num_panels(shape_.head_dim, width);
  for (Index head = 0; head < shape_.num_kv_heads; ++head) {
    float* keys = keys_.data() + layer.keys + head * head_keys(layer);
    std::copy(keys + kKeyBlock * shape_.head_dim, keys + head_keys(layer),
              keys);
    for (Index panel = 0; panel < value_panels; ++panel) {
      float* values = values_.data() + layer.values +
                      head * head_values(layer) + panel * layer.places * width;
      std::copy(values + kKeyBlock * width, values + layer.places * width,
                values);
    }
  }
  layer.first += kKeyBlock;
}

KeyValueView KvCache::view(Index layer_index, Index kv_head, Index end) const {
  const Layer& layer = layers_[static_cast<std::size_t>(layer_index)];
  const Index width = shape_.panel_width;
  const Index num_keys = end - layer.first;
  return {{keys_.data() + layer.keys + kv_head * head_keys(layer),
           shape_.head_dim, num_keys, width, shape_.head_dim * width},
          {values_.data() + layer.values + kv_head * head_values(layer),
           num_keys, shape_.head_dim, width, layer.places * width}};
}

}  // namespace attnscope
