//! Scales of some axes, and statistics of channels.

use aclnn_numerics::layout::Shape;
use cann_kernels::axis::normalization::{Spread, normalise};
use smallvec::SmallVec;

use crate::operators::axes::{axis_in, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::status::Result;

pub(super) fn scale(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "scale", "y"])?;
    let ([x, factors, y], bias) = (&tensors, call.optional_tensor("bias")?);
    let all = [&tensors[..], bias.as_slice()].concat();
    check::alike(&all, signatures::scale.takes)?;
    check::rank(x)?;
    let axis = axis_in("axis", call.int("axis")?, x.rank())?;
    let (shape, count) = (x.shape()?, call.int("numAxes")?);
    let end = match (call.flag("scaleFromBlob")?, count) {
        (false, _) => axis + factors.rank(),
        (true, -1) => shape.rank(),
        (true, count) => axis.saturating_add(usize::try_from(count).unwrap_or(usize::MAX)),
    };
    let Some(own) = shape.get(axis..end) else {
        return invalid(format_args!("scale has axes from {axis} to {end}, but x has {}", shape.rank()));
    };
    let own = Shape::from(own);
    // A scale of one number is one for all.
    if factors.shape()?.numel() != Some(1) {
        has_shape(factors, &own)?;
    }
    check::each(bias.as_slice(), |bias| has_shape(bias, factors.shape()?))?;
    check::output_shape(y, shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let spread = |operand: &Operand, dtype| {
        let mut strides: SmallVec<[isize; 8]> = SmallVec::from_elem(0, shape.rank());
        if operand.shape()?.numel() != Some(1) {
            strides[axis..end].copy_from_slice(&operand.strides());
        }
        operand.view_of(dtype, shape, &strides, operand.offset())
    };
    let len = shape[axis..].iter().product();
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, len)?,
        planner.read(factors, len, &spread)?,
        planner.read_if(bias.as_ref(), len, &spread)?,
    ];
    let out = planner.out(y, len)?;
    planner.lanes(
        shape.numel().unwrap_or(0) / len,
        inputs,
        [out],
        "scale and shift",
        |[x, scale, bias], [out]| {
            // Nothing is subtracted, and nothing divided.
            let spreads = [Spread::new(scale, 1.0), Spread::new(bias, 0.0)];
            normalise(x, (0.0, 1.0), spreads, out, false);
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn sync_batch_norm_gather_stats(call: &Call<'_>) -> Result<Plan> {
    let names = ["totalSum", "totalSquareSum", "mean", "variance", "batchMean", "batchInvstd"];
    let (tensors, samples) = (call.tensors_of(names)?, call.tensor("sampleCount")?);
    let [sums, squares, mean, variance, of_batch, inverse] = &tensors;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::sync_batch_norm_gather_stats.takes)?;
    check::any_dtype(&samples)?;
    let [devices, channels] = sizes(sums)?;
    has_shape(squares, sums.shape()?)?;
    has_shape(&samples, &[devices])?;
    for operand in [mean, variance, of_batch, inverse] {
        has_shape(operand, &[channels])?;
    }
    if devices == 0 || channels == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let columns = |operand: &Operand, dtype| operand.lanes(dtype, &[0]);
    let inputs = [
        planner.read(sums, devices, &columns)?,
        planner.read(squares, devices, &columns)?,
        planner.all(Some(&samples), channels)?,
        planner.rows(mean, 1)?,
        planner.rows(variance, 1)?,
    ];
    let outputs = [
        planner.out(mean, 1)?,
        planner.out(variance, 1)?,
        planner.out(of_batch, 1)?,
        planner.out(inverse, 1)?,
    ];
    let (momentum, eps) = (call.float("momentum")?, call.float("eps")?);
    planner.lanes(
        channels,
        inputs,
        outputs,
        "gather statistics",
        move |[sums, squares, samples, mean, variance], out| {
            let total = |numbers: &[f32]| numbers.iter().map(|number| f64::from(*number)).sum::<f64>();
            let count = total(samples);
            let average = total(sums) / count;
            let spread = total(squares) / count - average * average;
            let moved = |old: f32, new: f64| (1.0 - momentum) * f64::from(old) + momentum * new;
            let results = [
                moved(mean[0], average),
                moved(variance[0], spread * count / (count - 1.0)),
                average,
                1.0 / (spread + eps).sqrt(),
            ];
            out.into_iter().zip(results).for_each(|(out, result)| out[0] = result as f32);
        },
    )?;
    Ok(planner.plan())
}
