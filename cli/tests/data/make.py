"""Arrays for the tests of the command, and what NumPy and ml_dtypes make of them: `python cli/tests/data/make.py`.

Every expectation is exact: sums and products without rounding, orders, conversions that round once.
"""

from pathlib import Path

import ml_dtypes
import numpy as np

HERE = Path(__file__).parent
BF16, E4M3 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn


def save(name, array):
    np.save(HERE / f"{name}.npy", array)


half = np.array([[1, 2.5, -3], [0.5, 0, 8]], np.float16)
single = np.array([0.25, -1.5, 1024], np.float32)
whole = np.array([[3, -1, 2], [7, 0, -8]], np.int32)
truths = np.array([[True, False, True], [False, True, True]])
brain = np.array([1, -2, 3.140625, 0.0078125], BF16)
special = np.array([np.nan, np.inf, -np.inf, 1e6, -1e6, 0.1, 448, 464.5], np.float32)

save("half", half)
save("single", single)
save("whole", whole)
save("truths", truths)
save("brain", brain)
save("special", special)
save("fortran", np.asfortranarray(np.arange(6, dtype=np.float64).reshape(2, 3)))
save("big_endian", np.arange(-2, 4, dtype=">i2").reshape(2, 3))
save("complex", np.array([1 + 2j, -0.5j], np.complex64))
save("e4m3", np.array([1, -448, 0.001953125], E4M3))
save("int4", np.array([[1, -8, 7], [0, -1, 3]], ml_dtypes.int4))
# NumPy's name for the type of ml_dtypes, which NumPy itself does not read.
save("e5m2", np.array([1, -57344, np.inf], ml_dtypes.float8_e5m2))

save("sum", half + single)
save("scaled", (whole - 3 * whole).astype(np.int32))
save("brain_product", (brain.astype(np.float32) * 2).astype(BF16))
save("maximum", np.maximum(half.astype(np.float64), np.arange(6.0).reshape(2, 3)))
save("chosen", np.where(truths, whole, 0).astype(np.int32))
save("order", np.sort(whole, axis=-1)[:, ::-1].copy())
save("positions", np.argsort(-whole, axis=-1).astype(np.int64))
save("total", np.sum(whole, axis=0, keepdims=True, dtype=np.int64))
save("joined", np.concatenate([whole, whole], axis=1))
save("padded", np.pad(whole, ((1, 0), (0, 2)), constant_values=9))
save("flipped", np.fliplr(whole).copy())
save("negated", -np.arange(-2, 4, dtype=np.int16).reshape(2, 3))
save("to_brain", special.astype(BF16))
save("to_e4m3", special.astype(E4M3))
save("saturated", np.where(np.isnan(special), special, np.clip(special, -448, 448)).astype(E4M3))
save("from_e5m2", np.array([1, -57344, np.inf], np.float32))
save("from_int4", np.array([[1, -8, 7], [0, -1, 3]], np.int32))
save("to_int4", (whole & 15).astype(np.int8).astype(ml_dtypes.int4))
save("ramp", np.arange(10, 0, -3, dtype=np.int32))
save("steps", np.arange(0, 2.5, 0.5, dtype=np.float32).astype(BF16))
