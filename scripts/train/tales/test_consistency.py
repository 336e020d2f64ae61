"""The counter of contradictions believes the grammar's own stories and finds words put in by chance."""

import random
import re
import unittest

import consistency
import stories
from plots import STORIES
from words import ANIMALS, BOYS, COLORS, GIRLS, TOYS


def opening_of(text):
    return " ".join(re.split(r"(?<=[.!?]) ", text)[:3])


class Consistency(unittest.TestCase):
    def test_stories_of_the_grammar_contradict_nothing(self):
        for make in STORIES:
            rng = random.Random(1)
            for _ in range(200):
                text = stories.plain(" ".join(make(rng)))
                opening = opening_of(text)
                self.assertEqual(consistency.faults(opening, text[len(opening):]), [], text)

    def test_a_decided_name_thing_or_color_put_in_by_chance_is_found(self):
        rng, found, put_in = random.Random(5), 0, 0
        for make in STORIES:
            for _ in range(200):
                text = " ".join(make(rng))
                opening = opening_of(stories.plain(text))
                lists = [GIRLS + BOYS, TOYS, COLORS, ANIMALS]
                decided = [(mark, kind) for mark in re.finditer(r"\|(\w+)", text) for kind in lists
                           if mark.group(1) in kind and len(stories.plain(text[: mark.start()])) >= len(opening)]
                if not decided:
                    continue
                mark, kind = rng.choice(decided)
                other = rng.choice([word for word in kind if word not in text])
                spoilt = stories.plain(text[: mark.start()] + other + text[mark.end():])
                put_in += 1
                found += bool(consistency.faults(opening, spoilt[len(opening):]))
        self.assertGreater(put_in, 2000)
        self.assertGreater(found / put_in, 0.97)

    def test_says_what_is_wrong(self):
        opening = "Lily was a kind girl. Lily had a red ball."
        self.assertEqual(consistency.faults(opening, " Rose lost the red ball."), ["name Rose"])
        self.assertEqual(consistency.faults(opening, " Lily lost the blue ball."), ["color blue ball"])
        self.assertEqual(consistency.faults(opening, " Lily lost her kite."), ["thing her kite"])
        self.assertEqual(consistency.faults(opening, ' Lily met Tom. "Have you seen a red ball?" asked Lily. To'), [])


if __name__ == "__main__":
    unittest.main()
