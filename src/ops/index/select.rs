//! Elements and slices taken out of a tensor.

use super::checks::sizes;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
use crate::tensor::{Index, Tensor};

impl Tensor {
    #[inline]
    fn indexed<'a>(&'a self, name: &'static str, index: &'a Tensor) -> Operation<'a> {
        Operation::new(name, self.stream()).tensor("self", self).tensor("index", index)
    }

    /// Returns the slices along an axis that `index` numbers, in its order: a tensor of the same shape, but with as many
    /// indices on that axis as `index` has. `index` has one axis, of i32 or i64; [negative indices](crate::ops#indices) are not
    /// taken.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let columns = grid.index_select(1, &Tensor::from_slice(&device, &[2i64, 0], 2)?)?;
    /// assert_eq!(columns.to_vec::<i32>()?, [3, 1, 6, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, [`Argument`](crate::Error::Argument),
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the
    /// library refuses.
    #[doc(alias = "aclnnIndexSelect")]
    #[doc(alias = "select_dim")]
    pub fn index_select(&self, axis: impl Index, index: &Tensor) -> Result<Tensor> {
        let operation = self.indexed("index_select", index);
        let signature = signatures::index_select;
        operation.checked("IndexSelect", (self, signature.takes), (index, signature.indices))?;
        let axis = operation.axis(self, axis)?;
        let count = operation.on_one_axis(index)?;
        let mut made = self.dims().to_vec();
        match made.get_mut(axis) {
            Some(size) => *size = count,
            None if count == 1 => {}
            None => return Err(operation.refused(format!("self has one element, but index has {count}"))),
        }
        let out = operation.empty(&made[..], self.dtype())?;
        launch::IndexSelect(operation.stream.into(), self, axis as i64, index, &out)?;
        Ok(out)
    }

    /// Returns the slices along an axis that `index` numbers, arranged as `index` is: its axes take the place of that axis.
    /// `index` is i32 or i64, and [negative indices](crate::ops#indices) count from the end.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[10, 20, 30], 3)?;
    /// let square = line.take_axis(0, &Tensor::from_slice(&device, &[0i64, -1, 1, 1], [2, 2])?)?;
    /// assert_eq!((square.dims(), square.to_vec::<i32>()?), (&[2, 2][..], vec![10, 30, 20, 20]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_select`].
    #[doc(alias = "aclnnGatherV2")]
    pub fn take_axis(&self, axis: impl Index, index: &Tensor) -> Result<Tensor> {
        let operation = self.indexed("take_axis", index);
        let signature = signatures::gather_v2;
        operation.checked("GatherV2", (self, signature.takes), (index, signature.indices))?;
        let axis = operation.axis(self, axis)?;
        let own = sizes(self);
        let made =
            [own.get(..axis).unwrap_or_default(), index.dims(), own.get(axis + 1..).unwrap_or_default()];
        // The library sees an index without axes as one with a single axis, and a tensor without axes as its only element.
        let seen = if index.rank() == 0 { index.reshape(1)? } else { index.clone() };
        let own = if self.rank() == 0 { self.reshape(1)? } else { self.clone() };
        let out = operation.empty(&made.concat()[..], self.dtype())?;
        operation.ranks_of(&out)?;
        let written = if index.rank() == 0 { out.unsqueeze(axis)? } else { out.clone() };
        launch::GatherV2(operation.stream.into(), &own, axis as i64, &seen, &written)?;
        Ok(out)
    }

    /// Returns the elements that `index` numbers in row-major order, in its shape. `index` is i32 or i64, and
    /// [negative indices](crate::ops#indices) count from the end.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let taken = grid.take(&Tensor::from_slice(&device, &[3i64, 0, -2], 3)?)?;
    /// assert_eq!(taken.to_vec::<i32>()?, [4, 1, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_select`], but for the axis.
    #[doc(alias = "aclnnTake")]
    #[inline]
    pub fn take(&self, index: &Tensor) -> Result<Tensor> {
        let operation = self.indexed("take", index);
        operation.checked("Take", (self, signatures::take.takes), (index, signatures::take.indices))?;
        if self.numel() == 0 && index.numel() > 0 {
            return Err(operation.refused("self has no elements to take".to_owned()));
        }
        let out = operation.empty(index.shape(), self.dtype())?;
        launch::Take(operation.stream.into(), self, index, &out)?;
        Ok(out)
    }

    /// Returns for each element of `index` the element of this tensor at the same place, but along one axis at the index that
    /// it holds. `index` has as many axes as this tensor, is nowhere longer but along that axis, and is i32 or i64;
    /// [negative indices](crate::ops#indices) count from the end, but not on an Ascend 950.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let gathered = grid.gather(1, &Tensor::from_slice(&device, &[1i64, 1, 0, 1], [2, 2])?)?;
    /// assert_eq!(gathered.to_vec::<i32>()?, [2, 2, 3, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_select`].
    #[doc(alias = "aclnnGather")]
    #[doc(alias = "take_along_axis", alias = "take_along_dim")]
    pub fn gather(&self, axis: impl Index, index: &Tensor) -> Result<Tensor> {
        let operation = self.indexed("gather", index);
        operation.checked("Gather", (self, signatures::gather.takes), (index, signatures::gather.indices))?;
        let axis = operation.axis(self, axis)?;
        operation.lies_in(("index", index), ("self", self), Some(axis))?;
        if self.numel() == 0 && index.numel() > 0 {
            return Err(operation.refused(format!("axis {axis} of self has no elements to gather")));
        }
        let out = operation.empty(index.shape(), self.dtype())?;
        launch::Gather(operation.stream.into(), self, axis as i64, index, &out)?;
        Ok(out)
    }

    /// Returns the elements, or slices, at the coordinates in the last axis of `indices`: a tensor with the other axes of
    /// `indices`, followed by the axes of this tensor that no coordinate is for. `indices` is i32 or i64, and
    /// [negative coordinates](crate::ops#indices) count from the end.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let elements = grid.gather_nd(&Tensor::from_slice(&device, &[0i64, 1, -1, 0], [2, 2])?)?;
    /// assert_eq!(elements.to_vec::<i32>()?, [2, 3]);
    /// let rows = grid.gather_nd(&Tensor::from_slice(&device, &[1i64], [1, 1])?)?;
    /// assert_eq!(rows.to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_select`], but for the axis.
    #[doc(alias = "aclnnGatherNd")]
    #[inline]
    pub fn gather_nd(&self, indices: &Tensor) -> Result<Tensor> {
        let operation = self.indexed("gather_nd", indices);
        let signature = signatures::gather_nd;
        operation.checked("GatherNd", (self, signature.takes), (indices, signature.indices))?;
        let made = operation.at_coordinates(self, indices)?;
        let out = operation.empty(&made[..], self.dtype())?;
        launch::GatherNd(operation.stream.into(), self, indices, true, &out)?;
        Ok(out)
    }
}

impl Operation<'_> {
    /// Returns the shape of what lies at the coordinates in the last axis of `indices`.
    #[inline]
    pub(super) fn at_coordinates(&self, own: &Tensor, indices: &Tensor) -> Result<Vec<usize>> {
        let split = indices.dims().split_last();
        let known = split.and_then(|(count, leading)| Some((leading, own.dims().get(*count..)?, *count)));
        match known {
            Some((leading, rest, 1..)) => Ok([leading, rest].concat()),
            _ => Err(self.refused(format!(
                "the last axis of index, of shape {}, must have from 1 to {} coordinates, for axes of self",
                indices.shape(),
                own.rank()
            ))),
        }
    }

    /// Checks that a result has no more axes than operators take.
    #[inline]
    pub(super) fn ranks_of(&self, out: &Tensor) -> Result<()> {
        if out.rank() > crate::limits::MAX_RANK {
            let most = crate::limits::MAX_RANK;
            return Err(self.refused(format!(
                "the result would have {} axes, of which {most} are possible",
                out.rank()
            )));
        }
        Ok(())
    }
}
