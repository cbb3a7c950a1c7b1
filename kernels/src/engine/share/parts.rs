//! The parts of a kernel that threads take.

use std::ops::Range;

/// Bits of the number of a part; the others number the kernels.
pub(super) const PART_BITS: u32 = 16;

/// The parts of a kernel: large ones first, so that few are taken, then smaller ones, so that all threads end together.
#[derive(Clone, Copy)]
pub(super) struct Parts {
    pub(super) total: usize,
    together: usize,
    /// A part is what is left, divided by this,
    divisor: usize,
    /// but at least and at most so much.
    least: usize,
    most: usize,
    /// The number of the next part, and where it begins.
    next: (usize, usize),
}

impl Parts {
    pub(super) fn new(total: usize, together: usize, sizes: Range<usize>, threads: usize) -> Self {
        // The numbers of the parts fit.
        let least = sizes.start.max(total >> (PART_BITS - 2)).max(1);
        let (divisor, most) = (2 * threads, sizes.end.max(least));
        Parts { total, together: together.max(1), divisor, least, most, next: (0, 0) }
    }

    /// The part of a number that is not below the one asked for before.
    pub(super) fn part(&mut self, number: usize) -> Option<Range<usize>> {
        loop {
            let (next, begin) = self.next;
            let left = self.total.checked_sub(begin).filter(|left| *left > 0)?;
            let len = (left / self.divisor).clamp(self.least, self.most);
            let len = len.next_multiple_of(self.together).min(left);
            if next == number {
                return Some(begin..begin + len);
            }
            self.next = (next + 1, begin + len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_smaller_and_cover_everything() {
        let mut parts = Parts::new(1_000_000, 8, 1_000..250_000, 2);
        let all: Vec<_> = (0..).map_while(|number| parts.part(number)).collect();
        assert_eq!((all[0].clone(), all[1].start, all[all.len() - 1].end), (0..250_000, 250_000, 1_000_000));
        assert!(all.windows(2).all(|two| two[0].end == two[1].start && two[0].len() >= two[1].len()));
        let mut skipping = Parts::new(1_000_000, 8, 1_000..250_000, 2);
        assert_eq!(skipping.part(7), Some(all[7].clone()));
        // Ever so many threads and elements do not exhaust the numbers.
        let mut many = Parts::new(usize::MAX / 2, 1, 1..100, 1_000);
        assert!((0..1 << PART_BITS).map_while(|number| many.part(number)).count() < 1 << PART_BITS);
    }
}
