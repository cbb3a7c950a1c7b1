"""Cases of functions of lists of tensors, by NumPy, SciPy and PyTorch.

References: NumPy and SciPy in f64, rounded; NumPy in f32 for sums, products and quotients; PyTorch's check of scaled gradients.
Writes cann-stubs/tests/data/foreach.cases. Lists of types, types of scalars and codes are retyped here from CANN's public
description and not read from the declarations. What that leaves open (the types of most functions of one tensor) is as for
PyTorch's plugin: floats, and i32 where integers have integer values.

Tolerance: functions of one tensor are rounded once from f64, in f32, f16 and bf16, so one unit of the last place covers the
second rounding of a half; powers have one unit as well. Everything else is exact.

    python xtask/golden/foreach.py
"""

import numpy as np
from scipy import special
import torch

from cases import NULL, Cases, InOut, Out, Scalar, Scalars, Tensor, Tensors, kind, values

np.seterr(all="ignore")
INVALID, NULL_POINTER = 161002, 161001
FLOATS = ["f32", "f16", "bf16"]
NUMBERS = [*FLOATS, "i32"]
SHORT = ["i16", "i8", "u8"]
SHAPES = [(2, 3), (), (7,), (0, 3), (1, 2, 1, 2, 1)]

UNARY = {
    "Abs": np.abs, "Acos": np.arccos, "Asin": np.arcsin, "Atan": np.arctan, "Cos": np.cos, "Cosh": np.cosh, "Erf": special.erf,
    "Erfc": special.erfc, "Exp": np.exp, "Expm1": np.expm1, "Log": np.log, "Log10": np.log10, "Log1p": np.log1p, "Log2": np.log2,
    "Neg": np.negative, "Reciprocal": lambda x: 1 / x, "Sigmoid": special.expit, "Sign": lambda x: np.where(np.isnan(x), 0, np.sign(x)),
    "Sin": np.sin, "Sinh": np.sinh, "Sqrt": np.sqrt, "Tan": np.tan, "Tanh": np.tanh,
}


def wide(name):
    return np.float32 if name in FLOATS else np.int32


def lists(name, by=0, positive=False):
    """Tensors of all shapes, with the special values of the type and random ones."""
    numbers = values(name, 40, low=-3, high=3)
    if positive:
        numbers = np.abs(numbers)
    numbers = np.roll(numbers, by)
    made, first = [], 0
    for shape in SHAPES:
        count = int(np.prod(shape))
        made.append(np.resize(np.roll(numbers, -first), count).reshape(shape))
        first += count
    return made


def read(arrays):
    return Tensors(*map(Tensor, arrays))


def written(arrays, ulps=0):
    return Tensors(*(Out(array, ulps) for array in arrays))


def in_place(before, after, ulps=0):
    return Tensors(*(InOut(a, b, ulps) for a, b in zip(before, after)))


def rounded(made, name):
    return np.asarray(made).astype(kind(name))


def unary(cases):
    for operator, function in UNARY.items():
        for name in NUMBERS if operator in ("Neg", "Sign") else FLOATS:
            x = lists(name)
            ulps = 0 if operator in ("Abs", "Neg", "Sign") else 1
            made = [rounded(function(a.astype(np.float64 if name in FLOATS else np.int64)), name) for a in x]
            cases.add(f"Foreach{operator}", read(x), written(made, ulps))
            inplace = {"Acos": "ACosInplace", "Log": "LogInplace"}.get(operator)
            if inplace:
                cases.add(f"Foreach{inplace}", in_place(x, made, ulps))
        x = lists("f64")
        cases.add(f"Foreach{operator}", read(x), written(x), code=INVALID)
        x = lists("f32")
        cases.add(f"Foreach{operator}", read(x), written(x), product="Ascend910", code=INVALID)
        cases.add(f"Foreach{operator}", read(x), written(x[:4]), code=INVALID)
        cases.add(f"Foreach{operator}", read(x[:2]), written([x[0], x[2]]), code=INVALID)
        cases.add(f"Foreach{operator}", read(x[:1]), written(lists("f16")[:1]), code=INVALID)
        cases.add(f"Foreach{operator}", Tensors(), Tensors())
        cases.add(f"Foreach{operator}", NULL, Tensors(), code=NULL_POINTER)
        cases.add(f"Foreach{operator}", Tensors(Tensor(x[0]), NULL), written(x[:2]), code=INVALID)


def scaled_sum(sign):
    return lambda a, b, alpha: a + alpha * b if sign > 0 else a - alpha * b


BINARY = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Maximum": np.maximum, "Minimum": np.minimum, "Pow": None,
}


def power(a, b):
    if a.dtype != np.int32:
        return np.power(a.astype(np.float64), b.astype(np.float64))
    # Integers wrap; what is below one is none.
    def one(x, y):
        if y >= 0:
            return (pow(int(x), int(y), 2**32) + 2**31) % 2**32 - 2**31
        return {1: 1, -1: 1 if y % 2 == 0 else -1}.get(int(x), 0)

    made = [one(x, y) for x, y in zip(*(v.ravel() for v in np.broadcast_arrays(a, b)))]
    return np.array(made, np.int64).reshape(np.broadcast_shapes(a.shape, b.shape))


def computed(function, name, *operands):
    """What a function makes of operands that are converted to the type that is computed in."""
    function = function or power
    made = [function(*(np.asarray(operand).astype(wide(name)) for operand in group)) for group in zip(*operands)]
    return [rounded(one, name) for one in made]


def scalar_type(name):
    return {"f32": "f32", "bf16": "f32", "f16": "f16"}.get(name, "i32")


def binary(cases):
    for operator, function in BINARY.items():
        ulps = 1 if operator == "Pow" else 0
        types = FLOATS if operator == "Div" else NUMBERS
        for name in [*types, *(SHORT if operator == "Add" else [])]:
            x = lists(name, positive=operator == "Pow" and name in FLOATS)
            value = 0.3 if name in FLOATS else 3
            of = scalar_type(name)
            number = np.array([value]).astype(kind(of))
            made = computed(function, name, x, [number.reshape(())] * 5)
            if name in types:
                cases.add(f"Foreach{operator}Scalar", read(x), Tensor(number), written(made, ulps))
            cases.add(f"Foreach{operator}ScalarV2", read(x), Scalar(value, of), written(made, ulps))
            if operator in ("Mul", "Sub"):
                cases.add(f"Foreach{operator}ScalarInplace", in_place(x, made, ulps), Tensor(number.reshape(())))
            # Scalars of the wider type lose what the data does not hold.
            wider = "f64" if name in FLOATS else "i64"
            cases.add(f"Foreach{operator}ScalarV2", read(x), Scalar(value, wider), written(made, ulps))
            numbers = [np.array(v).astype(np.float32 if name in FLOATS else np.int32) for v in (1, -2, 3, 4, 0.1)]
            many = Scalars(*(Scalar(v, "f32" if name in FLOATS else "i64") for v in numbers))
            if name == "f16":
                many = Scalars(*(Scalar(float(v), "f64") for v in numbers))
            if name in types:
                cases.add(f"Foreach{operator}ScalarList", read(x), many, written(computed(function, name, x, numbers), ulps))
        bad = [("f32", "i32"), ("f16", "f32"), ("bf16", "f16"), ("bf16", "bf16")]
        for name, of in bad + ([] if operator == "Div" else [("i32", "f32")]):
            x = lists(name)
            cases.add(f"Foreach{operator}ScalarV2", read(x), Scalar(1, of), written(x), code=INVALID)
        for name, of in [("f32", "f16"), ("f16", "f32"), ("bf16", "bf16")]:
            x = lists(name)
            cases.add(f"Foreach{operator}Scalar", read(x), Tensor(np.ones(1, kind(of))), written(x), code=INVALID)
        x = lists("f16")
        made = computed(function, "f16", x, [np.float32(0.3)] * 5)
        kept = operator in ("Add", "Mul")
        cases.add(f"Foreach{operator}ScalarV2", read(x), Scalar(0.3, "f32"), written(made, ulps), product="Ascend950", code=0 if kept else INVALID)
        x = lists("f32")
        for number in [np.ones(2, np.float32), np.ones(0, np.float32)]:
            cases.add(f"Foreach{operator}Scalar", read(x), Tensor(number), written(x), code=INVALID)
        cases.add(f"Foreach{operator}ScalarList", read(x), Scalars(*[Scalar(1, "i64")] * 5), written(x), code=INVALID)
        cases.add(f"Foreach{operator}ScalarList", read(x), Scalars(*[Scalar(1, "f32")] * 4), written(x), code=INVALID)
        code = NULL_POINTER if operator == "Add" else INVALID
        cases.add(f"Foreach{operator}ScalarV2", read(x), Scalar(1, "f32"), written(x[:3]), code=code)
        cases.add(f"Foreach{operator}ScalarV2", read(x), NULL, written(x), code=NULL_POINTER)
        cases.add(f"Foreach{operator}ScalarV2", Tensors(), Scalar(1, "f32"), Tensors())
        cases.add(f"Foreach{operator}ScalarV2", read(lists("i64")), Scalar(1, "i64"), written(lists("i64")), code=INVALID)

        types = FLOATS if operator == "Div" else [*NUMBERS, *(SHORT if operator == "Mul" else [])]
        for name in types:
            positive = operator == "Pow" and name in FLOATS
            x, y = lists(name, positive=positive), lists(name, 5)
            if operator in ("Add", "Sub"):
                value = 0.3 if name in FLOATS else 3
                of = scalar_type(name)
                alpha = np.array([value]).astype(kind(of))
                made = computed(scaled_sum(1 if operator == "Add" else -1), name, x, y, [alpha.reshape(())] * 5)
                cases.add(f"Foreach{operator}List", read(x), read(y), Tensor(alpha), written(made))
                cases.add(f"Foreach{operator}ListInplace", in_place(x, made), read(y), Tensor(alpha))
                cases.add(f"Foreach{operator}ListV2", read(x), read(y), Scalar(value, of), written(made))
                continue
            made = computed(function, name, x, y)
            cases.add(f"Foreach{operator}List", read(x), read(y), written(made, ulps))
            if operator in ("Mul", "Div"):
                cases.add(f"Foreach{operator}ListInplace", in_place(x, made), read(y))
        if operator in ("Add", "Sub"):
            for product in ["Ascend910B", "Ascend950"]:
                for name in SHORT:
                    x, y = lists(name), lists(name, 5)
                    made = computed(scaled_sum(1 if operator == "Add" else -1), name, x, y, [np.int32(3)] * 5)
                    cases.add(f"Foreach{operator}ListV2", read(x), read(y), Scalar(3, "i32"), written(made), product=product)
            continue
        x, y = lists("f32"), lists("f32", 5)
        cases.add(f"Foreach{operator}List", read(x), read(lists("f16")), written(x), code=INVALID)
        cases.add(f"Foreach{operator}List", read(x), read(y[:4]), written(x), code=INVALID)
        cases.add(f"Foreach{operator}List", read(x[:1]), read([y[0][:1]]), written(x[:1]), code=INVALID)
    for name in NUMBERS:
        x = lists(name)
        value = 1.5 if name in FLOATS else 3
        made = computed(lambda a: power(np.array(value).astype(wide(name)), a), name, x)
        cases.add("ForeachPowScalarAndTensor", Scalar(value, scalar_type(name)), read(x), written(made, 1))


def ternary(cases):
    for operator, types in {"Addcmul": NUMBERS, "Addcdiv": FLOATS}.items():
        function = (lambda a, b, c, v: a + b * c * v) if operator == "Addcmul" else (lambda a, b, c, v: a + b / c * v)
        for name in types:
            x, y, z = lists(name), lists(name, 5), lists(name, 11)
            value, of = (0.3, scalar_type(name)) if name in FLOATS else (3, "i32")
            number = np.array([value]).astype(kind(of))
            made = computed(function, name, x, y, z, [number.reshape(())] * 5)
            cases.add(f"Foreach{operator}Scalar", read(x), read(y), read(z), Tensor(number), written(made))
            cases.add(f"Foreach{operator}ScalarV2", read(x), read(y), read(z), Scalar(value, of), written(made))
            numbers = np.array([1, -2, 3, 4, 0.1]).astype(kind(of))
            made = computed(function, name, x, y, z, list(numbers))
            for form in ["List", "ScalarList"]:
                cases.add(f"Foreach{operator}{form}", read(x), read(y), read(z), Tensor(numbers), written(made))
                cases.add(f"Foreach{operator}{form}", read(x), read(y), read(z), Tensor(numbers[:1]), written(made), code=INVALID)
            if name == "bf16":
                numbers = np.array([1, -2, 3, 4, 0.1]).astype(kind(name))
                made = computed(function, name, x, y, z, list(numbers.astype(np.float32)))
                for form in ["List", "ScalarList"]:
                    cases.add(f"Foreach{operator}{form}", read(x), read(y), read(z), Tensor(numbers), written(made))
        x = lists("f64")
        cases.add(f"Foreach{operator}ScalarV2", read(x), read(x), read(x), Scalar(1, "f64"), written(x), code=INVALID)

    def between(start, end, weight):
        return np.where(weight < 0.5, start + weight * (end - start), end + (weight - 1) * (end - start)).astype(np.float32)

    for name in FLOATS:
        x, y = lists(name), lists(name, 5)
        weights = [np.linspace(-0.5, 1.5, a.size).reshape(a.shape).astype(kind(name)) for a in x]
        cases.add("ForeachLerpList", read(x), read(y), read(weights), written(computed(between, name, x, y, weights)))
        for value in (0.1, 0.75):
            weight = np.float32(value).astype(kind(scalar_type(name)))
            made = computed(between, name, x, y, [weight] * 5)
            cases.add("ForeachLerpScalar", read(x), read(y), Scalar(value, "f32"), written(made))


# Numbers of the device's kinds of rounding.
ROUND = {1: np.rint, 2: np.floor, 3: np.ceil, 4: lambda x: np.trunc(x + np.copysign(0.5, x)), 5: np.trunc, 7: lambda x: x - np.trunc(x)}


def others(cases):
    for mode, function in ROUND.items():
        for name in [*NUMBERS, "i16"]:
            x = lists(name)
            if name in FLOATS:
                made = [rounded(function(a.astype(np.float64)), name) for a in x]
            else:
                made = [a * 0 if mode == 7 else a for a in x]
            cases.add("ForeachRoundOffNumberV2", read(x), Scalar(mode, "i8"), written(made))
            cases.add("ForeachRoundOffNumber", read(x), Tensor(np.array([mode], np.int8)), written(made))
    for name in FLOATS:
        x = [a for a in lists(name) if a.size != 7] + [values(name, 500, special=False)[3:].reshape(7, 71)]
        w = [a.astype(np.float64) for a in x]
        ones = {shape: [np.sum(np.abs(a)).reshape(shape) for a in w] for shape in [(), (1,)]}
        for order, of in [(1, "f32"), (1, "i64"), (1.9, "f32")]:
            cases.add("ForeachNorm", read(x), Scalar(order, of), written([rounded(a, name) for a in ones[()]]))
        cases.add("ForeachNorm", read(x), Scalar(1, "f32"), written([rounded(a, name) for a in ones[(1,)]]))
        roots = [rounded(np.sqrt(np.sum(a * a)), name) for a in w]
        for order, of in [(2, "f32"), (2, "f64"), (2, "i64"), (np.inf, "f32"), (0, "f32"), (3, "f32")]:
            cases.add("ForeachNorm", read(x), Scalar(order, of), written(roots))
        most = [rounded(np.max(np.abs(a), initial=0), name) for a in w]
        cases.add("ForeachNorm", read(x), Scalar(np.inf, "f32"), written(most), product="Ascend950")
        cases.add("ForeachNorm", read(x), Scalar(2, "i32"), written(roots), code=INVALID)
        cases.add("ForeachNorm", read(x), Scalar(2, "f32"), written([np.resize(a, 2) for a in roots]), code=INVALID)

    types = ["f32", "f16", "bf16", "i32", "i8", "u8", "i16", "i64", "f64", "bool", "u16", "u32"]
    for name in types:
        x = lists(name)
        cases.add("ForeachCopy", read(x), written(x))
        for to in types:
            small = {name, to} <= set(FLOATS) and "f32" in (name, to)
            if to != name:
                cases.add("ForeachCopy", read(x), written([rounded(a, to) for a in x]), code=0 if small else INVALID)
    x = lists("f32")
    # Shapes are not compared, as long as there are as many elements.
    cases.add("ForeachCopy", read(x[:2]), written([x[0].reshape(6), x[1].reshape(1)]))
    cases.add("ForeachCopy", read(x[:1]), written([rounded(x[0].reshape(3, 2), "f16")]))
    cases.add("ForeachCopy", read(x[:1]), written([x[2][:5]]), code=INVALID)
    for name in ["u64", "c64"]:
        x = values(name)[:3]
        cases.add("ForeachCopy", read([x]), written([x]), code=INVALID)
    for name in [*NUMBERS, "i16"]:
        x = lists(name)
        cases.add("ForeachZeroInplace", in_place(x, [np.zeros_like(a) for a in x]))
    x = lists("i8")
    cases.add("ForeachZeroInplace", in_place(x, x), code=INVALID)

    found, factor = np.zeros(1, np.float32), np.array([0.3], np.float32)
    torch_types = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
    for name in FLOATS:
        for special_values in [True, False]:
            x = lists(name) if special_values else [np.where(np.isfinite(a), a, 1).astype(kind(name)) for a in lists(name)]
            for before in (0, 1, 5):
                flag = torch.tensor([float(before)])
                grads = [torch.from_numpy(a.astype(np.float32)).to(torch_types[name]) for a in x]
                torch._amp_foreach_non_finite_check_and_unscale_(grads, flag, torch.from_numpy(factor))
                made, after = [rounded(grad.float().numpy(), name) for grad in grads], flag.numpy()
                cases.add("ForeachNonFiniteCheckAndUnscale", in_place(x, made), InOut(found + before, after), Tensor(factor))
    x = lists("f32")
    many = [np.ones(1, np.float32)] * 255
    cases.add("ForeachNonFiniteCheckAndUnscale", in_place(many, [a * factor for a in many]), InOut(found, found), Tensor(factor))
    cases.add("ForeachNonFiniteCheckAndUnscale", Tensors(), InOut(found, found), Tensor(factor))
    for flag, inverse in [(found.astype(np.float16), factor), (np.zeros(2, np.float32), factor), (found, factor.astype(np.float64))]:
        cases.add("ForeachNonFiniteCheckAndUnscale", in_place(x, x), InOut(flag, flag), Tensor(inverse), code=INVALID)
    cases.add("ForeachNonFiniteCheckAndUnscale", in_place(x, x), NULL, Tensor(factor), code=NULL_POINTER)


def main():
    cases = Cases()
    unary(cases)
    binary(cases)
    ternary(cases)
    others(cases)
    cases.write("foreach")


if __name__ == "__main__":
    main()
