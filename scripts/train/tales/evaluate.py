"""Prints every figure of tales from its exported folder: `scripts/train/evaluate tales [FOLDER]`.

Computes in float32 (stories in bfloat16) with the F16 numbers of the file, on texts that training held out, with
three seeds; writes nothing. A row of attention is named by the token at its place ("at") or by the one that comes
next ("before"). Next: probes.py and consistency.py.
"""

import random
import re
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer

import consistency
import export
import probes
import stories
from model import Attention, Decoder
from plots import STORIES
from scenes import SCENES
from train_tales import validate

SEEDS = (11, 12, 13)
DOCUMENTS = 200
PROBES = 100
STORIES_TOLD, STORY_TOKENS = 100, 100
TEMPERATURE = 0.7


class Evaluation:
    def __init__(self, folder: Path):
        self.model = export.load(folder)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        pieces = [self.tokenizer.id_to_token(index) for index in range(self.tokenizer.get_vocab_size())]
        self.continues_a_word = torch.tensor([piece[0].isascii() and piece[0].isalnum() for piece in pieces])

    @torch.no_grad()
    def next_logits(self, text: str) -> torch.Tensor:
        """Of a text that ends with a whole word: "near the river" does not go on to "rivers"."""
        logits = self.model(torch.tensor([self.tokenizer.encode(text).ids]))[0, -1]
        return logits.masked_fill(self.continues_a_word, -torch.inf)

    def first_token(self, word: str) -> int:
        return self.tokenizer.encode(" " + word).ids[0]

    def choose(self, choices: list[probes.Choice]) -> tuple[float, float]:
        """Shares of texts whose right word is likelier than the wrong ones, and is the first choice of all."""
        better, first = 0, 0
        for choice in choices:
            logits, right = self.next_logits(choice.text), self.first_token(choice.right)
            better += all(logits[right] > logits[self.first_token(word)] for word in choice.wrong)
            first += int(logits.argmax() == right)
        return better / len(choices), first / len(choices)

    @torch.no_grad()
    def attention(self, ids: list[int]) -> torch.Tensor:
        """[layer, head, query, key]"""
        seen = []
        hooks = [module.register_forward_pre_hook(lambda module, inputs: seen.append(module.read(*inputs)[0][0]))
                 for module in self.model.modules() if isinstance(module, Attention)]
        self.model(torch.tensor([ids]))
        for hook in hooks:
            hook.remove()
        return torch.stack(seen)

    @torch.no_grad()
    def tell(self, openings: list[str], tokens: int, seed: int) -> list[str]:
        """What the model adds to each opening, drawn at the temperature, up to the end of the text.

        Computed in bfloat16: there is no cache of keys and values here, and float32 takes several times as long.
        """
        torch.manual_seed(seed)
        rows = [self.tokenizer.encode(opening).ids for opening in openings]
        starts, open_rows = [len(row) for row in rows], set(range(len(rows)))
        for _ in range(tokens):
            order = sorted(open_rows)
            if not order:
                break
            longest = max(len(rows[index]) for index in order)
            batch = torch.tensor([rows[index] + [0] * (longest - len(rows[index])) for index in order])
            last = torch.tensor([len(rows[index]) - 1 for index in order])
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = self.model(batch)[torch.arange(len(order)), last].float() / TEMPERATURE
            for index, drawn in zip(order, torch.multinomial(torch.softmax(logits, -1), 1)[:, 0].tolist()):
                if drawn == 0:
                    open_rows.discard(index)
                else:
                    rows[index].append(drawn)
        return [self.tokenizer.decode(row[start:]) for row, start in zip(rows, starts)]


def spread(values: list[float]) -> str:
    return " ".join(f"{value:.3f}" for value in values)


def by_head(scores: torch.Tensor, most: int = 6) -> str:
    """scores: [layer, head]; the best ones first, as layer.head value"""
    heads = sorted(((value, f"{layer}.{head}") for layer, row in enumerate(scores.tolist())
                    for head, value in enumerate(row)), reverse=True)
    return "  ".join(f"{name} {value:.2f}" for value, name in heads[:most])


def print_losses(evaluation: Evaluation) -> None:
    found = [validate(evaluation.model, evaluation.tokenizer, seed, DOCUMENTS) for seed in SEEDS]
    print("loss of stories, nats a token (<= 0.36):", spread([each["loss_stories"] for each in found]))
    print("loss of short scenes:", spread([each["loss_scenes"] for each in found]))
    print("loss of both:", spread([each["loss"] for each in found]))
    print("decided words that are the first choice:", spread([each["decided_words_all"] for each in found]))
    for name in sorted(set.intersection(*(set(each["decided_words"]) for each in found))):
        print(f"  {name}:", spread([each["decided_words"][name] for each in found]))
    before = [each["loss"] for each in found]
    quantised = Decoder(evaluation.model.shape)
    quantised.load_state_dict({name: int8_by_row(tensor) for name, tensor in evaluation.model.state_dict().items()})
    after = [validate(quantised, evaluation.tokenizer, seed, DOCUMENTS)["loss"] for seed in SEEDS]
    print("int8 by row, loss added (<= 0.002):", spread([b - a for a, b in zip(before, after)]))


def int8_by_row(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dim() != 2:
        return tensor
    scale = tensor.abs().amax(1, keepdim=True) / 127
    return (tensor / scale).round() * scale


def print_choices(evaluation: Evaluation) -> None:
    for name, make, least in (("agreement across an attractor", probes.agreement_choices, 0.98),
                              ("antecedent by sense, so the ...", probes.sense_choices, 0.95)):
        found = [evaluation.choose(make(random.Random(seed), PROBES)) for seed in SEEDS]
        print(f"{name} (>= {least}): right before wrong {spread([each[0] for each in found])};"
              f" first choice {spread([each[1] for each in found])}")
    total = []
    for form in probes.RECALL_FORMS:
        found = [evaluation.choose(probes.recall_choices(random.Random(seed), form, PROBES)) for seed in SEEDS]
        total.append([each[1] for each in found])
        print(f"  two objects, {form}: right before wrong {spread([each[0] for each in found])};"
              f" first choice {spread([each[1] for each in found])}")
    means = [sum(figures) / len(figures) for figures in zip(*total)]
    print("two-object recall, first choice, mean of all forms (>= 0.95):", spread(means))


def print_heads(evaluation: Evaluation) -> None:
    rng = random.Random(SEEDS[0])
    size = evaluation.tokenizer.get_vocab_size()
    induction, previous, previous_random = 0, 0, 0
    for _ in range(20):
        line = rng.sample(range(1, size), 50)
        weights = evaluation.attention(line + line)
        again = torch.arange(50, 100)
        induction = induction + weights[:, :, again, again - 49].mean(-1) / 20
        previous_random = previous_random + weights.diagonal(-1, -2, -1).mean(-1) / 20
    for _ in range(40):
        text = stories.plain(stories.scene(rng, rng.choice(list(STORIES)), validation=True))
        weights = evaluation.attention(evaluation.tokenizer.encode(text).ids)
        previous = previous + weights.diagonal(-1, -2, -1).mean(-1) / 40
    print("previous token, mean weight in stories (>= 0.8):", by_head(previous))
    print("previous token, mean weight in random tokens said twice:", by_head(previous_random))
    print("induction, mean weight on what followed, random tokens said twice (>= 0.5):", by_head(induction))
    print("induction in songs, spells and lists said twice:", by_head(induction_in_text(evaluation, rng)))
    for pattern in probes.PATTERNS:
        weight, largest = match(evaluation, pattern(random.Random(SEEDS[0]), PROBES))
        for index, row in enumerate(("at", "before")):
            print(f"{pattern.__name__}, row {row} the word: weight {by_head(weight[index])}")
            print(f"{pattern.__name__}, row {row} the word: largest there {by_head(largest[index])}")


def induction_in_text(evaluation: Evaluation, rng: random.Random) -> torch.Tensor:
    """Mean weight, at a token of a line said again, on the token that followed its like in the first saying."""
    total, rows = 0, 0
    chant = next(make for make in SCENES if make.__name__ == "chant")
    for _ in range(100):
        line, *rest = stories.plain(stories.scene(rng, chant, validation=True)).split(". ")
        ids = evaluation.tokenizer.encode(". ".join([line, rest[0].rstrip(".")])).ids
        second = evaluation.tokenizer.encode(rest[0].rstrip(".")).ids[1:]
        start = len(ids) - len(second)
        weights = evaluation.attention(ids)
        places = torch.arange(start, len(ids) - 1)
        places = places[[ids[place] == ids[place - start + 1] for place in places.tolist()]]
        total = total + weights[:, :, places, places - start + 2].sum(-1)
        rows += len(places)
    return total / rows


def match(evaluation: Evaluation, found: list[probes.Probe]) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean weight on the gold words, and how often the largest weight is there. [row at or before, layer, head]"""
    weight, largest = 0, 0
    for probe in found:
        encoded = evaluation.tokenizer.encode(probe.text)
        place = tokens_of(encoded, probe.word)[0]
        gold = [token for span in probe.gold for token in tokens_of(encoded, span)]
        rows = evaluation.attention(encoded.ids)[:, :, [place, place - 1]].movedim(2, 0)
        weight = weight + rows[..., gold].sum(-1) / len(found)
        largest = largest + torch.isin(rows.argmax(-1), torch.tensor(gold)).float() / len(found)
    return weight, largest


def tokens_of(encoded, span: tuple[int, int]) -> list[int]:
    return [index for index, (start, end) in enumerate(encoded.offsets) if start < span[1] and end > span[0]]


def print_consistency(evaluation: Evaluation) -> None:
    good = []
    for seed in SEEDS:
        rng, openings = random.Random(seed), []
        while len(openings) < STORIES_TOLD:
            text = stories.plain(stories.scene(rng, rng.choice(list(STORIES)), validation=True))
            sentences = re.split(r"(?<=[.!?]) ", text)
            openings.append(" ".join(sentences[:3]))
        told = evaluation.tell(openings, STORY_TOKENS, seed)
        found = [consistency.faults(opening, rest) for opening, rest in zip(openings, told)]
        good.append(sum(not faults for faults in found))
        for opening, rest, faults in zip(openings, told, found):
            if faults:
                print(f"  {faults}: {opening} /{rest}")
    print(f"stories of {STORY_TOKENS} tokens without a contradiction, of {STORIES_TOLD} (>= 95):", *good)


def print_everyday(evaluation: Evaluation) -> None:
    rng = random.Random(SEEDS[0])
    known, pairs = set(), set()
    for _ in range(20_000):
        words = re.findall(r"[\w']+", stories.plain(stories.document(rng)).lower())
        known.update(words)
        pairs.update(zip(words, words[1:]))
    shares, pair_shares = [], []
    for seed in SEEDS:
        told = evaluation.tell(probes.EVERYDAY_OPENINGS, 24, seed)
        words = [re.findall(r"[\w']+", rest.lower())[:-1] for rest in told]
        shares.append(sum(word in known for row in words for word in row) / sum(map(len, words)))
        two = [pair for row in words for pair in zip(row, row[1:])]
        pair_shares.append(sum(pair in pairs for pair in two) / len(two))
        if seed == SEEDS[0]:
            for opening, rest in zip(probes.EVERYDAY_OPENINGS, told):
                print(f"  {opening} /{rest}")
    print("everyday openings: words told that are English:", spread(shares))
    print("everyday openings: pairs of words told that the grammar has:", spread(pair_shares))


def main() -> None:
    torch.set_num_threads(1)
    evaluation = Evaluation(Path(sys.argv[1]))
    for part in (print_losses, print_choices, print_heads, print_consistency, print_everyday):
        part(evaluation)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
