//! Arithmetic and functions of elements: of one tensor, of two that are broadcast, of any number.

use aclnn::{DType, Tensor, ops};

use super::operator::Operator;
use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::elements::{Pair, doubles, each, pairs, scalar};
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("Abs", 1, abs),
    Operator::unary("Acos", 7, |x| x.acos()),
    Operator::unary("Acosh", 9, |x| x.acosh()),
    Operator::binary("Add", 1, |a, b| a.add(b), ADD),
    Operator::unary("Asin", 7, |x| x.asin()),
    Operator::unary("Asinh", 9, |x| x.asinh()),
    Operator::unary("Atan", 7, |x| x.atan()),
    Operator::unary("Atanh", 9, |x| x.atanh()),
    Operator::node("Ceil", 1, |_| exact(|x| x.ceil(), |x| x, f64::ceil)),
    Operator::node("Clip", 6, clip_to_attributes),
    Operator::node("Clip", 11, clip),
    Operator::unary("Cos", 7, |x| x.cos()),
    Operator::unary("Cosh", 9, |x| x.cosh()),
    Operator::node("Div", 1, div),
    Operator::unary("Erf", 9, |x| x.erf()),
    Operator::unary("Exp", 1, |x| x.exp()),
    Operator::node("Floor", 1, |_| exact(|x| x.floor(), |x| x, f64::floor)),
    Operator::unary("Log", 1, |x| x.log()),
    Operator::node("Max", 6, |_| extreme(|a, b| a.maximum(b), MAX)),
    Operator::node("Mean", 6, mean),
    Operator::node("Min", 6, |_| extreme(|a, b| a.minimum(b), MIN)),
    Operator::node("Mod", 10, modulo),
    Operator::binary("Mul", 1, |a, b| a.mul(b), MUL),
    Operator::node("Neg", 1, |_| exact(|x| x.neg(), |x| -x, |x| -x)),
    Operator::node("Pow", 1, pow),
    Operator::node("Reciprocal", 1, |_| exact(|x| x.reciprocal(), |x| x, f64::recip)),
    Operator::node("Round", 11, |_| exact(|x| x.round(), |x| x, f64::round_ties_even)),
    Operator::node("Sign", 9, sign),
    Operator::unary("Sin", 7, |x| x.sin()),
    Operator::unary("Sinh", 9, |x| x.sinh()),
    Operator::node("Sqrt", 1, |_| exact(|x| x.sqrt(), |x| x, f64::sqrt)),
    Operator::binary("Sub", 1, |a, b| a.sub(b), SUB),
    Operator::node("Sum", 6, sum),
    Operator::unary("Tan", 7, |x| x.tan()),
    Operator::node("Tanh", 1, |_| of_floats(|x| x.tanh(), f64::tanh)),
    Operator::node("BitShift", 11, bit_shift),
    Operator::binary("BitwiseAnd", 18, |a, b| a.bitwise_and(b), bits(|a, b| Some(a & b))),
    Operator::unary("BitwiseNot", 18, |x| x.bitwise_not()),
    Operator::binary("BitwiseOr", 18, |a, b| a.bitwise_or(b), bits(|a, b| Some(a | b))),
    Operator::binary("BitwiseXor", 18, |a, b| a.bitwise_xor(b), bits(|a, b| Some(a ^ b))),
];

const fn arithmetic(ints: fn(i128, i128) -> Option<i128>, floats: fn(f64, f64) -> f64) -> Pair {
    Pair { ints, floats, result: None }
}

const fn bits(ints: fn(i128, i128) -> Option<i128>) -> Pair {
    arithmetic(ints, |_, _| f64::NAN)
}

const ADD: Pair = arithmetic(|a, b| Some(a + b), |a, b| a + b);
const SUB: Pair = arithmetic(|a, b| Some(a - b), |a, b| a - b);
const MUL: Pair = arithmetic(|a, b| Some(a.wrapping_mul(b)), |a, b| a * b);
/// Rounded towards zero for integers.
const DIV: Pair = arithmetic(|a, b| a.checked_div(b), |a, b| a / b);
const MAX: Pair = arithmetic(|a, b| Some(a.max(b)), |a, b| if a.is_nan() || b < a { a } else { b });
const MIN: Pair = arithmetic(|a, b| Some(a.min(b)), |a, b| if a.is_nan() || b > a { a } else { b });
/// The remainder with the sign of the dividend.
const TRUNCATED: Pair = arithmetic(|a, b| a.checked_rem(b), |a, b| a % b);
/// The remainder with the sign of the divisor.
const FLOORED: Pair = arithmetic(
    |a, b| a.checked_rem(b).map(|rest| if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }),
    |a, b| {
        let rest = a % b;
        match rest == 0.0 {
            true => 0f64.copysign(b),
            false if (rest < 0.0) != (b < 0.0) => rest + b,
            false => rest,
        }
    },
);

const SHIFT_LEFT: Pair = bits(|a, b| Some(if (0..64).contains(&b) { a << b } else { 0 }));
const SHIFT_RIGHT: Pair = bits(|a, b| Some(a >> if (0..64).contains(&b) { b } else { 64 }));

/// Elements in a type that they may have already.
pub(super) trait InType {
    /// Converts the elements; those of this type stay where they are.
    fn in_type(&self, dtype: DType) -> Result<Tensor, aclnn::Error>;
}

impl InType for Tensor {
    fn in_type(&self, dtype: DType) -> Result<Tensor, aclnn::Error> {
        if self.dtype() == dtype { Ok(self.clone()) } else { self.cast(dtype) }
    }
}

type OfOne = fn(&Tensor) -> Result<Tensor, aclnn::Error>;
type OfTwo = fn(&Tensor, &Tensor) -> Result<Tensor, aclnn::Error>;

/// Prepares a function of each element that the host computes as the device does.
fn exact(device: OfOne, ints: fn(i128) -> i128, floats: fn(f64) -> f64) -> NodeResult<Prepared> {
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| device(x)))
        .or_host(move |call| each(&call.array(0)?, ints, floats)))
}

/// Prepares a function of each element that the device has for floats, but not for f64.
pub(super) fn of_floats(
    device: impl Fn(&Tensor) -> Result<Tensor, aclnn::Error> + Send + Sync + 'static,
    host: impl Fn(f64) -> f64 + Send + Sync + 'static,
) -> NodeResult<Prepared> {
    Ok(Prepared::device(move |call| call.widened([&call.tensor(0)?], |[x]| device(x)))
        .or_host(move |call| doubles(&call.array(0)?, &host)))
}

/// Runs a function that depends on the order of the elements alone. Integers without a sign of 64 bits become integers
/// with one in the same order.
pub(super) fn in_order<const N: usize>(
    call: &Call<'_>,
    operands: [&Tensor; N],
    run: impl Fn([&Tensor; N]) -> Result<Tensor, aclnn::Error>,
) -> NodeResult<Tensor> {
    if operands.iter().any(|operand| operand.dtype() != DType::U64) {
        return call.widened(operands, run);
    }
    let mut signed = Vec::with_capacity(N);
    for operand in operands {
        signed.push(signed_in_order(operand)?);
    }
    let mut places = operands;
    for (place, signed) in places.iter_mut().zip(&signed) {
        *place = signed;
    }
    let result = run(places)?;
    match result.dtype() {
        DType::I64 => Ok(result.add(i64::MIN)?.in_type(DType::U64)?),
        _ => Ok(result),
    }
}

/// Returns integers with a sign in the order of those without one of 64 bits.
pub(super) fn signed_in_order(x: &Tensor) -> Result<Tensor, aclnn::Error> {
    x.cast(DType::I64)?.add(i64::MIN)
}

/// Returns two inputs of one type.
pub(super) fn alike(call: &Call<'_>) -> NodeResult<[Tensor; 2]> {
    let [a, b] = [call.tensor(0)?, call.tensor(1)?];
    match a.dtype() == b.dtype() {
        true => Ok([a, b]),
        false => {
            Reason::text(format!("its operands are {} and {}, of different types", a.dtype(), b.dtype()))
        }
    }
}

/// Returns all inputs on the host.
fn arrays(call: &Call<'_>) -> NodeResult<Vec<Array>> {
    (0..call.count()).map(|input| call.array(input)).collect()
}

/// Combines arrays by a function of two.
fn folded(function: &Pair, arrays: &[Array]) -> NodeResult<Array> {
    let [first, others @ ..] = arrays else { return Reason::text("it has no inputs") };
    others.iter().try_fold(first.clone(), |result, other| pairs(function, &result, other))
}

fn abs(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        match x.dtype() {
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => Ok(x),
            _ => call.widened([&x], |[x]| x.abs()),
        }
    })
    .or_host(|call| each(&call.array(0)?, i128::abs, f64::abs)))
}

fn sign(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        match x.dtype() {
            DType::U64 => Ok(x.in_type(DType::I64)?.ne(0)?.in_type(DType::U64)?),
            _ => call.widened([&x], |[x]| x.sign()),
        }
    })
    .or_host(|call| {
        let of_float = |x: f64| if x == 0.0 || x.is_nan() { 0.0 } else { x.signum() };
        each(&call.array(0)?, i128::signum, of_float)
    }))
}

fn div(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let [a, b] = alike(call)?;
        match a.dtype() {
            // Quotients of large integers would lose their sign, or their last digits.
            DType::U64 => Ok(a.floor_divide(&b)?),
            dtype if dtype.is_integer() => call.widened([&a, &b], |[a, b]| truncated_quotient(a, b)),
            _ => call.widened([&a, &b], |[a, b]| a.div(b)),
        }
    })
    .or_host(|call| pairs(&DIV, &call.array(0)?, &call.array(1)?)))
}

/// Returns quotients of integers, rounded towards zero: what remains is subtracted first, so that every division is exact.
fn truncated_quotient(a: &Tensor, b: &Tensor) -> Result<Tensor, aclnn::Error> {
    a.sub(&a.fmod(b)?)?.floor_divide(b)
}

fn modulo(node: &Node) -> NodeResult<Prepared> {
    let is_truncated = node.flag("fmod", false)?;
    let (device, host): (OfTwo, Pair) = match is_truncated {
        true => (|a, b| a.fmod(b), TRUNCATED),
        false => (|a, b| a.remainder(b), FLOORED),
    };
    Ok(Prepared::device(move |call| {
        let [a, b] = alike(call)?;
        match a.dtype() {
            DType::U64 => Ok(device(&a, &b)?),
            _ => call.widened([&a, &b], |[a, b]| device(a, b)),
        }
    })
    .or_host(move |call| pairs(&host, &call.array(0)?, &call.array(1)?)))
}

fn pow(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let base = call.tensor(0)?;
        let exponent = call.value(1)?;
        if let Some(array) = exponent.known()
            && array.numel() == 1
            && array.rank() <= base.rank()
            && base.dtype().is_float()
        {
            let number = array.to_f64s()?.first().copied().unwrap_or(f64::NAN);
            return call.widened([&base], |[base]| power(base, number));
        }
        let exponent = call.on_device(exponent)?;
        let computed = match (base.dtype(), exponent.dtype()) {
            (base, exponent) if base.is_integer() && exponent.is_float() => DType::F64,
            (base, _) => base,
        };
        let [x, y] = [base.in_type(computed)?, exponent.in_type(computed)?];
        Ok(call.widened([&x, &y], |[x, y]| x.pow(y))?.in_type(base.dtype())?)
    }))
}

fn power(base: &Tensor, exponent: f64) -> Result<Tensor, aclnn::Error> {
    if exponent == 1.0 {
        Ok(base.clone())
    } else if exponent == 2.0 {
        base.mul(base)
    } else if exponent == -1.0 {
        base.reciprocal()
    } else {
        base.pow(exponent)
    }
}

fn extreme(device: OfTwo, host: Pair) -> NodeResult<Prepared> {
    Ok(Prepared::device(move |call| {
        let mut result = call.tensor(0)?;
        for input in 1..call.count() {
            result = in_order(call, [&result, &call.tensor(input)?], |[a, b]| device(a, b))?;
        }
        Ok(result)
    })
    .or_host(move |call| folded(&host, &arrays(call)?)))
}

fn sum_of_all(call: &Call<'_>) -> NodeResult<Tensor> {
    let mut sum = call.tensor(0)?;
    for input in 1..call.count() {
        sum = call.widened([&sum, &call.tensor(input)?], |[a, b]| a.add(b))?;
    }
    Ok(sum)
}

fn sum(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(sum_of_all).or_host(|call| folded(&ADD, &arrays(call)?)))
}

fn mean(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let sum = sum_of_all(call)?;
        let count = call.count() as f64;
        call.widened([&sum], |[sum]| sum.div(count))
    }))
}

fn clip_to_attributes(node: &Node) -> NodeResult<Prepared> {
    let (least, most) = (node.attributes.float("min")?, node.attributes.float("max")?);
    Ok(Prepared::device(move |call| {
        call.widened([&call.tensor(0)?], |[x]| match (least, most) {
            (Some(least), Some(most)) => x.clamp(least, most),
            (Some(least), None) => x.clamp_min(least),
            (None, Some(most)) => x.clamp_max(most),
            (None, None) => Ok(x.clone()),
        })
    }))
}

fn clip(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        if let Some(clipped) = clip_to_numbers(call, &x)? {
            return Ok(clipped);
        }
        match (call.optional_tensor(1)?, call.optional_tensor(2)?) {
            (Some(least), Some(most)) => {
                in_order(call, [&x, &least, &most], |[x, a, b]| x.maximum(a)?.minimum(b))
            }
            (Some(least), None) => in_order(call, [&x, &least], |[x, a]| x.maximum(a)),
            (None, Some(most)) => in_order(call, [&x, &most], |[x, b]| x.minimum(b)),
            (None, None) => Ok(x),
        }
    })
    .or_host(|call| {
        let mut array = call.array(0)?;
        if let Some(least) = call.optional_array(1)? {
            array = pairs(&MAX, &array, &least)?;
        }
        if let Some(most) = call.optional_array(2)? {
            array = pairs(&MIN, &array, &most)?;
        }
        Ok(array)
    }))
}

/// Clips to bounds that the host knows, in one launch.
fn clip_to_numbers(call: &Call<'_>, x: &Tensor) -> NodeResult<Option<Tensor>> {
    if !matches!(x.dtype(), DType::F32 | DType::F16 | DType::BF16 | DType::I32 | DType::I64) {
        return Ok(None);
    }
    let mut bounds = [None; 2];
    for (bound, input) in bounds.iter_mut().zip(1..) {
        if let Some(value) = call.optional(input) {
            let Some(array) = value.known() else { return Ok(None) };
            *bound = Some(scalar(array)?);
        }
    }
    Ok(Some(match bounds {
        [Some(least), Some(most)] => call.widened([x], |[x]| x.clamp(least, most))?,
        [Some(least), None] => call.widened([x], |[x]| x.clamp_min(least))?,
        [None, Some(most)] => call.widened([x], |[x]| x.clamp_max(most))?,
        [None, None] => x.clone(),
    }))
}

fn bit_shift(node: &Node) -> NodeResult<Prepared> {
    let is_left = match node.text("direction", "")?.as_str() {
        "LEFT" => true,
        "RIGHT" => false,
        other => return Reason::text(format!("its direction is {other:?}, neither LEFT nor RIGHT")),
    };
    let host = if is_left { SHIFT_LEFT } else { SHIFT_RIGHT };
    Ok(Prepared::device(move |call| {
        let [x, by] = alike(call)?;
        match x.dtype() {
            // Integers with a sign would keep it.
            DType::U64 => Ok(shifted(&x, &by, is_left)?),
            _ => call.widened([&x, &by], |[x, by]| shifted(x, by, is_left)),
        }
    })
    .or_host(move |call| pairs(&host, &call.array(0)?, &call.array(1)?)))
}

/// Shifts bits. A number of places that is negative or larger than that of the bits shifts all of them out.
fn shifted(x: &Tensor, by: &Tensor, is_left: bool) -> Result<Tensor, aclnn::Error> {
    let last = i64::try_from(x.dtype().bits()).unwrap_or(64) - 1;
    let signed = by.in_type(DType::I64)?;
    let is_within = signed.clamp(0, last)?.eq(&signed)?;
    let within = is_within.where_(&signed, last)?.in_type(x.dtype())?;
    let is_signed = matches!(x.dtype(), DType::I8 | DType::I16 | DType::I32 | DType::I64);
    let result = match is_left {
        true => x.left_shift(&within)?,
        false => x.right_shift(&within)?,
    };
    match is_left || !is_signed {
        true => ops::where_(&is_within, &result, &x.zeros_like()?).run(),
        false => Ok(result),
    }
}
