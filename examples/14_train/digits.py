"""Writes the digits of this example, `digits.bin`: for each of 1,797 digits 64 numbers from 0 to 16, row by row, and which it is.

They are the "Optical Recognition of Handwritten Digits" of the UCI Machine Learning Repository (E. Alpaydin, C. Kaynak, 1998,
https://doi.org/10.24432/C50P49), licensed under CC BY 4.0, as the package scikit-learn has them.

    pip install scikit-learn==1.9.1
    python examples/14_train/digits.py
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

digits = load_digits()
rows = np.concatenate([digits.data, digits.target[:, None]], axis=1).astype(np.uint8)
(Path(__file__).resolve().parent / "digits.bin").write_bytes(rows.tobytes())
print(rows.shape)
