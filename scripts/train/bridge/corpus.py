"""Sentence pairs for training and for questions about what was never trained on.

One pair in twenty of every kind is held out by its English words, whatever its capitals and full stop.
Next: tokenizer.py.
"""

import random
import zlib
from dataclasses import dataclass
from typing import Callable

from phrases import Maker, NothingFitsError, is_held_out_pair
from senses import SENSES, bank_undecided, is_held_out_context
from sentences import EVERYDAY, asking
from spelling import Word, settle_english, settle_french, written

KINDS = EVERYDAY | SENSES
HELD_OUT_SENTENCES = 20
LONGEST = 24  # words of either language, before unknown ones are spelled


@dataclass(frozen=True)
class Sentence:
    kind: str
    english: list[Word]
    french: list[Word]
    question: bool
    pairs: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str, str], ...]
    context: str
    invented: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Never trained on. A sentence without a cue has two translations, so it is in neither set."""
        line = " ".join(word.text.lower() for word in self.english)
        return zlib.crc32(line.encode()) % HELD_OUT_SENTENCES == 0

    @property
    def has_held_out_pair(self) -> bool:
        return any(is_held_out_pair(*pair) for pair in self.pairs)

    @property
    def has_held_out_context(self) -> bool:
        return bool(self.context) and is_held_out_context(self.context)

    def source(self, capital: bool = True, stop: bool = True) -> tuple[str, list[tuple[int, int]]]:
        return written(self.english, ("?" if self.question else ".") if stop else "", capital)

    def target(self, capital: bool = True, stop: bool = True) -> tuple[str, list[tuple[int, int]]]:
        return written(self.french, (" ?" if self.question else ".") if stop else "", capital)


def sentence(rng: random.Random, kind: Callable | None = None, **options) -> Sentence:
    """Of the kind given, else of any; options are those of Maker."""
    while True:
        make = kind or rng.choices(list(KINDS), list(KINDS.values()))[0]
        maker = Maker(rng, **options)
        try:
            english, french = make(maker)
        except NothingFitsError:
            continue
        question = make is asking or french[0].text == "où"
        if max(len(english), len(french)) <= LONGEST:
            return Sentence(make.__name__, settle_english(english), settle_french(french), question,
                            tuple(maker.pairs), tuple(maker.links), maker.context, tuple(maker.invented))


def for_training(rng: random.Random) -> Sentence:
    while True:
        made = sentence(rng)
        if not (made.held_out and made.kind != bank_undecided.__name__ or made.has_held_out_context):
            return made


def held_out(rng: random.Random, kind: Callable, count: int) -> list[Sentence]:
    """Distinct sentences of a kind that were never trained on, their adjective-noun pairs and contexts trained."""
    return _distinct(count, lambda: sentence(rng, kind), lambda made: made.held_out and not made.has_held_out_context)


def with_held_out_pair(rng: random.Random, count: int) -> list[Sentence]:
    kinds = list(EVERYDAY)
    options = {"only_trained_pairs": False, "seek_held_out_pairs": True}
    return _distinct(count, lambda: sentence(rng, rng.choice(kinds), **options), lambda made: made.has_held_out_pair)


def with_held_out_context(rng: random.Random, kind: Callable, count: int) -> list[Sentence]:
    return _distinct(count, lambda: sentence(rng, kind), lambda made: made.has_held_out_context)


def _distinct(count: int, draw: Callable[[], Sentence], wanted: Callable[[Sentence], bool]) -> list[Sentence]:
    """As many as there are, if 20,000 draws do not give count of them."""
    found: dict[str, Sentence] = {}
    for _ in range(20_000):
        made = draw()
        if wanted(made):
            found.setdefault(made.source()[0], made)
        if len(found) == count:
            break
    return list(found.values())
