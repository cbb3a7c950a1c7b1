"""Trains the network of this example on handwritten digits, and writes its weights and what PyTorch computes with them.

The digits are those of `../14_train/digits.bin`; every fifth is held out. Training takes a minute. The weights are rounded to
f16 for the file `model.safetensors`; `golden.safetensors` has the scores that PyTorch computes in f32 with these rounded weights
for the digits that were held out.

    pip install torch==2.15.0 safetensors==0.8.0
    python examples/17_cnn/model.py
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn

HERE = Path(__file__).resolve().parent
EPOCHS, BATCH, RATE = 40, 64, 3e-3


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.norm2 = nn.GroupNorm(4, 32)
        self.conv3 = nn.Conv2d(32, 64, 3, stride=2, padding=1)
        self.linear = nn.Linear(64, 10)

    def features(self, x):
        x = F.relu(self.norm1(self.conv1(x)))  # [n, 16, 16, 16]
        x = F.max_pool2d(x, 2)  # [n, 16, 8, 8]
        x = F.silu(self.norm2(self.conv2(x)))  # [n, 32, 8, 8]
        return F.relu(self.conv3(x))  # [n, 64, 4, 4]

    def forward(self, x):
        # Each image of 8 × 8 is enlarged first.
        x = F.interpolate(x, (16, 16), mode="bilinear", align_corners=False)
        return self.linear(F.adaptive_avg_pool2d(self.features(x), 1).flatten(1))


def digits():
    """Returns images [count, 1, 8, 8] from 0 to 1 and labels: those to learn, and those that are held out."""
    table = torch.frombuffer(bytearray((HERE / "../14_train/digits.bin").read_bytes()), dtype=torch.uint8).view(-1, 65)
    images, labels = table[:, :64].reshape(-1, 1, 8, 8) / 16, table[:, 64].long()
    is_held_out = torch.arange(len(table)) % 5 == 0
    return [(images[rows], labels[rows]) for rows in (~is_held_out, is_held_out)]


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    (images, labels), (held_out, right) = digits()
    model = Network()
    print(sum(weight.numel() for weight in model.parameters()), "weights")
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, EPOCHS * (len(images) // BATCH))
    for epoch in range(EPOCHS):
        model.train()
        order = torch.randperm(len(images))
        for step in range(len(images) // BATCH):
            rows = order[step * BATCH : (step + 1) * BATCH]
            loss = F.cross_entropy(model(images[rows]), labels[rows], label_smoothing=0.05)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if epoch % 10 == 9:
            model.eval()
            share = (model(held_out).argmax(1) == right).float().mean().item()
            print(f"epoch {epoch + 1}: loss {loss.item():.4f}, {share:.2%} read right", flush=True)

    names = [name for name in model.state_dict() if not name.endswith("num_batches_tracked")]
    weights = {name: model.state_dict()[name].half() for name in names}
    save_file(weights, HERE / "model.safetensors")
    print((HERE / "model.safetensors").stat().st_size, "bytes")

    model.load_state_dict({name: weight.float() for name, weight in weights.items()}, strict=False)
    model.eval()
    with torch.no_grad():
        scores = model(held_out)
    print(f"{(scores.argmax(1) == right).sum()} of {len(right)} read right with weights of f16")
    save_file({"scores": scores.contiguous()}, HERE / "golden.safetensors")


if __name__ == "__main__":
    main()
