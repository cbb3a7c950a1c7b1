//! Histograms: how often values occur.

use aclnn_numerics::DType::{self, Bool, F16, F32, F64, I32, I64};
use aclnn_numerics::product::Product::{Ascend310P, Ascend950};
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::axis::histogram::{Histogram, Occurrences, Range};

use super::axes::{castable, filled, invalid, output_type, tasks, temporaries};
use super::call::{Call, Plan};
use super::conversions::through;
use super::phases::entry_points;
use super::plan_builder::PlanBuilder;
use super::{check, signatures};
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::histogram_operators!(entry_points);

fn bincount(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::bincount;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let weights = call.optional_tensor("weights")?;
    let from = check::dtype(&own, signature.takes)?;
    let weighed = match &weights {
        None => None,
        Some(weights) => match weights.known_dtype() {
            Some(dtype @ (F32 | F16 | F64 | DType::I8 | DType::U8 | DType::I16 | I32 | I64 | Bool)) => {
                Some(dtype)
            }
            _ => return invalid("weights has a type that is not added"),
        },
    };
    let to = output_type(signature, from, &out)?;
    if own.rank() != 1 {
        return invalid(format_args!("self has {} axes, but must have one", own.rank()));
    }
    if let Some(weights) = &weights {
        check::output_shape(weights, own.shape()?)?;
    }
    let least = call.int("minlength")?;
    let length = out.shape()?.first().copied().unwrap_or(1);
    if i64::try_from(length).unwrap_or(i64::MAX).max(least) > i64::from(i32::MAX) {
        return invalid("the result has more elements than i32 counts");
    }
    if own.shape()?.is_empty_tensor() {
        return if least > 0 { filled(&[(&out, to)], 0.0) } else { Ok(Plan::empty()) };
    }
    if least > length as i64 {
        let message =
            format!("minlength is {least}, but out has {length} elements, to which the result is copied");
        return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
    }
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let is_950 = settings::get().product == Ascend950;
    let made = if weights.is_some() { F64 } else { I64 };
    // The type that is added in; counts in f32 end where one more is no longer another number.
    let rounded = match weighed {
        Some(F32) => F32,
        Some(_) => F64,
        None if is_950 => F32,
        None => I64,
    };
    let mut builder = PlanBuilder::new();
    let mut inputs = vec![builder.read(&own, own.in_order(from)?, from == I32)];
    let mut load = None;
    if let (Some(weights), Some(dtype)) = (&weights, weighed) {
        inputs.push(builder.read(weights, weights.in_order(dtype)?, dtype == rounded));
        load = Some(through(&[dtype, F64])?);
    }
    let output = builder.write(&out, to, out.in_order(to)?, to == rounded)?;
    let body = Occurrences {
        load: through(&[from, I32])?,
        weights: load,
        result: through(&[made, rounded, to])?,
        most: if is_950 { 1 << 24 } else { i64::MAX },
    };
    builder.whole(&inputs, &[output], body);
    let on_cores = check::types(signature.cores).contains(rounded);
    let bytes = temporaries(&[(&own, from, I32), (&out, to, rounded)]);
    Ok(builder.plan(bytes).by(tasks(on_cores, &[(from, I32), (rounded, to)])))
}

fn histc(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::histc;
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let (least, most) = (call.scalar("min")?, call.scalar("max")?);
    let from = check::dtype(&own, signature.takes)?;
    let to = output_type(signature, from, &out)?;
    let (low, high) = (float(least)?, float(most)?);
    if !(low.is_finite() && high.is_finite() || low == high && low.is_infinite()) {
        return invalid(format_args!("min and max are {low} and {high}, but must be finite"));
    }
    let bins = call.int("bins")?;
    if bins <= 0 {
        return invalid(format_args!("bins is {bins}, but must be positive"));
    }
    let is_reversed = match from.is_integer() {
        true => int(least, I32)? > int(most, I32)?,
        false => low > high,
    };
    if is_reversed {
        return invalid(format_args!("min is {low}, which is greater than max, {high}"));
    }
    // The library asks whether the output is converted to the operand.
    castable(to, from)?;
    if out.rank() != 1 || out.shape()?.numel() != usize::try_from(bins).ok() {
        return invalid(format_args!("out has shape {}, but must have one axis of {bins}", out.shape()?));
    }
    check::rank(&own)?;
    if own.shape()?.is_empty_tensor() {
        return filled(&[(&out, to)], 0.0);
    }
    let looks = settings::get().product != Ascend310P;
    let (seen, range) = if from.is_integer() {
        let (least, most) = (int(least, from)?, int(most, from)?);
        (I64, if looks && least == most { Range::OfInts } else { Range::Ints(least, most) })
    } else {
        // The limits are numbers of the operand's type.
        let limit = |scalar: &Scalar| match scalar.converted(from) {
            Some(bytes) => float(&Scalar::of_bytes(from, &bytes)),
            None => float(scalar),
        };
        let (least, most) = (limit(least)?, limit(most)?);
        let is_open = least == most || (most - least).abs() < 1e-6;
        (F32, if looks && is_open { Range::OfFloats } else { Range::Floats(least, most) })
    };
    let mut builder = PlanBuilder::new();
    let input = builder.read(&own, own.in_order(from)?, from == seen);
    let output = builder.write(&out, to, out.in_order(to)?, to == I32)?;
    let body = Histogram { load: through(&[from, seen])?, range, result: through(&[I64, I32, to])? };
    builder.whole(&[input], &[output], body);
    let on_cores = check::types(signature.cores).contains(from);
    let bytes = temporaries(&[(&own, from, from), (&out, to, I32)]);
    Ok(builder.plan(bytes).by(tasks(on_cores, &[(I32, to)])))
}

/// The scalar as f32.
fn float(scalar: &Scalar) -> Result<f32> {
    match scalar.converted(F32) {
        Some(bytes) => Ok(f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
        None => invalid(format_args!("a scalar of {} is no limit", scalar.dtype)),
    }
}

/// The scalar as an integer of a type.
fn int(scalar: &Scalar, dtype: DType) -> Result<i64> {
    let wide = scalar
        .converted(dtype)
        .map(|bytes| Scalar::of_bytes(dtype, &bytes))
        .and_then(|own| own.converted(I64));
    match wide {
        Some(bytes) => Ok(i64::from_ne_bytes([
            bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        ])),
        None => invalid(format_args!("a scalar of {} is no limit", scalar.dtype)),
    }
}
