//! Views: other layouts of the same elements, without a copy and without work for the device.
//!
//! Axes and indices count from zero, and negative ones from the end, as [`Index`] describes.

use std::ops::{Bound, Range};

use aclnn_numerics::layout::LayoutError;
use aclnn_numerics::{DType, Layout, Shape};

use super::index::from_start;
use super::{Index, IndexRange, Tensor, countable};
use crate::error::{Error, Result};

impl Tensor {
    pub(super) fn view(&self, view: &'static str, layout: Result<Layout, LayoutError>) -> Result<Tensor> {
        match layout {
            Ok(layout) => {
                countable(layout.shape(), self.dtype)
                    .map_err(|error| error.during(view, || self.operands()))?;
                Ok(Tensor { layout, ..self.clone() })
            }
            Err(cause) => Err(self.no_view(view, cause)),
        }
    }

    pub(crate) fn no_view(&self, view: &'static str, cause: LayoutError) -> Error {
        Error::View { view, tensor: self.operands(), cause }
    }

    /// Returns a view of the indices `range` of one axis. [`Tensor::at`] takes several axes at once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [3, 2])?;
    /// assert_eq!(grid.slice(0, 1..)?.to_vec::<i32>()?, [3, 4, 5, 6]);
    /// assert_eq!(grid.slice(0, ..=1)?.slice(1, 1..2)?.to_vec::<i32>()?, [2, 4]);
    /// assert_eq!(grid.slice(0, -2..)?.slice(-1, ..-1)?.to_vec::<i32>()?, [3, 5]); // from the end
    /// assert_eq!(grid.slice(0, (1, -1))?.to_vec::<i32>()?, [3, 4]); // `1..-1`, which clippy takes for an empty range
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist, or the range does not lie within it.
    #[doc(alias = "aclnnSlice")]
    pub fn slice(&self, axis: impl Index, range: impl IndexRange) -> Result<Tensor> {
        self.view("slice", self.cut(axis, range, 1))
    }

    /// Returns a view of every `step`-th index of `range` on one axis.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.slice_step(1, .., 2)?.to_vec::<i32>()?, [1, 3, 4, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist, the range does not lie within it, or the step is 0.
    #[doc(alias = "aclnnSlice", alias = "aclnnStridedSlice")]
    pub fn slice_step(&self, axis: impl Index, range: impl IndexRange, step: usize) -> Result<Tensor> {
        // A step larger than the axis takes its first index.
        let step = isize::try_from(step).unwrap_or(isize::MAX);
        self.view("slice_step", self.cut(axis, range, step))
    }

    /// Returns a view of the windows of `size` consecutive indices of one axis, which begin `step` indices apart. The axis counts
    /// the windows, and a new last axis holds the indices in each. Windows that overlap share their elements, so that such a
    /// view cannot be written.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0], 5)?;
    /// assert_eq!(line.windows(0, 3, 1)?.mean(-1)?.to_vec::<f32>()?, [2.0, 3.0, 4.0]);
    /// assert_eq!(line.windows(0, 2, 2)?.to_vec::<f32>()?, [1.0, 2.0, 3.0, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist or is shorter than a window, or `size` or `step` is 0.
    #[doc(alias = "unfold", alias = "sliding_window_view")]
    pub fn windows(&self, axis: impl Index, size: usize, step: usize) -> Result<Tensor> {
        let layout = self.axis(axis).and_then(|axis| {
            let len = self.size(axis);
            if size == 0 {
                return Err(LayoutError::ZeroParts);
            }
            let Some(last) = len.checked_sub(size) else {
                return Err(LayoutError::Range { axis, range: Box::new(0..size as i128), size: len });
            };
            let step = isize::try_from(step).unwrap_or(isize::MAX);
            let starts = self.layout.slice(axis, 0..last + 1, step)?;
            let stride = self.layout.strides().get(axis).copied().unwrap_or(1);
            let shape: Shape = starts.shape().iter().copied().chain([size]).collect();
            let strides: Vec<isize> = starts.strides().iter().copied().chain([stride]).collect();
            Layout::new(shape, &strides, starts.offset())
        });
        self.view("windows", layout)
    }

    /// Splits one axis into the indices before `index` and those from it on. Both views may be written independently.
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
    #[doc(alias = "tensor_split")]
    pub fn split_at(&self, axis: impl Index, index: impl Index) -> Result<(Tensor, Tensor)> {
        let part = |range| self.view("split_at", self.cut(axis, range, 1));
        let (start, end) = (Bound::Unbounded, Bound::Unbounded);
        let index = index.number();
        Ok((part((start, Bound::Excluded(index)))?, part((Bound::Included(index), end))?))
    }

    /// Returns a view of one index of an axis, which disappears.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.select(0, 1)?.to_vec::<i32>()?, [4, 5, 6]);
    /// assert_eq!(grid.select(1, -1)?.to_vec::<i32>()?, [3, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis or the index does not exist.
    #[doc(alias = "index_axis")]
    #[doc(alias = "get_on_dim")]
    pub fn select(&self, axis: impl Index, index: impl Index) -> Result<Tensor> {
        let layout = self.axis(axis).and_then(|axis| {
            let (size, index) = (self.size(axis), index.number());
            let counted = usize::try_from(from_start(index, size));
            self.layout.select(axis, counted.map_err(|_| LayoutError::Index { axis, index, size })?)
        });
        self.view("select", layout)
    }

    /// Returns a view with two axes exchanged.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let turned = grid.transpose(0, 1)?;
    /// assert_eq!((turned.dims(), turned.to_vec::<i32>()?), (&[3, 2][..], vec![1, 4, 2, 5, 3, 6]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if an axis does not exist.
    #[doc(alias = "swapaxes")]
    pub fn transpose(&self, first: impl Index, second: impl Index) -> Result<Tensor> {
        let axes = self.axis(first).and_then(|first| Ok((first, self.axis(second)?)));
        self.view("transpose", axes.and_then(|(first, second)| self.layout.transpose(first, second)))
    }

    /// Returns a view of a diagonal of the matrices that two axes make. These axes disappear, and the diagonal becomes the last
    /// one. A positive `offset` counts to the right of the main diagonal, a negative one below it; outside of the matrices
    /// there are no elements.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.diagonal(1, 0, 1)?.to_vec::<i32>()?, [2, 6]);
    /// grid.diagonal(0, 0, 1)?.fill_in_place(0)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [0, 2, 3, 4, 0, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if an axis does not exist, or both are the same.
    #[doc(alias = "aclnnDiag")]
    pub fn diagonal(&self, offset: i64, first: impl Index, second: impl Index) -> Result<Tensor> {
        // No matrix is so large that it would make a difference.
        let offset = isize::try_from(offset).unwrap_or(if offset < 0 { -isize::MAX } else { isize::MAX });
        let axes = self.axis(first).and_then(|first| Ok((first, self.axis(second)?)));
        self.view("diagonal", axes.and_then(|(first, second)| self.layout.diagonal(offset, first, second)))
    }

    /// Returns a view with the axes in another order: axis `k` of the result is axis `axes[k]`.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::zeros(&device, [480, 640, 3], DType::U8)?;
    /// assert_eq!(image.permute(&[2, 0, 1])?.dims(), [3, 480, 640]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if `axes` does not name every axis once.
    #[doc(alias = "aclnnPermute")]
    pub fn permute<I: Index>(&self, axes: &[I]) -> Result<Tensor> {
        let counted: Result<Vec<usize>, _> = axes.iter().map(|&axis| self.axis(axis)).collect();
        let axes = || axes.iter().map(|axis| axis.number()).collect();
        let layout = counted.and_then(|counted| self.layout.permute(&counted));
        let layout = layout.map_err(|_| LayoutError::Permutation { axes: axes(), rank: self.rank() });
        self.view("permute", layout)
    }

    /// Returns a view of the same elements in the same order under another shape.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.reshape([3, 2])?.select(0, 0)?.to_vec::<i32>()?, [1, 2]);
    /// assert!(grid.transpose(0, 1)?.reshape([6]).is_err()); // needs a copy
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the numbers of elements differ, or if the elements lie so that a copy would be needed: then
    /// call [`Tensor::contiguous`] first.
    #[doc(alias = "view")]
    #[doc(alias = "view_as")]
    #[doc(alias = "reshape_as")]
    pub fn reshape(&self, shape: impl Into<Shape>) -> Result<Tensor> {
        self.view("reshape", self.layout.reshape(shape))
    }

    /// Returns a view that repeats the elements to a larger shape. Such a view cannot be written.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2], [2])?;
    /// assert_eq!(line.broadcast_to([2, 2])?.to_vec::<i32>()?, [1, 2, 1, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the shape does not broadcast to exactly `shape`; [`Error::Tensor`] if the view has more elements than an `i64` counts.
    #[doc(alias = "aclnnExpand", alias = "broadcast_as")]
    pub fn broadcast_to(&self, shape: impl Into<Shape>) -> Result<Tensor> {
        self.view("broadcast_to", self.layout.broadcast_to(shape))
    }

    /// Returns a view without an axis of size 1.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 1, 3], DType::F32)?.squeeze(1)?.dims(), [2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if the axis does not exist or has another size.
    #[doc(alias = "squeeze_dim")]
    #[doc(alias = "squeeze_dims")]
    pub fn squeeze(&self, axis: impl Index) -> Result<Tensor> {
        self.view("squeeze", self.axis(axis).and_then(|axis| self.layout.squeeze(axis)))
    }

    /// Returns a view with an axis of size 1 added before `axis`; the number of axes, or −1, adds it at the end.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::zeros(&device, [2, 3], DType::F32)?;
    /// assert_eq!((grid.unsqueeze(0)?.dims(), grid.unsqueeze(-1)?.dims()), (&[1, 2, 3][..], &[2, 3, 1][..]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`] if there is no such place.
    #[doc(alias = "expand_dims")]
    #[doc(alias = "unsqueeze_dim")]
    #[doc(alias = "unsqueeze_dims")]
    pub fn unsqueeze(&self, axis: impl Index) -> Result<Tensor> {
        // The number counts the axes of the result.
        let axis = axis_of(axis, self.rank().saturating_add(1), self.rank());
        self.view("unsqueeze", axis.and_then(|axis| self.layout.unsqueeze(axis)))
    }

    /// Returns a view of complex elements as pairs of real numbers: a new last axis holds the real and the imaginary part of
    /// each.
    ///
    /// ```
    /// use aclnn::{Complex, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let complex = Tensor::from_slice(&device, &[Complex::new(1.0f32, 2.0), Complex::new(3.0, 4.0)], [2])?;
    /// let parts = complex.view_as_real()?;
    /// assert_eq!(parts.at((.., 1))?.to_vec::<f32>()?, [2.0, 4.0]);
    /// assert_eq!(parts.view_as_complex()?.shape(), complex.shape());
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the elements are not complex.
    #[doc(alias = "aclnnReal")]
    pub fn view_as_real(&self) -> Result<Tensor> {
        let dtype = match self.dtype {
            DType::C32 => DType::F16,
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => return Err(self.refused("view_as_real", format!("{other} has no imaginary parts"))),
        };
        let shape: Shape = self.shape().iter().copied().chain([2]).collect();
        let strides: Vec<isize> =
            self.layout.strides().iter().map(|stride| stride.saturating_mul(2)).chain([1]).collect();
        let layout = Layout::new(shape, &strides, self.layout.offset().saturating_mul(2));
        let layout = layout.map_err(|cause| self.no_view("view_as_real", cause))?;
        Ok(Tensor { dtype, layout, capacity: self.capacity.saturating_mul(2), ..self.clone() })
    }

    /// Returns a view of pairs of real numbers as complex elements: the last axis, of size 2, disappears. See
    /// [`Tensor::view_as_real`].
    ///
    /// ```
    /// use aclnn::{Complex, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let parts = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let complex = parts.view_as_complex()?.to_vec::<Complex<f32>>()?;
    /// assert_eq!(complex, [Complex::new(1.0, 2.0), Complex::new(3.0, 4.0)]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the elements are not f16, f32 or f64, the last axis has another size, or the two numbers of a pair
    /// do not lie beside each other, the first one at an even place.
    #[doc(alias = "aclnnComplex")]
    pub fn view_as_complex(&self) -> Result<Tensor> {
        let dtype = match self.dtype {
            DType::F16 => DType::C32,
            DType::F32 => DType::C64,
            DType::F64 => DType::C128,
            other => {
                return Err(
                    self.refused("view_as_complex", format!("there are no complex numbers of {other}"))
                );
            }
        };
        let parts = (self.dims().split_last(), self.layout.strides().split_last());
        let (Some((2, sizes)), Some((1, strides))) = parts else {
            let reason = "the last axis must hold two numbers that lie beside each other".to_owned();
            return Err(self.refused("view_as_complex", reason));
        };
        let is_even = strides.iter().zip(sizes).all(|(stride, size)| *size < 2 || stride % 2 == 0);
        let begins_even = self.layout.offset().is_multiple_of(2) && self.capacity.is_multiple_of(2);
        if !is_even || !begins_even {
            let reason = "every pair must begin at an even place in memory; make a copy first".to_owned();
            return Err(self.refused("view_as_complex", reason));
        }
        let strides: Vec<isize> = strides.iter().map(|stride| stride / 2).collect();
        let layout = Layout::new(sizes, &strides, self.layout.offset() / 2);
        let layout = layout.map_err(|cause| self.no_view("view_as_complex", cause))?;
        Ok(Tensor { dtype, layout, capacity: self.capacity / 2, ..self.clone() })
    }

    pub(super) fn refused(&self, operator: &'static str, reason: String) -> Error {
        Error::Argument { operator, operands: self.operands(), reason }
    }

    /// Returns an axis counted from the start.
    pub(crate) fn axis(&self, axis: impl Index) -> Result<usize, LayoutError> {
        axis_of(axis, self.rank(), self.rank())
    }

    /// Returns the size of an axis, or 0 if it does not exist.
    pub(crate) fn size(&self, axis: usize) -> usize {
        self.shape().get(axis).copied().unwrap_or(0)
    }

    /// Returns the layout of every `step`-th index of a range on an axis.
    pub(super) fn cut(
        &self,
        axis: impl Index,
        range: impl IndexRange,
        step: isize,
    ) -> Result<Layout, LayoutError> {
        let axis = self.axis(axis)?;
        self.layout.slice(axis, self.range(axis, range)?, step)
    }

    /// Returns the first index of `range` on an axis, and the index after the last one.
    fn range(&self, axis: usize, range: impl IndexRange) -> Result<Range<usize>, LayoutError> {
        let size = self.size(axis);
        let behind = |index: i128| if index < 0 { index } else { index.saturating_add(1) };
        let (start, end) = range.bounds();
        let start = match start {
            Bound::Included(index) => from_start(index, size),
            Bound::Excluded(index) => behind(from_start(index, size)),
            Bound::Unbounded => 0,
        };
        let end = match end {
            Bound::Included(index) => behind(from_start(index, size)),
            Bound::Excluded(index) => from_start(index, size),
            Bound::Unbounded => size as i128,
        };
        match (usize::try_from(start), usize::try_from(end)) {
            (Ok(start), Ok(end)) => Ok(start..end),
            _ => Err(LayoutError::Range { axis, range: Box::new(start..end), size }),
        }
    }
}

/// Returns one of `count` axes, counted from the start.
pub(crate) fn axis_of(axis: impl Index, count: usize, rank: usize) -> Result<usize, LayoutError> {
    let axis = axis.number();
    let counted = usize::try_from(from_start(axis, count)).ok().filter(|&counted| counted < count);
    counted.ok_or(LayoutError::Axis { axis, rank })
}
