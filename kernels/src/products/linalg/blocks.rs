//! Blocks of columns, and sums over vectors.

use super::field::Field;

/// Columns that are eliminated before the others learn of it.
pub(super) const WIDTH: usize = 32;

/// Sums that run side by side.
const LANES: usize = 16;

/// Copies columns of an `n` × `n` matrix, one after the other: those from column `first` on, from that row on.
pub(super) fn take_columns<T: Field>(elements: &[T], n: usize, first: usize, columns: &mut [T]) {
    for (number, column) in columns.chunks_exact_mut(n - first).enumerate() {
        let from = elements.iter().skip(first * n + first + number).step_by(n);
        column.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
    }
}

/// Copies such columns back.
pub(super) fn put_columns<T: Field>(elements: &mut [T], n: usize, first: usize, columns: &[T]) {
    for (number, column) in columns.chunks_exact(n - first).enumerate() {
        let to = elements.iter_mut().skip(first * n + first + number).step_by(n);
        to.zip(column).for_each(|(to, from)| *to = *from);
    }
}

/// The product of a conjugated vector and another one, of sums that run side by side.
#[inline(always)]
pub(super) fn dot<T: Field>(a: &[T], b: &[T]) -> T {
    let ((a, last_a), (b, last_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [T::zeroed(); LANES];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum = a.conjugate().times_plus(*b, *sum);
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(last_a.iter().zip(last_b)) {
        *sum = a.conjugate().times_plus(*b, *sum);
    }
    sums.into_iter().fold(T::zeroed(), |total, sum| total + sum)
}

/// The Euclidean length of a vector, which does not overflow before its result does.
pub(super) fn length<T: Field>(vector: &[T]) -> f64 {
    let square = dot(vector, vector).real_part();
    if (1e-250..1e250).contains(&square) {
        return square.sqrt();
    }
    let moduli = vector.iter().map(|element| element.modulus());
    let largest = moduli.clone().fold(0.0, f64::max);
    if largest == 0.0 || largest.is_infinite() {
        // A NaN is no number to scale by, and reaches the result.
        return moduli.sum();
    }
    moduli.map(|modulus| (modulus / largest).powi(2)).sum::<f64>().sqrt() * largest
}
