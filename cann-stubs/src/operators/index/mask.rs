//! Operators that depend on the truth of each element: of a mask, or of the tensor itself.

use aclnn_numerics::DType;
use aclnn_numerics::layout::broadcast;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::indexing::index::{MaskedFill, MaskedScatter, MaskedSelect, Nonzero};
use cann_kernels::{Conversions, View, size_of_dtype};
use smallvec::SmallVec;

use super::checks::{invalid, is_empty, no_kernel, numel, ranks, same_type, shape};
use super::plans::copies;
use super::slices::element;
use crate::operators::call::{Call, Operand, Plan, Tasks};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn masked_select(call: &Call<'_>) -> Result<Plan> {
    let (own, mask, out) = (call.tensor("self")?, call.tensor("mask")?, call.tensor("out")?);
    let signature = signatures::masked_select;
    let dtype = check::dtype(&own, signature.takes)?;
    let truth = check::dtype(&mask, signature.indices)?;
    let made = check::dtype(&out, signature.output.unwrap_or(Types::of("")))?;
    let common = check::broadcast_shape(&own, &mask)?;
    check::rank(&out)?;
    shape(&out, &[common.numel().unwrap_or(usize::MAX)])?;
    if is_empty(&own)? || is_empty(&mask)? || is_empty(&out)? {
        return Ok(Plan::empty());
    }
    let Some(conversions) = Conversions::cast(settings::get().product, dtype, made) else {
        return no_kernel(format!("there is no kernel that converts {dtype} to {made}"));
    };
    let mut builder = PlanBuilder::new();
    let inputs = [
        builder.read(&mask, mask.view(truth, &common)?, truth == DType::Bool),
        builder.read(&own, own.view(dtype, &common)?, dtype == made),
    ];
    let to = builder.write(&out, made, out.in_order(made)?, true)?;
    builder.whole(&inputs, &[to], MaskedSelect { conversions });
    builder.sets_sizes();
    Ok(builder.plan(copies(&[(&own, dtype), (&mask, truth)])))
}

/// The mask as elements of the shape of the tensor that is changed, to which it must broadcast.
fn mask_of(mask: &Operand, truth: DType, own: &Operand) -> Result<View> {
    if broadcast(own.shape()?, mask.shape()?).ok().as_ref() != Some(own.shape()?) {
        return invalid(format!(
            "mask has shape {}, which is not broadcast to {}",
            mask.shape()?,
            own.shape()?
        ));
    }
    mask.view(truth, own.shape()?)
}

pub(super) fn masked_fill(call: &Call<'_>) -> Result<Plan> {
    let (own, mask) = (call.tensor("self")?, call.tensor("mask")?);
    let scalar = if call.is_scalar("value") { Some(call.scalar("value")?) } else { None };
    let tensor = if scalar.is_none() { Some(call.tensor("value")?) } else { None };
    let signature = signatures::masked_fill;
    let dtype = check::dtype(&own, signature.takes)?;
    let truth = check::dtype(&mask, signature.indices)?;
    let of_value = match &tensor {
        // Of the value, bf16 is taken on every product.
        Some(value) if value.known_dtype() == Some(DType::BF16) => Some(DType::BF16),
        Some(value) => Some(check::dtype(value, signature.takes)?),
        None => None,
    };
    if let Some(value) = tensor.as_ref().filter(|value| value.rank() > 0) {
        return invalid(format!("value has shape {}, but must have no axes", value.shape()?));
    }
    ranks(&[&own, &mask])?;
    let view = mask_of(&mask, truth, &own)?;
    if is_empty(&own)? || is_empty(&mask)? {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let mut inputs = vec![builder.read(&mask, view, true)];
    let (mut known, mut conversions) = (SmallVec::new(), Conversions::default());
    match (&scalar, tensor.as_ref().zip(of_value)) {
        (Some(value), _) => known = element(value, dtype)?,
        (_, Some((value, from))) => {
            inputs.push(builder.read(value, value.in_order(from)?, from == dtype));
            conversions = match Conversions::cast(settings::get().product, from, dtype) {
                Some(conversions) => conversions,
                None => return no_kernel(format!("there is no kernel that converts {from} to {dtype}")),
            };
        }
        _ => return no_kernel("there is no value"),
    }
    let to = builder.write(&own, dtype, own.in_order(dtype)?, true)?;
    builder.whole(&inputs, &[to], MaskedFill { element: known, conversions });
    Ok(builder.plan(copies(&[(&own, dtype), (&mask, truth)])))
}

pub(super) fn masked_scatter(call: &Call<'_>) -> Result<Plan> {
    let (own, mask, source) = (call.tensor("self")?, call.tensor("mask")?, call.tensor("source")?);
    let dtype = check::dtype(&own, signatures::masked_scatter.takes)?;
    same_type(&source, &own)?;
    let truth = check::dtype(&mask, signatures::masked_scatter.indices)?;
    ranks(&[&own, &mask, &source])?;
    let view = mask_of(&mask, truth, &own)?;
    if is_empty(&own)? || is_empty(&mask)? {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    let inputs = [
        builder.read(&mask, view, truth == DType::Bool),
        builder.read(&source, source.in_order(dtype)?, true),
    ];
    let to = builder.write(&own, dtype, own.in_order(dtype)?, true)?;
    builder.whole(&inputs, &[to], MaskedScatter);
    Ok(builder.plan(copies(&[(&own, dtype), (&mask, truth), (&source, dtype)])))
}

pub(super) fn nonzero(call: &Call<'_>) -> Result<Plan> {
    coordinates(call, signatures::nonzero.takes, false)
}

pub(super) fn nonzero_v2(call: &Call<'_>) -> Result<Plan> {
    coordinates(call, signatures::nonzero_v2.takes, true)
}

/// The coordinates of the elements that are not zero, one in each row or in each column.
fn coordinates(call: &Call<'_>, takes: Types, in_columns: bool) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let dtype = check::dtype(&own, takes)?;
    if out.known_dtype() != Some(DType::I64) {
        return invalid("out must be i64");
    }
    let sizes = own.shape()?;
    if let Some(size) = sizes.iter().find(|size| **size > i32::MAX as usize) {
        return invalid(format!(
            "self has an axis of {size} elements, of which at most {} are possible",
            i32::MAX
        ));
    }
    ranks(&[&own, &out])?;
    if is_empty(&own)? || is_empty(&out)? {
        return Ok(Plan::empty());
    }
    // The result is written without gaps, whatever the strides of the output are.
    let whole = out.view_of(DType::I64, &[numel(&out)?], &[1], out.offset())?;
    let mut bits: SmallVec<[u8; 16]> = SmallVec::from_elem(0xFF, size_of_dtype(dtype));
    if dtype.is_float()
        && let Some(sign) = bits.last_mut()
    {
        *sign = 0x7F;
    }
    let mut builder = PlanBuilder::new();
    let from = builder.read(&own, own.in_order(dtype)?, true);
    let to = builder.write(&out, DType::I64, whole, true)?;
    builder.whole(&[from], &[to], Nonzero { shape: SmallVec::from_slice(sizes), bits, in_columns });
    builder.sets_sizes();
    Ok(builder.plan(copies(&[(&own, dtype)])).by(Tasks::Processors))
}
