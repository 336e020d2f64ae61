"""How well bridge translates what it was never trained on, and which head does what: `scripts/train/evaluate bridge`.

Every set is drawn anew for each seed. Rows of cross-attention are named by the token that they predict.
"""

import argparse
import random
from collections import defaultdict
from pathlib import Path

import corpus
import senses
import torch
from batches import translate
from corpus import Sentence
from export import load
from model import Bridge, Passed
from tokenizer import END
from tokenizers import Tokenizer

PER_KIND, PAIRS, CONTEXTS, UNDECIDED = 40, 300, 150, 100
KINDS = [kind for kind in corpus.KINDS if kind is not senses.bank_undecided]
PATTERNS = ["pronoun-antecedent", "noun-adjective", "adjective-noun", "entity", "verb-subject"]


class Evaluation:
    def __init__(self, model: Bridge, tokenizer: Tokenizer, seed: int):
        self.model, self.tokenizer, self.seed = model, tokenizer, seed
        rng = random.Random(f"evaluation/{seed}")
        self.by_kind = {kind.__name__: corpus.held_out(rng, kind, PER_KIND) for kind in KINDS}
        self.pairs = corpus.with_held_out_pair(rng, PAIRS)
        self.contexts = [
            one for kind in (senses.bank_by_water, senses.bank_with_money)
            for one in corpus.with_held_out_context(rng, kind, CONTEXTS)
        ]
        self.undecided = [corpus.sentence(rng, senses.bank_undecided) for _ in range(UNDECIDED)]

    def right(self, made: list[Sentence]) -> list[bool]:
        told = translate(self.model, self.tokenizer, [one.source()[0] for one in made])
        return [text == one.target()[0] for text, one in zip(told, made)]

    def translations(self) -> dict:
        shares = {name: _share(self.right(made)) for name, made in self.by_kind.items()}
        everything = [one for made in self.by_kind.values() for one in made]
        told = translate(self.model, self.tokenizer, [one.source()[0] for one in self.contexts])
        sense = ["banque" if one.kind == "bank_with_money" else "rive" for one in self.contexts]
        other = {"banque": "rive", "rive": "banque"}
        in_context = [word in text and f" {other[word]}" not in text for word, text in zip(sense, told)]
        return {
            "all": _share(self.right(everything)), "kinds": shares, "pairs": _share(self.right(self.pairs)),
            "bank": _share(in_context), "bank exact": _share(self.right(self.contexts)),
            "pronouns": self.pronouns(), "undecided": self.undecided_shares(),
        }

    def passed(self, one: Sentence) -> tuple[Passed, "Places", "Places", list[int]]:
        source, target = (Places(self.tokenizer, *written) for written in (one.source(), one.target()))
        passed = self.model(torch.tensor([source.ids]), torch.tensor([[END, *target.ids[:-1]]]))
        return passed, source, target, target.ids

    @torch.no_grad()
    def pronouns(self) -> float:
        """Share of il, elle, ils, elles whose row has them for first choice, the words before being given."""
        right = []
        for one in [*self.by_kind["because"], *self.by_kind["describing"]]:
            for index, word in enumerate(one.french):
                if word.tag.startswith("p") and word.text in ("il", "elle", "ils", "elles"):
                    passed, _, target, ids = self.passed(one)
                    place = target.tokens[index][0]
                    right.append(passed.logits[0, place].argmax().item() == ids[place])
        return _share(right)

    @torch.no_grad()
    def undecided_shares(self) -> dict:
        """Of "The bank was quiet.": the probabilities of rive and of banque, and how often both are above 0.2."""
        ids = [self.tokenizer.token_to_id(f"Ġ{word}") for word in ("rive", "banque")]
        found = []
        for one in self.undecided:
            index = next(index for index, word in enumerate(one.french) if word.text in ("rive", "banque"))
            passed, _, target, _ = self.passed(one)
            found.append(passed.logits[0, target.tokens[index][0]].softmax(-1)[ids].tolist())
        both = _share([min(pair) > 0.2 for pair in found])
        return {"rive": _mean([a for a, _ in found]), "banque": _mean([b for _, b in found]), "both above 0.2": both}

    @torch.no_grad()
    def crossings(self) -> dict:
        """Per head of cross-attention: how often a reversed adjective and noun both look at their own English word."""
        hits = defaultdict(list)
        probed = [one for made in self.by_kind.values() for one in made]
        for one, right in zip(probed, self.right(probed)):
            if not right:
                continue
            english = {word.tag: index for index, word in enumerate(one.english) if word.tag}
            french = {word.tag: index for index, word in enumerate(one.french) if word.tag}
            crossing = [
                tag for noun in english if f"{noun}.0" in english for tag in _crossing(noun, english, french)
            ]
            if not crossing:
                continue
            passed, source, target, _ = self.passed(one)
            for layer, weights in enumerate(passed.cross):
                for head in range(weights.shape[1]):
                    for tag in crossing:
                        looked_at = weights[0, head, target.tokens[french[tag]][0]].argmax().item()
                        hits[layer, head].append(looked_at in source.tokens[english[tag]])
        return {head: (_share(seen), len(seen)) for head, seen in hits.items()}

    @torch.no_grad()
    def patterns(self) -> dict:
        """Per pattern and encoder head: how often the largest weight is on the gold word, and the mean weight there."""
        found = defaultdict(lambda: defaultdict(list))
        for made in self.by_kind.values():
            for one in made:
                english = {word.tag: index for index, word in enumerate(one.english) if word.tag}
                links = list(one.links)
                links += [("adjective-noun", to, start) for name, start, to in one.links if name == "noun-adjective"]
                links = [link for link in links if link[0] in PATTERNS and link[1] in english and link[2] in english]
                if not links:
                    continue
                passed, source, _, _ = self.passed(one)
                for pattern, start, to in links:
                    row, keys = source.tokens[english[start]][-1], source.tokens[english[to]]
                    for layer, weights in enumerate(passed.encoder):
                        for head in range(weights.shape[1]):
                            there = weights[0, head, row]
                            hit = there.argmax().item() in keys
                            found[pattern][layer, head].append((hit, there[keys].sum().item()))
        return {
            pattern: {head: (_share([hit for hit, _ in seen]), _mean([weight for _, weight in seen]), len(seen))
                      for head, seen in heads.items()}
            for pattern, heads in found.items()
        }

    def int8(self) -> tuple[int, int, int]:
        """Exact matches with the stored numbers, those of them that int8 loses, and those that it wins."""
        everything = [one for made in self.by_kind.values() for one in made] + self.pairs + self.contexts
        before = self.right(everything)
        kept = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        self.model.load_state_dict({name: rounded_to_int8(tensor) for name, tensor in kept.items()})
        after = self.right(everything)
        self.model.load_state_dict(kept)
        lost = sum(a and not b for a, b in zip(before, after))
        return sum(before), lost, sum(b and not a for a, b in zip(before, after))


class Places:
    """A text's ids and, for each of its words, the places of its tokens."""

    def __init__(self, tokenizer: Tokenizer, text: str, spans: list[tuple[int, int]]):
        encoded = tokenizer.encode(text)
        self.ids: list[int] = encoded.ids
        self.tokens = [
            [place for place, (start, end) in enumerate(encoded.offsets) if start < last and end > first]
            for first, last in spans
        ]


def _crossing(noun: str, english: dict[str, int], french: dict[str, int]) -> list[str]:
    """The tags of an adjective after its noun in French, and of the noun."""
    for adjective in (f"{noun}.0", f"{noun}.1"):
        if adjective in english and french[adjective] > french[noun]:
            return [noun, adjective]
    return []


def rounded_to_int8(tensor: torch.Tensor) -> torch.Tensor:
    """Matrices as int8 with a scale for every row would give them back."""
    if tensor.dim() < 2:
        return tensor
    scale = tensor.abs().amax(1, keepdim=True).clamp(min=1e-12) / 127
    return (tensor / scale).round() * scale


def _share(right: list[bool]) -> float:
    return sum(right) / max(1, len(right))


def _mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


def report(model: Bridge, tokenizer: Tokenizer, seeds: list[int]) -> None:
    evaluations = [Evaluation(model, tokenizer, seed) for seed in seeds]
    told = [one.translations() for one in evaluations]

    def line(name: str, values: list[float], target: str) -> None:
        print(f"{name}: {' '.join(f'{value:.4f}' for value in values)} ({target})")

    print(f"each figure for evaluation seeds {seeds}")
    line("exact match, all kinds", [one["all"] for one in told], "target 0.98")
    for kind in told[0]["kinds"]:
        line(f"exact match, {kind}", [one["kinds"][kind] for one in told], "target 0.95")
    line("exact match, unseen adjective-noun pairs", [one["pairs"] for one in told], "target 0.95")
    line("bank by context, held-out contexts", [one["bank"] for one in told], "target 1")
    line("exact match, held-out contexts", [one["bank exact"] for one in told], "no target")
    line("il or elle by antecedent", [one["pronouns"] for one in told], "target 0.98")
    for name, target in (("rive", "mean"), ("banque", "mean"), ("both above 0.2", "share of sentences, target 1")):
        line(f"bank without a cue, {name}", [one["undecided"][name] for one in told], target)
    print("cross-attention, reversed adjective and noun, rows by the predicted token, layer.head (target 0.98 in one):")
    for head, (share, count) in sorted(evaluations[0].crossings().items(), key=lambda item: -item[1][0]):
        print(f"  {head[0]}.{head[1]} {share:.4f} of {count}")
    for pattern, heads in evaluations[0].patterns().items():
        order = sorted(heads.items(), key=lambda item: -item[1][1])
        shown = ", ".join(
            f"{layer}.{head} {share:.2f} (weight {weight:.2f})" for (layer, head), (share, weight, _) in order
        )
        print(f"encoder, {pattern}, largest weight on the gold word, of {order[0][1][2]}: {shown}")
    for seed, one in zip(seeds, evaluations):
        exact, lost, won = one.int8()
        print(f"int8 per row, seed {seed}: of {exact} exact matches {lost} lost, {won} others won (target: none lost)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the exported model")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    torch.set_num_threads(1)
    report(*load(options.folder), options.seeds)


if __name__ == "__main__":
    main()
