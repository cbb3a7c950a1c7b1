//! The forms of RepeatInterleave: every index of an axis, several times in a row.

use aclnn_numerics::DType;
use aclnn_numerics::layout::{Layout, Shape};
use cann_kernels::indexing::movement::Interleave;
use cann_kernels::{View, size_of_dtype};

use super::lanes::{Lanes, plan};
use super::pieces::Pieces;
use super::rules::{dtype, layout, refuse, repeated, resized, written_like};
use crate::operators::axes::axis_in;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

/// How often each index is repeated.
enum Repeats<'c> {
    Equally(usize),
    Each(Operand<'c>),
}

impl<'c> Repeats<'c> {
    fn of(call: &'c Call<'_>) -> Result<Self> {
        match call.is_tensor("repeats") {
            true => call.tensor("repeats").map(Repeats::Each),
            false => match usize::try_from(call.int("repeats")?) {
                Ok(count) => Ok(Repeats::Equally(count)),
                Err(_) => refuse(format_args!("repeats is {}", call.int("repeats")?)),
            },
        }
    }

    /// Checks repetitions of `size` indices.
    fn check(&self, size: usize) -> Result {
        let Repeats::Each(repeats) = self else { return Ok(()) };
        counts(repeats)?;
        let count = repeats.shape()?.numel();
        if repeats.rank() > 1 || count != Some(1) && count != Some(size) {
            return refuse(format_args!(
                "repeats has shape {}, but must be [{size}] or one element",
                repeats.shape()?
            ));
        }
        Ok(())
    }
}

/// The type of a tensor of counts.
fn counts(repeats: &Operand) -> Result<DType> {
    check::dtype(repeats, signatures::repeat_interleave_tensor.takes)
}

pub(super) fn repeat_interleave(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    let (repeats, output_size) = (Repeats::of(call)?, call.int("output_size")?);
    let dtype = dtype(&own, &output, &signatures::repeat_interleave)?;
    check::rank(&own)?;
    let shape = own.shape()?;
    let numel = shape.numel().unwrap_or(usize::MAX);
    repeats.check(numel)?;
    if shape.is_empty_tensor() || output.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let flat = |count: usize| Shape::from([count]);
    let out = match repeats {
        Repeats::Equally(1) => written_like(&output, dtype, &flat(numel))?,
        _ => sized(&output, &flat(numel), 0, output_size, &repeats)?,
    };
    match repeats {
        Repeats::Equally(count) => {
            // The output's only axis splits into those of the tensor and the repetitions.
            let split = [&shape[..], &[count]].concat();
            let view = repeated(layout(own.layout()?.unsqueeze(shape.rank()))?, shape.rank(), count)?;
            Pieces::one((&own, view), (&output, layout(out.reshape(split))?))
        }
        Repeats::Each(repeats) => each(&own, &repeats, &output, [1, numel, 1]),
    }
}

pub(super) fn repeat_interleave_with_dim(call: &Call<'_>) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.tensor("out")?);
    let (repeats, output_size) = (Repeats::of(call)?, call.int("output_size")?);
    let dtype = dtype(&own, &output, &signatures::repeat_interleave_with_dim)?;
    check::rank(&own)?;
    if own.rank() == 0 {
        return refuse("self has no axis that could be repeated");
    }
    let shape = own.shape()?;
    let dim = axis_in("dim", call.int("dim")?, shape.rank())?;
    repeats.check(shape[dim])?;
    if shape.is_empty_tensor() || output_size == 0 {
        return Ok(Plan::empty());
    }
    let out = match repeats {
        Repeats::Equally(1) => written_like(&output, dtype, shape)?,
        _ => sized(&output, shape, dim, output_size, &repeats)?,
    };
    match repeats {
        Repeats::Equally(count) => {
            let (before, after) = shape.split_at(dim + 1);
            let split = [before, &[count], after].concat();
            let view = repeated(layout(own.layout()?.unsqueeze(dim + 1))?, dim + 1, count)?;
            Pieces::one((&own, view), (&output, layout(out.reshape(split))?))
        }
        Repeats::Each(repeats) => {
            let product =
                |sizes: &[usize]| sizes.iter().fold(1_usize, |product, size| product.saturating_mul(*size));
            each(&own, &repeats, &output, [product(&shape[..dim]), shape[dim], product(&shape[dim + 1..])])
        }
    }
}

/// Repeats indices of an axis by a tensor of counts; there are so many indices outside of it, on it and inside.
fn each(
    own: &Operand,
    repeats: &Operand,
    output: &Operand,
    [outer, size, inner]: [usize; 3],
) -> Result<Plan> {
    let dtype = check::dtype(own, signatures::repeat_interleave.takes)?;
    let counts = counts(repeats)?;
    let len = repeats.shape()?.numel().unwrap_or(0);
    // Every lane reads the same numbers.
    let stride = repeats.strides().first().copied().unwrap_or(0);
    let view: View = repeats.view_of(counts, &[outer, len], &[0, stride], repeats.offset())?;
    let repeats = Lanes { operand: repeats, view, len, seen: DType::I64 };
    let out = output.shape()?.numel().unwrap_or(0) / outer;
    let item = inner * size_of_dtype(dtype);
    let own = Lanes::rows(own, size * inner, dtype)?;
    plan(vec![repeats, own], Lanes::rows(output, out, dtype)?, outer, Interleave { item })
}

/// The layout of an output of `shape` with `outputSize` indices on one axis.
///
/// The library believes `outputSize`. That it is wrong for a number of repetitions is told here; for a tensor of them, when
/// they are read.
fn sized(output: &Operand, shape: &Shape, dim: usize, output_size: i64, repeats: &Repeats) -> Result<Layout> {
    let size = usize::try_from(output_size).unwrap_or(usize::MAX);
    check::output_shape(output, &resized(shape, dim, size))?;
    match *repeats {
        Repeats::Equally(count) if shape[dim].saturating_mul(count) != size => refuse(format_args!(
            "outputSize is {output_size}, but {} indices are repeated {count} times",
            shape[dim]
        )),
        _ => output.layout(),
    }
}

pub(super) fn repeat_interleave_tensor(call: &Call<'_>) -> Result<Plan> {
    let (repeats, output) = (call.tensor("repeats")?, call.tensor("out")?);
    let output_size = call.int("output_size")?;
    dtype(&repeats, &output, &signatures::repeat_interleave_tensor)?;
    let is_empty = repeats.shape()?.is_empty_tensor();
    if repeats.rank() != 1 && !is_empty {
        return refuse(format_args!("repeats has {} axes, but must have one", repeats.rank()));
    }
    if is_empty || output.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    check::output_shape(&output, &[usize::try_from(output_size).unwrap_or(usize::MAX)])?;
    let (len, size) = (repeats.shape()?[0], output.shape()?[0]);
    let lanes = |operand, len| Lanes::rows(operand, len, DType::I64);
    plan(vec![lanes(&repeats, len)?], lanes(&output, size)?, 1, Interleave { item: 0 })
}
