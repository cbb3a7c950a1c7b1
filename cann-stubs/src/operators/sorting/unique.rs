//! Elements and slices that differ. How many there are is known when they are computed; the sizes of the outputs are set
//! then.

use aclnn_numerics::DType::{self, I64};
use aclnn_numerics::layout::Shape;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::sorting::unique::{Distinct, Unique};
use smallvec::SmallVec;

use super::super::axes::axis;
use super::super::call::{Call, Operand, Plan, described, workspace};
use super::super::plan_builder::PlanBuilder;
use super::super::{check, signatures};
use super::rules::{along, kept, refuse, size};
use crate::status::{Result, Status};

/// The axis that stands for none.
const NONE: i64 = 1000;

/// The outputs that are asked for.
struct Outputs<'a> {
    values: &'a Operand<'a>,
    inverse: Option<&'a Operand<'a>>,
    counts: Option<&'a Operand<'a>>,
}

pub(super) fn unique(call: &Call<'_>) -> Result<Plan> {
    let (own, values, inverse) =
        (call.tensor("self")?, call.tensor("value_out")?, call.tensor("inverse_out")?);
    let counts = call.has("counts_out").then(|| call.tensor("counts_out")).transpose()?;
    let dtype = check::dtype(&own, signatures::unique.takes)?;
    check::exactly(&inverse, I64)?;
    check::all_exactly(counts.as_slice(), I64)?;
    let returns_inverse = call.flag("return_inverse")?;
    let returns_counts = call.has("return_counts") && call.flag("return_counts")?;
    if returns_inverse || returns_counts {
        check::output_shape(&inverse, own.shape()?)?;
    }
    let counts = counts.as_ref().filter(|_| returns_counts);
    if let Some(counts) = counts {
        check::output_shape(counts, values.shape()?)?;
    }
    check::rank(&own)?;
    let outputs = Outputs { values: &values, inverse: Some(&inverse).filter(|_| returns_inverse), counts };
    plan(&own, dtype, None, true, outputs)
}

pub(super) fn unique_consecutive(call: &Call<'_>) -> Result<Plan> {
    let (own, values) = (call.tensor("self")?, call.tensor("value_out")?);
    let (inverse, counts) = (call.tensor("inverse_out")?, call.tensor("counts_out")?);
    let dtype = check::dtype(&own, signatures::unique_consecutive.takes)?;
    check::exactly(&values, dtype)?;
    check::exactly(&inverse, I64)?;
    check::exactly(&counts, I64)?;
    check::rank(&own)?;
    let dim = call.int("dim")?;
    let axis = if dim == NONE { None } else { Some(axis(&own, dim)?) };
    let outputs = Outputs {
        values: &values,
        inverse: Some(&inverse).filter(|_| call.flag("return_inverse").unwrap_or(false)),
        counts: Some(&counts).filter(|_| call.flag("return_counts").unwrap_or(false)),
    };
    plan(&own, dtype, axis, false, outputs)
}

pub(super) fn unique_dim(call: &Call<'_>) -> Result<Plan> {
    let (own, values) = (call.tensor("self")?, call.tensor("value_out")?);
    let (inverse, counts) = (call.tensor("inverse_out")?, call.tensor("counts_out")?);
    let dtype = check::dtype(&own, signatures::unique_dim.takes)?;
    check::exactly(&values, dtype)?;
    check::exactly(&inverse, I64)?;
    check::exactly(&counts, I64)?;
    check::rank(&own)?;
    let axis = axis(&own, call.int("dim")?)?;
    let returns_inverse = call.flag("return_inverse")?;
    let outputs = Outputs {
        values: &values,
        inverse: Some(&inverse).filter(|_| returns_inverse),
        counts: Some(&counts),
    };
    plan(&own, dtype, Some(axis), true, outputs)
}

/// The slices along an axis, or the elements where there is none.
fn plan(own: &Operand, dtype: DType, axis: Option<usize>, sorts: bool, outputs: Outputs<'_>) -> Result<Plan> {
    let shape = own.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if outputs.values.known_dtype() != Some(dtype) {
        let given = described(outputs.values.raw_dtype());
        return refuse(format!("value_out is {given}, into which {dtype} of self is not converted"));
    }
    let distinct = Distinct::of(dtype, sorts).ok_or_else(|| {
        Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("there is no kernel for {dtype}"))
    })?;
    let along = axis.map_or_else(SmallVec::new, |axis| along(own, axis));
    // Slices come one after the other.
    let order: SmallVec<[usize; 8]> =
        along.iter().copied().chain((0..own.rank()).filter(|axis| !along.contains(axis))).collect();
    let slices = match axis {
        Some(axis) => size(own, axis)?,
        None => shape.numel().unwrap_or(0),
    };
    let sizes: SmallVec<[usize; 8]> = match axis {
        Some(_) if own.rank() > 0 => SmallVec::from_slice(shape),
        _ => SmallVec::from_slice(&[slices]),
    };
    let mut builder = PlanBuilder::new();
    let elements = builder.read(own, own.permuted(dtype, &order)?, true);
    let mut written = Vec::new();
    let mut write = |operand: &Operand, dtype: DType, is_sized: bool| -> Result<()> {
        if is_sized && !operand.is_contiguous() {
            let message = format!(
                "{} is not contiguous; its sizes are set when it is computed, so its elements lie one after the other",
                operand.name
            );
            return Err(Status::new(ACLNN_ERR_INNER_NULLPTR, message));
        }
        let view = operand.in_order(dtype)?;
        written.push(builder.write(operand, dtype, view, true)?);
        Ok(())
    };
    write(outputs.values, dtype, true)?;
    if let Some(inverse) = outputs.inverse {
        write(inverse, I64, false)?;
    }
    if let Some(counts) = outputs.counts {
        write(counts, I64, true)?;
    }
    let body = Unique {
        distinct,
        slices,
        shape: Shape::from(&sizes[..]),
        axis: axis.unwrap_or(0),
        has_inverse: outputs.inverse.is_some(),
        has_counts: outputs.counts.is_some(),
    };
    builder.whole(&[elements], &written, body);
    builder.sets_sizes();
    Ok(builder.plan(workspace([kept(own, dtype, dtype)])))
}
