"""Plain sentences of daily life, of many shapes; nothing in them is to be recalled.

They give the model the common words of English beyond its stories. Next: recall.py.
"""

import random

from actors import Actor, capital, pronouns
from words import (
    ADVERBS, ANIMALS, BIG_ANIMALS, BODY, CLOTHES, COLORS, DAYS, DRINKS, FAMILY, FOODS, FRUITS, FURNITURE, FUTURE,
    GAMES, GLAD, HANDLES, LESSONS, LOOKS, MATERIALS, MEALS, MOVES, NATURE, NUMBERS, OFTEN, OPPOSITES, PARENTS, PEOPLE,
    PLACES, ROOMS, SAD, SHOPS, SIZES, THING_STATES, THINKS, TIMES, TOYS, TRAITS, VEHICLES, WEATHER, a, at, plural,
)

THINGS_ARE = list(THING_STATES) + list(THING_STATES.values())


def everyday(rng: random.Random) -> list[str]:
    """People, animals and things of the stories."""
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


def daily_life(rng: random.Random) -> list[str]:
    """I, you, we and they; home, school, shops, travel and the weather."""
    relative, second = rng.sample(list(FAMILY), 2)
    he, him, his = pronouns(FAMILY[relative])
    animal, toy, color, look = rng.choice(ANIMALS), rng.choice(TOYS), rng.choice(COLORS), rng.choice(LOOKS)
    shop, room, meal, vehicle = rng.choice(SHOPS), rng.choice(ROOMS), rng.choice(MEALS), rng.choice(VEHICLES)
    food, drink, day, lesson = rng.choice(FOODS), rng.choice(DRINKS), rng.choice(DAYS), rng.choice(LESSONS)
    garment, when, later, often = rng.choice(CLOTHES), rng.choice(TIMES), rng.choice(FUTURE), rng.choice(OFTEN)
    move, moves, moved, moving = rng.choice(MOVES)
    handle, handles, handled, handling = rng.choice(HANDLES)
    weather, number, glad, sad = rng.choice(WEATHER), rng.choice(NUMBERS[1:]), rng.choice(GLAD), rng.choice(SAD)
    thing = rng.choice([a(toy), f"the {toy}", f"the {color} {toy}", f"some {food}", f"my {garment}"])
    my = rng.choice(["my", "your", "our", "their", "the"])
    My = my.capitalize()
    on = f"{rng.choice(['on', 'under', 'near', 'in front of'])} the {rng.choice(FURNITURE)}"
    name = Actor(rng, kind=rng.choice(["girl", "boy"])).name
    return [rng.choice([
        f"My {relative} works in the {shop} and {often} comes home late.",
        f"{My} {relative} and {my} {second} are at the {shop} today.",
        f"I went to the {shop} {when} because I needed {thing}.",
        f"We are going to the {shop} by {vehicle} {later}.",
        f"The {vehicle} was late, so we {moved} at the {shop}.",
        f"Can you tell me where the {shop} is? It is next to the {rng.choice(SHOPS)}.",
        f"What time is it? It is {number} o'clock.",
        f"The {vehicle} leaves at {number} o'clock in the morning.",
        f"I {often} have {food} and {drink} for {meal}.",
        f"What do you want for {meal}? I would like {food}, please.",
        f"They were having {meal} in the {room} when the phone rang.",
        f"If it is {weather} {later}, we will {move} {at(rng.choice(PLACES))}.",
        f"When it is {weather}, I {often} wear {a(color)} {garment}.",
        f"She put on {a(color)} {garment} before she went out.",
        f"He took off his {garment} because it was too {rng.choice(['hot', 'warm', 'small', 'wet'])}.",
        f"The weather was {weather} {when}, but it will be {rng.choice(WEATHER)} {later}.",
        f"The {rng.choice(NATURE)} is {rng.choice(['white', 'cold', 'bright', 'beautiful', 'quiet'])}"
        f" {rng.choice(['at night', 'in winter', 'in summer', 'today'])}.",
        f"I think that {my} {relative} is very {rng.choice(TRAITS)}.",
        f"I don't know what to do {later}. Do you want to {move} with me?",
        f"You should {handle} {thing} before {meal}.",
        f"We have to learn {lesson} for the test on {day}.",
        f"The {rng.choice(['teacher', 'student', relative])} gave us {a(look)} book about {lesson}.",
        f"My {relative} is {rng.choice(['good', 'bad', 'very good', 'not good'])} at {rng.choice(LESSONS + GAMES)}.",
        f"They play {rng.choice(GAMES)} every {day} after school.",
        f"This is the {look} story that {my} {relative} told me {when}.",
        f"It was {a(look)} day, and everybody was {glad}.",
        f"Why are you {sad}? I am {sad} because I lost {my} {toy}.",
        f"How many {plural(toy)} do you have? I have {number} {plural(toy)}.",
        f"How old is {my} {relative}? {he.capitalize()} is {number} years old.",
        f"There are {number} {plural(toy)} {on} in the {room}.",
        f"There was nobody in the {room}, and the door was open.",
        f"Somebody left {a(garment)} {on}.",
        f"The {toy} is made of {rng.choice(MATERIALS)}.",
        f"The {toy} that you {handled} {when} is very {look}.",
        f"He has never been to the {shop}, but he would like to go there {later}.",
        f"She has lived in this {rng.choice(['house', 'city', 'village', 'town'])} for {number} years.",
        f"I have been {moving} here since {rng.choice(['Monday', 'this morning', meal, 'last week'])}.",
        f"While I was {moving}, my {relative} was {handling} {thing}.",
        f"You can {move} here, but you must not {rng.choice(MOVES)[0]}.",
        f"The {animal} has hurt its {rng.choice(BODY)}, so it cannot {move}.",
        f"My {rng.choice(BODY)} hurts. I should go to the doctor {later}.",
        f"Good morning, {name}. Did you sleep well?",
        f"Good night, {name}. See you {rng.choice(['tomorrow', 'soon', 'on ' + day])}!",
        f"Excuse me, is this the way to the {shop}?",
        f"Thank you for the {rng.choice(['book', 'letter', 'flowers', 'present', meal])}. It was very kind of you.",
        f"I am sorry that I {rng.choice(['am late', 'broke the ' + toy, 'forgot your name', 'did not call you'])}.",
        f"Open the {rng.choice(['door', 'window', 'box'])}, please."
        f" It is {rng.choice(['hot', 'dark', 'cold'])} in here.",
        f"The {rng.choice(['door', 'window', 'shop', shop])} is {rng.choice(['open', 'closed'])} on {day}.",
        f"I saw {name} at the {shop} {when}, but {name} did not see me.",
        f"The people in the {shop} were {rng.choice([glad, sad, 'friendly', 'quiet'])}.",
        f"A man and a woman were {moving} {at(rng.choice(PLACES))}.",
        f"The children were {moving} in the {room} because it was {weather} outside.",
        f"We {handled} {thing} and then we went back to the {shop}.",
        f"Nobody {rng.choice(THINKS)[2]} that the {animal} could {move}.",
        f"The {animal} is bigger than the {rng.choice(ANIMALS)}, but it is not so {rng.choice(TRAITS)}.",
        f"This {toy} costs {number} dollars, and that one costs {rng.choice(NUMBERS[1:])} dollars.",
        f"I would rather {move} than {rng.choice(MOVES)[0]}.",
        f"Let's go to the {rng.choice(PLACES)} and {move}!",
        f"Be careful! The {rng.choice(['water', 'soup', 'tea', 'glass', 'fire'])} is {rng.choice(['hot', 'cold'])}.",
        f"He said that he had {rng.choice(['found', 'lost', 'bought', 'seen', 'forgotten'])} {thing} at the {shop}.",
        f"First I wash my face, then I have {meal}, and after that I {move}.",
        f"The book is about {a(rng.choice(TRAITS))} {animal} that wants to {move}.",
        f"On {day}, {my} {relative} {often} goes to the {shop} to {handle} {food}.",
        f"{My} {relative} forgot {his} {garment}, so I gave {him} mine.",
    ])]


def openings(rng: random.Random) -> list[str]:
    """Sentences that begin with a time, a reason, a wish, a command: with anything but who does it."""
    relative, animal = rng.choice(list(FAMILY)), rng.choice(ANIMALS)
    name = Actor(rng, kind=rng.choice(["girl", "boy"])).name
    place, shop, room, meal = rng.choice(PLACES), rng.choice(SHOPS), rng.choice(ROOMS), rng.choice(MEALS)
    toy, color, look, drink = rng.choice(TOYS), rng.choice(COLORS), rng.choice(LOOKS), rng.choice(DRINKS)
    when, later, often, day = rng.choice(TIMES), rng.choice(FUTURE), rng.choice(OFTEN), rng.choice(DAYS)
    move, moves, moved, moving = rng.choice(MOVES)
    handle, handles, handled, handling = rng.choice(HANDLES)
    thing = rng.choice([a(toy), f"the {toy}", f"the {color} {toy}", f"some {rng.choice(FOODS)}"])
    where = rng.choice([at(place), at(place), f"in the {room}", f"at the {shop}", "at home"])
    do = rng.choice([move, f"{rng.choice(HANDLES[1:7])[0]} {thing}"])
    who, whom = rng.choice([("we", "us"), ("they", "them"), ("I", "me"), (name, name), (f"the {animal}", "it")])
    comma = rng.choice([",", ""])
    past = rng.choice([f"{who} {moved} {where}", f"{who} {handled} {thing}", f"my {relative} {moved} {where}",
                       f"we saw {a(rng.choice(TRAITS))} {animal} {where}", f"there was {a(look)} {toy} {where}"])
    season = rng.choice(["spring", "summer", "autumn", "evening", "afternoon"])
    return [rng.choice([
        f"{capital(when)}{comma} {past}.",
        f"{rng.choice(['One day', 'That night', 'Two days ago', 'A week ago', 'Then', 'At last'])}{comma} {past}.",
        f"Last {rng.choice(['month', 'winter', 'year', 'spring', day])}{comma} {past}.",
        f"Every {rng.choice(['day', 'evening', 'week', 'night', 'year', day])}{comma} my {relative} {moves} {where}.",
        f"{rng.choice(['Sometimes', 'Usually', 'At night', 'On ' + day])}{comma} we {move} {where}.",
        f"In the {season}{comma} {rng.choice([past, f'they {often} {move} {where}'])}.",
        f"{capital(later)}{comma} {rng.choice(['we', 'they', 'I', name])} will {move} {where}.",
        f"Now {rng.choice(['we', 'they', 'I', name])} can {do}.",
        f"Before {meal}{comma} {past}.",
        f"When {who} came home, {past}.",
        f"When {name} was {rng.choice(['little', 'small', *NUMBERS[3:]])}, {past}.",
        f"Because it was {rng.choice(WEATHER)}, {past}.",
        f"If it is {rng.choice(WEATHER)}, you can {do} {where}.",
        f"If you like {rng.choice(FOODS)}, {rng.choice(['we can', 'let us', 'you should'])} go"
        f" to the {rng.choice(SHOPS[:2])}.",
        f"With {a(color)} {toy}, {name} {moved} {where}.",
        f"{capital(at(place))}{comma} {who} {rng.choice([moved, f'{handled} {thing}'])}.",
        f"Please {rng.choice(['come', 'sit', 'stay', 'wait'])} {where}.",
        f"{rng.choice(['Please don', 'Don'])}'t {do}.",
        f"{capital(do)}, please.",
        f"{rng.choice(['Come', 'Sit down', 'Stay here', 'Go home'])} and {do}.",
        f"Look at the {look} {toy}! Who {handled} it?",
        f"Could I have a {rng.choice(['cup', 'glass', 'bottle'])} of {drink}, please?",
        f"This is my {relative}, and that is my {rng.choice(list(FAMILY))}.",
        f"{rng.choice(['We', 'They', 'You'])} did not know"
        f" {rng.choice([f'where the {toy} was', f'that the {animal} could {move}', 'what to do'])}.",
        f"{rng.choice(['He', 'She', 'I', name])} had never seen {a(look)} {toy} before.",
        f"The {rng.choice(list(PEOPLE))} asked {whom} to {do}.",
        f"The {rng.choice(list(PEOPLE))} told {whom} that it was too {rng.choice(['late', 'early', 'cold'])}.",
        f"The {rng.choice(VEHICLES)} to the {shop} {rng.choice(['was late', 'left early', 'was full'])} {when}.",
        f"It was {a(rng.choice(['quiet', 'beautiful', *WEATHER]))} {rng.choice(['morning', 'evening'])}, and {past}.",
        f"Your {relative} and I {moved} {where}.",
        f"I have {rng.choice(NUMBERS[1:])} {plural(toy)}, and you can have one.",
        f"Here is {a(toy)} for you and your {relative}.",
    ])]
