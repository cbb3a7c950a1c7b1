//! The elements of a table, read and written at any position.

use std::marker::PhantomData;

use super::blocks::TOGETHER;
use super::loops::Loop;
use super::positions::outside;
use super::runs::{Source, Table};
use crate::Bound;
use crate::views::failure::Result;

/// Places for elements, which one launch alone reads and writes. Positions are counted from one of them.
pub(super) struct Memory<'a> {
    low: *mut u8,
    /// The number of the place from which positions are counted.
    first: usize,
    places: usize,
    /// Bytes of an element.
    size: usize,
    memory: PhantomData<&'a mut [u8]>,
}

impl<'a> Memory<'a> {
    /// The elements of a tensor, which no other operand of the launch shares.
    pub(super) fn of(tensor: &Bound<'a>) -> Self {
        let (low, origin, span) = tensor.bytes_of_view();
        let size = tensor.size().max(1);
        Self { low, first: origin / size, places: span / size, size, memory: PhantomData }
    }

    /// As many places for elements of another size.
    pub(super) fn beside<'b>(&self, bytes: &'b mut [u8], size: usize) -> Memory<'b> {
        let places = self.places.min(bytes.len() / size.max(1));
        Memory { low: bytes.as_mut_ptr(), first: self.first, places, size, memory: PhantomData }
    }

    pub(super) fn places(&self) -> usize {
        self.places
    }

    /// Bytes of an element.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Visits all places in order, a piece at a time: the position of its first one, and how many they are.
    pub(super) fn each_piece(&self, visit: &mut dyn FnMut(&[isize], usize) -> Result) -> Result {
        let mut firsts = (0..self.places).step_by(TOGETHER);
        firsts.try_for_each(|first| visit(&[self.offset(first)], TOGETHER.min(self.places - first)))
    }

    /// The number of the place at a position.
    pub(super) fn place(&self, offset: isize) -> Option<usize> {
        self.first.checked_add_signed(offset).filter(|place| *place < self.places)
    }

    /// The position of a place.
    pub(super) fn offset(&self, place: usize) -> isize {
        place as isize - self.first as isize
    }

    /// Returns the memory of a run.
    fn run(&self, offset: isize, len: usize) -> Result<*mut u8> {
        let place = self.first.checked_add_signed(offset).ok_or_else(outside)?;
        let end = place.checked_add(len).filter(|end| *end <= self.places);
        end.map(|_| self.low.wrapping_add(place * self.size)).ok_or_else(outside)
    }

    pub(super) fn read(&self, offset: isize, to: &mut [u8]) -> Result {
        let from = self.run(offset, to.len() / self.size)?;
        // SAFETY: the elements lie in this memory, and `to` is as long and elsewhere.
        unsafe { to.as_mut_ptr().copy_from_nonoverlapping(from, to.len()) };
        Ok(())
    }

    pub(super) fn write(&self, offset: isize, from: &[u8]) -> Result {
        let to = self.run(offset, from.len() / self.size)?;
        // SAFETY: as for `read`.
        unsafe { to.copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(())
    }

    /// Runs of so many elements.
    pub(super) fn runs(&self, len: usize) -> Table {
        let run = len * self.size;
        Table::of(self.low, self.first * self.size, self.places * self.size, self.size, run)
    }

    /// Combines runs with something, in the order of the runs.
    pub(super) fn combine(&self, by: Loop, offsets: &[isize], len: usize, with: Source<'_>) -> Result {
        if !with.has(offsets.len(), len * self.size) || !self.runs(len).holds(offsets) {
            return Err(outside());
        }
        let first = self.low.wrapping_add(self.first * self.size);
        // SAFETY: every run lies in this memory, and what it is combined with is as long, as was checked.
        unsafe { by(first, offsets, len, with) };
        Ok(())
    }
}
