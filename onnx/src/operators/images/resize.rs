//! Resize and Upsample.

use aclnn::ops::Interpolation;
use aclnn::{DType, Tensor};

use super::super::quantisation::rounded;
use super::positions::{Change, Method, Mode, Rounding, Transform};
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::run::{Call, Prepared};

/// The rule by which sizes keep the shape of the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Policy {
    Stretch,
    NotLarger,
    NotSmaller,
}

/// The attributes of a node.
#[derive(Debug, Clone)]
struct Options {
    method: Method,
    extrapolation: f32,
    axes: Option<Vec<i64>>,
    policy: Policy,
}

/// Returns the rules of older versions: positions without offset, and the nearest element by direction.
fn old(node: &Node) -> NodeResult<Options> {
    let mode = Mode::of(node, Some(Rounding::Outward))?;
    let method = Method { mode, transform: Transform::Asymmetric, antialias: false, exclude_outside: false };
    Ok(Options { method, extrapolation: 0.0, axes: None, policy: Policy::Stretch })
}

pub(super) fn upsample_by_attribute(node: &Node) -> NodeResult<Prepared> {
    let options = old(node)?;
    let Some(scales) = node.attributes.floats("scales")? else {
        return Reason::text("its attribute `scales` is missing");
    };
    let scales: Vec<f64> = scales.iter().map(|&scale| scale.into()).collect();
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let changes = options.by_scales(x.dims(), &scales)?;
        options.run(call, &x, &changes)
    }))
}

pub(super) fn resize_by_scales(node: &Node) -> NodeResult<Prepared> {
    let options = old(node)?;
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let changes = options.by_scales(x.dims(), &call.array(1)?.to_f64s()?)?;
        options.run(call, &x, &changes)
    }))
}

pub(super) fn resize(node: &Node) -> NodeResult<Prepared> {
    let policy = match node.text("keep_aspect_ratio_policy", "stretch")?.as_str() {
        "stretch" => Policy::Stretch,
        "not_larger" => Policy::NotLarger,
        "not_smaller" => Policy::NotSmaller,
        other => return Reason::text(format!("its `keep_aspect_ratio_policy` is `{other}`")),
    };
    let method = Method {
        mode: Mode::of(node, None)?,
        transform: Transform::of(node)?,
        antialias: node.flag("antialias", false)?,
        exclude_outside: node.flag("exclude_outside", false)?,
    };
    let extrapolation = node.float("extrapolation_value", 0.0)?;
    let options = Options { method, extrapolation, axes: node.ints("axes")?, policy };
    Ok(Prepared::device(move |call| {
        let x = call.tensor(0)?;
        let numbers = |input: usize| -> NodeResult<Option<Vec<f64>>> {
            let Some(array) = call.optional_array(input)? else { return Ok(None) };
            Ok(if array.numel() == 0 { None } else { Some(array.to_f64s()?) })
        };
        let mut changes = match (numbers(2)?, numbers(3)?) {
            (Some(scales), None) => options.by_scales(x.dims(), &scales)?,
            (None, Some(_)) => options.by_sizes(x.dims(), &call.ints(3)?)?,
            _ => return Reason::text("one of its inputs `scales` and `sizes` must be given"),
        };
        if options.method.transform == Transform::CropAndResize {
            let Some(region) = numbers(1)? else { return Reason::text("its input `roi` is missing") };
            options.crop(&mut changes, &region)?;
        }
        options.run(call, &x, &changes)
    }))
}

impl Options {
    /// Returns the axes that numbers are for.
    fn axes(&self, rank: usize, count: usize) -> NodeResult<Vec<usize>> {
        let axes = match &self.axes {
            Some(axes) => places::axes(axes, rank)?,
            None => (0..rank).collect(),
        };
        match axes.len() == count {
            true => Ok(axes),
            false => Reason::text(format!("{count} numbers are given for {} axes", axes.len())),
        }
    }

    fn by_scales(&self, dims: &[usize], scales: &[f64]) -> NodeResult<Vec<Change>> {
        let mut changes = unchanged(dims);
        for (axis, &scale) in self.axes(dims.len(), scales.len())?.into_iter().zip(scales) {
            let Some(change) = changes.get_mut(axis) else { continue };
            let to = (change.from as f32 * scale as f32).floor();
            if !(scale > 0.0 && to <= i32::MAX as f32) {
                return Reason::text(format!("the scale {scale} is not positive, or too large"));
            }
            (change.to, change.scale) = (to as usize, scale);
        }
        Ok(changes)
    }

    fn by_sizes(&self, dims: &[usize], sizes: &[i64]) -> NodeResult<Vec<Change>> {
        let mut changes = unchanged(dims);
        let axes = self.axes(dims.len(), sizes.len())?;
        for (&axis, &size) in axes.iter().zip(sizes) {
            let Some(change) = changes.get_mut(axis) else { continue };
            let Some(to) = usize::try_from(size).ok().filter(|size| *size <= i32::MAX as usize) else {
                return Reason::text(format!("the size {size} is negative, or too large"));
            };
            (change.to, change.scale) = (to, to as f64 / change.from as f64);
        }
        let scales = axes.iter().filter_map(|&axis| changes.get(axis)).map(|change| change.scale);
        let scale = match self.policy {
            Policy::Stretch => return Ok(changes),
            Policy::NotLarger => scales.fold(f64::INFINITY, f64::min),
            Policy::NotSmaller => scales.fold(0.0, f64::max),
        };
        for axis in axes {
            let Some(change) = changes.get_mut(axis) else { continue };
            (change.to, change.scale) = ((scale * change.from as f64 + 0.5).floor() as usize, scale);
        }
        Ok(changes)
    }

    /// Sets the part of the image that is resized.
    fn crop(&self, changes: &mut [Change], region: &[f64]) -> NodeResult<()> {
        let (starts, ends) = region.split_at(region.len() / 2);
        if starts.len() != ends.len() {
            return Reason::text(format!("its region has {} numbers, not two for each axis", region.len()));
        }
        let axes = self.axes(changes.len(), starts.len())?;
        for (axis, part) in axes.into_iter().zip(starts.iter().copied().zip(ends.iter().copied())) {
            if let Some(change) = changes.get_mut(axis) {
                change.part = part;
            }
        }
        Ok(())
    }

    fn run(&self, call: &Call<'_>, x: &Tensor, changes: &[Change]) -> NodeResult<Tensor> {
        let method = &self.method;
        if changes.iter().any(|change| change.from == 0 && change.to > 0) {
            return Reason::text("an axis without elements cannot be resized");
        }
        if changes.iter().any(|change| change.to == 0) {
            let dims: Vec<usize> = changes.iter().map(|change| change.to).collect();
            return Ok(Tensor::zeros(call.stream(), dims, x.dtype())?);
        }
        if let Some(mode) = of_device(method, x, changes) {
            let sizes: Vec<usize> = changes.iter().skip(2).map(|change| change.to).collect();
            return Ok(x.interpolate(&sizes, mode)?);
        }
        let axes = changes.iter().enumerate().filter(|(_, change)| !change.is_none(method.transform));
        let mut y = match method.mode {
            Mode::Nearest(_) => x.clone(),
            _ => call.wide(x)?,
        };
        for (axis, change) in axes.clone() {
            y = match method.mode {
                Mode::Nearest(rounding) => {
                    let places = change.nearest(method.transform, rounding);
                    let places = Tensor::from_slice(call.stream(), &places, [change.to])?;
                    call.widened([&y], |[y]| y.index_select(axis, &places))?
                }
                _ => weighted(call, &y, axis, change, method)?,
            };
        }
        for (axis, change) in axes {
            let Some(beyond) = change.beyond(method.transform) else { continue };
            let shape: Vec<usize> =
                (0..y.rank()).map(|other| if other == axis { change.to } else { 1 }).collect();
            let beyond = Tensor::from_slice(call.stream(), &beyond, shape)?;
            y = y.masked_fill(&beyond, self.extrapolation)?;
        }
        match x.dtype().is_integer() && y.dtype() != x.dtype() {
            true => rounded(&y, None, x.dtype(), true),
            false => call.as_type(y, x.dtype()),
        }
    }
}

fn unchanged(dims: &[usize]) -> Vec<Change> {
    dims.iter().map(|&size| Change { from: size, to: size, scale: 1.0, part: (0.0, 1.0) }).collect()
}

/// Returns the sums of weighted elements along an axis.
fn weighted(
    call: &Call<'_>,
    x: &Tensor,
    axis: usize,
    change: &Change,
    method: &Method,
) -> NodeResult<Tensor> {
    let taps = change.taps(method);
    let places = Tensor::from_slice(call.stream(), &taps.places, [taps.places.len()])?;
    let taken = x.index_select(axis, &places)?;
    let mut dims = taken.dims().to_vec();
    dims.splice(axis..=axis, [taps.each, change.to]);
    let behind = vec![1; x.rank() - axis - 1];
    let weights =
        Tensor::from_slice(call.stream(), &taps.weights, [&[taps.each, change.to], &behind[..]].concat())?;
    let weights = call.as_type(weights, x.dtype())?;
    Ok(taken.reshape(dims)?.mul(&weights)?.sum(axis)?)
}

/// Returns the mode in which the device computes exactly this, if there is one.
fn of_device(method: &Method, x: &Tensor, changes: &[Change]) -> Option<Interpolation> {
    let [batches, channels, image @ ..] = changes else { return None };
    let fits = matches!(x.dtype(), DType::F32 | DType::F16 | DType::BF16)
        && (1..=3).contains(&image.len())
        && [batches, channels].iter().all(|change| change.is_none(method.transform))
        && image.iter().all(|change| change.is_exact() && change.to > 0)
        && channels.from > 0
        && !method.antialias
        && !method.exclude_outside;
    if !fits {
        return None;
    }
    let align_corners = match method.transform {
        Transform::AlignCorners => true,
        Transform::HalfPixel | Transform::HalfPixelSymmetric => false,
        Transform::PytorchHalfPixel if image.iter().all(|change| change.to > 1) => false,
        Transform::Asymmetric if matches!(method.mode, Mode::Nearest(_)) => false,
        _ => return None,
    };
    match method.mode {
        Mode::Linear => Some(Interpolation::Linear { align_corners }),
        Mode::Cubic(factor) if image.len() == 2 && factor == -0.75 => {
            Some(Interpolation::Cubic { align_corners })
        }
        Mode::Cubic(_) => None,
        // The device divides by powers of two exactly.
        Mode::Nearest(rounding) => image
            .iter()
            .all(|change| {
                let times = change.to / change.from;
                let repeated = (0..change.to).map(|place| (place / times.max(1)) as i64);
                change.to % change.from == 0
                    && times.is_power_of_two()
                    && change.nearest(method.transform, rounding).into_iter().eq(repeated)
            })
            .then_some(Interpolation::Nearest),
    }
}
