//! Layouts: elements of a storage seen through shape, strides and offset.

use aclnn_numerics::DType;
use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

use crate::views::block::size_of_dtype;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::span::{self, Span};

/// A layout over some storage whose address is known only at the launch.
pub struct View {
    pub(crate) walk: Walk<1>,
    shape: SmallVec<[usize; 8]>,
    pub(crate) strides: SmallVec<[isize; 8]>,
    /// Bytes of an element.
    pub(crate) size: usize,
    /// The lowest byte that the view touches, counted from the start of the storage.
    pub(crate) low: usize,
    /// Bytes from the lowest to the highest element, inclusive; 0 when the view is empty.
    pub(crate) span: usize,
    /// The byte of the first element, counted from `low`.
    pub(crate) origin: usize,
    /// The bytes of the view, counted from the start of the storage.
    touched: Span,
}

impl View {
    /// `strides` and `offset` are in elements; a stride of 0 repeats an element along its axis.
    pub fn new(dtype: DType, shape: &[usize], strides: &[isize], offset: i64) -> Result<Self> {
        let size = size_of_dtype(dtype);
        let walk = Walk::new(shape, [strides]);
        let strides = SmallVec::from_slice(strides);
        let sizes = SmallVec::from_slice(shape);
        if shape.contains(&0) {
            return Ok(Self {
                walk,
                shape: sizes,
                strides,
                size,
                low: 0,
                span: 0,
                origin: 0,
                touched: Span::dense(0, 0),
            });
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
            Failure::new(
                Cause::NoKernel,
                format_args!("the view reaches before its storage or beyond any memory (offset {offset}, strides {strides:?})"),
            )
        })?;
        let touched = Span::of_view(low, size, shape, &strides);
        Ok(Self { walk, shape: sizes, strides, size, low, span, origin, touched })
    }

    /// Returns the bytes that `numel` elements of less than a byte fill, one after the other from element `offset` on.
    pub fn packed(dtype: DType, numel: usize, offset: i64) -> Result<Self> {
        let together = (8 / dtype.bits().clamp(1, 8)) as i64;
        if offset % together != 0 {
            return Err(Failure::new(
                Cause::NoKernel,
                format_args!("the view begins at element {offset} of {dtype}, within a byte"),
            ));
        }
        Self::new(DType::U8, &[numel.div_ceil(together as usize)], &[1], offset / together)
    }

    /// Returns the size of an element in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the distance in elements from one index to the next, along each axis.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Returns the lowest byte of the view and the number of bytes up to its last one, when the storage begins at
    /// `address`. Nothing if the view is empty, or if there are no such addresses.
    pub fn reach_at(&self, address: usize) -> Option<(usize, usize)> {
        (self.span > 0).then(|| address.checked_add(self.low)).flatten().map(|low| (low, self.span))
    }

    /// Returns the address of the first element, when the storage begins at `address`.
    pub fn first_at(&self, address: usize) -> usize {
        address.wrapping_add(self.low).wrapping_add(self.origin)
    }

    pub fn numel(&self) -> usize {
        self.walk.numel()
    }

    /// Returns whether no two elements share memory, as far as the strides tell.
    pub fn lies_apart(&self) -> bool {
        span::lies_apart(&self.shape, &self.strides)
    }

    /// Returns whether the elements lie one after the other.
    pub(crate) fn is_dense(&self) -> bool {
        self.walk.is_single_run() && (self.walk.inner_strides() == [1] || self.walk.numel() <= 1)
    }

    /// Returns the bytes of all elements; one that is repeated counts once where the view is otherwise dense.
    pub fn bytes(&self) -> usize {
        self.span.min(self.numel().saturating_mul(self.size))
    }

    /// Returns the bytes of the view, when the storage begins at `address`.
    pub fn span_at(&self, address: usize) -> Span {
        self.touched.shifted(address)
    }
}
