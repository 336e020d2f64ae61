"""Writes a trained decoder as a Hugging Face folder that transformers opens as GPTNeoXForCausalLM.

The matrices are stored as F16 and the tied output matrix is not stored twice.
"""

import json
from pathlib import Path

from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import tokenizer as tokenizers_of_ours
from model import Decoder, Shape


def config_of(shape: Shape) -> dict:
    return {
        "architectures": ["GPTNeoXForCausalLM"],
        "model_type": "gpt_neox",
        "vocab_size": shape.vocabulary,
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.hidden,
        "max_position_embeddings": shape.context,
        "hidden_act": "gelu",
        "layer_norm_eps": shape.norm_epsilon,
        "use_parallel_residual": False,
        "attention_bias": True,
        "tie_word_embeddings": True,
        # The rotary settings under their old names and under the one of transformers 5.
        "rotary_pct": shape.rotary_share,
        "rotary_emb_base": shape.rotary_base,
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": shape.rotary_base,
            "partial_rotary_factor": shape.rotary_share,
        },
        "attention_dropout": 0.0,
        "hidden_dropout": 0.0,
        "bos_token_id": tokenizers_of_ours.END_OF_TEXT_ID,
        "eos_token_id": tokenizers_of_ours.END_OF_TEXT_ID,
        "dtype": "float16",
    }


def shape_of(config: dict) -> Shape:
    return Shape(
        vocabulary=config["vocab_size"], layers=config["num_hidden_layers"], width=config["hidden_size"],
        heads=config["num_attention_heads"], hidden=config["intermediate_size"],
        context=config["max_position_embeddings"], rotary_share=config["rotary_pct"],
        rotary_base=config["rotary_emb_base"], norm_epsilon=config["layer_norm_eps"],
    )


def export(model: Decoder, tokenizer: Tokenizer, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    parameters = {name: tensor.detach().half().contiguous() for name, tensor in model.state_dict().items()}
    save_file(parameters, str(folder / "model.safetensors"), metadata={"format": "pt"})
    ends = {key: tokenizers_of_ours.END_OF_TEXT_ID for key in ("bos_token_id", "eos_token_id")}
    for name, content in (("config.json", config_of(model.shape)), ("generation_config.json", ends)):
        (folder / name).write_text(json.dumps(content, indent=2) + "\n")
    tokenizers_of_ours.save(tokenizer, folder, model.shape.context)


def load(folder: Path) -> Decoder:
    """The exported model as it is used: its F16 numbers computed with in float32."""
    model = Decoder(shape_of(json.loads((folder / "config.json").read_text())))
    stored = load_file(str(folder / "model.safetensors"))
    model.load_state_dict({name: tensor.float() for name, tensor in stored.items()})
    return model
