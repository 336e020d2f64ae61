"""Noun phrases and subjects in both languages: agreement, the place of adjectives, articles, names spelled in letters.

A Maker draws everything at random and keeps what probes need: which word belongs to which. Next: clauses.py.
"""

import random
import zlib
from dataclasses import dataclass, field
from functools import cache

import words
from lexicon import ADJECTIVE, ENGLISH, NOUNS, Adjective, Noun
from spelling import Word, opens_with_vowel
from spelling import words as plain

HELD_OUT_PAIRS = 25  # one in so many adjective-noun pairs is never trained on


@cache
def is_held_out_pair(adjective: str, noun: str) -> bool:
    return zlib.crc32(f"{adjective} {noun}".encode()) % HELD_OUT_PAIRS == 0


class NothingFitsError(Exception):
    """No adjective that may be trained on fits: the sentence is drawn anew."""


@dataclass
class Maker:
    """The random choices of one sentence, and what they were."""

    rng: random.Random
    only_trained_pairs: bool = True
    seek_held_out_pairs: bool = False
    pairs: list[tuple[str, str]] = field(default_factory=list)  # (adjective, noun), English
    links: list[tuple[str, str, str]] = field(default_factory=list)  # (pattern, from tag, to tag), in English
    invented: list[str] = field(default_factory=list)  # words that are in no list
    context: str = ""  # what decides an ambiguous word
    tags: int = 0

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def tag(self, name: str) -> str:
        self.tags += 1
        return f"{name}{self.tags}"

    def adjective(self, noun: Noun, among: list[str], without: tuple[Adjective, ...] = ()) -> Adjective:
        """One that fits and is noted as a pair with the noun."""
        names = [name for name in among if ADJECTIVE[name] not in without]
        held_out = [name for name in names if is_held_out_pair(name, noun.english)]
        if self.only_trained_pairs:
            names = [name for name in names if name not in held_out]
        elif self.seek_held_out_pairs and held_out:
            names = held_out
        if not names:
            raise NothingFitsError
        name = self.rng.choice(names)
        self.pairs.append((name, noun.english))
        return ADJECTIVE[name]


CONSONANTS, SECOND, VOWELS, ACCENTED = "bcdfghjklmnpqrstvwxyz", "lnrst", "aeiou", "éèïö"


def invented(maker: "Maker", capital: bool) -> str:
    """A word that nobody knows: Zorbal, Miket, Olun. In French one in h elides (d'Hotal) and one in y does not."""
    rng, word = maker.rng, "bat"
    while word in ENGLISH or word == "bat":
        syllables = [
            rng.choice(CONSONANTS) + (rng.choice(SECOND) if rng.random() < 0.15 else "")
            + (rng.choice(ACCENTED) if rng.random() < 0.06 else rng.choice(VOWELS))
            for _ in range(rng.choice([1, 1, 2, 2, 2, 3]))
        ]
        word = (rng.choice(VOWELS) if rng.random() < 0.25 else "") + "".join(syllables) + rng.choice(CONSONANTS)
    maker.invented.append(word.capitalize() if capital else word)
    return maker.invented[-1]


_POSSESSIVE = {
    "my": ("mon", "ma", "mes"), "his": ("son", "sa", "ses"), "her": ("son", "sa", "ses"),
    "our": ("notre", "notre", "nos"), "your": ("votre", "votre", "vos"), "their": ("leur", "leur", "leurs"),
}
# "all" is unsaid in English: she likes apples.
_ARTICLE = {
    "the": ("le", "la", "les"), "all": ("le", "la", "les"), "this": ("ce", "cette", "ces"),
    "that": ("ce", "cette", "ces"), **_POSSESSIVE,
}
_ENGLISH_PLURAL = {"a": "some", "this": "these", "that": "those"}


@dataclass
class NounPhrase:
    noun: Noun
    plural: bool
    determiner: str
    adjectives: list[Adjective]
    tag: str
    person: str = "3"
    bare: bool = False  # apples, bread: without some

    @property
    def gender(self) -> str:
        return self.noun.gender

    @property
    def counted(self) -> bool:
        return self.determiner in words.NUMBERS or self.determiner.isdigit()

    def _adjective_words(self, french: bool) -> tuple[list[Word], list[Word]]:
        before, after = [], []
        for index, adjective in enumerate(self.adjectives):
            form = adjective.french(self.gender, self.plural) if french else adjective.english
            place = before if adjective.before_noun or not french else after
            place.append(Word(form, f"{self.tag}.{index}"))
        return before, after

    def english(self, negated: bool = False) -> list[Word]:
        """negated: as the object of a negated verb, where some becomes any."""
        noun = self.noun.english_plural if self.plural else self.noun.english
        determiner = _ENGLISH_PLURAL.get(self.determiner, self.determiner) if self.plural else self.determiner
        if self.noun.stuff and determiner == "a":
            determiner = "some"
        if determiner == "all":
            determiner = ""
        if determiner == "some" and (self.bare or negated):
            determiner = "" if self.bare else "any"
        before, _ = self._adjective_words(french=False)
        return [*plain(determiner), *before, Word(noun, self.tag)]

    def french(self, negated: bool = False) -> list[Word]:
        """negated: as the object of a negated verb, where un, des and du become de."""
        before, after = self._adjective_words(french=True)
        noun = Word(self.noun.french_plural if self.plural else self.noun.french, self.tag)
        core = [*before, noun, *after]
        if not self.plural and self.gender == "m" and before and opens_with_vowel(core[1].text):
            core[0] = Word(words.BEFORE_VOWEL.get(core[0].text, core[0].text), core[0].tag)
        return [*plain(self._french_determiner(bool(before), negated)), *core]

    def _french_determiner(self, adjective_first: bool, negated: bool) -> str:
        feminine = self.gender == "f"
        if self.counted:
            return words.NUMBERS.get(self.determiner, self.determiner)
        if self.determiner == "every":
            return "chaque"
        if self.determiner == "many":
            return "beaucoup de"
        if self.determiner == "a":
            if negated:
                return "de"
            if self.noun.stuff:
                return "de la" if feminine else "de le"
            if self.plural:
                return "de" if adjective_first else "des"
            return "une" if feminine else "un"
        return _ARTICLE[self.determiner][2 if self.plural else feminine]


@dataclass
class Name:
    """Somebody by name; gender is unknown of an invented one."""

    text: str
    gender: str
    tag: str
    plural: bool = False
    person: str = "3"

    def english(self, negated: bool = False) -> list[Word]:
        return [Word(self.text, self.tag)]

    def french(self, negated: bool = False) -> list[Word]:
        return self.english()


@dataclass
class Pronoun:
    text: str
    french_text: str
    gender: str
    plural: bool
    person: str  # 1s, 1p, 2p or 3
    tag: str

    def english(self, negated: bool = False) -> list[Word]:
        return [Word(self.text, self.tag)]

    def french(self, negated: bool = False) -> list[Word]:
        return [Word(self.french_text, self.tag)]


Phrase = NounPhrase | Name | Pronoun

THIRD = [("he", "il", "m", False), ("she", "elle", "f", False), ("they", "ils", "m", True)]
OTHERS = [("I", "je", "1s"), ("we", "nous", "1p"), ("you", "vous", "2p")]


def adjectives_for(maker: Maker, noun: Noun, count: int) -> list[Adjective]:
    """Two at most: one that stands before the noun in French and one that stands after it."""
    fitting = words.FITTING[noun.kind]
    if count == 0:
        return []
    if count == 1:
        return [maker.adjective(noun, fitting)]
    before = [name for name in fitting if ADJECTIVE[name].before_noun]
    after = [name for name in fitting if not ADJECTIVE[name].before_noun]
    return [maker.adjective(noun, before), maker.adjective(noun, after)]


def noun_phrase(
    maker: Maker,
    kinds: tuple[str, ...] | list[str],
    determiner: str | None = None,
    plural: bool | None = None,
    adjectives: int | None = None,
    noun: Noun | None = None,
) -> NounPhrase:
    rng = maker.rng
    if noun is None:
        noun = invented_noun(maker) if kinds == ("unknown",) else rng.choice(NOUNS[rng.choice(list(kinds))])
    if plural is None:
        plural = maker.chance(0.3)
    # The plurals of fish-like words and of stuff would not show their number.
    plural = plural and not noun.stuff and noun.english != noun.english_plural
    owned = noun.kind not in ("animal", "human", "person", "place", "way") or noun.english in words.OWNED
    if determiner in _POSSESSIVE and not owned:
        determiner = "the"
    if determiner is None:
        number = str(rng.randint(2, 999)) if maker.chance(0.25) else rng.choice(list(words.NUMBERS))
        determiner = rng.choices(
            ["the", "a", "this", "that", rng.choice(list(_POSSESSIVE)), number, "every", "many"],
            [50, 20, 6, 2, 14 * owned, 6, 1, 1],
        )[0]
    counted = determiner in words.NUMBERS or determiner.isdigit() or determiner == "many"
    if noun.stuff and (counted or determiner == "every"):
        determiner, counted = "a", False
    plural = plural or counted
    if determiner == "every":
        plural = False
    if adjectives is None:
        adjectives = rng.choices([0, 1, 2], [50, 40, 10])[0]
    if adjectives == 2 and noun.kind == "unknown":
        adjectives = 1
    tag = maker.tag("n")
    chosen = adjectives_for(maker, noun, adjectives)
    for index in range(len(chosen)):
        maker.links.append(("noun-adjective", tag, f"{tag}.{index}"))
    return NounPhrase(noun, plural, determiner, chosen, tag)


def invented_noun(maker: Maker) -> Noun:
    word = invented(maker, capital=False)
    return Noun(word, word, word, word, "m", "unknown")


def name(maker: Maker, known: float = 0.5, gender: str = "") -> Name:
    """known is the share of names that are words of the vocabulary."""
    if maker.chance(known):
        girl = gender == "f" if gender else maker.chance(0.5)
        return Name(maker.rng.choice(words.GIRLS if girl else words.BOYS), "f" if girl else "m", maker.tag("n"))
    return Name(invented(maker, capital=True), "", maker.tag("n"))


def somebody(maker: Maker, kinds=("human", "person", "animal"), others: bool = False) -> Phrase:
    """A subject: a noun phrase, a pronoun or a known name; with others also I, we and you."""
    draw = maker.rng.random()
    if others and draw < 0.2:
        text, french, person = maker.rng.choice(OTHERS)
        return Pronoun(text, french, "m", person != "1s", person, maker.tag("p"))
    if draw < 0.32:
        text, french, gender, plural = maker.rng.choice(THIRD)
        return Pronoun(text, french, gender, plural, "3", maker.tag("p"))
    if draw < 0.42:
        return name(maker, known=1.0)
    return noun_phrase(maker, kinds)


def it_for(phrase: NounPhrase) -> tuple[str, str]:
    """The pronoun that stands for a noun phrase, in English and in French."""
    feminine = phrase.gender == "f"
    french = ("elles" if feminine else "ils") if phrase.plural else ("elle" if feminine else "il")
    if phrase.plural:
        return "they", french
    if phrase.noun.kind == "human":
        return ("she" if feminine else "he"), french
    return "it", french
