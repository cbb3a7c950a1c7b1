//! Shape, strides and offset, and the views that they make without a copy.

use std::fmt;
use std::ops::Range;

use smallvec::SmallVec;

use super::{BroadcastError, Shape, broadcast};

/// The position of each element of a tensor in its buffer: element (i₀, i₁, …) is at `offset + Σ iₖ · strideₖ`.
///
/// Strides and offset count elements. Every view shares the buffer of the layout it was made from.
///
/// ```
/// use aclnn_numerics::Layout;
///
/// let matrix = Layout::contiguous([2, 3]);
/// let column = matrix.select(1, 2)?;
/// assert_eq!((column.shape().to_string(), column.strides(), column.offset()), ("[2]".into(), &[3][..], 2));
/// # Ok::<(), aclnn_numerics::layout::LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    shape: Shape,
    strides: SmallVec<[isize; 8]>,
    offset: usize,
}

/// The reason why a view cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LayoutError {
    /// The number of strides is not the number of axes.
    StrideCount {
        /// The shape given.
        shape: Box<Shape>,
        /// The number of strides given.
        strides: usize,
    },
    /// The axis does not exist.
    Axis {
        /// The axis asked for, as it was given: a negative one counts from the end.
        axis: i128,
        /// The number of axes.
        rank: usize,
    },
    /// The list does not name every axis exactly once.
    Permutation {
        /// The list given.
        axes: Vec<i128>,
        /// The number of axes.
        rank: usize,
    },
    /// The range is partly outside the axis, or ends before it starts.
    Range {
        /// The axis.
        axis: usize,
        /// The range asked for, counted from the start of the axis. A negative bound lies before the axis, and is kept
        /// as it was given.
        range: Box<Range<i128>>,
        /// The size of the axis.
        size: usize,
    },
    /// The index does not exist.
    Index {
        /// The axis.
        axis: usize,
        /// The index asked for, as it was given: a negative one counts from the end.
        index: i128,
        /// The size of the axis.
        size: usize,
    },
    /// The step is zero.
    ZeroStep,
    /// The number of parts, or of indices per part, is zero.
    ZeroParts,
    /// The axis to drop has more or less than one element.
    NotOne {
        /// The axis.
        axis: usize,
        /// The size of the axis.
        size: usize,
    },
    /// The shapes do not broadcast.
    Broadcast(BroadcastError),
    /// Broadcasting would enlarge the target.
    Enlarges {
        /// The shape of the view.
        from: Box<Shape>,
        /// The shape asked for.
        to: Box<Shape>,
    },
    /// The shapes have different numbers of elements.
    Count {
        /// The shape of the view.
        from: Box<Shape>,
        /// The shape asked for.
        to: Box<Shape>,
    },
    /// The elements do not lie so that strides can describe the new shape.
    NeedsCopy {
        /// The layout that was to be reshaped.
        from: Box<Layout>,
        /// The shape asked for.
        to: Box<Shape>,
    },
    /// An offset or a count is larger than the machine can address.
    Overflow,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StrideCount { shape, strides } => {
                write!(f, "shape {shape} has {} axes but {strides} strides were given", shape.rank())
            }
            Self::Axis { axis, rank } => {
                let axes = if *rank == 1 { "axis" } else { "axes" };
                write!(f, "axis {axis} does not exist: the tensor has {rank} {axes}")
            }
            Self::Permutation { axes, rank } => {
                write!(f, "{axes:?} is not a permutation of the {rank} axes")
            }
            Self::Range { range, .. } if range.end >= 0 && range.start > range.end => {
                write!(f, "range {range:?} ends before it starts")
            }
            Self::Range { axis, range, size } => {
                write!(f, "range {range:?} does not lie within axis {axis} of size {size}")
            }
            Self::Index { axis, index, size } => {
                write!(f, "index {index} does not exist on axis {axis} of size {size}")
            }
            Self::ZeroStep => f.write_str("the step of a slice must not be zero"),
            Self::ZeroParts => f.write_str("the number of parts, and of indices in each, must not be zero"),
            Self::NotOne { axis, size } => {
                write!(f, "axis {axis} has size {size}; only size 1 can be dropped")
            }
            Self::Broadcast(error) => error.fmt(f),
            Self::Enlarges { from, to } => {
                write!(f, "shape {from} does not broadcast to {to}: the result would be larger than {to}")
            }
            Self::Count { from, to } => {
                write!(f, "shape {from} cannot become {to}: the numbers of elements differ")
            }
            Self::NeedsCopy { from, to } => {
                write!(f, "{from} cannot be viewed as {to} without a copy; make it contiguous first")
            }
            Self::Overflow => f.write_str("the layout exceeds the address space"),
        }
    }
}

impl std::error::Error for LayoutError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Broadcast(error) => Some(error),
            _ => None,
        }
    }
}

impl From<BroadcastError> for LayoutError {
    fn from(error: BroadcastError) -> LayoutError {
        LayoutError::Broadcast(error)
    }
}

/// Returns row-major strides. Size 0 counts as 1; a stride that does not fit saturates, and [`Shape::numel`] reports
/// it.
fn row_major(shape: &[usize]) -> SmallVec<[isize; 8]> {
    let mut strides = SmallVec::from_elem(1isize, shape.len());
    let mut stride = 1isize;
    for (slot, &size) in strides.iter_mut().zip(shape).rev() {
        *slot = stride;
        stride = stride.saturating_mul(isize::try_from(size.max(1)).unwrap_or(isize::MAX));
    }
    strides
}

impl Layout {
    /// Creates a layout in row-major order without gaps, from the start of the buffer.
    pub fn contiguous(shape: impl Into<Shape>) -> Layout {
        let shape = shape.into();
        Layout { strides: row_major(&shape), shape, offset: 0 }
    }

    /// Creates any layout; strides may be zero (repetition) or negative.
    ///
    /// # Errors
    /// The number of strides is not the number of axes. [`Layout::span`] tells whether the elements lie within a
    /// buffer.
    pub fn new(shape: impl Into<Shape>, strides: &[isize], offset: usize) -> Result<Layout, LayoutError> {
        let shape = shape.into();
        if shape.rank() != strides.len() {
            return Err(LayoutError::StrideCount { shape: shape.into(), strides: strides.len() });
        }
        Ok(Layout { shape, strides: SmallVec::from_slice(strides), offset })
    }

    /// Returns the sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the distance in elements from one index to the next, per axis.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Returns the position of the first element.
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the number of axes.
    #[inline]
    pub fn rank(&self) -> usize {
        self.shape.rank()
    }

    /// Returns the number of elements; `None` if it overflows.
    pub fn numel(&self) -> Option<usize> {
        self.shape.numel()
    }

    /// Returns whether the elements lie without gaps in row-major order.
    ///
    /// Axes of size 1 do not count, and a layout of no or one element is always contiguous.
    pub fn is_contiguous(&self) -> bool {
        let mut expected = 1isize;
        for (&size, &stride) in self.shape.iter().zip(&self.strides).rev() {
            match size {
                0 => return true,
                1 => continue,
                _ if stride != expected => return self.shape.is_empty_tensor(),
                _ => expected = expected.saturating_mul(isize::try_from(size).unwrap_or(isize::MAX)),
            }
        }
        true
    }

    /// Returns the lowest and the highest position of an element; `None` if there are no elements.
    ///
    /// A position that does not fit is clamped to the ends of `isize`, which no buffer reaches.
    pub fn span(&self) -> Option<(isize, isize)> {
        if self.shape.is_empty_tensor() {
            return None;
        }
        let (mut low, mut high) = (self.offset as i128, self.offset as i128);
        for (&size, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = (size as i128 - 1).saturating_mul(stride as i128);
            if reach < 0 {
                low = low.saturating_add(reach);
            } else {
                high = high.saturating_add(reach);
            }
        }
        let clamp = |v: i128| v.clamp(isize::MIN as i128, isize::MAX as i128) as isize;
        Some((clamp(low), clamp(high)))
    }

    /// Returns the view repeated to `shape`, by strides of zero.
    ///
    /// # Errors
    /// The shape of the view does not broadcast to exactly `shape`.
    pub fn broadcast_to(&self, shape: impl Into<Shape>) -> Result<Layout, LayoutError> {
        let shape = shape.into();
        if broadcast(&self.shape, &shape)? != shape {
            return Err(LayoutError::Enlarges { from: self.shape.clone().into(), to: shape.into() });
        }
        let mut strides = SmallVec::from_elem(0isize, shape.rank());
        let missing = shape.rank() - self.rank();
        for (slot, (&size, &stride)) in
            strides.iter_mut().skip(missing).zip(self.shape.iter().zip(&self.strides))
        {
            *slot = if size == 1 { 0 } else { stride };
        }
        Ok(Layout { shape, strides, offset: self.offset })
    }

    /// Returns the view with its axes in another order: axis `k` of the result is axis `axes[k]`.
    ///
    /// # Errors
    /// `axes` does not name every axis exactly once.
    pub fn permute(&self, axes: &[usize]) -> Result<Layout, LayoutError> {
        let named_once = |axis| axes.iter().filter(|&&a| a == axis).count() == 1;
        if axes.len() != self.rank() || !(0..self.rank()).all(named_once) {
            let axes = axes.iter().map(|&axis| axis as i128).collect();
            return Err(LayoutError::Permutation { axes, rank: self.rank() });
        }
        Ok(Layout {
            shape: axes.iter().filter_map(|&a| self.shape.get(a)).copied().collect(),
            strides: axes.iter().filter_map(|&a| self.strides.get(a)).copied().collect(),
            offset: self.offset,
        })
    }

    /// Returns the view of a diagonal of the matrices that two axes make. The axes disappear, and the diagonal becomes the
    /// last axis. A positive `offset` counts to the right of the main diagonal, a negative one below it; beyond the matrix
    /// there is a diagonal without elements.
    ///
    /// ```
    /// use aclnn_numerics::Layout;
    ///
    /// let matrix = Layout::contiguous([2, 3]);
    /// let above = matrix.diagonal(1, 0, 1)?;
    /// assert_eq!((above.shape()[0], above.strides()[0], above.offset()), (2, 4, 1));
    /// # Ok::<(), aclnn_numerics::layout::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// An axis does not exist, or both are the same.
    pub fn diagonal(&self, offset: isize, first: usize, second: usize) -> Result<Layout, LayoutError> {
        let ((rows, down), (columns, right)) = (self.axis(first)?, self.axis(second)?);
        if first == second {
            return Err(LayoutError::Axis { axis: second as i128, rank: self.rank() });
        }
        let (below, beside) = (offset.min(0).unsigned_abs(), offset.max(0).unsigned_abs());
        let count = rows.saturating_sub(below).min(columns.saturating_sub(beside));
        let mut view =
            if count == 0 { self.clone() } else { self.moved(below, down)?.moved(beside, right)? };
        view.remove_axis(first.max(second));
        view.remove_axis(first.min(second));
        view.shape.sizes_mut().push(count);
        view.strides.push(down.checked_add(right).ok_or(LayoutError::Overflow)?);
        Ok(view)
    }

    /// Returns the view with two axes exchanged.
    ///
    /// # Errors
    /// An axis does not exist.
    pub fn transpose(&self, first: usize, second: usize) -> Result<Layout, LayoutError> {
        self.axis(first)?;
        self.axis(second)?;
        let mut view = self.clone();
        view.shape.sizes_mut().swap(first, second);
        view.strides.swap(first, second);
        Ok(view)
    }

    /// Returns every `step`-th index of `range` on one axis; a negative step starts at the last index of the range and
    /// goes down.
    ///
    /// # Errors
    /// The axis does not exist, the range is not within it, or the step is zero.
    pub fn slice(&self, axis: usize, range: Range<usize>, step: isize) -> Result<Layout, LayoutError> {
        let (size, stride) = self.axis(axis)?;
        if range.start > range.end || range.end > size {
            let range = range.start as i128..range.end as i128;
            return Err(LayoutError::Range { axis, range: Box::new(range), size });
        }
        if step == 0 {
            return Err(LayoutError::ZeroStep);
        }
        let count = range.len().div_ceil(step.unsigned_abs());
        let first = match () {
            () if range.is_empty() => 0,
            () if step > 0 => range.start,
            () => range.end - 1,
        };
        let mut view = self.moved(first, stride)?;
        // One index or none is never stepped from, so its stride may be anything and must not overflow.
        let stride = if count > 1 { stride.checked_mul(step).ok_or(LayoutError::Overflow)? } else { stride };
        view.set_axis(axis, count, stride);
        Ok(view)
    }

    /// Returns the view at one index of an axis, without that axis.
    ///
    /// # Errors
    /// The axis or the index does not exist.
    pub fn select(&self, axis: usize, index: usize) -> Result<Layout, LayoutError> {
        let (size, stride) = self.axis(axis)?;
        if index >= size {
            return Err(LayoutError::Index { axis, index: index as i128, size });
        }
        let mut view = self.moved(index, stride)?;
        view.remove_axis(axis);
        Ok(view)
    }

    /// Returns the view of the same elements in the same order in another shape.
    ///
    /// # Errors
    /// The numbers of elements differ, or strides cannot describe the new shape, so that a copy is needed.
    pub fn reshape(&self, shape: impl Into<Shape>) -> Result<Layout, LayoutError> {
        let shape = shape.into();
        match (self.numel(), shape.numel()) {
            (None, _) | (_, None) => return Err(LayoutError::Overflow),
            (Some(from), Some(to)) if from != to => {
                return Err(LayoutError::Count { from: self.shape.clone().into(), to: shape.into() });
            }
            _ => {}
        }
        if self.is_contiguous() {
            return Ok(Layout { strides: row_major(&shape), shape, offset: self.offset });
        }
        match self.strides_for(&shape) {
            Some(strides) => Ok(Layout { shape, strides, offset: self.offset }),
            None => Err(LayoutError::NeedsCopy { from: self.clone().into(), to: shape.into() }),
        }
    }

    /// Returns the view without an axis, which has size 1.
    ///
    /// # Errors
    /// The axis does not exist or has another size.
    pub fn squeeze(&self, axis: usize) -> Result<Layout, LayoutError> {
        match self.axis(axis)? {
            (1, _) => {
                let mut view = self.clone();
                view.remove_axis(axis);
                Ok(view)
            }
            (size, _) => Err(LayoutError::NotOne { axis, size }),
        }
    }

    /// Returns the view with a new axis of size 1 before `axis`, or at the end if `axis` is the number of axes.
    ///
    /// # Errors
    /// `axis` is larger than the number of axes.
    pub fn unsqueeze(&self, axis: usize) -> Result<Layout, LayoutError> {
        if axis > self.rank() {
            return Err(LayoutError::Axis { axis: axis as i128, rank: self.rank() });
        }
        let inner = self.shape.get(axis).zip(self.strides.get(axis));
        let stride = inner.map_or(1, |(&size, &stride)| {
            stride.saturating_mul(isize::try_from(size.max(1)).unwrap_or(isize::MAX))
        });
        let mut view = self.clone();
        view.shape.sizes_mut().insert(axis, 1);
        view.strides.insert(axis, stride);
        Ok(view)
    }

    fn axis(&self, axis: usize) -> Result<(usize, isize), LayoutError> {
        match (self.shape.get(axis), self.strides.get(axis)) {
            (Some(&size), Some(&stride)) => Ok((size, stride)),
            _ => Err(LayoutError::Axis { axis: axis as i128, rank: self.rank() }),
        }
    }

    fn set_axis(&mut self, axis: usize, size: usize, stride: isize) {
        if let (Some(s), Some(t)) = (self.shape.sizes_mut().get_mut(axis), self.strides.get_mut(axis)) {
            (*s, *t) = (size, stride);
        }
    }

    fn remove_axis(&mut self, axis: usize) {
        self.shape.sizes_mut().remove(axis);
        self.strides.remove(axis);
    }

    /// Returns this layout, starting `index` steps of `stride` further on.
    fn moved(&self, index: usize, stride: isize) -> Result<Layout, LayoutError> {
        // Without elements no position is reached, and the offset need not lie in the buffer.
        if self.shape.is_empty_tensor() {
            return Ok(self.clone());
        }
        let step =
            isize::try_from(index).ok().and_then(|i| i.checked_mul(stride)).ok_or(LayoutError::Overflow)?;
        let offset = self.offset.checked_add_signed(step).ok_or(LayoutError::Overflow)?;
        Ok(Layout { offset, ..self.clone() })
    }

    /// Returns strides of `shape` over the same elements: each group of axes with even distances must be cut into whole
    /// axes.
    fn strides_for(&self, shape: &Shape) -> Option<SmallVec<[isize; 8]>> {
        let mut strides = SmallVec::from_elem(1isize, shape.rank());
        let mut old = self.shape.iter().zip(&self.strides).rev().filter(|&(&size, _)| size != 1).peekable();
        let mut new = shape.iter().zip(strides.iter_mut()).rev().peekable();
        while let Some((&size, &stride)) = old.next() {
            // The group: this axis and the outer ones that continue it.
            let mut group = size;
            while let Some(&(&outer, &outer_stride)) = old.peek() {
                if isize::try_from(group).ok()?.checked_mul(stride)? != outer_stride {
                    break;
                }
                group = group.checked_mul(outer)?;
                old.next();
            }
            let mut covered = 1usize;
            while covered < group {
                let (&size, slot) = new.next()?;
                *slot = isize::try_from(covered).ok()?.checked_mul(stride)?;
                covered = covered.checked_mul(size)?;
            }
            if covered != group {
                return None;
            }
        }
        Some(strides)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with strides {:?}", self.shape, &self.strides[..])?;
        if self.offset != 0 {
            write!(f, " from {}", self.offset)?;
        }
        Ok(())
    }
}
