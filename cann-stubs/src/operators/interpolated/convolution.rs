//! Convolutions at moved places.

use aclnn_numerics::layout::Shape;
use aclnn_sys::{ACL_FORMAT_NCHW, ACL_FORMAT_ND};
use cann_kernels::allocation;

use super::corners::{around, sample};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::images::has_format;
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::status::Result;

/// Elements of a window, of an image, and of what a result is the sum of, at most.
const LARGEST_WINDOW: usize = 2048;
const LARGEST_IMAGE: usize = i32::MAX as usize;
const MOST_TERMS: usize = 65535;

/// The numbers of a list that has so many, of which each is as large as `least` or larger.
fn numbers<const N: usize>(call: &Call<'_>, name: &str, least: i64) -> Result<[usize; N]> {
    let given = call.ints(name)?;
    let wrong = || invalid(format_args!("{name} is {given:?}, but must have {N} numbers of {least} or more"));
    if given.len() != N || given.iter().any(|number| *number < least) {
        return wrong();
    }
    let mut numbers = [0; N];
    for (number, given) in numbers.iter_mut().zip(given.iter()) {
        *number = usize::try_from(*given).unwrap_or(usize::MAX);
    }
    Ok(numbers)
}

pub(in crate::operators) fn deformable_conv2d(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "weight", "offset", "out"])?;
    let [x, weight, offset, out] = &tensors;
    for name in ["kernelSize", "stride", "padding", "dilation"] {
        call.ints(name)?;
    }
    let (bias, deformed) =
        (call.optional_tensor("biasOptional")?, call.optional_tensor("deformOutOptional")?);
    let all: Vec<&Operand> = tensors.iter().chain(&bias).chain(&deformed).collect();
    check::alike(&all, signatures::deformable_conv2d.takes)?;
    let formats = [ACL_FORMAT_NCHW, ACL_FORMAT_ND];
    for operand in tensors.iter().chain(&deformed) {
        if operand.format() != x.format() || !formats.contains(&operand.format()) {
            return invalid(format_args!("{} must have the storage format NCHW or ND, as x", operand.name));
        }
    }
    bias.iter().try_for_each(|bias| has_format(bias, &[ACL_FORMAT_ND]))?;
    let ([down, across], stride) = (numbers(call, "kernelSize", 1)?, numbers::<4>(call, "stride", 1)?);
    let ([top, bottom, left, right], dilation) =
        (numbers(call, "padding", 0)?, numbers::<4>(call, "dilation", 1)?);
    if down.saturating_mul(across) > LARGEST_WINDOW || stride[..2] != [1, 1] || dilation[..2] != [1, 1] {
        return invalid(
            "the first two strides and dilations must be 1, and a window must have at most 2048 elements",
        );
    }
    if !call.flag("modulated")? {
        return invalid("modulated must be true");
    }
    let [count, channels, height, width] = sizes(x)?;
    let ([results, _, _, _], window) = (sizes::<4>(weight)?, down * across);
    let divisor = |name: &str| {
        let number = call.int(name)?;
        match usize::try_from(number) {
            Ok(number @ 1..) if channels.is_multiple_of(number) => Ok(number),
            _ => invalid(format_args!("{name} is {number}, which does not divide {channels} channels")),
        }
    };
    let (groups, parts) = (divisor("groups")?, divisor("deformableGroups")?);
    if !results.is_multiple_of(groups) {
        return invalid(format_args!(
            "groups is {groups}, which does not divide {results} channels of weight"
        ));
    }
    let terms = window.saturating_mul(channels / groups);
    if height.saturating_mul(width) > LARGEST_IMAGE || terms > MOST_TERMS {
        return invalid(format_args!(
            "images of {height} times {width} elements, or sums of {terms}, are too large"
        ));
    }
    let length = |size: usize, before: usize, behind: usize, of: usize, axis: usize| -> Option<usize> {
        let padded = size.checked_add(before)?.checked_add(behind)?;
        let rest = padded.checked_sub((of - 1).checked_mul(dilation[axis])?.checked_add(1)?)?;
        Some(rest / stride[axis] + 1)
    };
    let (Some(rows), Some(columns)) =
        (length(height, top, bottom, down, 2), length(width, left, right, across, 3))
    else {
        return invalid("the window is larger than the padded image");
    };
    has_shape(weight, &Shape::from([results, channels / groups, down, across]))?;
    has_shape(offset, &Shape::from([count, parts.saturating_mul(3).saturating_mul(window), rows, columns]))?;
    bias.iter().try_for_each(|bias| has_shape(bias, &Shape::from([results])))?;
    check::output_shape(out, &Shape::from([count, results, rows, columns]))?;
    let (tall, wide) = (rows.saturating_mul(down), columns.saturating_mul(across));
    deformed
        .iter()
        .try_for_each(|out| check::output_shape(out, &Shape::from([count, channels, tall, wide])))?;
    if x.is_empty() || weight.is_empty() || offset.is_empty() {
        return Ok(Plan::empty());
    }
    let (plane, places) = (height * width, rows.saturating_mul(columns));
    let mut planner = Planner::new();
    let moved = channels.saturating_mul(window).saturating_mul(places);
    let inputs = [
        planner.rows(x, channels.saturating_mul(plane))?,
        planner.rows(offset, parts.saturating_mul(3).saturating_mul(window).saturating_mul(places))?,
        planner.all(Some(weight), count)?,
        planner.all(bias.as_ref(), count)?,
    ];
    let outputs = [
        planner.out(out, results.saturating_mul(places))?,
        planner.write_if(deformed.as_ref(), moved, Operand::in_order)?,
    ];
    planner.try_lanes(
        count,
        inputs,
        outputs,
        "convolution at moved places",
        move |[x, offset, weight, bias], [out, deformed]| {
            // The samples of a window lie one after the other for each place of each channel.
            let mut samples = allocation::zeros::<f32>(moved)?;
            let part_of = |channel: usize| channel / (channels / parts);
            let at = |kind: usize, part: usize, tap: usize, place: usize| {
                f64::from(offset[((kind * parts + part) * window + tap) * places + place])
            };
            for (channel, plane) in x.chunks(plane).enumerate() {
                let part = part_of(channel);
                for place in 0..places {
                    let (row, column) = (place / columns, place % columns);
                    for tap in 0..window {
                        let y = (row * stride[2] + tap / across * dilation[2]) as f64 - top as f64;
                        let x = (column * stride[3] + tap % across * dilation[3]) as f64 - left as f64;
                        let moved = [y + at(1, part, tap, place), x + at(0, part, tap, place)];
                        let number = sample(plane, &around([height, width], moved)) * at(2, part, tap, place);
                        samples[(channel * places + place) * window + tap] = number as f32;
                        if !deformed.is_empty() {
                            let (y, x) = (row * down + tap / across, column * across + tap % across);
                            deformed[(channel * tall + y) * wide + x] = number as f32;
                        }
                    }
                }
            }
            let own = channels / groups;
            for (result, (out, weight)) in out.chunks_mut(places).zip(weight.chunks(terms)).enumerate() {
                let first = result / (results / groups) * own;
                for (place, out) in out.iter_mut().enumerate() {
                    let mut sum = bias.get(result).map_or(0.0, |bias| f64::from(*bias));
                    for (channel, weight) in weight.chunks(window).enumerate() {
                        let start = ((first + channel) * places + place) * window;
                        let taps = samples[start..start + window].iter().zip(weight);
                        sum += taps.map(|(x, weight)| f64::from(*x) * f64::from(*weight)).sum::<f64>();
                    }
                    *out = sum as f32;
                }
            }
            Ok(())
        },
    )?;
    Ok(planner.plan())
}
