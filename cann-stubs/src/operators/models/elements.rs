//! Functions of elements with masks, scales and images.

use aclnn_numerics::DType::{Bool, F32, I8, U8};
use aclnn_numerics::layout::Shape;
use cann_kernels::LaneFunction;
use smallvec::SmallVec;

use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, when_divided};
use crate::operators::lane_planner::Planner;
use crate::operators::plan_builder::{PlanBuilder, read_lanes};
use crate::operators::signatures;
use crate::operators::stage_planner::typed;
use crate::status::Result;

/// Computes each element of a result from those of operands that broadcast to its shape.
fn elements<const N: usize>(
    operands: [&Operand; N],
    out: &Operand,
    step: &'static str,
    function: impl Fn([f64; N]) -> f64 + Send + Sync + 'static,
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
    planner.lanes(1, inputs, [out], step, move |inputs, [out]| {
        for (place, out) in out.iter_mut().enumerate() {
            let mut numbers = [0.0; N];
            for (number, input) in numbers.iter_mut().zip(inputs) {
                *number = f64::from(input[place]);
            }
            *out = function(numbers) as f32;
        }
    })?;
    Ok(planner.plan())
}

pub(super) fn masked_scale(call: &Call<'_>) -> Result<Plan> {
    let [own, mask, out] = call.tensors_of(["self", "mask", "out"])?;
    let from = check::alike(&[&own, &out], signatures::masked_scale.takes)?;
    typed(&mask, &[from, F32, U8, I8, Bool])?;
    has_shape(&mask, own.shape()?)?;
    check::output_shape(&out, own.shape()?)?;
    let scale = call.float("scale")?;
    elements([&own, &mask], &out, "scale what a mask keeps", move |[x, mask]| x * mask * scale)
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
        for (out, (x1, x2)) in out.iter_mut().zip(x1.iter().zip(x2)) {
            *out = (f64::from(*x1) * f64::from(x3[0]) + f64::from(*x2)) as f32;
        }
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
    let mix = |[background, source, mask]: [f64; 3]| background * (1.0 - mask) + source * mask;
    elements([background, source, mask], out, "blend images", mix)
}

/// The greatest number of a channel.
const OPAQUE: f64 = 255.0;

pub(super) fn blend_images(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["rgb", "alpha", "out"])?;
    let ([rgb, alpha, out], has_frame) = (&tensors, call.has("frame"));
    let frame = if has_frame { call.tensor("frame")? } else { call.tensor("rgb")? };
    check::alike(&[rgb, alpha, &frame, out], signatures::blend_images.takes)?;
    are_images(&[rgb, &frame, out], alpha).map_err(when_divided)?;
    // A fraction is cut off.
    let mix = move |[rgb, alpha, frame]: [f64; 3]| {
        let frame = if has_frame { frame } else { 0.0 };
        ((rgb * alpha + frame * (OPAQUE - alpha)) / OPAQUE).floor()
    };
    elements([rgb, alpha, &frame], out, "blend images", mix)
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
