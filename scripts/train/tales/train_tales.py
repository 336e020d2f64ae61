"""Trains the tales model from nothing: `python3 train_tales.py --work FOLDER --out FOLDER`.

Every batch is a pure function of the seed and the step, so a run that was stopped goes on from its last
checkpoint as if it had not been. The amount of work is counted in steps, never in time. Next: export.py.
"""

import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

import export
import stories
import tokenizer as tokenizers_of_ours
from model import Decoder, Shape
from plots import STORIES
from scenes import NEVER_HELD_OUT, SCENES

SEED = 1
PEAK_RATE, LAST_RATE_SHARE, WARM_UP_STEPS = 3e-3, 0.05, 80
TOKENS_PER_STEP = 2048
LENGTHS = [128, 128, 256, 128, 128, 256, 128, 512]  # of the rows of a batch, step after step
CHECKPOINT_EVERY = 200
VALIDATION_DOCUMENTS = 300


def packed_row(rng: random.Random, tokenizer: Tokenizer, length: int) -> list[int]:
    """Documents one after the other, an end-of-text token between; half of the rows open with that token too."""
    row = [tokenizers_of_ours.END_OF_TEXT_ID] if rng.random() < 0.5 else []
    while len(row) < length:
        row += tokenizer.encode(stories.plain(stories.document(rng))).ids + [tokenizers_of_ours.END_OF_TEXT_ID]
    return row[:length]


def batch(tokenizer: Tokenizer, seed: int, step: int) -> torch.Tensor:
    """[row, position]; one token more than the model reads, for the targets."""
    rng = random.Random(f"train/{seed}/{step}")
    length = LENGTHS[step % len(LENGTHS)]
    return torch.tensor([packed_row(rng, tokenizer, length + 1) for _ in range(TOKENS_PER_STEP // length)])


def learning_rate(step: int, steps: int) -> float:
    warm_up = min(1.0, (step + 1) / WARM_UP_STEPS)
    cosine = 0.5 * (1 + math.cos(math.pi * step / steps))
    return PEAK_RATE * warm_up * (LAST_RATE_SHARE + (1 - LAST_RATE_SHARE) * cosine)


def loss_of(model: Decoder, ids: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(ids[:, :-1])
    return F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())


@torch.no_grad()
def validate(model: Decoder, tokenizer: Tokenizer, seed: int, documents: int) -> dict:
    """Mean loss a token on held-out documents, and how often a decided word is the model's first choice.

    Computed in float32, as the model is used.
    """
    rng = random.Random(f"validation/{seed}")
    total, tokens = 0.0, 0
    right, asked = {}, {}
    makers = [*STORIES, *(make for make in SCENES if make not in NEVER_HELD_OUT)]
    for index in range(documents):
        make = makers[index % len(makers)]
        text = stories.scene(rng, make, validation=True)
        ids = tokenizer.encode(stories.plain(text)).ids
        logits = model(torch.tensor([ids]))[0]
        total += F.cross_entropy(logits[:-1], torch.tensor(ids[1:]), reduction="sum").item()
        tokens += len(ids) - 1
        for before, answer in stories.questions(text):
            # A word starts a new piece of the byte-level split, so its tokens follow those of the text before it.
            place = len(tokenizer.encode(before.rstrip(" ")).ids)
            if place == 0:
                continue
            asked[make.__name__] = asked.get(make.__name__, 0) + 1
            right[make.__name__] = right.get(make.__name__, 0) + int(logits[place - 1].argmax() == ids[place])
    return {
        "loss": round(total / tokens, 4),
        "decided_words": {name: round(right[name] / asked[name], 3) for name in asked},
        "decided_words_all": round(sum(right.values()) / sum(asked.values()), 4),
        "asked": sum(asked.values()),
    }


def parameter_groups(model: Decoder) -> list[dict]:
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]


def save_atomically(state: dict, path: Path) -> None:
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.rename(path)


def train(work: Path, steps: int, seed: int) -> tuple[Decoder, Tokenizer, list[dict]]:
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "tokenizer.json").exists():
        tokenizers_of_ours.save(tokenizers_of_ours.train(seed), work, Shape().context)
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    torch.manual_seed(seed)
    model = Decoder(Shape())
    optimizer = torch.optim.AdamW(parameter_groups(model), lr=PEAK_RATE, betas=(0.9, 0.95))
    first, log, seconds = 0, [], 0.0
    checkpoint = work / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        if (state["steps"], state["seed"]) != (steps, seed):
            raise SystemExit(f"{checkpoint} is of a run of {state['steps']} steps with seed {state['seed']}")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first, log, seconds = state["next"], state["log"], state["seconds"]
    started = time.monotonic() - seconds
    for step in range(first, steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, steps)
        loss = loss_of(model, batch(tokenizer, seed, step))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = step + 1
        if done % CHECKPOINT_EVERY == 0 or done == steps:
            seconds = time.monotonic() - started
            log.append({"step": done, "seconds": round(seconds), "train_loss": round(loss.item(), 3)}
                       | validate(model, tokenizer, seed, VALIDATION_DOCUMENTS))
            print(json.dumps(log[-1]), flush=True)
            save_atomically({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "next": done,
                             "steps": steps, "seed": seed, "log": log, "seconds": seconds}, checkpoint)
    return model, tokenizer, log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the checkpoint and the log")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    model, tokenizer, log = train(options.work, options.steps, options.seed)
    (options.work / "log.json").write_text(json.dumps(log, indent=1) + "\n")
    export.export(model, tokenizer, options.out)
    finished = validate(export.load(options.out), tokenizer, options.seed + 1, 4 * VALIDATION_DOCUMENTS)
    print(json.dumps(finished, indent=1))


if __name__ == "__main__":
    main()
