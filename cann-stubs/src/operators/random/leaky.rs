//! Rectified elements with random slopes.

use aclnn_numerics::DType::{F32, F64};
use cann_kernels::random::{Uniform, leaky, sloped};

use super::source::Source;
use crate::meta::scalar::Scalar;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The most axes of the operands.
const AXES: usize = 32;

pub(super) fn rrelu(call: &Call<'_>) -> Result<Plan> {
    let (own, noise) = (call.tensor("self")?, call.tensor("noise")?);
    let (lower, upper) = (call.scalar("lower")?, call.scalar("upper")?);
    let out = call.tensor(if call.has("out") { "out" } else { "self" })?;
    let signature = &signatures::rrelu;
    let dtype = check::dtype(&own, signature.takes)?;
    for other in [&noise, &out] {
        if other.known_dtype() != Some(dtype) || other.format() != own.format() {
            return invalid(format_args!(
                "{} has another type or format than self, which is {dtype}",
                other.name
            ));
        }
    }
    let limit = |scalar: &Scalar| {
        let bytes = scalar.converted(F64).and_then(|bytes| bytes.first_chunk().copied());
        check::types(signature.parameters)
            .contains(scalar.dtype)
            .then(|| bytes.map(f64::from_ne_bytes))
            .flatten()
    };
    let (Some(from), Some(to)) = (limit(lower), limit(upper)) else {
        return invalid("lower and upper must be scalars of f32, f16, bf16 or f64");
    };
    if own.rank() > AXES {
        return invalid(format_args!("self has {} axes; at most {AXES} are possible", own.rank()));
    }
    check::output_shape(&out, own.shape()?)?;
    let trains = call.flag("training")?;
    let (count, slopes) = (own.shape()?.numel().unwrap_or(0), noise.shape()?.numel().unwrap_or(0));
    if count == 0 || slopes == 0 {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let input = builder.read(&own, own.in_order(dtype)?, true);
    if !trains {
        let middle = ((from + to) / 2.0) as f32;
        let result = builder.write(&out, dtype, out.in_order(dtype)?, true)?;
        builder.lanes(
            [(input, read_lanes(count, dtype, F32)?)],
            [(result, written_lanes(count, F32, dtype)?)],
            1,
            sloped(middle),
        );
        return Ok(builder.plan(0));
    }
    if slopes < count {
        return invalid(format_args!("noise has {slopes} elements, but self has {count}"));
    }
    let mut inputs = vec![(input, read_lanes(count, dtype, F32)?)];
    if slopes > count {
        // The others keep what they hold.
        inputs.push((builder.read(&noise, noise.in_order(dtype)?, true), read_lanes(slopes, dtype, F32)?));
    }
    let drawn = builder.write(&noise, dtype, noise.in_order(dtype)?, true)?;
    let result = builder.write(&out, dtype, out.in_order(dtype)?, true)?;
    let outputs = [(drawn, written_lanes(slopes, F32, dtype)?), (result, written_lanes(count, F32, dtype)?)];
    let range = Uniform::new(from, to, dtype);
    builder.lanes(inputs, outputs, 1, leaky(Source::of(call)?.seeds, range));
    Ok(builder.plan(0))
}
