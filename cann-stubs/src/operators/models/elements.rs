//! Functions of elements with masks, scales and images.

use aclnn_numerics::DType::{Bool, F32, I8, U8};
use aclnn_numerics::layout::Shape;
use cann_kernels::LaneFunction;
use cann_kernels::axis::normalization::{Spread, scale_gradients};
use cann_kernels::functions::rows::{blend, blend_channels, multiply_add};
use smallvec::SmallVec;

use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, when_divided};
use crate::operators::lane_planner::Planner;
use crate::operators::plan_builder::{PlanBuilder, read_lanes};
use crate::operators::signatures;
use crate::operators::stage_planner::typed;
use crate::status::Result;

/// Computes a result from the elements of operands that broadcast to its shape.
fn elements<const N: usize>(
    operands: [&Operand; N],
    out: &Operand,
    step: &'static str,
    function: impl Fn([&[f32]; N], &mut [f32]) + Send + Sync + 'static,
) -> Result<Plan> {
    let shape = out.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (len, mut inputs) = (shape.numel().unwrap_or(0), [None; N]);
    for (input, operand) in inputs.iter_mut().zip(operands) {
        *input = planner.read(operand, len, &|operand, dtype| operand.view(dtype, shape))?;
    }
    let out = planner.out(out, len)?;
    planner.lanes(1, inputs, [out], step, move |inputs, [out]| function(inputs, out))?;
    Ok(planner.plan())
}

pub(super) fn masked_scale(call: &Call<'_>) -> Result<Plan> {
    let [own, mask, out] = call.tensors_of(["self", "mask", "out"])?;
    let from = check::alike(&[&own, &out], signatures::masked_scale.takes)?;
    typed(&mask, &[from, F32, U8, I8, Bool])?;
    has_shape(&mask, own.shape()?)?;
    check::output_shape(&out, own.shape()?)?;
    let scale = call.float("scale")?;
    elements([&own, &mask], &out, "scale what a mask keeps", move |[x, mask], out| {
        scale_gradients(x, Spread::new(mask, 1.0), scale, out);
    })
}

pub(super) fn fused_mul_add_n(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x1", "x2", "x3", "y"])?;
    let [x1, x2, x3, y] = &tensors;
    check::alike(&[x1, x2, x3, y], signatures::fused_mul_add_n.takes)?;
    let checked = || {
        has_shape(x2, x1.shape()?)?;
        check::have_elements(&[Some(x3)], 1)?;
        check::output_shape(y, x1.shape()?)
    };
    checked().map_err(when_divided)?;
    if y.is_empty() {
        return Ok(Plan::empty());
    }
    let len = y.shape()?.numel().unwrap_or(0);
    let mut planner = Planner::new();
    let inputs = [planner.rows(x1, len)?, planner.rows(x2, len)?, planner.rows(x3, 1)?];
    let out = planner.out(y, len)?;
    planner.lanes(1, inputs, [out], "multiply and add", |[x1, x2, x3], [out]| {
        multiply_add(x1, x3.first().copied().unwrap_or(0.0), x2, out);
    })?;
    Ok(planner.plan())
}

/// Checks that images have one shape, and a mask has it but perhaps for one channel.
fn are_images(images: &[&Operand], mask: &Operand) -> Result {
    let [first, others @ ..] = images else { return Ok(()) };
    let shape = first.shape()?;
    check::each(others, |other| check::output_shape(other, shape))?;
    let fits = mask.shape()? == shape
        || shape
            .split_last()
            .is_some_and(|(_, axes)| mask.shape().is_ok_and(|own| own[..] == [axes, &[1]].concat()));
    match fits {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, but must have {shape}, perhaps with one channel",
            mask.name,
            mask.shape()?
        )),
    }
}

pub(super) fn background_replace(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["bkg", "src", "mask", "out"])?;
    let [background, source, mask, out] = &tensors;
    check::alike(&[background, source, mask, out], signatures::background_replace.takes)?;
    are_images(&[background, source, out], mask).map_err(when_divided)?;
    elements([background, source, mask], out, "blend images", blend)
}

pub(super) fn blend_images(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["rgb", "alpha", "out"])?;
    let ([rgb, alpha, out], has_frame) = (&tensors, call.has("frame"));
    let frame = if has_frame { call.tensor("frame")? } else { call.tensor("rgb")? };
    check::alike(&[rgb, alpha, &frame, out], signatures::blend_images.takes)?;
    are_images(&[rgb, &frame, out], alpha).map_err(when_divided)?;
    elements([rgb, alpha, &frame], out, "blend images", move |[rgb, alpha, frame], out| {
        blend_channels([rgb, alpha, if has_frame { frame } else { &[] }], out);
    })
}

pub(super) fn confusion_transpose(call: &Call<'_>) -> Result<Plan> {
    let [x, out] = call.tensors_of(["x", "out"])?;
    let (perm, sizes) = (call.ints("perm")?, call.ints("shape")?);
    let own = check::alike(&[&x, &out], signatures::confusion_transpose.takes)?;
    let first = call.flag("transpose_first")?;
    let turned = if first { x.shape()?.clone() } else { shape_of(sizes)? };
    let axes: SmallVec<[usize; 8]> = perm.iter().filter_map(|axis| usize::try_from(*axis).ok()).collect();
    let rank = turned.rank();
    let is_order = perm.len() == rank && (0..rank).all(|axis| axes.contains(&axis));
    if !is_order || turned.numel() != x.shape()?.numel() {
        return invalid(format_args!(
            "perm is {perm:?} and shape {sizes:?}, which do not reorder x of shape {}",
            x.shape()?
        ));
    }
    let moved: Shape = axes.iter().map(|axis| turned[*axis]).collect();
    let shape = if first { shape_of(sizes)? } else { moved };
    check::output_shape(&out, &shape)?;
    if x.shape()?.numel() != out.shape()?.numel() {
        return invalid(format_args!("x has shape {}, but out {shape}, with other elements", x.shape()?));
    }
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    // Both are read and written in the order in which the elements go from one to the other.
    let (from, to) = match first {
        true => (x.permuted(own, &axes)?, out.in_order(own)?),
        false => {
            let mut back: SmallVec<[usize; 8]> = SmallVec::from_elem(0, rank);
            axes.iter().enumerate().for_each(|(place, axis)| back[*axis] = place);
            (x.in_order(own)?, out.permuted(own, &back)?)
        }
    };
    let count = out.shape()?.numel().unwrap_or(0);
    let mut builder = PlanBuilder::new();
    let input = (builder.read(&x, from, true), read_lanes(1, own, own)?);
    let output = (builder.write(&out, own, to, true)?, read_lanes(1, own, own)?);
    let copy = LaneFunction::new("reorder", |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        to.copy_from_slice(from);
        Ok(())
    });
    builder.lanes([input], [output], count, copy);
    Ok(builder.plan(temporaries(&[(&x, own, own), (&out, own, own)])))
}

/// The shape of sizes.
fn shape_of(sizes: &[i64]) -> Result<Shape> {
    let size = |size: &i64| usize::try_from(*size).ok();
    match sizes.iter().map(size).collect::<Option<SmallVec<[usize; 8]>>>() {
        Some(sizes) => Ok(Shape::from(&sizes[..])),
        None => invalid(format_args!("shape is {sizes:?}, but no size is negative")),
    }
}
