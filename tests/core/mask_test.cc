// Masks: each rule, their composition, and that hull and allows agree.
#include "core/attention/mask.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace attnscope {
namespace {

// One line a query, '#' where a key is seen.
std::vector<std::string> picture(const Mask& mask, Index queries, Index keys,
                                 Index first_query = 0) {
  std::vector<std::string> rows;
  for (Index i = 0; i < queries; ++i) {
    std::string row;
    for (Index j = 0; j < keys; ++j) {
      row += mask.allows(first_query + i, j) ? '#' : '.';
    }
    rows.push_back(row);
  }
  return rows;
}

using Picture = std::vector<std::string>;

TEST(Mask, NoneShowsEverything) {
  EXPECT_EQ(picture(Mask::none(), 2, 3), (Picture{"###", "###"}));
}

TEST(Mask, CausalShowsUpToTheQuery) {
  EXPECT_EQ(picture(Mask::causal(), 3, 3), (Picture{"#..", "##.", "###"}));
}

// Trap 13: q = 2, k = 5: row 0 sees 4 keys, row 1 sees 5.
TEST(Mask, CausalIsAlignedToTheLastKeyWithACache) {
  EXPECT_EQ(picture(Mask::causal(), 2, 5, 3), (Picture{"####.", "#####"}));
}

TEST(Mask, SlidingWindowShowsTheLastKeys) {
  EXPECT_EQ(picture(Mask::sliding_window(2), 4, 4),
            (Picture{"#...", "##..", ".##.", "..##"}));
  EXPECT_EQ(picture(Mask::sliding_window(1), 2, 2), (Picture{"#.", ".#"}));
}

TEST(Mask, PrefixIsSeenByEveryQuery) {
  EXPECT_EQ(picture(Mask::prefix(2), 4, 4),
            (Picture{"##..", "##..", "###.", "####"}));
}

// Trap 18: ids [5, 7, PAD, PAD]: columns 2 and 3 are hidden in every row.
TEST(Mask, PaddingHidesColumns) {
  EXPECT_EQ(picture(Mask::padding({0, 0, 1, 1}), 2, 5),
            (Picture{"##..#", "##..#"}));
}

TEST(Mask, RulesComposeAsAConjunction) {
  EXPECT_EQ(picture(Mask::causal() & Mask::padding({1, 0}), 3, 3),
            (Picture{"...", ".#.", ".##"}));
  EXPECT_EQ(picture(Mask::prefix(3) & Mask::causal(), 3, 3),
            (Picture{"#..", "##.", "###"}));
  EXPECT_EQ(picture(Mask::causal() & Mask::prefix(3), 3, 3),
            (Picture{"#..", "##.", "###"}));
  EXPECT_EQ(picture(Mask::none() & Mask::prefix(2), 2, 3),
            (Picture{"##.", "##."}));
  EXPECT_EQ(picture(Mask::sliding_window(3) & Mask::sliding_window(2), 3, 3),
            (Picture{"#..", "##.", ".##"}));
}

TEST(Mask, ToggledCellsHaveTheLastWord) {
  const Mask mask = Mask::causal().with_cell(0, 2, true).with_cell(2, 0, false);
  EXPECT_EQ(picture(mask, 3, 3), (Picture{"#.#", "##.", ".##"}));
  EXPECT_EQ(picture(mask.with_cell(0, 2, false), 3, 3),
            (Picture{"#..", "##.", ".##"}));
  EXPECT_EQ(picture(mask & Mask::none().with_cell(2, 0, true), 3, 3),
            (Picture{"#.#", "##.", "###"}));
}

// The fast executions look only at the hull, so it may never be too small.
TEST(Mask, HullHoldsEveryAllowedKeyAndIsExactWhereItSaysSo) {
  const std::vector<Mask> masks = {
      Mask::none(),
      Mask::causal(),
      Mask::sliding_window(3),
      Mask::prefix(4),
      Mask::padding({1, 0, 0, 1}),
      Mask::causal() & Mask::padding({1, 1, 0}),
      Mask::causal().with_cell(1, 5, true).with_cell(4, 4, false),
      Mask::sliding_window(2).with_cell(6, 0, true),
      Mask::prefix(2) & Mask::sliding_window(3)};
  for (const Mask& mask : masks) {
    for (Index keys = 0; keys < 9; ++keys) {
      for (Index query = 0; query < 9; ++query) {
        const KeyRange hull = mask.hull(query, keys);
        ASSERT_LE(0, hull.begin);
        ASSERT_LE(hull.begin, hull.end);
        ASSERT_LE(hull.end, keys);
        for (Index key = 0; key < keys; ++key) {
          const bool inside = hull.begin <= key && key < hull.end;
          const bool allowed = mask.allows(query, key);
          ASSERT_TRUE(inside || !allowed);
          ASSERT_TRUE(allowed || !inside || !mask.hull_is_exact());
        }
      }
    }
  }
}

TEST(Mask, PositionsCountShownTokensOnly) {
  const Mask padded = Mask::causal() & Mask::padding({1, 1, 0, 0});
  EXPECT_EQ(padded.position(2), 0);
  EXPECT_EQ(padded.position(3), 1);
  EXPECT_EQ(padded.position(6), 4);
  EXPECT_EQ(Mask::causal().position(6), 6);
}

}  // namespace
}  // namespace attnscope
