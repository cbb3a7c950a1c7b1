//! Functions of the elements of one tensor or of two.

use aclnn_numerics::DType::{self, *};

use super::draw::{Array, Draw, NUMBERS, call, in_place, out, scalar};
use crate::support::cases::{Argument, Case};

/// A function of one number, and the types that it takes and keeps.
type One = (&'static str, fn(i64) -> i64, &'static [DType], bool);

const SIGNED: &[DType] = &[F32, F16, BF16, F64, I8, I32, I64];
const FLOATS: &[DType] = &[F32, F16, BF16, F64];
const ACTIVATED: &[DType] = &[F32, F16, BF16, I8, U8, I32, I64];
const BITS: &[DType] = &[I8, U8, I16, I32, I64, Bool];

/// The operator, its reference, its types, and whether it has a form in place.
const ONES: &[One] = &[
    ("Neg", |x| -x, SIGNED, true),
    ("Abs", i64::abs, NUMBERS, false),
    ("Sign", i64::signum, &[F32, F16, BF16, F64, I32, I64], false),
    ("Relu", |x| x.max(0), ACTIVATED, true),
    ("Floor", |x| x, NUMBERS, true),
    ("Ceil", |x| x, FLOATS, true),
    ("Round", |x| x, &[F32, F16, BF16, F64, I32, I64], true),
];

pub(super) fn one(draw: &mut Draw) -> Case {
    let (operator, function, types, has_in_place) = draw.one(ONES);
    let (dtype, dims) = (draw.one(types), draw.dims());
    let mut array = draw.numbers(dtype, &dims);
    if has_in_place && draw.once_in(3) {
        let after = array.map(function).held(dtype);
        return call(&format!("Inplace{operator}"), vec![in_place(dtype, &array, &after)]);
    }
    let input = draw.input(dtype, &mut array);
    let after = array.map(function).held(dtype);
    call(operator, vec![input, out(dtype, &after)])
}

type Two = (&'static str, fn(i64, i64) -> i64, &'static [DType]);

const TWOS: &[Two] = &[
    ("Add", |a, b| a + b, NUMBERS),
    ("Sub", |a, b| a - b, NUMBERS),
    ("Mul", |a, b| a * b, NUMBERS),
    ("Maximum", i64::max, NUMBERS),
    ("Minimum", i64::min, NUMBERS),
    ("LeftShift", |a, b| if b < 0 { 0 } else { a << b }, &[I32, I64]),
    ("RightShift", |a, b| a >> b.max(0), &[I8, I16, I32, I64]),
    ("BitwiseAndTensor", |a, b| a & b, BITS),
    ("BitwiseOrTensor", |a, b| a | b, BITS),
    ("BitwiseXorTensor", |a, b| a ^ b, BITS),
];

pub(super) fn two(draw: &mut Draw) -> Case {
    let (operator, function, types) = draw.one(TWOS);
    let (dtype, dims) = (draw.one(types), draw.dims());
    let has_alpha = matches!(operator, "Add" | "Sub");
    let alpha = if has_alpha { draw.between(-2, 3) } else { 1 };
    let alpha = if matches!(dtype, U8) { alpha.abs() } else { alpha };
    let function = |a: i64, b: i64| if has_alpha { function(a, alpha * b) } else { function(a, b) };

    let own_dims = draw.broadcastable(&dims);
    let mut own = draw.numbers(dtype, &own_dims);
    let other_dims = draw.broadcastable(&dims);
    let mut other = draw.numbers(dtype, &other_dims);
    let is_twice = draw.once_in(8);
    let (first, second) = if is_twice {
        other = own.clone();
        (Argument::Tensor(own.elements(dtype)), Argument::Same(0))
    } else {
        (draw.input(dtype, &mut own), draw.input(dtype, &mut other))
    };
    let dims = common(&own.dims, &other.dims);
    let result = Array::of(&dims, |at| function(own.at(at), other.at(at))).held(dtype);

    let mut arguments = vec![first, second];
    arguments.extend(has_alpha.then(|| scalar(dtype, alpha)));
    let to = draw.result_type(dtype);
    // The result in the place of the first operand.
    if to == dtype && own.dims == dims && draw.once_in(4) {
        arguments[0] = in_place(dtype, &own, &result);
        arguments.push(Argument::Same(0));
    } else {
        arguments.push(out(to, &result));
    }
    call(operator, arguments)
}

type Comparison = (&'static str, fn(&i64, &i64) -> bool);

const COMPARISONS: &[Comparison] = &[
    ("Eq", i64::eq),
    ("Ne", i64::ne),
    ("Lt", |a, b| a < b),
    ("Le", |a, b| a <= b),
    ("Gt", |a, b| a > b),
    ("Ge", |a, b| a >= b),
];

pub(super) fn compare(draw: &mut Draw) -> Case {
    let (operator, function) = draw.one(COMPARISONS);
    let (dtype, dims) = (draw.one(NUMBERS), draw.dims());
    let own_dims = draw.broadcastable(&dims);
    let mut own = draw.numbers(dtype, &own_dims);
    let first = draw.input(dtype, &mut own);
    let to = draw.one(&[Bool, Bool, F32, I64]);
    if draw.once_in(3) {
        let value = draw.between(0, 9);
        let result = own.map(|a| function(&a, &value).into());
        return call(&format!("{operator}Scalar"), vec![first, scalar(dtype, value), out(to, &result)]);
    }
    let other_dims = draw.broadcastable(&dims);
    let mut other = draw.numbers(dtype, &other_dims);
    let second = draw.input(dtype, &mut other);
    let dims = common(&own.dims, &other.dims);
    let result = Array::of(&dims, |at| function(&own.at(at), &other.at(at)).into());
    call(&format!("{operator}Tensor"), vec![first, second, out(to, &result)])
}

pub(super) fn choose(draw: &mut Draw) -> Case {
    let is_choice = draw.once_in(2);
    let dtype = if is_choice { draw.one(NUMBERS) } else { draw.one(&[F32, F64, I32, I64]) };
    let dims = draw.dims();
    let mut operand = |of: DType| {
        let dims = draw.broadcastable(&dims);
        let mut array = draw.numbers(of, &dims);
        let input = draw.input(of, &mut array);
        (array, input)
    };
    let ((truths, condition), (own, first), (other, second)) = (operand(U8), operand(dtype), operand(dtype));
    let dims = common(&common(&truths.dims, &own.dims), &other.dims);
    let to = draw.result_type(dtype);
    if is_choice {
        let result = Array::of(&dims, |at| if truths.at(at) != 0 { own.at(at) } else { other.at(at) });
        return call("SWhere", vec![condition, first, second, out(to, &result)]);
    }
    let value = draw.between(-2, 3);
    let result = Array::of(&dims, |at| own.at(at) + value * truths.at(at) * other.at(at)).held(dtype);
    call("Addcmul", vec![first, condition, second, scalar(dtype, value), out(dtype, &result)])
}

/// The sizes to which two arrays broadcast.
pub(super) fn common(a: &[i64], b: &[i64]) -> Vec<i64> {
    let rank = a.len().max(b.len());
    let size = |dims: &[i64], axis: usize| (axis + dims.len()).checked_sub(rank).map_or(1, |axis| dims[axis]);
    (0..rank).map(|axis| if size(a, axis) == 1 { size(b, axis) } else { size(a, axis) }).collect()
}

impl Array {
    /// The values of a function.
    pub(super) fn map(&self, function: impl Fn(i64) -> i64) -> Array {
        Array { dims: self.dims.clone(), values: self.values.iter().map(|value| function(*value)).collect() }
    }
}
