"""Writes small models as test cases: the patterns that rewritings look for, in the ways in which exporters write them, and
what only looks like them. The reference evaluator of the package onnx computes the outputs.

`cargo xtask onnx --chosen` runs it. The name of a case says which pattern it is; the table in onnx/tests/suite/rewritings.rs
says what becomes of it.
"""

import math
import sys
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

RANDOM = np.random.default_rng(0)


class Graph:
    """A model that is written call by call: the name of an operator is a method, which returns the name of its output."""

    def __init__(self, folder, name, opset=17, dtype=np.float32):
        self.place, self.opset, self.dtype = Path(folder) / name, opset, dtype
        self.nodes, self.weights, self.feeds, self.inputs = [], [], {}, []

    def input(self, *shape, scale=1.0):
        name = f"x{len(self.inputs)}"
        self.feeds[name] = (RANDOM.standard_normal(shape) * scale).astype(self.dtype)
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(self.dtype))
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def constant(self, value, dtype=None):
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, dtype or self.dtype), name))
        return name

    def ints(self, *values):
        return self.constant(values, np.int64)

    def weight(self, *shape, positive=False):
        values = RANDOM.uniform(0.5, 1.5, shape) if positive else RANDOM.standard_normal(shape)
        return self.constant(values)

    def __getattr__(self, operator):
        def node(*inputs, outputs=1, **attributes):
            inputs = [one if isinstance(one, str) else self.constant(one) for one in inputs]
            names = [f"v{len(self.nodes)}_{number}" for number in range(outputs)]
            self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
            return names[0] if outputs == 1 else names

        return node

    def write(self, *outputs):
        def model(ports):
            graph = helper.make_graph(self.nodes, self.place.name, self.inputs, ports, self.weights)
            opsets = [helper.make_opsetid("", self.opset)]
            return helper.make_model(graph, opset_imports=opsets, ir_version=8)

        untyped = [helper.make_empty_tensor_value_info(name) for name in outputs]
        for port in untyped:
            port.type.tensor_type.elem_type = self.inputs[0].type.tensor_type.elem_type
        with np.errstate(all="ignore"):
            values = ReferenceEvaluator(model(untyped)).run(None, self.feeds)
        values = [np.asarray(value, self.dtype) for value in values]
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(self.dtype))
        ports = [helper.make_tensor_value_info(name, kind, value.shape) for name, value in zip(outputs, values)]
        data = self.place / "test_data_set_0"
        data.mkdir(parents=True, exist_ok=True)
        (self.place / "model.onnx").write_bytes(model(ports).SerializeToString())
        for kind, arrays in (("input", self.feeds.values()), ("output", values)):
            for number, array in enumerate(arrays):
                (data / f"{kind}_{number}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())
        half = self.dtype == np.float16
        (self.place / "tolerance.txt").write_text("rtol 0.01\natol 0.01\n" if half else "rtol 0.001\natol 0.00001\n")


def redundant(graph):
    g = graph("identity_chain")
    x = g.input(2, 3)
    g.write(g.Identity(g.Relu(g.Identity(g.Identity(x)))))
    g = graph("identity_of_an_input")
    x = g.input(2, 3)
    g.write(g.Identity(x), g.Identity(x))
    g = graph("identity_of_an_output")
    y = g.Relu(g.input(2, 3))
    g.write(y, g.Identity(y))
    g = graph("dropout_chain")
    x = g.Dropout(g.Dropout(g.input(2, 3), 0.5), 0.25)
    g.write(g.Relu(x))
    g = graph("dropout_with_mask")
    y, mask = g.Dropout(g.input(2, 3), 0.5, outputs=2)
    g.write(y, g.Cast(mask, to=TensorProto.FLOAT))
    g = graph("dropout_told_not_to_train")
    g.write(g.Relu(g.Dropout(g.input(2, 3), 0.5, g.constant(False, np.bool_))))
    g = graph("transposes_undone")
    x = g.input(2, 3, 4)
    g.write(g.Relu(g.Transpose(g.Transpose(x, perm=[1, 2, 0]), perm=[2, 0, 1])))
    g = graph("transposes_as_one")
    x = g.input(2, 3, 4)
    g.write(g.Transpose(g.Transpose(g.Transpose(x, perm=[1, 2, 0]), perm=[1, 2, 0]), perm=[1, 0, 2]))
    g = graph("transposes_with_an_output_between")
    inner = g.Transpose(g.input(2, 3, 4), perm=[1, 2, 0])
    g.write(g.Transpose(inner, perm=[2, 0, 1]), inner)
    g = graph("transposes_without_order")
    g.write(g.Relu(g.Transpose(g.Transpose(g.input(2, 3, 4)), perm=[2, 1, 0])))


def batch_norm(graph):
    def norm(g, x, channels, **attributes):
        others = [g.weight(channels) for _ in range(2)]
        scale, variance = g.weight(channels, positive=True), g.weight(channels, positive=True)
        return g.BatchNormalization(x, scale, others[0], others[1], variance, **attributes)

    g = graph("conv_and_norm")
    g.write(norm(g, g.Conv(g.input(2, 3, 5, 5), g.weight(4, 3, 3, 3)), 4))
    g = graph("conv_with_bias_and_norm")
    conv = g.Conv(g.input(2, 3, 5, 5), g.weight(4, 3, 3, 3), g.weight(4), pads=[1, 0, 1, 0], strides=[2, 1])
    g.write(norm(g, conv, 4, epsilon=0.1))
    g = graph("conv_in_groups_and_norm")
    g.write(norm(g, g.Conv(g.input(1, 4, 5, 5), g.weight(8, 1, 3, 3), group=4, auto_pad="SAME_UPPER"), 8))
    g = graph("conv_of_one_axis_and_norm")
    g.write(norm(g, g.Conv(g.input(1, 2, 7), g.weight(3, 2, 3), dilations=[2]), 3))
    g = graph("conv_and_norm_with_an_output_between")
    conv = g.Conv(g.input(2, 3, 5, 5), g.weight(4, 3, 3, 3))
    g.write(norm(g, conv, 4), conv)
    g = graph("norm_without_conv")
    g.write(norm(g, g.input(2, 3, 5), 3))


def gelu(graph):
    root, tanh = math.sqrt(2), math.sqrt(2 / math.pi)

    def erf(g, x, divisor=root):
        return g.Add(g.Erf(g.Div(x, divisor)), 1.0)

    for name, dtype in (("gelu", np.float32), ("gelu_f16", np.float16)):
        g = graph(name, dtype=dtype)
        x = g.input(3, 7)
        g.write(g.Mul(g.Mul(x, erf(g, x)), 0.5))
    g = graph("gelu_half_first")
    x = g.input(3, 7)
    g.write(g.Mul(g.Mul(0.5, x), g.Add(1.0, g.Erf(g.Mul(x, 1 / root)))))
    g = graph("gelu_half_within")
    x = g.input(3, 7)
    g.write(g.Mul(x, g.Mul(erf(g, x), 0.5)))
    g = graph("gelu_divided_by_two")
    x = g.input(3, 7)
    g.write(g.Mul(erf(g, x), g.Div(x, 2.0)))
    g = graph("gelu_with_an_output_within")
    x = g.input(3, 7)
    gate = erf(g, x)
    g.write(g.Mul(g.Mul(x, gate), 0.5), gate)
    g = graph("gelu_with_constants_of_a_higher_rank")
    x = g.input(7)
    gate = g.Add(g.Erf(g.Div(x, [[root]])), 1.0)
    g.write(g.Mul(g.Mul(x, gate), 0.5))
    g = graph("no_gelu_another_divisor")
    x = g.input(3, 7)
    g.write(g.Mul(g.Mul(x, erf(g, x, 1.5)), 0.5))
    g = graph("no_gelu_another_factor")
    x = g.input(3, 7)
    g.write(g.Mul(g.Mul(x, erf(g, x)), 0.6))
    g = graph("no_gelu_another_value")
    x, y = g.input(3, 7), g.input(3, 7)
    g.write(g.Mul(g.Mul(x, erf(g, y)), 0.5))
    g = graph("no_gelu_another_sum")
    x = g.input(3, 7)
    g.write(g.Mul(g.Mul(x, g.Add(g.Erf(g.Div(x, root)), 2.0)), 0.5))

    for name, dtype in (("gelu_tanh", np.float32), ("gelu_tanh_f16", np.float16)):
        g = graph(name, dtype=dtype)
        x = g.input(3, 7)
        inner = g.Mul(g.Add(x, g.Mul(g.Pow(x, 3.0), 0.044715)), tanh)
        g.write(g.Mul(g.Mul(x, 0.5), g.Add(g.Tanh(inner), 1.0)))
    g = graph("gelu_tanh_products")
    x = g.input(3, 7)
    inner = g.Mul(tanh, g.Add(x, g.Mul(0.044715, g.Mul(x, g.Mul(x, x)))))
    g.write(g.Mul(0.5, g.Mul(x, g.Add(1.0, g.Tanh(inner)))))
    g = graph("gelu_tanh_square")
    x = g.input(3, 7)
    inner = g.Mul(g.Mul(x, tanh), g.Add(g.Mul(g.Mul(x, 0.044715), x), 1.0))
    g.write(g.Mul(g.Mul(x, g.Add(g.Tanh(inner), 1.0)), 0.5))
    g = graph("no_gelu_tanh_another_factor")
    x = g.input(3, 7)
    inner = g.Mul(g.Add(x, g.Mul(g.Pow(x, 3.0), 0.05)), tanh)
    g.write(g.Mul(g.Mul(x, 0.5), g.Add(g.Tanh(inner), 1.0)))
    g = graph("no_gelu_tanh_another_power")
    x = g.input(3, 7)
    inner = g.Mul(g.Add(x, g.Mul(g.Pow(x, 2.0), 0.044715)), tanh)
    g.write(g.Mul(g.Mul(x, 0.5), g.Add(g.Tanh(inner), 1.0)))

    for name, order, dtype in (("silu", 1, np.float32), ("silu_turned", -1, np.float32), ("silu_f16", 1, np.float16)):
        g = graph(name, dtype=dtype)
        x = g.input(3, 7)
        g.write(g.Mul(*[x, g.Sigmoid(x)][::order]))
    g = graph("no_silu_another_argument")
    x = g.input(3, 7)
    g.write(g.Mul(x, g.Sigmoid(g.Mul(x, 1.702))))
    g = graph("no_silu_another_value")
    x, y = g.input(3, 7), g.input(3, 7)
    g.write(g.Mul(x, g.Sigmoid(y)))


def norms(graph):
    def parts(g, x, axes=(-1,), square="Pow"):
        mean = g.ReduceMean(x, axes=list(axes))
        centred = g.Sub(x, mean)
        squares = g.Pow(centred, 2.0) if square == "Pow" else g.Mul(centred, centred)
        return mean, centred, g.Sqrt(g.Add(g.ReduceMean(squares, axes=list(axes)), 1e-5))

    for name, dtype in (("layer_norm", np.float32), ("layer_norm_f16", np.float16), ("layer_norm_f64", np.float64)):
        g = graph(name, dtype=dtype)
        x = g.input(2, 3, 8)
        _, centred, root = parts(g, x)
        g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(8)), g.weight(8)))
    g = graph("layer_norm_products_turned")
    x = g.input(2, 3, 8)
    _, centred, root = parts(g, x, square="Mul")
    g.write(g.Add(g.weight(8), g.Mul(g.weight(8), g.Mul(g.Reciprocal(root), centred))))
    g = graph("layer_norm_one_by_root")
    x = g.input(2, 3, 8)
    _, centred, root = parts(g, x)
    g.write(g.Add(g.Mul(g.Mul(centred, g.Div(1.0, root)), g.weight(8)), g.weight(8)))
    g = graph("layer_norm_with_outputs_within")
    x = g.input(2, 3, 8)
    mean, centred, root = parts(g, x)
    g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(8)), g.weight(8)), mean, root)
    g = graph("layer_norm_axes_as_input", opset=18)
    x = g.input(2, 3, 8)
    axes = g.ints(-1)
    centred = g.Sub(x, g.ReduceMean(x, axes))
    root = g.Sqrt(g.Add(g.ReduceMean(g.Mul(centred, centred), axes), 1e-5))
    g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(8)), g.weight(8)))
    g = graph("layer_norm_by_operator")
    g.write(g.LayerNormalization(g.input(2, 3, 8), g.weight(8), g.weight(8)))
    g = graph("no_layer_norm_another_axis")
    x = g.input(2, 8, 8)
    _, centred, root = parts(g, x, axes=(1,))
    g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(8)), g.weight(8)))
    g = graph("no_layer_norm_two_axes")
    x = g.input(2, 3, 8)
    _, centred, root = parts(g, x, axes=(-2, -1))
    g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(8)), g.weight(8)))
    g = graph("no_layer_norm_another_mean")
    x = g.input(2, 3, 8)
    centred = g.Sub(x, g.ReduceMean(g.Abs(x), axes=[-1]))
    root = g.Sqrt(g.Add(g.ReduceMean(g.Mul(centred, centred), axes=[-1]), 1e-5))
    g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(8)), g.weight(8)))
    g = graph("no_layer_norm_of_one_column")
    x = g.input(4, 1)
    _, centred, root = parts(g, x)
    g.write(g.Add(g.Mul(g.Div(centred, root), g.weight(3)), g.weight(3)))

    def square(g, x, exponent=2.0):
        return g.Add(g.ReduceMean(g.Pow(x, exponent), axes=[-1]), 1e-6)

    for name, dtype in (("rms_norm", np.float32), ("rms_norm_f16", np.float16), ("rms_norm_f64", np.float64)):
        g = graph(name, dtype=dtype)
        x = g.input(2, 3, 8)
        g.write(g.Mul(g.weight(8), g.Div(x, g.Sqrt(square(g, x)))))
    g = graph("rms_norm_by_reciprocal")
    x = g.input(2, 3, 8)
    g.write(g.Mul(g.Mul(x, g.Reciprocal(g.Sqrt(square(g, x)))), g.weight(8)))
    g = graph("rms_norm_one_by_root")
    x = g.input(2, 3, 8)
    g.write(g.Mul(g.Mul(g.Div(1.0, g.Sqrt(square(g, x))), x), g.weight(8)))
    g = graph("no_rms_norm_another_power")
    x = g.input(2, 3, 8)
    g.write(g.Mul(g.weight(8), g.Div(x, g.Sqrt(square(g, x, 4.0)))))
    g = graph("no_rms_norm_another_value")
    x, y = g.input(2, 3, 8), g.input(2, 3, 8)
    g.write(g.Mul(g.weight(8), g.Div(y, g.Sqrt(square(g, x)))))
    g = graph("no_rms_norm_without_root")
    x = g.input(2, 3, 8)
    g.write(g.Mul(g.weight(8), g.Div(x, square(g, x))))


def rotary(graph):
    def angles(g, *shape):
        return g.input(*shape), g.input(*shape)

    def rotated(g, x, cos, sin, middle, axis=-1, order=("Neg", "")):
        first = g.Slice(x, g.ints(0), g.ints(middle), g.ints(axis))
        second = g.Slice(x, g.ints(middle), g.ints(2**62), g.ints(axis))
        halves = [g.Neg(second), first] if order[0] else [second, g.Neg(first)]
        return g.Add(g.Mul(x, cos), g.Mul(g.Concat(*halves, axis=axis), sin))

    for name, dtype in (("rotary", np.float32), ("rotary_f16", np.float16), ("rotary_f64", np.float64)):
        g = graph(name, dtype=dtype)
        x, (cos, sin) = g.input(1, 2, 3, 8), angles(g, 1, 1, 3, 8)
        g.write(rotated(g, x, cos, sin, 4))
    g = graph("rotary_by_split")
    x, (cos, sin) = g.input(1, 2, 3, 8), angles(g, 1, 1, 3, 8)
    first, second = g.Split(x, outputs=2, axis=-1)
    g.write(g.Add(g.Mul(g.Concat(g.Neg(second), first, axis=-1), sin), g.Mul(cos, x)))
    g = graph("rotary_of_three_axes")
    x, (cos, sin) = g.input(2, 3, 8), angles(g, 3, 8)
    g.write(rotated(g, x, cos, sin, 4))
    g = graph("rotary_not_in_the_middle")
    x, (cos, sin) = g.input(1, 2, 3, 8), angles(g, 1, 1, 3, 8)
    g.write(rotated(g, x, cos, sin, 2))
    g = graph("rotary_of_five_axes")
    x, (cos, sin) = g.input(1, 2, 3, 4, 4), angles(g, 1, 1, 3, 4, 4)
    g.write(rotated(g, x, cos, sin, 2, axis=3))
    g = graph("no_rotary_the_other_half")
    x, (cos, sin) = g.input(1, 2, 3, 8), angles(g, 1, 1, 3, 8)
    g.write(rotated(g, x, cos, sin, 4, order=("", "Neg")))
    g = graph("no_rotary_another_value")
    x, y, (cos, sin) = g.input(1, 2, 3, 8), g.input(1, 2, 3, 8), angles(g, 1, 1, 3, 8)
    halves = g.Split(y, outputs=2, axis=-1)
    g.write(g.Add(g.Mul(x, cos), g.Mul(g.Concat(g.Neg(halves[1]), halves[0], axis=-1), sin)))


def attention(graph):
    def inputs(g, batch=2, heads=2, queries=3, keys=5, values=5, size=8, value=8):
        shapes = ((queries, size), (keys, size), (values, value))
        return [g.input(batch, heads, *shape) for shape in shapes]

    def scores(g, query, key):
        return g.MatMul(query, g.Transpose(key, perm=[0, 1, 3, 2]))

    def whole(name, mask=None, dtype=np.float32, turned=False, **sizes):
        g = graph(name, dtype=dtype)
        query, key, value = inputs(g, **sizes)
        products = g.Div(scores(g, query, key), math.sqrt(8))
        if mask is not None:
            mask = g.input(*mask)
            products = g.Add(mask, products) if turned else g.Add(products, mask)
        g.write(g.MatMul(g.Softmax(products, axis=-1), value))

    whole("attention")
    whole("attention_f16", dtype=np.float16)
    whole("attention_f64", dtype=np.float64)
    whole("attention_mask_of_two_axes", mask=(3, 5))
    whole("attention_mask_of_three_axes", mask=(2, 3, 5), turned=True)
    whole("attention_mask_of_four_axes", mask=(2, 1, 1, 5))
    whole("attention_mask_of_each", mask=(2, 2, 3, 5))
    whole("attention_mask_of_one_axis", mask=(5,))
    whole("attention_mask_of_one_column", mask=(3, 1))
    whole("attention_mask_f16", mask=(2, 1, 3, 5), dtype=np.float16)
    whole("attention_mask_with_more_batches", mask=(4, 1, 3, 5), batch=1)
    whole("attention_mask_with_more_heads", mask=(1, 4, 3, 5), heads=1)
    whole("attention_mask_with_more_queries", mask=(4, 5), queries=1)
    whole("attention_mask_with_more_keys", mask=(3, 5), keys=1)
    whole("attention_mask_of_five_axes", mask=(3, 1, 1, 3, 5))
    whole("attention_narrow_values", value=4)
    whole("attention_wide_values", value=12)
    whole("attention_of_one", batch=1, heads=1, queries=1, keys=1, values=1)
    g = graph("attention_scaled_before")
    query, key, value = inputs(g)
    scale = 8**-0.25
    key = g.Mul(g.Transpose(key, perm=[0, 1, 3, 2]), scale)
    g.write(g.MatMul(g.Softmax(g.MatMul(g.Mul(query, scale), key), axis=3), value))
    g = graph("attention_unscaled")
    query, key, value = inputs(g)
    g.write(g.MatMul(g.Softmax(scores(g, query, key), axis=-1), value))
    g = graph("attention_scaled_by_its_shape")
    query, key, value = inputs(g)
    size = g.Cast(g.Gather(g.Shape(query), g.constant(3, np.int64)), to=TensorProto.FLOAT)
    products = g.Mul(scores(g, query, key), g.Div(1.0, g.Sqrt(size)))
    g.write(g.MatMul(g.Softmax(products, axis=-1), value))
    g = graph("attention_with_its_weights")
    query, key, value = inputs(g)
    weights = g.Softmax(scores(g, query, key), axis=-1)
    g.write(g.MatMul(weights, value), weights)
    g = graph("attention_of_three_axes")
    query, key, value = g.input(2, 3, 8), g.input(2, 8, 5), g.input(2, 5, 8)
    g.write(g.MatMul(g.Softmax(g.MatMul(query, key), axis=-1), value))
    g = graph("attention_with_shared_keys")
    query, key, value = g.input(2, 4, 3, 8), g.input(2, 1, 8, 5), g.input(2, 1, 5, 8)
    g.write(g.MatMul(g.Softmax(g.MatMul(query, key), axis=-1), value))
    g = graph("attention_of_five_axes")
    query, key, value = g.input(2, 1, 2, 3, 3), g.input(2, 1, 2, 3, 3), g.input(2, 1, 2, 3, 3)
    g.write(g.MatMul(g.Softmax(g.MatMul(query, key), axis=3), value))
    g = graph("no_attention_another_axis")
    query, key, value = inputs(g)
    g.write(g.MatMul(g.Softmax(scores(g, query, key), axis=2), value))
    g = graph("no_attention_scaled_by_each_key")
    query, key, value = inputs(g)
    products = g.Mul(scores(g, query, key), g.weight(5))
    g.write(g.MatMul(g.Softmax(products, axis=-1), value))
    g = graph("no_attention_divided_by_products")
    query, key, value = inputs(g)
    products = g.Div(3.0, g.Add(g.Abs(scores(g, query, key)), 1.0))
    g.write(g.MatMul(g.Softmax(products, axis=-1), value))


def linear(graph):
    for name, dtype in (("linear", np.float32), ("linear_f16", np.float16), ("linear_f64", np.float64)):
        g = graph(name, dtype=dtype)
        g.write(g.Add(g.MatMul(g.input(4, 6), g.weight(6, 5)), g.weight(5)))
    g = graph("linear_of_three_axes")
    g.write(g.Add(g.weight(5), g.MatMul(g.input(2, 3, 6), g.weight(6, 5))))
    g = graph("linear_of_one_axis")
    g.write(g.Add(g.MatMul(g.input(6), g.weight(6, 5)), g.weight(5)))
    g = graph("linear_of_one_column")
    g.write(g.Add(g.MatMul(g.input(4, 6), g.weight(6, 1)), g.weight(1)))
    g = graph("linear_of_no_rows")
    g.write(g.Add(g.MatMul(g.input(0, 6), g.weight(6, 5)), g.weight(5)))
    g = graph("linear_with_an_output_within")
    product = g.MatMul(g.input(4, 6), g.weight(6, 5))
    g.write(g.Add(product, g.weight(5)), product)
    g = graph("no_linear_bias_for_each_row")
    g.write(g.Add(g.MatMul(g.input(4, 6), g.weight(6, 5)), g.weight(4, 1)))
    g = graph("no_linear_bias_of_more_columns")
    g.write(g.Add(g.MatMul(g.input(4, 6), g.weight(6, 1)), g.weight(5)))
    g = graph("no_linear_two_products")
    g.write(g.Add(g.MatMul(g.input(4, 6), g.input(6, 5)), g.weight(5)))


def scale(graph):
    def filled(g, value, *shape):
        value = numpy_helper.from_array(np.array([value], np.float32))
        return g.ConstantOfShape(g.ints(*shape), value=value)

    def norm(g, x, channels):
        others = [g.weight(channels, positive=True) for _ in range(4)]
        return g.BatchNormalization(x, *others)

    g = graph("scale_after_conv")
    conv = g.Conv(g.input(2, 3, 5, 5), g.weight(4, 3, 3, 3))
    g.write(g.Add(g.weight(1, 4, 1, 1), g.Mul(conv, g.weight(4, 1, 1))))
    g = graph("scale_after_conv_by_one_number")
    conv = g.Conv(g.input(2, 3, 5), g.weight(4, 3, 3), g.weight(4))
    g.write(g.Add(g.Mul(conv, 0.5), 3.0))
    g = graph("scale_after_filled_conv_and_norm")
    conv = g.Conv(g.input(2, 3, 5, 5), filled(g, 0.25, 4, 3, 3, 3))
    mean = [filled(g, value, 4) for value in (2.0, 0.5, 0.25, 1.5)]
    y = g.BatchNormalization(conv, *mean)
    g.write(g.Add(g.Mul(y, g.Unsqueeze(g.weight(4), g.ints(1, 2))), g.Unsqueeze(filled(g, 3.0, 4), g.ints(-1, 1))))
    g = graph("scale_after_norm")
    conv = g.Conv(g.input(2, 3, 5, 5), g.weight(4, 3, 3, 3))
    y = norm(g, g.Concat(conv, g.Relu(conv), axis=1), 8)
    g.write(g.Relu(g.Add(g.Mul(y, g.weight(8, 1, 1)), g.weight(8, 1, 1))))
    g = graph("no_scale_of_rows")
    conv = g.Conv(g.input(2, 3, 6, 6), g.weight(4, 3, 3, 3))
    g.write(g.Mul(conv, g.weight(4, 1)))
    g = graph("no_scale_with_an_output_between")
    conv = g.Conv(g.input(2, 3, 5, 5), g.weight(4, 3, 3, 3))
    g.write(g.Mul(conv, g.weight(4, 1, 1)), conv)
    g = graph("no_scale_with_more_batches")
    conv = g.Conv(g.input(1, 3, 5, 5), g.weight(4, 3, 3, 3))
    g.write(g.Mul(conv, g.weight(2, 4, 1, 1)))


def main():
    folder = sys.argv[1]

    def graph(name, **options):
        return Graph(folder, name, **options)

    for write in (redundant, batch_norm, gelu, norms, rotary, attention, linear, scale):
        write(graph)


if __name__ == "__main__":
    main()
