//! Greatest elements of windows, and their gradients.

use aclnn_numerics::DType::{self, I8, I32, I64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::images::pooling::{Numbered, Windows};

use super::plans::{by_numbers, greatest, masked, positions, unmasked};
use super::windows::{Window, for_each_axis, over, results};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::images::{Images, PUBLIC, has_format, have_one_format, numbers};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn max_pool(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let (kernel, strides) = (call.ints("kernelShape")?, call.ints("strides")?);
    let (pads, dilations) = (call.ints("pads")?, call.ints("dilations")?);
    let (auto, ceil) = (call.int("autoPad")?, call.int("ceilMode")?);
    let dtype = check::alike(&[&own, &out], signatures::max_pool.takes)?;
    has_format(&own, PUBLIC)?;
    have_one_format(&own, &out)?;
    let images = Images::of(&own, 2)?;
    images.must_have_elements()?;
    if auto != 0 {
        return invalid(format_args!("autoPad is {auto}, but must be 0"));
    }
    let kernel = for_each_axis("kernelShape", kernel, 2, 1)?;
    let strides = if strides.is_empty() { vec![1, 1] } else { for_each_axis("strides", strides, 2, 1)? };
    numbers("dilations", dilations, &[0, 1, 2, 4], 1)?;
    if dilations.iter().any(|dilation| *dilation != 1) {
        return invalid(format_args!("dilations is {dilations:?}, but must be 1"));
    }
    let windows = padded([&kernel, &strides], pads)?;
    let windows = over(images.sizes(), &windows, ceil != 0, false)?;
    check::output_shape(&out, &images.resized(&results(&windows, 2)))?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    greatest((&images, &Images::of(&out, 2)?), dtype, windows, None)
}

/// Windows over rows and columns, with elements above, below, to the left and to the right: none, as many everywhere, as many on
/// two opposite sides, or a number for each side.
fn padded([kernel, strides]: [&[i64]; 2], pads: &[i64]) -> Result<Vec<Window>> {
    numbers("pads", pads, &[0, 1, 2, 4], i32::MIN.into())?;
    let [top, bottom, left, right] = match *pads {
        [] => [0; 4],
        [all] => [all; 4],
        [rows, columns] => [rows, rows, columns, columns],
        [top, bottom, left, right] => [top, bottom, left, right],
        _ => return invalid(format_args!("pads is {pads:?}, but must have none, one, two or four numbers")),
    };
    let windows: Vec<Window> = [[top, bottom], [left, right]]
        .into_iter()
        .zip(kernel.iter().zip(strides))
        .map(|(padding, (kernel, stride))| Window { kernel: *kernel, stride: *stride, padding, dilation: 1 })
        .collect();
    if let Some(window) = windows.iter().find(|window| window.padding.iter().sum::<i64>() > window.kernel) {
        return invalid(format_args!(
            "pads of {:?} are more than a window of {} has elements",
            window.padding, window.kernel
        ));
    }
    Ok(windows)
}

/// The numbers of a window for the axes of an image: one for all, one each, or one for each axis of the operand, of which that of
/// batches and that of channels are 1.
fn of_window(name: &str, values: &[i64], axes: usize, is_last: bool) -> Result<Vec<i64>> {
    let (own, beside): (&[i64], &[i64]) = match (values, is_last) {
        ([batch, own @ .., channel], true) if own.len() == axes => (own, &[*batch, *channel]),
        ([batch, channel, own @ ..], false) if own.len() == axes => (own, &[*batch, *channel]),
        _ => (values, &[]),
    };
    match beside.iter().all(|number| *number == 1) {
        true => for_each_axis(name, own, axes, 1),
        false => invalid(format_args!("{name} is {values:?}, but must be 1 for batches and channels")),
    }
}

pub(super) fn max_pool_v3(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("x")?, call.tensor("out")?);
    let (kernel, strides, pads) = (call.ints("ksize")?, call.ints("strides")?, call.ints("pads")?);
    let ceil = call.scalar("ceilMode")?.converted(I64).and_then(|bytes| bytes.first_chunk().copied());
    let dtype = check::alike(&[&own, &out], signatures::max_pool_v3.takes)?;
    formats(&[&own, &out])?;
    let images = Images::of(&own, 2)?;
    images.must_have_elements()?;
    let kernel = of_window("ksize", kernel, 2, false)?;
    let windows = padded([&kernel, &of_window("strides", strides, 2, false)?], pads)?;
    let Some(ceil) = ceil.map(|bytes| i64::from_ne_bytes(bytes) != 0) else {
        return invalid("ceilMode must be a number");
    };
    let windows = over(images.sizes(), &windows, ceil, false)?;
    check::output_shape(&out, &images.resized(&results(&windows, 2)))?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    greatest((&images, &Images::of(&out, 2)?), dtype, windows, None)
}

pub(super) fn max_pool3d(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("x")?, call.tensor("out")?);
    let (kernel, strides, kind) = (call.ints("ksize")?, call.ints("strides")?, call.text("padding")?);
    let dtype = check::alike(&[&own, &out], signatures::max_pool3d.takes)?;
    let optional = |name| -> Result<Vec<i64>> {
        Ok(call.optional(name, Call::ints)?.map_or_else(Vec::new, |list| list.to_vec()))
    };
    let (pads, dilation) = (optional("padsOptional")?, optional("dilationOptional")?);
    let is_last = match call.optional_text("dataFormatOptional")?.as_deref() {
        None | Some("" | "NDHWC") => true,
        Some("NCDHW") => false,
        Some(other) => {
            return invalid(format_args!(
                "dataFormatOptional is {other:?}, but must be \"NDHWC\" or \"NCDHW\""
            ));
        }
    };
    let of = |operand| if is_last { Images::with_channels_last(operand, 3) } else { Images::of(operand, 3) };
    let images = of(&own)?;
    images.must_have_elements()?;
    if dilation.iter().any(|number| *number != 1) {
        return invalid(format_args!("dilationOptional is {dilation:?}, but must be 1"));
    }
    let kernel = of_window("ksize", kernel, 3, is_last)?;
    let strides = of_window("strides", strides, 3, is_last)?;
    let mut windows = Vec::new();
    for (axis, (kernel, stride)) in kernel.into_iter().zip(strides).enumerate() {
        let size = images.sizes()[axis] as i64;
        // What TensorFlow adds so that there is a position for each stride, the smaller half before the image.
        let missing = ((size - 1) / stride * stride + kernel - size).max(0);
        let padding = match (kind.as_str(), &pads[..]) {
            ("VALID", _) => [0; 2],
            ("SAME", _) => [missing / 2, missing - missing / 2],
            ("CALCULATED", []) => [0; 2],
            ("CALCULATED", pads) if pads.len() == 6 => {
                numbers("padsOptional", pads, &[6], 0)?;
                [pads[2 * axis], pads[2 * axis + 1]]
            }
            _ => {
                return invalid(format_args!(
                    "padding is {kind:?} and padsOptional {pads:?}, but must be \"SAME\", \"VALID\", or \"CALCULATED\" with six numbers"
                ));
            }
        };
        if padding.iter().any(|number| *number >= kernel) {
            return invalid(format_args!(
                "pads of {padding:?} are more than a window of {kernel} has elements"
            ));
        }
        windows.push(Window { kernel, stride, padding, dilation: 1 });
    }
    let windows = over(images.sizes(), &windows, call.int("ceilMode")? != 0, false)?;
    check::output_shape(&out, &images.resized(&results(&windows, 3)))?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    greatest((&images, &of(&out)?), dtype, windows, None)
}

/// The windows of a call over an operand, and the shape of what they give.
fn windows<'a>(
    call: &Call<'_>,
    own: &'a Operand,
    axes: usize,
    dilates: bool,
) -> Result<(Images<'a>, Windows, Shape)> {
    let (kernel, stride) = (call.ints("kernelSize")?, call.ints("stride")?);
    let (padding, dilation) = (call.ints("padding")?, call.ints("dilation")?);
    let images = Images::of(own, axes)?;
    images.must_have_elements()?;
    let windows = Window::all([kernel, stride, padding, dilation], axes, 1)?;
    if !dilates && dilation.iter().any(|dilation| *dilation != 1) {
        return invalid(format_args!("dilation is {dilation:?}, but must be 1 on this product"));
    }
    let windows = over(images.sizes(), &windows, call.flag("ceilMode")?, false)?;
    let shape = images.resized(&results(&windows, axes));
    Ok((images, windows, shape))
}

/// The sizes of a tensor of bytes that tells where elements were, and whether a window has a single element.
fn mask_of(images: &Images<'_>, windows: &Windows, call: &Call<'_>) -> Result<(Shape, bool)> {
    let kernel = for_each_axis("kernelSize", call.ints("kernelSize")?, 2, 1)?;
    let lines = (windows.positions().div_ceil(16) + 1) * 32;
    let taps = kernel.iter().product::<i64>() as usize;
    Ok((Shape::from([images.leading(), &[taps, lines]].concat()), taps == 1))
}

/// Operands of one format, of which the storage is in no blocks.
fn formats(operands: &[&Operand]) -> Result {
    for operand in operands {
        has_format(operand, PUBLIC)?;
        operands.first().map_or(Ok(()), |first| have_one_format(first, operand))?;
    }
    Ok(())
}

/// The greatest elements with their numbers.
fn numbered(call: &Call<'_>, takes: Types, axes: usize, allowed: &[DType], dilates: bool) -> Result<Plan> {
    let (own, out, indices) = (call.tensor("self")?, call.tensor("out")?, call.tensor("indices")?);
    for name in ["kernelSize", "stride", "padding", "dilation"] {
        call.ints(name)?;
    }
    let dtype = check::alike(&[&own, &out], takes)?;
    let of_indices = positions(&indices, allowed)?;
    formats(&[&own, &out])?;
    let (images, windows, shape) = windows(call, &own, axes, dilates)?;
    check::output_shape(&out, &shape)?;
    check::output_shape(&indices, &shape)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let indices = Images::like(&indices, &images)?;
    greatest((&images, &Images::of(&out, axes)?), dtype, windows, Some((&indices, of_indices)))
}

/// The gradient of that.
fn numbered_backward(
    call: &Call<'_>,
    takes: Types,
    axes: usize,
    allowed: &[DType],
    dilates: bool,
) -> Result<Plan> {
    let (gradient, own) = (call.tensor("gradOutput")?, call.tensor("self")?);
    let (indices, out) = (call.tensor("indices")?, call.tensor("gradInput")?);
    for name in ["kernelSize", "stride", "padding", "dilation"] {
        call.ints(name)?;
    }
    let dtype = check::alike(&[&gradient, &own, &out], takes)?;
    let of_indices = positions(&indices, allowed)?;
    formats(&[&own, &gradient, &out])?;
    let (images, windows, shape) = windows(call, &own, axes, dilates)?;
    check::output_shape(&gradient, &shape)?;
    check::output_shape(&out, own.shape()?)?;
    let is_mask = of_indices == I8;
    let (sizes, is_single) = if is_mask { mask_of(&images, &windows, call)? } else { (shape, false) };
    check::output_shape(&indices, &sizes)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let both = (&Images::of(&gradient, axes)?, &Images::of(&out, axes)?);
    if is_mask {
        return unmasked(both, dtype, windows, (&indices, is_single));
    }
    by_numbers(Numbered::Added, both, dtype, (&Images::like(&indices, &images)?, of_indices))
}

/// Returns whether the product has windows whose elements lie apart.
fn dilates() -> bool {
    settings::get().product == Ascend950
}

pub(super) fn max_pool2d_with_indices(call: &Call<'_>) -> Result<Plan> {
    numbered(call, signatures::max_pool2d_with_indices.takes, 2, &[I32, I64], dilates())
}

pub(super) fn max_pool2d_with_indices_backward(call: &Call<'_>) -> Result<Plan> {
    let allowed = if dilates() { [I32, I64] } else { [I32, I8] };
    numbered_backward(call, signatures::max_pool2d_with_indices_backward.takes, 2, &allowed, dilates())
}

pub(super) fn max_pool3d_with_argmax(call: &Call<'_>) -> Result<Plan> {
    let allowed = if dilates() { &[I32, I64][..] } else { &[I32] };
    numbered(call, signatures::max_pool3d_with_argmax.takes, 3, allowed, true)
}

pub(super) fn max_pool3d_with_argmax_backward(call: &Call<'_>) -> Result<Plan> {
    let allowed = if dilates() { &[I32, I64][..] } else { &[I32] };
    numbered_backward(call, signatures::max_pool3d_with_argmax_backward.takes, 3, allowed, true)
}

pub(super) fn max_pool2d_with_mask(call: &Call<'_>) -> Result<Plan> {
    let (own, out, mask) = (call.tensor("self")?, call.tensor("out")?, call.tensor("indices")?);
    for name in ["kernelSize", "stride", "padding", "dilation"] {
        call.ints(name)?;
    }
    let dtype = check::alike(&[&own, &out], signatures::max_pool2d_with_mask.takes)?;
    positions(&mask, &[I8])?;
    formats(&[&own, &out])?;
    let (images, windows, shape) = windows(call, &own, 2, false)?;
    check::output_shape(&out, &shape)?;
    let (sizes, is_single) = mask_of(&images, &windows, call)?;
    check::output_shape(&mask, &sizes)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    masked((&images, &Images::of(&out, 2)?), dtype, windows, (&mask, is_single))
}

pub(super) fn max_pool2d_with_mask_backward(call: &Call<'_>) -> Result<Plan> {
    numbered_backward(call, signatures::max_pool2d_with_mask_backward.takes, 2, &[I8], false)
}
