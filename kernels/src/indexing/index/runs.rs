//! Runs of elements anywhere in a tensor.

use super::positions::SKIPPED;
use crate::Bound;

/// A tensor of which runs are read or written, each from an element on.
#[derive(Clone, Copy)]
pub(super) struct Table {
    low: *mut u8,
    /// The bytes from `low` to the first element.
    origin: isize,
    /// Bytes of an element.
    size: isize,
    /// The bytes of a run, and the last byte from `low` on at which one may begin; none may if it is negative.
    run: usize,
    last: isize,
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
        Self { low, origin: origin as isize, size: size as isize, run, last: span as isize - run as isize }
    }

    /// The bytes of the run that begins at element `offset`; `None` if it is not one of the tensor.
    pub(super) fn at(&self, offset: isize) -> Option<*mut u8> {
        let begin = offset.wrapping_mul(self.size).wrapping_add(self.origin);
        (0..=self.last).contains(&begin).then(|| self.low.wrapping_offset(begin))
    }

    /// Copies runs to a buffer. Returns whether all that are not passed over were there.
    pub(super) fn gather(&self, offsets: &[isize], to: &mut [u8]) -> bool {
        match self.run {
            1 => self.gather_sized::<1>(offsets, to),
            2 => self.gather_sized::<2>(offsets, to),
            4 => self.gather_sized::<4>(offsets, to),
            8 => self.gather_sized::<8>(offsets, to),
            16 => self.gather_sized::<16>(offsets, to),
            _ => {
                let mut places = offsets.iter().zip(to.chunks_exact_mut(self.run.max(1)));
                places.all(|(offset, to)| {
                    if *offset == SKIPPED {
                        return true;
                    }
                    let from = self.at(*offset);
                    // SAFETY: a run of the tensor, whose memory `bind` checked; `to` is as long, and the caller's alone.
                    from.inspect(|from| unsafe { to.as_mut_ptr().copy_from(*from, self.run) }).is_some()
                })
            }
        }
    }

    fn gather_sized<const N: usize>(&self, offsets: &[isize], to: &mut [u8]) -> bool {
        let (places, _) = to.as_chunks_mut::<N>();
        offsets.iter().zip(places).all(|(offset, to)| {
            if *offset == SKIPPED {
                return true;
            }
            // SAFETY: as for `gather`; bytes have no alignment.
            self.at(*offset).inspect(|from| *to = unsafe { from.cast::<[u8; N]>().read() }).is_some()
        })
    }

    /// Copies runs from a buffer, or one element to every element of the runs. Returns whether all that are not passed over
    /// were there.
    ///
    /// # Safety
    /// Nobody else reads or writes these elements.
    pub(super) unsafe fn scatter(&self, offsets: &[isize], from: Source<'_>) -> bool {
        let all = |write: &mut dyn FnMut(usize, *mut u8)| {
            offsets
                .iter()
                .enumerate()
                .filter(|(_, offset)| **offset != SKIPPED)
                .all(|(number, offset)| self.at(*offset).inspect(|to| write(number, *to)).is_some())
        };
        match from {
            Source::Runs(bytes) => match self.run {
                // SAFETY: the contract of this function.
                1 => unsafe { self.scatter_sized::<1>(offsets, bytes) },
                // SAFETY: as above.
                2 => unsafe { self.scatter_sized::<2>(offsets, bytes) },
                // SAFETY: as above.
                4 => unsafe { self.scatter_sized::<4>(offsets, bytes) },
                // SAFETY: as above.
                8 => unsafe { self.scatter_sized::<8>(offsets, bytes) },
                // SAFETY: as above.
                16 => unsafe { self.scatter_sized::<16>(offsets, bytes) },
                run => all(&mut |number, to| {
                    if let Some(from) = bytes.get(number * run..(number + 1) * run) {
                        // SAFETY: a run of the tensor, which is the caller's alone; `from` is as long.
                        unsafe { to.copy_from(from.as_ptr(), run) };
                    }
                }),
            },
            Source::Element(element) => all(&mut |_, to| {
                for place in (0..self.run).step_by(element.len().max(1)) {
                    // SAFETY: an element of the run; the run is the caller's alone.
                    unsafe { to.add(place).copy_from(element.as_ptr(), element.len()) };
                }
            }),
        }
    }

    /// # Safety
    /// As for [`Table::scatter`].
    unsafe fn scatter_sized<const N: usize>(&self, offsets: &[isize], from: &[u8]) -> bool {
        let (elements, _) = from.as_chunks::<N>();
        offsets.iter().zip(elements).filter(|(offset, _)| **offset != SKIPPED).all(|(offset, from)| {
            // SAFETY: a run of the tensor, which is the caller's alone; bytes have no alignment.
            self.at(*offset).inspect(|to| unsafe { to.cast::<[u8; N]>().write(*from) }).is_some()
        })
    }
}

/// What is written to runs.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    /// Runs, one after the other.
    Runs(&'a [u8]),
    /// One element.
    Element(&'a [u8]),
}

impl<'a> Source<'a> {
    /// Element `number`, of so many bytes.
    pub(super) fn element(self, number: usize, size: usize) -> &'a [u8] {
        match self {
            Source::Runs(runs) => runs.get(number * size..(number + 1) * size).unwrap_or_default(),
            Source::Element(element) => element,
        }
    }
}
