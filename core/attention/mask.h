// Which keys a query may see. Masks are values that compose: a cell is allowed
// if every rule allows it, and single cells that a person toggled have the last
// word. Read next: attention.h.
#ifndef ATTNSCOPE_CORE_ATTENTION_MASK_H_
#define ATTNSCOPE_CORE_ATTENTION_MASK_H_

#include <cstdint>
#include <vector>

#include "core/base/packed_matrix.h"

namespace attnscope {

// Keys begin, begin + 1, ..., end - 1.
struct KeyRange {
  Index begin = 0;
  Index end = 0;
};

// Queries and keys are counted by their place in the text. With a cache the
// last query stands at the last key, so query i of Tq on Tk keys is at place
// i + (Tk - Tq); attention.h does that sum.
class Mask {
 public:
  // Everything is allowed.
  static Mask none() { return Mask(); }
  // Keys up to the query's own position.
  static Mask causal();
  // The `size` keys that end at the query's own position, size >= 1. Causal.
  static Mask sliding_window(Index size);
  // The `size` keys that end at the query's own position, and all after it.
  static Mask reach(Index size);
  // Causal, but the first `length` keys are seen by every query (prefix LM,
  // Raffel et al. 2020, figure 3).
  static Mask prefix(Index length);
  // Hides keys whose byte in `hidden` is not 0; keys past its end are shown.
  static Mask padding(std::vector<std::uint8_t> hidden);

  // The conjunction. Toggled cells of both stand; of one cell toggled in both,
  // `other` wins.
  Mask operator&(const Mask& other) const;
  // The same mask with one cell decided.
  Mask with_cell(Index query, Index key, bool allowed) const&;
  // Copies nothing, for masks of many cells.
  Mask with_cell(Index query, Index key, bool allowed) &&;

  bool allows(Index query, Index key) const;
  // A range that holds every allowed key of the row, within [0, num_keys).
  KeyRange hull(Index query, Index num_keys) const;
  // Whether every key of the hull is allowed in every row, so that the hull
  // alone decides.
  bool hull_is_exact() const { return hidden_.empty() && cells_.empty(); }
  // Whether padding hides the key, in every row.
  bool pads(Index key) const;
  // The position of the token at `index`, counting only those that padding
  // shows, so that a text padded on the left runs as the text alone. Padding
  // after a token goes on from it.
  Index position(Index index) const;
  // Whether a toggled cell allows a key that a window of this size hides.
  bool sees_past(Index window) const;
  // Tokens before `index` that padding shows.
  Index shown_before(Index index) const;
  // Of the rules that compose this mask, padding alone.
  Mask padding_only() const { return padding(hidden_); }

 private:
  struct Cell {
    Index query;
    Index key;
    bool allowed;
  };

  bool rules_allow(Index query, Index key) const;

  static constexpr Index kUnlimited = -1;
  bool causal_ = false;
  Index prefix_ = 0;  // keys below it escape the causal rule
  Index window_ = kUnlimited;
  std::vector<std::uint8_t> hidden_;  // [key]
  std::vector<Cell> cells_;           // the later of two on one cell wins
};

}  // namespace attnscope

#endif  // ATTNSCOPE_CORE_ATTENTION_MASK_H_
