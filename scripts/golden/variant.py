"""What a variant is: a checkpoint of the committed kind and what differs from it. The tables are variant_*.py."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True)
class Variant:
    base: str  # a name in one of the CHECKPOINTS
    about: str  # the setting
    config: dict = field(default_factory=dict)  # changes of the model
    file: dict = field(default_factory=dict)  # further changes of config.json; None removes
    tensors: Callable[[Tensors], None] | None = None  # changes of what is stored
    own_output: bool = False  # an lm_head.weight that differs from the embedding
    bare: bool = False  # stored without output layer
    reference: bool = True  # whether transformers honours it
    length: int | None = None
    start: tuple[int, ...] | None = None  # of the decoder
    mask: list[int] | None = None  # of the last row
    last_row: list[int] | None = None
    token_types: list[int] | None = None


def copy(source: str, *names: str) -> Callable[[Tensors], None]:
    """Stores a tensor again under other names."""

    def change(tensors: Tensors) -> None:
        for name in names:
            tensors[name] = tensors[source].clone()

    return change


def drop(*parts: str) -> Callable[[Tensors], None]:
    def change(tensors: Tensors) -> None:
        for name in [name for name in tensors if any(part in name for part in parts)]:
            del tensors[name]

    return change


def without_prefix(prefix: str) -> Callable[[Tensors], None]:
    """As the bare model is stored: nothing outside of the prefix."""

    def change(tensors: Tensors) -> None:
        stored = {name[len(prefix) :]: value for name, value in tensors.items() if name.startswith(prefix)}
        tensors.clear()
        tensors.update(stored)

    return change


def other(name: str, shape: tuple[int, ...], scale: float = 0.3) -> Callable[[Tensors], None]:
    """Stores a tensor of that name that nothing else has."""

    def change(tensors: Tensors) -> None:
        tensors[name] = torch.randn(shape, generator=torch.Generator().manual_seed(11)) * scale

    return change


def both(*changes: Callable[[Tensors], None]) -> Callable[[Tensors], None]:
    def change(tensors: Tensors) -> None:
        for one in changes:
            one(tensors)

    return change


def sinusoids(width: int, *names: str) -> Callable[[Tensors], None]:
    """Marian's table as older files hold it."""

    def change(tensors: Tensors) -> None:
        angles = torch.arange(40)[:, None] / 10_000.0 ** (torch.arange(0, width, 2) / width)
        for name in names:
            tensors[name] = torch.cat((angles.sin(), angles.cos()), 1)

    return change


def activations(base: str, setting: str, names: list[str]) -> dict[str, Variant]:
    return {f"{base}_act_{name}": Variant(base, f"{setting} {name}", config={setting: name}) for name in names}
