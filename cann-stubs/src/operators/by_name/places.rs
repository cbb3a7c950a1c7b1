//! Operators that put elements in other places.

use aclnn_numerics::DType;

use super::named::{Named, Work};
use crate::mapped::mapped;
use crate::meta::scalar::Scalar;
use crate::operators::argument::Argument::Int;
use crate::operators::axes::{axis_in, invalid};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::formats::{self, Layout, is_private};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, index, movement};
use crate::status::Result;

pub(super) fn transpose(named: &Named) -> Result<Work> {
    let axes = named.array(named.host_ints(1)?);
    named.call(movement::Permute::FORM, vec![named.input(0), axes, named.output(0)])
}

/// The type of elements that are moved as they are.
fn movable(operand: &Operand) -> Result<DType> {
    match operand.known_dtype().filter(|dtype| dtype.bits() % 8 == 0) {
        Some(dtype) => Ok(dtype),
        None => invalid(format_args!("{} has a type whose elements are not moved", operand.name)),
    }
}

/// Distances between elements that lie one after the other.
fn in_order(sizes: &[usize]) -> Vec<isize> {
    let mut strides = vec![1_isize; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        strides[axis - 1] = strides[axis].saturating_mul(sizes[axis].max(1) as isize);
    }
    strides
}

/// Copies elements of `x`, each so far from the next one along each axis, to all elements of `y`.
fn copied(named: &Named, sizes: &[usize], strides: &[isize], first: i64) -> Result<Work> {
    let (own, out) = (named.required("x", 0)?, named.written("y", 0)?);
    let dtype = movable(&own)?;
    check::exactly(&out, dtype)?;
    let numel = sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    if numel != out.shape()?.numel() {
        return invalid(format_args!("y has shape {}, but the result has {sizes:?}", out.shape()?));
    }
    if numel == Some(0) {
        return Ok(named.work(Plan::empty()));
    }
    let mut builder = PlanBuilder::new();
    let from = builder.read(&own, own.view_of(dtype, sizes, strides, own.offset() + first)?, true);
    let to = out.view_of(dtype, sizes, &in_order(sizes), out.offset())?;
    let to = builder.write(&out, dtype, to, true)?;
    builder.carry(from, to, sizes, through(&[dtype, dtype])?);
    Ok(named.work(builder.plan(0)))
}

/// A copy, in the format of the output.
pub(super) fn identity(named: &Named) -> Result<Work> {
    let (own, out) = (named.required("x", 0)?, named.written("y", 0)?);
    let ([from, ..], [to, ..]) = (&named.inputs[..], &named.outputs[..]) else {
        return invalid("there must be an input and an output");
    };
    let (private, plain) = match (from.is_private(), to.is_private()) {
        (true, false) => (from, to),
        (false, true) => (to, from),
        _ => {
            let (from, to) = (&from.operand.description, &to.operand.description);
            let is_same =
                from.stored_format() == to.stored_format() && from.stored_dims() == to.stored_dims();
            if is_private(from.stored_format()) {
                return match is_same {
                    true => Ok(named.work(formats::copied(&own, &out)?)),
                    false => check::not_emulated("a cast from one private format to another"),
                };
            }
            let numel = own.shape()?.numel().unwrap_or(0);
            return copied(named, &[numel], &[1], 0);
        }
    };
    check::exactly(&out, movable(&own)?)?;
    let (private, plain) = (&private.operand.description, &plain.operand.description);
    let size = |size: &i64| usize::try_from(*size).unwrap_or(usize::MAX);
    let dims: Vec<usize> = mapped(plain.stored_dims(), size);
    let block = private.stored_dims().last().map_or(0, size);
    let layout = Layout::of(private.stored_format(), plain.stored_format(), &dims, block)?;
    Ok(named.work(layout.cast(&own, &out, to.is_private())?))
}

/// A transposition, and a change of the shape before or after it.
pub(super) fn confusion_transpose(named: &Named) -> Result<Work> {
    named.must_be_plain()?;
    let own = named.required("x", 0)?;
    let axes = named.ints("perm");
    let shape: Vec<usize> = match named.flag("transpose_first", true) {
        true => own.shape()?.to_vec(),
        false => mapped(named.ints("shape"), |size| usize::try_from(*size).unwrap_or(usize::MAX)),
    };
    let numel = shape.iter().try_fold(1_usize, |count, size| count.checked_mul(*size));
    if numel != own.shape()?.numel() || axes.len() != shape.len() {
        return invalid(format_args!("x has shape {}, which perm {axes:?} does not fit", own.shape()?));
    }
    let strides = in_order(&shape);
    let mut order = Vec::new();
    for axis in axes {
        let axis = axis_in("perm", *axis, shape.len())?;
        if order.contains(&axis) {
            return invalid(format_args!("axis {axis} is in perm twice"));
        }
        order.push(axis);
    }
    let (sizes, strides): (Vec<usize>, Vec<isize>) =
        order.iter().map(|axis| (shape[*axis], strides[*axis])).unzip();
    copied(named, &sizes, &strides, 0)
}

/// Elements from an offset on along each axis; a size of -1 takes all that follow.
pub(super) fn slice(named: &Named) -> Result<Work> {
    let (begin, size) = (named.host_ints(1)?, named.host_ints(2)?);
    let rank = named.required("x", 0)?.rank();
    cut(named, &begin, &size, &vec![1; rank])
}

/// Elements from an index up to another one, in steps.
pub(super) fn strided_slice(named: &Named) -> Result<Work> {
    let masks = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"];
    let (begin, end, steps) = (named.host_ints(1)?, named.host_ints(2)?, named.host_ints(3)?);
    if masks.iter().any(|mask| named.int(mask, 0) != 0) || steps.iter().any(|step| *step < 1) {
        return check::not_emulated("StridedSlice with masks or with steps backwards");
    }
    let own = named.required("x", 0)?;
    let lengths = own.shape()?.iter().zip(begin.iter().zip(&end)).zip(&steps);
    let (mut from, mut sizes) = (Vec::new(), Vec::new());
    for ((size, (begin, end)), step) in lengths {
        let size = *size as i64;
        let inside = |index: i64| if index < 0 { index.saturating_add(size) } else { index }.clamp(0, size);
        from.push(inside(*begin));
        sizes.push(((inside(*end) - inside(*begin)).max(0) - 1).div_euclid(*step) + 1);
    }
    cut(named, &from, &sizes, &steps)
}

fn cut(named: &Named, begin: &[i64], size: &[i64], steps: &[i64]) -> Result<Work> {
    named.must_be_plain()?;
    let own = named.required("x", 0)?;
    let (shape, strides) = (own.shape()?, own.strides());
    if [begin.len(), size.len(), steps.len()] != [own.rank(); 3] {
        return invalid(format_args!("x has {} axes, which {begin:?} and {size:?} do not fit", own.rank()));
    }
    let (mut first, mut sizes, mut distances) = (0_i64, Vec::new(), Vec::new());
    for (axis, all) in shape.iter().enumerate() {
        let rest = (*all as i64).checked_sub(begin[axis]).filter(|rest| begin[axis] >= 0 && *rest >= 0);
        let size = if size[axis] == -1 { rest } else { Some(size[axis]) };
        let last = size.and_then(|size| (size.max(1) - 1).checked_mul(steps[axis]));
        match (rest, size, last) {
            (Some(rest), Some(size), Some(last)) if size >= 0 && (size == 0 || last < rest) => {
                first += if size == 0 { 0 } else { begin[axis] * strides[axis] as i64 };
                sizes.push(size as usize);
                distances.push(strides[axis].saturating_mul(steps[axis] as isize));
            }
            _ => {
                return invalid(format_args!(
                    "axis {axis} of x has {all} elements, not those of {begin:?} and {size:?}"
                ));
            }
        }
    }
    copied(named, &sizes, &distances, first)
}

pub(super) fn broadcast_to(named: &Named) -> Result<Work> {
    named.must_be_plain()?;
    let (own, out) = (named.required("x", 0)?, named.written("y", 0)?);
    check::broadcast_shape(&own, &out)?;
    let strides = own.strides_as(out.shape()?)?;
    copied(named, out.shape()?, &strides, 0)
}

/// Zeros before and behind the elements along each axis.
pub(super) fn pad(named: &Named) -> Result<Work> {
    let pads = named.host_ints(1)?;
    // The aclnn operator counts axes from the last one.
    let pads = named.array(pads.as_chunks::<2>().0.iter().rev().flatten().copied().collect());
    let dtype = movable(&named.required("x", 0)?)?;
    let zero = named.scalar(Scalar::of_bytes(dtype, &[0; 16]));
    named.call(movement::ConstantPadNd::FORM, vec![named.input(0), pads, zero, named.output(0)])
}

/// A copy of the first operand, in which the element that an index names along an axis is that of the updates.
pub(super) fn arg_max_grad(named: &Named) -> Result<Work> {
    let own = named.required("var", 0)?;
    let axis = axis_in("dimension", named.int("dimension", 0), own.rank().max(1))?;
    let (indices, updates) = (named.with_axis(1, axis)?, named.with_axis(2, axis)?);
    let arguments = vec![named.input(0), Int(axis as i64), indices, updates, Int(0), named.output(0)];
    named.call(index::Scatter::FORM, arguments)
}
