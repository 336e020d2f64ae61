"""Spelling rules of the word lists. Run: python3 -m unittest discover -s scripts/train/tales"""

import unittest

import words


class Spelling(unittest.TestCase):
    def test_plurals(self):
        expected = {"ball": "balls", "box": "boxes", "bench": "benches", "brush": "brushes", "city": "cities",
                    "monkey": "monkeys", "mouse": "mice", "sheep": "sheep", "shelf": "shelves", "roof": "roofs"}
        for noun, many in expected.items():
            self.assertEqual(words.plural(noun), many)

    def test_a_noun_in_y_after_a_consonant_has_an_irregular_plural(self):
        for noun in [*words.TOYS, *words.ANIMALS, *words.PLACES, *words.FURNITURE, *words.CONTAINERS]:
            if noun.endswith("y") and noun[-2] not in "aeiou":
                self.assertTrue(words.plural(noun).endswith("ies"), noun)

    def test_articles(self):
        expected = {"ball": "a ball", "old hat": "an old hat", "umbrella": "an umbrella", "honest boy": "an honest boy"}
        for phrase, with_article in expected.items():
            self.assertEqual(words.a(phrase), with_article)

    def test_places(self):
        self.assertEqual(words.at("park"), "in the park")
        self.assertEqual(words.at("beach"), "at the beach")
        self.assertLessEqual(set(words.AT_PLACES), set(words.PLACES))

    def test_lists_name_nothing_twice(self):
        lists = [words.GIRLS, words.BOYS, words.GIRLS + words.BOYS, words.ANIMALS + words.BIG_ANIMALS, words.TOYS,
                 words.PLACES, words.COLORS, words.FOODS, words.HIDING_PLACES, words.TRAITS, words.ANIMAL_STATES]
        for listed in lists:
            self.assertEqual(len(listed), len(set(listed)), listed)


if __name__ == "__main__":
    unittest.main()
