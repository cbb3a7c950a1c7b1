//! Axes and indices as users write them: counted from the start, or from the end.

use std::ops::{Bound, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

pub(super) mod sealed {
    pub trait Sealed {}
}

/// An axis number, or an index on an axis: any integer type of Rust. A negative number counts from the end, as in NumPy
/// and PyTorch: −1 is the last one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not number an axis or an index",
    label = "not an integer",
    note = "axes and indices are integers: 0 is the first, -1 the last"
)]
pub trait Index: sealed::Sealed + Copy {
    #[doc(hidden)]
    fn number(self) -> i128;
}

/// A range of consecutive indices: a range of Rust over an [`Index`], such as `1..3`, `..-1`, `-2..` or `..`.
///
/// A pair is a range too: `(1, -1)` means `1..-1`, which Clippy would report as an empty range.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a range of indices",
    label = "not a range of integers",
    note = "ranges of indices are written `1..3`, `..=2`, `-2..`, `..-1` or `..`; `select` takes a single index"
)]
pub trait IndexRange: sealed::Sealed {
    #[doc(hidden)]
    fn bounds(self) -> (Bound<i128>, Bound<i128>);
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl sealed::Sealed for $type {}

        impl Index for $type {
            fn number(self) -> i128 {
                self as i128
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

macro_rules! ranges {
    ($($type:ty: |$range:pat_param| $start:expr, $end:expr;)*) => {$(
        impl<I: Index> sealed::Sealed for $type {}

        impl<I: Index> IndexRange for $type {
            fn bounds(self) -> (Bound<i128>, Bound<i128>) {
                let $range = self;
                ($start.map(I::number), $end.map(I::number))
            }
        }
    )*};
}

ranges! {
    Range<I>: |Range { start, end }| Bound::Included(start), Bound::Excluded(end);
    RangeFrom<I>: |RangeFrom { start }| Bound::Included(start), Bound::Unbounded::<I>;
    RangeTo<I>: |RangeTo { end }| Bound::Unbounded::<I>, Bound::Excluded(end);
    RangeToInclusive<I>: |RangeToInclusive { end }| Bound::Unbounded::<I>, Bound::Included(end);
    (Bound<I>, Bound<I>): |(start, end)| start, end;
}

impl<I: Index> sealed::Sealed for RangeInclusive<I> {}

impl<I: Index> IndexRange for RangeInclusive<I> {
    fn bounds(self) -> (Bound<i128>, Bound<i128>) {
        let (start, end) = self.into_inner();
        (Bound::Included(start.number()), Bound::Included(end.number()))
    }
}

impl sealed::Sealed for RangeFull {}

impl IndexRange for RangeFull {
    fn bounds(self) -> (Bound<i128>, Bound<i128>) {
        (Bound::Unbounded, Bound::Unbounded)
    }
}

impl<A: sealed::Sealed, B: sealed::Sealed> sealed::Sealed for (A, B) {}

impl<I: Index, J: Index> IndexRange for (I, J) {
    fn bounds(self) -> (Bound<i128>, Bound<i128>) {
        (Bound::Included(self.0.number()), Bound::Excluded(self.1.number()))
    }
}

/// Returns the same number counted from the start of `len`. A number before the start stays negative.
pub(super) fn from_start(number: i128, len: usize) -> i128 {
    // If the sum saturates, it stays far below zero for every `len`.
    let counted = number.saturating_add(len as i128);
    if number < 0 && counted >= 0 { counted } else { number }
}
