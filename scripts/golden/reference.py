"""What a checkpoint folder computes according to transformers: one pass, and a greedy continuation.

Float32 and eager attention, from the weights as they are stored.
"""

import math
from pathlib import Path

import torch
from transformers import PreTrainedModel

# Greedy ids are compared exactly, so the best logit must lead by far more than float32 rounding.
SMALLEST_LEAD = 1e-3
# Of encoders and decoders on their own; of encoder-decoders.
KINDS = [
    "attentions", "hidden_states", "encoder_attentions", "decoder_attentions", "cross_attentions",
    "encoder_hidden_states", "decoder_hidden_states",
]


def load(folder: Path, auto_class: type) -> PreTrainedModel:
    return auto_class.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()


@torch.no_grad()
def forward(model: PreTrainedModel, **inputs: torch.Tensor) -> dict[str, torch.Tensor]:
    """The inputs [batch, T], logits [batch, T, vocabulary], attentions.L [batch, head, query, key], hidden_states.L."""
    output = model(**inputs, output_attentions=True, output_hidden_states=True, **without_cache(model))
    tensors = dict(inputs) | {"logits": output.logits}
    for kind in KINDS:
        for layer, tensor in enumerate(output.get(kind) or []):
            tensors[f"{kind}.{layer}"] = tensor
    return {name: tensor.clone().contiguous() for name, tensor in tensors.items()}


@torch.no_grad()
def greedy(model: PreTrainedModel, prompt: list[int], count: int, **source: torch.Tensor) -> list[int]:
    """The prompt and count tokens more, each from a whole pass without a cache; the end token does not stop it.

    Of an encoder-decoder `source` holds its input_ids and attention_mask, and the prompt is where the decoder starts.
    """
    ids = list(prompt)
    name = "decoder_input_ids" if source else "input_ids"
    for _ in range(count):
        best = model(**source, **{name: torch.tensor([ids])}, use_cache=False).logits[0, -1].topk(2)
        lead = (best.values[0] - best.values[1]).item()
        if lead < SMALLEST_LEAD:
            raise SystemExit(f"the best logit leads by only {lead:.1e} at position {len(ids)}: choose another prompt")
        ids.append(int(best.indices[0]))
    return ids


def without_cache(model: PreTrainedModel) -> dict[str, bool]:
    """Encoders have no such argument."""
    return {"use_cache": False} if model.can_generate() else {}


def attention_report(tensors: dict[str, torch.Tensor]) -> str:
    """How far from uniform the weights are: the mean entropy of the last row, as a share of the uniform one's."""
    rows = [value[0, :, -1] for name, value in tensors.items() if "attentions" in name]
    shares = torch.cat([-(row * row.clamp(min=1e-30).log()).sum(-1) / math.log(row.shape[-1]) for row in rows])
    largest = max(row.max().item() for row in rows)
    return f"entropy {shares.mean().item():.2f} of uniform, largest {largest:.2f}"
