//! Numbers in the order in which the threads of a GPU draw them for PyTorch.

use super::philox::Philox;

/// Threads of a block, and blocks at most.
const BLOCK: usize = 256;
const BLOCKS: usize = 624;

/// Draws numbers of the exponential distribution with a rate.
///
/// A thread takes four numbers from each block of words, as far apart as there are threads. The counter of words begins at a
/// quarter of the offset.
pub fn exponential(seed: u64, offset: u64, rate: f64, numbers: &mut [f32]) {
    let threads = numbers.len().div_ceil(BLOCK).min(BLOCKS) * BLOCK;
    let first = offset.div_ceil(Philox::BLOCK as u64);
    for (round, numbers) in (0..).zip(numbers.chunks_mut(Philox::BLOCK * threads.max(1))) {
        for thread in 0..threads.min(numbers.len()) {
            let words = Philox::new(seed, thread as u64).block(first.wrapping_add(round));
            let own = numbers[thread..].iter_mut().step_by(threads);
            own.zip(words).for_each(|(number, word)| *number = of_word(word, rate));
        }
    }
}

/// The number of a word: the logarithm of a fraction above 0 up to 1, and a little less than 0 where that rounds to 1.
fn of_word(word: u32, rate: f64) -> f32 {
    let fraction = word as f32 * 2.0_f32.powi(-32) + 2.0_f32.powi(-33);
    let little = f64::from(f32::EPSILON) / 2.0;
    let log = if f64::from(fraction) >= 1.0 - little { -little } else { f64::from(fraction).ln() };
    (-log / rate) as f32
}
