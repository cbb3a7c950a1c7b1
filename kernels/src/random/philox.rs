//! Philox 4×32-10: a generator that computes each word from its place alone.
//!
//! Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

use crate::views::instructions;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

/// The words of a seed and an offset. Those of another offset have nothing to do with them.
#[derive(Clone, Copy)]
pub(super) struct Philox {
    seed: u64,
    offset: u64,
}

impl Philox {
    /// Words of a block.
    pub(super) const BLOCK: usize = 4;

    pub(super) fn new(seed: u64, offset: u64) -> Self {
        Self { seed, offset }
    }

    /// The words of block `number`.
    #[inline]
    pub(super) fn block(self, number: u64) -> [u32; Self::BLOCK] {
        permuted(halves(self.seed), [halves(number), halves(self.offset)])
    }

    /// The words from a number on that begins a block.
    pub(super) fn words(self, first: usize, words: &mut [u32]) {
        words_from(self, (first / Self::BLOCK) as u64, words);
    }

    /// 64 bits, by their number: two words.
    #[inline]
    pub(super) fn bits(self, number: usize) -> u64 {
        let [a, b, c, d] = self.block(number as u64 / 2).map(u64::from);
        if number.is_multiple_of(2) { b << 32 | a } else { d << 32 | c }
    }

    /// The bits of the numbers from an even one on, many at once.
    pub(super) fn bits_from(self, first: usize, bits: &mut [u64]) {
        const PIECE: usize = 32;
        debug_assert!(first.is_multiple_of(2), "a block holds the bits of two numbers");
        let mut words = [0; 2 * PIECE];
        for (piece, first) in bits.chunks_mut(PIECE).zip((first..).step_by(PIECE)) {
            let words = &mut words[..2 * piece.len()];
            self.words(2 * first, words);
            for (bits, [low, high]) in piece.iter_mut().zip(words.as_chunks().0) {
                *bits = u64::from(*high) << 32 | u64::from(*low);
            }
        }
    }

    /// A number from 0 up to 1, which is not among them, by its number: 53 bits of [`Philox::bits`].
    pub(super) fn fraction(self, number: usize) -> f64 {
        fraction_of(self.bits(number))
    }
}

/// A number from 0 up to 1, which is not among them: the high 53 of some bits.
pub(super) fn fraction_of(bits: u64) -> f64 {
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Bits of a word that are a fraction in f32.
pub(super) const BITS: u32 = f32::MANTISSA_DIGITS - 1;

/// A number from 0 up to 1, which is not among them: the low bits of a word.
#[inline(always)]
pub(super) fn fraction(word: u32, bits: u32) -> f32 {
    (word & ((1 << bits) - 1)) as f32 / (1_u32 << bits) as f32
}

#[inline(always)]
fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

instructions::for_wide_instructions! {
    /// Computes the words from a block on, many blocks at once.
    fn words_from(philox: Philox, block: u64, words: &mut [u32]) {
        /// Blocks that are computed side by side.
        const LANES: usize = 16;
        let mut block = block;
        let (many, few) = words.as_chunks_mut::<{ LANES * Philox::BLOCK }>();
        for place in many {
            let [low, high] = halves(philox.offset);
            // Loops, since closures are not always compiled for the instructions of a function.
            let mut counter = [[0; LANES], [0; LANES], [low; LANES], [high; LANES]];
            let [lows, highs, ..] = &mut counter;
            for (lane, (low, high)) in lows.iter_mut().zip(highs).enumerate() {
                [*low, *high] = halves(block.wrapping_add(lane as u64));
            }
            let mut key = halves(philox.seed);
            for _ in 0..ROUNDS {
                let [c0, c1, c2, c3] = &mut counter;
                for lane in 0..LANES {
                    let (a, b) = (
                        u64::from(c0[lane]) * u64::from(MULTIPLIERS[0]),
                        u64::from(c2[lane]) * u64::from(MULTIPLIERS[1]),
                    );
                    (c0[lane], c1[lane]) = ((b >> 32) as u32 ^ c1[lane] ^ key[0], b as u32);
                    (c2[lane], c3[lane]) = ((a >> 32) as u32 ^ c3[lane] ^ key[1], a as u32);
                }
                key = [key[0].wrapping_add(STEPS[0]), key[1].wrapping_add(STEPS[1])];
            }
            for lane in 0..LANES {
                for word in 0..Philox::BLOCK {
                    place[lane * Philox::BLOCK + word] = counter[word][lane];
                }
            }
            block = block.wrapping_add(LANES as u64);
        }
        for (place, number) in few.chunks_mut(Philox::BLOCK).zip(block..) {
            place.copy_from_slice(&philox.block(number)[..place.len()]);
        }
    }
}

/// The ten rounds. A counter is its low and its high words.
#[inline]
fn permuted(mut key: [u32; 2], [[mut c0, mut c1], [mut c2, mut c3]]: [[u32; 2]; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let products = [u64::from(c0) * u64::from(MULTIPLIERS[0]), u64::from(c2) * u64::from(MULTIPLIERS[1])];
        let [[low0, high0], [low1, high1]] = products.map(halves);
        [c0, c1, c2, c3] = [high1 ^ c1 ^ key[0], low1, high0 ^ c3 ^ key[1], low0];
        key = [key[0].wrapping_add(STEPS[0]), key[1].wrapping_add(STEPS[1])];
    }
    [c0, c1, c2, c3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, choose};

    /// The known answers that the authors publish with their library Random123: counters and keys of zeros, of ones, and of
    /// the digits of pi.
    #[test]
    fn philox_gives_the_published_answers() {
        for (counter, key, expected) in [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 4], [u32::MAX; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ] {
            let [a, b, c, d] = counter;
            assert_eq!(permuted(key, [[a, b], [c, d]]), expected);
            let word = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            assert_eq!(Philox::new(word(key[0], key[1]), word(c, d)).block(word(a, b)), expected);
        }
    }

    #[test]
    fn words_and_pairs_of_them_are_those_of_the_blocks() {
        let philox = Philox::new(3, 7);
        // Two rounds of lanes, a block, and a part of one.
        let mut words = [0; 135];
        philox.words(4, &mut words);
        for instructions in 0..4 {
            let before = choose(Choice { instructions: Some(instructions), block: None });
            let mut same = [0; 135];
            philox.words(4, &mut same);
            choose(before);
            assert_eq!(words, same, "{instructions}");
        }
        for (index, word) in words.into_iter().enumerate() {
            let number = 4 + index;
            assert_eq!(word, philox.block(number as u64 / 4)[number % 4]);
        }
        for number in 2..7 {
            let pair = [words[2 * number - 4], words[2 * number - 3]];
            assert_eq!(halves(philox.bits(number)), pair);
        }
        let mut bits = [0; 77];
        philox.bits_from(6, &mut bits);
        assert_eq!(bits, std::array::from_fn(|index| philox.bits(6 + index)));
    }
}
