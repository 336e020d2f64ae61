"""Compares the engine with the folders that variants.py writes: `python3 probe.py FOLDER... [--program attnscope_run]`.

A folder must give transformers' numbers or be refused by the setting's name; a person judges the name, so refusals are
printed. Needs nothing but Python and the native attnscope_run.
"""

import argparse
import array
import json
import struct
import subprocess
import tempfile
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "build/native/attnscope_run"
LIMITS = {"logits": 1e-3, "hidden_states": 1e-3, "attentions": 1e-5}
TYPES = {"F32": "f", "I64": "q", "<f4": "f", "<i8": "q"}

Tensor = tuple[list[int], array.array]  # shape, values


def read_safetensors(path: Path) -> dict[str, Tensor]:
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, one in header.items():
        begin, end = one["data_offsets"]
        tensors[name] = (one["shape"], array.array(TYPES[one["dtype"]], data[8 + size + begin : 8 + size + end]))
    return tensors


def read_npy(path: Path) -> Tensor:
    data = path.read_bytes()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    header = data[10:start].decode()
    kind = header.split("'descr': '")[1].split("'")[0]
    shape = [int(size) for size in header.split("'shape': (")[1].split(")")[0].split(",") if size.strip()]
    return shape, array.array(TYPES[kind], data[start:])


def row_of(tensor: Tensor, row: int) -> array.array:
    shape, values = tensor
    size = len(values) // shape[0]
    return values[row * size : (row + 1) * size]


def run(program: Path, folder: Path, options: dict[str, list[int] | int | str]) -> dict[str, Tensor] | str:
    """The arrays by name, or what the program says against the folder."""
    with tempfile.TemporaryDirectory() as out:
        words = [str(program), str(folder), "--out", out]
        for name, value in options.items():
            words += ["--" + name, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return done.stderr.strip() or f"ended by {done.returncode}"
        return {path.name.removesuffix(".npy"): read_npy(path) for path in Path(out).iterdir()}


def options_of(golden: dict[str, Tensor], row: int) -> dict:
    options = {"ids": row_of(golden["input_ids"], row).tolist()}
    for name, option in [
        ("attention_mask", "attention-mask"), ("token_type_ids", "token-types"), ("decoder_input_ids", "decoder-ids"),
    ]:
        if name in golden:
            options[option] = row_of(golden[name], row).tolist()
    return options


def state_names(golden: dict[str, Tensor]) -> dict[str, str]:
    """The recorded tensor of each hidden state that enters a block."""
    names = {}
    for name in golden:
        kind, _, layer = name.partition(".")
        if kind.endswith("hidden_states") and f"{kind}.{int(layer) + 1}" in golden:
            stack = kind.removesuffix("hidden_states").rstrip("_") or "blocks"
            names[name] = f"{stack}.{layer}.hook_resid_pre"
    return names


def largest_difference(actual: array.array, expected: array.array) -> float:
    if len(actual) != len(expected):
        return float("inf")
    return max((abs(a - b) if a == a else float("inf") for a, b in zip(actual, expected)), default=0.0)


def compare(program: Path, folder: Path) -> list[str]:
    golden = read_safetensors(folder / "golden.safetensors")
    states = state_names(golden)
    faults = []
    for row in range(golden["input_ids"][0][0]):
        result = run(program, folder, options_of(golden, row) | {"tensors": list(states.values())})
        if isinstance(result, str):
            return [result]
        for name, tensor in golden.items():
            limit = next((most for kind, most in LIMITS.items() if kind in name), None)
            actual = result.get(states.get(name, name))
            if limit is None or (actual is None and "hidden_states" in name):
                continue  # an input, or what leaves the last block
            difference = float("inf") if actual is None else largest_difference(actual[1], row_of(tensor, row))
            if difference > limit:
                faults.append(f"row {row} {name} {difference:.1e}")
    return faults + compare_greedy(program, folder)


def compare_greedy(program: Path, folder: Path) -> list[str]:
    if not (folder / "greedy.json").exists():
        return []
    expected = json.loads((folder / "greedy.json").read_text())
    faults = []
    for row, (prompt, text) in enumerate(zip(expected["prompt"], expected["greedy"])):
        options = {"ids": prompt}
        if "source" in expected:
            source, mask = expected["source"][row], expected["attention_mask"][row]
            options = {"ids": source, "attention-mask": mask, "decoder-ids": prompt}
        result = run(program, folder, options | {"greedy": len(text) - len(prompt)})
        actual = result if isinstance(result, str) else result["greedy"][1].tolist()
        if actual != text:
            faults.append(f"row {row} greedy {actual}, not {text}")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--program", type=Path, default=PROGRAM)
    options = parser.parse_args()
    for folder in options.folders:
        about = folder / "variant.json"
        variant = json.loads(about.read_text()) if about.exists() else {"about": "", "reference": True}
        if variant["reference"]:
            faults = compare(options.program, folder)
        else:
            result = run(options.program, folder, {"ids": [5, 6, 7]})
            faults = [result] if isinstance(result, str) else ["is not refused"]
        verdict = "equal" if not faults else "refused" if faults[0].startswith("error: ") else "DIFFERS"
        print(f"{verdict} {folder.name} [{variant['about']}] {'; '.join(faults)}", flush=True)


if __name__ == "__main__":
    main()
