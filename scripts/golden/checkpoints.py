"""Tiny random checkpoints, one for every way in which the supported families differ.

Each folder holds config.json, model.safetensors, golden.safetensors and greedy.json.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import reference
import torch
from safetensors.torch import save_file
from transformers import (
    GPT2Config, GPT2LMHeadModel, GPTNeoXConfig, GPTNeoXForCausalLM, LlamaConfig, LlamaForCausalLM,
    PretrainedConfig,
)

VOCABULARY = 64
LENGTH = 13
GREEDY = 12
COMMON = {"vocab_size": VOCABULARY, "bos_token_id": 1, "eos_token_id": 2}


@dataclass(frozen=True)
class Checkpoint:
    config: PretrainedConfig
    model_class: type
    stored_as: torch.dtype = torch.float32
    # Settings as files written before transformers 5 name them; they replace rope_parameters.
    old_names: dict | None = None


def rope(theta: float, share: float = 1.0) -> dict:
    return {"rope_type": "default", "rope_theta": theta, "partial_rotary_factor": share}


CHECKPOINTS = {
    "gpt2": Checkpoint(
        GPT2Config(n_positions=32, n_embd=32, n_layer=2, n_head=4, activation_function="gelu_new", **COMMON),
        GPT2LMHeadModel,
    ),
    "gpt_neox_parallel": Checkpoint(
        GPTNeoXConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
            max_position_embeddings=32, use_parallel_residual=True, rope_parameters=rope(10_000.0, 0.5),
            tie_word_embeddings=False, **COMMON,
        ),
        GPTNeoXForCausalLM,
    ),
    "gpt_neox_sequential": Checkpoint(
        GPTNeoXConfig(
            hidden_size=48, num_hidden_layers=2, num_attention_heads=4, intermediate_size=96,
            max_position_embeddings=32, use_parallel_residual=False, rope_parameters=rope(25_000.0, 1.0),
            tie_word_embeddings=True, **COMMON,
        ),
        GPTNeoXForCausalLM,
        stored_as=torch.float16,
        old_names={"rotary_pct": 1.0, "rotary_emb_base": 25_000},
    ),
    "llama_gqa": Checkpoint(
        LlamaConfig(
            hidden_size=48, num_hidden_layers=2, num_attention_heads=6, num_key_value_heads=2, intermediate_size=80,
            max_position_embeddings=32, rope_parameters=rope(10_000.0), tie_word_embeddings=False, **COMMON,
        ),
        LlamaForCausalLM,
    ),
    "llama_tied_bf16": Checkpoint(
        LlamaConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=1, head_dim=12,
            intermediate_size=64, max_position_embeddings=32, rope_parameters=rope(50_000.0), rms_norm_eps=1e-5,
            tie_word_embeddings=True, **COMMON,
        ),
        LlamaForCausalLM,
        stored_as=torch.bfloat16,
        old_names={"rope_theta": 50_000.0},
    ),
}


def make(out: Path) -> None:
    for name, checkpoint in CHECKPOINTS.items():
        folder = out / name
        write_checkpoint(checkpoint, folder)
        model = reference.load(folder)
        ids = torch.randint(3, VOCABULARY, (1, LENGTH), generator=torch.Generator().manual_seed(7))
        tensors = reference.forward(model, ids)
        save_file(tensors, folder / "golden.safetensors")
        prompt = ids[0].tolist()
        continued = {"prompt": [prompt], "greedy": [reference.greedy(model, prompt, GREEDY)]}  # both [batch, T]
        (folder / "greedy.json").write_text(json.dumps(continued) + "\n")
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"{name}: {size} bytes; {reference.attention_report(tensors)}")


def write_checkpoint(checkpoint: Checkpoint, folder: Path) -> None:
    torch.manual_seed(1234)
    model = checkpoint.model_class(checkpoint.config)
    # The usual initialisation is so small that attention would be nearly uniform and biases zero.
    generator = torch.Generator().manual_seed(99)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            spread = 0.3 if parameter.dim() == 2 else 0.05 if name.endswith("bias") else 0.1
            parameter.add_(torch.randn(parameter.shape, generator=generator) * spread)
    model.to(checkpoint.stored_as).save_pretrained(folder)
    (folder / "generation_config.json").unlink()
    if checkpoint.old_names:
        path = folder / "config.json"
        config = json.loads(path.read_text())
        config.pop("rope_parameters")
        path.write_text(json.dumps(config | checkpoint.old_names, indent=2, sort_keys=True) + "\n")
