//! The numbers that matrices are computed in: f64, and pairs of it.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use bytemuck::Pod;
use num_complex::Complex;

use super::blocks::{self, dot};
use crate::products::matrix::{self, Matrix};

/// A real or complex number.
pub(super) trait Field:
    Pod
    + PartialEq
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Send
    + Sync
{
    fn real(value: f64) -> Self;
    fn conjugate(self) -> Self;
    /// The distance from 0.
    fn modulus(self) -> f64;
    fn real_part(self) -> f64;
    fn ln(self) -> Self;
    fn times(self, factor: f64) -> Self;
    /// Subtracts the product of an `m` × `k` and a `k` × `n` matrix from one whose rows lie `down` elements apart.
    fn subtract_product(
        sizes: [usize; 3],
        left: Matrix<'_, Self>,
        right: Matrix<'_, Self>,
        to: &mut [Self],
        down: usize,
    ) {
        blocks::subtract_product(sizes, left, right, to, down);
    }

    /// The product with a number plus another one, which is rounded once where the numbers are real.
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        self * factor + summand
    }

    /// The number of modulus 1 in the same direction; 0 of 0.
    fn sign(self) -> Self {
        match self == Self::zeroed() {
            true => self,
            false => self / Self::real(self.modulus()),
        }
    }
}

impl Field for f64 {
    fn real(value: f64) -> Self {
        value
    }

    fn conjugate(self) -> Self {
        self
    }

    fn modulus(self) -> f64 {
        self.abs()
    }

    fn real_part(self) -> f64 {
        self
    }

    fn ln(self) -> Self {
        self.ln()
    }

    fn times(self, factor: f64) -> Self {
        self * factor
    }

    fn subtract_product(
        sizes: [usize; 3],
        left: Matrix<'_, f64>,
        right: Matrix<'_, f64>,
        to: &mut [f64],
        down: usize,
    ) {
        matrix::subtract_product(sizes, left, right, to, down);
    }

    #[inline(always)]
    fn times_plus(self, factor: Self, summand: Self) -> Self {
        self.mul_add(factor, summand)
    }
}

impl Field for Complex<f64> {
    fn real(value: f64) -> Self {
        Complex::new(value, 0.0)
    }

    fn conjugate(self) -> Self {
        self.conj()
    }

    fn modulus(self) -> f64 {
        self.norm()
    }

    fn real_part(self) -> f64 {
        self.re
    }

    fn ln(self) -> Self {
        Complex::ln(self)
    }

    fn times(self, factor: f64) -> Self {
        self * factor
    }
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
