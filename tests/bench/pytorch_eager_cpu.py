#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The baseline of the CPU benchmark: masked diffusion written plainly in PyTorch.

Eager mode, autograd, logits at every position, torch.optim.AdamW, clipping by the global norm, loss weighted 1/t. Token
ids are random, since only time is measured. Prints one JSON line with the median time of a whole step.

    python3 pytorch_eager_cpu.py --preset first-steps --threads 2 --steps 20 --json
"""
import argparse
import json
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

PRESETS = {  # layers, width, heads, feed-forward width, rows, tokens a row
    "first-steps": (4, 128, 4, 320, 32, 64),
    "light": (6, 512, 8, 1408, 64, 1024),
    "base": (12, 768, 12, 2048, 64, 1024),
    "enhanced": (24, 1024, 16, 2816, 64, 1024),
}
VOCABULARY = 384
MASK = 258
SMALLEST_T = 1e-3


def rotary_tables(length, dim):
    frequency = 10000.0 ** (-torch.arange(0, dim, 2).float() / dim)
    angle = torch.outer(torch.arange(length).float(), frequency)
    angle = torch.cat((angle, angle), dim=-1)
    return angle.cos(), angle.sin()


def rotate(x, cos, sin):
    first, second = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-second, first), dim=-1) * sin


class Block(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.attention_norm = nn.RMSNorm(width, eps=1e-5)
        self.qkv = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.feed_forward_norm = nn.RMSNorm(width, eps=1e-5)
        self.gate_up = nn.Linear(width, 2 * inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x, cos, sin):
        rows, length, width = x.shape
        qkv = self.qkv(self.attention_norm(x)).view(rows, length, 3, self.heads, -1)
        q, k, v = (t.transpose(1, 2) for t in qkv.unbind(dim=2))
        attended = F.scaled_dot_product_attention(rotate(q, cos, sin), rotate(k, cos, sin), v)
        x = x + self.out(attended.transpose(1, 2).reshape(rows, length, width))
        gate, up = self.gate_up(self.feed_forward_norm(x)).chunk(2, dim=-1)
        return x + self.down(F.silu(gate) * up)


class Model(nn.Module):
    def __init__(self, layers, width, heads, inner, length):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, width)
        self.blocks = nn.ModuleList(Block(width, heads, inner) for _ in range(layers))
        self.norm = nn.RMSNorm(width, eps=1e-5)
        self.head = nn.Linear(width, VOCABULARY, bias=False)
        cos, sin = rotary_tables(length, width // heads)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, self.cos, self.sin)
        return self.head(self.norm(x))


def masked_loss(model, tokens):
    t = SMALLEST_T + (1 - SMALLEST_T) * torch.rand(tokens.size(0), 1)
    masked = torch.rand(tokens.shape) < t
    logits = model(torch.where(masked, MASK, tokens))
    losses = F.cross_entropy(logits.view(-1, VOCABULARY), tokens.view(-1), reduction="none").view(tokens.shape)
    return (losses * masked / t).sum() / tokens.numel()


def step(model, optimizer, tokens):
    optimizer.zero_grad(set_to_none=True)
    loss = masked_loss(model, tokens)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", choices=sorted(PRESETS), default="first-steps")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--warm", type=int, default=3)
    parser.add_argument("--batch", type=int, help="rows a step; the preset's by default")
    parser.add_argument("--length", type=int, help="tokens a row; the preset's by default")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()

    torch.manual_seed(42)
    torch.set_num_threads(arguments.threads)
    layers, width, heads, inner, rows, length = PRESETS[arguments.preset]
    rows = arguments.batch or rows
    length = arguments.length or length
    model = Model(layers, width, heads, inner, length)
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() < 2]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}], lr=3e-4, betas=(0.9, 0.95)
    )
    seconds = []
    processor = 0.0
    loss = 0.0
    for number in range(arguments.warm + arguments.steps):
        tokens = torch.randint(0, 256, (rows, length))
        start, processor_start = time.perf_counter(), time.process_time()
        loss = step(model, optimizer, tokens)
        if number >= arguments.warm:
            seconds.append(time.perf_counter() - start)
            processor += time.process_time() - processor_start
    median = statistics.median(seconds)
    result = {
        "implementation": "pytorch eager " + torch.__version__,
        "preset": arguments.preset,
        "threads": torch.get_num_threads(),
        "rows": rows,
        "length": length,
        "steps": arguments.steps,
        "seconds_per_step": median,
        "fastest_seconds": min(seconds),
        "processor_seconds": processor / arguments.steps,  # on all cores; what other programs cannot take away
        "tokens_per_second": rows * length / median,
        "loss": loss,
    }
    print(json.dumps(result) if arguments.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
