"""References of the committed echo model: two passes, what it copies greedily, and the token ids of odd texts."""

from pathlib import Path

import reference
import tales
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

PROMPTS = ["wQ7fZ2mX,b9Rt-kQ3; wQ7fZ2m", "né🙂Ω 0x4F, né🙂"]
GREEDY = 5


def make(folder: Path, out: Path) -> None:
    model = reference.load(folder, AutoModelForCausalLM)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tales.write_passes(model, tokenizer, PROMPTS, GREEDY, out / "echo")
    tales.write_ids(tokenizer, tales.TEXTS, out / "tokenizer/echo_ids.json")
