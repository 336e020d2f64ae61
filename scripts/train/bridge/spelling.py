"""How words change beside each other, and how a list of words becomes a line: a/an, l', du, aux, cet, capitals.

A Word carries a tag, equal in both languages for what means the same; probes and alignments are read off the tags.
Next: phrases.py.
"""

from dataclasses import dataclass

# A mute h elides, an aspirated one does not; these words of the lists begin with the latter.
ASPIRATED = ("hibou", "hiboux", "hamster", "hamsters")
A_NOT_AN = ("useful",)


@dataclass(frozen=True)
class Word:
    text: str
    tag: str = ""


def words(text: str) -> list[Word]:
    return [Word(part) for part in text.split()]


def opens_with_vowel(word: str) -> bool:
    return word[0].lower() in "aeiouâàéèêëîïôœûh" and word not in ASPIRATED or word == "y"


def settle_english(line: list[Word]) -> list[Word]:
    """a becomes an where a vowel follows."""
    settled = list(line)
    for index, word in enumerate(line[:-1]):
        after = line[index + 1].text
        if word.text == "a" and after[0].lower() in "aeiou" and after not in A_NOT_AN:
            settled[index] = Word("an", word.tag)
    return settled


_ELIDED = {"le": "l'", "la": "l'", "de": "d'", "ne": "n'", "que": "qu'", "je": "j'", "se": "s'", "me": "m'"}
_BEFORE_VOWEL = _ELIDED | {"ce": "cet", "ma": "mon", "sa": "son"}
_CONTRACTED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}


def settle_french(line: list[Word]) -> list[Word]:
    """Elision and the forms before a vowel first, so that de l'arbre is not contracted; then du, des, au, aux."""
    settled = []
    for index, word in enumerate(line):
        follows_vowel = index + 1 < len(line) and opens_with_vowel(line[index + 1].text)
        text = _BEFORE_VOWEL.get(word.text, word.text) if follows_vowel else word.text
        contracted = _CONTRACTED.get((settled[-1].text, text)) if settled else None
        if contracted:
            settled[-1] = Word(contracted, word.tag)
        else:
            settled.append(Word(text, word.tag))
    return settled


def written(line: list[Word], end: str, capital: bool) -> tuple[str, list[tuple[int, int]]]:
    """The line as text and where each word stands in it, [first, last) in characters.

    Nothing separates l' from what follows, or 's from what it follows; a French question mark takes a space, so end
    brings its own.
    """
    text, spans = "", []
    for index, word in enumerate(line):
        glued = not text or text.endswith("'") or word.text[0] in "',"
        part = word.text[0].upper() + word.text[1:] if capital and index == 0 else word.text
        text += part if glued else " " + part
        spans.append((len(text) - len(part), len(text)))
    return text + end, spans
