"""References of the committed tales model: passes, greedy continuations, and the token ids of odd texts."""

import json
from pathlib import Path

import reference
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

PROMPTS = [
    "The cat did not cross the street because it was too tired. So the",
    "Lily had a red ball. Tom had a blue kite. Tom looked for his",
]
GREEDY = 40
TEXTS = [
    "",
    "a",
    "The cat sat on the mat.",
    "你好 🙂",
    "😀",
    "👩‍👩‍👧 é e\u0301 ﷺ",
    "a<b<c",
    '"><img src=x onerror=1>',
    "the cat the cat",
    "hello\nworld",
    "we'll  go",
    "a\t\tb",
    "trailing space ",
    "  two leading",
    "\r\n\r\n",
    "a\0b",
    "<|endoftext|>Once upon a time",
    "The animal didn't cross the street: 12,345.67 × 10⁻³!",
    "UPPER lower MiXeD naïve Straße Ωμέγα привет こんにちは 한국어 नमस्ते 😀we'll\t<b>  end ",
]


def make(folder: Path, out: Path) -> None:
    model = reference.load(folder, AutoModelForCausalLM)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    write_passes(model, tokenizer, PROMPTS, GREEDY, out / "tales")
    write_ids(tokenizer, TEXTS, out / "tokenizer/tales_ids.json")


def write_passes(model, tokenizer: Tokenizer, prompts: list[str], count: int, out: Path) -> None:
    """Tensors of prompt N are named N.input_ids, N.logits and N.attentions.L; hidden states are left out for size."""
    out.mkdir(parents=True, exist_ok=True)
    tensors, continued = {}, []
    for index, text in enumerate(prompts):
        ids = tokenizer.encode(text).ids
        computed = reference.forward(model, input_ids=torch.tensor([ids]))
        tensors |= {f"{index}.{name}": value for name, value in computed.items() if "hidden" not in name}
        greedy = reference.greedy(model, ids, count)
        continued.append({
            "text": text, "prompt": ids, "greedy": greedy,
            "continuation": tokenizer.decode(greedy[len(ids):], skip_special_tokens=False),
        })
        print(f"{out.name}: {len(ids)} tokens; {reference.attention_report(computed)}; {continued[-1]['continuation']!r}")
    save_file(tensors, out / "golden.safetensors")
    (out / "greedy.json").write_text(json.dumps(continued, indent=1) + "\n")


def write_ids(tokenizer: Tokenizer, texts: list[str], file: Path) -> None:
    """decoded is the text again; where the tokenizer adds a special token, the library leaves that out."""
    file.parent.mkdir(parents=True, exist_ok=True)
    cases = []
    for text in texts:
        ids = tokenizer.encode(text).ids
        bare = tokenizer.encode(text, add_special_tokens=False).ids
        decoded = tokenizer.decode(bare, skip_special_tokens=False)
        assert decoded == text, (text, decoded)
        cases.append({"text": text, "ids": ids, "decoded": decoded})
    lines = ",\n".join(json.dumps(case) for case in cases)
    file.write_text("[\n" + lines + "\n]\n")
