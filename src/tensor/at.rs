//! `at`: indices and ranges of several axes at once.

use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use aclnn_numerics::layout::LayoutError;

use super::index::sealed::Sealed;
use super::{Index, IndexRange, Tensor};
use crate::error::{Error, Result};

/// The choice that [`Tensor::at`] makes on one axis: an [`Index`], which drops the axis; an [`IndexRange`], [`step`] by step or whole;
/// [`Ellipsis`] for all axes that no other entry is for; or [`NewAxis`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not select from an axis",
    label = "neither an index nor a range",
    note = "`at` takes integers, ranges such as `1..3` or `..`, `step(range, n)`, `Ellipsis` and `NewAxis`"
)]
pub trait AtAxis: Sealed {
    #[doc(hidden)]
    fn select(self) -> Selection;
}

/// The choices that [`Tensor::at`] makes: a [`AtAxis`] for the first axis, or a tuple of them, one for each axis from the first on. Axes
/// beyond them are taken whole.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not select elements of a tensor",
    label = "neither an index or a range nor a tuple of them",
    note = "`at` takes integers, ranges such as `1..3` or `..`, and tuples of them, an entry for each axis"
)]
pub trait At: Sealed {
    #[doc(hidden)]
    fn each(self, visit: &mut dyn FnMut(Selection));
}

/// A selection from one axis, as numbers.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    Index(i128),
    Range { bounds: (Bound<i128>, Bound<i128>), step: usize },
    Ellipsis,
    NewAxis,
}

/// All axes that no other entry of [`Tensor::at`] is for, taken whole: `...` in NumPy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ellipsis;

/// A new axis of size 1 in [`Tensor::at`]: `None` in NumPy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NewAxis;

/// Every so many indices of a range, for [`Tensor::at`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stepped<R> {
    range: R,
    step: usize,
}

/// Returns every `step`-th index of a range, for [`Tensor::at`]: `step(1..9, 2)` is `1:9:2` in NumPy, `step(.., 2)` is `::2`.
pub fn step<R: IndexRange>(range: R, step: usize) -> Stepped<R> {
    Stepped { range, step }
}

macro_rules! select {
    ($($type:ty [$($generic:tt)*]: |$value:pat_param| $selection:expr;)*) => {$(
        impl<$($generic)*> AtAxis for $type {
            fn select(self) -> Selection {
                let $value = self;
                $selection
            }
        }

        impl<$($generic)*> At for $type {
            fn each(self, visit: &mut dyn FnMut(Selection)) {
                visit(self.select());
            }
        }
    )*};
}

fn whole(range: impl IndexRange) -> Selection {
    Selection::Range { bounds: range.bounds(), step: 1 }
}

select! {
    i8 []: |index| Selection::Index(index.number());
    i16 []: |index| Selection::Index(index.number());
    i32 []: |index| Selection::Index(index.number());
    i64 []: |index| Selection::Index(index.number());
    i128 []: |index| Selection::Index(index.number());
    isize []: |index| Selection::Index(index.number());
    u8 []: |index| Selection::Index(index.number());
    u16 []: |index| Selection::Index(index.number());
    u32 []: |index| Selection::Index(index.number());
    u64 []: |index| Selection::Index(index.number());
    usize []: |index| Selection::Index(index.number());
    Range<I> [I: Index]: |range| whole(range);
    RangeFrom<I> [I: Index]: |range| whole(range);
    RangeTo<I> [I: Index]: |range| whole(range);
    RangeToInclusive<I> [I: Index]: |range| whole(range);
    RangeInclusive<I> [I: Index]: |range| whole(range);
    RangeFull []: |range| whole(range);
    Stepped<R> [R: IndexRange]: |Stepped { range, step }| Selection::Range { bounds: range.bounds(), step };
    Ellipsis []: |_| Selection::Ellipsis;
    NewAxis []: |_| Selection::NewAxis;
}

/// A pair in a tuple is a range, as for [`Tensor::slice`].
impl<I: Index, J: Index> AtAxis for (I, J) {
    fn select(self) -> Selection {
        whole(self)
    }
}

impl Sealed for Ellipsis {}
impl Sealed for NewAxis {}
impl<R: IndexRange> Sealed for Stepped<R> {}

macro_rules! tuples {
    ($(($($entry:ident)*))*) => {$(
        impl<$($entry: AtAxis),*> At for ($($entry,)*) {
            #[allow(non_snake_case)]
            fn each(self, visit: &mut dyn FnMut(Selection)) {
                let ($($entry,)*) = self;
                $(visit($entry.select());)*
            }
        }
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

macro_rules! seal {
    ($(($($entry:ident)*))*) => {$(
        impl<$($entry: Sealed),*> Sealed for ($($entry,)*) {}
    )*};
}

// A pair is sealed already, as a range.
seal! { (A) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

impl Tensor {
    /// Returns a view of some indices of some axes: an entry for each axis from the first on, as in NumPy. An integer takes one
    /// index, and its axis disappears; a range takes the indices in it; negative numbers count from the end.
    ///
    /// ```
    /// use aclnn::{Device, Ellipsis, NewAxis, Tensor, step};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6, 7, 8], [2, 4])?;
    /// assert_eq!(grid.at(1)?.to_vec::<i32>()?, [5, 6, 7, 8]);
    /// assert_eq!(grid.at((.., -1))?.to_vec::<i32>()?, [4, 8]);
    /// assert_eq!(grid.at((1, 1..3))?.to_vec::<i32>()?, [6, 7]);
    /// assert_eq!(grid.at((0, step(.., 2)))?.to_vec::<i32>()?, [1, 3]);
    /// assert_eq!(grid.at((Ellipsis, 0))?.to_vec::<i32>()?, [1, 5]);
    /// assert_eq!(grid.at((NewAxis, .., ..2))?.dims(), [1, 2, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// Elements are written through a view: `grid.at((.., 0))?.fill_in_place(0)?`.
    ///
    /// # Errors
    /// [`Error::View`] if there are more entries than axes, an index does not exist, a range does not lie within its axis, or a
    /// step is 0; [`Error::Argument`] if there is more than one [`Ellipsis`].
    #[doc(alias = "aclnnSliceV2", alias = "aclnnStridedSlice", alias = "i", alias = "get")]
    pub fn at(&self, selects: impl At) -> Result<Tensor> {
        let mut entries = Vec::new();
        selects.each(&mut |entry| entries.push(entry));
        let count = |wanted: fn(&Selection) -> bool| entries.iter().filter(|entry| wanted(entry)).count();
        let named = count(|entry| matches!(entry, Selection::Index(_) | Selection::Range { .. }));
        if count(|entry| *entry == Selection::Ellipsis) > 1 {
            let reason = "only one entry can be an ellipsis".to_owned();
            return Err(Error::Argument { operator: "at", operands: self.operands(), reason });
        }
        let Some(others) = self.rank().checked_sub(named) else {
            let axis = named.saturating_sub(1) as i128;
            return Err(self.no_view("at", LayoutError::Axis { axis, rank: self.rank() }));
        };
        // Where the next axis of this tensor is in the view, and its number.
        let (mut view, mut axis, mut number) = (self.clone(), 0, 0);
        for entry in entries {
            let next = match entry {
                Selection::Index(index) => view.select(axis, index),
                Selection::Range { bounds, step: 1 } => view.slice(axis, bounds),
                Selection::Range { bounds, step } => view.slice_step(axis, bounds, step),
                Selection::Ellipsis => Ok(view),
                Selection::NewAxis => view.unsqueeze(axis),
            };
            view = next.map_err(|error| match error {
                Error::View { cause, .. } => self.no_view("at", on_axis(cause, number)),
                error => error,
            })?;
            let (seen, taken) = match entry {
                Selection::Index(_) => (0, 1),
                Selection::Range { .. } => (1, 1),
                Selection::Ellipsis => (others, others),
                Selection::NewAxis => (1, 0),
            };
            (axis, number) = (axis + seen, number + taken);
        }
        Ok(view)
    }
}

/// Returns the same cause with another number of the axis.
fn on_axis(cause: LayoutError, axis: usize) -> LayoutError {
    match cause {
        LayoutError::Index { index, size, .. } => LayoutError::Index { axis, index, size },
        LayoutError::Range { range, size, .. } => LayoutError::Range { axis, range, size },
        cause => cause,
    }
}
