"""Tiny random encoder-decoders, whose two stacks differ wherever the family lets them; a second source ends in padding.

Each folder holds config.json, model.safetensors, golden.safetensors and greedy.json. Read checkpoints.py first.
"""

from dataclasses import dataclass
from pathlib import Path

import reference
import torch
from checkpoints import VOCABULARY, Checkpoint, Spread, random_ids, report, write_checkpoint, write_greedy
from encoders import padded_rows
from safetensors.torch import save_file
from transformers import (
    AutoModelForSeq2SeqLM, BartConfig, BartForConditionalGeneration, M2M100Config, M2M100ForConditionalGeneration,
    MarianConfig, MarianMTModel, MBartConfig, MBartForConditionalGeneration, T5Config, T5ForConditionalGeneration,
)

SOURCE_LENGTH = 11
PADDING = 4
TARGET_LENGTH = 8
GREEDY = 20
# Narrow blocks let the tokens show through them, so that a continuation goes on changing.
SPREAD = Spread(embeddings=0.45, queries_and_keys=0.3, others=0.15)


@dataclass(frozen=True)
class EncoderDecoder:
    checkpoint: Checkpoint
    # What the decoder starts from: the start token, and a language where the family puts one.
    start: tuple[int, ...]


CHECKPOINTS = {
    # T5 1.0: ReLU, the tied output multiplied by 1 / sqrt(d_model). Heads are narrower than the model.
    "t5": EncoderDecoder(
        Checkpoint(
            T5Config(
                vocab_size=VOCABULARY, d_model=24, d_kv=6, d_ff=40, num_layers=2, num_decoder_layers=3, num_heads=3,
                relative_attention_num_buckets=12, relative_attention_max_distance=9, layer_norm_epsilon=1e-5,
                decoder_start_token_id=0,
            ),
            T5ForConditionalGeneration,
            spread=SPREAD,
            turned_norm="decoder.final_layer_norm.weight",
            # Files older than transformers 5 say nothing more.
            old_names={
                "is_gated_act": None, "dense_act_fn": None, "scale_decoder_outputs": None, "tie_word_embeddings": None,
            },
        ),
        start=(0,),
    ),
    # T5 1.1 and Flan-T5: gated, an output of its own without the factor. Heads are wider than the model.
    "t5_gated": EncoderDecoder(
        Checkpoint(
            T5Config(
                vocab_size=VOCABULARY, d_model=20, d_kv=8, d_ff=28, num_layers=3, num_decoder_layers=2, num_heads=4,
                relative_attention_num_buckets=16, relative_attention_max_distance=30, feed_forward_proj="gated-gelu",
                decoder_start_token_id=0, tie_word_embeddings=False,
            ),
            T5ForConditionalGeneration,
            spread=SPREAD,
            turned_norm="decoder.final_layer_norm.weight",
            stored_as=torch.bfloat16,
            old_names={"scale_decoder_outputs": None, "tie_word_embeddings": False},
            own_output=True,
        ),
        start=(0,),
    ),
    "marian": EncoderDecoder(
        Checkpoint(
            MarianConfig(
                vocab_size=VOCABULARY, d_model=24, encoder_layers=3, decoder_layers=2, encoder_attention_heads=4,
                decoder_attention_heads=3, encoder_ffn_dim=40, decoder_ffn_dim=28, max_position_embeddings=40,
                activation_function="relu", scale_embedding=True, pad_token_id=VOCABULARY - 1,
                decoder_start_token_id=VOCABULARY - 1, eos_token_id=0,
            ),
            MarianMTModel,
            spread=SPREAD,
            turned_norm="model.decoder.layers.1.final_layer_norm.weight",
        ),
        start=(VOCABULARY - 1,),
    ),
    "bart": EncoderDecoder(
        Checkpoint(
            BartConfig(
                vocab_size=VOCABULARY, d_model=24, encoder_layers=2, decoder_layers=3, encoder_attention_heads=6,
                decoder_attention_heads=2, encoder_ffn_dim=28, decoder_ffn_dim=36, max_position_embeddings=32,
                activation_function="gelu_new", scale_embedding=True,
            ),
            BartForConditionalGeneration,
            spread=SPREAD,
            turned_norm="model.decoder.layers.2.final_layer_norm.weight",
            stored_as=torch.float16,
        ),
        start=(2, 0),
    ),
    "mbart": EncoderDecoder(
        Checkpoint(
            MBartConfig(
                vocab_size=VOCABULARY, d_model=20, encoder_layers=3, decoder_layers=2, encoder_attention_heads=2,
                decoder_attention_heads=5, encoder_ffn_dim=36, decoder_ffn_dim=24, max_position_embeddings=32,
                activation_function="relu", scale_embedding=True, decoder_start_token_id=2,
            ),
            MBartForConditionalGeneration,
            spread=SPREAD,
            turned_norm="model.decoder.layer_norm.weight",
            file_size="40KB",
        ),
        start=(2, VOCABULARY - 2),
    ),
    "m2m100": EncoderDecoder(
        Checkpoint(
            M2M100Config(
                vocab_size=VOCABULARY, d_model=20, encoder_layers=2, decoder_layers=3, encoder_attention_heads=5,
                decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=36, max_position_embeddings=40,
                activation_function="gelu", scale_embedding=True,
            ),
            M2M100ForConditionalGeneration,
            spread=SPREAD,
            turned_norm="model.decoder.layer_norm.weight",
            stored_as=torch.bfloat16,
        ),
        start=(2, VOCABULARY - 4),
    ),
}


def make(out: Path) -> None:
    for name, (checkpoint, start) in ((name, (one.checkpoint, one.start)) for name, one in CHECKPOINTS.items()):
        folder = out / name
        write_checkpoint(checkpoint, folder)
        model = reference.load(folder, AutoModelForSeq2SeqLM)
        source = padded_rows(SOURCE_LENGTH, PADDING, checkpoint.config.pad_token_id)
        target = random_ids(2, TARGET_LENGTH, seed=8)
        target[:, : len(start)] = torch.tensor(start)
        tensors = reference.forward(model, **source, decoder_input_ids=target)
        save_file(tensors, folder / "golden.safetensors")
        rows = [{name: value[row : row + 1] for name, value in source.items()} for row in range(2)]
        write_greedy(
            folder,
            source=source["input_ids"].tolist(),
            attention_mask=source["attention_mask"].tolist(),
            prompt=[list(start)] * 2,
            greedy=[reference.greedy(model, list(start), GREEDY, **row) for row in rows],
        )
        report(folder, tensors)
