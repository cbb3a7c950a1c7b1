//! Averages of windows, and their gradients.

use aclnn_numerics::DType;
use aclnn_sys::aclFormat;
use cann_kernels::images::pooling::Windows;

use super::plans::averaged;
use super::windows::{Window, over, results};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::convolution::computed;
use crate::operators::images::{Images, PUBLIC, has_format};
use crate::operators::{check, signatures};
use crate::status::Result;

/// The attributes of an average.
struct Averaging<'a> {
    own: Images<'a>,
    windows: Windows,
    divisor: Option<i64>,
}

impl<'a> Averaging<'a> {
    /// The attributes of a call whose strides and paddings have some names, and that a null array of strides is no error of.
    fn of(call: &Call<'_>, own: &'a Operand, axes: usize, [strides, paddings]: [&str; 2]) -> Result<Self> {
        let kernel = call.ints("kernelSize")?;
        let stride = call.optional(strides, |call, name| call.ints(name))?;
        let (padding, ceil) = (call.ints(paddings)?, call.flag("ceilMode")?);
        let counts_padding = call.flag("countIncludePad")?;
        let divisor = Some(call.int("divisorOverride")?).filter(|divisor| *divisor != 0);
        let own = Images::of(own, axes)?;
        let stride = stride.as_ref().map_or(&[][..], |stride| &stride[..]);
        let windows = Window::all([kernel, stride, padding, &[1]], axes, 1)?;
        own.must_have_elements()?;
        let windows = over(own.sizes(), &windows, ceil, counts_padding)?;
        Ok(Self { own, windows, divisor })
    }

    fn forward(self, out: &Operand, dtype: DType, axes: usize) -> Result<Plan> {
        check::output_shape(out, &self.own.resized(&results(&self.windows, axes)))?;
        if out.shape()?.is_empty_tensor() {
            return Ok(Plan::empty());
        }
        let out = Images::of(out, axes)?;
        averaged((&self.own, &out), dtype, self.windows, self.divisor, false)
    }

    fn backward(self, gradient: &Operand, out: &Operand, dtype: DType, axes: usize) -> Result<Plan> {
        check::output_shape(gradient, &self.own.resized(&results(&self.windows, axes)))?;
        check::output_shape(out, self.own.operand.shape()?)?;
        if out.shape()?.is_empty_tensor() {
            return Ok(Plan::empty());
        }
        let (gradient, out) = (Images::of(gradient, axes)?, Images::of(out, axes)?);
        averaged((&gradient, &out), dtype, self.windows, self.divisor, true)
    }
}

/// Every operand has the format of its axes.
fn are_first(operands: &[&Operand]) -> Result {
    check::each(operands, |operand| has_format(operand, &[aclFormat::of_rank(operand.rank())]))
}

pub(super) fn avg_pool2d(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    for name in ["kernelSize", "strides", "paddings"] {
        call.ints(name)?;
    }
    let dtype = check::alike(&[&own, &out], signatures::avg_pool2d.takes)?;
    are_first(&[&own, &out])?;
    let averaging = Averaging::of(call, &own, 2, ["strides", "paddings"])?;
    computed(dtype, call.int("cubeMathType")?, 4)?;
    averaging.forward(&out, dtype, 2)
}

pub(super) fn avg_pool2d_backward(call: &Call<'_>) -> Result<Plan> {
    let (gradient, own, out) = (call.tensor("gradOutput")?, call.tensor("self")?, call.tensor("gradInput")?);
    let dtype = check::alike(&[&gradient, &own, &out], signatures::avg_pool2d_backward.takes)?;
    are_first(&[&gradient, &own, &out])?;
    let averaging = Averaging::of(call, &own, 2, ["stride", "padding"])?;
    computed(dtype, call.int("cubeMathType")?, 4)?;
    averaging.backward(&gradient, &out, dtype, 2)
}

/// Formats of volumes: any that says how axes lie, and all the same.
fn of_volumes(operands: &[&Operand]) -> Result {
    for operand in operands {
        has_format(operand, PUBLIC)?;
        if operands.first().is_some_and(|first| first.format() != operand.format()) {
            return invalid(format_args!("{} has another storage format than the others", operand.name));
        }
    }
    Ok(())
}

pub(super) fn avg_pool3d(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    call.ints("stride")?;
    let dtype = check::alike(&[&own, &out], signatures::avg_pool3d.takes)?;
    of_volumes(&[&own, &out])?;
    Averaging::of(call, &own, 3, ["stride", "padding"])?.forward(&out, dtype, 3)
}

pub(super) fn avg_pool3d_backward(call: &Call<'_>) -> Result<Plan> {
    let (gradient, own, out) = (call.tensor("gradOutput")?, call.tensor("self")?, call.tensor("output")?);
    call.ints("stride")?;
    let dtype = check::alike(&[&gradient, &own, &out], signatures::avg_pool3d_backward.takes)?;
    of_volumes(&[&gradient, &own, &out])?;
    Averaging::of(call, &own, 3, ["stride", "padding"])?.backward(&gradient, &out, dtype, 3)
}
