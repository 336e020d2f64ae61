"""Plots with one thing in them, and the table of all plots.

A plot is a story of eight to twelve sentences: a function from a random generator to its sentences.

"|" stands before a word that the words so far decide; stories.py says what becomes of it. Next: stories.py.
"""

import random

from actors import Actor, capital
from errands import errand, magic_door, swap, two_gifts
from phrases import ending, intro, talk
from words import (
    ANIMALS, COLORS, FOODS, GLAD, HIDING_PLACES, NUMBERS, PLACES, SAD, SIZES, TOYS, WAYS, WEATHER, a,
    at, plural,
)


def _owns(rng: random.Random, hero: Actor, color: str, toy: str) -> str:
    return rng.choice([
        f"{hero.name} had {a(color)} {toy}. {hero.He} loved the |{color} |{toy} very much.",
        f"{hero.He} had {a(color)} {toy} and took the |{toy} everywhere.",
        f"{hero.name} liked {hero.his} {color} {toy} more than anything.",
        f"{hero.His} {hero.parent} gave {hero.him} {a(color)} {toy}. |{hero.name} was very {rng.choice(GLAD)}.",
    ])


def _meets(rng: random.Random, hero: Actor, friend: Actor) -> str:
    if friend.kind in ("girl", "boy"):
        return rng.choice([
            f"{hero.name} saw {hero.his} friend {friend.name}.",
            f"Then {hero.name} met {a(friend.kind)} named {friend.name}.",
        ])
    return f"Then {hero.name} met {friend.name} the {friend.kind}."


def lost_toy(rng: random.Random) -> list[str]:
    hero = Actor(rng)
    friend = Actor(rng, unlike=hero)
    toy, color, place, spots = rng.choice(TOYS), rng.choice(COLORS), rng.choice(PLACES), rng.sample(HIDING_PLACES, 3)
    return [
        intro(rng, hero),
        _owns(rng, hero, color, toy),
        f"One {rng.choice(WEATHER)} day, |{hero.name} went to the {place} with {hero.his} |{toy}.",
        rng.choice([f"But then {hero.he} could not find the |{toy}.", f"But soon the {color} |{toy} was gone."]),
        f"{hero.name} was very {rng.choice(SAD)}.",
        f"{hero.He} looked {spots[0]}, but the |{toy} was not there.",
        f"{hero.He} looked {spots[1]}, but it was not there.",
        _meets(rng, hero, friend),
        talk(rng, hero.name, friend.name,
              rng.choice([f"Have you seen my |{color} |{toy}?", f"Can you help me find my |{toy}?"]),
              rng.choice([f"Yes, I saw {a(color)} |{toy} {spots[2]}.", f"I think the |{toy} is {spots[2]}."])),
        f"{hero.name} looked |{spots[2]} and found the |{color} |{toy}.",
        ending(rng, hero, friend),
    ]


def sharing(rng: random.Random) -> list[str]:
    hero = Actor(rng)
    friend = Actor(rng, unlike=hero)
    toy, color, place = rng.choice(TOYS), rng.choice(COLORS), rng.choice(PLACES)
    story = [
        intro(rng, hero),
        _owns(rng, hero, color, toy),
        f"One day, {at(place)}, {hero.name} met {a(friend.kind)} named {friend.name}.",
        rng.choice([f"|{friend.name} did not have {a(toy)}.", f"|{friend.name} looked at the |{color} |{toy}."]),
    ]
    if rng.random() < 0.6:
        story += [
            talk(rng, friend.name, hero.name,
                  rng.choice([f"Can I play with your |{toy}?", f"May I hold the |{color} |{toy}?"]),
                  rng.choice([f"Yes, we can share the |{toy}.", f"Yes, you can hold my |{toy}.", "Yes, let us play."])),
            f"{hero.name} gave the |{color} |{toy} to |{friend.name}.",
            f"{friend.name} was {rng.choice(GLAD)} and said thank you to |{hero.name}.",
        ]
    else:
        story += [
            talk(rng, friend.name, hero.name, f"Can I play with your |{toy}?", f"No, this is my |{toy}!"),
            f"{friend.name} was {rng.choice(SAD)} and |{friend.he} started to cry.",
            f'{hero.name}\'s {hero.parent} said, "|{hero.name}, you should share your |{toy} with |{friend.name}."',
            f"{hero.name} felt sorry. |{hero.He} gave the |{toy} to |{friend.name}.",
        ]
    return story + [ending(rng, hero, friend)]


def cooking(rng: random.Random) -> list[str]:
    hero = Actor(rng)
    wanted, other = rng.sample(FOODS, 2)
    parent = f"{hero.his} {hero.parent}"
    has_wanted = rng.random() < 0.5
    answer = f"Yes, but first we need {other}." if has_wanted else f"No, we have no {wanted}. But we have {other}."
    return [
        intro(rng, hero),
        f"{hero.name} was hungry. {hero.He} wanted to eat {wanted}.",
        talk(rng, hero.name, parent, f"Can we make |{wanted}?", answer),
        f"So |{hero.name} and {hero.his} |{hero.parent} went to the market to buy {other if has_wanted else wanted}.",
        f"They walked {rng.choice(['fast', 'slowly'])} because it was {rng.choice(['cold', 'rainy', 'late', 'hot'])}.",
        f"At home, {hero.name} washed {hero.his} hands and {parent} cooked the food.",
        f"{capital(hero.parent_he)} put the |{wanted} on the table.",
        f"They ate the |{wanted} together.",
        ending(rng, hero),
    ]


def two_toys(rng: random.Random) -> list[str]:
    hero = Actor(rng)
    friend = Actor(rng, unlike=hero)
    toy, place = rng.choice(TOYS), rng.choice(PLACES)
    given, kept = rng.sample(COLORS, 2)
    return [
        intro(rng, hero),
        f"{hero.name} had two {plural(toy)}, {a(given)} one and {a(kept)} one.",
        f"{hero.He} gave the {given} |{toy} to {hero.his} friend {friend.name} and kept the |{kept} |{toy}.",
        f"{friend.name} took the |{given} |{toy} to the {place}.",
        f"{hero.name} stayed at home with the |{kept} |{toy}.",
        f"Later, |{friend.name} came back with the |{given} |{toy}.",
        talk(rng, hero.name, friend.name, f"Do you like the |{given} |{toy}?",
              rng.choice([f"Yes, but I like the |{kept} |{toy} too.", "Yes, I like it very much."])),
        ending(rng, hero, friend),
    ]


def trip(rng: random.Random) -> list[str]:
    hero = Actor(rng, kind=rng.choice(["girl", "boy"]))
    friend = Actor(rng, unlike=hero, kind=rng.choice(["girl", "boy"]))
    place, animal, food = rng.choice(PLACES), rng.choice(ANIMALS), rng.choice(FOODS)
    return [
        intro(rng, hero),
        f"{hero.name} and {hero.his} friend {friend.name} wanted to go to the {place}.",
        f"It was a {rng.choice(WEATHER)} day.",
        f"On the way to the |{place}, they saw {a(rng.choice(['big', 'little', 'small', 'tiny', 'young']))} {animal}.",
        f"The |{animal} was hungry, so |{hero.name} gave it some {food}.",
        f"The |{animal} ate the |{food} and was {rng.choice(GLAD)}.",
        rng.choice([f"Then the |{animal} followed {hero.name} and |{friend.name} to the |{place}.",
                    f"Then {hero.name} and |{friend.name} walked to the |{place}."]),
        f'{capital(at(place))}, {friend.name} said, "I like the |{animal}."',
        f'{hero.name} said, "I like the |{animal} too."',
        ending(rng, hero, friend),
    ]


def stuck_animal(rng: random.Random) -> list[str]:
    hero = Actor(rng, kind=rng.choice(["girl", "boy"]))
    friend = Actor(rng, unlike=hero, kind=rng.choice(["girl", "boy"]))
    animal, color = rng.choice(ANIMALS), rng.choice(COLORS)
    where = rng.choice(["up in a tree", "down in a hole", "under a big rock", "on the roof", "behind a wall"])
    tool = rng.choice(["rope", "ladder", "net", "long stick"])
    return [
        intro(rng, hero),
        f"One {rng.choice(WEATHER)} day, {hero.name} heard a sound.",
        f"{a(color).capitalize()} {animal} was stuck {where}.",
        f"The |{animal} was very {rng.choice(['scared', 'sad', 'cold', 'tired'])}.",
        f'"Do not worry, little |{animal}," said |{hero.name}. "I will help you."',
        f"But |{hero.name} was too small to help alone, so {hero.he} called {friend.name}.",
        f"{friend.name} came with a {tool}.",
        f"|{hero.name} and |{friend.name} used the |{tool} to help the |{animal}.",
        f"Soon the |{color} |{animal} was safe and ran away {rng.choice(['happily', 'quickly'])}.",
        ending(rng, hero, friend),
    ]


def birthday(rng: random.Random) -> list[str]:
    hero = Actor(rng, kind=rng.choice(["girl", "boy"]))
    friend = Actor(rng, unlike=hero, kind=rng.choice(["girl", "boy"]))
    toy, color, box = rng.choice(TOYS), rng.choice(COLORS), rng.choice(["box", "bag", "basket"])
    age = rng.choice(NUMBERS[3:9])
    return [
        f"It was {hero.name}'s birthday. |{hero.name} was {age} years old.",
        f"{hero.His} friend {friend.name} came to the house with {a(rng.choice(SIZES))} {box}.",
        f'"Happy birthday, |{hero.name}!" said |{friend.name}. "This |{box} is for you."',
        f"{hero.name} opened the |{box} and looked inside.",
        f"There was {a(color)} {toy} in the |{box}.",
        f'"{capital(a(color))} |{toy}! Thank you, |{friend.name}!" said |{hero.name}.',
        f"They ate cake and played with the |{color} |{toy}.",
        f"{hero.name} was {age} years old and very {rng.choice(GLAD)}.",
    ]


def broken_toy(rng: random.Random) -> list[str]:
    hero = Actor(rng)
    toy, color = rng.choice(TOYS), rng.choice(COLORS)
    mended = rng.choice([f"{capital(hero.parent_he)} fixed the |{toy} with glue.",
                         f"{capital(hero.parent_he)} made a new |{toy} for |{hero.name}."])
    return [
        intro(rng, hero),
        _owns(rng, hero, color, toy),
        f"One day, the |{toy} fell on the floor and broke.",
        f"{hero.name} was {rng.choice(SAD)} and showed the |{toy} to {hero.his} {hero.parent}.",
        f'"My |{toy} is broken," said |{hero.name}. "Can you help me?"',
        f'"Yes, |{hero.name}, I can help you," said {hero.his} |{hero.parent}.',
        mended,
        f"Now |{hero.name} had a good |{toy} again.",
        ending(rng, hero),
    ]


def race(rng: random.Random) -> list[str]:
    fast, slow = rng.sample(ANIMALS, 2)
    goal, food = rng.choice(WAYS + ["tree", "gate", "well"]), rng.choice(FOODS)
    return [
        f"{capital(a(fast))} and {a(slow)} wanted to have a race to the {goal}.",
        f'"I am faster than you," said the {fast}. The |{slow} did not answer.',
        f"The |{fast} ran quickly and the |{slow} walked slowly.",
        f"On the way, the |{fast} saw some {food} and stopped to eat the |{food}.",
        f"Then the |{fast} was full and fell asleep.",
        f"The |{slow} did not stop. It walked and walked to the |{goal}.",
        f"When the |{fast} woke up, the |{slow} was already at the |{goal}.",
        f'"I am slow, but I won," said the |{slow}.',
    ]


# How often each is told.
STORIES = {
    lost_toy: 5, sharing: 5, cooking: 3, two_toys: 4, trip: 4,
    stuck_animal: 4, birthday: 4, broken_toy: 4, race: 3,
    swap: 4, two_gifts: 4, errand: 3, magic_door: 3,
}
