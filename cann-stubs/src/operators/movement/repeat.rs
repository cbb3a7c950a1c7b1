//! Repeat, Expand and InplaceFillTensor: elements written several times.

use aclnn_numerics::layout::{Layout, Shape};

use super::pieces::Pieces;
use super::rules::{dtype, layout, refuse, repeated};
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn repeat(call: &Call<'_>) -> Result<Plan> {
    let (own, repeats, output) = (call.tensor("self")?, call.ints("repeats")?, call.tensor("out")?);
    dtype(&own, &output, &signatures::repeat)?;
    check::rank(&own)?;
    let shape = own.shape()?;
    let Some(missing) = repeats.len().checked_sub(shape.rank()).filter(|_| repeats.len() <= 8) else {
        return refuse(format_args!(
            "repeats has {} entries for {} axes; it needs as many, at most 8",
            repeats.len(),
            shape.rank()
        ));
    };
    if let Some(count) = repeats.iter().find(|count| **count < 0) {
        return refuse(format_args!("an axis is repeated {count} times"));
    }
    if repeats.contains(&0) || shape.is_empty_tensor() || output.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let sizes = [&vec![1; missing][..], shape].concat();
    let counts = || repeats.iter().map(|count| *count as usize);
    let result: Shape = sizes.iter().zip(counts()).map(|(size, count)| size.saturating_mul(count)).collect();
    check::output_shape(&output, &result)?;
    // Each axis of the output is two: the repetitions, and the axis of the tensor.
    let split: Shape = sizes.iter().zip(counts()).flat_map(|(size, count)| [count, *size]).collect();
    let out = layout(output.layout()?.reshape(split))?;
    let mut view = own.layout()?;
    for _ in 0..missing {
        view = layout(view.unsqueeze(0))?;
    }
    for (axis, count) in counts().enumerate() {
        view = repeated(layout(view.unsqueeze(2 * axis))?, 2 * axis, count)?;
    }
    Pieces::one((&own, view), (&output, out))
}

pub(super) fn expand(call: &Call<'_>) -> Result<Plan> {
    let (own, size, output) = (call.tensor("self")?, call.ints("size")?, call.tensor("out")?);
    dtype(&own, &output, &signatures::expand)?;
    check::rank(&own)?;
    check::rank(&output)?;
    let sizes: Option<Shape> = size.iter().map(|size| usize::try_from(*size).ok()).collect();
    let Some(shape) = sizes else {
        return refuse(format_args!(
            "size is {size:?}; the library takes no −1 for a size that stays, so name that size"
        ));
    };
    let view: Layout = match own.layout()?.broadcast_to(&shape) {
        Ok(view) => view,
        Err(why) => return refuse(why),
    };
    check::output_shape(&output, &shape)?;
    Pieces::one((&own, view), (&output, output.layout()?))
}

pub(super) fn fill_tensor(call: &Call<'_>) -> Result<Plan> {
    let (own, value) = (call.tensor("self")?, call.tensor("value")?);
    check::dtype(&own, signatures::fill_tensor.takes)?;
    check::any_dtype(&value)?;
    check::rank(&own)?;
    if value.rank() > 1 || value.shape()?.numel() != Some(1) {
        return refuse(format_args!("value has shape {}, but must be one element", value.shape()?));
    }
    let view = layout(value.layout()?.broadcast_to(own.shape()?))?;
    Pieces::one((&value, view), (&own, own.layout()?))
}
