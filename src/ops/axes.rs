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
/// | `[0, 2]`, `&axes[..]`, `vec![0, 2]` | several; an empty list stands for all, as in PyTorch |
/// | `..` | all |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axes(Option<SmallVec<[i128; 4]>>);

mod sealed {
    pub trait Sealed {}
}

/// The axes of an operation as users write them: an integer, an array, a slice or a vector of integers, `..`, or [`Axes`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name axes",
    label = "neither an integer, nor some, nor `..`",
    note = "axes are written `0`, `-1`, `[0, 2]` or `..`"
)]
pub trait IntoAxes: sealed::Sealed {
    #[doc(hidden)]
    fn into_axes(self) -> Axes;
}

fn numbers<I: Index>(axes: &[I]) -> Option<SmallVec<[i128; 4]>> {
    Some(axes.iter().map(|axis| axis.number()).collect())
}

macro_rules! into_axes {
    ($([$($parameter:tt)*] $type:ty: |$axes:pat_param| $numbers:expr;)*) => {$(
        impl<$($parameter)*> sealed::Sealed for $type {}

        impl<$($parameter)*> IntoAxes for $type {
            #[inline]
            fn into_axes(self) -> Axes {
                let $axes = self;
                Axes($numbers)
            }
        }
    )*};
}

into_axes! {
    [I: Index] I: |axis| numbers(&[axis]);
    [I: Index, const N: usize] [I; N]: |axes| numbers(&axes);
    [I: Index, const N: usize] &[I; N]: |axes| numbers(axes);
    [I: Index] &[I]: |axes| numbers(axes);
    [I: Index] &Vec<I>: |axes| numbers(axes);
    [I: Index] Vec<I>: |axes| numbers(&axes);
    [] RangeFull: |_| None;
    [] Axes: |Axes(axes)| axes;
}

impl Axes {
    /// All axes.
    #[inline]
    pub(super) fn all() -> Self {
        Self(None)
    }

    /// The axes of a tensor, counted from the start, in ascending order; an empty list stands for all of them.
    #[inline]
    pub(super) fn of(&self, tensor: &Tensor, operation: &Operation<'_>) -> Result<SmallVec<[i64; 8]>> {
        let mut axes = self.listed(tensor, operation)?;
        if axes.is_empty() {
            axes.extend(0..tensor.rank() as i64);
        }
        Ok(axes)
    }

    /// The axes of a tensor, counted from the start, in ascending order; an empty list stands for none. A tensor without axes
    /// has one for this purpose, which disappears.
    #[inline]
    pub(super) fn listed(&self, tensor: &Tensor, operation: &Operation<'_>) -> Result<SmallVec<[i64; 8]>> {
        let mut axes: SmallVec<[i64; 8]> = SmallVec::new();
        let Some(numbers) = &self.0 else {
            axes.extend(0..tensor.rank() as i64);
            return Ok(axes);
        };
        for number in numbers {
            let axis = operation.axis(tensor, *number)? as i64;
            if axes.contains(&axis) {
                return Err(operation.refused(format!("axis {axis} is listed twice; name it once")));
            }
            axes.push(axis);
        }
        axes.retain(|axis| *axis < tensor.rank() as i64);
        axes.sort_unstable();
        Ok(axes)
    }

    /// The one axis that is named; `None` for all of them, and for that of a tensor without axes.
    #[inline]
    pub(super) fn one(&self, tensor: &Tensor, operation: &Operation<'_>) -> Result<Option<i64>> {
        let axes = self.of(tensor, operation)?;
        match (&self.0, axes.as_slice()) {
            (_, [axis]) => Ok(Some(*axis)),
            (_, []) | (None, _) => Ok(None),
            (Some(numbers), _) if numbers.is_empty() => Ok(None),
            (Some(numbers), _) => {
                let reason = format!("{} axes are named, but it works along one", numbers.len());
                Err(operation.refused(reason))
            }
        }
    }
}

/// Returns the shape of a result: axes that are combined have one element, or are gone.
#[inline]
pub(super) fn reduced(shape: &Shape, axes: &[i64], keeps: bool) -> Shape {
    let sizes = shape.iter().enumerate();
    sizes
        .filter_map(|(axis, size)| match axes.contains(&(axis as i64)) {
            true => keeps.then_some(1),
            false => Some(*size),
        })
        .collect()
}
