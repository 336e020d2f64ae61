"""Trains the tales model from nothing: `python3 train_tales.py --work FOLDER --out FOLDER`.

Every batch is a pure function of the seed and the step, so a run that was stopped goes on from its last
checkpoint as if it had not been. The amount of work is counted in steps, never in time. Next: export.py.
"""

import argparse
import json
import random
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

import export
import stories
import tokenizer as tokenizers_of_ours
from everyday import daily_life, everyday, openings
from model import Decoder, Shape
from plots import STORIES
from recall import boxes_asked_often, two_objects_asked_often
from scenes import NEVER_HELD_OUT, SCENES

SEED = 1
PEAK_RATE, WARM_UP_STEPS, FALLING_SHARE = 3e-3, 80, 0.2
TOKENS_PER_STEP = 2048


@dataclass(frozen=True)
class Kind:
    """How many of a hundred rows, the scenes in them (none: the whole grammar), and what a token's loss weighs.

    A decided token is one that the text so far determines. Where few are decided and the rest is free choice, the
    gradient of all of them together is mostly noise, and whose thing is whose is not learned in millions of tokens;
    with these weights it takes some hundred thousand.
    """

    share: int
    scenes: dict | None = None
    decided: float = 1.0
    other: float = 1.0


KINDS = {
    "all": Kind(66),
    "recall": Kind(20, {two_objects_asked_often: 3, boxes_asked_often: 1}, decided=5.0, other=0.1),
    "plain": Kind(6, {everyday: 1, daily_life: 2, openings: 2}),
    # Random tokens in lines that come back, so that heads which copy form. What cannot be known weighs nothing: a model
    # that is taught to guess it answers an unusual opening with random tokens.
    "random": Kind(8, decided=1.0, other=0.0),
}
LENGTHS = [128, 128, 256, 128, 128, 256, 128, 512]  # of the rows of a batch, step after step
CHECKPOINT_EVERY = 200
VALIDATION_DOCUMENTS = 150


def packed_row(
    rng: random.Random, tokenizer: Tokenizer, length: int, scenes: dict | None
) -> tuple[list[int], list[bool]]:
    """Documents one after the other, an end-of-text token between; half of the rows open with that token too.

    The ids, and whether each is of a decided word.
    """
    ids, decided = ([tokenizers_of_ours.END_OF_TEXT_ID], [False]) if rng.random() < 0.5 else ([], [])
    while len(ids) < length:
        text = stories.document(rng, scenes=scenes)
        encoded = tokenizer.encode(stories.plain(text))
        spans = stories.decided(text)
        ids += encoded.ids + [tokenizers_of_ours.END_OF_TEXT_ID]
        decided += [any(start < end and stop > begin for begin, end in spans) for start, stop in encoded.offsets]
        decided += [False]  # the end of text
    return ids[:length], decided[:length]


def random_row(rng: random.Random, vocabulary: int, length: int) -> tuple[list[int], list[bool]]:
    """Random tokens: a line of 4 to 40 of them comes back after other ones, again and again, then another line.

    The ids, and whether each follows from an earlier saying of its line (the first of a line does not).
    """
    ids, decided = [], []
    while len(ids) < length:
        line = [rng.randrange(1, vocabulary) for _ in range(rng.randint(4, 40))]
        for saying in range(rng.randint(2, 3)):
            others = [rng.randrange(1, vocabulary) for _ in range(rng.randint(0, 12))]
            ids += line + others
            decided += [False] + [saying > 0] * (len(line) - 1) + [False] * len(others)
    return ids[:length], decided[:length]


def row(rng: random.Random, tokenizer: Tokenizer, length: int) -> tuple[list[int], list[float]]:
    """The ids of a row, and what the loss of each weighs."""
    name = rng.choices(list(KINDS), [kind.share for kind in KINDS.values()])[0]
    kind = KINDS[name]
    if name == "random":
        ids, decided = random_row(rng, tokenizer.get_vocab_size(), length)
    else:
        ids, decided = packed_row(rng, tokenizer, length, kind.scenes)
    return ids, [kind.decided if each else kind.other for each in decided]


def batch(tokenizer: Tokenizer, seed: int, step: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and weights [row, position]; one token more than the model reads, for the targets."""
    rng = random.Random(f"train/{seed}/{step}")
    length = LENGTHS[step % len(LENGTHS)]
    ids, weights = zip(*[row(rng, tokenizer, length + 1) for _ in range(TOKENS_PER_STEP // length)])
    return torch.tensor(ids), torch.tensor(weights)


def learning_rate(step: int, steps: int) -> float:
    """Rises, stays, and falls to nothing over the last share of the steps."""
    return PEAK_RATE * min(1.0, (step + 1) / WARM_UP_STEPS, (steps - step) / (FALLING_SHARE * steps))


def loss_of(model: Decoder, ids: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(ids[:, :-1])
    losses = F.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
    return (losses * weights[:, 1:].flatten()).mean()


@torch.no_grad()
def validate(model: Decoder, tokenizer: Tokenizer, seed: int, documents: int) -> dict:
    """Mean loss a token on held-out documents, and how often a decided word is the model's first choice.

    Computed in float32, as the model is used.
    """
    rng = random.Random(f"validation/{seed}")
    total, tokens = {True: 0.0, False: 0.0}, {True: 0, False: 0}  # by whether it is a story
    right, asked = {}, {}
    makers = [*STORIES, *(make for make in SCENES if make not in NEVER_HELD_OUT)]
    for index in range(documents):
        make = makers[index % len(makers)]
        text = stories.scene(rng, make, validation=True)
        ids = tokenizer.encode(stories.plain(text)).ids
        logits = model(torch.tensor([ids]))[0]
        is_story = make in STORIES
        total[is_story] += F.cross_entropy(logits[:-1], torch.tensor(ids[1:]), reduction="sum").item()
        tokens[is_story] += len(ids) - 1
        for before, answer in stories.questions(text):
            # A word starts a new piece of the byte-level split, so its tokens follow those of the text before it.
            place = len(tokenizer.encode(before.rstrip(" ")).ids)
            if place == 0:
                continue
            asked[make.__name__] = asked.get(make.__name__, 0) + 1
            right[make.__name__] = right.get(make.__name__, 0) + int(logits[place - 1].argmax() == ids[place])
    return {
        "loss": round(sum(total.values()) / sum(tokens.values()), 4),
        "loss_stories": round(total[True] / tokens[True], 4),
        "loss_scenes": round(total[False] / tokens[False], 4),
        "decided_words": {name: round(right[name] / asked[name], 3) for name in asked},
        "decided_words_all": round(sum(right.values()) / sum(asked.values()), 4),
        "asked": sum(asked.values()),
    }


def optimizers_of(model: Decoder) -> list[torch.optim.Optimizer]:
    """Muon for the matrices inside the blocks, AdamW for the embedding and the vectors."""
    blocks = [p for name, p in model.named_parameters() if p.dim() == 2 and "embed" not in name]
    others = [p for name, p in model.named_parameters() if p.dim() < 2 or "embed" in name]
    return [
        torch.optim.Muon(blocks, lr=PEAK_RATE, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=PEAK_RATE, betas=(0.9, 0.95), weight_decay=0.0),
    ]


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
    optimizers = optimizers_of(model)
    first, log, seconds = 0, [], 0.0
    checkpoint = work / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        # More steps than were asked for at first are the same run as long as the rate had not begun to fall.
        last = state["next"] - 1
        if state["seed"] != seed or learning_rate(last, state["steps"]) != learning_rate(last, steps):
            raise SystemExit(f"{checkpoint} is of a run of {state['steps']} steps with seed {state['seed']}")
        model.load_state_dict(state["model"])
        for optimizer, kept in zip(optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(kept)
        first, log, seconds = state["next"], state["log"], state["seconds"]
    started = time.monotonic() - seconds
    for step in range(first, steps):
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, steps)
        loss = loss_of(model, *batch(tokenizer, seed, step))
        model.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer in optimizers:
            optimizer.step()
        done = step + 1
        if done % CHECKPOINT_EVERY == 0 or done == steps:
            seconds = time.monotonic() - started
            log.append({"step": done, "seconds": round(seconds), "train_loss": round(loss.item(), 3)}
                       | validate(model, tokenizer, seed, VALIDATION_DOCUMENTS))
            print(json.dumps(log[-1]), flush=True)
            save_atomically({"model": model.state_dict(), "optimizers": [each.state_dict() for each in optimizers],
                             "next": done, "steps": steps, "seed": seed, "log": log, "seconds": seconds}, checkpoint)
    return model, tokenizer, log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the checkpoint and the log")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished model")
    parser.add_argument("--steps", type=int, default=13_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    model, tokenizer, log = train(options.work, options.steps, options.seed)
    (options.work / "log.json").write_text(json.dumps(log, indent=1) + "\n")
    export.export(model, tokenizer, options.out)
    finished = validate(export.load(options.out), tokenizer, options.seed + 1, 8 * VALIDATION_DOCUMENTS)
    print(json.dumps(finished, indent=1))


if __name__ == "__main__":
    main()
