"""Trains the byte-level BPE tokenizer on the story grammar and writes it as Hugging Face files.

Leaves out normalisation on purpose: every text comes back byte for byte. Next: model.py.
"""

import json
import random
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

import stories

VOCABULARY = 2048
END_OF_TEXT = "<|endoftext|>"
END_OF_TEXT_ID = 0
TRAINING_DOCUMENTS = 30_000


def train(seed: int) -> Tokenizer:
    rng = random.Random(f"tokenizer/{seed}")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    texts = (stories.plain(stories.document(rng)) for _ in range(TRAINING_DOCUMENTS))
    tokenizer.train_from_iterator(texts, trainer)
    assert tokenizer.token_to_id(END_OF_TEXT) == END_OF_TEXT_ID
    return tokenizer


def save(tokenizer: Tokenizer, folder: Path, max_length: int) -> None:
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "add_prefix_space": False,
        "bos_token": END_OF_TEXT,
        "clean_up_tokenization_spaces": False,
        "eos_token": END_OF_TEXT,
        "model_max_length": max_length,
        "unk_token": END_OF_TEXT,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")
