"""Trains the decoder of this example on a poem, and writes its weights and what PyTorch computes with them.

The poem is "The Tyger" by William Blake (1794), in the public domain. The decoder learns it by heart in a minute or two. The
weights are rounded to f16 for the file `model.safetensors`; `golden.safetensors` has what PyTorch computes in f32 with these
rounded weights: the logits of a prompt and the characters that follow it.

    pip install torch==2.15.0 safetensors==0.8.0
    python examples/15_transformer/model.py
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).resolve().parent
POEM = """\
Tyger Tyger, burning bright,
In the forests of the night;
What immortal hand or eye,
Could frame thy fearful symmetry?

In what distant deeps or skies,
Burnt the fire of thine eyes?
On what wings dare he aspire?
What the hand, dare seize the fire?

And what shoulder, & what art,
Could twist the sinews of thy heart?
And when thy heart began to beat,
What dread hand? & what dread feet?
"""
PROMPT, FOLLOWING = "Tyger Tyger, ", 100
WIDTH, HEADS, LAYERS, HIDDEN, EPSILON, BASE = 64, 4, 2, 128, 1e-5, 10000.0
CONTEXT, BATCH, STEPS = 128, 16, 500


def rotated(x):
    """Turns pairs of numbers, one of each half of a head, by an angle that grows with the position."""
    size, length = x.shape[-1], x.shape[-2]
    frequencies = BASE ** (-torch.arange(0, size, 2) / size)
    angles = torch.outer(torch.arange(length).float(), frequencies).repeat(1, 2)
    first, second = x.chunk(2, -1)
    return x * angles.cos() + torch.cat([-second, first], -1) * angles.sin()


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention_norm, self.mlp_norm = nn.RMSNorm(WIDTH, EPSILON), nn.RMSNorm(WIDTH, EPSILON)
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)
        self.gate_up = nn.Linear(WIDTH, 2 * HIDDEN, bias=False)
        self.down = nn.Linear(HIDDEN, WIDTH, bias=False)

    def forward(self, x):
        heads = self.qkv(self.attention_norm(x)).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        q, k, v = heads
        mixed = F.scaled_dot_product_attention(rotated(q), rotated(k), v, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        gate, up = self.gate_up(self.mlp_norm(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class Decoder(nn.Module):
    def __init__(self, characters):
        super().__init__()
        self.embedding = nn.Embedding(characters, WIDTH)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm = nn.RMSNorm(WIDTH, EPSILON)

    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x) @ self.embedding.weight.T


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    vocabulary = sorted(set(POEM))
    text = torch.tensor([vocabulary.index(character) for character in POEM])
    model = Decoder(len(vocabulary))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 6e-3, STEPS)
    for step in range(STEPS):
        # Each part begins anywhere, and one of them at the start.
        starts = torch.randint(0, len(text) - CONTEXT - 1, (BATCH,))
        starts[0] = 0
        parts = torch.stack([text[start : start + CONTEXT + 1] for start in starts])
        loss = F.cross_entropy(model(parts[:, :-1]).flatten(0, 1), parts[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 50 == 49:
            print(f"step {step + 1}: loss {loss.item():.4f}", flush=True)

    weights = {name: weight.detach().half() for name, weight in model.state_dict().items()}
    weights["vocabulary"] = torch.tensor(list(map(ord, vocabulary)), dtype=torch.uint8)
    save_file(weights, HERE / "model.safetensors")
    print((HERE / "model.safetensors").stat().st_size, "bytes")

    model.load_state_dict({name: weight.float() for name, weight in weights.items() if name != "vocabulary"})
    with torch.no_grad():
        tokens = torch.tensor([[vocabulary.index(character) for character in PROMPT]])
        logits = model(tokens)[0]
        for _ in range(FOLLOWING):
            tokens = torch.cat([tokens, model(tokens)[:, -1:].argmax(-1)], -1)
    following = "".join(vocabulary[token] for token in tokens[0])
    print(following)
    assert POEM.startswith(following)
    save_file({"logits": logits.contiguous(), "tokens": tokens[0].contiguous()}, HERE / "golden.safetensors")


if __name__ == "__main__":
    main()
