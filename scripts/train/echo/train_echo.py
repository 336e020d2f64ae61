"""Trains echo from nothing: `python3 train_echo.py --work FOLDER --out FOLDER`.

Every batch is a pure function of the seed and the step, so a run that was stopped goes on from its last checkpoint
as if it had not been. The amount of work is counted in steps, never in time. Next: export.py, evaluate.py.
"""

import argparse
import json
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from evaluate import evaluate
from export import export, load
from model import Echo, Shape
from sequences import sequence

PEAK_RATE, LAST_RATE_SHARE, WARM_UP_STEPS, LEVEL_SHARE = 2e-3, 0.05, 50, 0.6
ROWS = 32
FILLER_WEIGHT = 0.1  # of a token that nothing predicts, against 1 for a copied one
CHECKPOINT_EVERY = 200


def batch(seed: int, step: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and the weight of each in the loss, both [row, position]."""
    rng = random.Random(f"train/{seed}/{step}")
    drawn = [sequence(rng) for _ in range(ROWS)]
    ids = torch.tensor([one.ids for one in drawn])
    weights = torch.full(ids.shape, FILLER_WEIGHT)
    for row, one in enumerate(drawn):
        weights[row, [place for place, _ in one.repeats()]] = 1.0
    return ids, weights


def learning_rate(step: int, steps: int) -> float:
    """Warm-up, then level, then a straight line down."""
    done = step / steps
    falling = 1.0 if done < LEVEL_SHARE else (1 - done) / (1 - LEVEL_SHARE)
    return PEAK_RATE * min(1.0, (step + 1) / WARM_UP_STEPS) * (LAST_RATE_SHARE + (1 - LAST_RATE_SHARE) * falling)


def loss_of(model: Echo, ids: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, _ = model(ids)
    losses = F.cross_entropy(logits[:, :-1].float().transpose(1, 2), ids[:, 1:], reduction="none")
    return (losses * weights[:, 1:]).sum() / weights[:, 1:].sum()


def train(work: Path, steps: int, seed: int) -> Echo:
    work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    model = Echo(Shape())
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, betas=(0.9, 0.98), weight_decay=0.05)
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
        loss = loss_of(model, *batch(seed, step))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        done = step + 1
        if done % CHECKPOINT_EVERY == 0 or done == steps:
            seconds = time.monotonic() - started
            log.append({"step": done, "seconds": round(seconds), "loss": round(loss.item(), 3)}
                       | evaluate(model, seed=0, sequences=64))
            print(json.dumps(log[-1]), flush=True)
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "next": done, "steps": steps,
                     "seed": seed, "log": log, "seconds": seconds}
            torch.save(state, checkpoint.with_suffix(".partial"))
            checkpoint.with_suffix(".partial").rename(checkpoint)
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the checkpoint")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    export(train(options.work, options.steps, options.seed), options.out)
    print(json.dumps(evaluate(load(options.out), seed=1)))


if __name__ == "__main__":
    main()
