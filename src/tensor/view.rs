//! Views: other layouts over the same elements, without a copy and without work for the device.

use std::ops::{Bound, Range, RangeBounds};

use aclnn_numerics::layout::LayoutError;
use aclnn_numerics::{Layout, Shape};

use super::{Tensor, countable};
use crate::error::{Error, Operands, Result};

impl Tensor {
    fn view(&self, view: &'static str, layout: Result<Layout, LayoutError>) -> Result<Tensor> {
        match layout {
            Ok(layout) => {
                countable(layout.shape(), self.dtype)?;
                Ok(Tensor { layout, ..self.clone() })
            }
            Err(cause) => Err(Error::View { view, tensor: Operands::new([self.info("self")]), cause }),
        }
    }

    /// The indices `range` of one axis.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [3, 2])?;
    /// assert_eq!(grid.slice(0, 1..)?.to_vec::<i32>()?, [3, 4, 5, 6]);
    /// assert_eq!(grid.slice(0, ..=1)?.slice(1, 1..2)?.to_vec::<i32>()?, [2, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist, or the range does not lie within it.
    pub fn slice(&self, axis: usize, range: impl RangeBounds<usize>) -> Result<Tensor> {
        self.view("slice", self.layout.slice(axis, self.range(axis, range), 1))
    }

    /// Every `step`-th index of `range` on one axis.
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist, the range does not lie within it, or the step is 0.
    pub fn slice_step(&self, axis: usize, range: impl RangeBounds<usize>, step: usize) -> Result<Tensor> {
        // A step beyond the axis takes its first index, however large it is.
        let step = isize::try_from(step).unwrap_or(isize::MAX);
        self.view("slice_step", self.layout.slice(axis, self.range(axis, range), step))
    }

    /// The indices before `index` on one axis, and those from it on. Both may be written beside each other.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3, 4, 5], [5])?;
    /// let (mut first, rest) = line.split_at(0, 2)?;
    /// first.copy_from(&rest.slice(0, 1..)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [4, 5, 3, 4, 5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist, or `index` is larger than its size.
    pub fn split_at(&self, axis: usize, index: usize) -> Result<(Tensor, Tensor)> {
        let end = self.size(axis).max(index);
        let part = |range| self.view("split_at", self.layout.slice(axis, range, 1));
        Ok((part(0..index)?, part(index..end)?))
    }

    /// One index of an axis, which disappears.
    ///
    /// # Errors
    /// [`Error::View`] if the axis or the index does not exist.
    pub fn select(&self, axis: usize, index: usize) -> Result<Tensor> {
        self.view("select", self.layout.select(axis, index))
    }

    /// Two axes exchanged.
    ///
    /// # Errors
    /// [`Error::View`] if an axis does not exist.
    pub fn transpose(&self, first: usize, second: usize) -> Result<Tensor> {
        self.view("transpose", self.layout.transpose(first, second))
    }

    /// The axes in another order: axis `k` of the result is axis `axes[k]`.
    ///
    /// # Errors
    /// [`Error::View`] if `axes` does not name every axis once.
    pub fn permute(&self, axes: &[usize]) -> Result<Tensor> {
        self.view("permute", self.layout.permute(axes))
    }

    /// The same elements in the same order under another shape.
    ///
    /// # Errors
    /// [`Error::View`] if the numbers of elements differ, or the elements do not lie so that it can be done without a
    /// copy: then [`Tensor::contiguous`] comes first.
    pub fn reshape(&self, shape: impl Into<Shape>) -> Result<Tensor> {
        self.view("reshape", self.layout.reshape(shape))
    }

    /// The same elements in the same order on one axis.
    ///
    /// # Errors
    /// As for [`Tensor::reshape`].
    pub fn flatten(&self) -> Result<Tensor> {
        self.view("flatten", self.layout.reshape(self.numel()))
    }

    /// The elements repeated to a larger shape. Such a view cannot be written.
    ///
    /// # Errors
    /// [`Error::View`] if the shape does not broadcast to exactly `shape`; [`Error::Tensor`] if an axis exceeds `i64`.
    pub fn broadcast_to(&self, shape: impl Into<Shape>) -> Result<Tensor> {
        self.view("broadcast_to", self.layout.broadcast_to(shape))
    }

    /// Drops an axis of size 1.
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist or has another size.
    pub fn squeeze(&self, axis: usize) -> Result<Tensor> {
        self.view("squeeze", self.layout.squeeze(axis))
    }

    /// Adds an axis of size 1 before `axis`; the number of axes means at the end.
    ///
    /// # Errors
    /// [`Error::View`] if there is no such place.
    pub fn unsqueeze(&self, axis: usize) -> Result<Tensor> {
        self.view("unsqueeze", self.layout.unsqueeze(axis))
    }

    /// The size of an axis; 0 if it does not exist.
    fn size(&self, axis: usize) -> usize {
        self.shape().get(axis).copied().unwrap_or(0)
    }

    /// The first index of `range` on an axis, and the first one behind it.
    fn range(&self, axis: usize, range: impl RangeBounds<usize>) -> Range<usize> {
        let start = match range.start_bound() {
            Bound::Included(&index) => index,
            Bound::Excluded(&index) => index.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(&index) => index.saturating_add(1),
            Bound::Excluded(&index) => index,
            Bound::Unbounded => self.size(axis),
        };
        start..end
    }
}
