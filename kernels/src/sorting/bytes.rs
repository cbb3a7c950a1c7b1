//! A sort of many numbers, byte after byte, of which threads share each pass.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::engine::share;
use crate::views::allocation;
use crate::views::failure::Result;

/// A pass has so many parts at most, each of which counts its bytes.
const PARTS: usize = 16;

/// Numbers of a part, at least.
const PART: usize = 1 << 16;

/// The number of numbers with each value of a byte, or where the next of them goes.
type Counts = [usize; 256];

/// Sorts numbers by some of their bits, from the lowest byte on; what is equal keeps its order.
pub(super) fn sort(numbers: &mut Vec<u64>, bits: Range<u32>) -> Result {
    let together = numbers.len().div_ceil(PARTS).max(PART);
    let bytes = 2 * size_of_val(&numbers[..]);
    let mut to: Vec<AtomicU64> = allocation::zeros(numbers.len())?.into_iter().map(AtomicU64::new).collect();
    // Parts write between each other, never to the same place. Both conversions leave the memory as it is.
    let mut from: Vec<AtomicU64> = std::mem::take(numbers).into_iter().map(AtomicU64::new).collect();
    let mut counts = vec![[0; 256]; from.len().div_ceil(together)];
    for shift in bits.step_by(8) {
        let byte = move |number: u64| (number >> shift) as u8 as usize;
        share::pieces(&mut counts, 1, bytes / 2, &|part, counts| {
            let mut own = [0; 256];
            let part = part_of(&from, part, together);
            part.iter().for_each(|number| own[byte(number.load(Ordering::Relaxed))] += 1);
            counts.fill(own);
        });
        if turn_into_places(&mut counts, from.len()) {
            continue;
        }
        share::pieces(&mut counts, 1, bytes, &|part, places| {
            let ([places], to) = (places, &to[..]) else { return };
            let mut places = *places;
            for number in part_of(&from, part, together) {
                let number = number.load(Ordering::Relaxed);
                let place = &mut places[byte(number)];
                if let Some(to) = to.get(*place) {
                    to.store(number, Ordering::Relaxed);
                }
                *place += 1;
            }
        });
        std::mem::swap(&mut from, &mut to);
    }
    *numbers = from.into_iter().map(AtomicU64::into_inner).collect();
    Ok(())
}

fn part_of(numbers: &[AtomicU64], part: usize, together: usize) -> &[AtomicU64] {
    numbers.chunks(together).nth(part).unwrap_or_default()
}

/// Replaces the counts of each part by where its next number with each byte goes. Returns true, and does not, where all have the
/// same byte.
fn turn_into_places(counts: &mut [Counts], all: usize) -> bool {
    if let Some(only) = (0..256).find(|byte| counts.iter().any(|counts| counts[*byte] > 0))
        && counts.iter().map(|counts| counts[only]).sum::<usize>() == all
    {
        return true;
    }
    let mut next = 0;
    for byte in 0..256 {
        for counts in counts.iter_mut() {
            next += std::mem::replace(&mut counts[byte], next);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose_threads;

    /// As the stable sort of the standard library does it, for any number of threads.
    #[test]
    fn numbers_of_many_parts_are_sorted() {
        for (count, mask) in
            [(0, !0), (1000, !0), (PART + 1, 0xff), (5 * PART + 3, 0xffff_ff00), (3 * PART, 0)]
        {
            let mixed = |index: u64| (index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 & mask) << 32 | index;
            let numbers: Vec<u64> = (0..count as u64).map(mixed).collect();
            let mut expected = numbers.clone();
            expected.sort_by_key(|number| number >> 32);
            for threads in [1, 3] {
                let before = choose_threads(threads);
                let mut sorted = numbers.clone();
                sort(&mut sorted, 32..64).unwrap();
                choose_threads(before);
                assert!(sorted == expected, "{count} {mask:x} {threads}");
            }
        }
    }
}
