"""Texts with gold positions: which earlier words a word should look at, by the sense of the text.

Every text is one that training held out. Positions are of characters; evaluate.py turns them into tokens.
Next: consistency.py.
"""

import random
import re
from dataclasses import dataclass

import plots
import scenes
import stories
from words import ANIMALS, BIG_ANIMALS, BOYS, COLORS, GIRLS, TOYS, WAYS


@dataclass(frozen=True)
class Probe:
    text: str
    word: tuple[int, int]  # the word that looks; start and end, exclusive, in characters
    gold: list[tuple[int, int]]  # the words that it should look at; any of them will do


def _held_out(rng: random.Random, make, count: int):
    for _ in range(count):
        yield stories.plain(stories.scene(rng, make, validation=True))


def pronoun_to_antecedent(rng: random.Random, count: int) -> list[Probe]:
    """he, she, him or her to the only child of that gender who was named."""
    probes = []
    for text in _held_out(rng, scenes.who_did_it, 3 * count):
        for pronoun in re.finditer(r"\b(he|she|him|her)\b", text):
            names = GIRLS if pronoun.group() in ("she", "her") else BOYS
            gold = [m.span() for m in re.finditer(r"[A-Z]\w+", text[: pronoun.start()]) if m.group() in names]
            if gold:
                probes.append(Probe(text, pronoun.span(), gold))
                break
    return probes[:count]


def it_to_antecedent(rng: random.Random, count: int) -> list[Probe]:
    """The reason ("tired", "wide") to what is so: only there the sense of "it" is decided."""
    probes = []
    for text in _held_out(rng, scenes.why_it, count):
        reason = re.search(r"too (\w+)", text)
        kinds = WAYS if re.search(rf"\b({'|'.join(WAYS)})\b", text[reason.end():]) else ANIMALS + BIG_ANIMALS
        gold = re.search(rf"\b({'|'.join(kinds)})\b", text)
        probes.append(Probe(text, reason.span(1), [gold.span()]))
    return probes


def noun_to_adjective(rng: random.Random, count: int) -> list[Probe]:
    """A thing to the colour just before it."""
    probes = []
    pattern = re.compile(rf"\b({'|'.join(COLORS)}) ({'|'.join(TOYS)})\b")
    for text in _held_out(rng, scenes.two_objects, 4 * count):
        pair = pattern.search(text)
        if pair:
            probes.append(Probe(text, pair.span(2), [pair.span(1)]))
    return probes[:count]


def entity_over_sentences(rng: random.Random, count: int) -> list[Probe]:
    """The name of a story's hero, in a later sentence, to where it stood before."""
    probes = []
    for text in _held_out(rng, plots.lost_toy, count):
        names = [word for word in re.findall(r"[A-Z]\w+", text) if text.count(word) > 2]
        name = next(word for word in names if word not in ("He", "She", "But"))
        places = [m.span() for m in re.finditer(rf"\b{name}\b", text)]
        probes.append(Probe(text, places[-1], places[:-1]))
    return probes


def subject_to_verb(rng: random.Random, count: int) -> list[Probe]:
    """A verb past an attractor to its subject."""
    probes = []
    for text in _held_out(rng, scenes.agreement, count):
        verb = re.search(r"\b(is|are|was|were)\b", text)
        probes.append(Probe(text, verb.span(), [re.match(r"The (\w+)", text).span(1)]))
    return probes


def question_to_fact(rng: random.Random, count: int) -> list[Probe]:
    """"his" in "Tom looked for his kite" to the kite that Tom had."""
    probes = []
    for text in _held_out(rng, scenes.two_objects, 6 * count):
        asked = re.search(rf"(?:looked for|lost|took|forgot|dropped|hid|cleaned) (his|her) ({'|'.join(TOYS)})\b", text)
        told = asked and re.search(rf"\b{asked.group(2)}\b", text[: asked.start()])
        if told:
            probes.append(Probe(text, asked.span(1), [told.span()]))
    return probes[:count]


PATTERNS = [
    pronoun_to_antecedent, it_to_antecedent, noun_to_adjective, entity_over_sentences, subject_to_verb,
    question_to_fact,
]


@dataclass(frozen=True)
class Choice:
    """A text, the word that must come next, and those that would be wrong."""

    text: str
    right: str
    wrong: list[str]


def agreement_choices(rng: random.Random, count: int) -> list[Choice]:
    choices = []
    for text in _held_out(rng, scenes.agreement, count):
        verb = re.search(r" (is|are|was|were)\b", text)
        right = verb.group(1)
        wrong = ["is", "was"] if right in ("are", "were") else ["are", "were"]
        choices.append(Choice(text[: verb.start()], right, wrong))
    return choices


def sense_choices(rng: random.Random, count: int) -> list[Choice]:
    """"... because it was too tired. So the" -> cat"""
    choices = []
    for text in _held_out(rng, scenes.why_it, count):
        animal, way = re.match(r"The (\w+) .* the (\w+) because", text).groups()
        head = text[: text.index(".") + 1]
        ways = re.search(rf"\b{way}\b", text[len(head):]) is not None
        right, wrong = (way, animal) if ways else (animal, way)
        choices.append(Choice(head + " So the", right, [wrong]))
    return choices


RECALL_FORMS = {
    "the issue's form": "{a} had a {ca} {oa}. {b} had a {cb} {ob}. {x} looked for {his}",
    "found, lost": "{a} found a {ca} {oa}. {b} bought a {cb} {ob}. {x} lost {his}",
    "one sentence": "{a} had a {ca} {oa} and {b} had a {cb} {ob}. {x} dropped {his}",
    "no colours": "{a} had a {oa}. {b} had a {ob}. {x} forgot {his}",
    "given": "Mom gave {a} a {ca} {oa}. Mom gave {b} a {cb} {ob}. {x} cleaned {his}",
    "with a distance": "{a} had a {ca} {oa}. {b} had a {cb} {ob}. It was a sunny day. They played all day. Then it was"
                       " time to go home. {x} looked for {his}",
    "which colour": "{a} had a {ca} {oa}. {b} had a {cb} {ob}. The {ox} of {x} was",
    "whose": "{a} had a {ca} {oa}. {b} had a {cb} {ob}. The {cx} {ox} was a gift for",
    "who": "{a} brought a {ca} {oa}. {b} brought a {cb} {ob}. They met in the park. Who had the {ox}?",
    "colour, then thing": "{a} had a {ca} {oa}. {b} had a {cb} {ob}. {x} played with {his}",
}


def recall_choices(rng: random.Random, form: str, count: int) -> list[Choice]:
    """Two people of known names, two things; each asked about equally often. From the held-out class."""
    choices = []
    plain_toys = [toy for toy in TOYS if toy[0] not in "aeiou"]
    plain_colors = [color for color in COLORS if color[0] not in "aeiou"]
    while len(choices) < count:
        (a, b), (oa, ob), (ca, cb) = rng.sample(GIRLS + BOYS, 2), rng.sample(plain_toys, 2), rng.sample(plain_colors, 2)
        x, ox, cx, other, oo, co = rng.choice([(a, oa, ca, b, ob, cb), (b, ob, cb, a, oa, ca)])
        text = RECALL_FORMS[form].format(a=a, b=b, oa=oa, ob=ob, ca=ca, cb=cb, x=x, ox=ox, cx=cx,
                                         his="her" if x in GIRLS else "his")
        right, wrong = {"which colour": (cx, co), "colour, then thing": (cx, co), "whose": (x, other),
                        "who": (x, other)}.get(form, (ox, oo))
        if stories.held_out(f"{text} {right}."):
            choices.append(Choice(text, right, [wrong]))
    return choices


# Openings outside the grammar; none of them is one of its sentences.
EVERYDAY_OPENINGS = [
    "The cat sat on the mat.", "I think that", "Yesterday I saw", "My brother and I", "Where is my hat?",
    "It was a dark night", "The bank was", "We were late because", "She opened the window and", "Please do not",
    "In the winter", "The old man said", "If you want", "There is a", "Every morning", "The children played in",
    "He did not know", "What do you", "The train to the city", "After dinner, we", "You can always", "The weather is",
    "My name is", "They had never", "When I was young,", "The teacher asked", "Come here and", "I would like a cup of",
    "The little boat", "Last summer",
]
