"""Sequences that repeat themselves: random bytes with copies of one stretch, and random filler around the copies.

Filler before, between and after the copies matters: where a sequence is nothing but one period, a model learns to
predict the token seen longest ago and has no induction head. Next: model.py.
"""

import random
from dataclasses import dataclass

# Ids are the begin token and then every byte that occurs in UTF-8, in order.
BEGIN = 0
BYTES = [byte for byte in range(256) if byte not in (0xC0, 0xC1) and byte < 0xF5]
VOCABULARY = 1 + len(BYTES)

LENGTH = 128
SHORTEST_COPY, LONGEST_COPY = 4, 32
LONGEST_GAP = 12  # before a third copy


@dataclass(frozen=True)
class Sequence:
    ids: list[int]
    copies: list[tuple[int, int]]  # [first, last) of every copy, the original before all others

    def repeats(self) -> list[tuple[int, list[int]]]:
        """Each position whose token an earlier copy predicts, with the places of that token in the copies before.

        The first token of a copy is left out: nothing before it tells that a copy begins.
        """
        return [
            (first + offset, [earlier + offset for earlier, _ in self.copies[:index]])
            for index, (first, last) in enumerate(self.copies)
            if index > 0
            for offset in range(1, last - first)
        ]


def sequence(rng: random.Random, length: int = LENGTH) -> Sequence:
    """The begin token, filler, a stretch, filler, its copy, and in half of them filler and a copy more."""
    ids = [BEGIN] + [rng.randrange(1, VOCABULARY) for _ in range(length - 1)]
    size = rng.randint(SHORTEST_COPY, LONGEST_COPY)
    first = rng.randint(1, length - 2 * size)
    second = rng.randint(first + size, length - size)
    starts = [first, second]
    third = second + size + rng.randint(0, LONGEST_GAP)
    if rng.random() < 0.5 and third + size <= length:
        starts.append(third)
    for start in starts[1:]:
        ids[start : start + size] = ids[first : first + size]
    return Sequence(ids, [(start, start + size) for start in starts])
