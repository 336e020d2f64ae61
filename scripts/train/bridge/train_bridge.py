"""Trains bridge from nothing: `python3 train_bridge.py --work FOLDER --out FOLDER`.

Every batch is a pure function of the seed and the step, so a run that was stopped goes on from its last checkpoint
as if it had not been. The amount of work is counted in steps, never in time. Next: export.py, evaluate.py.
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

import corpus
import tokenizer as tokenizers_of_ours
from batches import POOLED, pool, translate
from export import export
from model import Bridge, Shape
from tokenizer import PAD

PEAK_RATE, LAST_RATE_SHARE, WARM_UP_STEPS = 2e-3, 0.02, 200
CHECKPOINT_EVERY = 400
CHECKED_PER_KIND = 12


def learning_rate(step: int, steps: int) -> float:
    warm_up = min(1.0, (step + 1) / WARM_UP_STEPS)
    cosine = 0.5 * (1 + math.cos(math.pi * step / steps))
    return PEAK_RATE * warm_up * (LAST_RATE_SHARE + (1 - LAST_RATE_SHARE) * cosine)


def loss_of(model: Bridge, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(source, target[:, :-1]).logits
    return F.cross_entropy(logits.float().flatten(0, 1), target[:, 1:].flatten(), ignore_index=PAD)


def exact_match(model: Bridge, tokenizer: Tokenizer) -> float:
    rng = random.Random("check")
    kinds = [kind for kind in corpus.KINDS if kind is not corpus.bank_undecided]
    made = [one for kind in kinds for one in corpus.held_out(rng, kind, CHECKED_PER_KIND)]
    told = translate(model, tokenizer, [one.source()[0] for one in made])
    return round(sum(one.target()[0] == text for one, text in zip(made, told)) / len(made), 3)


def parameter_groups(model: Bridge) -> list[dict]:
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    return [{"params": matrices, "weight_decay": 0.05}, {"params": vectors, "weight_decay": 0.0}]


def train(work: Path, steps: int, seed: int) -> tuple[Bridge, Tokenizer]:
    work.mkdir(parents=True, exist_ok=True)
    if not (work / "tokenizer.json").exists():
        tokenizers_of_ours.save(tokenizers_of_ours.build(tokenizers_of_ours.vocabulary(seed=1)), work, Shape.context)
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    torch.manual_seed(seed)
    model = Bridge(Shape(tokenizer.get_vocab_size()))
    print(sum(p.numel() for p in model.parameters()), "parameters,", model.shape.vocabulary, "tokens", flush=True)
    optimizer = torch.optim.AdamW(parameter_groups(model), lr=PEAK_RATE, betas=(0.9, 0.98))
    first, log, seconds = 0, [], 0.0
    checkpoint = work / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        if (state["steps"], state["seed"]) != (steps, seed):
            raise SystemExit(f"{checkpoint} is of a run of {state['steps']} steps with seed {state['seed']}")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first, log, seconds = state["next"], state["log"], state["seconds"]
    started, batches = time.monotonic() - seconds, []
    for step in range(first, steps):
        if step % POOLED == 0 or not batches:
            batches = pool(tokenizer, seed, step // POOLED)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, steps)
        loss = loss_of(model, *batches[step % POOLED])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = step + 1
        if done % CHECKPOINT_EVERY == 0 or done == steps:
            seconds = time.monotonic() - started
            log.append({"step": done, "seconds": round(seconds), "loss": round(loss.item(), 4),
                        "exact": exact_match(model, tokenizer)})
            print(json.dumps(log[-1]), flush=True)
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "next": done, "steps": steps,
                     "seed": seed, "log": log, "seconds": seconds}
            torch.save(state, checkpoint.with_suffix(".partial"))
            checkpoint.with_suffix(".partial").rename(checkpoint)
    return model, tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the tokenizer and the checkpoint")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    export(*train(options.work, options.steps, options.seed), options.out)


if __name__ == "__main__":
    main()
