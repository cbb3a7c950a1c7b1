//! Lists that are copied, and lists that become zero.

use aclnn_numerics::DType::{self, BF16, F16, F32};
use cann_kernels::{LaneFunction, size_of_dtype};

use super::each::finish;
use super::lists::{Lists, numel, refuse};
use crate::operators::call::{Call, Plan};
use crate::operators::conversions;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Returns whether tensors of one type are copied to those of the other.
fn copies(from: DType, to: DType) -> bool {
    from == to || matches!((from, to), (F32, F16 | BF16) | (F16 | BF16, F32))
}

pub(super) fn foreach_copy(call: &Call<'_>) -> Result<Plan> {
    let lists = Lists::of(call)?;
    let takes = signatures::foreach_copy.takes;
    let mut builder = PlanBuilder::new();
    let mut of_lists = None;
    let sources = lists.tensors().next().into_iter().flatten();
    for (index, (own, output)) in sources.zip(&lists.outputs).enumerate() {
        let (from, to) = (check::dtype(own, takes)?, check::dtype(output, takes)?);
        if *of_lists.get_or_insert((from, to)) != (from, to) {
            return refuse(format!("tensor {index} has another type than those before it in its list"));
        }
        check::rank(own)?;
        if !copies(from, to) {
            return refuse(format!("tensor {index} is {from}, which is not copied to {to}"));
        }
        let (given, shape) = (own.shape()?, output.shape()?);
        if numel(given) != numel(shape) {
            return refuse(format!("tensor {index} has shape {given}, which is not copied to {shape}"));
        }
        if shape.is_empty_tensor() {
            continue;
        }
        let read = builder.read(own, own.in_order(from)?, true);
        let written = builder.write(output, to, output.in_order(to)?, true)?;
        if given == shape {
            let conversions = conversions::through(&[from, to])?;
            builder.carry(read, written, shape, conversions);
            continue;
        }
        // As they lie in memory, one after the other.
        let count = numel(shape);
        let (from, to) = (read_lanes(count, from, to)?, written_lanes(count, to, to)?);
        builder.lanes([(read, from)], [(written, to)], 1, LaneFunction::new("copy", copied));
    }
    finish(builder, &lists)
}

fn copied(_: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> cann_kernels::Result {
    inputs.iter().zip(outputs).for_each(|(from, to)| to.copy_from_slice(from));
    Ok(())
}

pub(super) fn foreach_zero(call: &Call<'_>) -> Result<Plan> {
    let lists = Lists::of(call)?;
    let Some(dtype) = lists.dtype(signatures::foreach_zero.takes)? else { return Ok(Plan::empty()) };
    lists.same_shapes()?;
    let mut builder = PlanBuilder::new();
    for output in &lists.outputs {
        let shape = output.shape()?;
        if !shape.is_empty_tensor() {
            let written = builder.write(output, dtype, output.view(dtype, shape)?, true)?;
            builder.fill(written, shape, &[0; 16][..size_of_dtype(dtype)]);
        }
    }
    finish(builder, &lists)
}
