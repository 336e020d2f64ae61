"""Small tokenizers of every kind, and the ids and texts that the Rust library gives with them.

Needs the library tokenizers alone. Parts: tokenizer_kinds.py, tokenizer_texts.py.
"""

import hashlib
import json
from pathlib import Path

from tokenizer_kinds import kinds
from tokenizer_texts import LONG, PAIRS, TEXTS
from tokenizers import Tokenizer


def make(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    write(out / "texts.json", {"texts": TEXTS, "long": LONG, "pairs": PAIRS})
    for name, (tokenizer, config) in kinds().items():
        folder = out / name
        folder.mkdir(exist_ok=True)
        write(folder / "tokenizer.json", tokenizer)
        write(folder / "tokenizer_config.json", config)
        write(folder / "golden.json", reference(folder))
        print(f"{name}: {sum(file.stat().st_size for file in folder.iterdir())} bytes")


def reference(folder: Path) -> dict:
    text = (folder / "tokenizer.json").read_text()
    config = json.loads((folder / "tokenizer_config.json").read_text())
    tokenizer = Tokenizer.from_str(text)
    encoded = [tokenizer.encode(text).ids for text in TEXTS]
    decoded = [clean(tokenizer.decode(ids), json.loads(text), config) for ids in encoded]
    long = tokenizer.encode(LONG).ids
    pairs = [tokenizer.encode(*pair) for pair in PAIRS]
    golden = {
        "ids": encoded,
        # null where decoding brings the text back.
        "decoded": [None if after == before else after for before, after in zip(TEXTS, decoded, strict=True)],
        "long": {"length": len(long), "sha256": hashlib.sha256(" ".join(map(str, long)).encode()).hexdigest()},
        "pairs": [{"ids": pair.ids, "types": pair.type_ids} for pair in pairs],
    }
    if "tgt_lang" in config:
        golden["targets"] = target_ids(text, config)
    return golden


def clean(decoded: str, tokenizer: dict, config: dict) -> str:
    """transformers tidies after the library; BPE never, for its spaces are the text's own."""
    if not config.get("clean_up_tokenization_spaces") or "merges" in tokenizer["model"]:
        return decoded
    for old, new in [(" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't")]:
        decoded = decoded.replace(old, new)
    for end in ["'m", "'s", "'ve", "'re"]:
        decoded = decoded.replace(" " + end, end)
    return decoded


def target_ids(text: str, config: dict) -> list[list[int]]:
    """As transformers with text_target: the template of the source with the target's language in it."""
    code = "__{}__" if config["tokenizer_class"] == "M2M100Tokenizer" else "{}"
    source, target = code.format(config["src_lang"]), code.format(config["tgt_lang"])
    changed = json.loads(text)
    entries = {token["content"]: token["id"] for token in changed["added_tokens"]}
    post = json.loads(json.dumps(changed["post_processor"]).replace(f'"{source}"', f'"{target}"'))
    post["special_tokens"][target]["ids"] = [entries[target]]
    tokenizer = Tokenizer.from_str(json.dumps({**changed, "post_processor": post}))
    return [tokenizer.encode(text).ids for text in TEXTS]


def write(path: Path, value: object) -> None:
    """A line for each part."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(part, ensure_ascii=False, separators=(",", ":"))}" for key, part in value.items())
    path.write_text("{" + lines + "}\n")
