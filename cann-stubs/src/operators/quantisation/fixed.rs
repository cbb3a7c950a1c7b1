//! Elements with scales and offsets that are given.

use aclnn_numerics::DType::{BF16, F8E4M3FN, F8E5M2, F16, F32, HiF8};
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_numerics::product::Product::{Ascend310P, Ascend950};
use aclnn_sys::{ACL_FORMAT_FRACTAL_NZ, aclDataType};
use cann_kernels::View;
use cann_kernels::axis::quantisation::{Rounding, fixed};
use smallvec::SmallVec;

use super::rows::{FLOATS, Rows, codes, given_as, one_of, shape_of_codes};
use crate::operators::axes::{axis_in, invalid, output_is, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn ascend_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, scale, y) = (call.tensor("x")?, call.tensor("scale")?, call.tensor("y")?);
    let offset = call.optional_tensor("offset")?;
    let product = settings::get().product;
    let has_axis = call.has("axis");
    if has_axis && x.rank() == 0 {
        return invalid("x has no axes");
    }
    if !has_axis && product == Ascend950 {
        return invalid("this product does not have this form; call AscendQuantV3");
    }
    let own = check::dtype(&x, signatures::ascend_quant.takes)?;
    let to = output_of(signatures::ascend_quant.output, own, own, &y)?;
    let types = if product == Ascend310P { &FLOATS[..2] } else { &FLOATS };
    let of_scale = one_of(&scale, if own == F32 { types } else { std::slice::from_ref(&own) })?;
    given_as(offset.as_ref(), &[of_scale])?;
    output_is(&y, aclDataType(call.int("dstType")? as i32))?;
    let shape = x.shape()?;
    let rank = shape.rank().max(1);
    let axis = if has_axis { axis_in("axis", call.int("axis")?, rank)? } else { rank - 1 };
    if product == Ascend310P && axis + 1 != rank {
        return invalid(format_args!(
            "axis is {axis}, but only the last axis of x has scales on this product"
        ));
    }
    if axis + 2 < rank {
        return invalid(format_args!("axis is {axis}, but only the last two axes of x have scales"));
    }
    shape_of_codes(&y, to, shape)?;
    check::rank(&x)?;
    match has_axis {
        true => along(&scale, offset.as_ref(), shape, axis)?,
        false => across(&scale, offset.as_ref(), shape)?,
    }
    let mode = call.optional_text("roundMode")?;
    let rounding = match (to, mode.as_deref()) {
        (_, Some("round")) => Rounding::Even,
        (HiF8, Some("hybrid")) => return check::not_emulated("the rounding \"hybrid\" of hif8"),
        (HiF8 | F8E5M2 | F8E4M3FN, _) => {
            return invalid(format_args!("roundMode must be \"round\" for {to}"));
        }
        (_, Some("floor")) => Rounding::Floor,
        (_, Some("ceil")) => Rounding::Ceil,
        (_, Some("trunc")) => Rounding::Truncate,
        _ => return invalid("roundMode must be \"round\", \"floor\", \"ceil\" or \"trunc\""),
    };
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if x.format() == ACL_FORMAT_FRACTAL_NZ {
        return check::not_emulated("the quantisation of matrices in fractals");
    }
    if !has_axis {
        untiled_across(&scale, offset.as_ref(), shape)?;
    }

    let last = shape.last().copied().unwrap_or(1);
    let mut rows = Rows::new(shape.numel().unwrap_or(0) / last);
    rows.read(&x, x.in_order(own)?, [own, F32], last)?;
    for operand in [Some(&scale), offset.as_ref()].iter().flatten() {
        let view = spread(operand, shape, axis)?;
        rows.read(operand, view, [of_scale, F32], last)?;
    }
    rows.write(&y, [to, to])?;
    rows.plan(fixed(call.flag("sqrtMode")?, rounding, codes(to)?))
}

/// The numbers for all elements: one for each index of an axis, or one.
fn spread(operand: &Operand, shape: &Shape, axis: usize) -> Result<View> {
    let dtype = one_of(operand, &[F32, F16, BF16])?;
    let sizes = operand.shape()?;
    let is_single = sizes.numel() == Some(1);
    let own = if sizes.rank() == 1 { 0 } else { axis };
    let step = operand.strides().get(own).copied().filter(|_| !is_single).unwrap_or(0);
    let strides: SmallVec<[isize; 8]> =
        (0..shape.rank()).map(|other| if other == axis { step } else { 0 }).collect();
    operand.view_of(dtype, shape, &strides, operand.offset())
}

/// Scales of the newer form: of one axis, or one for all.
fn along(scale: &Operand, offset: Option<&Operand>, shape: &Shape, axis: usize) -> Result {
    let sizes = scale.shape()?;
    if let Some(offset) = offset {
        check::output_shape(offset, sizes)?;
    }
    let fits = match sizes.rank() {
        0 => false,
        1 => sizes[0] == shape[axis] || sizes[0] == 1,
        rank if rank == shape.rank() => {
            let fits = |(own, size): (usize, &usize)| *size == 1 || own == axis && *size == shape[axis];
            sizes.iter().enumerate().all(fits)
        }
        _ => false,
    };
    match fits {
        true => Ok(()),
        false => invalid(format_args!(
            "scale has shape {sizes}, but must have one element, or {} along axis {axis} alone",
            shape[axis]
        )),
    }
}

/// Scales of the older form, which are those of the last axis.
fn across(scale: &Operand, offset: Option<&Operand>, shape: &Shape) -> Result {
    let last = shape.last().copied().unwrap_or(1);
    let wanted = scale.shape()?.last().copied().unwrap_or(1);
    for operand in [scale].into_iter().chain(offset) {
        let sizes = operand.shape()?;
        let own = sizes.last().copied().unwrap_or(1);
        let fits = (own == last || own == 1)
            && own == wanted
            && sizes.iter().rev().skip(1).all(|size| *size == 1)
            && matches!(broadcast(sizes, shape), Ok(both) if both == *shape);
        if !fits {
            return invalid(format_args!(
                "{} has shape {sizes}, but must have {last} elements or one on the last axis, and one on the others",
                operand.name
            ));
        }
    }
    Ok(())
}

/// The older form checks these shapes where the work is divided.
fn untiled_across(scale: &Operand, offset: Option<&Operand>, shape: &Shape) -> Result {
    let fits = [1, shape.rank()].contains(&scale.rank());
    let is_alike = |offset: &Operand| offset.shape().ok() == scale.shape().ok();
    match fits && offset.is_none_or(is_alike) {
        true => Ok(()),
        false => check::unlaunched("scale must have one axis or as many as x, and offset its shape"),
    }
}
