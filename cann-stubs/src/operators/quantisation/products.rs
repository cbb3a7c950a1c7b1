//! Products of groups of rows of integers, whose gated linear units are quantised.

use aclnn_numerics::DType::{BF16, F16, F32, I4, I8, I32, I64};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::axis::quantisation::{Groups, Listed, quantised_units_of_products};

use super::rows::{Rows, one_of};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// A tensor, or the only one of a list.
fn single<'c>(call: &'c Call<'_>, name: &str) -> Result<Operand<'c>> {
    if call.is_tensor(name) {
        return call.tensor(name);
    }
    let mut all = call.tensors(name)?;
    match (all.pop(), all.pop()) {
        (Some(only), None) => Ok(only),
        (None, _) => Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, format_args!("{name} has no tensor"))),
        _ => invalid(format_args!("{name} has several tensors, but must have one for all groups")),
    }
}

pub(super) fn grouped_matmul_swiglu_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, weight, factors) = (call.tensor("x")?, single(call, "weight")?, single(call, "weightScale")?);
    let (of_rows, list) = (call.tensor("xScale")?, call.tensor("groupList")?);
    let (y, scale) = (call.tensor("output")?, call.tensor("outputScale")?);
    let signature = &signatures::grouped_matmul_swiglu_quant;
    let own = check::dtype(&x, signature.takes)?;
    if one_of(&weight, &[I8, I4, I32])? != I8 {
        return check::not_emulated(
            "products of groups with weights of four bits, whose units are quantised",
        );
    }
    let of_factors = one_of(&factors, &[F32, F16, BF16])?;
    check::exactly(&of_rows, F32)?;
    check::exactly(&list, I64)?;
    let to = output_of(signature.output, own, own, &y)?;
    check::exactly(&scale, F32)?;
    let mut listed = Listed::Ends;
    if call.has("groupListType") {
        listed = match call.int("groupListType")? {
            0 => Listed::Ends,
            1 => Listed::Counts,
            other => return invalid(format_args!("groupListType is {other}, but must be 0 or 1")),
        };
        let is_other = |name| call.int(name) != Ok(0);
        if is_other("dequantMode") || is_other("quantMode") || call.optional_tensor("smoothScale")?.is_some()
        {
            return check::not_emulated("units of products in modes other than 0, or with factors");
        }
    }
    let ([rows, k], [groups, of_k, n]) = (&x.shape()?[..], &weight.shape()?[..]) else {
        return invalid("x must have 2 axes and weight 3");
    };
    let ([rows, k], [groups, of_k, n]) = ([*rows, *k], [*groups, *of_k, *n]);
    if k != of_k || n % 2 != 0 {
        return invalid(format_args!(
            "x has {k} columns, and matrices have {of_k} rows and {n} columns; both must be the same, and columns even"
        ));
    }
    check::output_shape(&factors, &[groups, n])?;
    check::output_shape(&of_rows, &[rows])?;
    check::output_shape(&y, &[rows, n / 2])?;
    check::output_shape(&scale, &[rows])?;
    let entries = match list.shape()?[..] {
        [entries] if entries <= groups => entries,
        _ => return invalid(format_args!("groupList must have at most {groups} entries on one axis")),
    };
    if [rows, n, k, entries].contains(&0) {
        return Ok(Plan::empty());
    }
    let mut lanes = Rows::new(rows);
    lanes.each(&x, [own, own])?;
    lanes.all(&weight, [I8, I8])?;
    lanes.all(&factors, [of_factors, F32])?;
    lanes.each(&of_rows, [F32, F32])?;
    let input = lanes.all(&list, [I64, I64])?;
    lanes.write(&y, [to, to])?;
    lanes.write(&scale, [F32, F32])?;
    lanes.plan(quantised_units_of_products(n, Groups { input, listed }, entries))
}
