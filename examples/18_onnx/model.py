"""Trains a small network on handwritten digits and exports it as ONNX.

The digits are those of `../14_train/digits.bin`; every fifth is held out. Training takes a minute. The model takes any number
of images, so that its first dimension has the name `images`.

    pip install torch==2.15.0 onnx==1.23.2
    python examples/18_onnx/model.py
"""

from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

HERE = Path(__file__).resolve().parent
EPOCHS, BATCH, RATE = 40, 64, 4e-3


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 12, 3, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(12)
        self.conv2 = nn.Conv2d(12, 24, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(24)
        self.hidden = nn.Linear(24 * 2 * 2, 48)
        self.scores = nn.Linear(48, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(x))), 2)  # [n, 12, 4, 4]
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)  # [n, 24, 2, 2]
        return self.scores(F.gelu(self.hidden(x.flatten(1)))).softmax(1)


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
            loss = F.nll_loss(model(images[rows]).clamp_min(1e-9).log(), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        if epoch % 10 == 9:
            model.eval()
            count = (model(held_out).argmax(1) == right).sum().item()
            print(f"epoch {epoch + 1}: loss {loss.item():.4f}, {count} of {len(right)} read right", flush=True)

    model.eval()
    file = HERE / "digits.onnx"
    torch.onnx.export(
        model,
        (held_out[:2],),
        file,
        input_names=["image"],
        output_names=["probabilities"],
        dynamic_axes={"image": {0: "images"}, "probabilities": {0: "images"}},
        opset_version=17,
        dynamo=False,
    )
    print(file.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
