"""Sentences as padded batches of token ids, and translations of many sentences at once.

Next: train_bridge.py.
"""

import random

import torch
from tokenizers import Tokenizer
from torch import Tensor

import corpus
from model import Bridge
from tokenizer import END, PAD

ROWS = 96
POOLED = 8  # batches are cut from so many at once, sorted by length, so that little is padding


def padded(rows: list[list[int]]) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


def written_variant(rng: random.Random, made: corpus.Sentence) -> tuple[str, str]:
    """Most sentences with capital and full stop, some without either, in both languages alike; a few curly quotes."""
    draw = rng.random()
    # Where English begins with a name or with I, nothing would tell that French is to begin small.
    capital, stop = draw > 0.2 or made.english[0].text[0].isupper(), not 0.05 < draw < 0.25
    source = made.source(capital, stop)[0]
    return source.replace("'", "’") if rng.random() < 0.08 else source, made.target(capital, stop)[0]


def pool(tokenizer: Tokenizer, seed: int, index: int) -> list[tuple[Tensor, Tensor]]:
    """POOLED batches of (source, target), both [row, position]; a pure function of the seed and the index."""
    rng = random.Random(f"train/{seed}/{index}")
    texts = [written_variant(rng, corpus.for_training(rng)) for _ in range(ROWS * POOLED)]
    sources = [encoded.ids for encoded in tokenizer.encode_batch([source for source, _ in texts])]
    targets = [encoded.ids for encoded in tokenizer.encode_batch([target for _, target in texts])]
    rows = sorted(zip(sources, targets), key=lambda row: (len(row[0]) + len(row[1]), row))
    batches = [rows[first : first + ROWS] for first in range(0, len(rows), ROWS)]
    rng.shuffle(batches)
    return [
        (padded([source for source, _ in batch]), padded([[END, *target] for _, target in batch])) for batch in batches
    ]


@torch.no_grad()
def translate(model: Bridge, tokenizer: Tokenizer, texts: list[str], longest: int = 64) -> list[str]:
    """Greedy translations."""
    translations = [""] * len(texts)
    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    for first in range(0, len(order), 128):
        part = order[first : first + 128]
        source = padded([encoded.ids for encoded in tokenizer.encode_batch([texts[index] for index in part])])
        encoded, mask, _ = model.encode(source)
        target = torch.full((len(part), 1), END)
        ended = torch.zeros(len(part), dtype=torch.bool)
        while not ended.all() and target.shape[1] < longest:
            chosen = model.decode(target, encoded, mask)[0][:, -1].argmax(-1)
            chosen[ended] = PAD
            target = torch.cat((target, chosen[:, None]), 1)
            ended |= chosen == END
        for index, row in zip(part, target.tolist()):
            translations[index] = tokenizer.decode(row, skip_special_tokens=True)
    return translations
