"""SentencePiece's precompiled table of replacements: a double-array trie of UTF-8 keys, then the texts that replace them.

Made from a dictionary, in the layout that tokenizer.json stores (base64). The search for free places is the simplest
one, good for some hundred keys. Read next: tokenizer_kinds.py.
"""

import base64
import struct
import unicodedata


def encode(replacements: dict[str, str]) -> str:
    texts, starts = b"", {}
    for text in sorted(set(replacements.values())):
        starts[text] = len(texts)
        texts += text.encode() + b"\0"
    trie = {}
    for key, text in replacements.items():
        node = trie
        for byte in key.encode():
            node = node.setdefault(byte, {})
        node[0] = starts[text]  # a key's end; no key holds the byte 0
    units = place(trie)
    array = struct.pack(f"<{len(units)}I", *units)
    return base64.b64encode(struct.pack("<I", len(array)) + array + texts).decode()


def place(trie: dict) -> list[int]:
    """A unit holds its label (bits 0 to 7), whether a key ends there (8), and the way to its children (10 on)."""
    units, used = {0: 0}, {0}
    waiting = [(0, trie)]
    while waiting:
        position, node = waiting.pop()
        base = next(b for b in range(1, 1 << 20) if not any(b ^ byte in used for byte in node))
        used.update(base ^ byte for byte in node)
        units[position] |= (position ^ base) << 10 | (0 in node) << 8
        for byte, child in node.items():
            units[base ^ byte] = byte if byte else 1 << 31 | child
            if byte:
                waiting.append((base ^ byte, child))
    size = (max(units) | 0xFF) + 1  # a look-up may touch any of the 256 places of a block
    return [units.get(position, 0) for position in range(size)]


def some_of_nmt_nfkc() -> dict[str, str]:
    """Rules as in nmt_nfkc: compatibility forms, composition, blanks to spaces, controls away."""
    odd = "ﬁﬂ½¼²³①⑩㎏㍿ﷺ…™ªº℃Ⅷ" + "".join(map(chr, [*range(0xFF01, 0xFF5E), *range(0xFF66, 0xFF9E)]))
    rules = {char: unicodedata.normalize("NFKC", char) for char in odd}
    for base in "aeiouAEIOUncNC":
        for mark in "\u0300\u0301\u0302\u0303\u0308\u0327":
            whole = unicodedata.normalize("NFKC", base + mark)
            if len(whole) == 1:
                rules[base + mark] = whole
    rules |= {char: " " for char in "\t\n\f\r\u00a0\u1680\u2003\u2009\u200b\u2028\u202f\u3000\ufeff\ufffd"}
    rules |= {chr(code): "" for code in [*range(1, 9), 0x0B, *range(0x0E, 0x20), 0x7F]}
    return rules
