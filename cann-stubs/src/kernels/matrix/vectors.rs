//! Products with a vector, which are as fast as memory gives their matrices: nothing is packed.

use super::element::Element;

/// Sums that run side by side, so that the next one need not wait for the one before it.
const SIDE_BY_SIDE: usize = 32;

/// Writes the product of each row of a matrix and a vector.
pub(super) fn rows<T: Element>(matrix: &[T], vector: &[T], out: &mut [T]) {
    for (out, row) in out.iter_mut().zip(matrix.chunks(vector.len().max(1))) {
        *out = dot(row, vector);
    }
}

/// Writes the sum of the rows of a matrix that begin `step` elements apart, each times an element of a vector.
pub(super) fn columns<T: Element>(matrix: &[T], step: usize, vector: &[T], out: &mut [T]) {
    out.fill(T::zeroed());
    for (factor, row) in vector.iter().zip(matrix.chunks(step.max(1))) {
        out.iter_mut().zip(row).for_each(|(out, element)| *out = out.plus_product(*factor, *element));
    }
}

fn dot<T: Element>(a: &[T], b: &[T]) -> T {
    let mut sums = [T::zeroed(); SIDE_BY_SIDE];
    for (a, b) in a.chunks(SIDE_BY_SIDE).zip(b.chunks(SIDE_BY_SIDE)) {
        if let (Ok(a), Ok(b)) = (<&[T; SIDE_BY_SIDE]>::try_from(a), <&[T; SIDE_BY_SIDE]>::try_from(b)) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum = sum.plus_product(*a, *b);
            }
        } else {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum = sum.plus_product(*a, *b);
            }
        }
    }
    let mut count = SIDE_BY_SIDE;
    while count > 1 {
        count /= 2;
        let (first, second) = sums.split_at_mut(count);
        first.iter_mut().zip(second).for_each(|(sum, other)| *sum = sum.plus(*other));
    }
    sums[0]
}
