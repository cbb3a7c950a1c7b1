//! The numbers that matrices are computed in: f64, and pairs of it; and the loops that subtract multiples of rows.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use bytemuck::Pod;
use num_complex::Complex;

use crate::products::matrix::{self, Matrix};
use crate::views::instructions;

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
    /// The product with a real number plus another number, of which each part is rounded once.
    fn scaled_plus(self, factor: f64, summand: Self) -> Self;
    /// Subtracts the product of an `m` × `k` and a `k` × `n` matrix from one whose rows lie `down` elements apart.
    fn subtract_product(
        sizes: [usize; 3],
        left: Matrix<'_, Self>,
        right: Matrix<'_, Self>,
        to: &mut [Self],
        down: usize,
    );

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

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }

    #[inline(always)]
    fn scaled_plus(self, factor: f64, summand: Self) -> Self {
        self.mul_add(factor, summand)
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

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self * factor
    }

    #[inline(always)]
    fn scaled_plus(self, factor: f64, summand: Self) -> Self {
        Complex::new(self.re.mul_add(factor, summand.re), self.im.mul_add(factor, summand.im))
    }

    fn subtract_product(
        sizes: [usize; 3],
        left: Matrix<'_, Self>,
        right: Matrix<'_, Self>,
        to: &mut [Self],
        down: usize,
    ) {
        subtract_product(sizes, left, right, to, down);
    }
}

instructions::for_instructions! {
    /// Subtracts the product of an `m` × `k` and a `k` × `n` matrix from one whose rows lie `down` elements apart.
    fn subtract_product[T: Field](
        sizes: [usize; 3],
        left: Matrix<'_, T>,
        right: Matrix<'_, T>,
        to: &mut [T],
        down: usize,
    ) {
        let [m, k, n] = sizes;
        for (row, to) in to.chunks_mut(down).take(m).enumerate() {
            for step in 0..k {
                let ([factor, ..], others) = (left.from([row, step]).elements, right.from([step, 0])) else { break };
                match others.strides {
                    [_, 1] => subtract(&mut to[..n], *factor, others.elements),
                    [_, across] => {
                        let others = others.elements.iter().step_by(across);
                        to[..n].iter_mut().zip(others).for_each(|(to, other)| *to -= *factor * *other);
                    }
                }
            }
        }
    }
}

/// Subtracts a multiple of a row from another one.
#[inline(always)]
pub(super) fn subtract<T: Field>(from: &mut [T], factor: T, row: &[T]) {
    let factor = -factor;
    from.iter_mut().zip(row).for_each(|(element, other)| *element = factor.times_plus(*other, *element));
}
