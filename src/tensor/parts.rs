//! Consecutive views along one axis.

use std::iter::FusedIterator;
use std::ops::Range;

use aclnn_numerics::layout::LayoutError;

use super::{Index, Tensor};
use crate::error::Result;

/// An iterator over consecutive views along an axis of a tensor, in order. Each view is made on demand, so there may be
/// more of them than fit into memory.
#[must_use = "a part is made when it is asked for"]
#[derive(Debug, Clone)]
pub struct Parts {
    tensor: Tensor,
    axis: usize,
    /// The indices of each part but the last one; `None` if each part is a single index, whose axis disappears.
    size: Option<usize>,
    left: Range<usize>,
}

impl Tensor {
    /// Splits one axis into parts of `size` indices; the last part may have fewer. An axis of size 0 gives one part.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3, 4, 5], 5)?;
    /// for mut pair in line.split(0, 2)? {
    ///     pair.mul_in_place(pair.numel())?;
    /// }
    /// assert_eq!(line.to_vec::<i32>()?, [2, 4, 6, 8, 5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if the axis does not exist or `size` is 0.
    #[doc(alias = "aclnnSplitTensor")]
    pub fn split(&self, axis: impl Index, size: usize) -> Result<Parts> {
        let parts = self.axis(axis).and_then(|axis| {
            let count = div_ceil(self.size(axis), size)?.max(1);
            Ok((axis, Some(size), count))
        });
        self.parts("split", parts)
    }

    /// Splits one axis into parts of the given sizes, in order.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3, 4, 5], 5)?;
    /// let parts = line.split_with_sizes(0, &[1, 0, 4])?;
    /// let sizes: Vec<_> = parts.iter().map(|part| part.numel()).collect();
    /// assert_eq!(sizes, [1, 0, 4]);
    /// assert_eq!(parts[2].to_vec::<i32>()?, [2, 3, 4, 5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if the axis does not exist or the sizes do not make its size.
    #[doc(alias = "aclnnSplitWithSize")]
    pub fn split_with_sizes(&self, axis: impl Index, sizes: &[usize]) -> Result<Vec<Tensor>> {
        let parts = self.axis(axis).and_then(|axis| {
            let size = self.size(axis);
            let sum = sizes.iter().fold(0usize, |sum, part| sum.saturating_add(*part));
            if sum != size {
                return Err(LayoutError::Range { axis, range: Box::new(0..sum as i128), size });
            }
            let mut begin = 0;
            let part = |part: &usize| {
                let range = begin..begin + *part;
                begin = range.end;
                self.layout.slice(axis, range, 1)
            };
            sizes.iter().map(part).collect::<Result<Vec<_>, _>>()
        });
        let parts = parts.map_err(|cause| self.no_view("split_with_sizes", cause))?;
        Ok(parts.into_iter().map(|layout| Tensor { layout, ..self.clone() }).collect())
    }

    /// Splits one axis into `count` parts, as PyTorch does: every part has the size of the longest one, so the last
    /// part may be shorter, and there may be fewer parts. An axis of size 0 gives `count` parts of size 0.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::arange(&device, 0, 7, 1, DType::I32)?;
    /// let sizes: Vec<_> = line.chunk(0, 3)?.map(|part| part.numel()).collect();
    /// assert_eq!(sizes, [3, 3, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if the axis does not exist or `count` is 0.
    pub fn chunk(&self, axis: impl Index, count: usize) -> Result<Parts> {
        let parts = self.axis(axis).and_then(|axis| {
            let len = self.size(axis);
            let size = div_ceil(len, count)?;
            Ok((axis, Some(size), if size == 0 { count } else { len.div_ceil(size) }))
        });
        self.parts("chunk", parts)
    }

    /// Iterates over the indices of one axis, which disappears: each item is a [`Tensor::select`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let columns = grid.unbind(1)?.map(|column| column.to_vec::<i32>()).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(columns, [[1, 4], [2, 5], [3, 6]]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if the axis does not exist.
    pub fn unbind(&self, axis: impl Index) -> Result<Parts> {
        let parts = self.axis(axis).map(|axis| (axis, None, self.size(axis)));
        self.parts("unbind", parts)
    }

    /// Iterates over the indices of the first axis, which disappears: over the rows of a matrix.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], (2, 3))?;
    /// let rows: Vec<_> = grid.iter()?.map(|row| row.to_string()).collect();
    /// assert_eq!(rows, ["[1, 2, 3] i32[3] on device 0", "[4, 5, 6] i32[3] on device 0"]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if there are no axes.
    pub fn iter(&self) -> Result<Parts> {
        let parts = self.axis(0).map(|axis| (axis, None, self.size(axis)));
        self.parts("iter", parts)
    }

    fn parts(
        &self,
        view: &'static str,
        parts: Result<(usize, Option<usize>, usize), LayoutError>,
    ) -> Result<Parts> {
        let (axis, size, count) = parts.map_err(|cause| self.no_view(view, cause))?;
        Ok(Parts { tensor: self.clone(), axis, size, left: 0..count })
    }
}

/// Returns the number of parts of size `by` in `len`; zero is an error.
fn div_ceil(len: usize, by: usize) -> Result<usize, LayoutError> {
    if by == 0 { Err(LayoutError::ZeroParts) } else { Ok(len.div_ceil(by)) }
}

impl Parts {
    fn part(&self, number: usize) -> Option<Tensor> {
        let Tensor { layout, .. } = &self.tensor;
        let layout = match self.size {
            None => layout.select(self.axis, number),
            Some(size) => {
                let first = number.saturating_mul(size);
                let end = first.saturating_add(size).min(self.tensor.size(self.axis));
                layout.slice(self.axis, first..end, 1)
            }
        };
        // The whole axis lies in the layout, so every part of it does.
        layout.ok().map(|layout| Tensor { layout, ..self.tensor.clone() })
    }
}

impl Iterator for Parts {
    type Item = Tensor;

    fn next(&mut self) -> Option<Tensor> {
        self.left.next().and_then(|number| self.part(number))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Tensor> {
        self.left.nth(n).and_then(|number| self.part(number))
    }
}

impl DoubleEndedIterator for Parts {
    fn next_back(&mut self) -> Option<Tensor> {
        self.left.next_back().and_then(|number| self.part(number))
    }
}

impl ExactSizeIterator for Parts {}

impl FusedIterator for Parts {}
