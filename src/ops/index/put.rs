//! Elements and slices written at coordinates, at numbers of elements, and from a position on.

use aclnn_numerics::DType;

use crate::argument_checks::{Operation, accepts};
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

impl Tensor {
    /// Returns a copy of this tensor with `updates` at the coordinates in the last axis of `indices`: elements, or slices, with
    /// the other axes of `indices` before them. `indices` is i32 or i64, and [negative coordinates](crate::ops#indices) are not
    /// taken. Of updates for one place the emulator writes the last one; a device may write any of them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0], [2, 2])?;
    /// let at = Tensor::from_slice(&device, &[0i64, 1, 1, 0], [2, 2])?;
    /// let changed = grid.scatter_nd(&at, &Tensor::from_slice(&device, &[7.0f32, 8.0], 2)?)?;
    /// assert_eq!(changed.to_vec::<f32>()?, [1.0, 7.0, 8.0, 4.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter`], but for the axis.
    #[doc(alias = "aclnnScatterNd")]
    #[doc(alias = "aclnnScatterNdUpdate")]
    #[inline]
    pub fn scatter_nd(&self, indices: &Tensor, updates: &Tensor) -> Result<Tensor> {
        self.updated("scatter_nd", indices, updates, false)
    }

    /// Writes `updates` to this tensor, as [`Tensor::scatter_nd`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], 3)?;
    /// let at = Tensor::from_slice(&device, &[2i64], [1, 1])?;
    /// line.scatter_nd_in_place(&at, &Tensor::from_slice(&device, &[7.0f32], 1)?)?;
    /// assert_eq!(line.to_vec::<f32>()?, [1.0, 2.0, 7.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter_nd`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnScatterNdUpdate")]
    #[inline]
    pub fn scatter_nd_in_place(&mut self, indices: &Tensor, updates: &Tensor) -> Result<()> {
        self.updated("scatter_nd_in_place", indices, updates, true).map(drop)
    }

    #[inline]
    fn updated(
        &self,
        name: &'static str,
        indices: &Tensor,
        updates: &Tensor,
        in_place: bool,
    ) -> Result<Tensor> {
        let operation = Operation::new(name, self.stream())
            .tensor("self", self)
            .tensor("indices", indices)
            .tensor("updates", updates);
        // The form that makes a new tensor takes fewer types, and no single update without axes.
        let device = operation.stream.device();
        let makes_new = !in_place
            && updates.rank() > 0
            && updates.numel() > 0
            && accepts(device, signatures::scatter_nd.takes, self.dtype());
        let (by, signature) = match makes_new {
            true => ("ScatterNd", signatures::scatter_nd),
            false => ("ScatterNdUpdate", signatures::scatter_nd_update),
        };
        operation.checked(by, (self, signature.takes), (indices, signature.indices))?;
        operation.same_type("updates", updates, self)?;
        let wanted = operation.at_coordinates(self, indices)?;
        operation.has_shape("updates", updates, &wanted)?;
        if makes_new {
            let out = operation.empty(self.shape(), self.dtype())?;
            launch::ScatterNd(operation.stream.into(), self, indices, updates, &out)?;
            return Ok(out);
        }
        if in_place {
            operation.changes(self, &[("indices", indices), ("updates", updates)])?;
        }
        let target = if in_place { self.clone() } else { self.copy()? };
        if updates.numel() > 0 && self.numel() > 0 {
            launch::ScatterNdUpdate(operation.stream.into(), &target, indices, updates)?;
        }
        Ok(target)
    }

    /// Returns a copy of this tensor with the elements of `source` at the positions in row-major order that `index` numbers.
    /// `index`, of i32 or i64, and `source`, of the type of this tensor, have as many elements;
    /// [negative indices](crate::ops#indices) are not taken. Of elements for one place the emulator writes the last one; a device may
    /// write any of them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let at = Tensor::from_slice(&device, &[3i64, 0], 2)?;
    /// let changed = grid.put(&at, &Tensor::from_slice(&device, &[8, 9], 2)?)?;
    /// assert_eq!(changed.to_vec::<i32>()?, [9, 2, 3, 8]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter`], but for the axis.
    #[doc(alias = "aclnnInplacePut")]
    #[inline]
    pub fn put(&self, index: &Tensor, source: &Tensor) -> Result<Tensor> {
        self.put_flat("put", index, source, false, false)
    }

    /// Writes the elements of `source` to this tensor, as [`Tensor::put`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let at = Tensor::from_slice(&device, &[2i64], 1)?;
    /// grid.put_in_place(&at, &Tensor::from_slice(&device, &[0], 1)?)?;
    /// assert_eq!(grid.to_vec::<i32>()?, [1, 2, 0, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::put`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnInplacePut")]
    #[inline]
    pub fn put_in_place(&mut self, index: &Tensor, source: &Tensor) -> Result<()> {
        self.put_flat("put_in_place", index, source, false, true).map(drop)
    }

    /// Returns a copy of this tensor with the elements of `source` added at the positions that `index` numbers, as for
    /// [`Tensor::put`]. All elements for one place are added, in order; bf16 is not added.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2], 2)?;
    /// let at = Tensor::from_slice(&device, &[1i64, 1], 2)?;
    /// let changed = line.put_add(&at, &Tensor::from_slice(&device, &[10, 20], 2)?)?;
    /// assert_eq!(changed.to_vec::<i32>()?, [1, 32]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::put`].
    #[doc(alias = "aclnnInplacePut")]
    #[inline]
    pub fn put_add(&self, index: &Tensor, source: &Tensor) -> Result<Tensor> {
        self.put_flat("put_add", index, source, true, false)
    }

    /// Adds the elements of `source` to those of this tensor, as [`Tensor::put_add`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2], 2)?;
    /// let at = Tensor::from_slice(&device, &[0i64, 0], 2)?;
    /// line.put_add_in_place(&at, &Tensor::from_slice(&device, &[10, 20], 2)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [31, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::put_in_place`].
    #[doc(alias = "aclnnInplacePut")]
    #[inline]
    pub fn put_add_in_place(&mut self, index: &Tensor, source: &Tensor) -> Result<()> {
        self.put_flat("put_add_in_place", index, source, true, true).map(drop)
    }

    #[inline]
    fn put_flat(
        &self,
        name: &'static str,
        index: &Tensor,
        source: &Tensor,
        adds: bool,
        in_place: bool,
    ) -> Result<Tensor> {
        let operation = Operation::new(name, self.stream())
            .tensor("self", self)
            .tensor("index", index)
            .tensor("source", source);
        operation.checked("InplacePut", (self, signatures::put.takes), (index, signatures::put.indices))?;
        operation.same_type("source", source, self)?;
        if adds && self.dtype() == DType::BF16 {
            return Err(operation.refused("the library adds no bf16 here; cast to f32 first".to_owned()));
        }
        let (count, given) = (index.numel(), source.numel());
        if count != given {
            let reason = format!("index has {count} elements, but source has {given}");
            return Err(operation.refused(reason));
        }
        if self.numel() == 0 && count > 0 {
            return Err(operation.refused("self has no elements to write".to_owned()));
        }
        if in_place {
            operation.changes(self, &[("index", index), ("source", source)])?;
        }
        let target = if in_place { self.clone() } else { self.copy()? };
        if count > 0 {
            launch::InplacePut(operation.stream.into(), &target, index, source, adds)?;
        }
        Ok(target)
    }

    /// Writes `updates` to this tensor from a position on along an axis, as a cache of keys and values is filled: for entry `b`
    /// of the first axis from the position `indices[b]` on. `indices`, of i32 or i64, may also hold pairs, of the entry and the
    /// position. `updates` is of the same type and has as many axes, none of which but the first and that one differs; the axis
    /// is not the first one. [Negative indices](crate::ops#indices) are not taken.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut cache = Tensor::zeros(&device, [2, 3, 1], aclnn::DType::F32)?;
    /// let new = Tensor::from_slice(&device, &[5.0f32, 6.0], [2, 1, 1])?;
    /// cache.scatter_update_in_place(1, &Tensor::from_slice(&device, &[2i64, 0], 2)?, &new)?;
    /// assert_eq!(cache.to_vec::<f32>()?, [0.0, 0.0, 5.0, 6.0, 0.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter_in_place`].
    #[doc(alias = "aclnnInplaceScatterUpdate")]
    pub fn scatter_update_in_place(
        &mut self,
        axis: impl Index,
        indices: &Tensor,
        updates: &Tensor,
    ) -> Result<()> {
        let operation = Operation::new("scatter_update_in_place", self.stream())
            .tensor("self", self)
            .tensor("indices", indices)
            .tensor("updates", updates);
        let signature = signatures::scatter_update;
        operation.checked("InplaceScatterUpdate", (self, signature.takes), (indices, signature.indices))?;
        operation.same_type("updates", updates, self)?;
        let axis = operation.axis(self, axis)?;
        let sizes = self.dims().iter().zip(updates.dims()).enumerate();
        let fits = |(number, (own, new)): (usize, (&usize, &usize))| match number {
            0 => true,
            number if number == axis => new <= own,
            _ => new == own,
        };
        let entries = updates.dims().first().copied().unwrap_or(0);
        let numbers = match *indices.dims() {
            [] => entries == 1,
            [count] => count == entries && self.dims().first().is_some_and(|own| entries <= *own),
            [count, 2] => count == entries,
            _ => false,
        };
        if axis == 0 || updates.rank() != self.rank() || !sizes.into_iter().all(fits) || !numbers {
            let (new, at) = (updates.shape(), indices.shape());
            let reason =
                format!("updates of shape {new} at indices of shape {at} do not fit along axis {axis}");
            return Err(operation.refused(reason));
        }
        if [&*self, indices, updates].iter().any(|tensor| tensor.numel() == 0) {
            return Err(operation.refused("the library takes no tensor without elements here".to_owned()));
        }
        operation.changes(self, &[("indices", indices), ("updates", updates)])?;
        launch::InplaceScatterUpdate(operation.stream.into(), self, indices, updates, axis as i64)
    }
}
