"""Openings, questions with answers, and endings that the plots share.

Next: errands.py and plots.py.
"""

import random

from actors import Actor, capital
from words import GLAD, TRAITS, a


def intro(rng: random.Random, hero: Actor) -> str:
    trait, young = rng.choice(TRAITS), rng.choice(["little", "young", "small"])
    return rng.choice([
        f"Once upon a time, there was {a(young)} {hero.kind} named {hero.name}.",
        f"There once was {a(trait)} {hero.kind} called {hero.name}.",
        f"Once there was {a(trait)} {young} {hero.kind}. {hero.His} name was {hero.name}.",
        f"{hero.name} was {a(trait)} {hero.kind}.",
        f"This is a story about {a(young)} {hero.kind} named {hero.name}. {hero.name} was very {trait}.",
    ])


def talk(rng: random.Random, asker: str, other: str, question: str, answer: str) -> str:
    """A question and its answer, in one of three ways; other stands after a verb, so it may be "her mom"."""
    reply = answer[:-1] + "," if answer.endswith(".") else answer
    return rng.choice([
        f'"{question}" asked {asker}. "{reply}" said {other}.',
        f'{asker} asked {other}, "{question}" {capital(other)} said, "{answer}"',
        f'"{question}" {asker} said to {other}. {capital(other)} smiled and said, "{answer}"',
    ])


def ending(rng: random.Random, hero: Actor, friend: Actor | None = None) -> str:
    endings = [
        f"|{hero.name} was {rng.choice(GLAD)} and went home.",
        f"That night, |{hero.name} slept very well.",
        f"|{hero.name} hugged {hero.his} {hero.parent} and smiled.",
        f"It was a good day for |{hero.name}.",
    ]
    if friend is not None:
        endings += [
            f"{hero.name} and |{friend.name} were best friends.",
            f"{hero.name} and |{friend.name} played together until the sun went down.",
            f'"Thank you, |{friend.name}," said |{hero.name}. "You are a good friend."',
            f"From that day on, {hero.name} and |{friend.name} always shared.",
        ]
    return rng.choice(endings)
