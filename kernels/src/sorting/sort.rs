//! The elements of a row by their rank: sorting, the greatest, the middle one.

use crate::engine::share;
use crate::sorting::keys::{Keys, MANY, PIECE, Ranks, Sorted, positions};
use crate::views::failure::Result;
use crate::{LaneBody, Panel};

/// The elements of a row that are results, and their order. The outputs are the elements, then the position of each.
pub struct Ranked {
    pub keys: Keys,
    pub descending: bool,
    pub wanted: Wanted,
    pub has_values: bool,
    pub has_indices: bool,
}

#[derive(Clone, Copy)]
pub enum Wanted {
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
    /// Visits the positions of the results in a row.
    fn positions(&self, row: &[u8], keys: &mut Vec<u64>, mut visit: impl FnMut(usize)) -> Result {
        if let Wanted::Unordered = self.wanted {
            (0..row.len() / self.keys.size()).for_each(visit);
            return Ok(());
        }
        self.keys.read(row, keys)?;
        let is_nan = |key: &u64| self.keys.is_nan(*key);
        let ranks = match self.wanted {
            Wanted::Ranks(ranks) => ranks,
            Wanted::Unordered => Ranks::All,
            Wanted::Middle => match keys.iter().position(is_nan) {
                Some(first) => {
                    visit(first);
                    return Ok(());
                }
                None => Ranks::One(keys.len().saturating_sub(1) / 2),
            },
            Wanted::MiddleNumber => {
                let numbers = keys.iter().filter(|key| !is_nan(key)).count();
                Ranks::One(numbers.saturating_sub(1) / 2)
            }
        };
        positions(keys, self.keys.greatest(), self.descending, ranks, visit)
    }

    fn row(&self, keys: &mut Vec<u64>, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let [row] = inputs else { return Ok(()) };
        let mut outputs = outputs.iter_mut();
        let mut values = self.has_values.then(|| outputs.next()).flatten();
        let mut indices = self.has_indices.then(|| outputs.next()).flatten();
        let (size, mut rank) = (self.keys.size(), 0);
        if let Wanted::Ranks(Ranks::All) = self.wanted
            && row.len() >= MANY * size
        {
            self.keys.read(row, keys)?;
            if let Some(sorted) = Sorted::of(keys, self.keys, self.descending)? {
                if let Some(values) = values {
                    share::pieces(values, PIECE * size, 3 * row.len(), &|piece, to| {
                        sorted.write_elements(piece * PIECE, row, to);
                    });
                }
                if let Some(indices) = indices {
                    let bytes = 2 * indices.len();
                    share::pieces(indices, PIECE * size_of::<i64>(), bytes, &|piece, to| {
                        sorted.write_positions(piece * PIECE, to);
                    });
                }
                return Ok(());
            }
        }
        self.positions(row, keys, |position| {
            if let Some(values) = &mut values {
                copy_element(row, position, values, rank, size);
            }
            let index = indices.as_mut().and_then(|indices| indices.get_mut(rank * 8..rank * 8 + 8));
            if let Some(index) = index {
                index.copy_from_slice(&(position as i64).to_ne_bytes());
            }
            rank += 1;
        })
    }
}

impl LaneBody for Ranked {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self.row(&mut Vec::new(), inputs, outputs)
    }

    fn panel(&self, panel: Panel<'_, '_>) -> Result {
        let mut keys = Vec::new();
        panel.each(&mut |_, inputs, outputs| self.row(&mut keys, inputs, outputs))
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["order"]
    }
}

/// Copies an element of `size` bytes.
fn copy_element(from: &[u8], position: usize, to: &mut [u8], rank: usize, size: usize) {
    fn of<const N: usize>(from: &[u8], position: usize, to: &mut [u8], rank: usize) {
        let from = from.as_chunks::<N>().0.get(position);
        if let (Some(from), Some(to)) = (from, to.as_chunks_mut::<N>().0.get_mut(rank)) {
            *to = *from;
        }
    }
    match size {
        1 => of::<1>(from, position, to, rank),
        2 => of::<2>(from, position, to, rank),
        4 => of::<4>(from, position, to, rank),
        _ => of::<8>(from, position, to, rank),
    }
}
