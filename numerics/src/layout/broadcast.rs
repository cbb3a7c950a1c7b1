//! The common shape of two operands.

use std::fmt;

use super::Shape;

/// The error of two shapes that have no common shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BroadcastError {
    /// The shape of the first operand.
    pub left: Box<Shape>,
    /// The shape of the second operand.
    pub right: Box<Shape>,
    /// The innermost axis whose sizes do not fit, counted from the left of the longer shape.
    pub axis: usize,
}

impl fmt::Display for BroadcastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = self.left.rank().max(self.right.rank());
        write!(
            f,
            "shapes {} and {} do not broadcast: on axis {} the sizes are {} and {}, which must be equal or one of them 1",
            self.left,
            self.right,
            self.axis,
            size_at(&self.left, rank, self.axis),
            size_at(&self.right, rank, self.axis),
        )
    }
}

impl std::error::Error for BroadcastError {}

/// Returns the size of an axis of the common rank; missing leading axes count as 1.
fn size_at(shape: &Shape, rank: usize, axis: usize) -> usize {
    (axis + shape.rank()).checked_sub(rank).and_then(|own| shape.get(own)).copied().unwrap_or(1)
}

/// Returns the shape that both operands are repeated to: axes are aligned to the right, and sizes are equal or one of
/// them is 1.
///
/// # Errors
/// Two sizes differ and neither is 1. Size 0 with size 1 gives 0; size 0 with a larger size is an error.
pub fn broadcast(left: &Shape, right: &Shape) -> Result<Shape, BroadcastError> {
    let rank = left.rank().max(right.rank());
    let mut common: Shape = (0..rank).map(|_| 1).collect();
    for (axis, size) in common.sizes_mut().iter_mut().enumerate().rev() {
        *size = match (size_at(left, rank, axis), size_at(right, rank, axis)) {
            (l, r) if l == r => l,
            (1, r) => r,
            (l, 1) => l,
            _ => return Err(BroadcastError { left: left.clone().into(), right: right.clone().into(), axis }),
        };
    }
    Ok(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ok(left: &[usize], right: &[usize]) -> Shape {
        let common = broadcast(&left.into(), &right.into()).unwrap();
        assert_eq!(broadcast(&right.into(), &left.into()).unwrap(), common);
        common
    }

    #[test]
    fn shapes_align_to_the_right() {
        assert_eq!(ok(&[2, 3], &[3]), [2, 3]);
        assert_eq!(ok(&[4, 1, 3], &[5, 1]), [4, 5, 3]);
        assert_eq!(ok(&[], &[2]), [2]);
        assert_eq!(ok(&[], &[]), []);
        assert_eq!(ok(&[1], &[0]), [0]);
        assert_eq!(ok(&[0], &[0]), [0]);
    }

    #[test]
    fn the_error_names_shapes_and_axis() {
        let error = broadcast(&[2, 3, 4].into(), &[2, 4].into()).unwrap_err();
        assert_eq!(error.axis, 1);
        let text = error.to_string();
        for part in ["[2, 3, 4]", "[2, 4]", "axis 1", "3 and 2"] {
            assert!(text.contains(part), "{text}");
        }
        assert!(broadcast(&[0].into(), &[2].into()).is_err());
    }
}
