"""Word lists for the story grammar, and the few rules of English spelling it needs.

Leaves out all sentence building: that is plots.py and scenes.py. Next: actors.py.
"""

import random

GIRLS = """Lily Mia Anna Sara Emma Lucy Rose Zoe Nina Ella Ada Amy Clara Daisy Eva Grace Hanna Iris
Jane Kate Laura Maya Nora Olivia Paula Ruth Sofia Tina Vera Alice""".split()
BOYS = """Tom Ben Sam Max Leo Jack Tim Dan Noah Finn Adam Bob Carl David Eric Felix George Henry Ivan
Jim Kai Luke Mark Nick Oscar Paul Peter Simon Tony Will""".split()

PARENTS = {"mom": "f", "dad": "m", "grandma": "f", "grandpa": "m"}
# People named by a role; the letter is the pronoun used for them.
PEOPLE = {
    "man": "m", "woman": "f", "boy": "m", "girl": "f", "king": "m", "queen": "f", "prince": "m",
    "princess": "f", "farmer": "m", "teacher": "f", "baker": "m", "doctor": "f", "sailor": "m", "nurse": "f",
    "student": "f", "writer": "m", "uncle": "m", "aunt": "f", "neighbor": "m", "sister": "f", "brother": "m",
}

ANIMALS = """cat dog rabbit fox bear duck frog mouse bird pony squirrel turtle goat lamb owl hedgehog
chicken donkey monkey penguin snake bee kitten puppy""".split()
BIG_ANIMALS = "horse cow elephant lion wolf deer tiger camel animal sheep pig".split()
COLORS = "red blue green yellow purple orange white black brown pink gray golden".split()
SIZES = "big small little tiny huge round old new shiny soft".split()
TOYS = """ball kite hat book box boat drum cup bell car doll flower key coat lamp ring scarf spoon
basket umbrella puzzle whistle bucket blanket clock brush bag shoe stone shell train crown candle pencil
guitar mirror sweater map letter picture phone ladder""".split()
CONTAINERS = "box bag basket bucket drawer cupboard chest pocket suitcase jar".split()
FURNITURE = "table chair bed sofa shelf mat rug bench desk floor wall roof".split()
PLACES = """park garden forest kitchen school beach farm market barn river hill house lake village
castle library town zoo bakery playground mountain island city bank""".split()
# Places that one goes to and is on or at rather than in.
AT_PLACES = {
    "school": "at", "beach": "at", "farm": "on", "market": "at", "river": "by", "hill": "on", "lake": "by",
    "zoo": "at", "bakery": "at", "playground": "on", "mountain": "on", "island": "on",
}
WAYS = "street road river bridge field path stream".split()
FOODS = """apples bread cookies soup carrots berries cheese honey pancakes grapes rice pears eggs
tomatoes nuts corn cake potatoes""".split()
# The one among these that a person eats as a thing: "an apple".
FRUITS = "apple pear carrot cookie peach plum tomato banana cherry nut".split()
DRINKS = "milk water tea juice coffee".split()
HIDING_PLACES = [
    "under the bed", "behind the door", "in the tall grass", "under the table", "behind a big tree",
    "next to the fence", "in the basket", "on top of the wall", "near the pond", "inside the old barn",
    "behind the sofa", "under a bush", "beside the well", "on the roof", "between two rocks", "below the bridge",
]
GLAD = "happy proud glad excited cheerful".split()
SAD = "sad worried upset scared lonely angry".split()
TRAITS = "kind brave clever shy funny quiet gentle curious lazy polite honest strong friendly".split()
WEATHER = "sunny rainy cold warm windy snowy cloudy hot foggy".split()
ADVERBS = "slowly quickly quietly carefully happily loudly gently".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
NUMBERS = "one two three four five six seven eight nine ten".split()

# Why an animal stays, and why a way is not crossed: the word alone says what "it" is.
ANIMAL_STATES = "tired scared sleepy hungry weak sick lazy thirsty".split()
WAY_STATES = "wide long busy dangerous dark icy noisy muddy".split()
THING_STATES = {"clean": "dirty", "full": "empty", "open": "closed", "new": "old", "heavy": "light", "dry": "wet"}
OPPOSITES = {
    "big": "small", "hot": "cold", "fast": "slow", "tall": "short", "old": "young", "happy": "sad",
    "light": "dark", "hard": "soft", "loud": "quiet", "full": "empty", "wet": "dry", "strong": "weak",
}
JOBS = {
    "baker": "bakes bread", "farmer": "grows corn", "teacher": "teaches children", "doctor": "helps sick people",
    "sailor": "sails a boat", "king": "wears a crown", "nurse": "works in a hospital",
}
SOUNDS = {
    "cat": "meow", "dog": "woof", "duck": "quack", "cow": "moo", "sheep": "baa", "frog": "croak",
    "pig": "oink", "bird": "tweet", "owl": "hoot", "mouse": "squeak",
}

# Intransitive and transitive verbs: plain form, third person, past, -ing.
MOVES = [
    ("sit", "sits", "sat", "sitting"), ("sleep", "sleeps", "slept", "sleeping"), ("play", "plays", "played", "playing"),
    ("stand", "stands", "stood", "standing"), ("wait", "waits", "waited", "waiting"),
    ("rest", "rests", "rested", "resting"),
    ("jump", "jumps", "jumped", "jumping"), ("sing", "sings", "sang", "singing"),
    ("dance", "dances", "danced", "dancing"),
    ("walk", "walks", "walked", "walking"), ("run", "runs", "ran", "running"), ("read", "reads", "read", "reading"),
    ("work", "works", "worked", "working"), ("eat", "eats", "ate", "eating"), ("talk", "talks", "talked", "talking"),
]
HANDLES = [
    ("see", "sees", "saw", "seeing"), ("find", "finds", "found", "finding"), ("take", "takes", "took", "taking"),
    ("carry", "carries", "carried", "carrying"), ("hold", "holds", "held", "holding"),
    ("buy", "buys", "bought", "buying"),
    ("make", "makes", "made", "making"), ("like", "likes", "liked", "liking"), ("want", "wants", "wanted", "wanting"),
    ("bring", "brings", "brought", "bringing"), ("drop", "drops", "dropped", "dropping"),
    ("paint", "paints", "painted", "painting"),
    ("need", "needs", "needed", "needing"), ("look at", "looks at", "looked at", "looking at"),
]
THINKS = [
    ("think", "thinks", "thought", "thinking"), ("know", "knows", "knew", "knowing"), ("say", "says", "said", "saying"),
    ("hope", "hopes", "hoped", "hoping"), ("believe", "believes", "believed", "believing"),
]

# For plain sentences of daily life (everyday.py).
FAMILY = {"mother": "f", "father": "m", "sister": "f", "brother": "m", "aunt": "f", "uncle": "m", "friend": "f",
          "cousin": "m", "grandmother": "f", "grandfather": "m", "daughter": "f", "son": "m"}
VEHICLES = "bus car train bike taxi truck plane ship tram van".split()
CLOTHES = "coat hat shirt dress jacket sweater scarf skirt".split()
MEALS = "breakfast lunch dinner supper".split()
ROOMS = "kitchen bathroom bedroom garden office cellar hall classroom".split()
TIMES = ["today", "yesterday", "last night", "last week", "this morning", "on Monday", "on Friday", "in the evening"]
FUTURE = ["tomorrow", "next week", "soon", "tonight", "next year", "on Sunday", "after lunch", "in the morning"]
OFTEN = "always never often sometimes usually".split()
LESSONS = "math music history art English science reading writing".split()
GAMES = "football chess cards tennis hockey games".split()
NATURE = "sun moon sky rain wind snow sea grass tree sand fire air ice night".split()
LOOKS = "nice good beautiful important interesting difficult easy long short great strange simple".split()
BODY = "hand arm leg foot head back nose tooth knee ear".split()
SHOPS = "shop market bank station museum theater hospital library restaurant hotel airport".split()
MATERIALS = "wood glass paper gold stone wool metal clay".split()

# Sounds of made-up words; letters that make rude words easily are left out.
_ONSETS = "b d l m n r t v z br dr gl tr".split()
_VOWELS = "a e i o u".split()
_CODAS = ["", "", "", "l", "n", "r", "m"]

_IRREGULAR_PLURALS = {
    "mouse": "mice", "sheep": "sheep", "deer": "deer",
    "wolf": "wolves", "shelf": "shelves", "pony": "ponies", "scarf": "scarves",
    "berry": "berries", "cherry": "cherries", "library": "libraries", "bakery": "bakeries", "city": "cities",
    "puppy": "puppies",
    "tomato": "tomatoes",
}


def plural(noun: str) -> str:
    """The plural of any noun in the lists above."""
    if noun in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[noun]
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    return noun + "s"


def invented(rng: random.Random) -> str:
    """A word that nobody has heard before; it can be known only from the text that it stands in."""
    syllables = [rng.choice(_ONSETS) + rng.choice(_VOWELS) + rng.choice(_CODAS) for _ in range(rng.choice([2, 2, 3]))]
    return "".join(syllables) if syllables[0] != syllables[1] else invented(rng)


def a(phrase: str) -> str:
    """The phrase with its indefinite article: a ball, an old hat, an honest king."""
    vowel = phrase[0] in "aeiouAEIOU" or phrase.startswith("honest")
    return ("an " if vowel else "a ") + phrase


def at(place: str) -> str:
    """Where somebody is: in the park, at the beach, on the hill."""
    return f"{AT_PLACES.get(place, 'in')} the {place}"
