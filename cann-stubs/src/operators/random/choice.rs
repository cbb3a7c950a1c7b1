//! Positions: drawn by weights, and in random order.

use aclnn_numerics::DType::{F64, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use cann_kernels::random as kernels;

use super::source::Source;
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Plan, Tasks};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The most weights of a row.
const MOST: usize = 1 << 24;

/// Elements of a tensor of which the processors of a device draw.
const FEW: usize = 5000;

pub(super) fn multinomial(call: &Call<'_>) -> Result<Plan> {
    let (own, out, source) = (call.tensor("self")?, call.tensor("out")?, Source::of(call)?);
    let (samples, replaces) = (call.int("numsamples")?, call.flag("replacement")?);
    let signature = &signatures::multinomial;
    let dtype = check::dtype(&own, signature.takes)?;
    output_of(signature.output, dtype, I64, &out)?;
    source.check()?;
    let shape = own.shape()?;
    let (rows, weights) = match shape[..] {
        [weights] => (1, weights),
        [rows, weights] => (rows, weights),
        _ => return invalid(format_args!("self has {} axes, but must have 1 or 2", own.rank())),
    };
    if weights > MOST {
        return invalid(format_args!(
            "self has {weights} weights in a row, but at most {MOST} are drawn from"
        ));
    }
    let Some(count) = usize::try_from(samples).ok().filter(|count| *count > 0) else {
        return invalid(format_args!("numsamples is {samples}, but must be above 0"));
    };
    if !replaces && count > weights {
        return invalid(format_args!(
            "numsamples is {samples}, but a row has {weights} weights, each drawn once"
        ));
    }
    let drawn = if shape.rank() == 1 { Shape::from(count) } else { Shape::from([rows, count]) };
    check::output_shape(&out, &drawn)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let input = builder.read(&own, own.in_order(dtype)?, false);
    let output = builder.write(&out, I64, out.in_order(I64)?, true)?;
    let lanes = ((input, read_lanes(weights, dtype, F64)?), (output, written_lanes(count, I64, I64)?));
    let body = kernels::multinomial(source.seeds, replaces);
    let by_processors = match settings::get().product {
        Product::Ascend950 => dtype == F64,
        Product::Ascend910B => shape.numel().is_some_and(|numel| numel <= FEW),
        _ => true,
    };
    let builder = source.lanes(builder, [lanes.0], lanes.1, rows, body)?;
    Ok(builder.plan(0).by(if by_processors { Tasks::Processors } else { Tasks::Cores }))
}

pub(super) fn randperm(call: &Call<'_>) -> Result<Plan> {
    let (out, source) = (call.tensor("out").map_err(check::null_is_internal)?, Source::of(call)?);
    let n = call.int("n")?;
    let dtype = check::dtype(&out, signatures::randperm.takes)?;
    let Ok(count) = usize::try_from(n) else {
        return invalid(format_args!("n is {n}, but must not be negative"));
    };
    check::output_shape(&out, &Shape::from(count))?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let output = builder.write(&out, dtype, out.in_order(dtype)?, dtype == I64)?;
    let lane = written_lanes(count, I64, dtype)?;
    let builder = source.lanes(builder, [], (output, lane), 1, kernels::permutation(source.seeds))?;
    Ok(builder.plan(0).by(Source::tasks(dtype)))
}
