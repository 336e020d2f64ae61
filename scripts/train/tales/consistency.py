"""Counts what a told story contradicts: a name nobody introduced, a thing never mentioned, a colour that changed.

Knows the grammar's words and its ways to bring in something new; leaves out who owns what, and pronouns.
Next: evaluate.py.
"""

import re

from words import ANIMALS, BIG_ANIMALS, COLORS, FOODS, HIDING_PLACES, TOYS, plural

SINGULAR = {plural(noun): noun for noun in TOYS + ANIMALS + BIG_ANIMALS}
NOUNS = set(TOYS + ANIMALS + BIG_ANIMALS + FOODS) | set(SINGULAR)
CAPITALISED = set("""The A An One On In At By So But Then When It Is He She His Her They There This That Now Soon Later
Once From Do Does Did Can May Could Have Has Yes No My Your We You I Thank Happy Mom Dad Grandma Grandpa Here Please And
What Where Who Behind Monday Tuesday Wednesday Thursday Friday Saturday Sunday To Look Let Hello Are Not If Come
Up Down Under While After Before All Today Tomorrow How Why Good Its Inside Next""".split())
INTRODUCES = re.compile(
    r"\b(?:named|called|friend|name was|met|saw) ([A-Z][a-z]+)\b|\b([A-Z][a-z]+) the (?:%s)\b" % "|".join(ANIMALS))
POINTED_AT = re.compile(
    r"(?:\b(?:the|this|my|your|his|her|not have an?|I saw an?|a (?:new|good)|worry,|[A-Z][a-z]+'s)|\"An?)"
    r" (?:(?:%s|little) )?([a-z]+)\b" % "|".join(COLORS), re.IGNORECASE)
IT_IS = re.compile(r"\"It is (%s)" % "|".join(COLORS))
COLORED = re.compile(r"\b(?:(an?) )?(%s) ([a-z]+)\b" % "|".join(COLORS), re.IGNORECASE)
TWO_OF_A_KIND = re.compile(r"\btwo ([a-z]+), an? (%s) one and an? (%s) one" % ("|".join(COLORS), "|".join(COLORS)))
# "In the basket" says where one looks, not that there is a basket in the story.
PLACES_TO_LOOK = re.compile("|".join(sorted(HIDING_PLACES, key=len, reverse=True)), re.IGNORECASE)
LINE_OF_WORDS = re.compile(r"On the door stood, \"([^\"]*)\"")


def faults(opening: str, told: str) -> list[str]:
    """What the text after the opening contradicts. The opening is believed; a last broken word is ignored."""
    told = re.sub(r"\w+$", "", told)
    opening, told = PLACES_TO_LOOK.sub("there", opening), PLACES_TO_LOOK.sub("there", told)
    text = opening + told
    return _names(opening, text) + _things(len(opening), text) + _colors(len(opening), text)


def _names(opening: str, text: str) -> list[str]:
    known = set(re.findall(r"\b[A-Z][a-z]+\b", opening))
    for match in INTRODUCES.finditer(text):
        known.add(match.group(1) or match.group(2))
    for line in LINE_OF_WORDS.findall(text):
        known |= set(re.findall(r"\w+", line))
    names = [name for name in re.findall(r"\b[A-Z][a-z]+\b", text[len(opening):]) if name not in CAPITALISED]
    foods = {food.capitalize() for food in FOODS}
    return [f"name {name}" for name in names if name not in known and name not in foods]


def _things(start: int, text: str) -> list[str]:
    found = []
    for match in POINTED_AT.finditer(text):
        noun = match.group(1)
        named_so = re.search(r"\b[A-Z][a-z]+(?= $)", text[: match.start()])  # Amy the frog
        if match.start() >= start and noun in NOUNS and not (
                named_so and named_so.group() not in CAPITALISED and noun in ANIMALS):
            before = re.findall(r"[a-z]+", text[: match.start()].lower())
            if noun not in before and SINGULAR.get(noun) not in before and plural(noun) not in before:
                found.append(f"thing {match.group()}")
    return found


def _colors(start: int, text: str) -> list[str]:
    colors, found = {}, []
    for match in TWO_OF_A_KIND.finditer(text):
        colors[SINGULAR.get(match.group(1), match.group(1))] = {match.group(2), match.group(3)}
    for match in COLORED.finditer(text):
        article, color, noun = match.group(1), match.group(2).lower(), match.group(3)
        if noun not in NOUNS:
            continue
        known = colors.setdefault(noun, set())
        new = article and not re.search(r"\bI saw $|\"$", text[: match.start()])
        if not known or new:
            known.add(color)
        elif color not in known and match.start() >= start:
            found.append(f"color {match.group()}")
    for match in IT_IS.finditer(text, start):
        if match.group(1) not in set().union(*colors.values()):
            found.append(f"color {match.group()}")
    return found
