//! Greatest elements of windows, and elements put back to their places.

use aclnn::ops::{self, MaxPool};
use aclnn::{DType, Scalar, Tensor};

use super::super::convolution::windows::{self, Axis, Moves, each, image, padded, sizes};
use super::axes::{is_plain, reduced, with_rows};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared, Values};

pub(super) fn max_pool(node: &Node) -> NodeResult<Prepared> {
    let moves = Moves::of(node)?;
    let by_columns = node.flag("storage_order", false)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axes = moves.over(image(x.dims())?)?;
        if !call.wants(1) {
            return Ok(Values::from(greatest(call, &x, &axes)?));
        }
        let (values, places) = with_places(call, &x, &axes, by_columns)?;
        Ok((values, places).into())
    }))
}

/// The value that is less than all others.
fn least(dtype: DType) -> Scalar {
    match dtype {
        DType::U8 | DType::U16 | DType::U32 | DType::Bool => 0.into(),
        DType::I8 => i8::MIN.into(),
        DType::I16 => i16::MIN.into(),
        DType::I32 => i32::MIN.into(),
        DType::I64 => i64::MIN.into(),
        _ => f64::NEG_INFINITY.into(),
    }
}

fn greatest(call: &Call<'_>, x: &Tensor, axes: &[Axis]) -> NodeResult<Tensor> {
    if matches!(x.dtype(), DType::F32 | DType::F16 | DType::BF16)
        && axes.len() <= 3
        && axes.iter().all(|axis| axis.dilation == 1)
        && x.numel() > 0
    {
        match of_device(x, axes) {
            // Some devices have pools of f16 alone.
            Err(Reason::Device(error)) if matches!(*error, aclnn::Error::Unsupported { .. }) => {}
            result => return result,
        }
    }
    let pads: Vec<(usize, usize)> = axes.iter().map(Axis::reached).collect();
    let x = padded(x, &pads, least(x.dtype()))?;
    // Greatest elements of greatest elements are those of all.
    reduced(&x, axes, |windows| call.widened([windows], |[windows]| windows.max(-1)))
}

/// Greatest elements by the device's pools.
fn of_device(x: &Tensor, axes: &[Axis]) -> NodeResult<Tensor> {
    let (rows, axes) = with_rows(x, axes)?;
    let plain = is_plain(&axes);
    let rows = match plain {
        true => rows,
        false => {
            let pads: Vec<(usize, usize)> = axes.iter().map(Axis::reached).collect();
            padded(&rows, &pads, f64::NEG_INFINITY)?
        }
    };
    let y = match axes.len() {
        2 => run(ops::max_pool2d(&rows, each(&axes, |axis| axis.kernel)?), &axes, plain)?,
        _ => run(ops::max_pool3d(&rows, each(&axes, |axis| axis.kernel)?), &axes, plain)?,
    };
    Ok(if x.rank() == 3 { y.squeeze(2)? } else { y })
}

fn run<const N: usize>(pool: MaxPool<'_, N>, axes: &[Axis], plain: bool) -> NodeResult<Tensor> {
    let pool = pool.stride(each(axes, |axis| axis.stride)?);
    let pool = if plain { pool.padding(each(axes, |axis| axis.before)?) } else { pool };
    let pool = if plain && axes.iter().any(|axis| axis.ceil) { pool.ceil_mode() } else { pool };
    let mut y = pool.run()?;
    for (place, axis) in axes.iter().enumerate() {
        if y.dims().get(place + 2) != Some(&axis.count) {
            y = y.narrow(place + 2, 0, axis.count)?;
        }
    }
    Ok(y)
}

/// Returns greatest elements and their places among all elements of the tensor. Of several equal ones the first counts.
fn with_places(call: &Call<'_>, x: &Tensor, axes: &[Axis], by_columns: bool) -> NodeResult<(Tensor, Tensor)> {
    let dtype = x.dtype();
    let pads: Vec<(usize, usize)> = axes.iter().map(Axis::reached).collect();
    let mut values = padded(x, &pads, least(dtype))?;
    // The place along each axis for what is left of the elements, from the last axis on.
    let mut places: Vec<Tensor> = Vec::with_capacity(axes.len());
    for (number, axis) in axes.iter().enumerate().rev() {
        let place = number + 2;
        let windows = windows::along(&values, place, axis)?;
        let ((greatest, inside), cast) = call.widened_as([&windows], first_greatest)?;
        let starts: Vec<i64> = (0..axis.count).map(|window| (window * axis.stride) as i64).collect();
        let shape: Vec<usize> =
            (0..x.rank()).map(|other| if other == place { axis.count } else { 1 }).collect();
        let starts = Tensor::from_slice(call.stream(), &starts, shape)?;
        let at = inside.mul(axis.dilation as i64)?.add(&starts)?;
        for other in &mut places {
            *other = other.gather(place, &at)?;
        }
        places.push(at.sub(axis.before as i64)?);
        values = match cast {
            Some(_) => greatest.cast(dtype)?,
            None => greatest,
        };
    }
    places.reverse();
    Ok((values, counted(call, x, &places, by_columns)?))
}

/// Returns the greatest elements along the last axis, and the place of the first of each.
fn first_greatest([windows]: [&Tensor; 1]) -> Result<(Tensor, Tensor), aclnn::Error> {
    if windows.dtype() != DType::F64 {
        return windows.max_dim(-1);
    }
    // The device has no places of f64.
    let greatest = windows.max(-1)?;
    let length = windows.dims().last().copied().unwrap_or(0) as i64;
    let places = Tensor::arange(windows.stream(), 0, length, 1, DType::I64)?;
    let behind = Tensor::full(windows.stream(), [], length - 1, DType::I64)?;
    let places = ops::where_(&windows.eq(&greatest.unsqueeze(-1)?)?, &places, &behind).run()?.min(-1)?;
    Ok((greatest, places))
}

/// Counts elements in row-major order, or each image in column-major order.
fn counted(call: &Call<'_>, x: &Tensor, places: &[Tensor], by_columns: bool) -> NodeResult<Tensor> {
    let (&[batches, channels, ..], sizes) = (x.dims(), image(x.dims())?) else {
        return Reason::text("images have axes for batches and channels");
    };
    let area: usize = sizes.iter().product();
    let starts: Vec<i64> = (0..batches * channels).map(|plane| (plane * area) as i64).collect();
    let shape: Vec<usize> = [batches, channels].into_iter().chain(sizes.iter().map(|_| 1)).collect();
    let mut sum = Tensor::from_slice(call.stream(), &starts, shape)?;
    for (axis, place) in places.iter().enumerate() {
        let step: usize = match by_columns {
            true => sizes.iter().take(axis).product(),
            false => sizes.iter().skip(axis + 1).product(),
        };
        sum = sum.add(&place.mul(step as i64)?)?;
    }
    Ok(sum)
}

pub(super) fn max_unpool(node: &Node) -> NodeResult<Prepared> {
    let moves = Moves::of(node)?;
    Ok(Prepared::device(move |call| {
        let (x, places) = (call.tensor(0)?, call.tensor(1)?);
        let axes = moves.given(image(x.dims())?, moves.kernel.as_deref().unwrap_or_default())?;
        let mut shape: Vec<usize> = x.dims().iter().take(2).copied().collect();
        for axis in &axes {
            let whole = axis.size.saturating_sub(1) * axis.stride + axis.kernel;
            shape.push(whole.saturating_sub(axis.before + axis.after));
        }
        let zeros = Tensor::zeros(call.stream(), &shape[..], x.dtype())?;
        let count = x.numel();
        let source = x.contiguous()?.reshape([count])?;
        let places = places.contiguous()?.reshape([count])?;
        let y = zeros.flatten_all()?.put(&places, &source)?.reshape(&shape[..])?;
        let Some(wanted) = call.optional_ints(2)? else { return Ok(y) };
        let wanted = sizes("output_shape", &wanted, 0)?;
        if wanted.len() != shape.len() {
            return Reason::text(format!("its output shape {wanted:?} has other axes than {shape:?}"));
        }
        let behind: Vec<(usize, usize)> =
            wanted.iter().zip(&shape).map(|(wanted, size)| (0, wanted.saturating_sub(*size))).collect();
        let mut y = padded(&y, &behind, 0)?;
        for (axis, size) in wanted.iter().enumerate() {
            y = y.narrow(axis, 0, *size)?;
        }
        Ok(y)
    }))
}
