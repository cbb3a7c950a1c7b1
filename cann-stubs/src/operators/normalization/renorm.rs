//! Slices whose norm is limited.

use aclnn_numerics::DType::{self, BF16, F16, F32, I32, I64};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{bf16, f16};
use aclnn_sys::ACL_FORMAT_FRACTAL_NZ;
use cann_kernels::axis::renorm::{Limit, LimitRows};
use smallvec::SmallVec;

use crate::meta::scalar::Scalar;
use crate::operators::axes::{axis, invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::lane_planner::Planner;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The limit of tensors of a type. Before the 950 the factor of a slice is rounded to this type.
fn limit(p: f64, most: f64, dtype: DType) -> Result<Limit> {
    if p.is_nan() || p < 0.0 {
        return invalid(format_args!("the order of the norm is {p}, but must not be negative"));
    }
    let rounded: fn(f64) -> f64 = match dtype {
        _ if settings::get().product == Ascend950 => |factor| factor,
        F16 => |factor| f16::from_f64(factor).to_f64(),
        BF16 => |factor| bf16::from_f64(factor).to_f64(),
        _ => |factor| f64::from(factor as f32),
    };
    Ok(Limit { p, most, rounded })
}

fn number(scalar: &Scalar, name: &str) -> Result<f64> {
    let bytes = scalar.converted(DType::F64).and_then(|bytes| bytes.first_chunk().copied());
    match bytes {
        Some(bytes) => Ok(f64::from_ne_bytes(bytes)),
        None => invalid(format_args!("{name} is no real number")),
    }
}

pub(super) fn renorm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::renorm;
    let own = call.tensor(if call.is_in_place() { "selfRef" } else { "self" })?;
    let (p, most, out) = (call.scalar("p")?, call.scalar("maxNorm")?, call.output()?);
    let from = check::dtype(&own, signature.takes)?;
    output_of(signature.output, from, from, &out)?;
    check::rank(&own)?;
    if own.rank() < 2 {
        return invalid(format_args!("self has {} axes, but needs at least 2", own.rank()));
    }
    check::output_shape(&out, own.shape()?)?;
    if out.format() != own.format() {
        return invalid("out has another format than self");
    }
    let most = number(most, "maxNorm")?;
    let limit = limit(number(p, "p")?, most, from)?;
    if most.is_nan() || most < 0.0 {
        return invalid(format_args!("maxNorm is {most}, but must not be negative"));
    }
    let axis = axis(&own, call.int("dim")?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let others: SmallVec<[usize; 8]> = (0..own.rank()).filter(|other| *other != axis).collect();
    let count = own.shape()?[axis];
    let len = own.shape()?.numel().unwrap_or(0) / count;
    let mut planner = Planner::new();
    let view = |operand: &Operand, dtype: DType| operand.lanes(dtype, &others);
    let x = planner.read(&own, len, &view)?;
    let out = planner.write(&out, len, &view)?;
    planner.lanes(count, [x], [out], "limit norms", move |[x], [out]| limit.apply(x, out))?;
    Ok(planner.plan())
}

pub(super) fn embedding_renorm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::embedding_renorm;
    let (own, indices) = (call.tensor("selfRef")?, call.tensor("indices")?);
    let from = check::dtype(&own, signature.takes)?;
    let numbers = check::dtype(&indices, Types::of("i32 i64"))?;
    check::rank(&indices)?;
    if own.rank() != 2 {
        return invalid(format_args!("selfRef has {} axes, but must have 2", own.rank()));
    }
    if let Some(wrong) =
        [&own, &indices].into_iter().find(|operand| operand.format() == ACL_FORMAT_FRACTAL_NZ)
    {
        return invalid(format_args!("{} has the storage format FRACTAL_NZ", wrong.name));
    }
    let limit = limit(call.float("normType")?, call.float("maxNorm")?, from)?;
    if own.shape()?.is_empty_tensor() || indices.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    debug_assert!(matches!(numbers, I32 | I64));
    let body = LimitRows {
        limit,
        rows: own.shape()?[0],
        len: own.shape()?[1],
        numbers: through(&[numbers, I64])?,
        widen: through(&[from, F32])?,
        narrow: through(&[F32, from])?,
    };
    let mut builder = PlanBuilder::new();
    let table = builder.read(&own, own.in_order(from)?, true);
    let indices = builder.read(&indices, indices.in_order(numbers)?, true);
    let out = builder.write(&own, from, own.in_order(from)?, true)?;
    builder.whole(&[table, indices], &[out], body);
    Ok(builder.plan(0))
}
