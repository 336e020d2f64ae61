"""Scenes in which two or three people or things are told apart: who had what, and what is where.

Facts first, then perhaps something else, then questions about the facts in many forms. The verb says whether
a colour follows, so that every marked word is decided. Next: songs.py.
"""

import random

from actors import Actor, capital, people
from words import COLORS, CONTAINERS, FURNITURE, GLAD, PLACES, TOYS, WEATHER, a, at

GETS = ["had", "had", "had", "found", "bought", "got", "brought", "made", "carried", "owned"]
# After these the thing itself is named; after the others its colour first.
PLAIN_VERBS = ["looked for", "looked for", "lost", "took", "forgot", "dropped", "hid", "cleaned"]
COLOR_VERBS = ["played with", "loved", "was proud of", "thought about", "sat down with"]
NOT_CONTAINERS = [toy for toy in TOYS if toy not in CONTAINERS]


def filler(rng: random.Random, most: int) -> list[str]:
    """Sentences that neither name anybody nor anything that is asked for."""
    return [rng.choice([
        f"It was a {rng.choice(WEATHER)} day.",
        f"They went to the {rng.choice(PLACES)} together.",
        f"The sun was {rng.choice(['warm', 'bright', 'low'])}.",
        "They played all day.",
        "Then it was time to go home.",
        f"They were {rng.choice(GLAD)}.",
        f"They met {at(rng.choice(PLACES))}.",
        "Then they had lunch.",
        "The next day it rained.",
    ]) for _ in range(rng.randint(0, most))]


def two_objects(rng: random.Random, questions: int = 3) -> list[str]:
    """Two people (now and then three), each with a thing of their own; later some of it is asked for."""
    count = rng.choice([2, 2, 2, 2, 3])
    owners = people(rng, count)
    toys = rng.sample(TOYS, count)
    colors = rng.sample(COLORS, count) if rng.random() < 0.8 else [None] * count
    told = _facts(rng, owners, toys, colors) + filler(rng, rng.choice([0, 1, 3]))
    for _ in range(rng.randint(1, questions)):
        asked = rng.randrange(count)
        other = owners[(asked + 1) % count]
        told.append(_question(rng, owners[asked], other, toys[asked], colors[asked]))
    return told


def _thing(toy: str, color: str | None) -> str:
    return a(f"{color} {toy}" if color else toy)


def _facts(rng: random.Random, owners: list[Actor], toys: list[str], colors: list[str | None]) -> list[str]:
    things = [_thing(toy, color) for toy, color in zip(toys, colors)]
    names = [owner.name for owner in owners]
    form = rng.randrange(5)
    if form <= 1:
        return [f"{name} {rng.choice(GETS)} {thing}." for name, thing in zip(names, things)]
    if form == 2:
        giver = rng.choice(["Mom", "Dad", "Grandma", "Grandpa", "The teacher"])
        return [f"{giver} gave {name} {thing}." for name, thing in zip(names, things)]
    verb = rng.choice(GETS)
    joint = rng.choice([" and ", ", and ", ", but "])
    last = f"{names[-2]} {verb} {things[-2]}{joint}{names[-1]} {verb} {things[-1]}."
    return [f"{names[index]} {verb} {things[index]}." for index in range(len(names) - 2)] + [last]


def _question(rng: random.Random, owner: Actor, other: Actor, toy: str, color: str | None) -> str:
    name, his, where = owner.name, owner.his, f"{rng.choice(['on', 'under', 'near'])} the {rng.choice(FURNITURE)}"
    forms = [
        f"{name} {rng.choice(PLAIN_VERBS)} {his} |{toy}.",
        f"{name} {rng.choice(PLAIN_VERBS)} {his} |{toy}.",
        f"{name} put {his} |{toy} {where}.",
        f"{name} showed {other.name} {his} |{toy}.",
        f"The {toy} was a gift for |{name}.",
        f"{name}'s |{toy} lay {where}.",
        f"Who had the {toy}? |{name} had the |{toy}.",
        f'{name} said, "This is my |{toy}."',
        f'{other.name} asked {name}, "Where is your |{toy}?"',
    ]
    if color:
        forms += [
            f"{name} {rng.choice(COLOR_VERBS)} {his} |{color} |{toy}.",
            f"{name} {rng.choice(COLOR_VERBS)} {his} |{color} |{toy}.",
            f"The {toy} of {name} was |{color}.",
            f"The {color} |{toy} was a gift for |{name}.",
            f"{name}'s |{toy} was |{color}.",
            f"What did {name} have? |{name} had {a(color)} |{toy}.",
            f"What color was the {toy}? It was |{color}.",
            f"The {color} one was |{name}'s.",
        ]
    return rng.choice(forms)


def boxes(rng: random.Random, questions: int = 3) -> list[str]:
    """Things in boxes and at places, and where they are."""
    count = rng.choice([2, 2, 2, 3])
    things = rng.sample(NOT_CONTAINERS, count)
    wheres = [f"in the {container}" for container in rng.sample(CONTAINERS, count)]
    if rng.random() < 0.3:
        wheres[0] = f"{rng.choice(['on', 'under'])} the {rng.choice(['table', 'bed', 'sofa', 'bench'])}"
    be = rng.choice(["is", "was"])
    facts = [f"the {thing} {be} {where}" for thing, where in zip(things, wheres)]
    if rng.random() < 0.6:
        told = [capital(", ".join(facts[:-1]) + " and " + facts[-1] + ".")]
    else:
        told = [capital(fact) + "." for fact in facts]
    told += filler(rng, rng.choice([0, 0, 2]))
    for _ in range(rng.randint(1, questions)):
        index = rng.randrange(count)
        thing, (preposition, _, place) = things[index], wheres[index].split()
        told.append(rng.choice([
            f"Where {be} the {thing}? The |{thing} {be} |{preposition} the |{place}.",
            f"Where {be} the {thing}? It {be} |{preposition} the |{place}.",
            f"What {be} {preposition} the {place}? The |{thing} {be} |{preposition} the |{place}.",
            f"{rng.choice(['I', 'We'])} looked {preposition} the {place} and saw the |{thing}.",
        ]))
    return told


def two_objects_asked_often(rng: random.Random) -> list[str]:
    return two_objects(rng, questions=8)


def boxes_asked_often(rng: random.Random) -> list[str]:
    return boxes(rng, questions=8)
