//! Elements of device memory seen through shape, strides and offset.

use std::ops::Range;

use aclnn_numerics::DType;
use aclnn_numerics::layout::Walk;
use aclnn_sys::{ACL_ERROR_RT_AICORE_EXCEPTION, ACLNN_ERR_INNER_NULLPTR};
use smallvec::SmallVec;

use super::runs::{self, Run};
use super::size_of_dtype;
use crate::check::span::Span;
use crate::runtime::memory::Lookup;
use crate::status::{Result, Status};

/// Bytes that the caches of a processor hold together.
pub(super) const LINE: usize = 64;

/// A layout over some storage whose address is known only at the launch.
pub(crate) struct View {
    walk: Walk<1>,
    strides: SmallVec<[isize; 8]>,
    /// Bytes of an element.
    size: usize,
    /// The lowest byte that the view touches, counted from the start of the storage.
    low: usize,
    /// Bytes from the lowest to the highest element, inclusive; 0 when the view is empty.
    span: usize,
    /// The byte of the first element, counted from `low`.
    origin: usize,
    /// The bytes of the view, counted from the start of the storage.
    touched: Span,
}

impl View {
    /// `strides` and `offset` are in elements; a stride of 0 repeats an element along its axis.
    pub(crate) fn new(dtype: DType, shape: &[usize], strides: &[isize], offset: i64) -> Result<Self> {
        let size = size_of_dtype(dtype);
        let walk = Walk::new(shape, [strides]);
        let strides = SmallVec::from_slice(strides);
        if shape.contains(&0) {
            return Ok(Self { walk, strides, size, low: 0, span: 0, origin: 0, touched: Span::dense(0, 0) });
        }
        let reach = |wanted: fn(isize) -> bool| {
            shape.iter().zip(&strides).filter(|(_, stride)| wanted(**stride)).try_fold(
                0_i64,
                |sum, (count, stride)| {
                    let steps = i64::try_from(count - 1).ok()?;
                    sum.checked_add(steps.checked_mul(*stride as i64)?)
                },
            )
        };
        let bytes = || -> Option<(usize, usize, usize)> {
            let low = offset.checked_add(reach(|stride| stride < 0)?)?;
            let high = offset.checked_add(reach(|stride| stride > 0)?)?;
            let in_bytes = |elements: i64| usize::try_from(elements).ok()?.checked_mul(size);
            Some((in_bytes(low)?, in_bytes(high.checked_sub(low)?.checked_add(1)?)?, in_bytes(offset - low)?))
        };
        let (low, span, origin) = bytes().ok_or_else(|| {
            Status::new(
                ACLNN_ERR_INNER_NULLPTR,
                format_args!("the view reaches before its storage or beyond any memory (offset {offset}, strides {strides:?})"),
            )
        })?;
        let touched = Span::of_view(low, size, shape, &strides);
        Ok(Self { walk, strides, size, low, span, origin, touched })
    }

    /// The bytes that `numel` elements of less than a byte fill, one after the other from element `offset` on.
    pub(crate) fn packed(dtype: DType, numel: usize, offset: i64) -> Result<Self> {
        let together = (8 / dtype.bits().clamp(1, 8)) as i64;
        if offset % together != 0 {
            return Err(Status::new(
                ACLNN_ERR_INNER_NULLPTR,
                format_args!("the view begins at element {offset} of {dtype}, within a byte"),
            ));
        }
        Self::new(DType::U8, &[numel.div_ceil(together as usize)], &[1], offset / together)
    }

    /// Bytes of an element.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Elements from one to the next along each axis.
    pub(crate) fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The address of the first element, when the storage begins at `address`.
    pub(crate) fn first_at(&self, address: usize) -> usize {
        address.wrapping_add(self.low).wrapping_add(self.origin)
    }

    pub(crate) fn numel(&self) -> usize {
        self.walk.numel()
    }

    /// Elements of a whole run, within which neighbours are at one distance.
    pub(crate) fn run_len(&self) -> usize {
        self.walk.inner_len()
    }

    /// The rows and columns of each plane, when neighbours of a column are neighbours in memory and those of a row are far
    /// from each other.
    pub(super) fn transposed(&self) -> Option<(usize, usize)> {
        /// Fewer elements stay in the first-level cache, whatever their order.
        const FEWEST: usize = 4096;
        let (columns, [across]) = (self.run_len(), self.walk.inner_strides());
        let (rows, [down]) = self.walk.axis_of_runs()?;
        let far = across.unsigned_abs().saturating_mul(self.size) >= LINE;
        let numel = rows.checked_mul(columns)?;
        (down == 1 && far && rows.min(columns) > 1 && numel >= FEWEST).then_some((rows, columns))
    }

    /// Bytes of all elements; one that is repeated counts once where the view is otherwise dense.
    pub(crate) fn bytes(&self) -> usize {
        self.span.min(self.numel().saturating_mul(self.size))
    }

    /// The bytes of the view, when the storage begins at `address`.
    pub(crate) fn span_at(&self, address: usize) -> Span {
        self.touched.shifted(address)
    }

    /// The elements, when the storage begins at `address`.
    pub(crate) fn bind(&self, address: usize, lookup: &mut Lookup) -> Result<Bound<'_>> {
        if self.span == 0 {
            return Ok(Bound { view: self, low: std::ptr::dangling_mut(), address: 0, packed: false });
        }
        let address = address.checked_add(self.low).ok_or_else(|| {
            Status::new(ACL_ERROR_RT_AICORE_EXCEPTION, format_args!("the address {address:#x} is no memory"))
        })?;
        let low = lookup
            .device_bytes(address, self.span)
            .map_err(|status| status.with_code(ACL_ERROR_RT_AICORE_EXCEPTION))?;
        Ok(Bound { view: self, low, address, packed: false })
    }
}

/// A view with the addresses of its memory.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    view: &'a View,
    /// Where the bytes from `View::low` on are for the host.
    low: *mut u8,
    /// Where they are for the device.
    address: usize,
    /// The bytes are the view's elements one after the other, in a copy, instead of laid out by its strides.
    packed: bool,
}

// SAFETY: the bytes are device memory, checked by `bind` to be allocated and never unmapped, or a copy that outlives
// the value. As on a device, the program orders the work that writes them.
unsafe impl Send for Bound<'_> {}
// SAFETY: as above.
unsafe impl Sync for Bound<'_> {}

impl<'a> Bound<'a> {
    pub(crate) fn numel(&self) -> usize {
        self.view.walk.numel()
    }

    /// Bytes of an element.
    pub(crate) fn size(&self) -> usize {
        self.view.size
    }

    /// Whether all elements are at one distance from their neighbours, and apart from each other.
    pub(crate) fn is_one_run(&self) -> bool {
        let walk = &self.view.walk;
        walk.is_single_run() && (walk.inner_strides() != [0] || walk.numel() <= 1)
    }

    /// Whether writing `output` in order could change elements of `self` that are still to be read.
    pub(crate) fn conflicts_with(&self, output: &Bound<'_>) -> bool {
        let (a, b) = (self, output);
        let same = a.address == b.address
            && a.view.origin == b.view.origin
            && a.view.size == b.view.size
            && a.view.strides == b.view.strides;
        !same && a.overlaps(b)
    }

    /// The elements, one after the other.
    pub(crate) fn copy(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.numel() * self.size()];
        self.gather(0..self.numel(), &mut bytes);
        bytes
    }

    /// The elements from number `first` on, read from a copy of them.
    pub(crate) fn over(&self, first: usize, copy: &'a [u8]) -> Bound<'a> {
        let low = copy.as_ptr().cast_mut().wrapping_sub(first * self.size());
        Bound { view: self.view, low, address: 0, packed: true }
    }

    /// As for [`View`], unless the elements are a copy.
    pub(super) fn transposed(&self) -> Option<(usize, usize)> {
        self.view.transposed().filter(|_| !self.packed)
    }

    /// Whether `self` and `other` have bytes in common.
    pub(crate) fn overlaps(&self, other: &Bound<'_>) -> bool {
        let (a, b) = (self, other);
        let disjoint = a.address >= b.address + b.view.span || b.address >= a.address + a.view.span;
        !disjoint && a.view.span > 0 && b.view.span > 0
    }

    /// The elements `range` as they lie in memory, when they lie one after the other and aligned.
    pub(crate) fn contiguous(&self, range: Range<usize>) -> Option<&'a [u8]> {
        let bytes = range.len() * self.size();
        // SAFETY: `bind` checked the whole span; the program orders the work that writes it.
        self.start_of(range).map(|start| unsafe { std::slice::from_raw_parts(start, bytes) })
    }

    /// The elements `range` to be written as they lie in memory, when they lie one after the other and aligned.
    ///
    /// # Safety
    /// As long as the slice lives, nothing else reads or writes these elements.
    pub(crate) unsafe fn contiguous_mut(&self, range: Range<usize>) -> Option<&'a mut [u8]> {
        let bytes = range.len() * self.size();
        // SAFETY: as for `contiguous`, and nothing else has a reference by the contract.
        self.start_of(range).map(|start| unsafe { std::slice::from_raw_parts_mut(start, bytes) })
    }

    /// Where the elements `range` lie one after the other, aligned.
    fn start_of(&self, range: Range<usize>) -> Option<*mut u8> {
        let walk = &self.view.walk;
        let offset = if self.packed {
            range.start as isize
        } else {
            let is_run =
                walk.is_single_run() || range.start % walk.inner_len() + range.len() <= walk.inner_len();
            let is_in_order = walk.inner_strides() == [1] || range.len() == 1;
            let [offset] = (is_run && is_in_order).then(|| walk.offsets_at(range.start))?;
            offset
        };
        let start = self.at(offset);
        start.addr().is_multiple_of(self.size().clamp(1, 8)).then_some(start)
    }

    /// The element at an offset from the first one.
    fn at(&self, offset: isize) -> *mut u8 {
        let first = if self.packed { self.low } else { self.low.wrapping_add(self.view.origin) };
        first.wrapping_offset(offset * self.size() as isize)
    }

    /// Copies the elements `range` into `to`.
    pub(crate) fn gather(&self, range: Range<usize>, to: &mut [u8]) {
        if let Some(bytes) = self.contiguous(range.clone()) {
            to.copy_from_slice(bytes);
            return;
        }
        let size = self.size();
        let mut to = to;
        if self.packed {
            // SAFETY: the copy holds every element.
            unsafe {
                self.at(range.start as isize).copy_to_nonoverlapping(to.as_mut_ptr(), range.len() * size)
            };
            return;
        }
        let [stride] = self.view.walk.inner_strides();
        self.view.walk.for_each_run_in(range.start, range.end, |[offset], count| {
            let from = Run { first: self.at(offset).cast_const(), stride };
            let Some((run, rest)) = std::mem::take(&mut to).split_at_mut_checked(count * size) else {
                return;
            };
            to = rest;
            // SAFETY: every element of the walk lies in the span that `bind` checked; `run` is on the host.
            unsafe { runs::copy(from, Run { first: run.as_mut_ptr(), stride: 1 }, count, size) };
        });
    }

    /// Copies `rows` of `columns` elements of a plane into `to`, row by row; the first is element `first`.
    pub(super) fn gather_transposed(&self, first: usize, (rows, columns): (usize, usize), to: &mut [u8]) {
        let ([offset], [stride]) = (self.view.walk.offsets_at(first), self.view.walk.inner_strides());
        if to.len() < rows * columns * self.size() {
            return debug_assert!(false, "a tile has room");
        }
        // SAFETY: the plane lies in the span that `bind` checked, and its columns lie one element from each other; `to` is a
        // buffer on the host.
        unsafe {
            runs::transpose(
                self.at(offset).cast_const(),
                stride,
                to.as_mut_ptr(),
                (rows, columns),
                self.size(),
            );
        }
    }

    /// Writes `from` to the elements `range`.
    pub(crate) fn scatter(&self, range: Range<usize>, from: &[u8]) {
        let size = self.size();
        let [stride] = self.view.walk.inner_strides();
        let mut from = from;
        self.view.walk.for_each_run_in(range.start, range.end, |[offset], count| {
            let to = Run { first: self.at(offset), stride };
            let Some((run, rest)) = from.split_at_checked(count * size) else { return };
            from = rest;
            // SAFETY: every element of the walk lies in the span that `bind` checked; `run` is a block on the host.
            unsafe { runs::copy(Run { first: run.as_ptr(), stride: 1 }, to, count, size) };
        });
    }
}
