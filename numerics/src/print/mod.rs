//! Elements as text, laid out as NumPy lays out arrays.
//!
//! `text` writes brackets, columns and lines. `numbers` decodes elements and formats all of them to one width; `float`
//! formats those with a point.

mod float;
mod numbers;
mod text;

use crate::layout::{Layout, LayoutError, Shape};

pub use text::Text;

/// A tensor of more elements than this is printed in part.
const SUMMARIZED: usize = 1000;

/// The number of indices printed at each end of an axis that is not printed whole.
const EDGE: usize = 3;

/// The largest number of elements that is printed of a tensor of up to `AXES` axes. NumPy has no more axes than that,
/// and prints three indices at each end of every axis.
const MOST: usize = 10_000;
const AXES: usize = 64;

/// The indices of an axis that are printed: some from its start, and after a gap some at its end.
#[derive(Clone, Copy, Debug)]
struct Shown {
    size: usize,
    head: usize,
    tail: usize,
}

impl Shown {
    fn count(self) -> usize {
        self.head + self.tail
    }

    fn has_gap(self) -> bool {
        self.count() < self.size
    }

    /// Returns at most this many of the indices at each end.
    fn at_most(self, head: usize, tail: usize) -> Shown {
        if self.count() <= head + tail { self } else { Shown { head, tail, ..self } }
    }
}

/// Returns what is printed of every axis.
fn shown(shape: &Shape) -> Vec<Shown> {
    let whole = shape.iter().map(|&size| Shown { size, head: size, tail: 0 });
    if shape.numel().is_some_and(|count| count <= SUMMARIZED) {
        return whole.collect();
    }
    let mut shown: Vec<Shown> = whole.map(|axis| axis.at_most(EDGE, EDGE)).collect();
    // Brackets and empty lines take space too.
    let most = MOST * AXES / shape.rank().max(AXES);
    // The outer axes lose indices first, so that rows still look like rows.
    for (head, tail) in [(1, 1), (1, 0)] {
        let mut inner: Vec<usize> = Vec::with_capacity(shown.len());
        for axis in shown.iter().rev() {
            inner.push(inner.last().unwrap_or(&1).saturating_mul(axis.count()));
        }
        let mut outer = 1usize;
        for (axis, inner) in shown.iter_mut().zip(inner.into_iter().rev()) {
            if outer.saturating_mul(inner) <= most {
                break;
            }
            *axis = axis.at_most(head, tail);
            outer = outer.saturating_mul(axis.count());
        }
    }
    shown
}

/// Returns the layout of the elements that are printed. Up to a thousand elements are all printed. Of more, three
/// indices at each end of every axis that is longer than six are printed, and 10,000 elements at most, or fewer for
/// more than 64 axes. To stay below this limit, only the first and the last index of as many outer axes as needed are
/// printed, and where that is not enough, only the first. An axis that is printed at both ends becomes two axes, which
/// lead to the same elements in row-major order.
///
/// ```
/// use aclnn_numerics::{Layout, print};
///
/// let printed = print::excerpt(&Layout::contiguous([2, 1000]))?;
/// assert_eq!((printed.shape().to_string(), printed.strides()), ("[2, 2, 3]".into(), &[1000, 997, 1][..]));
/// let printed = print::excerpt(&Layout::contiguous([6; 100]))?;
/// assert!(printed.numel().is_some_and(|count| count <= 10_000));
/// # Ok::<(), aclnn_numerics::layout::LayoutError>(())
/// ```
///
/// # Errors
/// The layout is larger than any address space.
pub fn excerpt(layout: &Layout) -> Result<Layout, LayoutError> {
    let (mut shape, mut strides) = (Vec::new(), Vec::new());
    for (axis, &stride) in shown(layout.shape()).into_iter().zip(layout.strides()) {
        if axis.tail > 0 {
            let between = isize::try_from(axis.size - axis.tail).ok();
            let between = between.and_then(|distance| distance.checked_mul(stride));
            shape.extend([2, axis.tail]);
            strides.extend([between.ok_or(LayoutError::Overflow)?, stride]);
        } else {
            shape.push(axis.head);
            strides.push(stride);
        }
    }
    Layout::new(shape, &strides, layout.offset())
}
