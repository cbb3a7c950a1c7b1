//! Householder's reflections, some of which are applied together.
//!
//! A reflection is `1 − scale · v · vᴴ`. The product of several is `1 − V · T · Vᴴ` with a small triangle `T`, so that
//! products of matrices apply it.

use std::ops::Range;

use super::blocks::{WIDTH, dot, length};
use super::field::{Field, subtract};
use crate::products::matrix::Matrix;
use crate::views::failure::Result;
use crate::views::{allocation, instructions};

/// Reflections of vectors of `len` elements, each of which leaves one more of the first elements as it is.
pub(super) struct Reflections<T> {
    /// The vectors one after the other, with zeros for the elements that they leave and then 1.
    pub(super) vectors: Vec<T>,
    pub(super) len: usize,
    /// The elements that the first reflection leaves.
    first: usize,
    pub(super) scales: Vec<T>,
}

impl<T: Field> Reflections<T> {
    /// Returns reflections that reflect nothing yet.
    pub(super) fn new(len: usize, first: usize, count: usize) -> Result<Self> {
        Ok(Self { vectors: allocation::zeros(count * len)?, len, first, scales: allocation::zeros(count)? })
    }

    /// Finds the reflection that leaves only the first element of a vector that stands in its place. Returns that element.
    pub(super) fn find(&mut self, number: usize) -> T {
        let own = &mut self.vectors[number * self.len..][..self.len];
        let (replaced, scale) = reflection(&mut own[self.first + number..]);
        self.scales[number] = scale;
        replaced
    }

    /// Applies reflections to columns of a matrix from one on, the last one first; or their transposes, the first one first.
    pub(super) fn apply(
        &self,
        block: Range<usize>,
        is_transposed: bool,
        (rows, columns, from): (&mut [T], usize, usize),
    ) -> Result {
        let first = self.first + block.start;
        let (m, k, n) = (self.len - first, block.len(), columns - from);
        if n == 0 {
            return Ok(());
        }
        let vectors = &self.vectors[block.start * self.len..block.end * self.len];
        let conjugated: Vec<T> = allocation::collect(vectors.iter().map(|element| element.conjugate()))?;
        let vectors = Matrix { elements: &vectors[first..], strides: [1, self.len] };
        let conjugated = Matrix::rows(&conjugated[first..], self.len);
        // The negative products of the vectors with each other, and the triangle.
        let (mut squares, mut triangle) = (allocation::zeros(k * k)?, allocation::zeros(k * k)?);
        T::subtract_product([k, m, k], conjugated, vectors, &mut squares, k);
        for (number, scale) in self.scales[block].iter().enumerate() {
            triangle[number * k + number] = *scale;
            for row in 0..number {
                let sum = (row..number).fold(T::zeroed(), |sum, between| {
                    sum + triangle[row * k + between] * squares[between * k + number]
                });
                triangle[row * k + number] = *scale * sum;
            }
        }
        let mut factors = Matrix::rows(&triangle[..], k);
        if is_transposed {
            triangle.iter_mut().for_each(|element| *element = element.conjugate());
            factors = Matrix::rows(&triangle[..], k).transposed();
        }
        let rows = &mut rows[first * columns + from..];
        let (mut own, mut turned) = (allocation::zeros(k * n)?, allocation::zeros(k * n)?);
        T::subtract_product([k, m, n], conjugated, Matrix::rows(rows, columns), &mut own, n);
        T::subtract_product([k, k, n], factors, Matrix::rows(&own, n), &mut turned, n);
        T::subtract_product([m, k, n], vectors, Matrix::rows(&turned, n), rows, columns);
        Ok(())
    }

    /// Writes the first columns of the product of all reflections.
    pub(super) fn write_product(&self, to: &mut [T], columns: usize) -> Result {
        to.fill(T::zeroed());
        to.iter_mut().step_by(columns + 1).take(columns).for_each(|one| *one = T::real(1.0));
        let count = self.scales.len();
        for start in (0..count).step_by(WIDTH).rev() {
            let block = start..count.min(start + WIDTH);
            self.apply(block, false, (to, columns, self.first + start))?;
        }
        Ok(())
    }
}

/// Replaces a vector, of which a reflection leaves only the first element, by that of the reflection. Returns the element
/// that is left, and the scale; 0 where nothing is reflected.
///
/// Signs are those of LAPACK: the element is real and has the other sign than the one that it replaces, unless that one has
/// only zeros below it already.
fn reflection<T: Field>(vector: &mut [T]) -> (T, T) {
    let Some((first, below)) = vector.split_first_mut() else { return (T::zeroed(), T::zeroed()) };
    let (old, len) = (std::mem::replace(first, T::real(1.0)), length(below));
    if len == 0.0 && old == T::real(old.real_part()) {
        return (old, T::zeroed());
    }
    let replaced = T::real(-old.modulus().hypot(len).copysign(old.real_part()));
    let divisor = old - replaced;
    below.iter_mut().for_each(|element| *element = *element / divisor);
    (replaced, (replaced - old) / replaced)
}

instructions::for_wide_instructions! {
    /// Applies `1 − scale · v · vᴴ` to vectors that lie one after the other, from the place of the first element of `v` on.
    pub(super) fn reflect[T: Field](vector: &[T], scale: T, others: &mut [T], len: usize) {
        for other in others.chunks_exact_mut(len) {
            let other = &mut other[len - vector.len()..];
            let product = dot(vector, other);
            subtract(other, scale * product, vector);
        }
    }
}
