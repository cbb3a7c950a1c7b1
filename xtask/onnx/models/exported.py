"""Writes models that PyTorch exports as test cases: a ResNet, a BERT and a decoder with a cache, of random weights.

`cargo xtask onnx --models` runs it, and `cargo xtask onnx --chosen` with the option `--small`, for the models in the
repository. Both exporters of PyTorch write each model, which needs no network. PyTorch computes the outputs.
"""

import math
import sys
import warnings
from pathlib import Path

import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

SMALL = "--small" in sys.argv
# Of texts: the width of a token, heads, layers, and different tokens. Of pictures: channels and pixels.
WIDTH, HEADS, LAYERS, WORDS = (16, 2, 1, 20) if SMALL else (64, 4, 2, 100)
CHANNELS, PIXELS = (4, 24) if SMALL else (16, 64)


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.short = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.short = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(y)) + self.short(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        one, two, four = CHANNELS, 2 * CHANNELS, 4 * CHANNELS
        self.conv = nn.Conv2d(3, one, 7, 2, 3, bias=False)
        self.norm = nn.BatchNorm2d(one)
        self.blocks = nn.Sequential(Block(one, one, 1), Block(one, two, 2), Block(two, four, 2))
        self.linear = nn.Linear(four, 10)
        for norm in self.modules():
            if isinstance(norm, nn.BatchNorm2d):
                nn.init.uniform_(norm.running_mean, -0.5, 0.5)
                nn.init.uniform_(norm.running_var, 0.5, 2.0)
                nn.init.uniform_(norm.weight, 0.5, 1.5)
                nn.init.uniform_(norm.bias, -0.5, 0.5)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 3, 2, 1)
        return self.linear(F.adaptive_avg_pool2d(self.blocks(x), 1).flatten(1))


def heads(x, count):
    batch, tokens, width = x.shape
    return x.view(batch, tokens, count, width // count).transpose(1, 2)


def joined(x):
    batch, count, tokens, width = x.shape
    return x.transpose(1, 2).reshape(batch, tokens, count * width)


class BertLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x, mask):
        query, key, value = [heads(part, HEADS) for part in self.qkv(x).split(WIDTH, -1)]
        scores = query @ key.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + mask
        x = self.norm1(x + self.out(joined(F.softmax(scores, -1) @ value)))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Bert(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(16 if SMALL else 64, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.layers = nn.ModuleList([BertLayer() for _ in range(LAYERS)])

    def forward(self, ids, mask):
        x = self.norm(self.words(ids) + self.places(torch.arange(ids.shape[1]))[None])
        mask = (1.0 - mask[:, None, None, :].float()) * -10000.0
        for layer in self.layers:
            x = layer(x, mask)
        return x


class RmsNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(WIDTH))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def turned(x, cos, sin):
    first, second = x.chunk(2, -1)
    return x * cos + torch.cat((-second, first), -1) * sin


class DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH, bias=False)
        # Two heads of queries share one of keys and values.
        self.key = nn.Linear(WIDTH, WIDTH // 2, bias=False)
        self.value = nn.Linear(WIDTH, WIDTH // 2, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)
        self.norm1, self.norm2 = RmsNorm(), RmsNorm()
        self.gate = nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.up = nn.Linear(WIDTH, 2 * WIDTH, bias=False)
        self.down = nn.Linear(2 * WIDTH, WIDTH, bias=False)

    def forward(self, x, cos, sin, mask, past_key, past_value):
        y = self.norm1(x)
        query = turned(heads(self.query(y), HEADS), cos, sin)
        key = torch.cat((past_key, turned(heads(self.key(y), HEADS // 2), cos, sin)), 2)
        value = torch.cat((past_value, heads(self.value(y), HEADS // 2)), 2)
        shared = [cache.repeat_interleave(2, 1) for cache in (key, value)]
        x = x + self.out(joined(F.scaled_dot_product_attention(query, *shared, attn_mask=mask)))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), key, value


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.layers = nn.ModuleList([DecoderLayer() for _ in range(LAYERS)])
        self.norm = RmsNorm()
        self.head = nn.Linear(WIDTH, WORDS, bias=False)
        size = WIDTH // HEADS
        self.register_buffer("rates", 1.0 / 10000 ** (torch.arange(0, size, 2).float() / size))

    def forward(self, ids, places, *past):
        x = self.words(ids)
        angles = places[:, :, None].float() * self.rates
        angles = torch.cat((angles, angles), -1)[:, None]
        cos, sin = angles.cos(), angles.sin()
        total = ids.shape[1] + past[0].shape[2]
        mask = torch.where(torch.arange(total)[None] <= places[0][:, None], 0.0, float("-inf"))
        caches = []
        for number, layer in enumerate(self.layers):
            x, key, value = layer(x, cos, sin, mask, *past[2 * number : 2 * number + 2])
            caches += [key, value]
        return self.head(self.norm(x)), *caches


def shorten(file):
    """Leaves out what tells of the source of a model."""
    model = onnx.load(file)
    graph = model.graph
    for message in [model, graph, *graph.node, *graph.input, *graph.output, *graph.initializer]:
        message.ClearField("metadata_props")
        message.ClearField("doc_string")
    graph.ClearField("value_info")
    onnx.save(model, file)


def write(folder, model, sets, names, dynamic):
    """Exports a model, and writes a set of inputs and outputs for each tuple of inputs."""
    model.eval()
    inputs, outputs = names
    for exporter in ("script", "dynamo"):
        place = Path(f"{folder}_{exporter}")
        place.mkdir(parents=True, exist_ok=True)
        options = {"input_names": inputs, "output_names": outputs}
        if exporter == "script":
            # Without folding, so that norms after convolutions stay.
            options |= {"dynamo": False, "opset_version": 17, "do_constant_folding": False, "dynamic_axes": dynamic}
        else:
            options |= {"dynamo": True, "external_data": False, "verbose": False}
        torch.onnx.export(model, sets[0], place / "model.onnx", **options)
        if SMALL:
            shorten(place / "model.onnx")
        (place / "tolerance.txt").write_text("rtol 0.001\natol 0.00001\n")
        # Only the first exporter is told which sizes may change.
        for number, given in enumerate(sets if exporter == "script" else sets[:1]):
            (place / f"test_data_set_{number}").mkdir(exist_ok=True)
            with torch.no_grad():
                computed = model(*given)
            computed = computed if isinstance(computed, tuple) else (computed,)
            for kind, values in (("input", given), ("output", computed)):
                for position, value in enumerate(values):
                    message = numpy_helper.from_array(value.numpy())
                    file = place / f"test_data_set_{number}" / f"{kind}_{position}.pb"
                    file.write_bytes(message.SerializeToString())


def main():
    warnings.filterwarnings("ignore")
    folder = Path(sys.argv[1])
    torch.manual_seed(0)
    images = [(torch.randn(count, 3, PIXELS, PIXELS),) for count in ((1, 2) if SMALL else (2, 5))]
    write(folder / "resnet", ResNet(), images, (["x"], ["scores"]), {"x": {0: "images"}})

    texts = []
    for batch, tokens in ((2, 12), (1, 7)):
        mask = torch.ones(batch, tokens, dtype=torch.long)
        mask[0, tokens // 2 :] = 0
        texts.append((torch.randint(0, WORDS, (batch, tokens)), mask))
    axes = {0: "batch", 1: "tokens"}
    write(folder / "bert", Bert(), texts, (["ids", "mask"], ["hidden"]), {"ids": axes, "mask": axes})

    steps = []
    for tokens, before in ((3, 5), (1, 8), (6, 0)):
        past = [torch.randn(1, HEADS // 2, before, WIDTH // HEADS) for _ in range(2 * LAYERS)]
        places = torch.arange(before, before + tokens)[None]
        steps.append((torch.randint(0, WORDS, (1, tokens)), places, *past))
    caches = [f"{part}{layer}" for layer in range(LAYERS) for part in ("key", "value")]
    names = (["ids", "places"] + [f"past_{name}" for name in caches], ["scores"] + caches)
    dynamic = {"ids": {1: "tokens"}, "places": {1: "tokens"}} | {f"past_{name}": {2: "before"} for name in caches}
    write(folder / "decoder", Decoder(), steps, names, dynamic)


if __name__ == "__main__":
    main()
