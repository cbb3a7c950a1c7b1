//! Slice and SliceV2: every so many indices of a range of an axis.

use aclnn_numerics::layout::Layout;

use super::pieces::Pieces;
use super::rules::{axes, dtype, layout, refuse};
use crate::operators::axes::axis_in;
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn slice(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    dtype(&own, &output, &signatures::slice)?;
    if own.rank() == 0 {
        return refuse("self has no axis that could be sliced");
    }
    let dim = axis_in("dim", call.int("dim")?, own.rank())?;
    let [start, end, step] = [call.int("start")?, call.int("end")?, call.int("step")?];
    let view = cut(&own.layout()?, dim, [start, end, step])?;
    check::rank(&own)?;
    check::output_shape(&output, view.shape())?;
    Pieces::one((&own, view), (&output, output.layout()?))
}

pub(super) fn slice_v2(call: &Call<'_>) -> Result<Plan> {
    let (own, starts, ends) = (call.tensor("self")?, call.ints("starts")?, call.ints("ends")?);
    let (named, steps, output) = (call.ints("axes")?, call.ints("steps")?, call.tensor("out")?);
    dtype(&own, &output, &signatures::slice_v2)?;
    if starts.len() != named.len() || ends.len() != named.len() {
        return refuse(format_args!(
            "axes has {} entries, starts {} and ends {}; each needs as many",
            named.len(),
            starts.len(),
            ends.len()
        ));
    }
    if own.rank() == 0 && !named.is_empty() {
        return refuse("self has no axis that could be sliced");
    }
    let counted = axes("axes", named, own.rank())?;
    if let Some(step) = steps.iter().find(|step| **step <= 0) {
        return refuse(format_args!("a step is {step}, but must be positive"));
    }
    let mut view = own.layout()?;
    // The library does not compare the number of steps; an axis without one is copied whole.
    for ((&axis, &step), (&start, &end)) in
        counted.iter().zip(steps.iter()).zip(starts.iter().zip(ends.iter()))
    {
        view = cut(&view, axis, [start, end, step])?;
    }
    check::rank(&own)?;
    check::output_shape(&output, view.shape())?;
    Pieces::one((&own, view), (&output, output.layout()?))
}

/// The view of every `step`-th index from `start` on that lies before `end`.
fn cut(view: &Layout, axis: usize, [start, end, step]: [i64; 3]) -> Result<Layout> {
    if step <= 0 {
        return refuse(format_args!("step is {step}, but must be positive"));
    }
    let size = view.shape()[axis] as i64;
    let counted = |index: i64| if index < 0 { index + size } else { index };
    let start = counted(start).clamp(0, size);
    let end = counted(end).clamp(start, size);
    layout(view.slice(axis, start as usize..end as usize, isize::try_from(step).unwrap_or(isize::MAX)))
}
