"""The tokenizer: a token for every word of the grammar, in both languages at once, and bytes for anything else.

Byte-level BPE without merges: a word that the vocabulary has is one token, any other is spelled in its bytes, so
that no text is unknown and every text comes back byte for byte. Next: model.py.
"""

import json
import random
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors

import corpus

BEGIN, PAD, END, UNKNOWN = range(4)
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
BYTES = [byte for byte in range(256) if byte not in (0xC0, 0xC1) and byte < 0xF5]  # those that occur in UTF-8
COUNTED_SENTENCES = 150_000
FEWEST_USES = 3

# Pieces: l' d' qu' before their word, 't 's after theirs, words with their space and inner hyphens, single digits,
# punctuation, and spaces.
PIECES = (
    r" ?[aA]ujourd'hui| ?(?:[cdjlmnstCDJLMNST]|[qQ]u)'(?=\p{L})|['’](?:s|t)(?!\p{L})"
    r"| ?\p{L}+(?:-\p{L}+)*| ?\p{N}| ?[^\s\p{L}\p{N}]|\s"
)


_SHOWN = [*range(33, 127), *range(161, 173), *range(174, 256)]
_HIDDEN = [byte for byte in range(256) if byte not in _SHOWN]


def spelling(data: bytes) -> str:
    """How byte-level tokenizers write bytes: each as a character that shows."""
    return "".join(chr(byte) if byte in _SHOWN else chr(256 + _HIDDEN.index(byte)) for byte in data)


def vocabulary(seed: int) -> list[str]:
    """The pieces of the grammar's sentences, the most used first; invented words are left to be spelled."""
    rng = random.Random(f"vocabulary/{seed}")
    split = pre_tokenizers.Split(Regex(PIECES), "isolated")
    uses: dict[str, int] = {"'t": FEWEST_USES, "'s": FEWEST_USES, "’t": FEWEST_USES, "’s": FEWEST_USES}
    for _ in range(COUNTED_SENTENCES):
        made = corpus.sentence(rng)
        for capital in (True, False):
            for text in (made.source(capital)[0], made.target(capital)[0]):
                for piece, _ in split.pre_tokenize_str(text):
                    if piece.strip() not in made.invented:
                        uses[piece] = uses.get(piece, 0) + 1
    kept = [piece for piece, count in uses.items() if count >= FEWEST_USES and len(piece.encode()) > 1]
    return sorted(kept, key=lambda piece: (-uses[piece], piece))


def build(pieces: list[str]) -> Tokenizer:
    entries = [*SPECIAL, *(spelling(bytes([byte])) for byte in BYTES), *(spelling(piece.encode()) for piece in pieces)]
    vocab = {entry: index for index, entry in enumerate(entries)}
    made = Tokenizer(models.BPE(vocab=vocab, merges=[], ignore_merges=True))
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PIECES), "isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])
    made.decoder = decoders.ByteLevel()
    end = SPECIAL[END]
    made.post_processor = processors.TemplateProcessing(
        single=f"$A {end}", pair=f"$A {end} $B {end}", special_tokens=[(end, END)]
    )
    made.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    return made


def save(tokenizer: Tokenizer, folder: Path, max_length: int) -> None:
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "add_prefix_space": False,
        "bos_token": SPECIAL[BEGIN],
        "clean_up_tokenization_spaces": False,
        "eos_token": SPECIAL[END],
        "model_max_length": max_length,
        "pad_token": SPECIAL[PAD],
        "unk_token": SPECIAL[UNKNOWN],
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")
