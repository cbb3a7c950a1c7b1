//! Views with axes merged, moved and exchanged, and the sizes of a fixed number of axes.

use std::ops::Bound;

use aclnn_numerics::Shape;
use aclnn_numerics::layout::LayoutError;

use super::index::from_start;
use super::{Index, Tensor, axis_of};
use crate::error::Result;

impl Tensor {
    /// Returns a view with the last two axes exchanged; a tensor of fewer axes stays as it is.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.t()?.to_vec::<i32>()?, [1, 4, 2, 5, 3, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// None today; the result is one as for every view.
    #[doc(alias = "mT", alias = "adjoint")]
    #[doc(alias = "T")]
    pub fn t(&self) -> Result<Tensor> {
        if self.rank() < 2 { Ok(self.clone()) } else { self.transpose(-2, -1) }
    }

    /// Returns a view with two axes exchanged, as [`Tensor::transpose`] does.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 3, 4], DType::F32)?.swapaxes(0, 2)?.dims(), [4, 3, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::transpose`].
    #[doc(alias = "swapdims")]
    #[doc(alias = "swap_dims")]
    pub fn swapaxes(&self, first: impl Index, second: impl Index) -> Result<Tensor> {
        self.transpose(first, second)
    }

    /// Returns a view with one axis at another place; the others keep their order.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let image = Tensor::zeros(&device, [480, 640, 3], DType::U8)?;
    /// assert_eq!(image.movedim(-1, 0)?.dims(), [3, 480, 640]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if an axis does not exist.
    #[doc(alias = "moveaxis")]
    pub fn movedim(&self, from: impl Index, to: impl Index) -> Result<Tensor> {
        let layout = self.axis(from).and_then(|from| {
            let to = self.axis(to)?;
            let mut axes: Vec<usize> = (0..self.rank()).filter(|axis| *axis != from).collect();
            axes.insert(to, from);
            self.layout.permute(&axes)
        });
        self.view("movedim", layout)
    }

    /// Returns a view of `length` consecutive indices of one axis, from `start` on.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3, 4, 5], 5)?;
    /// assert_eq!(line.narrow(0, 1, 3)?.to_vec::<i32>()?, [2, 3, 4]);
    /// assert_eq!(line.narrow(0, -2, 2)?.to_vec::<i32>()?, [4, 5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if the axis does not exist, or the indices do not lie within it.
    #[doc(alias = "aclnnSlice")]
    pub fn narrow(&self, axis: impl Index, start: impl Index, length: usize) -> Result<Tensor> {
        let layout = self.axis(axis).and_then(|axis| {
            let size = self.size(axis);
            let start = from_start(start.number(), size);
            let end = start.saturating_add(length as i128);
            if start < 0 {
                return Err(LayoutError::Range { axis, range: Box::new(start..end), size });
            }
            self.cut(axis, (Bound::Included(start), Bound::Excluded(end)), 1)
        });
        self.view("narrow", layout)
    }

    /// Returns a view of the same elements in the same order, with the axes from `first` to `last` merged into one.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let images = Tensor::zeros(&device, [8, 3, 4, 5], DType::F32)?;
    /// assert_eq!(images.flatten(1, -1)?.dims(), [8, 60]);
    /// assert_eq!(images.flatten(0, 1)?.dims(), [24, 4, 5]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if an axis does not exist, or if the elements lie so that a copy would be needed: then
    /// call [`Tensor::contiguous`] first; [`Error::Argument`](crate::Error::Argument) if `last` lies before `first`.
    #[doc(alias = "aclnnFlatten", alias = "start_dim", alias = "flatten_from", alias = "flatten_to")]
    pub fn flatten(&self, first: impl Index, last: impl Index) -> Result<Tensor> {
        // A tensor without axes counts as one with a single axis.
        let count = self.rank().max(1);
        let axis = |axis| axis_of(axis, count, self.rank()).map_err(|cause| self.no_view("flatten", cause));
        let (first, last) = (axis(first.number())?, axis(last.number())?);
        if last < first {
            return Err(self.refused("flatten", format!("axis {last} lies before axis {first}")));
        }
        let (before, rest) = self.dims().split_at(first.min(self.rank()));
        let (merged, behind) = rest.split_at((last - first + 1).min(rest.len()));
        let size = merged.iter().fold(1usize, |all, size| all.saturating_mul(*size));
        let shape: Shape = before.iter().copied().chain([size]).chain(behind.iter().copied()).collect();
        self.view("flatten", self.layout.reshape(shape))
    }

    /// Returns a view of the same elements in the same order on one axis.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(grid.flatten_all()?.dims(), [6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::reshape`].
    #[doc(alias = "aclnnFlatten", alias = "ravel")]
    pub fn flatten_all(&self) -> Result<Tensor> {
        self.view("flatten_all", self.layout.reshape(self.numel()))
    }

    /// Returns a view of the same elements with one axis divided into several, whose sizes multiply to its size.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let heads = Tensor::zeros(&device, [8, 16, 768], DType::F16)?.unflatten(-1, [12, 64])?;
    /// assert_eq!(heads.dims(), [8, 16, 12, 64]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::View`](crate::Error::View) if the axis does not exist; [`Error::Argument`](crate::Error::Argument) if its size is
    /// another, or there are no sizes.
    pub fn unflatten(&self, axis: impl Index, sizes: impl Into<Shape>) -> Result<Tensor> {
        let axis = axis_of(axis.number(), self.rank(), self.rank())
            .map_err(|cause| self.no_view("unflatten", cause))?;
        let (before, rest) = self.dims().split_at(axis.min(self.rank()));
        let sizes = sizes.into();
        let product = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
        if sizes.is_empty() || product != rest.first().copied() {
            let size = rest.first().copied().unwrap_or_default();
            return Err(self.refused(
                "unflatten",
                format!("the sizes {sizes} do not multiply to {size}, the size of axis {axis}"),
            ));
        }
        let behind = rest.get(1..).unwrap_or_default();
        let shape: Shape = before.iter().chain(sizes.iter()).chain(behind).copied().collect();
        self.view("unflatten", self.layout.reshape(shape))
    }

    /// Returns a view that repeats axes of size 1 to a larger shape, as [`Tensor::broadcast_to`] does.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let column = Tensor::from_slice(&device, &[1, 2], [2, 1])?;
    /// assert_eq!(column.expand([2, 3])?.to_vec::<i32>()?, [1, 1, 1, 2, 2, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::broadcast_to`].
    #[doc(alias = "aclnnExpand", alias = "broadcast_as", alias = "expand_as")]
    pub fn expand(&self, shape: impl Into<Shape>) -> Result<Tensor> {
        self.broadcast_to(shape)
    }

    /// Returns views of vectors as the coordinates of a grid, one for each vector. An axis of the grid belongs to each vector,
    /// in order; with `xy` the first two are exchanged, as for pictures.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (x, y) = (Tensor::from_slice(&device, &[1, 2, 3], 3)?, Tensor::from_slice(&device, &[7, 8], 2)?);
    /// let grids = Tensor::meshgrid(&[&x, &y], false)?;
    /// assert_eq!(grids[0].to_vec::<i32>()?, [1, 1, 2, 2, 3, 3]);
    /// assert_eq!(grids[1].to_vec::<i32>()?, [7, 8, 7, 8, 7, 8]);
    /// assert_eq!(Tensor::meshgrid(&[&x, &y], true)?[0].dims(), [2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if a tensor has more axes than one; [`Error::Tensor`](crate::Error::Tensor) if the
    /// grid has more elements than an `i64` counts.
    pub fn meshgrid(vectors: &[&Tensor], xy: bool) -> Result<Vec<Tensor>> {
        let place = |number: usize| match number {
            0 | 1 if xy && vectors.len() > 1 => 1 - number,
            other => other,
        };
        let mut grid = vec![1; vectors.len()];
        for (number, vector) in vectors.iter().enumerate() {
            if vector.rank() > 1 {
                let reason = format!("tensor {number} has {} axes; coordinates are vectors", vector.rank());
                return Err(vector.refused("meshgrid", reason));
            }
            if let Some(size) = grid.get_mut(place(number)) {
                *size = vector.numel();
            }
        }
        let coordinates = vectors.iter().enumerate().map(|(number, vector)| {
            let mut shape = vec![1; grid.len()];
            if let Some(size) = shape.get_mut(place(number)) {
                *size = vector.numel();
            }
            vector.reshape(shape)?.broadcast_to(grid.as_slice())
        });
        coordinates.collect()
    }

    /// Returns the size of a tensor of one axis.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [3], DType::F32)?.dims1()?, 3);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if there are more axes or none.
    pub fn dims1(&self) -> Result<usize> {
        self.sizes("dims1").map(|[size]| size)
    }

    /// Returns the sizes of a tensor of two axes.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (rows, columns) = Tensor::zeros(&device, [2, 3], DType::F32)?.dims2()?;
    /// assert_eq!((rows, columns), (2, 3));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if there are more axes or fewer.
    pub fn dims2(&self) -> Result<(usize, usize)> {
        self.sizes("dims2").map(|[first, second]| (first, second))
    }

    /// Returns the sizes of a tensor of three axes.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::zeros(&device, [2, 3, 4], DType::F32)?.dims3()?, (2, 3, 4));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if there are more axes or fewer.
    pub fn dims3(&self) -> Result<(usize, usize, usize)> {
        self.sizes("dims3").map(|[first, second, third]| (first, second, third))
    }

    /// Returns the sizes of a tensor of four axes.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let images = Tensor::zeros(&device, [8, 3, 32, 32], DType::F32)?;
    /// let (batch, channels, height, width) = images.dims4()?;
    /// assert_eq!((batch, channels, height, width), (8, 3, 32, 32));
    /// assert!(images.dims2().is_err());
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`](crate::Error::Argument) if there are more axes or fewer.
    pub fn dims4(&self) -> Result<(usize, usize, usize, usize)> {
        self.sizes("dims4").map(|[first, second, third, fourth]| (first, second, third, fourth))
    }

    /// Returns the sizes of a tensor of `N` axes.
    fn sizes<const N: usize>(&self, method: &'static str) -> Result<[usize; N]> {
        <[usize; N]>::try_from(self.dims()).map_err(|_| {
            let (axes, has) = (if N == 1 { "axis" } else { "axes" }, self.rank());
            self.refused(method, format!("it has {has} axes, and sizes of {N} {axes} were asked for"))
        })
    }
}
