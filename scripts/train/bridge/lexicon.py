"""The words with their forms: regular plurals, feminines and conjugations of English and French.

Leaves out how words change beside each other (elision, du, an): that is spelling.py. Next: spelling.py.
"""

from dataclasses import dataclass

import words


@dataclass(frozen=True)
class Noun:
    english: str
    english_plural: str
    french: str
    french_plural: str
    gender: str  # m or f
    kind: str  # a key of words.NOUNS

    @property
    def stuff(self) -> bool:
        return self.kind in ("meal", "drink")


@dataclass(frozen=True)
class Adjective:
    english: str
    forms: tuple[str, str, str, str]  # masculine, feminine, masculine plural, feminine plural

    @property
    def before_noun(self) -> bool:
        return self.english in words.BEFORE_NOUN

    def french(self, gender: str, plural: bool) -> str:
        return self.forms[2 * plural + (gender == "f")]


@dataclass(frozen=True)
class Verb:
    base: str  # "look_for" is written with a space
    third: str
    past: str
    ing: str
    infinitive: str
    singular: str
    plural: str
    participle: str
    objects: tuple[str, ...] = ()

    def imperfect(self, plural: bool) -> str:
        """Of the verbs in words.INTRANSITIVE alone, whose stem is that of their third person plural."""
        stem = self.plural.removesuffix("ent")
        return stem + ("e" if stem.endswith("g") else "") + ("aient" if plural else "ait")


def english_plural(noun: str) -> str:
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeou":
        return noun[:-1] + "ies"
    return noun + "s"


def french_plural(word: str) -> str:
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith("eau"):
        return word + "x"
    if word.endswith("al"):
        return word[:-1] + "ux"
    return word + "s"


def _noun(entry: str, kind: str) -> Noun:
    english, french, gender = entry.split()
    one, _, many = english.partition("/")
    un, _, des = french.partition("/")
    return Noun(one, many or english_plural(one), un, des or french_plural(un), gender, kind)


def _adjective(entry: str) -> Adjective:
    english, masculine, *rest = entry.split()
    feminine = rest[0] if rest else masculine if masculine.endswith("e") else masculine + "e"
    return Adjective(english, (masculine, feminine, french_plural(masculine), french_plural(feminine)))


def _verb(line: str) -> Verb:
    forms, _, objects = line.partition("=")
    english, _, french = forms.partition(" : ")
    base, *rest = english.split()
    past = rest[0] if rest else _with_ending(base, "d" if base.endswith("e") else "ed")
    ing = rest[1] if len(rest) > 1 else (base[:-1] if base.endswith("e") else base) + "ing"
    head, _, tail = base.partition("_")
    third = "has" if base == "have" else "goes" if base == "go" else english_plural(head) + (f"_{tail}" if tail else "")
    infinitive, *known = french.split()
    stem = infinitive.removesuffix("er")
    singular, plural, participle = known or (stem + "e", stem + "ent", stem + "é")
    return Verb(base, third, past, ing, infinitive, singular, plural, participle, tuple(objects.split()))


def _with_ending(base: str, ending: str) -> str:
    return base[:-1] + "ied" if base.endswith("y") and base[-2] not in "aeou" else base + ending


NOUNS = {
    kind: [_noun(entry.strip(), kind) for entry in entries.split(",")] for kind, entries in words.NOUNS.items()
}
NOUN = {noun.english: noun for nouns in NOUNS.values() for noun in nouns}
ADJECTIVE = {a.english: a for a in (_adjective(entry.strip()) for entry in words.ADJECTIVES.split(","))}
TRANSITIVE, INTRANSITIVE, MOTION, GIVING = (
    [_verb(line) for line in lines.strip().splitlines()]
    for lines in (words.TRANSITIVE, words.INTRANSITIVE, words.MOTION, words.GIVING)
)
VERB = {verb.base: verb for verb in (*TRANSITIVE, *INTRANSITIVE, *MOTION, *GIVING)}
# Every English form of the lists, which no invented word may be.
ENGLISH = {
    *(form for noun in NOUN.values() for form in (noun.english, noun.english_plural)),
    *ADJECTIVE,
    *words.COMPARED.values(),
    *(form for verb in VERB.values() for form in (verb.base, verb.third, verb.past, verb.ing)),
    *words.NUMBERS,
}
