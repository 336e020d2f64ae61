"""The story grammar as the rest of the recipe uses it: documents, their split, and what they ask.

Training text has the marks ("|") removed; validation asks the model for exactly the marked words ("So the |cat
went home."). Scenes whose text hashes into the held-out class are never trained on. Next: tokenizer.py.
"""

import random
import re
import zlib

from plots import STORIES
from scenes import NEVER_HELD_OUT, SCENES

MARK = "|"
HELD_OUT_ONE_IN = 20
STORY_SHARE = 0.5


def held_out(text: str) -> bool:
    """Whether a scene (marks removed) belongs to validation. Depends on the text alone, on every machine."""
    return zlib.crc32(text.encode()) % HELD_OUT_ONE_IN == 0


def scene(rng: random.Random, make, validation: bool) -> str:
    """One instance of a template, marks kept, from the asked-for side of the split."""
    while True:
        text = " ".join(make(rng))
        if make in NEVER_HELD_OUT or held_out(plain(text)) == validation:
            return text


def document(rng: random.Random, validation: bool = False, scenes: dict | None = None) -> str:
    """A story, or one to six short scenes; with scenes given, some of these; marks kept."""
    if scenes is None and rng.random() < STORY_SHARE:
        return scene(rng, _pick(rng, STORIES), validation)
    if scenes is None:
        scenes = {make: weight for make, weight in SCENES.items() if not (validation and make in NEVER_HELD_OUT)}
    return " ".join(scene(rng, _pick(rng, scenes), validation) for _ in range(rng.randint(1, 6)))


def plain(text: str) -> str:
    """The text without marks."""
    return text.replace(MARK, "")


def decided(text: str) -> list[tuple[int, int]]:
    """Where the marked words stand in the plain text: start and end, exclusive, in characters."""
    spans = []
    for marks, mark in enumerate(re.finditer(r"\|(\w+)", text)):
        spans.append((mark.start() - marks, mark.end() - marks - len(MARK)))
    return spans


def questions(text: str) -> list[tuple[str, str]]:
    """For every mark: what stands before it, and the word that must follow."""
    asked = []
    for mark in re.finditer(r"\|(\w+)", text):
        asked.append((plain(text[: mark.start()]), mark.group(1)))
    return asked


def _pick(rng: random.Random, weighted: dict):
    return rng.choices(list(weighted), list(weighted.values()))[0]


if __name__ == "__main__":
    generator = random.Random(1)
    for _ in range(12):
        print(plain(document(generator)), end="\n\n")
