//! Elements of device memory, or copies of them, where they lie.

use std::ops::Range;

use smallvec::SmallVec;

use crate::views::allocation;
use crate::views::block::Line;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::memory::Memory;
use crate::views::past_caches;
use crate::views::runs::{self, Plane, Side};
use crate::views::span;
use crate::views::view::View;

/// A view with the addresses of its memory.
#[derive(Clone, Copy)]
pub struct Bound<'a> {
    view: &'a View,
    /// Where the bytes from `View::low` on are for the host, or where [`Place`] says.
    low: *mut u8,
    /// Where they are for the device.
    address: usize,
    place: Place,
}

/// Where the elements lie.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// By the strides of the view.
    Strided,
    /// Element number 0 at `low`, and each of the others so many elements behind the one before it.
    Run(isize),
    /// As a run whose elements follow each other, aligned.
    Dense,
}

/// The operands of a stage.
pub(crate) type Operands<'a> = SmallVec<[Bound<'a>; 4]>;

/// Copies of the elements of operands, for those that were copied.
pub(crate) type Copies = SmallVec<[Option<Vec<u8>>; 4]>;

/// Reads the operands for which `is_changed` holds completely, before anything is written.
pub(crate) fn copies(operands: &[Bound<'_>], is_changed: &dyn Fn(&Bound<'_>) -> bool) -> Result<Copies> {
    let mut copies = Copies::new();
    for operand in operands {
        copies.push(is_changed(operand).then(|| operand.copy()).transpose()?);
    }
    Ok(copies)
}

/// The operands, each of which is read from its copy if it has one.
pub(crate) fn with_copies<'a>(operands: &[Bound<'a>], copies: &'a Copies) -> Operands<'a> {
    let mut all = Operands::from_slice(operands);
    for (operand, copy) in all.iter_mut().zip(copies) {
        if let Some(copy) = copy {
            *operand = operand.copied(0, copy);
        }
    }
    all
}

// SAFETY: the bytes are device memory, checked by `bind` to be allocated and never unmapped, or a copy that outlives
// the value. As on a device, the program orders the work that writes them.
unsafe impl Send for Bound<'_> {}
// SAFETY: as above.
unsafe impl Sync for Bound<'_> {}

#[cold]
fn no_memory(address: usize) -> Failure {
    Failure::new(Cause::AiCore, format_args!("the address {address:#x} is no memory"))
}

/// Fills bytes with copies of an element, each time with as many as there are already.
fn repeat(element: &[u8], to: &mut [u8]) {
    let mut done = element.len().min(to.len());
    to[..done].copy_from_slice(&element[..done]);
    while done < to.len() {
        let more = done.min(to.len() - done);
        to.copy_within(..more, done);
        done += more;
    }
}

impl<'a> Bound<'a> {
    /// The elements of `view`, when its storage begins at `address`.
    ///
    /// # Safety
    /// The bytes that `memory` finds are there, and as long as they are used, nothing but this work writes them: the program
    /// orders the work of streams and threads that use the same memory, as the interface of CANN asks.
    pub(crate) unsafe fn bind<M: Memory>(
        view: &'a View,
        address: usize,
        memory: &mut M,
    ) -> std::result::Result<Self, M::Failure> {
        if view.span == 0 {
            return Ok(Bound { view, low: std::ptr::dangling_mut(), address: 0, place: Place::Strided });
        }
        let address = address.checked_add(view.low).ok_or_else(|| no_memory(address))?;
        let low = memory.bytes(address, view.span)?;
        Ok(Bound { view, low, address, place: Place::Strided })
    }

    /// The elements of a dense `view`, in a buffer.
    pub(crate) fn on_host(view: &'a View, buffer: &'a mut [u8]) -> Self {
        let low = buffer.as_mut_ptr();
        Bound { view, low, address: low.addr(), place: Place::Strided }
    }

    /// A view without memory, for `bind_again`.
    pub(crate) fn unbound(view: &'a View, place: Place) -> Self {
        Bound { view, low: std::ptr::dangling_mut(), address: 0, place }
    }

    /// Binds a view that is not empty, whose elements lie as it was said of the one before.
    ///
    /// # Safety
    /// As for `bind`.
    #[inline]
    pub(crate) unsafe fn bind_again<M: Memory>(
        &mut self,
        view: &'a View,
        address: usize,
        memory: &mut M,
    ) -> std::result::Result<(), M::Failure> {
        let address = address.checked_add(view.low).ok_or_else(|| no_memory(address))?;
        self.low = memory.bytes(address, view.span)?;
        (self.view, self.address) = (view, address);
        if matches!(self.place, Place::Run(1)) && self.aligns(self.low) {
            self.place = Place::Dense;
        }
        Ok(())
    }

    pub fn numel(&self) -> usize {
        self.view.walk.numel()
    }

    /// Returns the size of an element in bytes.
    pub fn size(&self) -> usize {
        self.view.size
    }

    /// Returns whether writing `output` in order could change elements of `self` that are still to be read.
    pub fn conflicts_with(&self, output: &Bound<'_>) -> bool {
        let (a, b) = (self, output);
        let same = a.address == b.address
            && a.view.origin == b.view.origin
            && a.view.size == b.view.size
            && a.view.strides == b.view.strides
            // A packed operand has fewer.
            && a.numel() == b.numel();
        !same && a.overlaps(b)
    }

    /// Returns whether `self` and `other` have bytes in common.
    #[inline]
    pub fn overlaps(&self, other: &Bound<'_>) -> bool {
        let (a, b) = (self, other);
        let disjoint = a.address >= b.address + b.view.span || b.address >= a.address + a.view.span;
        !disjoint && a.view.span > 0 && b.view.span > 0
    }

    /// Returns the device's address of the first byte of the view.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Returns the bytes from the first byte of the view to the last.
    pub fn span(&self) -> usize {
        self.view.span
    }

    /// Returns whether the elements lie in device memory by the strides of the view.
    pub(crate) fn is_strided(&self) -> bool {
        matches!(self.place, Place::Strided)
    }

    /// The bytes from the lowest to the highest element: where they begin, how far behind that the first element lies, and how
    /// many they are. Elements may lie apart from each other, with bytes of other tensors between them.
    pub(crate) fn bytes_of_view(&self) -> (*mut u8, usize, usize) {
        debug_assert!(self.is_strided(), "copies have no layout");
        (self.low, self.view.origin, self.view.span)
    }

    /// Returns whether no two elements share memory, as far as the strides tell.
    pub(crate) fn lies_apart(&self) -> bool {
        span::lies_apart(self.view.shape(), self.view.strides())
    }

    /// Returns the elements, one after the other.
    pub fn copy(&self) -> Result<Vec<u8>> {
        let mut bytes = allocation::zeros(self.numel().saturating_mul(self.size()))?;
        self.gather(0..self.numel(), &mut bytes);
        Ok(bytes)
    }

    /// Returns the elements from number `first` on, read from a copy of them.
    pub fn copied(&self, first: usize, copy: &'a [u8]) -> Bound<'a> {
        let low = copy.as_ptr().cast_mut().wrapping_sub(first * self.size());
        Bound { low, address: 0, place: Place::Run(1), ..*self }
    }

    /// The elements, written to a buffer.
    pub(crate) fn copied_mut<'b>(&self, buffer: &'b mut [u8]) -> Bound<'b>
    where
        'a: 'b,
    {
        Bound { low: buffer.as_mut_ptr(), address: 0, place: Place::Run(1), ..*self }
    }

    /// The elements from number `first` on as a run: `offset` is that of the first one in the view, `stride` the distance
    /// between two.
    pub(crate) fn run(&self, first: usize, offset: isize, stride: isize) -> Bound<'a> {
        let low = self.at(offset.wrapping_sub(stride.wrapping_mul(first as isize)));
        Bound { low, place: Place::Run(stride), ..*self }
    }

    /// Returns whether every run of `len` elements, from the first one on, is the same memory as the run before it.
    pub(crate) fn repeats(&self, len: usize) -> bool {
        let axes = self.view.shape().iter().zip(self.view.strides());
        let own = axes.skip_while(|(size, stride)| **size == 1 || **stride == 0);
        matches!(self.place, Place::Strided) && len.is_multiple_of(own.map(|(size, _)| *size).product())
    }

    /// Returns the element that all elements are equal to, aligned, if it is known that they are equal.
    #[inline]
    pub fn repeated(&self) -> Option<&'a [u8]> {
        let is_one = match self.place {
            Place::Run(stride) => stride == 0,
            // All elements begin at the only one.
            Place::Strided => self.view.span == self.size(),
            Place::Dense => false,
        };
        // SAFETY: `bind` checked the whole span, of which this is an element, and its caller vouches that nothing else writes
        // it.
        (is_one && self.aligns(self.low))
            .then(|| unsafe { std::slice::from_raw_parts(self.low, self.size()) })
    }

    /// Returns the elements `range` as they lie in memory, when they lie one after the other and aligned.
    #[inline]
    pub fn contiguous(&self, range: Range<usize>) -> Option<&'a [u8]> {
        let bytes = range.len() * self.size();
        // SAFETY: `bind` checked the whole span, and its caller vouches that nothing else writes the elements.
        self.start_of(range).map(|start| unsafe { std::slice::from_raw_parts(start, bytes) })
    }

    /// Returns the elements `range` to be written as they lie in memory, when they lie one after the other and aligned.
    ///
    /// # Safety
    /// As long as the slice lives, nothing else reads or writes these elements.
    #[inline]
    pub unsafe fn contiguous_mut(&self, range: Range<usize>) -> Option<&'a mut [u8]> {
        let bytes = range.len() * self.size();
        // SAFETY: as for `contiguous`, and nothing else has a reference by the contract.
        self.start_of(range).map(|start| unsafe { std::slice::from_raw_parts_mut(start, bytes) })
    }

    /// Where the elements `range` lie one after the other, aligned.
    #[inline]
    pub(crate) fn start_of(&self, range: Range<usize>) -> Option<*mut u8> {
        let start = match self.place {
            Place::Dense => return Some(self.low.wrapping_add(range.start * self.size())),
            Place::Run(stride) => {
                (stride == 1 || range.len() == 1).then(|| self.of_run(range.start, stride))?
            }
            Place::Strided => self.start_in_walk(range)?,
        };
        self.aligns(start).then_some(start)
    }

    /// Where the elements `range` lie one after the other.
    fn start_in_walk(&self, range: Range<usize>) -> Option<*mut u8> {
        let walk = &self.view.walk;
        let is_run = walk.is_single_run() || range.start % walk.inner_len() + range.len() <= walk.inner_len();
        let is_in_order = walk.inner_strides() == [1] || range.len() == 1;
        let [offset] = (is_run && is_in_order).then(|| walk.offsets_at(range.start))?;
        Some(self.at(offset))
    }

    /// Returns whether a place is aligned for an element, whose size is a power of two.
    #[inline]
    fn aligns(&self, place: *const u8) -> bool {
        place.addr() & (self.size().clamp(1, 8) - 1) == 0
    }

    /// The element at an offset from the first one of the view; from element number 0 of a copy.
    #[inline]
    fn at(&self, offset: isize) -> *mut u8 {
        let first = if self.is_strided() { self.low.wrapping_add(self.view.origin) } else { self.low };
        first.wrapping_offset(offset.wrapping_mul(self.size() as isize))
    }

    /// Element `number` of a run.
    #[inline]
    fn of_run(&self, number: usize, stride: isize) -> *mut u8 {
        self.at(stride.wrapping_mul(number as isize))
    }

    /// Copies the elements `range` into `to`.
    pub fn gather(&self, range: Range<usize>, to: &mut [u8]) {
        if let Some(bytes) = self.contiguous(range.clone()) {
            to.copy_from_slice(bytes);
            return;
        }
        if let Some(one) = self.repeated() {
            return repeat(one, to);
        }
        let (size, mut to) = (self.size(), to);
        self.for_each_plane(range, |from, counts| {
            let bytes = counts[0] * counts[1] * size;
            let Some((rows, rest)) = std::mem::take(&mut to).split_at_mut_checked(bytes) else { return };
            to = rest;
            let dense = Plane { first: rows.as_mut_ptr(), down: counts[1] as isize, across: 1 };
            // SAFETY: every element of the walk lies in the span that `bind` checked; `rows` is on the host.
            unsafe { runs::copy_plane(from.cast_const(), dense, counts, size) };
        });
    }

    /// Writes `from` to the elements `range`.
    pub fn scatter(&self, range: Range<usize>, from: &[u8]) {
        let (size, mut from) = (self.size(), from);
        self.for_each_plane(range, |to, counts| {
            let Some((rows, rest)) = from.split_at_checked(counts[0] * counts[1] * size) else { return };
            from = rest;
            let dense = Plane { first: rows.as_ptr(), down: counts[1] as isize, across: 1 };
            // SAFETY: every element of the walk lies in the span that `bind` checked; `rows` is a block on the host.
            unsafe { runs::copy_plane(dense, to, counts, size) };
        });
    }

    /// Visits a range in order, as planes of so many rows and columns.
    fn for_each_plane(&self, range: Range<usize>, mut visit: impl FnMut(Plane<*mut u8>, [usize; 2])) {
        let walk = &self.view.walk;
        let (columns, (rows, [down])) = (walk.inner_len(), walk.axis_of_runs().unwrap_or((1, [0])));
        let run = |stride| Plane { first: self.of_run(range.start, stride), down: 0, across: stride };
        let across = match self.place {
            Place::Run(stride) => return visit(run(stride), [1, range.len()]),
            Place::Dense => return visit(run(1), [1, range.len()]),
            Place::Strided => walk.inner_strides()[0],
        };
        let mut begin = range.start;
        while begin < range.end {
            let [offset] = walk.offsets_at(begin);
            let counts = runs::whole_rows(begin..range.end, rows, columns);
            visit(self.plane(offset, [down, across]), counts);
            begin += counts[0] * counts[1];
        }
    }

    /// A plane whose first element is at `offset`; `strides` are the distances downwards and to the right.
    fn plane(&self, offset: isize, [down, across]: [isize; 2]) -> Plane<*mut u8> {
        Plane { first: self.at(offset), down, across }
    }

    /// A plane whose first element is at `offset`.
    pub(crate) fn side(&self, offset: isize, strides: [isize; 2]) -> Side<*mut u8> {
        Side { plane: self.plane(offset, strides), size: self.size() }
    }

    /// Returns whether every element lies at a multiple of its size.
    pub(crate) fn is_aligned(&self) -> bool {
        self.aligns(self.at(0))
    }

    /// The rows of a plane of the view as they lie in memory, when the elements of each lie one after the other and aligned.
    pub(crate) fn rows(
        &self,
        offset: isize,
        [down, across]: [isize; 2],
        [rows, columns]: [usize; 2],
    ) -> Option<impl Iterator<Item = &'a [u8]> + use<'a>> {
        let (first, size) = (self.at(offset).cast_const(), self.size());
        let row = move |row: usize| {
            let first = first.wrapping_offset((row as isize).wrapping_mul(down).wrapping_mul(size as isize));
            // SAFETY: the row is a part of the walk, which lies in the span that `bind` checked; the program orders the work
            // that writes it.
            unsafe { std::slice::from_raw_parts(first, columns * size) }
        };
        let is_aligned = first.addr().is_multiple_of(size.clamp(1, 8));
        (across == 1 && is_aligned).then(|| (0..rows).map(row))
    }

    /// Copies rows and columns of a plane of the view into `to`, row by row.
    pub(crate) fn gather_plane(&self, offset: isize, strides: [isize; 2], counts: [usize; 2], to: &mut [u8]) {
        if to.len() < counts[0] * counts[1] * self.size() {
            return debug_assert!(false, "a tile has room");
        }
        let from = self.plane(offset, strides).cast_const();
        let to = Plane { first: to.as_mut_ptr(), down: counts[1] as isize, across: 1 };
        // SAFETY: the plane is a part of the walk, which lies in the span that `bind` checked; `to` has room.
        unsafe { runs::copy_plane(from, to, counts, self.size()) };
    }

    /// Writes `from` to rows and columns of a plane of the view, past the caches where `streams` says so.
    pub(crate) fn scatter_plane(
        &self,
        offset: isize,
        strides: [isize; 2],
        counts: [usize; 2],
        from: &[u8],
        streams: bool,
    ) {
        let (to, [rows, columns]) = (self.plane(offset, strides), counts);
        let row_bytes = columns * self.size();
        if from.len() < rows * row_bytes {
            return debug_assert!(false, "a tile is whole");
        }
        if streams && to.across == 1 {
            for (row, from) in from.chunks_exact(row_bytes.max(1)).take(rows).enumerate() {
                let first = to.first.wrapping_offset(row as isize * to.down * self.size() as isize);
                // SAFETY: the row is a part of the walk, and this thread alone writes it.
                past_caches::copy(from, unsafe { std::slice::from_raw_parts_mut(first, row_bytes) });
            }
            return;
        }
        let from = Plane { first: from.as_ptr(), down: columns as isize, across: 1 };
        // SAFETY: the plane is a part of the walk, which lies in the span that `bind` checked; `from` is on the host.
        unsafe { runs::copy_plane(from, to, counts, self.size()) };
    }

    /// Asks for the cache lines of a plane, which no processor foresees where they are far from each other; for the second-level
    /// cache where they are needed `later`.
    pub(crate) fn prefetch_plane(
        &self,
        offset: isize,
        strides: [isize; 2],
        [rows, columns]: [usize; 2],
        later: bool,
    ) {
        if !self.is_strided() {
            return;
        }
        let (runs, len, stride) = match strides {
            [down, 1] => (rows, columns, down),
            [1, across] => (columns, rows, across),
            _ => return,
        };
        for run in 0..runs as isize {
            let first = self.at(offset.wrapping_add(run.wrapping_mul(stride)));
            for byte in (0..len * self.size()).step_by(Line::SIZE) {
                runs::prefetch(first.wrapping_add(byte), later);
            }
        }
    }
}
