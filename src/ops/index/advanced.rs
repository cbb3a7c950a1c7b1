//! Tensors of indices, or masks, for each axis, as NumPy and PyTorch index with arrays.

use aclnn_numerics::layout::broadcast;
use aclnn_numerics::{DType, Shape};

use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::Tensor;

impl Tensor {
    #[inline]
    fn by<'a>(&'a self, name: &'static str, indices: &[Option<&'a Tensor>]) -> Operation<'a> {
        let operation = Operation::new(name, self.stream()).tensor("self", self);
        indices.iter().flatten().fold(operation, |all, index| all.tensor("index", index))
    }

    /// Returns the elements at the positions that `indices` gives: for each axis a tensor of indices, or `None` for all of it;
    /// axes without an entry count as `None`. The tensors of indices, of i32 or i64, are broadcast to one shape, which takes
    /// the place of the axes that they are for if those follow each other, and comes first otherwise, as in NumPy and PyTorch.
    /// [Negative indices](crate::ops#indices) count from the end.
    ///
    /// For a mask, take [`Tensor::masked_select`], or the indices that [`Tensor::nonzero_axes`] returns.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let columns = Tensor::from_slice(&device, &[0i64, -1], 2)?;
    /// assert_eq!(grid.index(&[None, Some(&columns)])?.to_vec::<i32>()?, [1, 3, 4, 6]);
    /// let rows = Tensor::from_slice(&device, &[1i64, 0], 2)?;
    /// assert_eq!(grid.index(&[Some(&rows), Some(&columns)])?.to_vec::<i32>()?, [4, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[doc(alias = "aclnnIndex")]
    #[inline]
    pub fn index(&self, indices: &[Option<&Tensor>]) -> Result<Tensor> {
        let operation = self.by("index", indices);
        operation.placed()?;
        operation.takes("Index", signatures::index.takes, self.dtype())?;
        let shape = operation.indexed_shape("Index", self, indices)?;
        if indices.iter().flatten().next().is_none() {
            return self.copy();
        }
        let out = operation.empty(shape.clone(), self.dtype())?;
        operation.ranks_of(&out)?;
        // The library takes a tensor of indices without elements for a whole axis, so nothing is found without it.
        if out.numel() == 0 {
            return Ok(out);
        }
        let whole = operation.empty(0, DType::I64)?;
        let list: Vec<&Tensor> = indices.iter().map(|index| index.unwrap_or(&whole)).collect();
        launch::Index(operation.stream.into(), self, &list, &out)?;
        Ok(out)
    }

    /// Returns a copy of this tensor with `values` at the positions that `indices` gives, as for [`Tensor::index`]. `values` is
    /// of the same type and is broadcast to what `index` would return. Where a position occurs several times, the emulator
    /// writes in order, so that the last value stays; a device may write in any order.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[0i64, 2], 2)?;
    /// let changed = line.index_put(&[Some(&at)], &Tensor::from_slice(&device, &[7, 9], 2)?)?;
    /// assert_eq!(changed.to_vec::<i32>()?, [7, 2, 9]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index`].
    #[doc(alias = "aclnnIndexPutImpl")]
    #[inline]
    pub fn index_put(&self, indices: &[Option<&Tensor>], values: &Tensor) -> Result<Tensor> {
        self.put_at("index_put", indices, values, false, false)
    }

    /// Writes `values` to the positions that `indices` gives, as [`Tensor::index_put`] does in a copy.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let column = Tensor::from_slice(&device, &[1i64], 1)?;
    /// grid.index_put_in_place(&[None, Some(&column)], &Tensor::from_slice(&device, &[0], 1)?)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [1, 0, 3, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnIndexPutImpl")]
    #[inline]
    pub fn index_put_in_place(&mut self, indices: &[Option<&Tensor>], values: &Tensor) -> Result<()> {
        self.put_at("index_put_in_place", indices, values, false, true).map(drop)
    }

    /// Returns a copy of this tensor with `values` added at the positions that `indices` gives, as for [`Tensor::index_put`].
    /// Where a position occurs several times, all its values are added; halves are added in f32 and rounded once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[2i64, 2], 2)?;
    /// let changed = line.index_put_add(&[Some(&at)], &Tensor::from_slice(&device, &[10, 20], 2)?)?;
    /// assert_eq!(changed.to_vec::<i32>()?, [1, 2, 33]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index`].
    #[doc(alias = "aclnnIndexPutImpl")]
    #[inline]
    pub fn index_put_add(&self, indices: &[Option<&Tensor>], values: &Tensor) -> Result<Tensor> {
        self.put_at("index_put_add", indices, values, true, false)
    }

    /// Adds `values` at the positions that `indices` gives, as [`Tensor::index_put_add`] does in a copy.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[0i64, 0], 2)?;
    /// line.index_put_add_in_place(&[Some(&at)], &Tensor::from_slice(&device, &[10], 1)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [21, 2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_put_in_place`].
    #[doc(alias = "aclnnIndexPutImpl")]
    #[inline]
    pub fn index_put_add_in_place(&mut self, indices: &[Option<&Tensor>], values: &Tensor) -> Result<()> {
        self.put_at("index_put_add_in_place", indices, values, true, true).map(drop)
    }

    #[inline]
    fn put_at(
        &self,
        name: &'static str,
        indices: &[Option<&Tensor>],
        values: &Tensor,
        adds: bool,
        in_place: bool,
    ) -> Result<Tensor> {
        let operation = self.by(name, indices).tensor("values", values);
        operation.placed()?;
        operation.takes("IndexPutImpl", signatures::index_put.takes, self.dtype())?;
        operation.same_type("values", values, self)?;
        let shape = operation.indexed_shape("IndexPutImpl", self, indices)?;
        if broadcast(values.shape(), &shape).ok().as_ref() != Some(&shape) {
            let given = values.shape();
            return Err(
                operation.refused(format!("values has shape {given}, which is not broadcast to {shape}"))
            );
        }
        if in_place {
            let mut others = vec![("values", values)];
            others.extend(indices.iter().flatten().map(|index| ("index", *index)));
            operation.changes(self, &others)?;
        }
        let target = if in_place { self.clone() } else { self.copy()? };
        if shape.is_empty_tensor() {
            return Ok(target);
        }
        if indices.iter().flatten().next().is_none() {
            return Err(operation.refused("no axis has indices; use copy_from or add_in_place".to_owned()));
        }
        let whole = operation.empty(0, DType::I64)?;
        let list: Vec<&Tensor> = indices.iter().map(|index| index.unwrap_or(&whole)).collect();
        launch::IndexPutImpl(operation.stream.into(), &target, &list, values, adds, true)?;
        Ok(target)
    }
}

impl Operation<'_> {
    /// Returns the shape of what a tensor of indices for each axis finds.
    #[inline]
    fn indexed_shape(&self, by: &'static str, own: &Tensor, indices: &[Option<&Tensor>]) -> Result<Shape> {
        if indices.len() > own.rank() {
            let reason = format!("there are {} entries, but self has {} axes", indices.len(), own.rank());
            return Err(self.refused(reason));
        }
        let mut made = Shape::from(&[][..]);
        let mut axes = Vec::new();
        for (axis, index) in indices.iter().enumerate() {
            let Some(index) = index else { continue };
            if index.dtype() == DType::Bool {
                let reason = "a mask is no tensor of indices; pass what nonzero_axes returns for it";
                return Err(self.refused(reason.to_owned()));
            }
            self.takes(by, signatures::index.indices, index.dtype())?;
            made = broadcast(&made, index.shape())
                .map_err(|why| self.refused(format!("the tensors of indices do not broadcast: {why}")))?;
            axes.push(axis);
        }
        let is_adjacent = axes.windows(2).all(|pair| matches!(pair, [one, next] if one + 1 == *next));
        let position = axes.first().copied().filter(|_| is_adjacent).unwrap_or(0);
        let free = own.dims().iter().enumerate().filter(|(axis, _)| !axes.contains(axis));
        let mut shape: Vec<usize> = free.map(|(_, size)| *size).collect();
        let position = position.min(shape.len());
        shape.splice(position..position, made.iter().copied());
        Ok(Shape::from(&shape[..]))
    }
}
