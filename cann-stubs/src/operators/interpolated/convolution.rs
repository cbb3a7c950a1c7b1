//! Convolutions at moved places.

use aclnn_numerics::layout::Shape;
use aclnn_sys::{ACL_FORMAT_NCHW, ACL_FORMAT_ND};
use cann_kernels::{allocation, size_of_dtype};

use super::corners::{Corners, around, sample};
use crate::operators::axes::{filled, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::conversions::through;
use crate::operators::images::has_format;
use crate::operators::lane_planner::Planner;
use crate::operators::plan_builder::PlanBuilder;
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

/// A window that takes samples at moved places.
#[derive(Clone, Copy)]
struct Moved {
    /// Images, their channels, rows and columns.
    image: [usize; 4],
    results: usize,
    groups: usize,
    parts: usize,
    /// Rows and columns of a window, and of the places where it is.
    window: [usize; 2],
    places: [usize; 2],
    stride: [usize; 2],
    dilation: [usize; 2],
    /// Elements above the image, and to the left of it.
    before: [usize; 2],
}

impl Moved {
    /// The window of a call over operands, whose shapes fit.
    fn of(call: &Call<'_>, [x, weight, offset]: [&Operand; 3]) -> Result<Self> {
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
        let [results, _, _, _] = sizes::<4>(weight)?;
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
        let terms = (down * across).saturating_mul(channels / groups);
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
        let of_offset = parts.saturating_mul(3).saturating_mul(down * across);
        has_shape(weight, &[results, channels / groups, down, across])?;
        has_shape(offset, &[count, of_offset, rows, columns])?;
        Ok(Self {
            image: [count, channels, height, width],
            results,
            groups,
            parts,
            window: [down, across],
            places: [rows, columns],
            stride: [stride[2], stride[3]],
            dilation: [dilation[2], dilation[3]],
            before: [top, left],
        })
    }

    fn plane(&self) -> usize {
        self.image[2] * self.image[3]
    }

    fn taps(&self) -> usize {
        self.window[0] * self.window[1]
    }

    fn count(&self) -> usize {
        self.places[0].saturating_mul(self.places[1])
    }

    /// The elements that a result is the sum of.
    fn terms(&self) -> usize {
        self.taps() * (self.image[1] / self.groups)
    }

    /// The shapes of results and of samples.
    fn shapes(&self) -> [Shape; 2] {
        let ([count, channels, ..], [rows, columns], [down, across]) = (self.image, self.places, self.window);
        let samples = [count, channels, rows.saturating_mul(down), columns.saturating_mul(across)];
        [Shape::from([count, self.results, rows, columns]), Shape::from(samples)]
    }

    /// The number of an offset downwards (1) or to the right (0), or of a factor (2), of a tap of a channel at a place.
    fn number(&self, kind: usize, [channel, tap, place]: [usize; 3]) -> usize {
        let part = channel / (self.image[1] / self.parts);
        ((kind * self.parts + part) * self.taps() + tap) * self.count() + place
    }

    /// The elements around a sample.
    fn corners(&self, offset: &[f32], at: [usize; 3]) -> Corners {
        let ([_, tap, place], [_, columns], [_, across]) = (at, self.places, self.window);
        let [row, column] = [place / columns, place % columns];
        let [down, right] = [tap / across, tap % across];
        let y = (row * self.stride[0] + down * self.dilation[0]) as f64 - self.before[0] as f64;
        let x = (column * self.stride[1] + right * self.dilation[1]) as f64 - self.before[1] as f64;
        let by = |kind: usize| f64::from(offset[self.number(kind, at)]);
        around([self.image[2], self.image[3]], [y + by(1), x + by(0)])
    }

    /// The place of a sample among those of all channels.
    fn sample(&self, [channel, tap, place]: [usize; 3]) -> usize {
        let ([rows, columns], [down, across]) = (self.places, self.window);
        let (y, x) = (place / columns * down + tap / across, place % columns * across + tap % across);
        (channel * rows * down + y) * columns * across + x
    }
}

/// Refuses operands of another storage format than the first one, which has no blocks.
fn formats(operands: &[Operand], first: &Operand) -> Result {
    let formats = [ACL_FORMAT_NCHW, ACL_FORMAT_ND];
    check::each(operands, |operand| match operand.format() {
        own if own == first.format() && formats.contains(&own) => Ok(()),
        _ => invalid(format_args!(
            "{} must have the storage format NCHW or ND, as {}",
            operand.name, first.name
        )),
    })
}

pub(in crate::operators) fn deformable_conv2d(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "weight", "offset", "out"])?;
    let [x, weight, offset, out] = &tensors;
    for name in ["kernelSize", "stride", "padding", "dilation"] {
        call.ints(name)?;
    }
    let (bias, deformed) =
        (call.optional_tensor("biasOptional")?, call.optional_tensor("deformOutOptional")?);
    let all = [&tensors[..], bias.as_slice(), deformed.as_slice()].concat();
    check::alike(&all, signatures::deformable_conv2d.takes)?;
    formats(&[&tensors[..], deformed.as_slice()].concat(), x)?;
    check::each(bias.as_slice(), |bias| has_format(bias, &[ACL_FORMAT_ND]))?;
    let moved = Moved::of(call, [x, weight, offset])?;
    check::have_shape(bias.as_slice(), &[moved.results])?;
    let [of_out, of_samples] = moved.shapes();
    check::output_shape(out, &of_out)?;
    check::each(deformed.as_slice(), |out| check::output_shape(out, &of_samples))?;
    if x.is_empty() || weight.is_empty() || offset.is_empty() {
        return of_nothing(out, bias.as_ref(), deformed.as_ref(), &of_out);
    }
    let [count, channels, ..] = moved.image;
    let (taps, places) = (moved.taps(), moved.count());
    let numbers = channels.saturating_mul(taps).saturating_mul(places);
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, channels.saturating_mul(moved.plane()))?,
        planner.rows(offset, moved.parts.saturating_mul(3).saturating_mul(taps).saturating_mul(places))?,
        planner.all(Some(weight), count)?,
        planner.all(bias.as_ref(), count)?,
    ];
    let outputs = [
        planner.out(out, moved.results.saturating_mul(places))?,
        planner.write_if(deformed.as_ref(), numbers, &Operand::in_order)?,
    ];
    planner.try_lanes(
        count,
        inputs,
        outputs,
        "convolution at moved places",
        move |[x, offset, weight, bias], [out, deformed]| {
            // The samples of a window lie one after the other for each place of each channel.
            let mut samples = allocation::zeros::<f32>(numbers)?;
            for (channel, plane) in x.chunks(moved.plane()).enumerate() {
                for (place, tap) in (0..places).flat_map(|place| (0..taps).map(move |tap| (place, tap))) {
                    let at = [channel, tap, place];
                    let factor = f64::from(offset[moved.number(2, at)]);
                    let number = sample(plane, &moved.corners(offset, at)) * factor;
                    samples[(channel * places + place) * taps + tap] = number as f32;
                    if !deformed.is_empty() {
                        deformed[moved.sample(at)] = number as f32;
                    }
                }
            }
            let own = channels / moved.groups;
            let weights = weight.chunks(moved.terms());
            for (result, (out, weight)) in out.chunks_mut(places).zip(weights).enumerate() {
                let first = result / (moved.results / moved.groups) * own;
                for (place, out) in out.iter_mut().enumerate() {
                    let mut sum = bias.get(result).map_or(0.0, |bias| f64::from(*bias));
                    for (channel, weight) in weight.chunks(taps).enumerate() {
                        let start = ((first + channel) * places + place) * taps;
                        let taps = samples[start..start + taps].iter().zip(weight);
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

/// Results of images or weights without elements: the bias alone, and samples that are 0.
fn of_nothing(
    out: &Operand,
    bias: Option<&Operand>,
    samples: Option<&Operand>,
    shape: &Shape,
) -> Result<Plan> {
    let dtype = check::any_dtype(out)?;
    let samples = samples.filter(|samples| !samples.is_empty());
    if samples.is_some() && out.is_empty() {
        return check::not_emulated("samples of a convolution without results");
    }
    let Some(bias) = bias.filter(|_| !out.is_empty()) else {
        let mut outputs = vec![(out, dtype)];
        outputs.extend(samples.map(|samples| (samples, dtype)));
        return filled(&outputs, 0.0);
    };
    let mut builder = PlanBuilder::new();
    if let Some(samples) = samples {
        let place = builder.write(samples, dtype, samples.in_order(dtype)?, true)?;
        builder.fill(place, samples.shape()?, &[0; 8][..size_of_dtype(dtype)]);
    }
    let from = bias.view_of(dtype, shape, &[0, bias.strides()[0], 0, 0], bias.offset())?;
    let from = builder.read(bias, from, true);
    let to = builder.write(out, dtype, out.in_order(dtype)?, true)?;
    builder.copy(from, to, shape, through(&[dtype, dtype])?);
    Ok(builder.plan(0))
}

/// The gradients of a convolution at moved places; that of the weight is of the samples that the convolution wrote.
pub(in crate::operators) fn deformable_conv2d_backward(call: &Call<'_>) -> Result<Plan> {
    let names =
        ["input", "gradOutput", "offsetOut", "weight", "offset", "gradInput", "gradWeight", "gradOffset"];
    let tensors = call.tensors_of(names)?;
    let [x, grad, samples, weight, offset, dx, dw, d_offset] = &tensors;
    for name in ["kernelSize", "stride", "padding", "dilation"] {
        call.ints(name)?;
    }
    let d_bias = call.optional_tensor("gradBias")?;
    let all = [&tensors[..], d_bias.as_slice()].concat();
    let dtype = check::alike(&all, signatures::deformable_conv2d_backward.takes)?;
    formats(&tensors, x)?;
    let moved = Moved::of(call, [x, weight, offset])?;
    let [of_out, of_samples] = moved.shapes();
    has_shape(grad, &of_out)?;
    has_shape(samples, &of_samples)?;
    for (grad, own) in [(dx, x), (dw, weight), (d_offset, offset)] {
        check::output_shape(grad, own.shape()?)?;
    }
    check::each(d_bias.as_slice(), |grad| check::output_shape(grad, &[moved.results]))?;
    if x.is_empty() || weight.is_empty() || offset.is_empty() {
        let d_bias = d_bias.as_ref();
        if d_bias.is_some() && !grad.is_empty() {
            return check::not_emulated("gradients of a bias beside images without elements");
        }
        let mut gradients = vec![(dx, dtype), (dw, dtype), (d_offset, dtype)];
        gradients.extend(d_bias.map(|d_bias| (d_bias, dtype)));
        return filled(&gradients, 0.0);
    }
    let mut planner = Planner::new();
    let mut whole = |operand| planner.all(Some(operand), 1);
    let inputs = [whole(x)?, whole(grad)?, whole(samples)?, whole(weight)?, whole(offset)?];
    let outputs = [
        planner.out(dx, dx.count())?,
        planner.out(dw, dw.count())?,
        planner.out(d_offset, d_offset.count())?,
        planner.write_if(d_bias.as_ref(), moved.results, &Operand::in_order)?,
    ];
    planner.lanes(
        1,
        inputs,
        outputs,
        "gradients of moved places",
        move |[x, grad, samples, weight, offset], [dx, dw, d_offset, d_bias]| {
            let ([_, channels, ..], taps, places) = (moved.image, moved.taps(), moved.count());
            let (plane, each) = (moved.plane(), moved.results / moved.groups);
            let numbers = channels * taps * places;
            [&mut *dx, &mut *dw, &mut *d_offset].into_iter().for_each(|out| out.fill(0.0));
            for (result, sum) in d_bias.iter_mut().enumerate() {
                let own = grad.chunks(places).skip(result).step_by(moved.results);
                *sum = own.flatten().map(|x| f64::from(*x)).sum::<f64>() as f32;
            }
            let images = x.chunks(channels * plane).zip(dx.chunks_mut(channels * plane));
            let moves = offset.chunks(3 * moved.parts * taps * places);
            let moves = moves.zip(d_offset.chunks_mut(3 * moved.parts * taps * places));
            let known = grad.chunks(moved.results * places).zip(samples.chunks(numbers));
            for (((x, dx), (offset, d_offset)), (grad, samples)) in images.zip(moves).zip(known) {
                for number in 0..numbers {
                    let (channel, tap, place) =
                        (number / (taps * places), number / places % taps, number % places);
                    let at = [channel, tap, place];
                    let (group, own) =
                        (channel / (channels / moved.groups), channel % (channels / moved.groups));
                    let mut of_sample = 0.0;
                    for result in group * each..(group + 1) * each {
                        let of_weight = result * moved.terms() + own * taps + tap;
                        let grad = grad[result * places + place];
                        of_sample += f64::from(weight[of_weight]) * f64::from(grad);
                        dw[of_weight] += grad * samples[moved.sample(at)];
                    }
                    let (from, to) = (channel * plane, moved.number(2, at));
                    let factor = f64::from(offset[to]);
                    let (mut number, mut slopes) = (0.0, [0.0; 2]);
                    for corner in moved.corners(offset, at).iter().flatten() {
                        let x = f64::from(x[from + corner.place]);
                        number += corner.weight * x;
                        slopes.iter_mut().zip(corner.slopes).for_each(|(sum, slope)| *sum += slope * x);
                        dx[from + corner.place] += (of_sample * factor * corner.weight) as f32;
                    }
                    d_offset[to] += (of_sample * number) as f32;
                    d_offset[moved.number(1, at)] += (of_sample * factor * slopes[0]) as f32;
                    d_offset[moved.number(0, at)] += (of_sample * factor * slopes[1]) as f32;
                }
            }
        },
    )?;
    Ok(planner.plan())
}
