//! Masks of bits: element number `n` has bit `n % 8` of byte `n / 8`, the lowest bit first, and a set bit keeps it.

use std::ops::Range;

use super::Seeds;
use super::philox::{BITS, fraction};
use crate::{Body, Bound, LaneFunction, Scratch};

/// Bytes of a mask, in which each bit is set with the probability `keep`.
pub struct Mask {
    pub seeds: Seeds,
    pub keep: f32,
}

impl Body for Mask {
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], _: &mut Scratch) {
        let philox = self.seeds.of_elements(inputs, range.start);
        for (byte, number) in out.iter_mut().zip(range) {
            let mut words = [0; u8::BITS as usize];
            philox.words(number * words.len(), &mut words);
            let keeps = words.map(|word| fraction(word, BITS) < self.keep);
            *byte = keeps.iter().rev().fold(0, |byte, keeps| byte << 1 | u8::from(*keeps));
        }
    }

    fn widest(&self) -> usize {
        size_of::<u8>()
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["random bits"]
    }
}

/// Computes the elements of f32 that a mask keeps, over `divisor`, and zeros for the others: the first input is a lane
/// of elements, the second one of the bytes of their mask.
pub fn kept(divisor: f32) -> LaneFunction {
    LaneFunction::new("mask", move |_, inputs, outputs| {
        let ([elements, mask], [out]) = (inputs, outputs) else { return Ok(()) };
        let elements: &[f32] = bytemuck::cast_slice(elements);
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        for ((out, elements), byte) in out.chunks_mut(8).zip(elements.chunks(8)).zip(*mask) {
            for (bit, (out, element)) in out.iter_mut().zip(elements).enumerate() {
                *out = if byte >> bit & 1 == 1 { element / divisor } else { 0.0 };
            }
        }
        Ok(())
    })
}
