"""Tiny random encoders that predict masked tokens, each with a second row that padding ends.

Each folder holds config.json, model.safetensors and golden.safetensors. Read checkpoints.py first.
"""

from pathlib import Path

import reference
import torch
from checkpoints import VOCABULARY, Checkpoint, random_ids, report, write_checkpoint
from safetensors.torch import save_file
from transformers import (
    AutoModelForMaskedLM, BertConfig, BertForPreTraining, DistilBertConfig, DistilBertForMaskedLM, RobertaConfig,
    RobertaForMaskedLM,
)

LENGTH = 11
PADDING = 4

CHECKPOINTS = {
    # As bert-base-uncased is stored: with the pooler and the next-sentence output, and norms named by Greek letters.
    "bert": Checkpoint(
        BertConfig(
            vocab_size=VOCABULARY, hidden_size=24, num_hidden_layers=3, num_attention_heads=3, intermediate_size=40,
            max_position_embeddings=20, hidden_act="gelu_new", layer_norm_eps=1e-6,
        ),
        BertForPreTraining,
        old_tensor_names={"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"},
    ),
    "distilbert": Checkpoint(
        DistilBertConfig(
            vocab_size=VOCABULARY, dim=20, n_layers=3, n_heads=2, hidden_dim=36, max_position_embeddings=16,
            activation="relu",
        ),
        DistilBertForMaskedLM,
        stored_as=torch.float16,
    ),
    "roberta": Checkpoint(
        RobertaConfig(
            vocab_size=VOCABULARY, hidden_size=20, num_hidden_layers=2, num_attention_heads=5, intermediate_size=28,
            max_position_embeddings=18, type_vocab_size=1, layer_norm_eps=1e-5,
        ),
        RobertaForMaskedLM,
        stored_as=torch.bfloat16,
    ),
}


def padded_rows(length: int, padding: int, padding_id: int) -> dict[str, torch.Tensor]:
    """input_ids and attention_mask of a whole row and one that ends early."""
    ids = random_ids(2, length)
    mask = torch.ones_like(ids)
    ids[1, -padding:] = padding_id
    mask[1, -padding:] = 0
    return {"input_ids": ids, "attention_mask": mask}


def make(out: Path) -> None:
    for name, checkpoint in CHECKPOINTS.items():
        folder = out / name
        write_checkpoint(checkpoint, folder)
        model = reference.load(folder, AutoModelForMaskedLM)
        inputs = padded_rows(LENGTH, PADDING, checkpoint.config.pad_token_id)
        if isinstance(checkpoint.config, BertConfig):
            inputs["token_type_ids"] = torch.tensor([[0] * 5 + [1] * 6, [0] * 4 + [1] * 3 + [0] * PADDING])
        tensors = reference.forward(model, **inputs)
        save_file(tensors, folder / "golden.safetensors")
        report(folder, tensors)
