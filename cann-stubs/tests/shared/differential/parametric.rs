//! Functions with attributes, and their gradients.

use aclnn_numerics::DType::{self, *};

use super::draw::{Array, Draw, NUMBERS, call, in_place, out, scalar};
use super::elementwise::common;
use crate::support::cases::{Argument, Case};

const HALVES: &[DType] = &[F32, F16, BF16];
const FLOATS: &[DType] = &[F32, F16, BF16, F64];
const COMPARED: &[DType] = &[F32, F16, BF16, I8, U8, I16, I32, I64];
/// Those that hold a product of three small numbers.
const WIDE: &[DType] = &[F32, F16, F64];

/// An operator, its reference, the least values of its attributes, its types, and whether it has a form in place.
type Attributed = (&'static str, fn(i64, &[i64]) -> i64, &'static [i64], &'static [DType], bool);

const ATTRIBUTED: &[Attributed] = &[
    ("Threshold", |x, a| if x <= a[0] { a[1] } else { x }, &[-9, -9], COMPARED, true),
    ("LeakyRelu", |x, a| if x > 0 { x } else { a[0] * x }, &[-3], FLOATS, true),
    ("Hardshrink", |x, a| if x.abs() <= a[0].max(0) { 0 } else { x }, &[-3], HALVES, false),
    ("Softshrink", |x, a| x.signum() * (x.abs() - a[0]).max(0), &[0], HALVES, false),
    ("Shrink", |x, a| if x.abs() > a[0] { x - x.signum() * a[1] } else { 0 }, &[0, -3], &[F32, F16], false),
];

pub(super) fn attributed(draw: &mut Draw) -> Case {
    let (operator, function, least, types, has_in_place) = draw.one(ATTRIBUTED);
    let (dtype, dims) = (draw.one(types), draw.dims());
    let floor = if dtype == U8 { 0 } else { i64::MIN };
    let attributes: Vec<i64> = least.iter().map(|least| draw.between((*least).max(floor), 5)).collect();
    let scalars = attributes.iter().map(|value| scalar(dtype, *value));
    let mut array = draw.numbers(dtype, &dims);
    if has_in_place && draw.once_in(3) {
        let after = array.map(|x| function(x, &attributes));
        let arguments = [in_place(dtype, &array, &after)].into_iter().chain(scalars);
        return call(&format!("Inplace{operator}"), arguments.collect());
    }
    let input = draw.input(dtype, &mut array);
    let after = array.map(|x| function(x, &attributes));
    let arguments = [input].into_iter().chain(scalars).chain([out(dtype, &after)]);
    call(operator, arguments.collect())
}

/// Bounds that are scalars, tensors or null.
pub(super) fn clamp(draw: &mut Draw) -> Case {
    let (dtype, dims) = (draw.one(NUMBERS), draw.dims());
    let are_tensors = draw.once_in(2);
    let own_dims = if are_tensors { draw.broadcastable(&dims) } else { dims.clone() };
    let mut own = draw.numbers(dtype, &own_dims);
    let first = draw.input(dtype, &mut own);
    // One of two bounds may be missing.
    let missing = draw.below(4);
    let mut bound = |number: usize| -> (Argument, Option<Array>) {
        if number == missing {
            return (Argument::Null, None);
        }
        let dims = if are_tensors { draw.broadcastable(&dims) } else { Vec::new() };
        let mut array = draw.numbers(dtype, &dims);
        let argument =
            if are_tensors { draw.input(dtype, &mut array) } else { scalar(dtype, array.values[0]) };
        (argument, Some(array))
    };
    let (low, high) = (bound(0), bound(1));
    let dims = [&low.1, &high.1]
        .into_iter()
        .flatten()
        .fold(own.dims.clone(), |dims, array| common(&dims, &array.dims));
    let result = Array::of(&dims, |at| {
        let x = low.1.as_ref().map_or(own.at(at), |low| own.at(at).max(low.at(at)));
        high.1.as_ref().map_or(x, |high| x.min(high.at(at)))
    });
    let to = draw.result_type(dtype);
    let operator = if are_tensors { "ClampTensor" } else { "Clamp" };
    call(operator, vec![first, low.0, high.0, out(to, &result)])
}

/// An operator, its reference, the least values of its attributes, its types, and whether its operands broadcast.
type Gradient = (&'static str, fn(i64, i64, &[i64]) -> i64, &'static [i64], &'static [DType], bool);

const GRADIENTS: &[Gradient] = &[
    ("Prelu", |x, weight, _| if x > 0 { x } else { weight * x }, &[], HALVES, false),
    (
        "ThresholdBackward",
        |g, x, a| if x <= a[0] { 0 } else { g },
        &[-9],
        &[F32, F16, BF16, I32, I8, U8],
        true,
    ),
    ("SigmoidBackward", |g, y, _| g * y * (1 - y), &[], WIDE, true),
    ("TanhBackward", |g, y, _| g * (1 - y * y), &[], WIDE, true),
    ("HardtanhBackward", |g, x, a| if x <= a[0] || x >= a[1] { 0 } else { g }, &[-9, -9], HALVES, false),
    ("HardshrinkBackward", |g, x, a| if x.abs() <= a[0].max(0) { 0 } else { g }, &[-3], HALVES, true),
    ("SoftshrinkBackward", |g, x, a| if x.abs() <= a[0] { 0 } else { g }, &[0], HALVES, true),
    ("Heaviside", |x, values, _| if x == 0 { values } else { i64::from(x > 0) }, &[], HALVES, true),
];

pub(super) fn gradient(draw: &mut Draw) -> Case {
    let (operator, function, least, types, broadcasts) = draw.one(GRADIENTS);
    let (dtype, dims) = (draw.one(types), draw.dims());
    let floor = if dtype == U8 { 0 } else { i64::MIN };
    let attributes: Vec<i64> = least.iter().map(|least| draw.between((*least).max(floor), 5)).collect();
    let scalars: Vec<Argument> = attributes.iter().map(|value| scalar(dtype, *value)).collect();
    let own_dims = if broadcasts { draw.broadcastable(&dims) } else { dims.clone() };
    let other_dims = match operator {
        "Prelu" => vec![if dims.len() < 2 || draw.once_in(3) { 1 } else { dims[1] }],
        _ if broadcasts => draw.broadcastable(&dims),
        _ => dims.clone(),
    };
    let (mut own, mut other) = (draw.numbers(dtype, &own_dims), draw.numbers(dtype, &other_dims));
    let (first, second) = (draw.input(dtype, &mut own), draw.input(dtype, &mut other));
    // A single value beside zero keeps the sizes of the first operand.
    let keeps = operator == "Prelu" || operator == "Heaviside" && other.values.len() == 1;
    let dims = if keeps { own.dims.clone() } else { common(&own.dims, &other.dims) };
    let result = Array::of(&dims, |at| {
        let second = match operator {
            "Prelu" if other.values.len() > 1 => other.values[at[1] as usize],
            _ if other.values.len() == 1 => other.values[0],
            _ => other.at(at),
        };
        function(own.at(at), second, &attributes)
    });
    let arguments = [first, second].into_iter().chain(scalars).chain([out(dtype, &result)]);
    call(operator, arguments.collect())
}
