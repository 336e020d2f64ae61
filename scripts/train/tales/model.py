"""A small decoder in the GPT-NeoX layout, its parameters named as transformers names them.

Attention is written out: under bfloat16 autocast on a CPU this trains faster than the fused call.
Leaves out dropout, caching and the parallel residual. Next: train_tales.py.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    vocabulary: int = 2048
    layers: int = 5
    width: int = 160
    heads: int = 5
    hidden: int = 640
    context: int = 512
    rotary_share: float = 0.5
    rotary_base: float = 10_000.0
    norm_epsilon: float = 1e-5

    @property
    def head_width(self) -> int:
        return self.width // self.heads

    @property
    def rotary_width(self) -> int:
        return int(self.head_width * self.rotary_share)


class Attention(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        # Rows are [head, (query, key, value), head_width].
        self.query_key_value = nn.Linear(shape.width, 3 * shape.width)
        self.dense = nn.Linear(shape.width, shape.width)

    def read(self, x: Tensor, cosine: Tensor, sine: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The weights [batch, head, query, key] and the values [batch, head, key, head_width]."""
        batch, length, _ = x.shape
        shape = self.shape
        joined = self.query_key_value(x).view(batch, length, shape.heads, 3, shape.head_width)
        query, key, value = joined.permute(3, 0, 2, 1, 4)  # each [batch, head, position, head_width]
        query, key = rotate(query, cosine, sine), rotate(key, cosine, sine)
        scores = query @ key.transpose(-1, -2) * shape.head_width**-0.5 + mask
        return torch.softmax(scores, -1), value

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor, mask: Tensor) -> Tensor:
        weights, value = self.read(x, cosine, sine, mask)
        return self.dense((weights @ value).transpose(1, 2).reshape(x.shape))


def rotate(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Turns the first rotary_width entries by their position: entry i is paired with i + rotary_width / 2."""
    turned, passed = x[..., : cosine.shape[-1]], x[..., cosine.shape[-1] :]
    first, second = turned.chunk(2, -1)
    turned = turned * cosine + torch.cat((-second, first), -1) * sine
    return torch.cat((turned.to(x.dtype), passed), -1)


class MultilayerPerceptron(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.dense_h_to_4h = nn.Linear(shape.width, shape.hidden)
        self.dense_4h_to_h = nn.Linear(shape.hidden, shape.width)

    def forward(self, x: Tensor) -> Tensor:
        return self.dense_4h_to_h(F.gelu(self.dense_h_to_4h(x)))


class Block(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.input_layernorm = nn.LayerNorm(shape.width, shape.norm_epsilon)
        self.post_attention_layernorm = nn.LayerNorm(shape.width, shape.norm_epsilon)
        self.attention = Attention(shape)
        self.mlp = MultilayerPerceptron(shape)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor, mask: Tensor) -> Tensor:
        x = x + self.attention(self.input_layernorm(x), cosine, sine, mask)
        return x + self.mlp(self.post_attention_layernorm(x))


class Stack(nn.Module):
    def __init__(self, shape: Shape):
        super().__init__()
        self.embed_in = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        self.final_layer_norm = nn.LayerNorm(shape.width, shape.norm_epsilon)


class Decoder(nn.Module):
    """Token ids [batch, position] to logits [batch, position, vocabulary]; the output matrix is the embedding."""

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.gpt_neox = Stack(shape)
        positions = torch.arange(shape.context).double()
        pairs = torch.arange(0, shape.rotary_width, 2).double()
        angles = positions[:, None] * shape.rotary_base ** (-pairs / shape.rotary_width)
        angles = torch.cat((angles, angles), -1)
        mask = torch.full((shape.context, shape.context), -math.inf).triu(1)
        self.register_buffer("cosine", angles.cos().float(), persistent=False)
        self.register_buffer("sine", angles.sin().float(), persistent=False)
        self.register_buffer("mask", mask, persistent=False)
        self._initialise()

    def forward(self, ids: Tensor) -> Tensor:
        length = ids.shape[1]
        cosine, sine, mask = self.cosine[:length], self.sine[:length], self.mask[:length, :length]
        x = self.gpt_neox.embed_in(ids)
        for block in self.gpt_neox.layers:
            x = block(x, cosine, sine, mask)
        return F.linear(self.gpt_neox.final_layer_norm(x), self.gpt_neox.embed_in.weight)

    def _initialise(self) -> None:
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                writes_residual = name.endswith(("attention.dense.weight", "dense_4h_to_h.weight"))
                nn.init.normal_(parameter, 0.0, 0.02 / (math.sqrt(2 * self.shape.layers) if writes_residual else 1.0))
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)
