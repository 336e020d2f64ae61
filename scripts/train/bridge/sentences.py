"""The everyday kinds of sentences, each a function from a Maker to the sentence in both languages.

Ambiguous words and "because it was too ..." are in senses.py. Next: senses.py, then corpus.py.
"""

import words
from clauses import (
    Pair, agreed, be, english_not, intransitive, motion, object_for, place, transitive, verb_phrase,
)
from lexicon import GIVING, NOUN, VERB, Adjective
from phrases import Maker, Name, NounPhrase, Phrase, invented, is_held_out_pair, it_for, name, noun_phrase, somebody
from spelling import Word
from spelling import words as plain

LIVING = ("human", "person", "animal")
DESCRIBED = ("animal", "human", "person", "place", "way", "thing", "text", "clothes", "container", "furniture",
             "opening", "vehicle", "plant", "food", "meal", "drink")


def _is_animal(subject: Phrase) -> bool:
    return isinstance(subject, NounPhrase) and subject.noun.kind in ("animal", "unknown")


def doing(maker: Maker) -> Pair:
    """The girl bought a red hat. They do not eat meat."""
    subject = noun_phrase(maker, ("unknown",)) if maker.chance(0.04) else somebody(maker, others=True)
    english, french = transitive(maker, subject, _is_animal(subject))
    return subject.english() + english, subject.french() + french


def moving(maker: Maker) -> Pair:
    """The birds are singing in the garden. She went to the market."""
    if maker.chance(0.35):
        subject = somebody(maker, others=True)
        english, french = motion(maker, subject)
    else:
        subject = somebody(maker, others=True)
        winged = isinstance(subject, NounPhrase) and subject.noun.english in words.WINGED
        english, french = intransitive(maker, subject, _is_animal(subject), winged)
    return subject.english() + english, subject.french() + french


DEGREES = {"very": "très", "too": "trop", "so": "si"}


def is_adjective(maker: Maker, subject: NounPhrase, adjective: Adjective, past: bool, negated: bool = False) -> Pair:
    """is very old, was not happy: the adjective agrees with the subject."""
    tag = maker.tag("a")
    maker.links.append(("entity", tag, subject.tag))
    verb_tag = maker.tag("v")
    maker.links.append(("verb-subject", verb_tag, subject.tag))
    english_be, french_be = be(subject, past)
    described = Word(adjective.french(subject.gender, subject.plural), tag)
    if negated:
        start = english_not(english_be, maker)
        english = [Word(start[0].text, verb_tag), *start[1:], Word(adjective.english, tag)]
        return english, [Word("ne"), Word(french_be, verb_tag), Word("pas"), described]
    degree = maker.rng.choice(list(DEGREES)) if maker.chance(0.45) else ""
    english = [Word(english_be, verb_tag), *plain(degree), Word(adjective.english, tag)]
    return english, [Word(french_be, verb_tag), *plain(DEGREES.get(degree, "")), described]


def other_adjective(maker: Maker, phrase: NounPhrase, *used: Adjective) -> Adjective:
    return maker.adjective(phrase.noun, words.FITTING[phrase.noun.kind], (*phrase.adjectives, *used))


def describing(maker: Maker) -> Pair:
    """The old houses near the river are beautiful, but they are not clean."""
    subject = noun_phrase(maker, ("unknown",) if maker.chance(0.04) else DESCRIBED)
    past = maker.chance(0.5)
    adjective = other_adjective(maker, subject)
    english, french = subject.english(), subject.french()
    if maker.chance(0.3) and not subject.noun.stuff:
        where_english, where_french = place(maker)
        english, french = english + where_english, french + where_french
    told = is_adjective(maker, subject, adjective, past, negated=maker.chance(0.15))
    english, french = english + told[0], french + told[1]
    draw = maker.rng.random()
    if draw < 0.25 and subject.noun.kind not in ("person", "unknown"):
        more = other_adjective(maker, subject, adjective)
        it, il = it_for(subject)
        tag = maker.tag("p")
        maker.links.append(("pronoun-antecedent", tag, subject.tag))
        told = is_adjective(maker, subject, more, past, negated=maker.chance(0.3))
        joint_english, joint_french = maker.rng.choice([("but", "mais"), ("and", "et")])
        english += [Word(joint_english), Word(it, tag), *told[0]]
        french += [Word(joint_french), Word(il, tag), *told[1]]
    elif draw < 0.4:
        more = other_adjective(maker, subject, adjective)
        tag = maker.tag("a")
        maker.links.append(("entity", tag, subject.tag))
        english += [Word("and"), Word(more.english, tag)]
        french += [Word("et"), Word(more.french(subject.gender, subject.plural), tag)]
    return english, french


def sitting(maker: Maker) -> Pair:
    """The cat sat on the mat. The apples fell from the tree."""
    if maker.chance(0.3):
        subject = noun_phrase(maker, ("thing", "text", "clothes", "food"), "the" if maker.chance(0.6) else None)
        determiner = maker.rng.choice(["the", "the", "this", "my"])
        site = noun_phrase(maker, ("furniture", "vehicle", "plant"), determiner, False)
        fell = verb_phrase(maker, subject, VERB["fall"], "past", maker.chance(0.15), motion=True)
        english = subject.english() + fell[0] + plain("from") + site.english()
        return english, subject.french() + fell[1] + plain("de") + site.french()
    subject = somebody(maker)
    site = noun_phrase(maker, ("furniture",), maker.rng.choice(["the", "the", "the", "a", "my", "this"]), False)
    tag = maker.tag("v")
    maker.links.append(("verb-subject", tag, subject.tag))
    seated = Word(agreed("assis", subject), tag)
    preposition_english, preposition_french = maker.rng.choice([("on", "sur"), ("on", "sur"), ("near", "près de")])
    if maker.chance(0.65):
        verb_english = [Word("sat", tag)]
        verb_french = [Word("se"), Word("sont" if subject.plural else "est"), seated]
    else:
        was, etait = be(subject, past=True)
        verb_english, verb_french = [Word(was), Word("sitting", tag)], [Word(etait), seated]
    return (
        subject.english() + verb_english + plain(preposition_english) + site.english(),
        subject.french() + verb_french + plain(preposition_french) + site.french(),
    )


def belonging(maker: Maker) -> Pair:
    """The king's horse is black. Anna's dress was not new: du roi, de l'ami, d'Anna."""
    named = maker.chance(0.35)
    owner = name(maker, known=0.6) if named else noun_phrase(maker, LIVING[:2], _plain_determiner(maker), False)
    thing = noun_phrase(maker, ("thing", "clothes", "vehicle", "animal", "container", "text"), "the",
                        adjectives=maker.rng.choice([0, 0, 1]))
    english = [*owner.english(), Word("'s"), *thing.english()[1:]]
    french = [*thing.french(), Word("de"), *owner.french()]
    told = is_adjective(maker, thing, other_adjective(maker, thing), maker.chance(0.5), maker.chance(0.12))
    return english + told[0], french + told[1]


def _plain_determiner(maker: Maker) -> str:
    return maker.rng.choice(["the", "the", "the", "my", "his", "our", "this"])


def part_of(maker: Maker) -> Pair:
    """She opened the door of the old house."""
    subject = somebody(maker, ("human", "person"), others=True)
    parts = ["door", "window", "roof", "wall", "key", "painting", "photo", "map", "door"]
    part = noun_phrase(maker, (), "the", noun=NOUN[maker.rng.choice(parts)], adjectives=maker.rng.choice([0, 0, 1]))
    whole = noun_phrase(maker, ("place",), maker.rng.choice(["the", "the", "the", "a", "this", "our"]), False)
    verb = VERB[maker.rng.choice(["see", "find", "clean", "paint", "forget", "touch"])]
    tense = "past" if subject.person != "3" else maker.rng.choice(["past", "present", "going to"])
    english, french = verb_phrase(maker, subject, verb, tense, maker.chance(0.1))
    return (
        subject.english() + english + part.english() + plain("of") + whole.english(),
        subject.french() + french + part.french() + plain("de") + whole.french(),
    )


def giving(maker: Maker) -> Pair:
    """The teacher gave a book to the children: au, aux, à la, à l'."""
    subject = somebody(maker, ("human", "person"), others=True)
    verb = maker.rng.choice(GIVING)
    tense = "past" if subject.person != "3" else maker.rng.choice(["past", "past", "present", "want to", "going to"])
    negated = maker.chance(0.12)
    english, french = verb_phrase(maker, subject, verb, tense, negated)
    gift = noun_phrase(maker, ("thing", "text", "clothes", "container", "food"))
    if maker.chance(0.2):
        receiver = name(maker, known=0.5)
    else:
        determiner = maker.rng.choice(["the", "the", "the", "my", "his", "our", "a"])
        receiver = noun_phrase(maker, LIVING, determiner, adjectives=maker.rng.choice([0, 0, 1]))
    return (
        subject.english() + english + gift.english(negated) + plain("to") + receiver.english(),
        subject.french() + french + gift.french(negated) + plain("à") + receiver.french(),
    )


def there_is(maker: Maker) -> Pair:
    """There are three black cats under the table."""
    kinds = ("animal", "thing", "text", "clothes", "container", "furniture", "plant", "food", "meal", "drink", "human")
    number = maker.rng.choice([*words.NUMBERS, str(maker.rng.randint(2, 999))])
    determiner = maker.rng.choice(["a", "a", "a", "many", number])
    thing = noun_phrase(maker, kinds, determiner)
    past, negated = maker.chance(0.35), maker.chance(0.15) and determiner == "a"
    where_english, where_french = place(maker)
    english, avait = be(thing, past)[0], "avait" if past else "a"
    if negated:
        no = [Word("no"), *thing.english()[1:]]
        french = [*plain(f"il ne y {avait} pas"), *thing.french(negated=True)]
        return plain(f"there {english}") + no + where_english, french + where_french
    return (
        plain(f"there {english}") + thing.english() + where_english,
        plain(f"il y {avait}") + thing.french() + where_french,
    )


def naming(maker: Maker) -> Pair:
    """Zorbal sees the red car. A girl named Miket bought a hat: words that nobody knows are spelled and copied."""
    if maker.chance(0.5):
        subject = Name(invented(maker, capital=True), "m", maker.tag("n"))
        maker_tense = maker.rng.choice(["present", "past", "going to", "want to"])
        verbs = "see find buy sell take carry hide choose wash paint draw eat help follow".split()
        verb = VERB[maker.rng.choice(verbs)]
        told = verb_phrase(maker, subject, verb, maker_tense, maker.chance(0.12))
        if maker.chance(0.4) and verb.base in ("see", "find", "help", "follow"):
            thing = name(maker, known=0.4)
            return subject.english() + told[0] + thing.english(), subject.french() + told[1] + thing.french()
        negated = told[1][0].text == "ne"
        thing = object_for(maker, verb)
        return subject.english() + told[0] + thing.english(negated), subject.french() + told[1] + thing.french(negated)
    determiner = maker.rng.choice(["a", "the", "my", "our"])
    person = noun_phrase(maker, LIVING, determiner, adjectives=maker.rng.choice([0, 0, 1]))
    called = name(maker, 0.2, person.gender)
    named = Word("named"), Word(agreed("nommé", person))
    if person.plural:
        other = name(maker, 0.2, person.gender)
        called_words = (
            [*called.english(), Word("and"), *other.english()], [*called.french(), Word("et"), *other.french()],
        )
    else:
        called_words = called.english(), called.french()
    if maker.chance(0.5):
        subject = somebody(maker, ("human", "person"), others=True)
        verb = VERB[maker.rng.choice(["see", "help", "find", "follow", "know"])]
        tense = "past" if subject.person != "3" else maker.rng.choice(["past", "present"])
        told = verb_phrase(maker, subject, verb, tense, False)
        return (
            subject.english() + told[0] + person.english() + [named[0]] + called_words[0],
            subject.french() + told[1] + person.french() + [named[1]] + called_words[1],
        )
    told = transitive(maker, person, person.noun.kind == "animal")
    return (
        person.english() + [named[0]] + called_words[0] + told[0],
        person.french() + [named[1]] + called_words[1] + told[1],
    )


def asking(maker: Maker) -> Pair:
    """Where is the black cat? Who sees the king? Is the house old? The question mark is put on by corpus.py."""
    draw = maker.rng.random()
    if draw < 0.35:
        thing = noun_phrase(maker, DESCRIBED[:-2], maker.rng.choice(["the", "my", "his", "your", "this"]))
        past = maker.chance(0.3)
        english, french = be(thing, past)
        return plain(f"where {english}") + thing.english(), plain(f"où {french}") + thing.french()
    if draw < 0.6:
        who = Name("who", "m", maker.tag("p"))
        english, french = transitive(maker, who, animal=False, may_negate=False)
        return who.english() + english, plain("qui") + french
    subject = noun_phrase(maker, DESCRIBED, maker.rng.choice(["the", "the", "my", "your", "this"]))
    english, french = is_adjective(maker, subject, other_adjective(maker, subject), maker.chance(0.4))
    return [english[0], *subject.english(), *english[1:]], plain("est-ce que") + subject.french() + french


def comparing(maker: Maker) -> Pair:
    """The dog is faster than the cat."""
    kind = maker.rng.choice(["animal", "human", "person", "vehicle", "way", "thing"])
    one = noun_phrase(maker, (kind,), _plain_determiner(maker))
    other = noun_phrase(maker, (kind,), _plain_determiner(maker), adjectives=maker.rng.choice([0, 0, 1]))
    fitting = [each for each in words.COMPARED if each in words.FITTING[kind]]
    adjective = maker.adjective(one.noun, fitting)
    tag, verb_tag = maker.tag("a"), maker.tag("v")
    maker.links += [("verb-subject", verb_tag, one.tag), ("entity", tag, one.tag)]
    english_be, french_be = be(one, maker.chance(0.3))
    form = Word(adjective.french(one.gender, one.plural), tag)
    if maker.chance(0.3):
        english = [Word("as"), Word(adjective.english, tag), Word("as")]
        french = [Word("aussi"), form, Word("que")]
    else:
        english = [Word(words.COMPARED[adjective.english], tag), Word("than")]
        french = [Word("plus"), form, Word("que")]
    return (
        [*one.english(), Word(english_be, verb_tag), *english, *other.english()],
        [*one.french(), Word(french_be, verb_tag), *french, *other.french()],
    )


def relating(maker: Maker) -> Pair:
    """The farmer who sees the dogs is old: the verb agrees with the farmer."""
    subject = noun_phrase(maker, LIVING, _plain_determiner(maker), adjectives=maker.rng.choice([0, 0, 1]))
    animal = subject.noun.kind == "animal"
    who = Word("that" if animal else "who")
    inner = transitive(maker, subject, animal)
    told = is_adjective(maker, subject, other_adjective(maker, subject), maker.chance(0.4))
    return (
        [*subject.english(), who, *inner[0], *told[0]],
        [*subject.french(), Word("qui"), *inner[1], *told[1]],
    )


class _Both(NounPhrase):
    """Two noun phrases as one subject: plural, and masculine unless both are feminine."""

    def __init__(self, one: NounPhrase, other: NounPhrase):
        self.one, self.other, self.plural, self.tag, self.person = one, other, True, other.tag, "3"

    @property
    def gender(self) -> str:
        return "f" if self.one.gender == self.other.gender == "f" else "m"

    def english(self, negated: bool = False) -> list[Word]:
        return [*self.one.english(), Word("and"), *self.other.english()]

    def french(self, negated: bool = False) -> list[Word]:
        return [*self.one.french(), Word("et"), *self.other.french()]


def joining(maker: Maker) -> Pair:
    """The king and the queen are dancing. The cat and the hens are black."""
    kinds = maker.rng.choice([("human", "person"), ("animal",)])
    one, other = (
        noun_phrase(maker, kinds, _plain_determiner(maker), adjectives=maker.rng.choice([0, 0, 1])) for _ in range(2)
    )
    both = _Both(one, other)
    animal = kinds == ("animal",)
    draw = maker.rng.random()
    if draw < 0.4:
        fitting = words.FITTING[other.noun.kind]
        if maker.only_trained_pairs:
            fitting = [each for each in fitting if not is_held_out_pair(each, other.noun.english)]
        adjective = maker.adjective(one.noun, fitting)
        maker.pairs.append((adjective.english, other.noun.english))
        told = is_adjective(maker, both, adjective, maker.chance(0.5))
    elif draw < 0.7:
        told = intransitive(maker, both, animal, winged=False)
    else:
        told = transitive(maker, both, animal)
    return both.english() + told[0], both.french() + told[1]


def when_first(maker: Maker) -> Pair:
    """Yesterday, the baker sold ten apples. The comma is a word of its own here."""
    subject = somebody(maker, others=True)
    tense = maker.rng.choice(["past", "past", "present"])
    if tense == "past":
        when = maker.rng.choice([*words.PAST_TIMES.items(), *((f"on {day}", jour) for day, jour in words.DAYS.items())])
    else:
        when = maker.rng.choice([*words.TIMES.items()])
        if subject.person != "3":
            subject = noun_phrase(maker, LIVING)
    verb = VERB[maker.rng.choice("see find buy sell take carry lose hide wash paint draw eat drink follow".split())]
    if _is_animal(subject) and verb.base not in words.ANIMALS_TOO:
        verb = VERB[maker.rng.choice("see find eat follow".split())]
    negated = maker.chance(0.12)
    told = verb_phrase(maker, subject, verb, tense, negated)
    thing = object_for(maker, verb)
    return (
        plain(when[0]) + [Word(",")] + subject.english() + told[0] + thing.english(negated),
        plain(when[1]) + [Word(",")] + subject.french() + told[1] + thing.french(negated),
    )


def introducing(maker: Maker) -> Pair:
    """My name is Zorbal. This is my brother. I have a big dog. I am in the garden."""
    draw = maker.rng.random()
    if draw < 0.35:
        whose, french, gender = maker.rng.choice([
            ("my", "je me appelle", ""), ("his", "il se appelle", "m"), ("her", "elle se appelle", "f"),
        ])
        who = name(maker, 0.3, gender)
        return plain(f"{whose} name is") + who.english(), plain(french) + who.french()
    if draw < 0.6:
        thing = noun_phrase(maker, ("animal", "human", "person", "place", "thing", "clothes", "vehicle"),
                            maker.rng.choice(["my", "his", "her", "our", "your", "a", "the"]))
        these, ce = ("these are", "ce sont") if thing.plural else ("this is", "c' est")
        return plain(these) + thing.english(), plain(ce) + thing.french()
    if draw < 0.85:
        verb, french = maker.rng.choice([("have", "ai"), ("see", "vois"), ("love", "adore"), ("like", "aime")])
        thing = object_for(maker, VERB[verb])
        negated = maker.chance(0.2)
        not_ = english_not("do", maker) if negated else []
        ne = [Word("ne"), Word(french), Word("pas")] if negated else [Word(french)]
        return [Word("I"), *not_, Word(verb), *thing.english(negated)], [Word("je"), *ne, *thing.french(negated)]
    where = place(maker)
    return plain("I am") + where[0], plain("je suis") + where[1]


EVERYDAY = {
    doing: 15, moving: 9, describing: 14, sitting: 5, belonging: 6, part_of: 3, giving: 6, there_is: 5, naming: 9,
    asking: 6, comparing: 4, relating: 4, joining: 5, when_first: 5,
    introducing: 5,
}
