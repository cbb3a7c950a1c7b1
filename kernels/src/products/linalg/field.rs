//! The numbers that matrices are computed in: f64, and pairs of it.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use bytemuck::Pod;
use num_complex::Complex;

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
}

/// Subtracts a multiple of a row from another one.
pub(super) fn subtract<T: Field>(from: &mut [T], factor: T, row: &[T]) {
    from.iter_mut().zip(row).for_each(|(element, other)| *element -= factor * *other);
}

/// The Euclidean length of a vector, which does not overflow before its result does.
pub(super) fn length<T: Field>(vector: impl Iterator<Item = T> + Clone) -> f64 {
    let largest = vector.clone().fold(0.0, |largest: f64, element| largest.max(element.modulus()));
    if largest == 0.0 || largest.is_infinite() {
        // A NaN is no number to scale by, and reaches the result.
        return vector.map(Field::modulus).sum();
    }
    vector.map(|element| (element.modulus() / largest).powi(2)).sum::<f64>().sqrt() * largest
}
