//! The norm of each tensor of a list.

use aclnn_numerics::DType::{F32, F64, I64};
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::networks::foreach::{Norm, norm};
use cann_kernels::{LaneFunction, size_of_dtype};

use super::each::finish;
use super::lists::{Given, Lists, numel, refuse};
use crate::operators::call::{Call, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn foreach_norm(call: &Call<'_>) -> Result<Plan> {
    let lists = Lists::of(call)?;
    let Some(dtype) = lists.dtype(signatures::foreach_norm.takes)? else { return Ok(Plan::empty()) };
    let order = call.scalar("scalar")?;
    // CANN's description has f32 and i64; PyTorch's plugin passes f64.
    let Some(number) = order.real(F64).filter(|_| matches!(order.dtype, F32 | F64 | I64)) else {
        return refuse(format!("the scalar is {}, but the order of a norm is f32, f64 or i64", order.dtype));
    };
    // Before the 950 every other order is computed as 2.
    let which = match number {
        infinite if infinite == f64::INFINITY && settings::get().product == Ascend950 => Norm::Greatest,
        number if number.trunc() == 1.0 => Norm::Sum,
        _ => Norm::Root,
    };
    let mut builder = PlanBuilder::new();
    let tensors = lists.given.iter().find_map(|given| match given {
        Given::Tensors(tensors) => Some(tensors),
        _ => None,
    });
    for (index, (own, output)) in tensors.into_iter().flatten().zip(&lists.outputs).enumerate() {
        check::rank(own)?;
        check::rank(output)?;
        if numel(output.shape()?) != 1 {
            let shape = output.shape()?;
            return refuse(format!("tensor {index} of out has shape {shape}, but a norm is one element"));
        }
        let written = builder.write(output, dtype, output.view(dtype, output.shape()?)?, true)?;
        let count = numel(own.shape()?);
        if count == 0 {
            builder.fill(written, output.shape()?, &[0; 4][..size_of_dtype(dtype)]);
            continue;
        }
        let read = builder.read(own, own.in_order(dtype)?, true);
        let (from, to) = (read_lanes(count, dtype, F32)?, written_lanes(1, F32, dtype)?);
        builder.lanes([(read, from)], [(written, to)], 1, LaneFunction::new("norm", norm(which)));
    }
    finish(builder, &lists)
}
