// The rules of mask.h.
#include "core/attention/mask.h"

#include <algorithm>
#include <utility>

namespace attnscope {

Mask Mask::causal() {
  Mask mask;
  mask.causal_ = true;
  return mask;
}

Mask Mask::sliding_window(Index size) { return causal() & reach(size); }

Mask Mask::reach(Index size) {
  Mask mask;
  mask.window_ = size;
  return mask;
}

Mask Mask::prefix(Index length) {
  Mask mask = causal();
  mask.prefix_ = length;
  return mask;
}

Mask Mask::padding(std::vector<std::uint8_t> hidden) {
  Mask mask;
  mask.hidden_ = std::move(hidden);
  return mask;
}

Mask Mask::operator&(const Mask& other) const {
  Mask both = *this;
  both.causal_ = causal_ || other.causal_;
  // A prefix only loosens its own causal rule: against a plain causal mask
  // nothing of it is left.
  if (causal_ && other.causal_) {
    both.prefix_ = std::min(prefix_, other.prefix_);
  } else {
    both.prefix_ = std::max(prefix_, other.prefix_);
  }
  if (both.window_ == kUnlimited) {
    both.window_ = other.window_;
  } else if (other.window_ != kUnlimited) {
    both.window_ = std::min(window_, other.window_);
  }
  if (both.hidden_.size() < other.hidden_.size()) {
    both.hidden_.resize(other.hidden_.size(), 0);
  }
  for (std::size_t j = 0; j < other.hidden_.size(); ++j) {
    both.hidden_[j] |= other.hidden_[j];
  }
  both.cells_.insert(both.cells_.end(), other.cells_.begin(),
                     other.cells_.end());
  return both;
}

Mask Mask::with_cell(Index query, Index key, bool allowed) const& {
  return Mask(*this).with_cell(query, key, allowed);
}

Mask Mask::with_cell(Index query, Index key, bool allowed) && {
  cells_.push_back({query, key, allowed});
  return std::move(*this);
}

bool Mask::rules_allow(Index query, Index key) const {
  if (causal_ && key > query && key >= prefix_) return false;
  if (window_ != kUnlimited && key <= query - window_) return false;
  return !pads(key);
}

bool Mask::allows(Index query, Index key) const {
  for (auto cell = cells_.rbegin(); cell != cells_.rend(); ++cell) {
    if (cell->query == query && cell->key == key) return cell->allowed;
  }
  return rules_allow(query, key);
}

KeyRange Mask::hull(Index query, Index num_keys) const {
  KeyRange range{0, num_keys};
  if (causal_) range.end = std::min(num_keys, std::max(query + 1, prefix_));
  if (window_ != kUnlimited) {
    range.begin = std::clamp<Index>(query + 1 - window_, 0, num_keys);
  }
  for (const Cell& cell : cells_) {
    if (cell.query != query || !cell.allowed || cell.key >= num_keys) continue;
    range.begin = std::min(range.begin, cell.key);
    range.end = std::max(range.end, cell.key + 1);
  }
  range.end = std::max(range.begin, range.end);
  return range;
}

bool Mask::pads(Index key) const {
  return key < static_cast<Index>(hidden_.size()) &&
         hidden_[static_cast<std::size_t>(key)] != 0;
}

bool Mask::sees_past(Index window) const {
  return std::any_of(cells_.begin(), cells_.end(), [&](const Cell& cell) {
    return cell.allowed && cell.key <= cell.query - window;
  });
}

Index Mask::shown_before(Index index) const {
  const Index known = std::min(index, static_cast<Index>(hidden_.size()));
  return index - std::count_if(hidden_.begin(), hidden_.begin() + known,
                               [](std::uint8_t byte) { return byte != 0; });
}

Index Mask::position(Index index) const {
  Index just_before = 0;  // padding between the last shown token and this
  if (pads(index)) {
    while (just_before < index && pads(index - just_before - 1)) ++just_before;
  }
  return shown_before(index) + just_before;
}

}  // namespace attnscope
