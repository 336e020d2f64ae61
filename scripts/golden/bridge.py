"""References of the committed bridge model: two translations, forced and greedy, and the token ids of odd texts."""

import json
from pathlib import Path

import reference
import tales
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import AutoModelForSeq2SeqLM

TRANSLATIONS = {
    "The bank was crowded near the river.": "La rive était bondée près de la rivière.",
    "The animal didn't cross the street because it was too tired.":
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué.",
}
TEXTS = ["the cat sat on the mat", "L'arbre n'a pas d'œufs aujourd'hui, qu'il dit ?", "Zorbal’s cat didn’t", "ANNA's 42 cats"]


def make(folder: Path, out: Path) -> None:
    model = reference.load(folder, AutoModelForSeq2SeqLM)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    write_passes(model, tokenizer, out / "bridge")
    tales.write_ids(tokenizer, [*tales.TEXTS, *TEXTS], out / "tokenizer/bridge_ids.json")


def write_passes(model, tokenizer: Tokenizer, out: Path) -> None:
    """Tensors of text N are named N.input_ids, N.decoder_input_ids, N.logits, N.encoder_attentions.L and so on."""
    out.mkdir(parents=True, exist_ok=True)
    start = model.config.decoder_start_token_id
    tensors, translated = {}, []
    for index, (english, french) in enumerate(TRANSLATIONS.items()):
        source, target = tokenizer.encode(english).ids, tokenizer.encode(french).ids
        inputs = {"input_ids": torch.tensor([source]), "attention_mask": torch.ones(1, len(source), dtype=torch.long)}
        computed = reference.forward(model, **inputs, decoder_input_ids=torch.tensor([[start, *target[:-1]]]))
        tensors |= {f"{index}.{name}": value for name, value in computed.items() if "hidden" not in name}
        greedy = reference.greedy(model, [start], len(target), **inputs)
        if greedy[1:] != target:
            raise SystemExit(f"{english!r} is translated as {tokenizer.decode(greedy)!r}")
        translated.append({"text": english, "source": source, "prompt": [start], "greedy": greedy, "translation": french})
        print(f"bridge: {len(source)} to {len(target)} tokens; {reference.attention_report(computed)}")
    save_file(tensors, out / "golden.safetensors")
    (out / "greedy.json").write_text(json.dumps(translated, indent=1, ensure_ascii=False) + "\n")
