"""Who acts in a scene: a name, what they are, and the pronouns that go with them.

Next: plots.py and scenes.py, which put actors into sentences.
"""

import random

from words import ANIMALS, BOYS, GIRLS, PARENTS


class Actor:
    """Somebody in a story: a name, what they are, their pronouns, and the grown-up they live with."""

    def __init__(self, rng: random.Random, unlike: "Actor | None" = None, kind: str | None = None):
        if kind is None:
            kind = rng.choice(["girl", "girl", "boy", "boy", rng.choice(ANIMALS)])
        self.kind = kind
        self.gender = {"girl": "f", "boy": "m"}.get(kind) or rng.choice("fm")
        names = GIRLS if self.gender == "f" else BOYS
        self.name = rng.choice([name for name in names if unlike is None or name != unlike.name])
        self.he, self.him, self.his = pronouns(self.gender)
        self.He, self.His = self.he.capitalize(), self.his.capitalize()
        self.parent = rng.choice(list(PARENTS))
        self.parent_he = pronouns(PARENTS[self.parent])[0]


def pronouns(gender: str) -> tuple[str, str, str]:
    return ("she", "her", "her") if gender == "f" else ("he", "him", "his")


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
