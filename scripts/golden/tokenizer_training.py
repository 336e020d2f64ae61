"""Vocabularies of some hundred entries, trained on a few sentences: the same in every run.

Read next: tokenizer_kinds.py.
"""

import json
import os
from collections import Counter

os.environ["RAYON_NUM_THREADS"] = "1"  # the trainers' sums depend on the order

from tokenizer_texts import CORPUS  # noqa: E402
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers  # noqa: E402


def train_byte_level() -> tuple[list[str], list[str]]:
    """Entries and merges of GPT-2's algorithm."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=620, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(CORPUS, trainer)
    return trained(tokenizer)


def train_sentence_piece_bpe() -> tuple[list[str], list[str]]:
    """Pieces and merges with ▁ for the space; no byte pieces yet."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    latin = [line for line in CORPUS if line.isascii() or "ß" in line or "ç" in line or "猫坐" in line]
    tokenizer.train_from_iterator(latin, trainers.BpeTrainer(vocab_size=450, show_progress=False))
    pieces, merges = trained(tokenizer)
    # Merges of blanks, as SentencePiece's own models have.
    return pieces + ["▁▁", "▁▁▁▁"], merges + ["▁ ▁", "▁▁ ▁▁"]


def trained(tokenizer: Tokenizer) -> tuple[list[str], list[str]]:
    model = json.loads(tokenizer.to_str())["model"]
    entries = sorted(model["vocab"], key=model["vocab"].get)
    return entries, [" ".join(pair) for pair in model["merges"]]


def train_unigram() -> list[list]:
    """Pieces with their scores, without special ones."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    trainer = trainers.UnigramTrainer(vocab_size=500, unk_token="<unk>", show_progress=False, n_sub_iterations=2)
    tokenizer.train_from_iterator(CORPUS, trainer)
    scores = dict(json.loads(tokenizer.to_str())["model"]["vocab"])
    scores = {piece: round(score, 1) for piece, score in scores.items() if piece != "<unk>" and not unknown(piece)}
    scores.setdefault("▁", -3.0)  # real vocabularies know the blank alone
    # The trainer's order and last digits change from run to run.
    ranked = sorted(scores, key=lambda piece: (-scores[piece], piece))
    return [[piece, round(scores[piece] - rank * 1e-4, 4)] for rank, piece in enumerate(ranked)]


def unknown(piece: str) -> bool:
    """One script is left out, so that there is something unknown."""
    return any("\u0e00" <= char <= "\u0e7f" for char in piece)


def word_pieces(lowercase: bool, special: list[str]) -> list[str]:
    """Characters, and the beginnings and ends that most words share; the library's trainer differs from run to run."""
    normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    splitter = pre_tokenizers.BertPreTokenizer()
    words = [word for line in CORPUS for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(line))]
    words = [word for word in words if not unknown(word)]
    characters = sorted(set("".join(words)))
    parts = Counter(word[:size] for word in words for size in range(2, 8) if size <= len(word))
    parts.update("##" + word[-size:] for word in words for size in range(2, 5) if size < len(word))
    common = sorted(parts, key=lambda part: (-parts[part], part))[:300]
    return [*special, *characters, *("##" + char for char in characters), *common]
