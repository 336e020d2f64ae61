"""A small encoder-decoder in the M2M100 layout, its parameters named as transformers names them.

Both stacks normalise before each step and once at the end; positions are sines, H = X + P, so a parameter has no
place in them. Attention is written out: under bfloat16 autocast on a CPU this trains faster than the fused call.
Next: train_bridge.py.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tokenizer import PAD


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    layers: int = 2  # of each stack
    width: int = 128
    heads: int = 2
    hidden: int = 224
    context: int = 256

    @property
    def head_width(self) -> int:
        return self.width // self.heads


def sines(count: int, width: int) -> Tensor:
    """P [position, width]: sines in the first half, cosines in the second; position 0 is the first token's.

    M2M100 counts positions from the padding id and one more.
    """
    half = width // 2
    rates = torch.exp(torch.arange(half).float() * -(math.log(10_000) / (half - 1)))
    angles = (torch.arange(count) + PAD + 1).float()[:, None] * rates
    return torch.cat((angles.sin(), angles.cos()), 1)


class Attention(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.heads = shape.heads
        self.k_proj, self.v_proj, self.q_proj, self.out_proj = (nn.Linear(shape.width, shape.width) for _ in range(4))

    def _split(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x: Tensor, source: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Queries of x on keys and values of source; mask is added to the scores [batch, head, query, key]."""
        query = self._split(self.q_proj(x))
        key, value = self._split(self.k_proj(source)), self._split(self.v_proj(source))
        weights = torch.softmax(query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5 + mask, -1)
        return self.out_proj((weights.to(value.dtype) @ value).transpose(1, 2).reshape(x.shape)), weights


class EncoderLayer(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.self_attn = Attention(shape)
        self.self_attn_layer_norm = nn.LayerNorm(shape.width)
        self.fc1, self.fc2 = nn.Linear(shape.width, shape.hidden), nn.Linear(shape.hidden, shape.width)
        self.final_layer_norm = nn.LayerNorm(shape.width)

    def perceptron(self, x: Tensor) -> Tensor:
        return self.fc2(F.relu(self.fc1(self.final_layer_norm(x))))

    def forward(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        normed = self.self_attn_layer_norm(x)
        change, weights = self.self_attn(normed, normed, mask)
        x = x + change
        return x + self.perceptron(x), weights


class DecoderLayer(EncoderLayer):
    def __init__(self, shape: Shape):
        super().__init__(shape)
        self.encoder_attn = Attention(shape)
        self.encoder_attn_layer_norm = nn.LayerNorm(shape.width)

    def forward(self, x: Tensor, mask: Tensor, source: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        normed = self.self_attn_layer_norm(x)
        change, weights = self.self_attn(normed, normed, mask)
        x = x + change
        change, cross = self.encoder_attn(self.encoder_attn_layer_norm(x), source, source_mask)
        x = x + change
        return x + self.perceptron(x), weights, cross


class Stack(nn.Module):
    def __init__(self, shape: Shape, layer: type[nn.Module]):
        super().__init__()
        self.layers = nn.ModuleList(layer(shape) for _ in range(shape.layers))
        self.layer_norm = nn.LayerNorm(shape.width)


class Inner(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shared = nn.Embedding(shape.vocabulary, shape.width)
        self.encoder = Stack(shape, EncoderLayer)
        self.decoder = Stack(shape, DecoderLayer)


@dataclass
class Passed:
    """What a pass computes: logits [batch, target, vocabulary]; weights [batch, head, query, key] of every layer."""

    logits: Tensor
    encoder: list[Tensor]
    decoder: list[Tensor]
    cross: list[Tensor]


class Bridge(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.model = Inner(shape)
        self.register_buffer("positions", sines(shape.context, shape.width), persistent=False)
        self.register_buffer("causal", torch.full((shape.context, shape.context), -math.inf).triu(1), persistent=False)
        self._initialise()

    def embed(self, ids: Tensor) -> Tensor:
        return self.model.shared(ids) * self.shape.width**0.5 + self.positions[: ids.shape[1]]

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
        """The encoder's output [batch, source, width], the mask of padded keys, and the weights."""
        mask = torch.where(source == PAD, -math.inf, 0.0)[:, None, None, :]
        x, patterns = self.embed(source), []
        for layer in self.model.encoder.layers:
            x, weights = layer(x, mask)
            patterns.append(weights)
        return self.model.encoder.layer_norm(x), mask, patterns

    def decode(self, target: Tensor, source: Tensor, source_mask: Tensor) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        mask = self.causal[: target.shape[1], : target.shape[1]]
        x, patterns, cross_patterns = self.embed(target), [], []
        for layer in self.model.decoder.layers:
            x, weights, cross = layer(x, mask, source, source_mask)
            patterns.append(weights)
            cross_patterns.append(cross)
        return F.linear(self.model.decoder.layer_norm(x), self.model.shared.weight), patterns, cross_patterns

    def forward(self, source: Tensor, target: Tensor) -> Passed:
        """Padded ids [batch, source] and [batch, target]; the target begins with the end token, as in M2M100."""
        encoded, mask, encoder = self.encode(source)
        logits, decoder, cross = self.decode(target, encoded, mask)
        return Passed(logits, encoder, decoder, cross)

    def _initialise(self) -> None:
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                scale = self.shape.width**-0.5 if name.endswith("shared.weight") else parameter.shape[1] ** -0.5
                writes_residual = name.endswith(("out_proj.weight", "fc2.weight"))
                nn.init.normal_(parameter, 0.0, scale * (0.5 if writes_residual else 1.0))
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)
