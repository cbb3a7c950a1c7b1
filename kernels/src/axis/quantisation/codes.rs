//! Numbers in f32 as the codes of quantised elements.

use crate::views::instructions::for_instructions;
use crate::{Block, Conversions};

/// The rounding of a number to a whole one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest, halves to the even one.
    Even,
    Floor,
    Ceil,
    Truncate,
}

impl Rounding {
    /// Rounds all numbers.
    pub(super) fn apply(self, numbers: &mut [f32]) {
        let round: fn(f32) -> f32 = match self {
            // Whoever writes the codes rounds so.
            Rounding::Even => return,
            Rounding::Floor => f32::floor,
            Rounding::Ceil => f32::ceil,
            Rounding::Truncate => f32::trunc,
        };
        numbers.iter_mut().for_each(|number| *number = round(*number));
    }
}

/// The form of quantised elements. Integers are rounded to the nearest, halves to the even one, and saturate; NaN is 0.
pub enum Codes {
    /// An integer in each byte.
    Bytes,
    /// Two integers of four bits in each byte, the first one in the lower half.
    Nibbles,
    /// Short floats, which f32 is converted to, and the largest of them.
    Floats(Conversions, f32),
}

impl Codes {
    /// The largest number that has a code.
    pub fn most(&self) -> f32 {
        match self {
            Codes::Bytes => 127.0,
            Codes::Nibbles => 7.0,
            Codes::Floats(_, most) => *most,
        }
    }

    /// Writes the code of each number.
    pub(super) fn write(&self, numbers: &[f32], codes: &mut [u8]) {
        match self {
            Codes::Bytes => bytes(numbers, codes),
            Codes::Nibbles => nibbles(numbers, codes),
            Codes::Floats(conversions, _) => {
                let from = bytemuck::cast_slice(numbers);
                conversions.apply_all(numbers.len(), from, codes, &mut Block::new());
            }
        }
    }
}

for_instructions! {
    fn bytes(numbers: &[f32], codes: &mut [u8]) {
        for (code, number) in codes.iter_mut().zip(numbers) {
            *code = number.round_ties_even().clamp(-128.0, 127.0) as i8 as u8;
        }
    }

    fn nibbles(numbers: &[f32], codes: &mut [u8]) {
        let code = |number: f32| number.round_ties_even().clamp(-8.0, 7.0) as i8 as u8;
        for (codes, pair) in codes.iter_mut().zip(numbers.chunks(2)) {
            let [low, high] = [0, 1].map(|place| pair.get(place).map_or(0, |number| code(*number)));
            *codes = low & 0xF | high << 4;
        }
    }

    /// The largest magnitude; NaN does not count.
    pub(super) fn largest(numbers: &[f32]) -> f32 {
        let mut lanes = [0.0_f32; 8];
        let mut chunks = numbers.chunks_exact(8);
        for chunk in chunks.by_ref() {
            for (lane, number) in lanes.iter_mut().zip(chunk) {
                *lane = lane.max(number.abs());
            }
        }
        let rest = chunks.remainder().iter().map(|number| number.abs());
        lanes.into_iter().chain(rest).fold(0.0, f32::max)
    }

    pub(super) fn multiply(numbers: &mut [f32], by: &[f32]) {
        for (number, by) in numbers.iter_mut().zip(by) {
            *number *= by;
        }
    }

    pub(super) fn scale(numbers: &mut [f32], by: f32) {
        numbers.iter_mut().for_each(|number| *number *= by);
    }

    pub(super) fn divide(numbers: &mut [f32], by: f32) {
        numbers.iter_mut().for_each(|number| *number /= by);
    }
}

/// Returns an offset as the integer of nine bits that lies beside a packed scale: rounded to the nearest, halves to the even
/// one, and saturated.
pub fn packed_offset(offset: f32) -> u16 {
    offset.round_ties_even().clamp(-256.0, 255.0) as i16 as u16 & 0x1FF
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of the documented form: two's complement in nine bits.
    #[test]
    fn an_offset_beside_a_scale_has_nine_bits() {
        let offsets = [0.0, 1.4, 2.5, 3.5, -1.0, -256.0, 255.0, 300.0, -1e9, f32::NAN];
        let bits = [0, 1, 2, 4, 511, 256, 255, 255, 256, 0];
        assert_eq!(offsets.map(packed_offset), bits);
    }
}
