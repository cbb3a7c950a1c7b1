//! Runs of elements anywhere in a tensor.

use crate::Bound;
use crate::views::block::Line;
use crate::views::instructions::for_wide_instructions;
use crate::views::runs::prefetch;

/// The position of a run that is passed over.
pub(super) const SKIPPED: isize = isize::MIN;

/// A tensor of which runs are read or written, each from an element on.
#[derive(Clone, Copy)]
pub(super) struct Table {
    /// The element from which positions are counted.
    first: *mut u8,
    /// Bytes of an element.
    size: usize,
    /// Bytes of a run.
    run: usize,
    /// The positions at which runs may begin, from the lowest to the highest one.
    lowest: isize,
    highest: isize,
}

// SAFETY: it is a part of a `Bound`, which is both.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Table {
    /// Runs of so many elements of a tensor.
    pub(super) fn new(tensor: &Bound<'_>, run: usize) -> Self {
        let (low, origin, span) = tensor.bytes_of_view();
        Self::of(low, origin, span, tensor.size(), run * tensor.size())
    }

    /// Runs of `run` bytes in memory of `span` bytes, whose elements, of `size` bytes, are counted from the one at `origin`.
    pub(super) fn of(low: *mut u8, origin: usize, span: usize, size: usize, run: usize) -> Self {
        let (first, size) = (low.wrapping_add(origin), size.max(1));
        let behind = span as isize - run as isize - origin as isize;
        let (lowest, highest) = (-((origin / size) as isize), behind.div_euclid(size as isize));
        Self { first, size, run, lowest, highest }
    }

    /// Returns whether all runs that are not passed over lie in the tensor.
    pub(super) fn holds(&self, offsets: &[isize]) -> bool {
        lie_between(offsets, self.lowest, self.highest)
    }

    fn at(&self, offset: isize) -> *mut u8 {
        self.first.wrapping_offset(offset.wrapping_mul(self.size as isize))
    }

    /// Asks for so many elements from a position on, unless they have more bytes than `most`.
    pub(super) fn prefetch(&self, offset: isize, count: usize, most: usize) {
        let bytes = Some(count.saturating_mul(self.size)).filter(|bytes| *bytes <= most).unwrap_or(0);
        for line in (0..bytes).step_by(Line::SIZE) {
            prefetch(self.at(offset).wrapping_add(line), false);
        }
    }

    /// Copies runs to a buffer. Returns whether all that are not passed over were there; otherwise none is copied.
    pub(super) fn gather(&self, offsets: &[isize], to: &mut [u8]) -> bool {
        let by: unsafe fn(&Self, &[isize], &mut [u8]) = match self.run {
            1 => Self::gather_sized::<1>,
            2 => Self::gather_sized::<2>,
            4 => Self::gather_sized::<4>,
            8 => Self::gather_sized::<8>,
            16 => Self::gather_sized::<16>,
            _ => Self::gather_any,
        };
        let are_there = self.holds(offsets);
        if are_there {
            // SAFETY: the runs lie in the tensor, whose memory `bind` checked.
            unsafe { by(self, offsets, to) };
        }
        are_there
    }

    /// # Safety
    /// The tensor holds the runs, of `N` bytes.
    unsafe fn gather_sized<const N: usize>(&self, offsets: &[isize], to: &mut [u8]) {
        let (places, _) = to.as_chunks_mut::<N>();
        for (offset, to) in offsets.iter().zip(places).filter(|(offset, _)| **offset != SKIPPED) {
            // SAFETY: the contract of this function; bytes have no alignment.
            *to = unsafe { self.at(*offset).cast::<[u8; N]>().read() };
        }
    }

    /// # Safety
    /// The tensor holds the runs.
    unsafe fn gather_any(&self, offsets: &[isize], to: &mut [u8]) {
        let places = to.chunks_exact_mut(self.run.max(1));
        for (offset, to) in offsets.iter().zip(places).filter(|(offset, _)| **offset != SKIPPED) {
            // SAFETY: the contract of this function; `to` is as long, and the caller's alone.
            unsafe { to.as_mut_ptr().copy_from(self.at(*offset), self.run) };
        }
    }

    /// Copies to runs. Returns whether all that are not passed over were there; otherwise none is written.
    ///
    /// # Safety
    /// Nobody else reads or writes these elements.
    pub(super) unsafe fn scatter(&self, offsets: &[isize], from: Source<'_>) -> bool {
        let by: unsafe fn(&Self, &[isize], Source<'_>) = match self.run {
            1 => Self::scatter_sized::<1>,
            2 => Self::scatter_sized::<2>,
            4 => Self::scatter_sized::<4>,
            8 => Self::scatter_sized::<8>,
            16 => Self::scatter_sized::<16>,
            _ => Self::scatter_any,
        };
        let are_there = from.has(offsets.len(), self.run) && self.holds(offsets);
        if are_there {
            // SAFETY: the tensor and the source have the runs, which are the caller's alone.
            unsafe { by(self, offsets, from) };
        }
        are_there
    }

    /// # Safety
    /// As for [`Table::scatter`]; the tensor and the source have the runs, of `N` bytes.
    unsafe fn scatter_sized<const N: usize>(&self, offsets: &[isize], from: Source<'_>) {
        let (from, step) = from.steps(N);
        for (number, offset) in offsets.iter().enumerate().filter(|(_, offset)| **offset != SKIPPED) {
            let from = from.wrapping_add(number * step).cast::<[u8; N]>();
            // SAFETY: the contract of this function; bytes have no alignment.
            unsafe { self.at(*offset).cast::<[u8; N]>().write(from.read()) };
        }
    }

    /// # Safety
    /// As for [`Table::scatter`]; the tensor and the source have the runs.
    unsafe fn scatter_any(&self, offsets: &[isize], from: Source<'_>) {
        let (from, step) = from.steps(self.run);
        for (number, offset) in offsets.iter().enumerate().filter(|(_, offset)| **offset != SKIPPED) {
            // SAFETY: the contract of this function.
            unsafe { self.at(*offset).copy_from(from.wrapping_add(number * step), self.run) };
        }
    }
}

for_wide_instructions! {
    /// Returns whether all positions that are not passed over are from the lowest to the highest. It is computed without
    /// branches.
    fn lie_between(offsets: &[isize], lowest: isize, highest: isize) -> bool {
        let signs = offsets.iter().fold(0, |signs, offset| {
            let counts = isize::from(*offset == SKIPPED) - 1;
            signs | (offset.wrapping_sub(lowest) | highest.wrapping_sub(*offset)) & counts
        });
        signs >= 0
    }
}

/// The elements that are written to runs.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Runs, one after the other.
    Runs(&'a [u8]),
    /// One run for all.
    Same(&'a [u8]),
}

impl<'a> Source<'a> {
    /// The first run, and the distance from one run to the next, where a run has this length.
    pub(super) fn steps(self, run: usize) -> (*const u8, usize) {
        match self {
            Source::Runs(runs) => (runs.as_ptr(), run),
            Source::Same(run) => (run.as_ptr(), 0),
        }
    }

    /// Returns whether there are so many runs of so many bytes.
    pub(super) fn has(self, count: usize, run: usize) -> bool {
        match self {
            Source::Runs(runs) => runs.len() >= count * run,
            Source::Same(same) => same.len() >= run,
        }
    }

    /// Element `step` of run `number`, where a run has `len` elements, of `size` bytes.
    pub(super) fn element(self, number: usize, step: usize, len: usize, size: usize) -> &'a [u8] {
        let (bytes, element) = match self {
            Source::Runs(runs) => (runs, number * len + step),
            Source::Same(run) => (run, step),
        };
        bytes.get(element * size..(element + 1) * size).unwrap_or_default()
    }
}
