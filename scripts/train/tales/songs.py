"""Scenes that say something again: songs, spells, lists, roll calls, numbers and made-up names.

What comes next in the second saying can only be found by looking back, so a model that reads enough of them
grows heads that look at the word before and at what followed the same word earlier. Next: scenes.py.
"""

import random

from actors import Actor, capital
from words import ANIMALS, BOYS, COLORS, DRINKS, FOODS, FRUITS, GIRLS, PLACES, TOYS, TRAITS, a, invented


def again(line: str) -> str:
    """A line with a mark before each word but the first: that the line starts over is a guess."""
    first, *rest = line.split(" ")
    return " ".join([first, *("|" + word for word in rest)])


def _line(rng: random.Random) -> str:
    kind = rng.randrange(5)
    if kind == 0:
        words = rng.sample(GIRLS + BOYS, rng.randint(3, 6))
    elif kind == 1:
        pairs = zip(rng.sample(COLORS, 4), rng.sample(TOYS, 4))
        words = [f"{color} {toy}" for color, toy in pairs][: rng.randint(2, 4)]
    elif kind == 2:
        words = [invented(rng) for _ in range(rng.randint(2, 6))]
    else:
        words = rng.sample(TOYS + ANIMALS + FRUITS + PLACES + TRAITS, rng.randint(3, 8))
    return rng.choice([", ", " "]).join(words)


def chant(rng: random.Random) -> list[str]:
    """A line of any words, said again."""
    line = capital(_line(rng))
    return [line + "."] + [again(line) + "."] * rng.choice([1, 1, 2])


def song(rng: random.Random) -> list[str]:
    name, line = Actor(rng, kind=rng.choice(["girl", "boy"])).name, _line(rng)
    other = rng.choice(["Everyone", "The children", f"The {rng.choice(ANIMALS)}", "We all"])
    sang = rng.choice(["sang", "said", "shouted"])
    return [f'{name} {sang}, "{capital(line)}!"', f'{other} {sang}, "|{again(capital(line))}!"']


def shopping_list(rng: random.Random) -> list[str]:
    actor = Actor(rng, kind=rng.choice(["girl", "boy"]))
    items = rng.sample(FOODS + DRINKS + [a(toy) for toy in TOYS], rng.randint(2, 5))
    line = ", ".join(items[:-1]) + " and " + items[-1]
    return [
        rng.choice([f"{actor.name} needed {line}.", f"The list of {actor.name} said: {line}."]),
        rng.choice([f"At the market, {actor.he} bought", f"{actor.name} came home with"]) + f" |{again(line)}.",
    ]


def number(rng: random.Random) -> list[str]:
    digits = " ".join(str(rng.randrange(10)) for _ in range(rng.randint(3, 7)))
    name = Actor(rng, kind=rng.choice(["girl", "boy"])).name
    return [f"The number of {name} is {digits}.",
            rng.choice([f"{name} said, \"My number is |{again(digits)}.\"", f"Call {name}: |{again(digits)}."])]


def strangers(rng: random.Random) -> list[str]:
    """Two with names that nobody has."""
    first, second = capital(invented(rng)), capital(invented(rng))
    kind = rng.choice(["robot", "dragon", "giant", "fairy", "wizard", *ANIMALS])
    return [
        f"{capital(a(kind))} named {first} met {a(kind)} named {second}.",
        *rng.sample([
            f"{first} said hello to |{second}.",
            f"{second} said hello to |{first}.",
            f'"My name is {second}," said |{second}.',
            f"{first} and |{second} were friends.",
            f"{second} liked |{first} very much.",
        ], rng.randint(2, 4)),
    ]
