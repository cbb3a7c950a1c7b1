"""The numbers of a small network that learns: PyTorch on a CPU, in f32.

References: PyTorch CPU.

Three steps of gradient descent on a perceptron of two layers with the log likelihood of the softmax. Writes
cann-stubs/tests/data/training.bin, numbers of f32 one after the other: the weights and biases of both layers and the
samples; then the loss of each step; then weights and biases after the last one.

    python xtask/golden/training.py
"""

import numpy as np
import torch
import torch.nn.functional as F

from cases import DATA

random = np.random.default_rng(5)
params = [torch.tensor(random.normal(size=shape).astype(np.float32), requires_grad=True) for shape in [(4, 3), (4,), (2, 4), (2,)]]
samples = torch.tensor(random.normal(size=(5, 3)).astype(np.float32))
classes = torch.tensor([0, 1, 0, 1, 1])

before = [tensor.detach().numpy().copy() for tensor in [*params, samples]]
optimizer = torch.optim.SGD(params, lr=0.1)
losses = []
for _ in range(3):
    optimizer.zero_grad()
    hidden = F.relu(F.linear(samples, params[0], params[1]))
    loss = F.nll_loss(F.log_softmax(F.linear(hidden, params[2], params[3]), 1), classes)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
after = [tensor.detach().numpy() for tensor in params]

numbers = np.concatenate([np.ravel(array) for array in [*before, np.float32(losses), *after]]).astype("<f4")
(DATA / "training.bin").write_bytes(numbers.tobytes())
print(f"training: {len(numbers)} numbers, losses {losses}")
