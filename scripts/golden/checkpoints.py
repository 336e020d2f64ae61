"""A tiny random checkpoint as a Hugging Face folder, and what goes beside it.

The tables are in decoders.py, encoders.py and encoder_decoders.py.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import reference
import torch
from safetensors.torch import load_file, save_file
from transformers import PretrainedConfig, PreTrainedModel

VOCABULARY = 64
# Ids below are begin, end, padding and such.
FIRST_WORD = 3


@dataclass(frozen=True)
class Spread:
    """The standard deviation of the random numbers added to matrices."""

    embeddings: float = 0.3
    queries_and_keys: float = 0.3
    others: float = 0.3

    def of(self, name: str) -> float:
        if "embed" in name or "shared" in name:
            return self.embeddings
        if name.endswith((".q.weight", ".k.weight", "q_proj.weight", "k_proj.weight")):
            return self.queries_and_keys
        return self.others


@dataclass(frozen=True)
class Checkpoint:
    config: PretrainedConfig
    model_class: type
    stored_as: torch.dtype = torch.float32
    # Settings as files written before transformers 5 name them; they replace rope_parameters. None removes one.
    old_names: dict | None = None
    # Parts of tensors' names as old files have them.
    old_tensor_names: dict | None = None
    # The output projection is stored beside the embedding and differs from it.
    own_output: bool = False
    spread: Spread = Spread()
    # A norm's gain whose sign is turned: before an output that is tied to the embedding, that keeps a random model
    # from saying its last token again and again.
    turned_norm: str | None = None
    # Most bytes of a file; more make model.safetensors.index.json and several files.
    file_size: str = "50GB"


def random_ids(rows: int, length: int, seed: int = 7) -> torch.Tensor:
    return torch.randint(FIRST_WORD, VOCABULARY, (rows, length), generator=torch.Generator().manual_seed(seed))


def write_checkpoint(checkpoint: Checkpoint, folder: Path) -> None:
    torch.manual_seed(1234)
    model = checkpoint.model_class(checkpoint.config)
    spread_parameters(model, checkpoint)
    model.to(checkpoint.stored_as).save_pretrained(folder, max_shard_size=checkpoint.file_size)
    (folder / "generation_config.json").unlink(missing_ok=True)
    if checkpoint.old_names:
        path = folder / "config.json"
        config = json.loads(path.read_text())
        config.pop("rope_parameters", None)
        for name, value in checkpoint.old_names.items():
            if value is None:
                config.pop(name)
            else:
                config[name] = value
        path.write_text(json.dumps(config, indent=2, sort_keys=True) + "\n")
    if checkpoint.old_tensor_names or checkpoint.own_output:
        rewrite_tensors(checkpoint, folder / "model.safetensors")


def spread_parameters(model: PreTrainedModel, checkpoint: Checkpoint) -> None:
    """The usual initialisation is so small that attention would be nearly uniform and biases zero."""
    generator = torch.Generator().manual_seed(99)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            matrix = parameter.dim() == 2
            spread = checkpoint.spread.of(name) if matrix else 0.05 if name.endswith("bias") else 0.1
            parameter.add_(torch.randn(parameter.shape, generator=generator) * spread)
            if name.endswith(("q_norm.weight", "k_norm.weight")):
                parameter.add_(1.0)  # what is normed is small however large the projections are
            if name == checkpoint.turned_norm:
                parameter.neg_()
        for name, buffer in model.named_buffers():
            if name == "final_logits_bias":
                buffer.add_(torch.randn(buffer.shape, generator=generator) * 0.2)


def rewrite_tensors(checkpoint: Checkpoint, path: Path) -> None:
    tensors = load_file(path)
    if checkpoint.own_output:
        shape = (checkpoint.config.vocab_size, checkpoint.config.hidden_size)
        output = torch.randn(shape, generator=torch.Generator().manual_seed(5)) * 0.3
        tensors["lm_head.weight"] = output.to(checkpoint.stored_as)
    renamed = {}
    for name, tensor in tensors.items():
        for new, old in (checkpoint.old_tensor_names or {}).items():
            name = name.replace(new, old)
        renamed[name] = tensor
    save_file(renamed, path, metadata={"format": "pt"})


def write_greedy(folder: Path, **content: list) -> None:
    (folder / "greedy.json").write_text(json.dumps(content) + "\n")


def report(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{folder.name}: {size} bytes; {reference.attention_report(tensors)}")
