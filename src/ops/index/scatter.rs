//! Elements written where the elements of a tensor of indices say, along an axis, or combined with what is there.

use aclnn_numerics::product::Product;
use aclnn_numerics::{DType, Shape};

use super::super::fill::converted;
use super::super::prepared::prepared;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// The combination of an element with those that are written to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScatterReduction {
    /// Their sum; whether one is true, for bool.
    Sum,
    /// Their product; whether all are true, for bool.
    Product,
    /// The greatest of them; NaN if one is NaN.
    Max,
    /// The smallest of them; NaN if one is NaN.
    Min,
    /// Their mean; that of integers is rounded down.
    Mean,
}

impl ScatterReduction {
    /// The number of the reduction among the arguments of the library.
    #[inline]
    fn number(self) -> i64 {
        match self {
            ScatterReduction::Sum => 1,
            ScatterReduction::Product => 2,
            ScatterReduction::Max => 3,
            ScatterReduction::Min => 4,
            ScatterReduction::Mean => 5,
        }
    }
}

/// Elements combined with those of a tensor, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct ScatterReduce<'a> {
    own: &'a Tensor,
    axis: i128,
    index: &'a Tensor,
    source: &'a Tensor,
    by: ScatterReduction,
    includes_own: bool,
    stream: Option<&'a Stream>,
}

/// Prepares [`Tensor::scatter_reduce`].
///
/// Nothing is launched before [`ScatterReduce::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let line = Tensor::from_slice(&device, &[1.0f32, 2.0], 2)?;
/// let at = Tensor::from_slice(&device, &[1i64, 1], 2)?;
/// let source = Tensor::from_slice(&device, &[4.0f32, 8.0], 2)?;
/// let sum = ops::scatter_reduce(&line, 0, &at, &source, ops::ScatterReduction::Sum).run()?;
/// assert_eq!(sum.to_vec::<f32>()?, [1.0, 14.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnScatterReduce")]
pub fn scatter_reduce<'a>(
    own: &'a Tensor,
    axis: impl Index,
    index: &'a Tensor,
    source: &'a Tensor,
    by: ScatterReduction,
) -> ScatterReduce<'a> {
    ScatterReduce { own, axis: axis.number(), index, source, by, includes_own: true, stream: None }
}

prepared! {
    ['a] ScatterReduce<'a>:
    on("the tensor")
}

impl<'a> ScatterReduce<'a> {
    /// Leaves the elements of the tensor itself out, which count otherwise. Elements that nothing belongs to stay.
    #[inline]
    pub fn exclude_self(mut self) -> Self {
        self.includes_own = false;
        self
    }

    /// Queues the operation and returns the result, a new tensor.
    ///
    /// # Errors
    /// Those of [`Tensor::scatter_reduce`].
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_to("scatter_reduce", false)
    }

    #[inline]
    fn run_to(&self, name: &'static str, in_place: bool) -> Result<Tensor> {
        let Self { own, axis, index, source, by, includes_own, .. } = *self;
        let stream = self.stream.unwrap_or(own.stream());
        // Sums and products have an operator that takes more types.
        let is_plain = includes_own && matches!(by, ScatterReduction::Sum | ScatterReduction::Product);
        if is_plain {
            return scattered(name, stream, (own, axis), index, source, by.number(), in_place);
        }
        let operation =
            Operation::new(name, stream).tensor("self", own).tensor("index", index).tensor("source", source);
        if operation.product() == Some(Product::Ascend910B)
            && (by, includes_own) != (ScatterReduction::Sum, true)
        {
            let what =
                if includes_own { "this reduction" } else { "a reduction without the tensor's own elements" };
            return Err(operation.refused(format!("the library has {what} on other products only")));
        }
        operation.takes("ScatterReduce", signatures::scatter_reduce.takes, own.dtype())?;
        let out_of_order =
            matches!(by, ScatterReduction::Max | ScatterReduction::Min) && own.dtype().is_complex();
        if out_of_order || by == ScatterReduction::Mean && own.dtype() == DType::Bool {
            return Err(operation.refused(format!("there is no such reduction of {}", own.dtype())));
        }
        let axis = operation.scatters("ScatterReduce", (own, axis), index, Some(source))?;
        if index.numel() == 0 {
            return if in_place { Ok(own.clone()) } else { own.copy() };
        }
        let (number, on) = (by.number(), stream.into());
        if in_place {
            operation.changes(own, &[("index", index), ("source", source)])?;
            launch::InplaceScatterReduce(on, own, axis, index, source, number, includes_own)?;
            return Ok(own.clone());
        }
        let out = operation.empty(own.shape(), own.dtype())?;
        launch::ScatterReduce(on, own, axis, index, source, number, includes_own, &out)?;
        Ok(out)
    }
}

/// Writes the elements of `source`, or combines them, by the library's number of a reduction.
#[inline]
fn scattered(
    name: &'static str,
    stream: &Stream,
    (own, axis): (&Tensor, i128),
    index: &Tensor,
    source: &Tensor,
    reduce: i64,
    in_place: bool,
) -> Result<Tensor> {
    let operation =
        Operation::new(name, stream).tensor("self", own).tensor("index", index).tensor("source", source);
    let axis = operation.scatters("Scatter", (own, axis), index, Some(source))?;
    if in_place {
        operation.changes(own, &[("index", index), ("source", source)])?;
        if index.numel() > 0 {
            launch::InplaceScatter(stream.into(), own, axis, index, source, reduce)?;
        }
        return Ok(own.clone());
    }
    let out = operation.empty(own.shape(), own.dtype())?;
    launch::Scatter(stream.into(), own, axis, index, source, reduce, &out)?;
    Ok(out)
}

impl Operation<'_> {
    /// Checks the operands of an operator that writes where the elements of `index` say, along an axis. Returns the axis.
    #[inline]
    fn scatters(
        &self,
        by: &'static str,
        (own, axis): (&Tensor, i128),
        index: &Tensor,
        source: Option<&Tensor>,
    ) -> Result<i64> {
        let signature = signatures::scatter;
        self.checked(by, (own, signature.takes), (index, signature.indices))?;
        let axis = self.axis(own, axis)?;
        self.lies_in(("index", index), ("self", own), Some(axis))?;
        if let Some(source) = source {
            self.same_type("source", source, own)?;
            self.lies_in(("index", index), ("source", source), None)?;
        }
        if own.numel() == 0 && index.numel() > 0 {
            return Err(self.refused(format!("axis {axis} of self has no elements to write")));
        }
        Ok(axis as i64)
    }
}

impl Tensor {
    /// Returns a copy of this tensor with the elements of `source` where `index` says: the element of `source` at the place of
    /// each element of `index` goes to the same place, but along one axis to the index that this holds. All three have as many
    /// axes; `index` is i32 or i64, is nowhere longer than `source`, and nowhere longer than this tensor but along the axis;
    /// `source` is of the same type. [Negative indices](crate::ops#indices) count from the end, but not on an Ascend 950. Of
    /// elements that belong to one place the emulator writes the last one; a device may write any of them.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let at = Tensor::from_slice(&device, &[1i64, 0], [2, 1])?;
    /// let source = Tensor::from_slice(&device, &[7, 8], [2, 1])?;
    /// assert_eq!(grid.scatter(1, &at, &source)?.to_vec::<i32>()?, [1, 7, 8, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, [`Argument`](crate::Error::Argument),
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and [`Unsupported`](crate::Error::Unsupported), all
    /// before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the
    /// library refuses.
    #[doc(alias = "aclnnScatter")]
    #[doc(alias = "put_along_axis")]
    #[doc(alias = "scatter_set")]
    pub fn scatter(&self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<Tensor> {
        scattered("scatter", self.stream(), (self, axis.number()), index, source, 0, false)
    }

    /// Writes elements of `source` to this tensor, as [`Tensor::scatter`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[2i64, 0], 2)?;
    /// line.scatter_in_place(0, &at, &Tensor::from_slice(&device, &[8, 9], 2)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [9, 2, 8]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnInplaceScatter")]
    pub fn scatter_in_place(&mut self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<()> {
        let (name, own) = ("scatter_in_place", (&*self, axis.number()));
        scattered(name, self.stream(), own, index, source, 0, true).map(drop)
    }

    /// Returns a copy of this tensor with `value` where `index` says, as for [`Tensor::scatter`]. The value is converted as by
    /// [`Tensor::full`].
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let classes = Tensor::from_slice(&device, &[2i64, 0], [2, 1])?;
    /// let one_hot = Tensor::zeros(&device, [2, 3], aclnn::DType::F32)?.scatter_value(1, &classes, 1)?;
    /// assert_eq!(one_hot.to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter`], and [`Scalar`](crate::Error::Scalar).
    #[doc(alias = "aclnnScatterValue")]
    pub fn scatter_value(
        &self,
        axis: impl Index,
        index: &Tensor,
        value: impl Into<Scalar>,
    ) -> Result<Tensor> {
        let (operation, axis, value) =
            self.scatters_value("scatter_value", "ScatterValue", axis.number(), index, value.into())?;
        let out = operation.empty(self.shape(), self.dtype())?;
        launch::ScatterValue(operation.stream.into(), self, axis, index, &value, 0, &out)?;
        Ok(out)
    }

    /// Makes a tensor with 1 at the place of each index on a new last axis of `classes` places, and 0 elsewhere.
    ///
    /// ```
    /// use aclnn::{DType, Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let labels = Tensor::from_slice(&device, &[2i64, 0], 2)?;
    /// assert_eq!(labels.one_hot(3, DType::F32)?.to_vec::<f32>()?, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::zeros`] and [`Tensor::scatter_value`], whose index this tensor is: an index beyond the classes fails as
    /// it does there.
    #[doc(alias = "aclnnInplaceScatterValue")]
    #[inline]
    pub fn one_hot(&self, classes: usize, dtype: DType) -> Result<Tensor> {
        let shape: Shape = self.dims().iter().copied().chain([classes]).collect();
        let mut hot = Tensor::zeros(self.stream(), shape, dtype)?;
        hot.scatter_value_in_place(-1, &self.unsqueeze(-1)?, 1)?;
        Ok(hot)
    }

    /// Writes `value` to elements of this tensor, as [`Tensor::scatter_value`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// line.scatter_value_in_place(0, &Tensor::from_slice(&device, &[1i64], 1)?, 0)?;
    /// assert_eq!(line.to_vec::<i32>()?, [1, 0, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter_value`], and [`SharedElements`](crate::Error::SharedElements).
    #[doc(alias = "aclnnInplaceScatterValue")]
    pub fn scatter_value_in_place(
        &mut self,
        axis: impl Index,
        index: &Tensor,
        value: impl Into<Scalar>,
    ) -> Result<()> {
        let (name, by) = ("scatter_value_in_place", "InplaceScatterValue");
        let (operation, axis, value) = self.scatters_value(name, by, axis.number(), index, value.into())?;
        operation.changes(self, &[("index", index)])?;
        if index.numel() == 0 {
            return Ok(());
        }
        launch::InplaceScatterValue(operation.stream.into(), self, axis, index, &value, 0)
    }

    #[inline]
    fn scatters_value<'a>(
        &'a self,
        name: &'static str,
        by: &'static str,
        axis: i128,
        index: &'a Tensor,
        value: Scalar,
    ) -> Result<(Operation<'a>, i64, Scalar)> {
        let operation = Operation::new(name, self.stream())
            .tensor("self", self)
            .tensor("index", index)
            .scalar("value", value);
        let axis = operation.scatters(by, (self, axis), index, None)?;
        let value = converted(&operation, value, self.dtype())?;
        Ok((operation, axis, value))
    }

    /// Returns a copy of this tensor with the elements of `source` added where `index` says, as for [`Tensor::scatter`]. All
    /// elements that belong to one place are added, in order; halves are added in f32 and rounded once, and bool is true if one
    /// is.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let counts = Tensor::zeros(&device, [3], aclnn::DType::I32)?;
    /// let seen = Tensor::from_slice(&device, &[2i64, 0, 2, 2], 4)?;
    /// let counts = counts.scatter_add(0, &seen, &Tensor::ones(&device, [4], aclnn::DType::I32)?)?;
    /// assert_eq!(counts.to_vec::<i32>()?, [1, 0, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter`].
    #[doc(alias = "aclnnScatterAdd")]
    #[doc(alias = "scatter_add_set")]
    pub fn scatter_add(&self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<Tensor> {
        let operation = Operation::new("scatter_add", self.stream())
            .tensor("self", self)
            .tensor("index", index)
            .tensor("source", source);
        let axis = operation.scatters("ScatterAdd", (self, axis.number()), index, Some(source))?;
        let out = operation.empty(self.shape(), self.dtype())?;
        launch::ScatterAdd(operation.stream.into(), self, axis, index, source, &out)?;
        Ok(out)
    }

    /// Adds elements of `source` to those of this tensor, as [`Tensor::scatter_add`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[1, 2, 3], 3)?;
    /// let at = Tensor::from_slice(&device, &[0i64, 0], 2)?;
    /// line.scatter_add_in_place(0, &at, &Tensor::from_slice(&device, &[10, 20], 2)?)?;
    /// assert_eq!(line.to_vec::<i32>()?, [31, 2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter_in_place`].
    #[doc(alias = "aclnnInplaceScatter")]
    pub fn scatter_add_in_place(&mut self, axis: impl Index, index: &Tensor, source: &Tensor) -> Result<()> {
        let (name, own) = ("scatter_add_in_place", (&*self, axis.number()));
        scattered(name, self.stream(), own, index, source, 1, true).map(drop)
    }

    /// Returns a copy of this tensor with its elements and those of `source` that belong to them, as for [`Tensor::scatter`],
    /// reduced to one each. An Ascend 910B has sums and products only.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops::ScatterReduction};
    ///
    /// let device = Device::open(0)?;
    /// let line = Tensor::from_slice(&device, &[2, 3], 2)?;
    /// let at = Tensor::from_slice(&device, &[0i64, 0], 2)?;
    /// let source = Tensor::from_slice(&device, &[5, 7], 2)?;
    /// assert_eq!(line.scatter_reduce(0, &at, &source, ScatterReduction::Product)?.to_vec::<i32>()?, [70, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::scatter_reduce`](crate::ops::scatter_reduce) takes options.
    ///
    /// # Errors
    /// Those of [`Tensor::scatter`].
    #[doc(alias = "aclnnScatter")]
    #[doc(alias = "aclnnScatterReduce")]
    pub fn scatter_reduce(
        &self,
        axis: impl Index,
        index: &Tensor,
        source: &Tensor,
        by: ScatterReduction,
    ) -> Result<Tensor> {
        scatter_reduce(self, axis, index, source, by).run()
    }

    /// Reduces elements of this tensor with those of `source`, as [`Tensor::scatter_reduce`] does in a new one.
    ///
    /// ```
    /// use aclnn::{Device, Tensor, ops::ScatterReduction};
    ///
    /// let device = Device::open(0)?;
    /// let mut line = Tensor::from_slice(&device, &[2.0f32, 3.0], 2)?;
    /// let at = Tensor::from_slice(&device, &[1i64], 1)?;
    /// let source = Tensor::from_slice(&device, &[5.0f32], 1)?;
    /// line.scatter_reduce_in_place(0, &at, &source, ScatterReduction::Product)?;
    /// assert_eq!(line.to_vec::<f32>()?, [2.0, 15.0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::scatter_in_place`].
    #[doc(alias = "aclnnInplaceScatter")]
    #[doc(alias = "aclnnInplaceScatterReduce")]
    pub fn scatter_reduce_in_place(
        &mut self,
        axis: impl Index,
        index: &Tensor,
        source: &Tensor,
        by: ScatterReduction,
    ) -> Result<()> {
        scatter_reduce(self, axis, index, source, by).run_to("scatter_reduce_in_place", true).map(drop)
    }
}
