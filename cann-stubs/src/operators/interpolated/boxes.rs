//! Boxes, and what two of them have in common.

use std::f64::consts::PI;

use aclnn_numerics::layout::Shape;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::status::Result;

/// Returns whether a common area is divided by the area of both boxes together, or else by that of the second one.
fn is_over_union(call: &Call<'_>) -> Result<bool> {
    match call.text("mode")?.as_str() {
        "iou" => Ok(true),
        "iof" => Ok(false),
        other => invalid(format_args!("mode is \"{other}\", but must be \"iou\" or \"iof\"")),
    }
}

/// A box by its begin and its end along both axes.
#[derive(Clone, Copy)]
struct Area {
    start: [f64; 2],
    end: [f64; 2],
    /// The length that is added to each size.
    more: f64,
}

impl Area {
    fn of(ends: [f64; 4], more: f64) -> Self {
        let [left, top, right, bottom] = ends;
        Self { start: [left, top], end: [right, bottom], more }
    }

    fn sizes(&self) -> [f64; 2] {
        [self.end[0] - self.start[0] + self.more, self.end[1] - self.start[1] + self.more]
    }

    fn area(&self) -> f64 {
        self.sizes().iter().product()
    }

    /// The area that two boxes have in common.
    fn common(&self, other: &Self) -> f64 {
        let of = |axis: usize| {
            let (start, end) = (self.start[axis].max(other.start[axis]), self.end[axis].min(other.end[axis]));
            (end - start + self.more).max(0.0)
        };
        of(0) * of(1)
    }

    /// The common area of two boxes, over what they cover together or over the second one; divisors are greater by `eps`.
    fn overlap(&self, other: &Self, over_union: bool, eps: f64) -> f64 {
        let common = self.common(other);
        let all = if over_union { self.area() + other.area() - common } else { other.area() };
        common / (all + eps)
    }
}

/// The four numbers of a box.
fn four(ends: &[f32]) -> [f64; 4] {
    ends.first_chunk().map_or([0.0; 4], |ends: &[f32; 4]| ends.map(f64::from))
}

pub(in crate::operators) fn iou(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["bBoxes", "gtBoxes", "overlap"])?;
    let [boxes, others, out] = &tensors;
    let over_union = is_over_union(call)?;
    check::alike(&[boxes, others, out], signatures::iou.takes)?;
    let ([n, _], [m, _]) = (sizes::<2>(boxes)?, sizes::<2>(others)?);
    let is_aligned = call.flag("aligned")?;
    has_shape(boxes, &[n, 4])?;
    has_shape(others, &[if is_aligned { n } else { m }, 4])?;
    match is_aligned {
        true => check::have_elements(&[Some(out)], n)?,
        false => check::output_shape(out, &[m, n])?,
    }
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let more = call.float("eps")?;
    let mut planner = Planner::new();
    let boxes = if is_aligned { planner.rows(boxes, 4)? } else { planner.all(Some(boxes), m)? };
    let inputs = [boxes, planner.rows(others, 4)?];
    let out = planner.out(out, if is_aligned { 1 } else { n })?;
    planner.lanes(m, inputs, [out], "compare boxes", move |[boxes, other], [out]| {
        let other = Area::of(four(other), more);
        for (out, own) in out.iter_mut().zip(boxes.chunks(4)) {
            *out = Area::of(four(own), more).overlap(&other, over_union, 0.0) as f32;
        }
    })?;
    Ok(planner.plan())
}

/// The number that is added to divisors.
const LITTLE: f64 = 1e-9;

/// The measure of two boxes, and the difference of the arctangents of their shapes.
fn complete(own: Area, other: Area, over_union: bool) -> [f64; 2] {
    let overlap = own.overlap(&other, over_union, LITTLE);
    let (mut apart, mut across) = (0.0, LITTLE);
    for axis in 0..2 {
        let centre = |area: &Area| (area.start[axis] + area.end[axis]) / 2.0;
        apart += (centre(&own) - centre(&other)).powi(2);
        across += (own.end[axis].max(other.end[axis]) - own.start[axis].min(other.start[axis])).powi(2);
    }
    let angle = |area: &Area| {
        let [width, height] = area.sizes();
        (width / (height + LITTLE)).atan()
    };
    let (own, other) = (angle(&own), angle(&other));
    let shape = 4.0 / (PI * PI) * (other - own).powi(2);
    let weight = shape / (1.0 - overlap + shape + LITTLE);
    [overlap - apart / across - weight * shape, other - own]
}

pub(in crate::operators) fn ciou(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["bBoxes", "gtBoxes", "overlap", "atanSub"])?;
    let [boxes, others, out, differences] = &tensors;
    let over_union = is_over_union(call)?;
    check::alike(&[boxes, others, out, differences], signatures::ciou.takes)?;
    let ([_, n], [_, m]) = (sizes::<2>(boxes)?, sizes::<2>(others)?);
    let (is_centred, is_cross) = (call.flag("trans")?, call.flag("isCross")?);
    has_shape(boxes, &[4, n])?;
    has_shape(others, &[4, if is_cross { m } else { n }])?;
    let shape = Shape::from([if is_cross { m } else { 1 }, n]);
    check::output_shape(out, &shape)?;
    check::output_shape(differences, &shape)?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let area = move |ends: [f64; 4]| match (is_centred, ends) {
        (true, [x, y, width, height]) => {
            Area::of([x - width / 2.0, y - height / 2.0, x + width / 2.0, y + height / 2.0], 0.0)
        }
        (false, ends) => Area::of(ends, 0.0),
    };
    let mut planner = Planner::new();
    let columns = |operand: &Operand, dtype| operand.permuted(dtype, &[1, 0]);
    let all_columns = |operand: &Operand, dtype| {
        let [down, across] = operand.strides()[..] else { return operand.in_order(dtype) };
        operand.view_of(dtype, &[m, n, 4], &[0, across, down], operand.offset())
    };
    let boxes = match is_cross {
        true => planner.read(boxes, n.saturating_mul(4), &all_columns)?,
        false => planner.read(boxes, 4, &columns)?,
    };
    let inputs = [boxes, planner.read(others, 4, &columns)?];
    let len = if is_cross { n } else { 1 };
    let outputs = [planner.out(out, len)?, planner.out(differences, len)?];
    planner.lanes(m, inputs, outputs, "compare boxes", move |[boxes, other], [out, differences]| {
        let other = area(four(other));
        for ((out, difference), own) in out.iter_mut().zip(differences).zip(boxes.chunks(4)) {
            [*out, *difference] = complete(area(four(own)), other, over_union).map(|number| number as f32);
        }
    })?;
    Ok(planner.plan())
}
