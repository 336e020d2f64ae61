"""Configurations and spellings that real checkpoints have, each a folder to probe the engine with; none is committed.

`python3 variants.py --out FOLDER` writes each as decoders.py and the others write theirs, and variant.json, which says
what differs. An engine must compute what golden.safetensors holds or refuse the folder by the setting's name.
Where there is none, transformers itself no longer honours the setting, and only a refusal is right.
Read checkpoints.py and variant.py first; probe.py compares.
"""

import argparse
import json
from pathlib import Path

import decoders
import encoder_decoders
import encoders
import reference
import torch
import variant_decoders
import variant_encoder_decoders
import variant_encoders
from checkpoints import VOCABULARY, Checkpoint, random_ids, write_checkpoint, write_greedy
from safetensors.torch import load_file, save_file
from transformers import AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, PretrainedConfig
from transformers.utils.logging import disable_progress_bar
from variant import Variant

VARIANTS = variant_encoders.VARIANTS | variant_encoder_decoders.VARIANTS | variant_decoders.VARIANTS
GREEDY = 20
# Follow from other settings, or say nothing of the model.
DERIVED = ["is_gated_act", "dense_act_fn", "scale_decoder_outputs", "architectures", "dtype", "transformers_version"]


def changed_config(config: PretrainedConfig, changes: dict) -> PretrainedConfig:
    settings = {name: value for name, value in config.to_dict().items() if name not in DERIVED}
    return type(config)(**settings | changes)


def write_folder(base: Checkpoint, variant: Variant, folder: Path) -> None:
    config = changed_config(base.config, variant.config)
    write_checkpoint(
        Checkpoint(
            config, base.model_class, spread=base.spread, turned_norm=base.turned_norm, own_output=variant.own_output
        ),
        folder,
    )
    path = folder / "config.json"
    settings = json.loads(path.read_text())
    for name, value in variant.file.items():
        if value is None:
            settings.pop(name, None)
        else:
            settings[name] = value
    path.write_text(json.dumps(settings, indent=2, sort_keys=True) + "\n")
    if variant.tensors:
        path = folder / "model.safetensors"
        tensors = load_file(path)
        variant.tensors(tensors)
        save_file({name: value.contiguous() for name, value in tensors.items()}, path, metadata={"format": "pt"})


def padded(ids: torch.Tensor, variant: Variant, padding_id: int | None) -> dict[str, torch.Tensor]:
    """The last row ends in padding unless the variant has a mask of its own."""
    mask = torch.ones_like(ids)
    if variant.mask is not None:
        mask[-1] = torch.tensor(variant.mask)
    else:
        mask[-1, -4:] = 0
        if padding_id is not None:
            ids[-1, -4:] = padding_id
    return {"input_ids": ids, "attention_mask": mask}


def load(folder: Path, auto_class: type, variant: Variant):
    """Whatever a file lacks would be random."""
    model, found = auto_class.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True
    )
    if found["missing_keys"] and not variant.bare:
        raise SystemExit(f"{folder.name}: the files lack {sorted(found['missing_keys'])}")
    return model.eval()


def make_decoder(variant: Variant, folder: Path) -> dict:
    write_folder(decoders.CHECKPOINTS[variant.base], variant, folder)
    if not variant.reference:
        return {}
    model = load(folder, AutoModelForCausalLM, variant)
    ids = random_ids(1, variant.length or decoders.LENGTH)
    prompt = ids[0].tolist()
    greedy(folder, lambda: {"prompt": [prompt], "greedy": [reference.greedy(model, prompt, 12)]})
    return reference.forward(model, input_ids=ids)


def make_encoder(variant: Variant, folder: Path) -> dict:
    write_folder(encoders.CHECKPOINTS[variant.base], variant, folder)
    if not variant.reference:
        return {}
    model = load(folder, AutoModelForMaskedLM, variant)
    ids = random_ids(2, variant.length or encoders.LENGTH)
    if variant.last_row:
        ids[-1] = torch.tensor(variant.last_row)
    inputs = padded(ids, variant, model.config.pad_token_id)
    if variant.token_types:
        inputs["token_type_ids"] = torch.tensor([variant.token_types] * 2)
    return reference.forward(model, **inputs)


def make_encoder_decoder(variant: Variant, folder: Path) -> dict:
    base = encoder_decoders.CHECKPOINTS[variant.base]
    write_folder(base.checkpoint, variant, folder)
    if not variant.reference:
        return {}
    model = load(folder, AutoModelForSeq2SeqLM, variant)
    source = padded(random_ids(2, variant.length or encoder_decoders.SOURCE_LENGTH), variant, model.config.pad_token_id)
    vocabulary = getattr(model.config, "decoder_vocab_size", VOCABULARY)
    target = random_ids(2, (variant.length or 16) // 2, seed=8) % vocabulary
    start = list(variant.start or base.start)
    target[:, : len(start)] = torch.tensor(start)
    rows = [{name: value[row : row + 1] for name, value in source.items()} for row in range(2)]
    greedy(folder, lambda: {
        "source": source["input_ids"].tolist(),
        "attention_mask": source["attention_mask"].tolist(),
        "prompt": [start] * 2,
        "greedy": [reference.greedy(model, start, GREEDY, **row) for row in rows],
    })
    return reference.forward(model, **source, decoder_input_ids=target)


def greedy(folder: Path, continued) -> None:
    try:
        write_greedy(folder, **continued())
    except SystemExit:  # the best logit leads by too little: this one is compared without a continuation
        print(f"{folder.name}: no greedy continuation")


def make(name: str, out: Path) -> None:
    variant = VARIANTS[name]
    folder = out / name
    if variant.base in decoders.CHECKPOINTS:
        tensors = make_decoder(variant, folder)
    elif variant.base in encoders.CHECKPOINTS:
        tensors = make_encoder(variant, folder)
    else:
        tensors = make_encoder_decoder(variant, folder)
    if variant.bare:  # an output layer that no file holds is random
        del tensors["logits"]
        (folder / "greedy.json").unlink(missing_ok=True)
    if tensors:
        save_file(tensors, folder / "golden.safetensors")
        print(f"{name}: {reference.attention_report(tensors)}; {summary(tensors)}", flush=True)
    else:
        print(f"{name}: to be refused", flush=True)
    (folder / "variant.json").write_text(json.dumps({"about": variant.about, "reference": variant.reference}) + "\n")


def summary(tensors: dict[str, torch.Tensor]) -> str:
    return f"first logits {tensors['logits'][0, 0, :3].tolist()}" if "logits" in tensors else "no logits"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("names", nargs="*", default=list(VARIANTS))
    options = parser.parse_args()
    disable_progress_bar()
    torch.set_num_threads(1)
    for name in options.names:
        make(name, options.out)


if __name__ == "__main__":
    main()
