"""Scenes: one to four sentences, each made by a function from a random generator to its sentences.

"|" stands before a word that the words so far decide; stories.py says what becomes of it. Next: stories.py.
"""

import random

from actors import Actor, capital, pronouns
from words import (
    ADVERBS, ANIMAL_STATES, ANIMALS, BIG_ANIMALS, BOYS, COLORS, CONTAINERS, DAYS, DRINKS, FOODS, FRUITS,
    FURNITURE, GIRLS, GLAD, HANDLES, JOBS, MOVES, NUMBERS, OPPOSITES, PARENTS, PEOPLE, PLACES, SAD, SIZES,
    SOUNDS, THING_STATES, THINKS, TOYS, TRAITS, WAY_STATES, WAYS, WEATHER, a, at, plural,
)

THINGS_ARE = list(THING_STATES) + list(THING_STATES.values())


def everyday(rng: random.Random) -> list[str]:
    """Plain sentences of many shapes; nothing in them is to be recalled."""
    person, animal, other = rng.choice(list(PEOPLE)), rng.choice(ANIMALS + BIG_ANIMALS), rng.choice(ANIMALS)
    he, him, his = pronouns(PEOPLE[person])
    toy, place, size, color = rng.choice(TOYS), rng.choice(PLACES), rng.choice(SIZES), rng.choice(COLORS)
    actor = Actor(rng, kind=rng.choice(["girl", "boy"]))
    move, moves, moved, moving = rng.choice(MOVES)
    handle, handles, handled, _ = rng.choice(HANDLES)
    thing = rng.choice([a(toy), f"the {color} {toy}", f"{a(size)} {toy}", a(rng.choice(FRUITS))])
    on = f"{rng.choice(['on', 'under', 'near', 'by'])} the {rng.choice(FURNITURE)}"
    first, opposite = rng.choice(list(OPPOSITES.items()))
    return [rng.choice([
        f"The {animal} {moved} {on}.",
        f"The {size} {color} {animal} {moves} {on}.",
        f"The {person} {handled} {thing}.",
        f"The {animal} is {moving} {at(place)}.",
        f"The {person} went to the {place} and {moved} there.",
        f"The {rng.choice(['quick', size])} {color} {animal} jumps over the {rng.choice(['lazy', *TRAITS])} {other}.",
        f"{actor.name} {handled} {thing} and went home.",
        f"{actor.name} {moves} {at(place)} every {rng.choice(DAYS)}.",
        f"I {rng.choice(['like', 'love', 'want', 'have'])} {rng.choice(FOODS)} and {rng.choice(DRINKS)}.",
        f"You and I can {move} {at(place)} together.",
        f"We will {handle} {thing} and {move} {on}.",
        f"It is {rng.choice(WEATHER)} today, and it will be {rng.choice(WEATHER)} on {rng.choice(DAYS)}.",
        f"They don't {handle} {thing}, but they can {move}.",
        f"The {person} didn't {handle} {thing} because {he} was {rng.choice(SAD)}.",
        f"Do you {handle} {thing}? No, I don't.",
        f"Where is the {animal}? It is {on}.",
        f"The {animal} is {first}, but the {other} is |{opposite}.",
        f"The {toy} is {rng.choice(THINGS_ARE)} and {color}.",
        f"There {'is ' + a(animal) if rng.random() < 0.5 else 'are two ' + plural(animal)} {at(place)}.",
        f"My {rng.choice(list(PARENTS))} {rng.choice(['is', 'was'])} in the"
        f" {rng.choice(['house', 'garden', 'kitchen'])}.",
        f"The {person} said that {he} would {move} {at(place)}.",
        f"{actor.name} {rng.choice(THINKS)[2]} that the {animal} was {rng.choice(TRAITS)}.",
        f"The {person} who {handled} {thing} was {rng.choice(GLAD + SAD)}.",
        f"Hello, {actor.name}! How are you? I am {rng.choice(GLAD)}.",
        f"After the rain, the {animal} {moved} {rng.choice(ADVERBS)} {on}.",
        f"The {person} washed {his} hands, and then {actor.name} helped {him}.",
        f"We'll go to the {place}, and it's going to be {rng.choice(WEATHER)}.",
        f"Please {handle} {thing} for {actor.name}.",
    ])]


def why_it(rng: random.Random) -> list[str]:
    """What "it" means is decided by the reason: the animal is tired, the street is wide."""
    animal, way = rng.choice(ANIMALS + BIG_ANIMALS), rng.choice(WAYS)
    did_not = rng.choice(["did not", "didn't", "could not"])
    if rng.random() < 0.5:
        state = rng.choice(ANIMAL_STATES)
        after = rng.choice([f"So the |{animal} {rng.choice(['took a nap', 'went home', 'sat down', 'had a rest'])}.",
                            f"The |{animal} was very |{state}."])
    else:
        state = rng.choice(WAY_STATES)
        after = rng.choice([f"So the |{way} {rng.choice(['stayed empty', 'was left alone', 'was not crossed'])}.",
                            f"The |{way} was very |{state}."])
    return [f"The {animal} {did_not} cross the {way} because it was too {state}.", after]


def does_not_fit(rng: random.Random) -> list[str]:
    thing, container = rng.choice([toy for toy in TOYS if toy not in CONTAINERS]), rng.choice(CONTAINERS)
    culprit, state = rng.choice([(thing, "big"), (container, "small"), (thing, "wide"), (container, "full")])
    return [
        f"The {thing} {rng.choice(['did not', 'does not'])} fit in the {container} because it was too {state}.",
        f"The |{culprit} was too |{state}.",
    ]


def agreement(rng: random.Random) -> list[str]:
    """The verb agrees with the first noun, not with the nearer one."""
    subject, near = rng.choice(TOYS + ANIMALS), rng.choice(FURNITURE + PLACES)
    many, near_many = rng.random() < 0.5, rng.random() < 0.5
    verb, they, color = ("are", "They", rng.choice(COLORS)) if many else ("is", "It", rng.choice(COLORS))
    where = f"{rng.choice(['near', 'behind', 'by', 'next to'])} the {rng.choice(['old', 'big', 'small', 'new'])}"
    return [
        f"The {plural(subject) if many else subject} {where} {plural(near) if near_many else near} |{verb} {color}.",
        f"|{they} |{verb} |{color}.",
    ]


def two_objects(rng: random.Random) -> list[str]:
    """Two people, two things; the second half asks for one of them back."""
    first = Actor(rng, kind=rng.choice(["girl", "boy"]))
    second = Actor(rng, unlike=first, kind=rng.choice(["girl", "boy"]))
    toys, colors = rng.sample(TOYS, 2), rng.sample(COLORS, 2)
    actor, toy, color = rng.choice([(first, toys[0], colors[0]), (second, toys[1], colors[1])])
    return [
        f"{first.name} had {a(colors[0])} {toys[0]}. {second.name} had {a(colors[1])} {toys[1]}.",
        rng.choice([
            f"{actor.name} looked for {actor.his} |{color} |{toy}.",
            f"{actor.name} played with {actor.his} |{toy}.",
            f"The {toy} of {actor.name} was |{color}.",
            f"The {color} |{toy} was a gift for |{actor.name}.",
        ]),
    ]


def boxes(rng: random.Random) -> list[str]:
    things, containers = rng.sample([toy for toy in TOYS if toy not in CONTAINERS], 2), rng.sample(CONTAINERS, 2)
    asked = rng.randrange(2)
    return [
        f"The {things[0]} is in the {containers[0]} and the {things[1]} is in the {containers[1]}.",
        f"Where is the {things[asked]}? The |{things[asked]} is in the |{containers[asked]}.",
    ]


def who_did_it(rng: random.Random) -> list[str]:
    """Pronouns by gender and by sense."""
    girl, boy = Actor(rng, kind="girl"), Actor(rng, kind="boy")
    first, second = rng.sample([girl, boy], 2)
    fruit, toy = rng.choice(FRUITS), rng.choice(TOYS)
    giver, taker = rng.choice(TRAITS[:3]), rng.choice(["hungry", "tired", "sick"])
    reason, whose = rng.choice([(giver, first), (taker, second)])
    return rng.choice([
        [f"{first.name} gave {second.name} {a(fruit)} because {whose.he} was {reason}.",
         f"|{whose.name} was {reason}."],
        [f"{first.name} thanked {second.name} because |{second.he} had helped |{first.him}."],
        [f"{first.name} lost {first.his} {toy}, so {second.name} helped |{first.him} find it."],
        [f"{first.name} asked {second.name} for help, and |{second.he} helped |{first.him}."],
        [f"{first.name} and {second.name} played. |{first.He} was tired, so |{first.he} went home."
         f" |{second.name} stayed."],
    ])


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


def chant(rng: random.Random) -> list[str]:
    """A line of any words, said again: what comes next can only be found by looking back."""
    kind = rng.randrange(3)
    if kind == 0:
        words = rng.sample(GIRLS + BOYS, rng.randint(3, 6))
    elif kind == 1:
        pairs = zip(rng.sample(COLORS, 4), rng.sample(TOYS, 4))
        words = [f"{color} {toy}" for color, toy in pairs][: rng.randint(2, 4)]
    else:
        words = rng.sample(TOYS + ANIMALS + FRUITS + PLACES + TRAITS, rng.randint(3, 8))
    again = ["|" + word.replace(" ", " |") for word in words]
    again[0] = again[0][1:]  # that the line starts over is a guess
    joint = rng.choice([", ", " "])
    return [capital(joint.join(words)) + ". " + capital(joint.join(again)) + "."]


# How often each is told.
SCENES = {
    everyday: 7, why_it: 3, does_not_fit: 1,
    agreement: 2, two_objects: 6, boxes: 2, who_did_it: 2, world: 1, chant: 6,
}

# Too few instances to hide any: hidden facts could not be known. Trained on whole, and not asked in validation.
NEVER_HELD_OUT = {world}
