"""Two layers of attention and nothing else, its parameters named as in transformers' GPT-NeoX.

The multilayer perceptron that the layout asks for is not here: export.py writes it as zeros. Next: train_echo.py.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from sequences import LENGTH, VOCABULARY


@dataclass(frozen=True)
class Shape:
    vocabulary: int = VOCABULARY
    layers: int = 2
    width: int = 128
    heads: int = 4
    context: int = LENGTH
    rotary_width: int = 16
    rotary_base: float = 10_000.0
    norm_epsilon: float = 1e-5

    @property
    def head_width(self) -> int:
        return self.width // self.heads


def rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turns the first rotary_width entries by their position: entry i is paired with i + rotary_width / 2."""
    turned, passed = x[..., : cosine.shape[-1]], x[..., cosine.shape[-1] :]
    first, second = turned.chunk(2, -1)
    turned = turned * cosine + torch.cat((-second, first), -1) * sine
    return torch.cat((turned.to(x.dtype), passed), -1)


class Attention(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        # Rows are [head, (query, key, value), head_width].
        self.query_key_value = nn.Linear(shape.width, 3 * shape.width)
        self.dense = nn.Linear(shape.width, shape.width)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        batch, length, width = x.shape
        joined = self.query_key_value(x).view(batch, length, self.shape.heads, 3, self.shape.head_width)
        query, key, value = joined.permute(3, 0, 2, 1, 4)  # each [batch, head, position, head_width]
        query, key = rotate(query, cosine, sine), rotate(key, cosine, sine)
        weights = torch.softmax(query @ key.transpose(-1, -2) * self.shape.head_width**-0.5 + mask, -1)
        return self.dense((weights.to(value.dtype) @ value).transpose(1, 2).reshape(batch, length, width)), weights


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.input_layernorm = nn.LayerNorm(shape.width, shape.norm_epsilon)
        self.attention = Attention(shape)


class Stack(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.embed_in = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.final_layer_norm = nn.LayerNorm(shape.width, shape.norm_epsilon)


class Echo(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.gpt_neox = Stack(shape)
        self.embed_out = nn.Linear(shape.width, shape.vocabulary, bias=False)
        pairs = torch.arange(0, shape.rotary_width, 2).double()
        angles = torch.arange(shape.context).double()[:, None] * shape.rotary_base ** (-pairs / shape.rotary_width)
        angles = torch.cat((angles, angles), -1)
        mask = torch.full((shape.context, shape.context), -math.inf).triu(1)
        self.register_buffer("cosine", angles.cos().float(), persistent=False)
        self.register_buffer("sine", angles.sin().float(), persistent=False)
        self.register_buffer("mask", mask, persistent=False)
        nn.init.normal_(self.gpt_neox.embed_in.weight, 0.0, 0.3)
        for block in self.gpt_neox.layers:
            nn.init.zeros_(block.attention.query_key_value.bias)
            nn.init.zeros_(block.attention.dense.bias)

    def forward(self, ids: Tensor) -> tuple[Tensor, list[Tensor]]:
        """Ids [batch, position] to logits [batch, position, vocabulary]; by layer, weights [batch, head, query, key]."""
        length = ids.shape[1]
        cosine, sine, mask = self.cosine[:length], self.sine[:length], self.mask[:length, :length]
        x, patterns = self.gpt_neox.embed_in(ids), []
        for block in self.gpt_neox.layers:
            change, weights = block.attention(block.input_layernorm(x), cosine, sine, mask)
            x = x + change
            patterns.append(weights)
        return self.embed_out(self.gpt_neox.final_layer_norm(x)), patterns
