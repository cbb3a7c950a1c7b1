//! Poolings of as many parts as the result has.

use aclnn_numerics::DType::{self, I32, I64};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::types_by_product::Types;

use aclnn_sys::aclFormat;
use cann_kernels::images::pooling::Numbered;

use super::plans::{averaged, by_numbers, greatest, positions};
use super::windows::parts;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::images::{Images, PUBLIC, has_format, have_one_format, numbers};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Images and what they become have the same batches and channels.
fn go_together(own: &Images<'_>, out: &Images<'_>) -> Result {
    match own.leading() == out.leading() {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has batches and channels {:?}, but {} has {:?}",
            own.operand.name,
            own.leading(),
            out.operand.name,
            out.leading()
        )),
    }
}

/// The attribute says the sizes of the images of the output.
fn says(call: &Call<'_>, out: &Images<'_>, least: i64) -> Result {
    let sizes = call.ints("outputSize")?;
    numbers("outputSize", sizes, &[out.sizes().len()], least)?;
    match out.sizes().iter().zip(sizes.iter()).all(|(size, said)| *size as i64 == *said) {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, but outputSize is {sizes:?}",
            out.operand.name,
            out.operand.shape()?
        )),
    }
}

fn formats(a: &Operand, b: &Operand, axes: usize) -> Result {
    let first = [aclFormat::of_rank(a.rank())];
    has_format(a, if axes == 2 { &first } else { PUBLIC })?;
    have_one_format(a, b)
}

fn average(call: &Call<'_>, takes: Types, axes: usize) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    call.ints("outputSize")?;
    let dtype = check::alike(&[&own, &out], takes)?;
    formats(&own, &out, axes)?;
    let (images, results) = (Images::of(&own, axes)?, Images::of(&out, axes)?);
    says(call, &results, if settings::get().product == Ascend950 { 0 } else { 1 })?;
    go_together(&images, &results)?;
    if own.shape()?.is_empty_tensor() || out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let windows = parts(images.sizes(), results.sizes());
    averaged((&images, &results), dtype, windows, None, false)
}

fn average_backward(call: &Call<'_>, takes: Types, axes: usize) -> Result<Plan> {
    let (gradient, own, out) = (call.tensor("gradOutput")?, call.tensor("self")?, call.tensor("out")?);
    let dtype = check::alike(&[&gradient, &own, &out], takes)?;
    formats(&gradient, &own, axes)?;
    have_one_format(&own, &out)?;
    let (gradients, images) = (Images::of(&gradient, axes)?, Images::of(&own, axes)?);
    go_together(&images, &gradients)?;
    check::output_shape(&out, own.shape()?)?;
    if own.shape()?.is_empty_tensor() || gradient.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let windows = parts(images.sizes(), gradients.sizes());
    averaged((&gradients, &Images::of(&out, axes)?), dtype, windows, None, true)
}

fn extreme(call: &Call<'_>, takes: Types, axes: usize, allowed: &[DType]) -> Result<Plan> {
    let (own, out, indices) = (call.tensor("self")?, call.tensor("outputOut")?, call.tensor("indicesOut")?);
    call.ints("outputSize")?;
    let dtype = check::alike(&[&own, &out], takes)?;
    let of_indices = positions(&indices, allowed)?;
    has_format(&own, PUBLIC)?;
    have_one_format(&own, &out)?;
    let (images, results) = (Images::of(&own, axes)?, Images::of(&out, axes)?);
    images.must_have_elements_but_first()?;
    says(call, &results, 1)?;
    go_together(&images, &results)?;
    check::output_shape(&indices, out.shape()?)?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let windows = parts(images.sizes(), results.sizes());
    let indices = Images::like(&indices, &results)?;
    greatest((&images, &results), dtype, windows, Some((&indices, of_indices)))
}

fn extreme_backward(call: &Call<'_>, takes: Types, axes: usize, allowed: &[DType]) -> Result<Plan> {
    let (gradient, own) = (call.tensor("gradOutput")?, call.tensor("self")?);
    let (indices, out) = (call.tensor("indices")?, call.tensor("gradInput")?);
    let dtype = check::alike(&[&gradient, &own, &out], takes)?;
    let of_indices = positions(&indices, allowed)?;
    has_format(&own, PUBLIC)?;
    have_one_format(&own, &gradient)?;
    have_one_format(&own, &out)?;
    let (gradients, images) = (Images::of(&gradient, axes)?, Images::of(&own, axes)?);
    go_together(&images, &gradients)?;
    check::output_shape(&indices, gradient.shape()?)?;
    check::output_shape(&out, own.shape()?)?;
    if own.shape()?.is_empty_tensor() || gradient.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let indices = Images::like(&indices, &gradients)?;
    by_numbers(Numbered::Added, (&gradients, &Images::of(&out, axes)?), dtype, (&indices, of_indices))
}

/// Images as one part each. CANN does not describe it: batches, channels and one to three axes of images, as ONNX has it.
fn global(call: &Call<'_>, takes: Types, is_average: bool) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let dtype = check::alike(&[&own, &out], takes)?;
    has_format(&own, PUBLIC)?;
    have_one_format(&own, &out)?;
    let axes = own.rank().saturating_sub(2);
    if !(1..=3).contains(&axes) {
        return invalid(format_args!("self has {} axes, but must have three to five", own.rank()));
    }
    let images = Images::of(&own, axes)?;
    images.must_have_elements()?;
    check::output_shape(&out, &images.resized(&[1; 3][..axes]))?;
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let results = Images::of(&out, axes)?;
    let windows = parts(images.sizes(), results.sizes());
    match is_average {
        true => averaged((&images, &results), dtype, windows, None, false),
        false => greatest((&images, &results), dtype, windows, None),
    }
}

pub(super) fn global_average_pool(call: &Call<'_>) -> Result<Plan> {
    global(call, signatures::global_average_pool.takes, true)
}

pub(super) fn global_max_pool(call: &Call<'_>) -> Result<Plan> {
    global(call, signatures::global_max_pool.takes, false)
}

macro_rules! operators {
    ($($name:ident: $body:ident($axes:literal $(, $allowed:expr)?);)*) => {$(
        pub(super) fn $name(call: &Call<'_>) -> Result<Plan> {
            $body(call, signatures::$name.takes, $axes $(, $allowed)?)
        }
    )*};
}

operators! {
    adaptive_avg_pool2d: average(2);
    adaptive_avg_pool2d_backward: average_backward(2);
    adaptive_avg_pool3d: average(3);
    adaptive_avg_pool3d_backward: average_backward(3);
    adaptive_max_pool2d: extreme(2, &[I64]);
    adaptive_max_pool2d_backward: extreme_backward(2, &[I32, I64]);
    adaptive_max_pool3d: extreme(3, &[I32, I64]);
    adaptive_max_pool3d_backward: extreme_backward(3, &[I32, I64]);
}
