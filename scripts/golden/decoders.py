"""Tiny random decoders, at least one for every way in which the supported families differ.

Each folder holds config.json, model.safetensors, golden.safetensors and greedy.json. Read checkpoints.py first.
"""

from pathlib import Path

import reference
import torch
from checkpoints import VOCABULARY, Checkpoint, random_ids, report, write_checkpoint, write_greedy
from safetensors.torch import save_file
from transformers import (
    AutoModelForCausalLM, BloomConfig, BloomForCausalLM, Gemma3ForCausalLM, Gemma3TextConfig, GPT2Config,
    GPT2LMHeadModel, GPTNeoConfig, GPTNeoForCausalLM, GPTNeoXConfig, GPTNeoXForCausalLM, LlamaConfig, LlamaForCausalLM,
    MistralConfig, MistralForCausalLM, OPTConfig, OPTForCausalLM, Qwen2Config, Qwen2ForCausalLM, Qwen3Config,
    Qwen3ForCausalLM,
)

LENGTH = 13
GREEDY = 12
COMMON = {"vocab_size": VOCABULARY, "bos_token_id": 1, "eos_token_id": 2}
SMALL = COMMON | {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}


def rope(theta: float, share: float = 1.0) -> dict:
    return {"rope_type": "default", "rope_theta": theta, "partial_rotary_factor": share}


def scaled_llama(context: int, scaling: dict, old_names: dict | None = None) -> Checkpoint:
    """Base 100 and heads of 8, so that the four wavelengths (6.3, 20, 63, 199) fall on all sides of the bounds."""
    return Checkpoint(
        LlamaConfig(
            **SMALL, num_key_value_heads=2, intermediate_size=48, max_position_embeddings=context,
            rope_parameters={"rope_theta": 100.0} | scaling, tie_word_embeddings=True,
        ),
        LlamaForCausalLM,
        stored_as=torch.bfloat16,
        old_names=old_names,
    )


LINEAR = {"rope_type": "linear", "factor": 4.0}
LLAMA3 = {
    "rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
YARN = {
    "rope_type": "yarn", "factor": 4.0, "beta_fast": 4.0, "beta_slow": 0.25, "original_max_position_embeddings": 8,
}

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
    "llama_linear": scaled_llama(
        32, LINEAR, old_names={"rope_theta": 100.0, "rope_scaling": {"type": "linear", "factor": 4.0}},
    ),
    "llama_llama3": scaled_llama(128, LLAMA3, old_names={"rope_theta": 100.0, "rope_scaling": LLAMA3}),
    "llama_yarn": scaled_llama(32, YARN),
    "mistral": Checkpoint(
        MistralConfig(
            **SMALL, num_key_value_heads=2, intermediate_size=48, max_position_embeddings=32, sliding_window=4,
            rope_parameters=rope(10_000.0), tie_word_embeddings=False,
        ),
        MistralForCausalLM,
        stored_as=torch.bfloat16,
    ),
    "qwen2": Checkpoint(
        Qwen2Config(
            **SMALL, num_key_value_heads=2, intermediate_size=48, max_position_embeddings=32,
            use_sliding_window=True, sliding_window=4, max_window_layers=1, rope_parameters=rope(10_000.0),
            tie_word_embeddings=True,
        ),
        Qwen2ForCausalLM,
        stored_as=torch.bfloat16,
    ),
    "qwen3": Checkpoint(
        Qwen3Config(
            **SMALL, num_key_value_heads=2, head_dim=12, intermediate_size=48, max_position_embeddings=32,
            rope_parameters=rope(10_000.0), tie_word_embeddings=True,
        ),
        Qwen3ForCausalLM,
        stored_as=torch.bfloat16,
    ),
    "gemma3_text": Checkpoint(
        Gemma3TextConfig(
            **SMALL | {"num_hidden_layers": 3}, num_key_value_heads=1, head_dim=12, intermediate_size=48,
            max_position_embeddings=32, sliding_window=4, query_pre_attn_scalar=20,
            layer_types=["sliding_attention", "sliding_attention", "full_attention"],
        ),
        Gemma3ForCausalLM,
        stored_as=torch.bfloat16,
    ),
    "gpt_neo": Checkpoint(
        GPTNeoConfig(
            hidden_size=24, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=4,
            max_position_embeddings=32, **COMMON,
        ),
        GPTNeoForCausalLM,
    ),
    "opt": Checkpoint(
        OPTConfig(**SMALL, ffn_dim=48, max_position_embeddings=32, pad_token_id=0),
        OPTForCausalLM,
        stored_as=torch.float16,
    ),
    "bloom": Checkpoint(BloomConfig(hidden_size=24, n_layer=2, n_head=6, **COMMON), BloomForCausalLM),
}


def make(out: Path) -> None:
    for name, checkpoint in CHECKPOINTS.items():
        folder = out / name
        write_checkpoint(checkpoint, folder)
        model = reference.load(folder, AutoModelForCausalLM)
        ids = random_ids(1, LENGTH)
        tensors = reference.forward(model, input_ids=ids)
        save_file(tensors, folder / "golden.safetensors")
        prompt = ids[0].tolist()
        write_greedy(folder, prompt=[prompt], greedy=[reference.greedy(model, prompt, GREEDY)])
        report(folder, tensors)
