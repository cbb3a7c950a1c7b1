//! The elements of a row by their rank: sorting, the greatest, the middle one.

use super::LaneBody;
use super::keys::{Keys, Ranks, positions};
use crate::status::Result;

/// Which elements of a row are results, and in which order. The outputs are the elements, then where each was.
pub(crate) struct Ranked {
    pub(crate) keys: Keys,
    pub(crate) descending: bool,
    pub(crate) wanted: Wanted,
    pub(crate) has_values: bool,
    pub(crate) has_indices: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    /// Those of these ranks.
    Ranks(Ranks),
    /// All in the order in which they lie.
    Unordered,
    /// The lower middle one; the first NaN if there is one.
    Middle,
    /// The lower middle one of those that are not NaN; the first NaN if there is nothing else.
    MiddleNumber,
}

impl Ranked {
    /// The positions of the results in a row.
    pub(crate) fn positions(&self, row: &[u8]) -> Vec<usize> {
        if let Wanted::Unordered = self.wanted {
            return (0..row.len() / self.keys.size()).collect();
        }
        let keys = self.keys.read(row);
        let is_nan = |key: &u64| self.keys.is_nan(*key);
        let ranks = match self.wanted {
            Wanted::Ranks(ranks) => ranks,
            Wanted::Unordered => Ranks::All,
            Wanted::Middle => match keys.iter().position(is_nan) {
                Some(first) => return vec![first],
                None => Ranks::One(keys.len().saturating_sub(1) / 2),
            },
            Wanted::MiddleNumber => {
                let numbers = keys.iter().filter(|key| !is_nan(key)).count();
                Ranks::One(numbers.saturating_sub(1) / 2)
            }
        };
        positions(&keys, self.keys.greatest(), self.descending, ranks)
    }
}

impl LaneBody for Ranked {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let [row] = inputs else { return Ok(()) };
        let positions = self.positions(row);
        let mut outputs = outputs.iter_mut();
        if let Some(values) = self.has_values.then(|| outputs.next()).flatten() {
            pick(row, &positions, self.keys.size(), values);
        }
        if let Some(indices) = self.has_indices.then(|| outputs.next()).flatten() {
            for (index, position) in indices.chunks_exact_mut(size_of::<i64>()).zip(&positions) {
                index.copy_from_slice(&(*position as i64).to_ne_bytes());
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["order"]
    }
}

/// Copies the elements at these positions, of `size` bytes each.
fn pick(from: &[u8], positions: &[usize], size: usize, to: &mut [u8]) {
    fn of<const N: usize>(from: &[u8], positions: &[usize], to: &mut [u8]) {
        let ((from, _), (to, _)) = (from.as_chunks::<N>(), to.as_chunks_mut::<N>());
        for (to, position) in to.iter_mut().zip(positions) {
            if let Some(element) = from.get(*position) {
                *to = *element;
            }
        }
    }
    match size {
        1 => of::<1>(from, positions, to),
        2 => of::<2>(from, positions, to),
        4 => of::<4>(from, positions, to),
        8 => of::<8>(from, positions, to),
        _ => {
            for (to, position) in to.chunks_exact_mut(size.max(1)).zip(positions) {
                if let Some(element) = from.get(position * size..(position + 1) * size) {
                    to.copy_from_slice(element);
                }
            }
        }
    }
}
