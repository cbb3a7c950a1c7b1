//! Rows divided by the root of the mean of their squares, in f32, and quantised.

use aclnn_numerics::bf16;

use super::codes::{Codes, multiply, scale};
use super::dynamic::Scheme;
use super::rows::{Rows, floats, given, put};
use crate::functions::rows::half;

/// A short type that numbers are rounded to on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Short {
    F16,
    BF16,
}

impl Short {
    fn round(self, numbers: &mut [f32]) {
        match self {
            Short::F16 => numbers.iter_mut().for_each(|one| *one = half(*one)),
            Short::BF16 => numbers.iter_mut().for_each(|one| *one = f32::from(bf16::from_f32(*one))),
        }
    }
}

/// The codes of a normalised row. Scales and the like are numbers of inputs.
pub enum Shift {
    /// Divided by scales, or times these, plus offsets.
    Each { scales: usize, offsets: Option<usize>, divides: bool },
    /// Times the inverse of one scale, plus one offset; rounded to f16 before the code if it is so.
    One { scale: usize, offset: usize, is_short: bool },
    /// Times factors, and then with a scale of the row.
    Dynamic { smooth: Option<usize> },
}

/// An output with codes, its number, and that of the output with scales.
pub struct Target {
    pub codes: Codes,
    pub output: usize,
    pub scale: Option<usize>,
    pub shift: Shift,
}

/// A row `x`, or the sum of two, times `1/sqrt(mean(x²) + epsilon)` and times `gamma`, plus `beta` where that is given. The first
/// input is `x`; the others are numbers of inputs.
pub struct Norm {
    pub other: Option<usize>,
    pub gamma: usize,
    pub beta: Option<usize>,
    pub epsilon: f32,
    /// Whether each square is divided by the length, and not their sum.
    pub divides_squares: bool,
    /// The type to which the sum of two rows is rounded before it is normalised.
    pub sum: Option<Short>,
    /// Whether the product with `gamma` is one of f16.
    pub is_short: bool,
    /// The outputs with the sum, and with the norm before `beta` is added.
    pub sum_output: Option<usize>,
    pub norm_output: Option<usize>,
    pub targets: Vec<Target>,
}

impl Norm {
    pub fn rows(self) -> Rows {
        Rows::new("normalise and quantise", move |_, inputs, outputs, room| self.row(inputs, outputs, room))
    }

    fn row(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]], room: &mut Vec<f32>) -> crate::Result {
        room.clear();
        room.extend_from_slice(floats(inputs, 0)?);
        if let Some(other) = given(inputs, self.other)? {
            room.iter_mut().zip(other).for_each(|(x, other)| *x += other);
        }
        let mut keep = |output: Option<usize>, row: &[f32]| {
            if let Some(to) = output.and_then(|output| outputs.get_mut(output)) {
                to.copy_from_slice(bytemuck::cast_slice(row));
            }
        };
        keep(self.sum_output, room);
        if let Some(short) = self.sum {
            short.round(room);
        }
        let factor = self.factor(room);
        scale(room, factor);
        let gamma = floats(inputs, self.gamma)?;
        if self.is_short {
            Short::F16.round(room);
            multiply(room, gamma);
            Short::F16.round(room);
        } else {
            multiply(room, gamma);
        }
        keep(self.norm_output, room);
        if let Some(beta) = given(inputs, self.beta)? {
            room.iter_mut().zip(beta).for_each(|(element, beta)| *element += beta);
        }
        let mut row = Vec::with_capacity(room.len());
        for target in &self.targets {
            row.clear();
            row.extend_from_slice(room);
            target.write(&mut row, inputs, outputs)?;
        }
        Ok(())
    }

    /// The inverse of the root of the mean square. Squares are summed in f64.
    fn factor(&self, row: &[f32]) -> f32 {
        let inverse = 1.0 / row.len() as f32;
        let squares =
            row.iter().map(|x| f64::from(if self.divides_squares { x * x * inverse } else { x * x }));
        let sum = squares.sum::<f64>() as f32;
        let mean = if self.divides_squares { sum } else { sum * inverse };
        1.0 / (mean + self.epsilon).sqrt()
    }
}

impl Target {
    fn write(&self, row: &mut [f32], inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> crate::Result {
        let first = |number| Ok(floats(inputs, number)?.first().copied().unwrap_or(0.0));
        match self.shift {
            Shift::Each { scales, offsets, divides } => {
                let scales = floats(inputs, scales)?;
                match divides {
                    true => row.iter_mut().zip(scales).for_each(|(element, scale)| *element /= scale),
                    false => multiply(row, scales),
                }
                if let Some(offsets) = given(inputs, offsets)? {
                    row.iter_mut().zip(offsets).for_each(|(element, offset)| *element += offset);
                }
            }
            Shift::One { scale, offset, is_short } => {
                let (inverse, offset) = (1.0 / first(scale)?, first(offset)?);
                row.iter_mut().for_each(|element| *element = *element * inverse + offset);
                if is_short {
                    Short::F16.round(row);
                }
            }
            Shift::Dynamic { smooth } => {
                if let Some(smooth) = given(inputs, smooth)? {
                    multiply(row, smooth);
                }
                let Some(to) = outputs.get_mut(self.output) else { return Ok(()) };
                let scale = Scheme::Inverse.quantise(row, &self.codes, to);
                put(self.scale.and_then(|output| outputs.get_mut(output)), scale);
                return Ok(());
            }
        }
        if let Some(to) = outputs.get_mut(self.output) {
            self.codes.write(row, to);
        }
        Ok(())
    }
}
