//! Elements as text, laid out as NumPy lays out arrays.
//!
//! `text` sets brackets, columns and lines. `numbers` decodes elements and sets all of them to one width, `float` those
//! that have a point.

mod float;
mod numbers;
mod text;

use crate::layout::{Layout, LayoutError, Shape};

pub use text::Text;

/// A tensor of more elements than this is printed in part.
const MOST: usize = 1000;

/// What is printed of an axis at each end if it is not printed whole.
const EDGE: usize = 3;

/// Whether only the ends of the longer axes are printed.
fn is_shortened(shape: &Shape) -> bool {
    shape.numel().is_none_or(|count| count > MOST)
}

/// Whether an axis is printed in part, if any is.
fn has_gap(size: usize) -> bool {
    size > 2 * EDGE
}

/// The elements of a layout that are printed: all, or, of more than a thousand, three at each end of every axis that is
/// longer than six. Such an axis becomes two, which leads to the same elements in row-major order.
///
/// ```
/// use aclnn_numerics::{Layout, print};
///
/// let printed = print::excerpt(&Layout::contiguous([2, 1000]))?;
/// assert_eq!((printed.shape().to_string(), printed.strides()), ("[2, 2, 3]".into(), &[1000, 997, 1][..]));
/// # Ok::<(), aclnn_numerics::layout::LayoutError>(())
/// ```
///
/// # Errors
/// The layout exceeds every address space.
pub fn excerpt(layout: &Layout) -> Result<Layout, LayoutError> {
    if !is_shortened(layout.shape()) {
        return Ok(layout.clone());
    }
    let (mut shape, mut strides) = (Vec::new(), Vec::new());
    for (&size, &stride) in layout.shape().iter().zip(layout.strides()) {
        if has_gap(size) {
            let between = isize::try_from(size - EDGE).ok().and_then(|distance| distance.checked_mul(stride));
            shape.extend([2, EDGE]);
            strides.extend([between.ok_or(LayoutError::Overflow)?, stride]);
        } else {
            shape.push(size);
            strides.push(stride);
        }
    }
    Layout::new(shape, &strides, layout.offset())
}
