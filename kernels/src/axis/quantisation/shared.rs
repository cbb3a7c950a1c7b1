//! Groups of neighbours that share a power of two, as the formats MX of the Open Compute Project have it.

use super::codes::{Codes, largest};
use super::rows::{Rows, floats};
use super::swiglu::Form;
use crate::functions::special::single::sigmoid;
use crate::views::failure::Result;

/// The numbers in f32 that are quantised, as the first inputs of a row make them.
#[derive(Clone, Copy)]
pub enum Numbers {
    /// Those of the input.
    Given,
    /// Gated units, of an input with gates and one with the other parts.
    Units(Form),
    /// The gradients of gates and other parts of plain units, of which each is one half of a row of `2 * half` numbers. The inputs
    /// have the gate of each number, the other part, and the gradient of the unit. A lane lies along such rows, or across them.
    Gradients { half: usize, is_left: bool, is_along: bool },
}

impl Numbers {
    /// The numbers of a lane, for which there is room.
    fn of<'a>(self, lane: usize, inputs: &[&'a [u8]], room: &'a mut Vec<f32>) -> Result<&'a [f32]> {
        let first = floats(inputs, 0)?;
        match self {
            Numbers::Given => return Ok(first),
            Numbers::Units(form) => {
                form.apply(first.iter().copied().zip(floats(inputs, 1)?.iter().copied()), room);
            }
            Numbers::Gradients { half, is_left, is_along } => {
                let others = floats(inputs, 1)?.iter().zip(floats(inputs, 2)?);
                room.extend(first.iter().zip(others).enumerate().map(
                    |(place, (gate, (other, gradient)))| {
                        let [x, y, g] = [gate, other, gradient].map(|number| f64::from(*number));
                        let column = if is_along { place } else { lane % (2 * half) };
                        let s = sigmoid(x);
                        let slope =
                            if (column < half) == is_left { y * s * (1.0 + x * (1.0 - s)) } else { x * s };
                        (g * slope) as f32
                    },
                ));
            }
        }
        Ok(room)
    }
}

/// The choice of the power of two of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Power {
    /// That of the largest magnitude, less the largest exponent of the short floats.
    Lower(i32),
    /// The least one by which the largest magnitude does not exceed the largest short float.
    Upper,
}

/// Bias and largest code of a power of two in a byte, and the code of what is none.
const BIAS: i32 = 127;
const MOST: i32 = 254;
const NOTHING: u8 = 255;

impl Power {
    /// The exponent for a group whose largest magnitude is `m`.
    fn exponent(self, m: f32, most: f32) -> i32 {
        match self {
            Power::Lower(largest) => whole_exponent(m) - largest,
            Power::Upper => {
                let ratio = m / most;
                let exponent = whole_exponent(ratio);
                // Below the least power of two a code is rounded to it, from above one half of it on.
                let is_above = if exponent < -BIAS { false } else { ratio > power(exponent) };
                if is_above { exponent + 1 } else { exponent }
            }
        }
    }
}

/// The exponent of the greatest power of two that is not above a positive number; that of 0 is below all.
fn whole_exponent(x: f32) -> i32 {
    if x == 0.0 { i32::MIN / 2 } else { f64::from(x).log2().floor() as i32 }
}

fn power(exponent: i32) -> f32 {
    f64::from(exponent).exp2() as f32
}

/// Rows of numbers whose groups of so many neighbours share a power of two. The outputs are the short floats, and the codes
/// of the powers, of which the last one stands alone for nothing if their number is odd.
pub fn shared_powers(of: Numbers, group: usize, by: Power, codes: Codes) -> Rows {
    Rows::new("quantise groups", move |lane, inputs, outputs, room| {
        let mut made = Vec::new();
        let x = of.of(lane, inputs, &mut made)?;
        let [to, scales] = outputs else { return Ok(()) };
        scales.fill(0);
        share((x, group), (by, &codes), (to, scales), room);
        Ok(())
    })
}

/// Numbers of which each part begins anew with groups that share a power of two. The last input has the ends of the parts,
/// in i64; the powers of a part stand behind as many pairs as there are whole pairs of groups before its first number, and parts
/// before it.
pub fn shared_powers_of_parts(of: Numbers, group: usize, by: Power, codes: Codes) -> Rows {
    Rows::new("quantise groups", move |lane, inputs, outputs, room| {
        let mut made = Vec::new();
        let x = of.of(lane, inputs, &mut made)?;
        let ([.., ends], [to, scales]) = (inputs, outputs) else { return Ok(()) };
        to.fill(0);
        scales.fill(0);
        let mut start = 0;
        for (part, end) in bytemuck::cast_slice::<u8, i64>(ends).iter().enumerate() {
            let end = usize::try_from(*end).unwrap_or(0).clamp(start, x.len());
            let first = (start / (2 * group) + part) * 2;
            let powers = scales.get_mut(first..).unwrap_or_default();
            share((&x[start..end], group), (by, &codes), (&mut to[start..end], powers), room);
            start = end;
        }
        Ok(())
    })
}

/// Matrices of so many rows and columns, in f32, whose square blocks share a power of two. The outputs are the short floats, and the
/// codes of the powers twice: in pairs along rows, and in pairs along columns.
pub fn shared_powers_of_blocks([height, width]: [usize; 2], size: usize, by: Power, codes: Codes) -> Rows {
    Rows::new("quantise blocks", move |_, inputs, outputs, room| {
        let x = floats(inputs, 0)?;
        let [to, along, down] = outputs else { return Ok(()) };
        along.fill(0);
        down.fill(0);
        let pairs = width.div_ceil(size).div_ceil(2) * 2;
        let (mut block, mut made) = (Vec::new(), Vec::new());
        for top in (0..height).step_by(size) {
            for left in (0..width).step_by(size) {
                let (rows, columns) = (top..height.min(top + size), left..width.min(left + size));
                let starts = rows.clone().map(|row| row * width + left);
                block.clear();
                starts.clone().for_each(|start| block.extend_from_slice(&x[start..start + columns.len()]));
                made.resize(block.len(), 0);
                let mut power = [0];
                share((&block, block.len()), (by, &codes), (&mut made, &mut power), room);
                for (start, made) in starts.zip(made.chunks(columns.len())) {
                    to[start..start + columns.len()].copy_from_slice(made);
                }
                rows.for_each(|row| along[row * pairs + left / size] = power[0]);
                let (pair, half) = (top / size / 2, top / size % 2);
                columns.for_each(|column| down[(pair * width + column) * 2 + half] = power[0]);
            }
        }
        Ok(())
    })
}

/// Quantises groups of so many neighbours.
fn share(
    (x, group): (&[f32], usize),
    (by, codes): (Power, &Codes),
    (to, scales): (&mut [u8], &mut [u8]),
    room: &mut Vec<f32>,
) {
    for ((x, to), scale) in x.chunks(group).zip(to.chunks_mut(group)).zip(scales) {
        let m = largest(x);
        room.clear();
        if x.iter().all(|x| x.is_finite()) {
            let exponent = by.exponent(m, codes.most()).clamp(-BIAS, MOST - BIAS);
            *scale = (exponent + BIAS) as u8;
            let factor = f64::from(-exponent).exp2();
            let most = codes.most();
            room.extend(x.iter().map(|x| ((f64::from(*x) * factor) as f32).clamp(-most, most)));
        } else {
            *scale = NOTHING;
            room.extend(x.iter().map(|_| f32::NAN));
        }
        codes.write(room, to);
    }
}
