"""Verbs with their subjects, objects and places: tenses, negation, agreement of participles.

A clause is built in both languages at once, as a pair of word lists. Next: sentences.py and senses.py.
"""

import words
from lexicon import INTRANSITIVE, MOTION, NOUN, TRANSITIVE, Verb
from phrases import Maker, NounPhrase, Phrase, noun_phrase
from spelling import Word
from spelling import words as plain

Pair = tuple[list[Word], list[Word]]  # English, French

_HAVE = {"1s": "ai", "1p": "avons", "2p": "avez"}
_MODALS = {
    # English third singular and other persons; French je, nous, vous, il, ils.
    "can": ("can", "can", "peux", "pouvons", "pouvez", "peut", "peuvent"),
    "must": ("must", "must", "dois", "devons", "devez", "doit", "doivent"),
    "want to": ("wants to", "want to", "veux", "voulons", "voulez", "veut", "veulent"),
    "going to": ("is going to", "are going to", "vais", "allons", "allez", "va", "vont"),
}


def english_verb(form: str, tag: str) -> list[Word]:
    head, *rest = form.split("_")
    return [Word(head, tag), *map(Word, rest)]


def be(phrase: Phrase, past: bool) -> tuple[str, str]:
    if past:
        return ("were", "étaient") if phrase.plural else ("was", "était")
    return ("are", "sont") if phrase.plural else ("is", "est")


def english_not(auxiliary: str, maker: Maker) -> list[Word]:
    """did not or didn't, as two words or as one with its ending."""
    if auxiliary == "can":
        return [Word("cannot")] if maker.chance(0.5) else [Word("can"), Word("'t")]
    return [Word(auxiliary), Word("not")] if maker.chance(0.6) else [Word(auxiliary + "n"), Word("'t")]


def agreed(participle: str, subject: Phrase) -> str:
    ending = ("e" if subject.gender == "f" else "") + ("s" if subject.plural else "")
    return participle + ("" if participle.endswith("s") and ending == "s" else ending)


def verb_phrase(maker: Maker, subject: Phrase, verb: Verb, tense: str, negated: bool, motion: bool = False) -> Pair:
    """The verb without its object. Tenses: present, progressive, past, was-doing, can, must, want to, going to."""
    tag = maker.tag("v")
    maker.links.append(("verb-subject", tag, subject.tag))
    base = english_verb(verb.base, tag)
    third_singular = subject.person == "3" and not subject.plural
    if tense in _MODALS:
        return _modal(maker, subject, verb, tense, negated, base, third_singular)
    if tense == "past" and verb.base in words.LASTING:
        french = Word(words.LASTING[verb.base] + ("aient" if subject.plural else "ait"), tag)
        if negated:
            return english_not("did", maker) + base, [Word("ne"), french, Word("pas")]
        return english_verb(verb.past, tag), [french]
    if tense == "past":
        french_base = Word(agreed(verb.participle, subject) if motion else verb.participle, tag)
        third = ("est", "sont") if motion else ("a", "ont")
        auxiliary = Word(_HAVE.get(subject.person) or third[subject.plural])
        if negated:
            return english_not("did", maker) + base, [Word("ne"), auxiliary, Word("pas"), french_base]
        return english_verb(verb.past, tag), [auxiliary, french_base]
    if tense == "present":
        french = Word(verb.plural if subject.plural else verb.singular, tag)
        if negated:
            return english_not("does" if third_singular else "do", maker) + base, [Word("ne"), french, Word("pas")]
        return (english_verb(verb.third, tag) if third_singular else base), [french]
    past = tense == "was-doing"
    auxiliary = be(subject, past)[0]
    french = Word(verb.imperfect(subject.plural) if past else verb.plural if subject.plural else verb.singular, tag)
    english = english_verb(verb.ing, tag)
    if negated:
        return english_not(auxiliary, maker) + english, [Word("ne"), french, Word("pas")]
    return [Word(auxiliary)] + english, [french]


def _modal(maker, subject, verb, tense, negated, base, third_singular) -> Pair:
    singular, plural, je, nous, vous, il, ils = _MODALS[tense]
    english = singular if third_singular else plural
    if subject.person == "1s" and tense == "going to":
        english = "am going to"
    french = {"1s": je, "1p": nous, "2p": vous}.get(subject.person) or (ils if subject.plural else il)
    infinitive = Word(verb.infinitive, base[0].tag)
    if not negated:
        return plain(english) + base, [Word(french), infinitive]
    if tense == "want to":
        start = english_not("does" if third_singular else "do", maker) + plain("want to")
    elif tense == "must":
        start = plain("must not")
    elif tense == "going to" and subject.person == "1s":
        start = plain("am not going to")
    else:
        auxiliary, *rest = english.split()
        start = english_not(auxiliary, maker) + [Word(word) for word in rest]
    return start + base, [Word("ne"), Word(french), Word("pas"), infinitive]


def tense_for(maker: Maker, subject: Phrase, verb: Verb, imperfect: bool = False) -> str:
    if subject.person != "3":
        return maker.rng.choices(["past", *_MODALS], [5, 1, 1, 1, 1])[0]
    choices = {"present": 30, "past": 35, "can": 4, "must": 4, "want to": 5, "going to": 5}
    if verb.base not in words.STATES:
        choices["progressive"] = 17
    if verb.base == verb.past and subject.plural:
        del choices["present"]  # "They read the book." would be either
    if imperfect:
        choices["was-doing"] = 14
    return maker.rng.choices(list(choices), list(choices.values()))[0]


def object_for(maker: Maker, verb: Verb) -> NounPhrase:
    """She eats some apples, she eats apples: des pommes. She likes apples: les pommes."""
    kinds = verb.objects
    if maker.chance(0.03):
        kinds = ("unknown",)
    thing = noun_phrase(maker, kinds)
    if verb.base in words.FEELINGS and (thing.determiner in ("a", "many") or thing.counted):
        thing.determiner = "all"
        thing.plural = not thing.noun.stuff and thing.noun.english != thing.noun.english_plural
        if not (thing.plural or thing.noun.stuff):
            thing.determiner = "the"
    thing.bare = thing.determiner == "a" and maker.chance(0.3)
    return thing


def transitive(maker: Maker, subject: Phrase, animal: bool, may_negate: bool = True) -> Pair:
    verbs = [verb for verb in TRANSITIVE if not animal or verb.base in words.ANIMALS_TOO]
    verb = maker.rng.choice([verb for verb in verbs if subject.person == "3" or verb.base not in words.LASTING])
    tense = tense_for(maker, subject, verb)
    if verb.base in words.LASTING and tense in _MODALS:
        tense = "present"
    negated = may_negate and maker.chance(0.18)
    english, french = verb_phrase(maker, subject, verb, tense, negated)
    thing = object_for(maker, verb)
    with_tail = verb.base not in words.LASTING and maker.chance(0.2)
    end_english, end_french = tail(maker, tense) if with_tail else ([], [])
    return english + thing.english(negated) + end_english, french + thing.french(negated) + end_french


def intransitive(maker: Maker, subject: Phrase, animal: bool, winged: bool) -> Pair:
    barred = [*(words.ONLY_PEOPLE if animal else []), *([] if winged else ["fly"])]
    verb = maker.rng.choice([verb for verb in INTRANSITIVE if verb.base not in barred])
    tense = tense_for(maker, subject, verb, imperfect=True)
    english, french = verb_phrase(maker, subject, verb, tense, maker.chance(0.15))
    draw = maker.rng.random()
    end_english, end_french = place(maker) if draw < 0.55 else tail(maker, tense) if draw < 0.9 else ([], [])
    return english + end_english, french + end_french


TO_PLACES = """school market station park museum library hospital castle beach restaurant theater hotel office
church""".split()


def motion(maker: Maker, subject: Phrase) -> Pair:
    """went to, came from and the like; with être in the past, so the participle agrees."""
    verb = maker.rng.choice([verb for verb in MOTION if verb.base != "fall"])
    tense = maker.rng.choice(["past", "past", "present", "going to", "can"])
    if subject.person != "3":
        tense = "going to"
    english, french = verb_phrase(maker, subject, verb, tense, maker.chance(0.15), motion=True)
    site = noun_phrase(maker, (), "the", False, maker.rng.choice([0, 0, 0, 1]), noun=NOUN[maker.rng.choice(TO_PLACES)])
    preposition = "at" if verb.base in ("arrive", "stay") else "to"
    end_english, end_french = tail(maker, tense) if maker.chance(0.3) else ([], [])
    return (
        english + plain(preposition) + site.english() + end_english,
        french + plain("à") + site.french() + end_french,
    )


NEAR = {
    "near": "près de", "behind": "derrière", "in front of": "devant", "next to": "à côté de", "far from": "loin de",
}


def place(maker: Maker) -> Pair:
    """in the garden, near the old house, under the table."""
    draw, noun, kinds = maker.rng.random(), None, ("place",)
    if draw < 0.35:
        english, french = "in", "dans"
    elif draw < 0.45:
        english, french, noun = "under", "sous", NOUN[maker.rng.choice(words.UNDER)]
    elif draw < 0.55:
        english, french, noun = "on", "sur", NOUN[maker.rng.choice(words.ON)]
    else:
        english = maker.rng.choice(list(NEAR))
        french, kinds = NEAR[english], ("place", "way", "opening", "place")
    determiner = maker.rng.choice(["the", "the", "the", "a", "my", "this"])
    site = noun_phrase(maker, kinds, determiner, False, maker.rng.choice([0, 0, 1]), noun)
    return plain(english) + site.english(), plain(french) + site.french()


def tail(maker: Maker, tense: str) -> Pair:
    """When: yesterday, on Monday, every day."""
    if tense == "past" and maker.chance(0.7):
        if maker.chance(0.4):
            day = maker.rng.choice(list(words.DAYS))
            return plain(f"on {day}"), plain(words.DAYS[day])
        when = maker.rng.choice(list(words.PAST_TIMES))
        return plain(when), plain(words.PAST_TIMES[when])
    if tense == "present" and maker.chance(0.3):
        how = maker.rng.choice(list(words.MANNERS))
        return plain(how), plain(words.MANNERS[how])
    when = maker.rng.choice(list(words.TIMES))
    return plain(when), plain(words.TIMES[when])
