"""What the sequences promise. Run: python3 -m unittest discover -s scripts/train/echo"""

import random
import unittest

from sequences import BEGIN, LENGTH, LONGEST_COPY, SHORTEST_COPY, VOCABULARY, sequence


class Sequences(unittest.TestCase):
    def setUp(self):
        rng = random.Random(5)
        self.drawn = [sequence(rng) for _ in range(500)]

    def test_ids(self):
        for one in self.drawn:
            self.assertEqual(len(one.ids), LENGTH)
            self.assertEqual(one.ids[0], BEGIN)
            self.assertTrue(all(0 < token < VOCABULARY for token in one.ids[1:]))

    def test_copies_are_equal_and_do_not_overlap(self):
        for one in self.drawn:
            first, last = one.copies[0]
            self.assertTrue(SHORTEST_COPY <= last - first <= LONGEST_COPY)
            for (_, ended), (start, end) in zip(one.copies, one.copies[1:]):
                self.assertLessEqual(ended, start)
                self.assertEqual(one.ids[start:end], one.ids[first:last])
            self.assertLessEqual(one.copies[-1][1], LENGTH)

    def test_a_repeated_token_stands_after_the_same_token_as_its_sources(self):
        for one in self.drawn:
            for place, sources in one.repeats():
                self.assertTrue(sources)
                for source in sources:
                    self.assertLess(source, place)
                    self.assertEqual(one.ids[source - 1 : source + 1], one.ids[place - 1 : place + 1])

    def test_filler_stands_before_between_and_after_and_some_have_a_third_copy(self):
        before = sum(one.copies[0][0] > 1 for one in self.drawn)
        between = sum(one.copies[0][1] < one.copies[1][0] for one in self.drawn)
        after = sum(one.copies[-1][1] < LENGTH for one in self.drawn)
        thirds = sum(len(one.copies) == 3 for one in self.drawn)
        self.assertGreater(min(before, between, after), 400)
        self.assertGreater(thirds, 50)


if __name__ == "__main__":
    unittest.main()
