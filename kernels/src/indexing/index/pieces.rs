//! Elements for the runs that indices find, in the order of the runs.

use std::ops::Range;

use bytemuck::cast_slice;
use smallvec::SmallVec;

use super::positions::{Buffers, Found, Positions};
use super::runs::{SKIPPED, Source, Table};
use crate::views::allocation;
use crate::views::block::Line;
use crate::views::failure::Result;
use crate::{Block, Bound, Conversions};

/// The source of the elements that are written to the runs.
pub enum From {
    /// The elements of an input, run after run.
    Tensor(usize),
    /// One element.
    Element(SmallVec<[u8; 16]>),
}

/// Bytes of the elements that are read together.
const TOGETHER: usize = 16 << 10;

/// The runs of one launch, and what is written to them, piece by piece.
pub(super) struct Pieces<'a> {
    found: Found<'a>,
    inputs: &'a [Bound<'a>],
    from: &'a From,
    /// Bytes of an element.
    size: usize,
}

impl<'a> Pieces<'a> {
    /// `table` is the tensor in which runs are found.
    pub(super) fn new(
        positions: &'a Positions,
        inputs: &'a [Bound<'a>],
        from: &'a From,
        table: &Bound<'_>,
    ) -> Result<Self> {
        let found = positions.find(inputs)?.among(Table::new(table, positions.run));
        Ok(Self { found, inputs, from, size: table.size() })
    }

    /// Visits some runs at a time: their positions, the elements of each, and what is written to them, converted to
    /// elements of `size` bytes. Runs that are long are visited in parts.
    pub(super) fn each(
        &self,
        conversions: &Conversions,
        size: usize,
        visit: &mut dyn FnMut(&[isize], usize, Source<'_>) -> Result,
    ) -> Result {
        let (count, run) = self.found.runs_of();
        let widest = self.size.max(size).max(1);
        let most = TOGETHER / widest;
        let (mut buffers, mut read, mut converted) = (Buffers::default(), Vec::new(), Vec::new());
        let mut between = Block::new();
        // One element becomes a run of it.
        if let From::Element(element) = self.from {
            let numel = run.min(most.max(1));
            let stored = allocation::bytes_of(&mut read, numel * self.size)?;
            stored
                .chunks_exact_mut(self.size.max(1))
                .for_each(|place| place.copy_from_slice(&element[..self.size]));
            let to = allocation::bytes_of(&mut converted, numel * size)?;
            conversions.apply_all(numel, stored, to, &mut between);
        }
        let together = (most / run.max(1)).clamp(1, Positions::TOGETHER);
        for first in (0..count).step_by(together) {
            let runs = first..count.min(first + together);
            self.found.runs(runs.clone(), &mut buffers)?;
            let offsets = &mut buffers.offsets;
            for part in (0..run).step_by(most.max(1)) {
                let len = (run - part).min(most.max(1));
                if part > 0 {
                    let step = most as isize;
                    offsets.iter_mut().filter(|one| **one != SKIPPED).for_each(|one| *one += step);
                }
                if let From::Element(_) = self.from {
                    visit(offsets, len, Source::Same(&cast_slice(&converted)[..len * size]))?;
                    continue;
                }
                let elements = runs.start * run + part..(runs.end - 1) * run + part + len;
                let bytes = self.read(elements.clone(), &mut read)?;
                if conversions.is_empty() {
                    visit(offsets, len, Source::Runs(bytes))?;
                    continue;
                }
                let numel = elements.len();
                let to = allocation::bytes_of(&mut converted, numel * size)?;
                conversions.apply_all(numel, bytes, to, &mut between);
                visit(offsets, len, Source::Runs(to))?;
            }
        }
        Ok(())
    }

    /// Visits the positions of some runs at a time, and the elements of each. Runs that are long are visited in parts.
    pub(super) fn each_place(&self, visit: &mut dyn FnMut(&[isize], usize) -> Result) -> Result {
        self.each(&Conversions::default(), self.size, &mut |offsets, len, _| visit(offsets, len))
    }

    /// The number of elements of all runs.
    pub(super) fn numel(&self) -> usize {
        let (count, run) = self.found.runs_of();
        count.saturating_mul(run)
    }

    /// The elements `range` of the tensor that is written.
    fn read<'b>(&'b self, range: Range<usize>, buffer: &'b mut Vec<Line>) -> Result<&'b [u8]> {
        let From::Tensor(input) = *self.from else { return Ok(&[]) };
        let Some(input) = self.inputs.get(input) else { return Ok(&[]) };
        match input.contiguous(range.clone()) {
            Some(bytes) => Ok(bytes),
            None => {
                let bytes = allocation::bytes_of(buffer, range.len() * input.size())?;
                input.gather(range, bytes);
                Ok(bytes)
            }
        }
    }
}
