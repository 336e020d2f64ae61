"""How well echo copies, and which head does what: `scripts/train/evaluate echo`.

Sequences are drawn from seeds that training never uses; among so many possible ones none was trained on.
"""

import argparse
import random
from pathlib import Path

import torch

from export import load
from model import Echo
from sequences import sequence

SEQUENCES = 256


@torch.no_grad()
def evaluate(model: Echo, seed: int, sequences: int = SEQUENCES) -> dict:
    """Over all tokens that an earlier copy predicts, except the first token of a copy.

    copy: share that is the model's first choice. previous: mean weight on the token before, over all positions but
    the first two. induction: mean weight, where a copied token is predicted, on its places in the copies before.
    """
    rng = random.Random(f"validation/{seed}")
    drawn = [sequence(rng) for _ in range(sequences)]
    ids = torch.tensor([one.ids for one in drawn])
    logits, patterns = model(ids)
    weights = torch.stack(patterns)  # [layer, batch, head, query, key]
    asked = [(row, place, sources) for row, one in enumerate(drawn) for place, sources in one.repeats()]
    right = sum(int(logits[row, place - 1].argmax() == ids[row, place]) for row, place, _ in asked)
    induction = sum(weights[:, row, :, place - 1, sources].sum(-1) for row, place, sources in asked) / len(asked)
    before = torch.arange(1, ids.shape[1] - 1)
    previous = weights[..., before + 1, before].mean((1, 3))
    return {
        "copy": round(right / len(asked), 4),
        "asked": len(asked),
        "previous": [[round(head, 3) for head in layer] for layer in previous.tolist()],
        "induction": [[round(head, 3) for head in layer] for layer in induction.tolist()],
    }


def report(model: Echo, seeds: list[int]) -> None:
    measured = [evaluate(model, seed) for seed in seeds]
    copies = " ".join(f"{one['copy']:.4f}" for one in measured)
    print(f"copied tokens that are the first choice, seeds {seeds}: {copies} (target 0.98)")
    for probe, layer, target in (("previous", 0, "0.95 in one head"), ("induction", 1, "0.8 in two heads")):
        heads = measured[0][probe][layer]
        order = sorted(range(len(heads)), key=lambda head: -heads[head])
        told = ", ".join(
            f"{layer}.{head} " + "/".join(f"{one[probe][layer][head]:.3f}" for one in measured) for head in order
        )
        print(f"{probe}: {told} (target {target})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the exported model")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    torch.set_num_threads(1)
    report(load(options.folder), options.seeds)


if __name__ == "__main__":
    main()
