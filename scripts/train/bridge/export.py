"""Writes a trained bridge as a Hugging Face folder that transformers opens as M2M100ForConditionalGeneration.

The matrices are stored as F16; the output matrix is the embedding and is stored once.
"""

import json
from pathlib import Path

from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import tokenizer as tokenizers_of_ours
from model import Bridge, Shape
from tokenizer import BEGIN, END, PAD


def config_of(shape: Shape) -> dict:
    return {
        "architectures": ["M2M100ForConditionalGeneration"],
        "model_type": "m2m_100",
        "vocab_size": shape.vocabulary,
        "d_model": shape.width,
        "encoder_layers": shape.layers,
        "decoder_layers": shape.layers,
        "encoder_attention_heads": shape.heads,
        "decoder_attention_heads": shape.heads,
        "encoder_ffn_dim": shape.hidden,
        "decoder_ffn_dim": shape.hidden,
        "max_position_embeddings": shape.context,
        "activation_function": "relu",
        "scale_embedding": True,
        "is_encoder_decoder": True,
        "tie_word_embeddings": True,
        "dropout": 0.0,
        "attention_dropout": 0.0,
        "activation_dropout": 0.0,
        "encoder_layerdrop": 0.0,
        "decoder_layerdrop": 0.0,
        **_ids(),
        "dtype": "float16",
    }


def _ids() -> dict:
    return {"bos_token_id": BEGIN, "pad_token_id": PAD, "eos_token_id": END, "decoder_start_token_id": END}


def export(model: Bridge, tokenizer: Tokenizer, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    stored = {name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items()}
    save_file(stored, str(folder / "model.safetensors"), metadata={"format": "pt"})
    generation = _ids() | {"max_length": model.shape.context}
    for name, content in (("config.json", config_of(model.shape)), ("generation_config.json", generation)):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")
    tokenizers_of_ours.save(tokenizer, folder, model.shape.context)


def load(folder: Path) -> tuple[Bridge, Tokenizer]:
    """The exported model as it is used: its F16 numbers computed with in float32."""
    config = json.loads((folder / "config.json").read_text())
    shape = Shape(config["vocab_size"], config["encoder_layers"], config["d_model"], config["encoder_attention_heads"],
                  config["encoder_ffn_dim"], config["max_position_embeddings"])
    model = Bridge(shape)
    stored = load_file(str(folder / "model.safetensors"))
    model.load_state_dict({name: tensor.float() for name, tensor in stored.items()})
    return model, Tokenizer.from_file(str(folder / "tokenizer.json"))
