"""Who acts in a scene: a name, what they are, and the pronouns that go with them.

Next: plots.py and scenes.py, which put actors into sentences.
"""

import random

from words import ANIMALS, BOYS, GIRLS, PARENTS, invented

INVENTED_NAME_SHARE = 0.12


class Actor:
    """Somebody in a story: a name, what they are, their pronouns, and the grown-up they live with.

    Some children of stories have names made up on the spot. With known_name the name tells the gender.
    """

    def __init__(self, rng: random.Random, unlike: "Actor | None" = None, kind: str | None = None,
                 known_name: bool = False):
        if kind is None:
            kind = rng.choice(["girl", "girl", "boy", "boy", rng.choice(ANIMALS)])
        self.kind = kind
        self.gender = {"girl": "f", "boy": "m"}.get(kind) or rng.choice("fm")
        names = GIRLS if self.gender == "f" else BOYS
        self.name = rng.choice([name for name in names if unlike is None or name != unlike.name])
        if not known_name and kind in ("girl", "boy") and rng.random() < INVENTED_NAME_SHARE:
            self.name = capital(invented(rng))
        self.he, self.him, self.his = pronouns(self.gender)
        self.He, self.His = self.he.capitalize(), self.his.capitalize()
        self.parent = rng.choice(list(PARENTS))
        self.parent_he = pronouns(PARENTS[self.parent])[0]


def people(rng: random.Random, count: int, known_name: bool = False) -> list[Actor]:
    """Children with different names."""
    found = []
    while len(found) < count:
        actor = Actor(rng, kind=rng.choice(["girl", "boy"]), known_name=known_name)
        if actor.name not in [other.name for other in found]:
            found.append(actor)
    return found


def pronouns(gender: str) -> tuple[str, str, str]:
    return ("she", "her", "her") if gender == "f" else ("he", "him", "his")


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
