//! Means and norms of windows.

use aclnn::ops::{self, AvgPool};
use aclnn::{DType, Tensor};

use super::super::convolution::windows::{Axis, Moves, each, image, padded};
use super::axes::{is_plain, reduced, with_rows};
use crate::error::NodeResult;
use crate::graph::Node;
use crate::run::{Call, Prepared};

pub(super) fn average_pool(node: &Node) -> NodeResult<Prepared> {
    let moves = Moves::of(node)?;
    let with_pads = node.flag("count_include_pad", false)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axes = moves.over(image(x.dims())?)?;
        let by_device = matches!(x.dtype(), DType::F32 | DType::F16 | DType::BF16);
        if by_device && is_plain(&axes) && axes.len() <= 3 && x.numel() > 0 {
            return of_device(&x, &axes, with_pads);
        }
        averages(call, &x, &axes, with_pads)
    }))
}

fn of_device(x: &Tensor, axes: &[Axis], with_pads: bool) -> NodeResult<Tensor> {
    let (rows, axes) = with_rows(x, axes)?;
    let y = match axes.len() {
        2 => run(ops::avg_pool2d(&rows, each(&axes, |axis| axis.kernel)?), &axes, with_pads)?,
        _ => run(ops::avg_pool3d(&rows, each(&axes, |axis| axis.kernel)?), &axes, with_pads)?,
    };
    Ok(if x.rank() == 3 { y.squeeze(2)? } else { y })
}

fn run<const N: usize>(pool: AvgPool<'_, N>, axes: &[Axis], with_pads: bool) -> NodeResult<Tensor> {
    let pool = pool
        .stride(each(axes, |axis| axis.stride)?)
        .padding(each(axes, |axis| axis.before)?)
        .count_include_pad(with_pads);
    let pool = if axes.iter().any(|axis| axis.ceil) { pool.ceil_mode() } else { pool };
    Ok(pool.run()?)
}

/// The sums of windows, divided by the numbers of elements that count.
fn averages(call: &Call<'_>, x: &Tensor, axes: &[Axis], with_pads: bool) -> NodeResult<Tensor> {
    let pads: Vec<(usize, usize)> = axes.iter().map(Axis::reached).collect();
    let wide = call.wide(x)?;
    let sums = reduced(&padded(&wide, &pads, 0)?, axes, |windows| Ok(windows.sum(-1)?))?;
    let mut counts = vec![1.0f64];
    for axis in axes {
        let own = counted(axis, with_pads);
        counts = counts.iter().flat_map(|outer| own.iter().map(move |own| outer * own)).collect();
    }
    let shape: Vec<usize> = [1, 1].into_iter().chain(axes.iter().map(|axis| axis.count)).collect();
    let counts = Tensor::from_slice(call.stream(), &counts, shape)?.cast(wide.dtype())?;
    let means = sums.div(&counts)?;
    call.as_type(means, x.dtype())
}

/// Returns how many elements of each window along an axis count: those of the image, with its pads if wanted.
fn counted(axis: &Axis, with_pads: bool) -> Vec<f64> {
    let (before, after) = if with_pads { axis.pads() } else { (0, 0) };
    let counts = -(before as i64)..(axis.size + after) as i64;
    (0..axis.count)
        .map(|window| {
            let start = axis.start(window);
            let places = (0..axis.kernel).map(|tap| start + (tap * axis.dilation) as i64);
            places.filter(|place| counts.contains(place)).count() as f64
        })
        .collect()
}

pub(super) fn lp_pool(node: &Node) -> NodeResult<Prepared> {
    let moves = Moves::of(node)?;
    let order = node.int("p", 2)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let axes = moves.over(image(x.dims())?)?;
        let pads: Vec<(usize, usize)> = axes.iter().map(Axis::reached).collect();
        let powers = padded(&raised(&call.wide(&x)?, order)?, &pads, 0)?;
        let sums = reduced(&powers, &axes, |windows| Ok(windows.sum(-1)?))?;
        let norms = root(&sums, order)?;
        call.as_type(norms, x.dtype())
    }))
}

/// Returns powers of the absolute values.
pub(super) fn raised(x: &Tensor, order: i64) -> Result<Tensor, aclnn::Error> {
    match order {
        1 => x.abs(),
        2 => x.mul(x),
        _ => x.abs()?.pow(order as f64),
    }
}

/// Returns the roots of sums of powers.
pub(super) fn root(sums: &Tensor, order: i64) -> Result<Tensor, aclnn::Error> {
    match order {
        1 => Ok(sums.clone()),
        2 => sums.sqrt(),
        _ => sums.pow(1.0 / order as f64),
    }
}
