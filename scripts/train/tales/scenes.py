"""Scenes whose words are decided by sense and grammar, and the table of all scenes.

A scene is one to eight sentences, made by a function from a random generator. "|" stands before a word that the
words so far decide; stories.py says what becomes of it. Next: plots.py.
"""

import random

from actors import Actor
from everyday import daily_life, everyday, openings
from recall import boxes, two_objects
from songs import chant, number, shopping_list, song, strangers
from words import (
    ANIMAL_STATES, ANIMALS, BIG_ANIMALS, COLORS, CONTAINERS, DAYS, FRUITS, FURNITURE, JOBS, NUMBERS, PLACES, SOUNDS,
    THING_STATES, TOYS, TRAITS, WAY_STATES, WAYS, a, plural,
)


def why_it(rng: random.Random) -> list[str]:
    """What "it" means is decided by the reason: the animal is tired, the street is wide."""
    animal, way = rng.choice(ANIMALS + BIG_ANIMALS), rng.choice(WAYS)
    did_not = rng.choice(["did not", "didn't", "could not", "would not"])
    if rng.random() < 0.5:
        meant, state = animal, rng.choice(ANIMAL_STATES)
        then = rng.choice(["took a nap", "went home", "sat down", "had a rest"])
    else:
        meant, state = way, rng.choice(WAY_STATES)
        then = rng.choice(["stayed empty", "was left alone", "was not crossed"])
    return [
        f"The {animal} {did_not} cross the {way} because it was too {state}.",
        rng.choice([
            f"So the |{meant} {then}.",
            f"The |{meant} was very |{state}.",
            f"What was {state}? The |{meant} was |{state}.",
        ]),
    ]


def agreement(rng: random.Random) -> list[str]:
    """The verb agrees with the first noun, not with the nearer one."""
    subject, near = rng.choice(TOYS + ANIMALS), rng.choice(FURNITURE + PLACES)
    many, near_many = rng.random() < 0.5, rng.random() < 0.5
    verb, was, they = ("are", "were", "They") if many else ("is", "was", "It")
    nouns, nears = plural(subject) if many else subject, plural(near) if near_many else near
    color = rng.choice(COLORS)
    place = rng.choice(["near", "behind", "by", "next to", "in front of"])
    finder = Actor(rng, kind=rng.choice(["girl", "boy"])).name
    return rng.choice([
        [f"The {nouns} {place} the {rng.choice(['old', 'big', 'small', 'new'])} {nears} |{verb} {color}.",
         f"|{they} |{verb} |{color}."],
        [f"The {nouns} {place} the {nears} |{verb} {color}.", f"|{they} |{verb} |{color}."],
        [f"The {nouns} that {finder} saw {place} the {nears} |{was} {color}.", f"|{they} |{was} |{color}."],
    ])


def who_did_it(rng: random.Random) -> list[str]:
    """Pronouns by gender and by sense."""
    girl, boy = Actor(rng, kind="girl", known_name=True), Actor(rng, kind="boy", known_name=True)
    first, second = rng.sample([girl, boy], 2)
    fruit, toy = rng.choice(FRUITS), rng.choice(TOYS)
    giver, taker = rng.choice(TRAITS[:3]), rng.choice(["hungry", "tired", "sick"])
    reason, whose = rng.choice([(giver, first), (taker, second)])
    return rng.choice([
        [f"{first.name} gave {second.name} {a(fruit)} because {whose.he} was {reason}.",
         f"|{whose.name} was |{reason}."],
        [f"{first.name} thanked {second.name} because |{second.he} had helped |{first.him}."],
        [f"{first.name} lost {first.his} {toy}, so {second.name} helped |{first.him} find it."],
        [f"{first.name} asked {second.name} for help, and |{second.he} helped |{first.him}."],
        [f"{first.name} and {second.name} played. |{first.He} was tired, so |{first.he} went home."
         f" |{second.name} stayed."],
    ])


def does_not_fit(rng: random.Random) -> list[str]:
    thing, container = rng.choice([toy for toy in TOYS if toy not in CONTAINERS]), rng.choice(CONTAINERS)
    culprit, state = rng.choice([(thing, "big"), (container, "small"), (thing, "wide"), (container, "full")])
    return [
        f"The {thing} {rng.choice(['did not', 'does not'])} fit in the {container} because it was too {state}.",
        f"The |{culprit} was too |{state}.",
    ]


def world(rng: random.Random) -> list[str]:
    """Small facts that stay the same wherever they are told."""
    job, does = rng.choice(list(JOBS.items()))
    animal, sound = rng.choice(list(SOUNDS.items()))
    start = rng.randrange(len(NUMBERS) - 3)
    day = rng.randrange(len(DAYS))
    state, opposite = rng.choice(list(THING_STATES.items()))
    toy = rng.choice(TOYS)
    return [rng.choice([
        f"The {job} {does}.",
        f'"{sound.capitalize()}," says the |{animal}.',
        f"The {animal} says {sound}.",
        f"{NUMBERS[start].capitalize()}, {NUMBERS[start + 1]}, |{NUMBERS[start + 2]}, |{NUMBERS[start + 3]}.",
        f"Today is {DAYS[day]}. Tomorrow is |{DAYS[(day + 1) % 7]}.",
        f"The {toy} is not {state}. It is |{opposite}.",
        f"The {toy} is not {opposite}. It is |{state}.",
    ])]


# How often each is told.
SCENES = {
    everyday: 5, daily_life: 7, openings: 5, why_it: 3, does_not_fit: 2, agreement: 3, two_objects: 12, boxes: 4,
    who_did_it: 2, world: 1, chant: 3, song: 3, shopping_list: 2, number: 2, strangers: 3,
}

# Too few instances to hide any: hidden facts could not be known. Trained on whole, and not asked in validation.
NEVER_HELD_OUT = {world}
