"""Values of the numeric functions in float64, for small fixed inputs that float32 represents exactly."""

import json
import math
from pathlib import Path

import torch
from torch.nn import functional as F
from transformers.models.gpt_neox.modeling_gpt_neox import apply_rotary_pos_emb

TEXTBOOK_ROW = [2.1, 1.7, 2.9, 0.6, 1.3, 0.2]


def random_row(length: int, scale: float, seed: int) -> list[float]:
    row = torch.randn(length, generator=torch.Generator().manual_seed(seed)) * scale
    return row.tolist()  # of float32


def as_float32(values: list[float]) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float32).double()


def numbers(values: torch.Tensor | list[float]) -> list:
    """JSON has no infinity: it is written as the string "-inf"."""
    listed = values.tolist() if isinstance(values, torch.Tensor) else values
    return ["-inf" if value == -math.inf else value for value in listed]


def softmax_cases() -> list[dict]:
    rows = [
        TEXTBOOK_ROW,
        [3.5],
        [0.0] * 7,
        [1.0, -math.inf, 2.0, -math.inf, 0.5],
        [88.0, -88.0, 87.0, 0.0],
        [1e4, 1e4 - 1, -1e4],
        [-100.0, -101.0, -250.0],
        random_row(17, 3.0, 1),
        random_row(33, 20.0, 2),
    ]
    return [{"input": numbers(as_float32(row)), "output": numbers(torch.softmax(as_float32(row), -1))} for row in rows]


def norm_cases(rms: bool) -> list[dict]:
    cases = []
    for length, scale, offset, epsilon, seed in [
        (1, 1.0, 0.0, 1e-5, 1), (4, 1.0, 0.0, 1e-5, 2), (17, 0.01, 0.0, 1e-6, 3), (48, 30.0, 5.0, 1e-5, 4),
    ]:
        row = (as_float32(random_row(length, scale, seed)) + offset).float().double()
        gain = as_float32(random_row(length, 0.3, seed + 10)).add(1.0).float().double()
        shift = as_float32(random_row(length, 0.3, seed + 20))
        case = {"input": numbers(row), "gain": numbers(gain), "epsilon": epsilon}
        if rms:
            case["output"] = numbers(F.rms_norm(row, (length,), gain, epsilon))
        else:
            case["shift"] = numbers(shift)
            case["output"] = numbers(F.layer_norm(row, (length,), gain, shift, epsilon))
        cases.append(case)
    return cases


def activation(function) -> dict:
    sizes = [0.0, 1e-6, 0.5, 1.0, 3.0, 5.5, 10.0, 40.0, 100.0]
    points = [sign * size for size in sizes for sign in (1.0, -1.0)] + random_row(31, 2.0, 5)
    return {"input": numbers(as_float32(points)), "output": numbers(function(as_float32(points)))}


def rotary_cases() -> list[dict]:
    """One vector of one head at one position; entry i of the rotated part is paired with i + rotary_dim / 2."""
    cases = []
    for head_dim, rotary_dim, base, position in [
        (8, 8, 10_000.0, 0), (8, 8, 10_000.0, 1), (8, 4, 10_000.0, 7), (32, 16, 10_000.0, 511), (12, 12, 50_000.0, 300),
        (64, 64, 10_000.0, 2047),
    ]:
        vector = as_float32(random_row(head_dim, 1.0, head_dim + position))
        pairs = torch.arange(0, rotary_dim, 2, dtype=torch.float64)
        angles = position * base ** (-pairs / rotary_dim)
        angles = torch.cat((angles, angles))[None, None]  # [batch, position, rotary_dim]
        turned, _ = apply_rotary_pos_emb(vector[None, None, None], vector[None, None, None], angles.cos(), angles.sin())
        cases.append({
            "head_dim": head_dim, "rotary_dim": rotary_dim, "base": base, "position": position,
            "input": numbers(vector), "output": numbers(turned.flatten()),
        })
    return cases


def sinusoidal_cases() -> list[dict]:
    """The paper's formula: entry 2i is sin(position / 10000^(2i / dim)), entry 2i + 1 the cosine."""
    cases = []
    for dim, position in [(4, 0), (4, 1), (8, 3), (16, 49), (64, 511), (32, 4095)]:
        angles = position * 10_000.0 ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        row = torch.stack((angles.sin(), angles.cos()), -1).flatten()
        cases.append({"dim": dim, "position": position, "output": numbers(row)})
    return cases


def make(path: Path) -> None:
    content = {
        "softmax": softmax_cases(),
        "layer_norm": norm_cases(rms=False),
        "rms_norm": norm_cases(rms=True),
        "gelu_erf": activation(F.gelu),
        "gelu_tanh": activation(lambda x: F.gelu(x, approximate="tanh")),
        "silu": activation(F.silu),
        "rotary": rotary_cases(),
        "sinusoidal": sinusoidal_cases(),
    }
    lines = ",\n".join(f'"{name}": {json.dumps(cases, allow_nan=False)}' for name, cases in content.items())
    path.write_text("{\n" + lines + "\n}\n")
    print(f"{path.name}: {path.stat().st_size} bytes")
