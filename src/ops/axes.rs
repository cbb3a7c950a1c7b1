//! The axes that an operator works along.

use std::ops::RangeFull;

use aclnn_numerics::Shape;
use smallvec::SmallVec;

use crate::argument_checks::Operation;
use crate::error::Result;
use crate::tensor::{Index, Tensor};

/// The axes along which elements are combined: all of them, or those of a list.
///
/// | written | axes |
/// |---|---|
/// | `0`, `-1` | one, counted from the start or from the end |
/// | `[0, 2]`, `&axes[..]` | several; an empty list stands for all, as in PyTorch |
/// | `..` | all |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes(SmallVec<[i128; 4]>);

mod sealed {
    pub trait Sealed {}
}

/// The axes of an operation as users write them: an integer, an array or a slice of integers, `..`, or [`Axes`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name axes",
    label = "neither an integer, nor some, nor `..`",
    note = "axes are written `0`, `-1`, `[0, 2]` or `..`"
)]
pub trait IntoAxes: sealed::Sealed {
    #[doc(hidden)]
    fn into_axes(self) -> Axes;
}

macro_rules! into_axes {
    ($([$($parameter:tt)*] $type:ty: |$axes:pat_param| $numbers:expr;)*) => {$(
        impl<$($parameter)*> sealed::Sealed for $type {}

        impl<$($parameter)*> IntoAxes for $type {
            fn into_axes(self) -> Axes {
                let $axes = self;
                Axes($numbers.into_iter().collect())
            }
        }
    )*};
}

into_axes! {
    [I: Index] I: |axis| [axis.number()];
    [I: Index, const N: usize] [I; N]: |axes| axes.map(I::number);
    [I: Index, const N: usize] &[I; N]: |axes| axes.map(I::number);
    [I: Index] &[I]: |axes| axes.iter().map(|axis| axis.number());
    [] RangeFull: |_| [];
    [] Axes: |Axes(axes)| axes;
}

impl Axes {
    /// All axes.
    pub(super) fn all() -> Self {
        Self(SmallVec::new())
    }

    /// The axes of a tensor, counted from the start, in ascending order.
    pub(super) fn of(&self, tensor: &Tensor, operation: &Operation<'_>) -> Result<SmallVec<[i64; 8]>> {
        let rank = tensor.rank();
        let mut axes: SmallVec<[i64; 8]> = SmallVec::new();
        for number in &self.0 {
            let counted = if *number < 0 { number.saturating_add(rank as i128) } else { *number };
            match i64::try_from(counted) {
                Ok(axis) if (0..rank as i64).contains(&axis) && !axes.contains(&axis) => axes.push(axis),
                Ok(axis) if axes.contains(&axis) => {
                    return Err(operation.refused(format!("axis {axis} is listed twice")));
                }
                _ => return Err(operation.refused(no_axis(*number, rank))),
            }
        }
        if axes.is_empty() {
            axes.extend(0..rank as i64);
        }
        axes.sort_unstable();
        Ok(axes)
    }

    /// The one axis that is named; `None` for all of them.
    pub(super) fn one(&self, tensor: &Tensor, operation: &Operation<'_>) -> Result<Option<i64>> {
        match (self.0.as_slice(), self.of(tensor, operation)?.as_slice()) {
            ([], [_]) | ([_], _) => Ok(self.of(tensor, operation)?.first().copied()),
            ([], _) => Ok(None),
            (axes, _) => {
                let reason = format!("{} axes are named, but it works along one", axes.len());
                Err(operation.refused(reason))
            }
        }
    }
}

/// Returns the sentence about an axis that does not exist.
fn no_axis(number: i128, rank: usize) -> String {
    match rank {
        0 => format!("axis {number} does not exist, as self has none"),
        _ => format!("axis {number} does not exist: name one from {} to {}", -(rank as i128), rank - 1),
    }
}

/// Returns the shape of a result: axes that are combined have one element, or are gone.
pub(super) fn reduced(shape: &Shape, axes: &[i64], keeps: bool) -> Shape {
    let sizes = shape.iter().enumerate();
    sizes
        .filter_map(|(axis, size)| match axes.contains(&(axis as i64)) {
            true => keeps.then_some(1),
            false => Some(*size),
        })
        .collect()
}
