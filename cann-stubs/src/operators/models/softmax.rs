//! Softmax with masks.

use aclnn_numerics::DType::{self, Bool, F16};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_sys::ACL_FORMAT_FRACTAL_NZ;
use cann_kernels::axis::softmax::{Mask, biased_softmax, masked_softmax, masked_softmax_gradients};
use cann_kernels::functions::rows::half;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, null_is_internal, sizes, when_divided, when_launched};
use crate::operators::lane_planner::{Lanes, Planner};
use crate::operators::signatures;
use crate::settings;
use crate::status::Result;

/// Returns the length of a row.
fn masked_rows(x: &Operand, mask: &Operand) -> Result<usize> {
    let ([a, b, c, len], of_mask) = (sizes::<4>(x)?, sizes::<4>(mask)?);
    let fits = [1, a].contains(&of_mask[0]) && [1, b].contains(&of_mask[1]) && of_mask[2..] == [c, len];
    if !fits {
        return invalid(format_args!(
            "{} and {} do not broadcast: the last two axes must be the same",
            x.name, mask.name
        ));
    }
    let most = if settings::get().product == Ascend950 { 8192 } else { 4096 };
    match len {
        1.. if len <= most => Ok(len),
        _ => invalid(format_args!("{} has rows of {len} elements, but must have 1 to {most}", x.name)),
    }
}

fn is_no_triangle(call: &Call<'_>, name: &str) -> Result {
    if call.flag(name)? { invalid(format_args!("{name} must be false")) } else { Ok(()) }
}

pub(super) fn scaled_masked_softmax(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "mask", "y"]).map_err(null_is_internal)?;
    let [x, mask, y] = &tensors;
    let own = check::alike(&[x, y], signatures::scaled_masked_softmax.takes)?;
    check::exactly(mask, Bool)?;
    sizes::<4>(y)?;
    let len = masked_rows(x, mask)?;
    is_no_triangle(call, "fixedTriuMask")?;
    let shape = x.shape()?;
    check::output_shape(y, shape).map_err(when_launched)?;
    Scores { x, mask: Some(mask), is_triangle: false, factor: call.float("scale")?, len }.softmax(y, own)
}

/// Rows of scores, of which a mask hides some.
pub(in crate::operators) struct Scores<'a> {
    /// The scores, or the gradients of their softmax.
    pub(in crate::operators) x: &'a Operand<'a>,
    pub(in crate::operators) mask: Option<&'a Operand<'a>>,
    /// Whether what stands above the diagonal of each matrix is hidden.
    pub(in crate::operators) is_triangle: bool,
    pub(in crate::operators) factor: f64,
    /// The elements of a row.
    pub(in crate::operators) len: usize,
}

impl<'a> Scores<'a> {
    /// The number of lanes and their length: rows, or whole matrices where rows differ in what is hidden.
    fn lanes(&self) -> Result<[usize; 2]> {
        let shape = self.x.shape()?;
        let down = if self.is_triangle { shape.iter().rev().nth(1).copied().unwrap_or(1) } else { 1 };
        let len = down * self.len;
        Ok([rows(shape, len), len])
    }

    fn read_mask(&self, planner: &mut Planner<'a>, len: usize) -> Result<Option<Lanes>> {
        let shape = self.x.shape()?;
        planner.read_if(self.mask, len, &|mask, dtype| mask.view(dtype, shape))
    }

    /// Writes the softmax of each row, whose scores have one type.
    pub(in crate::operators) fn softmax(&self, y: &'a Operand, own: DType) -> Result<Plan> {
        if self.x.is_empty() {
            return Ok(Plan::empty());
        }
        let ([count, whole], len, is_triangle) = (self.lanes()?, self.len, self.is_triangle);
        let mut planner = Planner::new();
        let inputs = [planner.rows(self.x, whole)?, self.read_mask(&mut planner, whole)?];
        let out = planner.out(y, whole)?;
        let (is_half, factor) = (own == F16, self.factor as f32);
        let factor = if is_half { half(factor) } else { factor };
        planner.lanes(count, inputs, [out], "masked softmax", move |[x, hidden], [y]| {
            masked_softmax(x, Mask { hidden, is_triangle, len }, factor, is_half, y);
        })?;
        Ok(planner.plan())
    }

    /// Writes the gradients of the scores, for those of their softmax `y`.
    pub(in crate::operators) fn gradients(&self, y: &'a Operand, out: &'a Operand) -> Result<Plan> {
        if self.x.is_empty() {
            return Ok(Plan::empty());
        }
        let ([count, whole], len, is_triangle) = (self.lanes()?, self.len, self.is_triangle);
        let factor = self.factor;
        let mut planner = Planner::new();
        let inputs =
            [planner.rows(self.x, whole)?, planner.rows(y, whole)?, self.read_mask(&mut planner, whole)?];
        let out = planner.out(out, whole)?;
        planner.lanes(count, inputs, [out], "gradients of softmax", move |[g, y, hidden], [out]| {
            masked_softmax_gradients([g, y], Mask { hidden, is_triangle, len }, factor, out);
        })?;
        Ok(planner.plan())
    }
}

fn rows(shape: &Shape, len: usize) -> usize {
    shape.numel().unwrap_or(0) / len.max(1)
}

pub(super) fn scaled_masked_softmax_backward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradOutput", "y", "mask", "out"])?;
    let [grad, y, mask, out] = &tensors;
    let takes = signatures::scaled_masked_softmax_backward.takes;
    let own = check::dtype(grad, takes)?;
    check::dtype(y, takes)?;
    check::dtype(out, takes)?;
    check::exactly(mask, Bool)?;
    if tensors.iter().any(|operand| operand.format() == ACL_FORMAT_FRACTAL_NZ) {
        return check::not_emulated("gradients of matrices in fractals");
    }
    let len = masked_rows(grad, mask)?;
    let shape = grad.shape()?;
    has_shape(y, shape)?;
    check::output_shape(out, shape)?;
    is_no_triangle(call, "fixTriuMask")?;
    check::exactly(out, own).map_err(when_launched)?;
    Scores { x: grad, mask: Some(mask), is_triangle: false, factor: call.float("scale")?, len }
        .gradients(y, out)
}

pub(super) fn masked_softmax_with_rel_pos_bias(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "relativePosBias", "out"])?;
    let ([x, bias, out], mask) = (&tensors, call.optional_tensor("attenMaskOptional")?);
    let takes = signatures::masked_softmax_with_rel_pos_bias.takes;
    let all = [&tensors[..], mask.as_slice()].concat();
    check::alike(&all, takes)?;
    let checked = || -> Result<[usize; 4]> {
        let shape = x.shape()?;
        let (windows, heads, down, len) = match shape[..] {
            [_, windows, heads, down, len] => (windows, heads, down, len),
            [windows, heads, down, len] => (windows, heads, down, len),
            _ => return invalid(format_args!("x has shape {shape}, but must have 4 or 5 axes")),
        };
        has_last(bias, &[heads, down, len])?;
        check::have_elements(&[Some(bias)], heads.saturating_mul(down).saturating_mul(len))?;
        if let Some(mask) = &mask {
            has_last(mask, &[down, len])?;
            check::have_elements(&[Some(mask)], windows.saturating_mul(down).saturating_mul(len))?;
        }
        check::output_shape(out, shape)?;
        Ok([windows, heads, down, len])
    };
    let [windows, heads, down, len] = checked().map_err(when_divided)?;
    let shape = x.shape()?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let batches = shape.numel().unwrap_or(0) / (windows * heads * down * len);
    let mut planner = Planner::new();
    let grid = [batches, windows, heads, down, len];
    let spread = |operand: &Operand, dtype, is_mask: bool| {
        let (sizes, own) = (operand.shape()?, operand.strides());
        let last = |back: usize| own.len().checked_sub(back).map_or(0, |axis| own[axis]);
        // The windows of a mask are its axis of several elements before the last two.
        let mut outer = sizes.iter().zip(&own).rev().skip(2);
        let window = outer.find(|(size, _)| **size > 1).map_or(0, |(_, stride)| *stride);
        let [window, head] = if is_mask { [window, 0] } else { [0, last(3)] };
        operand.view_of(dtype, &grid, &[0, window, head, last(2), last(1)], operand.offset())
    };
    let inputs = [
        planner.rows(x, len)?,
        planner.read_if(mask.as_ref(), len, &|mask, dtype| spread(mask, dtype, true))?,
        planner.read(bias, len, &|bias, dtype| spread(bias, dtype, false))?,
    ];
    let (out, factor) = (planner.out(out, len)?, call.float("scaleValue")? as f32);
    planner.lanes(rows(shape, len), inputs, [out], "softmax of windows", move |[x, mask, bias], [out]| {
        biased_softmax(x, [mask, bias], factor, out);
    })?;
    Ok(planner.plan())
}

/// Checks that an operand has these sizes last, and one element along the axes before them but for windows.
fn has_last(operand: &Operand, sizes: &[usize]) -> Result {
    match operand.shape()?.ends_with(sizes) {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, which does not end with {sizes:?}",
            operand.name,
            operand.shape()?
        )),
    }
}
