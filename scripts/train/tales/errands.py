"""Plots in which two things, a list or a line of words must be kept apart and told again.

"|" stands before a word that the words so far decide. Next: plots.py.
"""

import random

from actors import Actor, capital, people
from phrases import ending, intro, talk
from songs import again
from words import COLORS, DRINKS, FOODS, GLAD, PLACES, SAD, TOYS, WEATHER, a, at, invented


def swap(rng: random.Random) -> list[str]:
    """Two children change their things and change them back."""
    hero, friend = people(rng, 2)
    mine, yours = rng.sample(TOYS, 2)
    color, other = rng.sample(COLORS, 2)
    place = at(rng.choice(PLACES))
    return [
        intro(rng, hero),
        f"{hero.name} had {a(color)} {mine}. {hero.His} friend {friend.name} had {a(other)} {yours}.",
        f"One {rng.choice(WEATHER)} day, |{hero.name} and |{friend.name} met {place}.",
        talk(rng, hero.name, friend.name, f"Can I have your |{yours} for a day?",
             f"Yes, if I can have your |{mine}."),
        f"So |{hero.name} gave |{friend.name} the |{color} |{mine}, and |{friend.name} gave |{hero.name} the |{other}"
        f" |{yours}.",
        f"{hero.name} played with the |{yours}, and |{friend.name} played with the |{mine}.",
        f"But in the evening, |{hero.name} was {rng.choice(SAD)} because {hero.he} missed {hero.his} |{mine}.",
        f"{hero.He} brought back the |{yours}, and |{friend.name} brought back the |{mine}.",
        ending(rng, hero, friend),
    ]


def two_gifts(rng: random.Random) -> list[str]:
    """A grown-up brings each of two children something."""
    hero, friend = people(rng, 2)
    toys, colors = rng.sample(TOYS, 2), rng.sample(COLORS, 2)
    giver = capital(hero.parent)
    day = rng.choice(WEATHER)
    return [
        f"{hero.name} and {friend.name} lived in the same house.",
        f"One {day} day, {giver} came home with {a(colors[0])} {toys[0]} for {hero.name} and {a(colors[1])} {toys[1]}"
        f" for |{friend.name}.",
        f"|{hero.name} took the |{colors[0]} |{toys[0]}, and |{friend.name} took the |{colors[1]} |{toys[1]}.",
        *rng.sample([
            f'"What color is my |{toys[0]}?" asked {hero.name}. "It is |{colors[0]}," said |{giver}.',
            f'"I love my |{toys[1]}," said {friend.name}.',
            f"{hero.name} showed the |{toys[0]} to everyone.",
            f"{friend.name} put the |{toys[1]} on the table.",
        ], 2),
        f"That night, {hero.name} slept with the |{colors[0]} |{toys[0]} beside {hero.him}.",
        f"And {friend.name} slept with the |{colors[1]} |{toys[1]}.",
        f'"Thank you, |{giver}!" said |{hero.name} and |{friend.name} in the morning.',
        f"|{giver} was very {rng.choice(GLAD)}.",
    ]


def errand(rng: random.Random) -> list[str]:
    """A list is learned, forgotten in part and found again."""
    hero = Actor(rng, kind=rng.choice(["girl", "boy"]))
    items = rng.sample(FOODS + DRINKS, rng.randint(2, 4))
    line = ", ".join(items[:-1]) + " and " + items[-1]
    praise = rng.choice(["That is a lot to carry", "Here you are"])
    place = rng.choice(PLACES)
    return [
        intro(rng, hero),
        f"One {rng.choice(WEATHER)} day, |{hero.name}'s {hero.parent} said,"
        f' "Please go to the {place} and buy {line}."',
        f"{hero.name} sang all the way to the |{place}, \"|{again(capital(line))}! |{again(capital(line))}!\"",
        f"{capital(at(place))}, {hero.name} asked for |{again(line)}.",
        f'"{praise}, |{hero.name}," said the man.',
        f"{hero.name} came home and put the |{again(line)} on the table.",
        f"{hero.His} |{hero.parent} was very {rng.choice(GLAD)}.",
        ending(rng, hero),
    ]


def magic_door(rng: random.Random) -> list[str]:
    """A door opens at words that nobody knows."""
    hero, friend = people(rng, 2)
    spell = " ".join(invented(rng) for _ in range(rng.randint(2, 4)))
    toy, color = rng.choice(TOYS), rng.choice(COLORS)
    return [
        intro(rng, hero),
        f"One day, |{hero.name} and {hero.his} friend {friend.name} found a little door in a wall.",
        f'On the door stood, "{capital(spell)}."',
        f'"|{again(capital(spell))}!" said |{hero.name}, but the door stayed closed.',
        f'"|{again(capital(spell))}!" said |{friend.name} very loudly, and the door opened.',
        f"Behind the door was {a(color)} {toy}.",
        f"|{hero.name} and |{friend.name} took the |{color} |{toy} and ran home.",
        f'"Where did you find the |{toy}?" asked {hero.his} {hero.parent}.',
        f'"Behind the door! You must say, \'|{again(capital(spell))}!\'" said |{hero.name}.',
        ending(rng, hero, friend),
    ]
