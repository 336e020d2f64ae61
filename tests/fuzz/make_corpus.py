"""Writes tests/fuzz/corpus, the inputs that fuzzing starts from: of every folder in tests/golden its configuration
with a file made to fit, and again with the header of its own file. The layout of an input is in checkpoint_fuzz.cc.

    python3 tests/fuzz/make_corpus.py
"""

import json
import struct
from pathlib import Path

MADE, FILLED, TWO_FILES = 1, 2, 4

tests = Path(__file__).parent.parent
corpus = tests / "fuzz" / "corpus"


def write(name, kind, piece, config, *files):
    lengths = struct.pack("<BBHH", kind, piece, len(config), len(files[0]))
    (corpus / name).write_bytes(lengths + config + b"".join(files))


def safetensors_header(file):
    """Its length and itself, without the data."""
    with open(file, "rb") as opened:
        length = opened.read(8)
        return length + opened.read(struct.unpack("<Q", length)[0])


def in_two(header):
    """The header of two files that have every other tensor each."""
    entries = json.loads(header[8:])
    entries.pop("__metadata__", None)
    halves = []
    for first in (0, 1):
        half, end = {}, 0
        for name, entry in sorted(entries.items())[first::2]:
            begin = end
            end += entry["data_offsets"][1] - entry["data_offsets"][0]
            half[name] = {**entry, "data_offsets": [begin, end]}
        text = json.dumps(half, separators=(",", ":")).encode()
        halves.append(struct.pack("<Q", len(text)) + text)
    return halves


def main():
    corpus.mkdir(exist_ok=True)
    for old in corpus.iterdir():
        if not old.name.startswith("found-"):  # by fuzzing
            old.unlink()
    folders = sorted(file.parent for file in tests.glob("golden/*/model*.safetensors"))
    for index, folder in enumerate(dict.fromkeys(folders)):
        config = json.dumps(json.loads((folder / "config.json").read_text()), separators=(",", ":")).encode()
        write(f"made-{folder.name}", MADE | index % 3 << 3, 0, config, b"\x3c\x3d\xbd\x3e\xbe")
        shards = sorted(folder.glob("model*.safetensors"))
        if len(shards) == 1:
            write(f"file-{folder.name}", FILLED, index * 7 % 256, config, safetensors_header(shards[0]))
    folder = tests / "golden" / "llama_tied_bf16"
    config = (folder / "config.json").read_bytes()
    header = safetensors_header(folder / "model.safetensors")
    write("two-files", FILLED | TWO_FILES, 0, config, *in_two(header))
    write("web-page", 0, 1, config, b"<!DOCTYPE html><title>404</title>")


main()
