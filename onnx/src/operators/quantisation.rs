//! Integers, and floats of few bits, that stand for floats by a scale and a zero point.

use aclnn::onnx::{self, CastOptions};
use aclnn::{DType, Tensor, ops};

use super::operator::Operator;
use super::products::product;
use super::shapes::in_shape;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, NodeCache, Prepared};
use crate::value::Value;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("QuantizeLinear", 10, quantize),
    Operator::node("DequantizeLinear", 10, dequantize),
    Operator::node("DynamicQuantizeLinear", 11, dynamic),
    Operator::node("QLinearMatMul", 10, qlinear_matmul),
];

/// The scales of a tensor: along an axis, perhaps each for a block of its elements.
#[derive(Clone, Copy)]
struct Scales {
    axis: i64,
    block: usize,
}

impl Scales {
    fn of(node: &Node) -> NodeResult<Scales> {
        match usize::try_from(node.int("block_size", 0)?) {
            Ok(block) => Ok(Scales { axis: node.int("axis", 1)?, block }),
            Err(_) => Reason::text("its `block_size` is negative"),
        }
    }

    /// Returns scales or zero points in a shape that broadcasts with a tensor.
    fn spread(self, numbers: &Tensor, dims: &[usize]) -> NodeResult<Tensor> {
        if numbers.numel() == 1 && (numbers.rank() <= 1 || self.block == 0) {
            return in_shape(numbers, [].into());
        }
        let axis = places::axis(self.axis, dims.len())?;
        let size = dims.get(axis).copied().unwrap_or(1);
        if self.block == 0 {
            return match numbers.dims() {
                [count] if *count == size => scale_along(numbers, axis, dims.len()),
                other => {
                    Reason::text(format!("scales of shape {other:?} are not along axis {axis} of {dims:?}"))
                }
            };
        }
        let fits =
            numbers.dims().iter().zip(dims).enumerate().all(|(place, (of, size))| match place == axis {
                true => *of == size.div_ceil(self.block),
                false => of == size,
            });
        if !fits || numbers.rank() != dims.len() {
            let own = numbers.dims();
            return Reason::text(format!(
                "scales of shape {own:?} are not those of blocks of {} along axis {axis} of {dims:?}",
                self.block
            ));
        }
        Ok(numbers.repeat_interleave(self.block, axis)?.narrow(axis, 0, size)?)
    }
}

/// Returns numbers along an axis in a shape that broadcasts with a tensor.
pub(super) fn scale_along(numbers: &Tensor, axis: usize, rank: usize) -> NodeResult<Tensor> {
    let count = numbers.numel();
    if count == 1 {
        return in_shape(numbers, [].into());
    }
    let shape: Vec<usize> = (0..rank).map(|place| if place == axis { count } else { 1 }).collect();
    in_shape(numbers, shape.into())
}

/// Returns the least and the greatest integer of a type.
fn range(dtype: DType) -> Option<(i64, i64)> {
    Some(match dtype {
        DType::I8 => (-128, 127),
        DType::U8 => (0, 255),
        DType::I16 => (-32768, 32767),
        DType::U16 => (0, 65535),
        DType::I4 => (-8, 7),
        DType::U4 => (0, 15),
        DType::I2 => (-2, 1),
        DType::U2 => (0, 3),
        _ => return None,
    })
}

/// Reads a type that may be 0, for none.
fn given_type(node: &Node, name: &str) -> NodeResult<Option<DType>> {
    if node.int(name, 0)? == 0 { Ok(None) } else { node.dtype(name) }
}

/// Converts as ONNX Cast does.
fn converted(tensor: &Tensor, dtype: DType, saturate: bool) -> NodeResult<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    Ok(onnx::cast(tensor, dtype).options(CastOptions { saturate, ..CastOptions::default() }).run()?)
}

fn quantize(node: &Node) -> NodeResult<Prepared> {
    let scales = Scales::of(node)?;
    let saturate = node.flag("saturate", true)?;
    let (output, precision) = (given_type(node, "output_dtype")?, given_type(node, "precision")?);
    Ok(Prepared::device(move |call| {
        let (x, scale, zero) = (call.tensor(0)?, call.tensor(1)?, call.optional_tensor(2)?);
        let to = zero.as_ref().map(Tensor::dtype).or(output).unwrap_or(DType::U8);
        let precision = precision.unwrap_or(if scale.dtype().is_float() { scale.dtype() } else { x.dtype() });
        let scale = scales.spread(&converted(&scale, precision, true)?, x.dims())?;
        let steps = converted(&x, precision, true)?.div(&scale)?;
        let zero = match zero.filter(|_| !is_known_zero(call, 2)) {
            Some(zero) => Some(scales.spread(&zero, x.dims())?),
            None => None,
        };
        rounded(&steps, zero.as_ref(), to, saturate)
    }))
}

/// Returns whether the host knows that an input of integers is 0, so that nothing needs to be added.
fn is_known_zero(call: &Call<'_>, input: usize) -> bool {
    let array = call.optional(input).and_then(Value::known);
    array.is_some_and(|array| array.bytes().iter().all(|byte| *byte == 0))
}

/// Returns numbers of steps, counted from a zero point, as elements of a type.
pub(super) fn rounded(
    steps: &Tensor,
    zero: Option<&Tensor>,
    to: DType,
    saturate: bool,
) -> NodeResult<Tensor> {
    let Some((least, greatest)) = range(to) else {
        // A float of few bits has no zero point but 0.
        return if to.is_integer() { Ok(steps.round()?.cast(to)?) } else { converted(steps, to, saturate) };
    };
    let mut whole = steps.round()?;
    if whole.dtype() != DType::F64 {
        whole = whole.to_dtype(DType::F32)?;
    }
    if let Some(zero) = zero {
        whole = whole.add(&converted(zero, whole.dtype(), true)?)?;
    }
    let within = ops::clamp(&whole, least, greatest).run()?;
    converted(&within, to, true)
}

fn dequantize(node: &Node) -> NodeResult<Prepared> {
    let scales = Scales::of(node)?;
    let output = given_type(node, "output_dtype")?;
    Ok(Prepared::device(move |call| {
        let (x, scale, zero) = (call.tensor(0)?, call.tensor(1)?, call.optional_tensor(2)?);
        let to = output.unwrap_or(scale.dtype());
        // Differences of integers of up to 16 bits are exact in f32.
        let mut wide = converted(&x, DType::F32, true)?;
        if let Some(zero) = zero
            && (range(x.dtype()).is_some() || x.dtype() == DType::I32)
            && !is_known_zero(call, 2)
        {
            wide = wide.sub(&converted(&scales.spread(&zero, x.dims())?, DType::F32, true)?)?;
        }
        let scale = scales.spread(&converted(&scale, DType::F32, true)?, x.dims())?;
        converted(&wide.mul(&scale)?, to, true)
    }))
}

fn dynamic(_: &Node) -> NodeResult<Prepared> {
    Ok(Prepared::device(|call| {
        let x = call.tensor(0)?;
        let (least, greatest) = if x.numel() == 0 {
            let zero = Tensor::zeros(call.stream(), [], x.dtype())?;
            (zero.clone(), zero)
        } else {
            (x.min(..)?.clamp_max(0)?, x.max(..)?.clamp_min(0)?)
        };
        let span = greatest.sub(&least)?.div(255)?;
        // Zeros alone have any scale.
        let scale = ops::where_(&span.eq(0)?, 1.0f32, &span).run()?.to_dtype(DType::F32)?;
        let zero = ops::clamp(&least.div(&scale)?.neg()?.round()?, 0, 255).run()?;
        let y = x.div(&scale)?.round()?.add(&zero)?;
        let y = ops::clamp(&y, 0, 255).run()?.cast(DType::U8)?;
        Ok((y, scale, zero.cast(DType::U8)?))
    }))
}

/// Returns how many products of differences of integers of eight bits f32 sums exactly.
pub(super) const fn exact_terms() -> usize {
    (1 << 24) / (255 * 255)
}

/// Returns integers of eight bits, less a zero point, as f32; the zero points of several lie along an axis.
pub(super) fn less_zero_point(x: &Tensor, zero: Option<&Tensor>, axis: Option<usize>) -> NodeResult<Tensor> {
    let wide = x.cast(DType::F32)?;
    let Some(zero) = zero else { return Ok(wide) };
    let zero = zero.cast(DType::F32)?;
    let zero = match axis {
        Some(axis) => scale_along(&zero, axis, x.rank())?,
        None => in_shape(&zero, [].into())?,
    };
    Ok(wide.sub(&zero)?)
}

/// Returns sums of integers, times a scale, as elements of the type of a zero point.
pub(super) fn requantised(sums: &Tensor, scale: &Tensor, zero: &Tensor) -> NodeResult<Tensor> {
    let steps = sums.to_dtype(DType::F32)?.mul(&scale.to_dtype(DType::F32)?)?;
    let zero_point = in_shape(zero, if zero.numel() == 1 { [].into() } else { zero.shape().clone() })?;
    rounded(&steps, Some(&zero_point), zero.dtype(), true)
}

fn qlinear_matmul(_: &Node) -> NodeResult<Prepared> {
    let right = NodeCache::default();
    Ok(Prepared::device(move |call| {
        let (a, b) = (call.tensor(0)?, call.tensor(3)?);
        let is_whole = a.dtype().is_integer() && b.dtype().is_integer();
        let (a_scale, a_zero) = of_rows(&a, &call.tensor(1)?, &call.tensor(2)?, 2)?;
        let a = converted(&a, DType::F32, true)?.sub(&a_zero)?;
        let (b, b_scale) = right.of(call, &[3, 4, 5], || {
            let (scale, zero) = of_rows(&b, &call.tensor(4)?, &call.tensor(5)?, 1)?;
            Ok((converted(&b, DType::F32, true)?.sub(&zero)?, scale))
        })?;
        let sums = if is_whole { products(&a, &b)? } else { product(&a, &b)? };
        let scale = a_scale.mul(&b_scale)?.div(&call.tensor(6)?.to_dtype(DType::F32)?)?;
        requantised(&sums, &scale, &call.tensor(7)?)
    }))
}

/// Returns scales and zero points as f32, in a shape that broadcasts with matrices; of several, one is for each row, or, where
/// `behind` is 1, for each column.
fn of_rows(x: &Tensor, scale: &Tensor, zero: &Tensor, behind: usize) -> NodeResult<(Tensor, Tensor)> {
    let shaped = |numbers: &Tensor| {
        let numbers = converted(numbers, DType::F32, true)?;
        match numbers.rank() {
            0 | 1 => scale_along(&numbers, x.rank().saturating_sub(behind), x.rank()),
            _ => NodeResult::Ok(numbers),
        }
    };
    Ok((shaped(scale)?, shaped(zero)?))
}

/// Returns the products of matrices of small integers that are held as f32, as i32. The sums are made in parts, so that f32 holds
/// each exactly.
fn products(a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    let length = a.dims().last().copied().unwrap_or(0);
    let rows_of_b = if b.rank() == 1 { 0 } else { b.rank().saturating_sub(2) };
    let mut sum: Option<Tensor> = None;
    for first in (0..length).step_by(exact_terms()) {
        let count = exact_terms().min(length - first);
        let part =
            product(&a.narrow(-1, first, count)?, &b.narrow(rows_of_b, first, count)?)?.cast(DType::I32)?;
        sum = Some(match sum {
            Some(sum) => sum.add(&part)?,
            None => part,
        });
    }
    match sum {
        Some(sum) => Ok(sum),
        None => Ok(product(a, b)?.cast(DType::I32)?),
    }
}
