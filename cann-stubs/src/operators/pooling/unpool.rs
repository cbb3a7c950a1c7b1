//! Elements put back to where a pooling found them, and the gradient of that.
//!
//! CANN does not describe these operators: what they refuse is what PyTorch refuses.

use aclnn_numerics::DType::{I32, I64};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::images::pooling::Numbered;

use super::plans::{by_numbers, positions};
use crate::mapped::mapped;
use crate::operators::call::{Call, Plan};
use crate::operators::images::{Images, PUBLIC, has_format, have_one_format, numbers};
use crate::operators::{check, signatures};
use crate::status::Result;

fn unpool(call: &Call<'_>, takes: Types, axes: usize, is_gradient: bool) -> Result<Plan> {
    let gradient = is_gradient.then(|| call.tensor("gradOutput")).transpose()?;
    let (own, indices, size) = (call.tensor("self")?, call.tensor("indices")?, call.ints("outputSize")?);
    // Windows of volumes are described too; where elements go, the indices alone say.
    let described = if axes == 3 { Some((call.ints("stride")?, call.ints("padding")?)) } else { None };
    let out = call.output()?;
    let plane = gradient.as_ref().unwrap_or(&out);
    let dtype = check::alike(&[&own, plane, &out], takes)?;
    let of_indices = positions(&indices, &[I64, I32])?;
    has_format(&own, PUBLIC)?;
    have_one_format(&own, plane)?;
    have_one_format(&own, &out)?;
    let images = Images::of(&own, axes)?;
    images.must_have_elements()?;
    numbers("outputSize", size, &[axes], 1)?;
    if let Some((stride, padding)) = described {
        numbers("stride", stride, &[axes], 1)?;
        numbers("padding", padding, &[axes], 0)?;
    }
    check::output_shape(&indices, own.shape()?)?;
    let size: Vec<usize> = mapped(size, |size| *size as usize);
    check::output_shape(plane, &images.resized(&size))?;
    if is_gradient {
        check::output_shape(&out, own.shape()?)?;
    }
    if own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (places, of_plane) = (Images::like(&indices, &images)?, Images::of(plane, axes)?);
    let indices = (&places, of_indices);
    match is_gradient {
        true => by_numbers(Numbered::Taken, (&of_plane, &Images::of(&out, axes)?), dtype, indices),
        false => by_numbers(Numbered::Set, (&images, &of_plane), dtype, indices),
    }
}

macro_rules! operators {
    ($($name:ident: $axes:literal, $is_gradient:literal;)*) => {$(
        pub(super) fn $name(call: &Call<'_>) -> Result<Plan> {
            unpool(call, signatures::$name.takes, $axes, $is_gradient)
        }
    )*};
}

operators! {
    max_unpool2d: 2, false;
    max_unpool2d_backward: 2, true;
    max_unpool3d: 3, false;
    max_unpool3d_backward: 3, true;
}
