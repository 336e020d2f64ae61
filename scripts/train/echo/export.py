"""Writes a trained echo as a Hugging Face folder that transformers opens as GPTNeoXForCausalLM.

A token is a byte, so that any text can be typed in; the layout's multilayer perceptron is one neuron of zeros.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

from model import Echo, Shape
from sequences import BEGIN, BYTES

BEGIN_TEXT = "<bos>"


def spelling(byte: int) -> str:
    """The character that byte-level tokenizers write for a byte: itself where it shows, one above 255 where not."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    if byte in shown:
        return chr(byte)
    return chr(256 + [other for other in range(256) if other not in shown].index(byte))


def tokenizer() -> Tokenizer:
    vocabulary = {BEGIN_TEXT: BEGIN} | {spelling(byte): index + 1 for index, byte in enumerate(BYTES)}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.TemplateProcessing(
        single=f"{BEGIN_TEXT} $A", pair=f"{BEGIN_TEXT} $A $B", special_tokens=[(BEGIN_TEXT, BEGIN)]
    )
    made.add_special_tokens([AddedToken(BEGIN_TEXT, special=True, normalized=False)])
    return made


def config_of(shape: Shape) -> dict:
    share = shape.rotary_width / shape.head_width
    return {
        "architectures": ["GPTNeoXForCausalLM"],
        "model_type": "gpt_neox",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": 1,
        "max_position_embeddings": shape.context,
        "hidden_act": "gelu",
        "layer_norm_eps": shape.norm_epsilon,
        "use_parallel_residual": False,
        "attention_bias": True,
        "tie_word_embeddings": False,
        # The rotary settings under their old names and under the one of transformers 5.
        "rotary_pct": share,
        "rotary_emb_base": shape.rotary_base,
        "rope_parameters": {"rope_type": "default", "rope_theta": shape.rotary_base, "partial_rotary_factor": share},
        "attention_dropout": 0.0,
        "hidden_dropout": 0.0,
        "bos_token_id": BEGIN,
        "eos_token_id": None,
        "dtype": "float16",
    }


def zero_perceptron(shape: Shape) -> dict[str, torch.Tensor]:
    tensors = {}
    for layer in range(shape.layers):
        prefix = f"gpt_neox.layers.{layer}."
        tensors |= {
            f"{prefix}post_attention_layernorm.weight": torch.ones(shape.width),
            f"{prefix}post_attention_layernorm.bias": torch.zeros(shape.width),
            f"{prefix}mlp.dense_h_to_4h.weight": torch.zeros(1, shape.width),
            f"{prefix}mlp.dense_h_to_4h.bias": torch.zeros(1),
            f"{prefix}mlp.dense_4h_to_h.weight": torch.zeros(shape.width, 1),
            f"{prefix}mlp.dense_4h_to_h.bias": torch.zeros(shape.width),
        }
    return tensors


def export(model: Echo, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    tensors = model.state_dict() | zero_perceptron(model.shape)
    stored = {name: tensor.detach().half().contiguous() for name, tensor in tensors.items()}
    save_file(stored, str(folder / "model.safetensors"), metadata={"format": "pt"})
    tokenizer().save(str(folder / "tokenizer.json"))
    texts = {
        "config.json": config_of(model.shape),
        "generation_config.json": {"bos_token_id": BEGIN},
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "add_prefix_space": False,
            "bos_token": BEGIN_TEXT,
            "clean_up_tokenization_spaces": False,
            "model_max_length": model.shape.context,
        },
    }
    for name, content in texts.items():
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")


def load(folder: Path) -> Echo:
    """The exported model as it is used: its F16 numbers computed with in float32."""
    model = Echo(Shape())
    stored = load_file(str(folder / "model.safetensors"))
    model.load_state_dict({name: stored[name].float() for name in model.state_dict()})
    return model
