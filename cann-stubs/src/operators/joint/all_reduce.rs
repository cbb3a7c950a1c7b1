//! Sums of the products of all ranks. What is added to a product is added on each rank, so that it counts once for each.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Shape;
use aclnn_numerics::types_by_product::Types;

use super::factors::Factors;
use super::parts::Joint;
use crate::collective::joint::Exchange;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::normalization::added;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn matmul_all_reduce(call: &Call<'_>) -> Result<Plan> {
    sums(call, signatures::matmul_all_reduce.takes)
}

pub(super) fn quant_matmul_all_reduce(call: &Call<'_>) -> Result<Plan> {
    sums(call, signatures::quant_matmul_all_reduce.takes)
}

pub(super) fn weight_quant_matmul_all_reduce(call: &Call<'_>) -> Result<Plan> {
    sums(call, signatures::weight_quant_matmul_all_reduce.takes)
}

pub(super) fn matmul_all_reduce_add_rms_norm(call: &Call<'_>) -> Result<Plan> {
    norms(call, signatures::matmul_all_reduce_add_rms_norm.takes)
}

pub(super) fn quant_matmul_all_reduce_add_rms_norm(call: &Call<'_>) -> Result<Plan> {
    norms(call, signatures::quant_matmul_all_reduce_add_rms_norm.takes)
}

pub(super) fn weight_quant_matmul_all_reduce_add_rms_norm(call: &Call<'_>) -> Result<Plan> {
    norms(call, signatures::weight_quant_matmul_all_reduce_add_rms_norm.takes)
}

/// Adds the product of each rank and the sum of all, which replaces it in `to`.
fn sum_up(joint: &mut Joint, factors: &Factors, to: &Operand) -> Result {
    joint.alone(factors.product(&factors.x1, factors.of_rows.as_ref(), to)?);
    let count = to.shape()?.numel().unwrap_or(0);
    joint.together(Exchange::AllReduce(factors.to, count), &[to, to])
}

/// The shape of the result: that of x1, with other columns.
fn shape_of(factors: &Factors, columns: usize) -> Result<Shape> {
    let [outer @ .., _] = &factors.x1.shape()?[..] else { return Ok(Shape::from([columns])) };
    Ok(Shape::from([outer, &[columns]].concat()))
}

fn sums(call: &Call<'_>, takes: Types) -> Result<Plan> {
    let out = call.tensor("output")?;
    let factors = Factors::of(call, takes, &out)?;
    let [rows, _, columns] = factors.size(3)?;
    check::output_shape(&out, &shape_of(&factors, columns)?)?;
    let mut joint = Joint::of(call, "group")?;
    if [rows, columns].contains(&0) {
        return Ok(Plan::empty());
    }
    let staged = joint.staged(&out, factors.to)?;
    sum_up(&mut joint, &factors, staged.as_ref().unwrap_or(&out))?;
    joint.deliver(staged.as_ref(), &out, factors.to)?;
    Ok(joint.plan())
}

/// Refuses operands that are not `wanted`.
fn alike(operands: &[&Operand], dtype: DType, shape: &Shape) -> Result {
    check::each(operands, |operand| {
        check::exactly(operand, dtype)?;
        check::output_shape(operand, shape)
    })
}

fn norms(call: &Call<'_>, takes: Types) -> Result<Plan> {
    let (residual, gamma, out) = (call.tensor("residual")?, call.tensor("gamma")?, call.tensor("normOut")?);
    // The sum replaces the residual, or has an output of its own.
    let total = call.tensor(if call.is_in_place() { "residual" } else { "y" })?;
    let factors = Factors::of(call, takes, &out)?;
    let [rows, _, columns] = factors.size(3)?;
    let shape = shape_of(&factors, columns)?;
    if residual.rank() != 3 && residual.rank() != shape.rank() {
        return invalid(format_args!("residual has {} axes, but must have 3", residual.rank()));
    }
    // Rows may lie in a batch of one.
    let wanted = residual.shape()?.clone();
    if wanted.numel() != shape.numel() || wanted.last() != shape.last() {
        return invalid(format_args!("residual has shape {wanted}, but the result has {shape}"));
    }
    alike(&[&residual, &out, &total], factors.to, &wanted)?;
    alike(&[&gamma], factors.to, &Shape::from([columns]))?;
    let mut joint = Joint::of(call, "group")?;
    if [rows, columns].contains(&0) {
        return Ok(Plan::empty());
    }
    let sum = joint.kept("the sum of all ranks", factors.to, &wanted);
    sum_up(&mut joint, &factors, &sum)?;
    let eps = call.float("epsilon")?;
    joint.alone(added([&sum, &residual, &gamma], (&out, None, Some(&total)), eps, [rows, columns])?);
    Ok(joint.plan())
}
