//! Regions of images, pooled to one size.

use aclnn_numerics::types_by_product::Types;
use cann_kernels::{Cause, Failure};

use super::corners::{Corners, sample, within};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::{Planner, ints};
use crate::operators::signatures;
use crate::status::Result;

/// Samples of a cell along an axis, at most; the emulator takes no more.
const MOST_SAMPLES: usize = 1024;

/// The samples of regions.
#[derive(Clone, Copy)]
struct Grid {
    /// Rows and columns of an image, and of a result.
    image: [usize; 2],
    pooled: [usize; 2],
    scale: f64,
    /// Samples along each axis of a cell; 0 for as many as elements.
    ratio: usize,
    /// Whether elements are at the middle of cells.
    aligned: bool,
}

impl Grid {
    /// Calls `each` with the number of a cell, the samples of it and its corners.
    fn each(&self, [left, top, right, bottom]: [f32; 4], mut each: impl FnMut(usize, f64, &Corners)) {
        let shift = if self.aligned { 0.5 } else { 0.0 };
        let at = |x: f32| f64::from(x) * self.scale - shift;
        let length =
            |from: f32, to: f32| if self.aligned { at(to) - at(from) } else { (at(to) - at(from)).max(1.0) };
        let [down, across] = self.pooled;
        let cells = [length(top, bottom) / down as f64, length(left, right) / across as f64];
        let count = |cell: f64| match self.ratio {
            0 => (cell.ceil().max(0.0) as usize).min(MOST_SAMPLES),
            ratio => ratio,
        };
        let counts = [count(cells[0]), count(cells[1])];
        let samples = (counts[0] * counts[1]).max(1) as f64;
        for cell in 0..down * across {
            let (row, column) = ((cell / across) as f64, (cell % across) as f64);
            for place in 0..counts[0] * counts[1] {
                let (y, x) = ((place / counts[1]) as f64 + 0.5, (place % counts[1]) as f64 + 0.5);
                let y = at(top) + (row + y / counts[0] as f64) * cells[0];
                let x = at(left) + (column + x / counts[1] as f64) * cells[1];
                each(cell, samples, &within(self.image, [y, x]));
            }
        }
    }
}

/// Returns a parameter that is a size, within bounds.
pub(super) fn size(call: &Call<'_>, name: &str, least: usize, most: usize) -> Result<usize> {
    let number = call.int(name)?;
    match usize::try_from(number) {
        Ok(size) if (least..=most).contains(&size) => Ok(size),
        _ => invalid(format_args!("{name} is {number}, but must be from {least} to {most}")),
    }
}

/// Fails for an image that does not exist.
pub(super) fn missing<T>(number: f32, count: usize) -> cann_kernels::Result<T> {
    Err(Failure::new(Cause::AiCore, format_args!("a region is of image {number}, but there are {count}")))
}

pub(in crate::operators) fn roi_align_v2(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["self", "boxes", "out"])?;
    let [images, boxes, out] = &tensors;
    check::alike(&[images, boxes, out], signatures::roi_align_v2.takes)?;
    let ([count, channels, height, width], [regions, _]) = (sizes(images)?, sizes::<2>(boxes)?);
    has_shape(boxes, &[regions, 5])?;
    let grid = grid(call, [height, width])?;
    check::output_shape(out, &[regions, channels, grid.pooled[0], grid.pooled[1]])?;
    forward([images, boxes, out], None, [count, channels, regions], grid)
}

fn grid(call: &Call<'_>, image: [usize; 2]) -> Result<Grid> {
    let pooled = [size(call, "pooledHeight", 1, usize::MAX)?, size(call, "pooledWidth", 1, usize::MAX)?];
    let ratio = size(call, "samplingRatio", 0, MOST_SAMPLES)?;
    Ok(Grid { image, pooled, scale: call.float("spatialScale")?, ratio, aligned: call.flag("aligned")? })
}

pub(in crate::operators) fn roi_align(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["self", "rois", "out"])?;
    let ([images, boxes, out], numbers) = (&tensors, call.tensor("batchIndices")?);
    let mode = call.text("mode")?;
    check::alike(&[images, boxes, out], signatures::roi_align.takes)?;
    check::dtype(&numbers, Types::of("i32 i64"))?;
    let ([count, channels, height, width], [regions, _]) = (sizes(images)?, sizes::<2>(boxes)?);
    has_shape(boxes, &[regions, 4])?;
    has_shape(&numbers, &[regions])?;
    let pooled = [size(call, "outputHeight", 1, usize::MAX)?, size(call, "outputWidth", 1, usize::MAX)?];
    let ratio = size(call, "samplingRatio", 0, MOST_SAMPLES)?;
    check::output_shape(out, &[regions, channels, pooled[0], pooled[1]])?;
    match mode.as_str() {
        "avg" => {}
        "max" => return check::not_emulated("regions by their greatest samples"),
        other => return invalid(format_args!("mode is \"{other}\", but must be \"avg\" or \"max\"")),
    }
    let scale = call.float("spatialScale")?;
    let grid = Grid { image: [height, width], pooled, scale, ratio, aligned: false };
    forward([images, boxes, out], Some(&numbers), [count, channels, regions], grid)
}

/// Regions whose images are numbered by an operand of their own, or by the first number of their box.
fn forward(
    [images, boxes, out]: [&Operand; 3],
    numbers: Option<&Operand>,
    [count, channels, regions]: [usize; 3],
    grid: Grid,
) -> Result<Plan> {
    if images.is_empty() || out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (plane, cells) =
        (grid.image[0].saturating_mul(grid.image[1]), grid.pooled[0].saturating_mul(grid.pooled[1]));
    let by_channel = |operand: &Operand, dtype| operand.permuted(dtype, &[1, 0, 2, 3]);
    let inputs = [
        planner.read(images, count.saturating_mul(plane), &by_channel)?,
        planner.all(Some(boxes), channels)?,
        planner.all(numbers, channels)?.map(|lanes| lanes.whole()),
    ];
    let out = planner.write(out, regions.saturating_mul(cells), &by_channel)?;
    planner.try_lanes(channels, inputs, [out], "pool regions", move |[images, boxes, numbers], [out]| {
        out.fill(0.0);
        let sizes = boxes.len() / regions;
        for (region, (of_box, out)) in boxes.chunks(sizes).zip(out.chunks_mut(cells)).enumerate() {
            let (number, corners) = match of_box {
                [number, corners @ ..] if sizes == 5 => (*number, corners),
                corners => (ints(numbers)[region] as f32, corners),
            };
            let image = images.chunks(plane).nth(number as usize).filter(|_| number >= 0.0);
            let Some(image) = image else { return missing(number, count) };
            let &[left, top, right, bottom] = corners else { return Ok(()) };
            let mut sums = (usize::MAX, 0.0);
            grid.each([left, top, right, bottom], |cell, samples, corners| {
                if sums.0 != cell {
                    sums = (cell, 0.0);
                }
                sums.1 += sample(image, corners);
                out[cell] = (sums.1 / samples) as f32;
            });
        }
        Ok(())
    })?;
    Ok(planner.plan())
}

pub(in crate::operators) fn roi_align_v2_backward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradOutput", "boxes", "gradInput"])?;
    let ([grad, boxes, out], shape) = (&tensors, call.ints("inputShape")?);
    check::alike(&[grad, boxes, out], signatures::roi_align_v2_backward.takes)?;
    let ([count, channels, height, width], [regions, _]) = (sizes(out)?, sizes::<2>(boxes)?);
    let own = [count as i64, channels as i64, height as i64, width as i64];
    if shape[..] != own {
        return invalid(format_args!("inputShape is {shape:?}, but gradInput has {own:?}"));
    }
    has_shape(boxes, &[regions, 5])?;
    let grid = grid(call, [height, width])?;
    has_shape(grad, &[regions, channels, grid.pooled[0], grid.pooled[1]])?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (plane, cells) = (height.saturating_mul(width), grid.pooled[0].saturating_mul(grid.pooled[1]));
    let by_channel = |operand: &Operand, dtype| operand.permuted(dtype, &[1, 0, 2, 3]);
    let inputs = [
        planner.read(grad, regions.saturating_mul(cells), &by_channel)?,
        planner.all(Some(boxes), channels)?,
    ];
    let out = planner.write(out, count.saturating_mul(plane), &by_channel)?;
    planner.try_lanes(channels, inputs, [out], "gradients of regions", move |[grad, boxes], [out]| {
        out.fill(0.0);
        for (of_box, grad) in boxes.chunks(5).zip(grad.chunks(cells)) {
            let &[number, left, top, right, bottom] = of_box else { return Ok(()) };
            let image = out.chunks_mut(plane).nth(number as usize).filter(|_| number >= 0.0);
            let Some(image) = image else { return missing(number, count) };
            grid.each([left, top, right, bottom], |cell, samples, corners| {
                for corner in corners.iter().flatten() {
                    image[corner.place] += (f64::from(grad[cell]) * corner.weight / samples) as f32;
                }
            });
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
