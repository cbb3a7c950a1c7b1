//! Slices along an axis that indices number, written, filled or added to.

use super::super::fill::converted;
use super::super::prepared::prepared;
use super::checks::sizes;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// Slices added to those of a tensor, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct IndexAdd<'a> {
    own: &'a Tensor,
    axis: i128,
    index: &'a Tensor,
    source: &'a Tensor,
    alpha: Scalar,
    stream: Option<&'a Stream>,
}

/// Prepares [`Tensor::index_add`].
///
/// Nothing is launched before [`IndexAdd::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let line = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
/// let at = Tensor::from_slice(&device, &[1i64], 1)?;
/// let sum = ops::index_add(&line, 0, &at, &Tensor::from_slice(&device, &[4.0f32], 1)?).alpha(0.5).run()?;
/// assert_eq!(sum.to_vec::<f32>()?, [1.0, 4.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnIndexAdd")]
pub fn index_add<'a>(
    own: &'a Tensor,
    axis: impl Index,
    index: &'a Tensor,
    source: &'a Tensor,
) -> IndexAdd<'a> {
    IndexAdd { own, axis: axis.number(), index, source, alpha: 1.into(), stream: None }
}

prepared! {
    ['a] IndexAdd<'a>:
    on("the tensor")
}

impl<'a> IndexAdd<'a> {
    /// Sets a factor of what is added, which is converted to the type of the tensor as by [`Tensor::full`]; 1 if it is not set.
    pub fn alpha(mut self, alpha: impl Into<Scalar>) -> Self {
        self.alpha = alpha.into();
        self
    }

    /// Queues the operation and returns the result, a new tensor.
    ///
    /// # Errors
    /// Those of [`Tensor::index_add`].
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_to("index_add", false)
    }

    #[inline]
    fn run_to(&self, name: &'static str, in_place: bool) -> Result<Tensor> {
        let Self { own, axis, index, source, alpha, .. } = *self;
        let stream = self.stream.unwrap_or(own.stream());
        let operation = Operation::new(name, stream)
            .tensor("self", own)
            .tensor("index", index)
            .tensor("source", source)
            .scalar("alpha", alpha);
        let axis = operation.slices("IndexAdd", signatures::index_add.takes, (own, axis), index, source)?;
        let alpha = converted(&operation, alpha, own.dtype())?;
        let out = operation.target(own, in_place, &[("index", index), ("source", source)])?;
        if source.numel() == 0 {
            // The library leaves the output as it is.
            return if in_place { Ok(out) } else { own.copy() };
        }
        launch::IndexAdd(stream.into(), own, axis, index, source, &alpha, &out)?;
        Ok(out)
    }
}

impl Operation<'_> {
    /// Checks the slices of `source`, of which `index` says where each belongs along an axis. Returns that axis.
    #[inline]
    fn slices(
        &self,
        by: &'static str,
        takes: aclnn_numerics::types_by_product::Types,
        (own, axis): (&Tensor, i128),
        index: &Tensor,
        source: &Tensor,
    ) -> Result<i64> {
        self.checked(by, (own, takes), (index, signatures::index_add.indices))?;
        self.same_type("source", source, own)?;
        let axis = self.axis(own, axis)?;
        let count = self.on_one_axis(index)?;
        let mut wanted = sizes(own);
        if let Some(size) = wanted.get_mut(axis) {
            *size = count;
        }
        if sizes(source) != wanted {
            self.has_shape("source", source, &wanted)?;
        }
        Ok(axis as i64)
    }

    /// Returns the tensor itself, which nothing that is read shares memory with, or one for the result.
    #[inline]
    fn target(&self, own: &Tensor, in_place: bool, others: &[(&'static str, &Tensor)]) -> Result<Tensor> {
        if in_place {
            self.changes(own, others)?;
            return Ok(own.clone());
        }
        self.empty(own.shape(), own.dtype())
    }
}

impl Tensor {
    /// Returns a copy of this tensor with the slices of `source` along an axis added where `index` says: slice number `i` is
    /// added to the slice that element `i` of `index` numbers. `source` is of the same type and shape, but for as many indices
    /// on that axis as `index` has; `index` has one axis, of i32 or i64, and [negative indices](crate::ops#indices) are not
    /// taken. Slices that belong to one index are all added, in order; halves are added in f32 and rounded once.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[0i64, 2, 2], 3)?;
    /// let sum = line.index_add(0, &at, &Tensor::from_slice(&device, &[10, 20, 30], 3)?)?;
    /// assert_eq!(sum.to_vec::<i32>()?, [11, 2, 53]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::index_add`](crate::ops::index_add) takes options.
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, [`Argument`](crate::Error::Argument),
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the
    /// library refuses.
    #[doc(alias = "aclnnIndexAdd")]
    pub fn index_add(&self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<Tensor> {
        index_add(self, axis, index, source).run()
    }

    /// Adds the slices of `source` to those of this tensor, as [`Tensor::index_add`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[2i64], 1)?;
    /// line.index_add_in_place(0, &at, &Tensor::from_slice(&device, &[10], 1)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [1, 2, 13]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_add`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnIndexAdd")]
    pub fn index_add_in_place(&mut self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<()> {
        index_add(self, axis, index, source).run_to("index_add_in_place", true).map(drop)
    }

    /// Returns a copy of this tensor with the slices of `source` along an axis where `index` says, as for
    /// [`Tensor::index_add`]. Of slices that belong to one index the emulator writes the last one; a device may write any of
    /// them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let at = Tensor::from_slice(&device, &[1i64], 1)?;
    /// let column = Tensor::from_slice(&device, &[7, 8], [2, 1])?;
    /// assert_eq!(grid.index_copy(1, &at, &column)?.to_vec::<i32>()?, [1, 7, 3, 8]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_add`].
    #[doc(alias = "aclnnIndexCopy")]
    #[doc(alias = "slice_scatter")]
    pub fn index_copy(&self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<Tensor> {
        let operation = self.copying("index_copy", index, source);
        let axis = operation.slices(
            "IndexCopy",
            signatures::index_copy.takes,
            (self, axis.number()),
            index,
            source,
        )?;
        if source.numel() == 0 {
            return self.copy();
        }
        let out = operation.target(self, false, &[])?;
        launch::IndexCopy(operation.stream.into(), self, axis, index, source, &out)?;
        Ok(out)
    }

    /// Writes the slices of `source` to those of this tensor, as [`Tensor::index_copy`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut cache = Tensor::zeros(&device, [3, 2], aclnn::DType::I32)?;
    /// let at = Tensor::from_slice(&device, &[1i64], 1)?;
    /// cache.index_copy_in_place(0, &at, &Tensor::from_slice(&device, &[7, 8], [1, 2])?)?;
    /// assert_eq!(cache.to_vec::<i32>()?, [0, 0, 7, 8, 0, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_add_in_place`].
    #[doc(alias = "aclnnInplaceIndexCopy")]
    pub fn index_copy_in_place(&mut self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<()> {
        let operation = self.copying("index_copy_in_place", index, source);
        let takes = signatures::index_copy.takes;
        let axis = operation.slices("InplaceIndexCopy", takes, (self, axis.number()), index, source)?;
        operation.target(self, true, &[("index", index), ("source", source)])?;
        launch::InplaceIndexCopy(operation.stream.into(), self, axis, index, source)
    }

    #[inline]
    fn copying<'a>(&'a self, name: &'static str, index: &'a Tensor, source: &'a Tensor) -> Operation<'a> {
        Operation::new(name, self.stream())
            .tensor("self", self)
            .tensor("index", index)
            .tensor("source", source)
    }

    /// Returns a copy of this tensor with `value` in the slices along an axis that `index`, of i32 or i64, numbers. The value
    /// is converted as by [`Tensor::full`]. [Negative indices](crate::ops#indices) count from the end, and indices that do not
    /// exist are passed over. Products before the 910B do not have this function; they have [`Tensor::index_fill_at`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let at = Tensor::from_slice(&device, &[-1i64], 1)?;
    /// assert_eq!(grid.index_fill(0, &at, 9)?.to_vec::<i32>()?, [1, 2, 9, 9]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_add`], and [`Scalar`](crate::Error::Scalar).
    #[doc(alias = "aclnnIndexFill")]
    pub fn index_fill(&self, axis: impl Index, index: &Tensor, value: impl Into<Scalar>) -> Result<Tensor> {
        let value = value.into();
        let operation = self.filling("index_fill", value).tensor("index", index);
        let axis = operation.filled("IndexFill", (self, axis.number()), index)?;
        let value = converted(&operation, value, self.dtype())?;
        let out = operation.target(self, false, &[])?;
        launch::IndexFill(operation.stream.into(), self, axis, index, &value, &out)?;
        Ok(out)
    }

    /// Writes `value` to slices of this tensor, as [`Tensor::index_fill`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// line.index_fill_in_place(0, &Tensor::from_slice(&device, &[0i64], 1)?, 9)?;
    /// assert_eq!(line.to_vec::<i32>()?, [9, 2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_fill`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnInplaceIndexFill")]
    pub fn index_fill_in_place(
        &mut self,
        axis: impl Index,
        index: &Tensor,
        value: impl Into<Scalar>,
    ) -> Result<()> {
        let value = value.into();
        let operation = self.filling("index_fill_in_place", value).tensor("index", index);
        let axis = operation.filled("InplaceIndexFill", (self, axis.number()), index)?;
        let value = converted(&operation, value, self.dtype())?;
        operation.target(self, true, &[("index", index)])?;
        launch::InplaceIndexFill(operation.stream.into(), self, axis, index, &value)
    }

    /// Returns a copy of this tensor with `value` in the slices along an axis that numbers of the host say, of which negative
    /// ones count from the end. The value is converted as by [`Tensor::full`]; products before the 950 also pass it through
    /// f32, so that integers beyond 2²⁴ lose their last bits.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// assert_eq!(line.index_fill_at(0, &[0, -1], 7)?.to_vec::<i32>()?, [7, 2, 7]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_fill`]; [`Argument`](crate::Error::Argument) also if an index does not exist.
    #[doc(alias = "aclnnIndexFillTensor")]
    pub fn index_fill_at(&self, axis: impl Index, index: &[i64], value: impl Into<Scalar>) -> Result<Tensor> {
        let value = value.into();
        let operation = self.filling("index_fill_at", value);
        let axis = operation.filled_at("IndexFillTensor", (self, axis.number()), index, value)?;
        let out = operation.target(self, false, &[])?;
        launch::IndexFillTensor(operation.stream.into(), self, axis, index, &value, &out)?;
        Ok(out)
    }

    /// Writes `value` to slices of this tensor, as [`Tensor::index_fill_at`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// line.index_fill_at_in_place(0, &[-1], 0)?;
    /// assert_eq!(line.to_vec::<i32>()?, [1, 2, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_fill_at`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnInplaceIndexFillTensor")]
    pub fn index_fill_at_in_place(
        &mut self,
        axis: impl Index,
        index: &[i64],
        value: impl Into<Scalar>,
    ) -> Result<()> {
        let value = value.into();
        let operation = self.filling("index_fill_at_in_place", value);
        let axis = operation.filled_at("InplaceIndexFillTensor", (self, axis.number()), index, value)?;
        operation.target(self, true, &[])?;
        launch::InplaceIndexFillTensor(operation.stream.into(), self, axis, index, &value)
    }

    #[inline]
    fn filling(&self, name: &'static str, value: Scalar) -> Operation<'_> {
        Operation::new(name, self.stream()).tensor("self", self).scalar("value", value)
    }
}

impl Operation<'_> {
    #[inline]
    fn filled(&self, by: &'static str, (own, axis): (&Tensor, i128), index: &Tensor) -> Result<i64> {
        self.checked(by, (own, signatures::index_fill.takes), (index, signatures::index_fill.indices))?;
        let axis = self.axis(own, axis)?;
        self.on_one_axis(index)?;
        Ok(axis as i64)
    }

    #[inline]
    fn filled_at(
        &self,
        by: &'static str,
        (own, axis): (&Tensor, i128),
        index: &[i64],
        value: Scalar,
    ) -> Result<i64> {
        self.placed()?;
        self.takes(by, signatures::index_fill_at.takes, own.dtype())?;
        let axis = self.axis(own, axis)?;
        let size = sizes(own).get(axis).copied().unwrap_or(1);
        let exists =
            |number: &&i64| i128::from(**number) >= -(size as i128) && i128::from(**number) < size as i128;
        if let Some(number) = index.iter().find(|number| !exists(number)) {
            return Err(self.refused(format!("axis {axis} has {size} indices, and {number} is none of them")));
        }
        if value.dtype().is_complex() {
            return Err(self.bad_scalar(format!("value is {}, but must be real", value.dtype())));
        }
        Ok(axis as i64)
    }
}
