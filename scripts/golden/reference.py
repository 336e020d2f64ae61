"""What a checkpoint folder computes according to transformers: one pass, and a greedy continuation.

Float32 and eager attention, from the weights as they are stored.
"""

import math
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, PreTrainedModel

# Greedy ids are compared exactly, so the best logit must lead by far more than float32 rounding.
SMALLEST_LEAD = 1e-3


def load(folder: Path) -> PreTrainedModel:
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    return model.eval()


@torch.no_grad()
def forward(model: PreTrainedModel, ids: torch.Tensor) -> dict[str, torch.Tensor]:
    """input_ids [batch, T], logits [batch, T, vocabulary], attentions.L [batch, head, query, key], hidden_states.L."""
    output = model(ids, output_attentions=True, output_hidden_states=True, use_cache=False)
    tensors = {"input_ids": ids, "logits": output.logits}
    tensors |= {f"attentions.{layer}": weights for layer, weights in enumerate(output.attentions)}
    tensors |= {f"hidden_states.{layer}": states for layer, states in enumerate(output.hidden_states)}
    return {name: tensor.clone().contiguous() for name, tensor in tensors.items()}


@torch.no_grad()
def greedy(model: PreTrainedModel, prompt: list[int], count: int) -> list[int]:
    """The prompt and count tokens more, each from a whole pass without a cache; the end token does not stop it."""
    ids = list(prompt)
    for _ in range(count):
        best = model(torch.tensor([ids]), use_cache=False).logits[0, -1].topk(2)
        lead = (best.values[0] - best.values[1]).item()
        if lead < SMALLEST_LEAD:
            raise SystemExit(f"the best logit leads by only {lead:.1e} at position {len(ids)}: choose another prompt")
        ids.append(int(best.indices[0]))
    return ids


def attention_report(tensors: dict[str, torch.Tensor]) -> str:
    """How far from uniform the weights are: the mean entropy of the last row, as a share of the uniform one's."""
    rows = torch.cat([value[0, :, -1] for name, value in tensors.items() if name.startswith("attentions")])
    entropy = -(rows * rows.clamp(min=1e-30).log()).sum(-1)
    return f"entropy {entropy.mean().item() / math.log(rows.shape[-1]):.2f} of uniform, largest {rows.max().item():.2f}"
