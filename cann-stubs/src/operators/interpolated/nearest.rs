//! Whole elements of regions, and the nearest points.

use aclnn_numerics::DType::I32;
use cann_kernels::{Cause, Failure};

use super::regions::{missing, size};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::{Planner, ints, ints_mut};
use crate::operators::signatures;
use crate::status::Result;

pub(in crate::operators) fn roi_pooling_with_arg_max(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "rois", "y"])?;
    let ([images, boxes, out], places) = (&tensors, call.tensor("argmax")?);
    check::alike(&[images, boxes, out], signatures::roi_pooling_with_arg_max.takes)?;
    check::exactly(&places, I32)?;
    let ([count, channels, height, width], [regions, _]) = (sizes(images)?, sizes::<2>(boxes)?);
    has_shape(boxes, &[regions, 5])?;
    let (down, across) = (size(call, "pooled_h", 1, usize::MAX)?, size(call, "pooled_w", 1, usize::MAX)?);
    for output in [out, &places] {
        check::output_shape(output, &[regions, channels, down, across])?;
    }
    if images.is_empty() || out.is_empty() {
        return Ok(Plan::empty());
    }
    let scales = [call.float("spatial_scale_h")?, call.float("spatial_scale_w")?];
    let (plane, cells) = (height.saturating_mul(width), down.saturating_mul(across));
    let mut planner = Planner::new();
    let by_channel = |operand: &Operand, dtype| operand.permuted(dtype, &[1, 0, 2, 3]);
    let inputs = [
        planner.read(images, count.saturating_mul(plane), &by_channel)?,
        planner.all(Some(boxes), channels)?,
    ];
    let all = regions.saturating_mul(cells);
    let outputs = [
        planner.write(out, all, &by_channel)?,
        planner.write(&places, all, &by_channel)?.map(|lanes| lanes.whole()),
    ];
    planner.try_lanes(channels, inputs, outputs, "pool regions", move |[images, boxes], [out, places]| {
        let by_region = out.chunks_mut(cells).zip(ints_mut(places).chunks_mut(cells));
        for (of_box, (out, places)) in boxes.chunks(5).zip(by_region) {
            let &[number, left, top, right, bottom] = of_box else { return Ok(()) };
            let image = images.chunks(plane).nth(number as usize).filter(|_| number >= 0.0);
            let Some(image) = image else { return missing(number, count) };
            let border = |at: f32, scale: f64| (f64::from(at) * scale).round();
            let (y, x) = (border(top, scales[0]), border(left, scales[1]));
            let tall = (border(bottom, scales[0]) - y + 1.0).max(1.0) / down as f64;
            let wide = (border(right, scales[1]) - x + 1.0).max(1.0) / across as f64;
            let within = |at: f64, size: usize| at.max(0.0).min(size as f64) as usize;
            for (cell, (out, place)) in out.iter_mut().zip(places).enumerate() {
                let (row, column) = ((cell / across) as f64, (cell % across) as f64);
                let rows =
                    within((row * tall).floor() + y, height)..within(((row + 1.0) * tall).ceil() + y, height);
                let columns = within((column * wide).floor() + x, width)
                    ..within(((column + 1.0) * wide).ceil() + x, width);
                (*out, *place) = (0.0, -1);
                for index in rows.flat_map(|row| columns.clone().map(move |column| row * width + column)) {
                    if *place < 0 || image[index] > *out {
                        (*out, *place) = (image[index], index as i32);
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(planner.plan())
}

pub(in crate::operators) fn roi_pooling_grad_with_arg_max(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradOutput", "gradInputRef", "rois"])?;
    let ([grad, images, boxes], places) = (&tensors, call.tensor("argmax")?);
    check::alike(&[grad, images, boxes], signatures::roi_pooling_grad_with_arg_max.takes)?;
    check::exactly(&places, I32)?;
    let ([count, channels, height, width], [regions, _]) = (sizes(images)?, sizes::<2>(boxes)?);
    has_shape(boxes, &[regions, 5])?;
    let (down, across) = (size(call, "pooledH", 1, usize::MAX)?, size(call, "pooledW", 1, usize::MAX)?);
    for operand in [grad, &places] {
        has_shape(operand, &[regions, channels, down, across])?;
    }
    if images.is_empty() || grad.is_empty() {
        return Ok(Plan::empty());
    }
    let (plane, cells) = (height.saturating_mul(width), down.saturating_mul(across));
    let (of_images, of_regions) = (count.saturating_mul(plane), regions.saturating_mul(cells));
    let mut planner = Planner::new();
    let by_channel = |operand: &Operand, dtype| operand.permuted(dtype, &[1, 0, 2, 3]);
    let inputs = [
        planner.read(grad, of_regions, &by_channel)?,
        planner.read(&places, of_regions, &by_channel)?.map(|lanes| lanes.whole()),
        planner.all(Some(boxes), channels)?,
        planner.read(images, of_images, &by_channel)?,
    ];
    let out = planner.write(images, of_images, &by_channel)?;
    let step = "gradients of regions";
    planner.try_lanes(channels, inputs, [out], step, move |[grad, places, boxes, images], [out]| {
        out.copy_from_slice(images);
        let by_region = grad.chunks(cells).zip(ints(places).chunks(cells));
        for (of_box, (grad, places)) in boxes.chunks(5).zip(by_region) {
            let number = of_box[0];
            let image = out.chunks_mut(plane).nth(number as usize).filter(|_| number >= 0.0);
            let Some(image) = image else { return missing(number, count) };
            for (grad, place) in grad.iter().zip(places) {
                match image.get_mut(*place as usize) {
                    Some(out) => *out += grad,
                    None if *place < 0 => {}
                    None => {
                        let message = format_args!("argmax has {place}, but a plane has {plane} elements");
                        return Err(Failure::new(Cause::AiCore, message));
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(planner.plan())
}

pub(in crate::operators) fn chamfer_distance_backward(call: &Call<'_>) -> Result<Plan> {
    let names = ["xyz1", "xyz2", "gradDist1", "gradDist2", "gradXyz1", "gradXyz2"];
    let (tensors, nearest) = (call.tensors_of(names)?, call.tensors_of(["idx1", "idx2"])?);
    let ([first, second, g1, g2, out1, out2], [of_first, of_second]) = (&tensors, &nearest);
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::chamfer_distance_backward.takes)?;
    check::all_exactly(&nearest, I32)?;
    let ([batch, n, axes], [_, m, _]) = (sizes(first)?, sizes::<3>(second)?);
    has_shape(second, &[batch, m, axes])?;
    for (operand, count) in [(g1, n), (of_first, n), (g2, m), (of_second, m)] {
        has_shape(operand, &[batch, count])?;
    }
    check::output_shape(out1, first.shape()?)?;
    check::output_shape(out2, second.shape()?)?;
    if first.is_empty() || second.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let [all1, all2] = [n.saturating_mul(axes), m.saturating_mul(axes)];
    let inputs = [
        planner.rows(first, all1)?,
        planner.rows(second, all2)?,
        planner.numbers(of_first, n)?,
        planner.numbers(of_second, m)?,
        planner.rows(g1, n)?,
        planner.rows(g2, m)?,
    ];
    let outputs = [planner.out(out1, all1)?, planner.out(out2, all2)?];
    planner.try_lanes(
        batch,
        inputs,
        outputs,
        "gradients of points",
        move |[first, second, of_first, of_second, g1, g2], [out1, out2]| {
            out1.fill(0.0);
            out2.fill(0.0);
            let mut add = |own: usize, other: usize, gradient: f32| {
                for axis in 0..axes {
                    let (a, b) = (own * axes + axis, other * axes + axis);
                    let (Some(x), Some(y)) = (first.get(a), second.get(b)) else { return false };
                    let part = 2.0 * gradient * (x - y);
                    out1[a] += part;
                    out2[b] -= part;
                }
                true
            };
            let number = |place: i32| usize::try_from(place).unwrap_or(usize::MAX / axes - 1);
            let first_ones =
                ints(of_first).iter().zip(g1).enumerate().map(|(own, (place, g))| (own, number(*place), *g));
            let second_ones =
                ints(of_second).iter().zip(g2).enumerate().map(|(own, (place, g))| (number(*place), own, *g));
            let mut pairs = first_ones.chain(second_ones);
            match pairs.find(|(own, other, g)| !add(*own, *other, *g)) {
                None => Ok(()),
                Some(_) => Err(Failure::new(Cause::AiCore, "the nearest one of a point does not exist")),
            }
        },
    )?;
    Ok(planner.plan())
}
