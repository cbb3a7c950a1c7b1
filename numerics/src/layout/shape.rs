//! The sizes of the axes of a tensor.

use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

/// The sizes of the axes of a tensor, outermost first; a shape without axes is that of a single element.
///
/// A shape of up to eight axes, the most that CANN accepts, takes no allocation.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shape(SmallVec<[usize; 8]>);

impl Shape {
    /// Returns the shape of a single element, which has no axes.
    pub fn scalar() -> Shape {
        Shape(SmallVec::new())
    }

    /// Returns the number of elements; `None` if it overflows. With an axis of size 0 it is 0, however large the others
    /// are.
    pub fn numel(&self) -> Option<usize> {
        if self.is_empty_tensor() {
            return Some(0);
        }
        self.iter().try_fold(1usize, |product, &size| product.checked_mul(size))
    }

    /// Returns whether some axis has size 0, so that there are no elements.
    pub fn is_empty_tensor(&self) -> bool {
        self.contains(&0)
    }

    /// Returns the number of axes.
    #[inline]
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// Returns the sizes, to be changed.
    pub(super) fn sizes_mut(&mut self) -> &mut SmallVec<[usize; 8]> {
        &mut self.0
    }
}

impl Deref for Shape {
    type Target = [usize];

    #[inline]
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl AsRef<[usize]> for Shape {
    fn as_ref(&self) -> &[usize] {
        self
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, size) in self.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{size}")?;
        }
        f.write_str("]")
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(sizes: [usize; N]) -> Shape {
        Shape(SmallVec::from_slice(&sizes))
    }
}

impl<const N: usize> From<&[usize; N]> for Shape {
    fn from(sizes: &[usize; N]) -> Shape {
        Shape(SmallVec::from_slice(sizes))
    }
}

impl From<&[usize]> for Shape {
    fn from(sizes: &[usize]) -> Shape {
        Shape(SmallVec::from_slice(sizes))
    }
}

impl From<Vec<usize>> for Shape {
    fn from(sizes: Vec<usize>) -> Shape {
        Shape(SmallVec::from_slice(&sizes))
    }
}

impl From<usize> for Shape {
    fn from(size: usize) -> Shape {
        Shape::from([size])
    }
}

/// Converts tuples, as PyTorch and NumPy write shapes; `()` is a single element.
macro_rules! from_tuples {
    ($(($($size:ident),*))*) => {$(
        impl From<($(from_tuples!(@usize $size),)*)> for Shape {
            fn from(($($size,)*): ($(from_tuples!(@usize $size),)*)) -> Shape {
                Shape::from([$($size),*])
            }
        }
    )*};
    (@usize $size:ident) => { usize };
}

from_tuples! { () (a) (a, b) (a, b, c) (a, b, c, d) (a, b, c, d, e) (a, b, c, d, e, f) (a, b, c, d, e, f, g)
(a, b, c, d, e, f, g, h) }

impl From<&Shape> for Shape {
    fn from(shape: &Shape) -> Shape {
        shape.clone()
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<I: IntoIterator<Item = usize>>(sizes: I) -> Shape {
        // Compiled once: there are as many types of iterators as calls.
        fn collect(sizes: &mut dyn Iterator<Item = usize>) -> Shape {
            Shape(sizes.collect())
        }
        collect(&mut sizes.into_iter())
    }
}

impl PartialEq<[usize]> for Shape {
    fn eq(&self, other: &[usize]) -> bool {
        **self == *other
    }
}

impl<const N: usize> PartialEq<[usize; N]> for Shape {
    fn eq(&self, other: &[usize; N]) -> bool {
        **self == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_count() {
        assert_eq!(Shape::from([2, 3]).to_string(), "[2, 3]");
        assert_eq!(Shape::scalar().to_string(), "[]");
        assert_eq!(Shape::scalar().numel(), Some(1));
        assert_eq!(Shape::from(5).numel(), Some(5));
        assert_eq!(Shape::from([usize::MAX, 2]).numel(), None);
        assert_eq!(Shape::from([usize::MAX, 2, 0]).numel(), Some(0));
    }

    #[test]
    fn tuples_are_shapes() {
        assert_eq!(Shape::from(()), Shape::scalar());
        assert_eq!(Shape::from((2,)), [2]);
        assert_eq!(Shape::from((2, 3)), [2, 3]);
        assert_eq!(Shape::from((1, 2, 3, 4, 5, 6, 7, 8)), [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn shapes_are_compared_with_slices() {
        let shape = Shape::from([2, 3]);
        let equal = [&[2, 3][..], &[3, 2], &[2], &[]].map(|sizes| shape == *sizes);
        assert_eq!(equal, [true, false, false, false]);
    }
}
