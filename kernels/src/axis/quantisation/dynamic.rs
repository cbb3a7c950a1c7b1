//! Rows with scales of their own: the largest magnitude of a row becomes the largest code.

use super::codes::{Codes, divide, largest, multiply, scale};
use super::rows::{Rows, floats, given, put};
use crate::functions::rows::half;
use crate::views::failure::{Cause, Failure, Result};

/// The formulas of the scale of a row and of its codes, for its largest magnitude `m` and the largest code `M`. They differ in
/// the last bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The scale is `m · (1/M)`, codes are `v · (M/m)`.
    Product,
    /// The scale is the inverse of `M/m`, codes are `v · (M/m)`.
    Inverse,
    /// The scale is `m / M`, codes are `v` times its inverse.
    Quotient,
    /// The scale is `m · (1/M)`, codes are `v` divided by it.
    ProductDivides,
    /// The scale is `m / M`, codes are `v` divided by it.
    QuotientDivides,
    /// The factor `M/m` itself takes the place of the scale.
    Factor,
    /// As `Product`, but the factor is rounded to f16, and so are products, of which halves are rounded away from zero.
    Halves,
}

impl Scheme {
    /// Quantises a row, and returns its scale.
    pub(super) fn quantise(self, row: &mut [f32], codes: &Codes, to: &mut [u8]) -> f32 {
        let (m, most) = (largest(row), codes.most());
        let step = match self {
            Scheme::Product => {
                scale(row, most / m);
                m * (1.0 / most)
            }
            Scheme::Inverse => {
                scale(row, most / m);
                1.0 / (most / m)
            }
            Scheme::Quotient => {
                scale(row, 1.0 / (m / most));
                m / most
            }
            Scheme::ProductDivides => {
                divide(row, m * (1.0 / most));
                m * (1.0 / most)
            }
            Scheme::QuotientDivides => {
                divide(row, m / most);
                m / most
            }
            Scheme::Factor => {
                scale(row, most / m);
                most / m
            }
            Scheme::Halves => {
                let factor = if m <= 1e-12 { 0.0 } else { most / m };
                let factor = half(factor);
                for number in row.iter_mut() {
                    *number = half(*number * factor).round();
                }
                m * (1.0 / most)
            }
        };
        codes.write(row, to);
        step
    }
}

/// Elements in rows. The inputs are rows in f32; the outputs are codes, a scale for each row, and an offset if there is one.
pub struct Dynamic {
    pub scheme: Scheme,
    pub codes: Codes,
    /// The input with factors for the elements of a row.
    pub smooth: Option<usize>,
    /// The input, in i32, with the ends of groups of rows. All groups have their factors in each row of `smooth`.
    pub ends: Option<usize>,
    /// Whether the least and the greatest element become the least and the greatest code.
    pub is_shifted: bool,
}

impl Dynamic {
    pub fn rows(self) -> Rows {
        Rows::new("quantise rows", move |number, inputs, outputs, room| {
            let x = floats(inputs, 0)?;
            room.clear();
            room.extend_from_slice(x);
            if let Some(smooth) = given(inputs, self.smooth)? {
                let first = match self.ends {
                    None => 0,
                    Some(input) => x.len() * self.group(bytemuck::cast_slice(inputs[input]), number)?,
                };
                multiply(room, smooth.get(first..).unwrap_or_default());
            }
            let [codes, scales @ ..] = outputs else { return Ok(()) };
            if !self.is_shifted {
                put(scales.first_mut(), self.scheme.quantise(room, &self.codes, codes));
                return Ok(());
            }
            let most = self.codes.most();
            let [low, high] = [room.iter().copied().reduce(f32::min), room.iter().copied().reduce(f32::max)];
            let (low, high) = (low.unwrap_or(0.0), high.unwrap_or(0.0));
            let step = ((high - low) / (2.0 * most + 1.0)).max(1e-12);
            let (offset, inverse) = (most - high / step, 1.0 / step);
            room.iter_mut().for_each(|element| *element = *element * inverse + offset);
            self.codes.write(room, codes);
            put(scales.first_mut(), step);
            put(scales.get_mut(1), offset);
            Ok(())
        })
    }

    /// The group of a row.
    fn group(&self, ends: &[i32], row: usize) -> Result<usize> {
        let found = ends.iter().position(|end| i64::from(*end) > row as i64);
        found.ok_or_else(|| {
            Failure::new(
                Cause::AiCore,
                format_args!(
                    "row {row} belongs to no group: groupIndex {ends:?} must end at the number of rows or behind"
                ),
            )
        })
    }
}

/// Rows of which each part of `size` elements is multiplied by a matrix, and that are quantised then. The inputs are the rows and
/// the matrix, in f32; the outputs are codes and a scale for each row.
pub struct Rotated {
    pub codes: Codes,
    pub size: usize,
    /// Whether rows of the matrix take the place of its columns.
    pub is_transposed: bool,
}

impl Rotated {
    pub fn rows(self) -> Rows {
        Rows::new("rotate and quantise rows", move |_, inputs, outputs, room| {
            let (x, matrix) = (floats(inputs, 0)?, floats(inputs, 1)?);
            room.clear();
            room.resize(x.len(), 0.0);
            for (to, x) in room.chunks_mut(self.size).zip(x.chunks(self.size)) {
                for (place, row) in matrix.chunks(self.size).enumerate() {
                    if self.is_transposed {
                        to[place] = x.iter().zip(row).map(|(x, factor)| x * factor).sum();
                    } else {
                        to.iter_mut().zip(row).for_each(|(to, factor)| *to += x[place] * factor);
                    }
                }
            }
            let [codes, scales @ ..] = outputs else { return Ok(()) };
            put(scales.first_mut(), Scheme::Product.quantise(room, &self.codes, codes));
            Ok(())
        })
    }
}
