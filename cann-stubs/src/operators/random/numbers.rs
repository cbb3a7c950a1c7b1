//! Numbers drawn from a distribution.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32, F64, I8, I16, I32, I64, U8};
use aclnn_numerics::layout::broadcast;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::{bf16, f16};
use cann_kernels::random::{self, Distribution, Uniform};

use super::source::{Given, Source};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn uniform(call: &Call<'_>) -> Result<Plan> {
    let (own, source) = (call.tensor("selfRef")?, Source::of(call)?);
    let (from, to) = (call.float("from")?, call.float("to")?);
    let dtype = check::dtype(&own, signatures::uniform.takes)?;
    check::rank(&own)?;
    source.check()?;
    if from > to {
        return invalid(format_args!("from is {from}, which is beyond to, {to}"));
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let range = Uniform::new(from, to, dtype);
    source.draw(Distribution::Uniform(range), &[], (&own, &[F32, dtype]))
}

pub(super) fn normal_in_place(call: &Call<'_>) -> Result<Plan> {
    let (own, source) = (call.tensor("selfRef")?, Source::of(call)?);
    let (mean, std) = (call.float("mean")?, call.float("std")?);
    let dtype = check::dtype(&own, signatures::normal_in_place.takes)?;
    check::rank(&own)?;
    source.check()?;
    if std < 0.0 {
        return invalid(format_args!("std is {std}, but no deviation is negative"));
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    source.draw(Distribution::Normal, &[Given::Number(mean), Given::Number(std)], (&own, &[F32, dtype]))
}

/// The mean and the deviation are numbers or tensors, by the form.
pub(super) fn normal(call: &Call<'_>) -> Result<Plan> {
    let tensor = |name: &str| call.is_tensor(name).then(|| call.tensor(name)).transpose();
    let (mean, std, out) = (tensor("mean")?, tensor("std")?, call.tensor("out")?);
    let signature = &signatures::normal;
    let typed = |tensor: &Option<Operand>| {
        tensor.as_ref().map(|tensor| check::dtype(tensor, signature.parameters)).transpose()
    };
    let types = [typed(&mean)?, typed(&std)?];
    let dtype = check::dtype(&out, signature.takes)?;
    check::ranks(&[mean, std, Some(out)])?;
    match (&mean, &std) {
        (Some(mean), Some(std)) => check::output_shape(&out, &check::broadcast_shape(mean, std)?)?,
        (None, Some(std)) if std.shape()?.is_empty_tensor() => return invalid("std has no elements"),
        (None, Some(std)) => check::output_shape(&out, std.shape()?)?,
        (Some(mean), None) => spreads(mean, &out)?,
        (None, None) => {}
    }
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut given = Vec::new();
    for ((tensor, dtype), name) in [&mean, &std].into_iter().zip(types).zip(["mean", "std"]) {
        given.push(match (tensor, dtype) {
            (Some(tensor), Some(dtype)) => Given::Tensor(tensor, dtype),
            _ => Given::Number(call.float(name)?),
        });
    }
    Source::of(call)?.draw(Distribution::Normal, &given, (&out, &[F32, dtype]))
}

/// Checks that a tensor broadcasts to the shape of another.
fn spreads(tensor: &Operand, out: &Operand) -> Result {
    let (own, shape) = (tensor.shape()?, out.shape()?);
    match broadcast(own, shape) {
        Ok(common) if common == *shape => Ok(()),
        _ => invalid(format_args!(
            "{} has shape {own}, which does not broadcast to {shape} of {}",
            tensor.name, out.name
        )),
    }
}

pub(super) fn random(call: &Call<'_>) -> Result<Plan> {
    let (own, source) = (call.tensor("selfRef")?, Source::of(call)?);
    let (from, to) = (call.int("from")?, call.int("to")?);
    let dtype = check::dtype(&own, signatures::random.takes)?;
    check::rank(&own)?;
    source.check()?;
    if from >= to {
        return invalid(format_args!("from is {from}, but must be less than to, {to}"));
    }
    let Some((from, to)) = held(dtype, from, to) else {
        return invalid(format_args!("{dtype} holds no whole number from {from} up to {to}"));
    };
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    // Before the 950 the numbers are f32, from which the narrow integers are cast.
    let is_cast = settings::get().product != Ascend950 && matches!(dtype, I8 | I16 | I32);
    let chain: &[DType] = if is_cast { &[I64, F32, dtype] } else { &[I64, dtype] };
    source.draw(Distribution::Whole { from, to, rounds: dtype == Bool }, &[], (&own, chain))
}

pub(super) fn exponential(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor("selfRef")?;
    check::dtype(&own, signatures::exponential.takes)?;
    let (count, rate) = (call.int("count")?, call.float("lambda")?);
    let [seed, offset] = [call.bits("seed")?, call.bits("offset")?];
    let checked = || match usize::try_from(count).ok() == own.shape()?.numel() && rate > 0.0 {
        true => Ok(()),
        false => invalid(format_args!(
            "count is {count} and lambda {rate}; they must be the number of elements of selfRef, and positive"
        )),
    };
    checked().map_err(check::when_divided)?;
    if own.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let out = planner.out(&own, own.shape()?.numel().unwrap_or(0))?;
    planner.lanes(1, [], [out], "random", move |[], [out]| random::exponential(seed, offset, rate, out))?;
    Ok(planner.plan())
}

/// The digits of a float, and its greatest number.
fn float_range(dtype: DType) -> Option<(u32, f64)> {
    Some(match dtype {
        F16 => (f16::MANTISSA_DIGITS, f16::MAX.to_f64()),
        BF16 => (bf16::MANTISSA_DIGITS, bf16::MAX.to_f64()),
        F32 => (f32::MANTISSA_DIGITS, f64::MAX),
        F64 => (f64::MANTISSA_DIGITS, f64::MAX),
        _ => return None,
    })
}

/// The part of a range whose ends a float holds, so that no number of it is rounded to one outside.
fn held(dtype: DType, from: i64, to: i64) -> Option<(i64, i64)> {
    let Some((digits, greatest)) = float_range(dtype) else { return Some((from, to)) };
    // The multiple that is next to zero.
    let cut = |number: i64| {
        let step =
            1_u64 << number.unsigned_abs().checked_ilog2().map_or(0, |log| (log + 1).saturating_sub(digits));
        (step, (number.unsigned_abs() / step * step) as i128 * i128::from(number.signum()))
    };
    let above = |number: i64| match cut(number) {
        (step, cut) if cut < number.into() => cut + i128::from(step),
        (_, cut) => cut,
    };
    let below = |number: i64| match cut(number) {
        (step, cut) if cut > number.into() => cut - i128::from(step),
        (_, cut) => cut,
    };
    let greatest = greatest as i64;
    let first = i64::try_from(above(from.max(-greatest))).ok()?;
    let last = i64::try_from(below((to - 1).min(greatest))).ok()?;
    (first <= last).then_some((first, last.checked_add(1)?))
}

pub(super) fn random_whole_range(call: &Call<'_>) -> Result<Plan> {
    let (own, source) = (call.tensor("selfRef")?, Source::of(call)?);
    let dtype = check::dtype(&own, signatures::random_whole_range.takes)?;
    check::rank(&own)?;
    source.check()?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let last = match dtype {
        Bool => 1,
        U8 => u8::MAX.into(),
        I8 => i8::MAX as u64,
        I16 => i16::MAX as u64,
        I32 => i32::MAX as u64,
        I64 => i64::MAX as u64,
        // Of a complex number the real part.
        other => 1 << float_range(other).map_or(f32::MANTISSA_DIGITS, |(digits, _)| digits),
    };
    source.draw(Distribution::Bits { last }, &[], (&own, &[I64, dtype]))
}

pub(super) fn bernoulli(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor(if call.is_in_place() { "selfRef" } else { "self" })?;
    let (probability, out, source) = (call.scalar("prob")?, call.output()?, Source::of(call)?);
    let dtype = drawn_like(&own, &out)?;
    let types = check::types(signatures::bernoulli.parameters);
    if !types.contains(probability.dtype) {
        return invalid(format_args!("prob is a scalar of {}, but must be of {types}", probability.dtype));
    }
    let bytes = probability.converted(F64).unwrap_or_default();
    let number = f64::from_ne_bytes(bytes.first_chunk().copied().unwrap_or_default());
    is_probability("prob", number)?;
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    source.draw(Distribution::Bernoulli, &[Given::Number(number)], (&out, &[F32, dtype]))
}

pub(super) fn bernoulli_tensor(call: &Call<'_>) -> Result<Plan> {
    let own = call.tensor(if call.is_in_place() { "selfRef" } else { "self" })?;
    let (probability, out, source) = (call.tensor("prob")?, call.output()?, Source::of(call)?);
    let dtype = drawn_like(&own, &out)?;
    let given =
        Given::Tensor(&probability, check::dtype(&probability, signatures::bernoulli_tensor.parameters)?);
    check::rank(&probability)?;
    if out.shape()?.is_empty_tensor() || probability.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    // The library does not compare the shapes, and nothing says what it reads of others.
    spreads(&probability, &out)?;
    source.draw(Distribution::Bernoulli, &[given], (&out, &[F32, dtype]))
}

/// The type of an output, which has the type and the shape of another tensor.
fn drawn_like(own: &Operand, out: &Operand) -> Result<DType> {
    let dtype = check::dtype(own, signatures::bernoulli.takes)?;
    if out.known_dtype() != Some(dtype) {
        return invalid(format_args!("{} has another type than {}, which is {dtype}", out.name, own.name));
    }
    check::rank(own)?;
    check::output_shape(out, own.shape()?)?;
    Ok(dtype)
}

/// Checks that a number is a probability.
pub(super) fn is_probability(name: &str, number: f64) -> Result {
    match (0.0..=1.0).contains(&number) {
        true => Ok(()),
        false => invalid(format_args!("{name} is {number}, but must be from 0 to 1")),
    }
}
