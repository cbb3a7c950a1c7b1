//! Sorting, and the greatest or smallest elements.

use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

use super::super::prepared::prepared;
use super::elements::{cast_to, ordered_as, planned};
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::plan::Plan;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// A sort along an axis, with options. It is ascending unless [`Sort::descending`] says otherwise.
///
/// NaN is greater than every number, and zeros of both signs are equal. An Ascend 910 sorts f32 as f16: the values come back
/// rounded to f16 there.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Sort<'a> {
    own: &'a Tensor,
    axis: i128,
    descending: bool,
    stable: bool,
    stream: Option<&'a Stream>,
}

/// Prepares a sort of the elements along an axis.
///
/// Nothing is launched before [`Sort::run`] or [`Sort::indices`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[2, 3, 1, 3], 4)?;
/// let (values, indices) = ops::sort(&a, 0).descending().stable().run()?;
/// assert_eq!(values.to_vec::<i32>()?, [3, 3, 2, 1]);
/// assert_eq!(indices.to_vec::<i64>()?, [1, 3, 0, 2]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnSort")]
#[doc(alias = "aclnnArgsort")]
pub fn sort(own: &Tensor, axis: impl Index) -> Sort<'_> {
    Sort { own, axis: axis.number(), descending: false, stable: false, stream: None }
}

prepared! {
    ['a] Sort<'a>:
    on("the tensor")
}

impl<'a> Sort<'a> {
    /// Lets the greatest element come first.
    #[inline]
    pub fn descending(mut self) -> Self {
        self.descending = true;
        self
    }

    /// Lets equal elements keep their order. Otherwise a device may return them in any order; the emulator always keeps it.
    #[inline]
    pub fn stable(mut self) -> Self {
        self.stable = true;
        self
    }

    #[inline]
    fn operation(&self, name: &'static str) -> Operation<'a> {
        Operation::new(name, self.stream.unwrap_or(self.own.stream())).tensor("self", self.own)
    }

    /// Returns the plan of what [`Sort::run`] would launch. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`Sort::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        self.planned(&self.operation("sort")).map(|(plan, _)| plan)
    }

    /// The plan, and the axis.
    #[inline]
    fn planned(&self, operation: &Operation<'_>) -> Result<(Plan, usize)> {
        operation.placed()?;
        let axis = operation.axis(self.own, self.axis)?;
        let dtype = ordered_as(operation, "Sort", signatures::sort.takes, self.own.dtype())?;
        let shape = self.own.shape().clone();
        Ok((planned(operation, "Sort", self.own, dtype, shape)?, axis))
    }

    /// Queues the sort. Returns the elements in order, and for each the index on the axis at which it was, as i64.
    ///
    /// # Errors
    /// [`View`](crate::Error::View) if the axis does not exist, [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched; [`OutOfMemory`](crate::Error::OutOfMemory);
    /// [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor)> {
        self.sorted(&self.operation("sort"))
    }

    #[inline]
    fn sorted(&self, operation: &Operation<'_>) -> Result<(Tensor, Tensor)> {
        let (plan, axis) = self.planned(operation)?;
        let own = cast_to(operation, self.own, plan.compute)?;
        let values = operation.empty(&plan.shape, plan.compute)?;
        let indices = operation.empty(&plan.shape, DType::I64)?;
        let on = operation.stream.into();
        launch::Sort(on, &own, self.stable, axis as i64, self.descending, &values, &indices)?;
        Ok((cast_to(operation, &values, plan.out)?, indices))
    }

    /// Queues the sort. Returns where the elements in order were, as indices on the axis, as i64.
    ///
    /// # Errors
    /// Those of [`Sort::run`].
    #[inline]
    pub fn indices(&self) -> Result<Tensor> {
        let operation = self.operation("argsort");
        operation.placed()?;
        let axis = operation.axis(self.own, self.axis)?;
        // The library's Argsort keeps no order of equal elements, and does not take some tensors of bf16.
        let is_single = self.own.dims().get(axis) == Some(&1) && self.own.dtype() == DType::BF16;
        if self.stable || is_single {
            return self.sorted(&operation).map(|(_, indices)| indices);
        }
        let dtype = ordered_as(&operation, "Argsort", signatures::argsort.takes, self.own.dtype())?;
        let own = cast_to(&operation, self.own, dtype)?;
        let indices = operation.empty(own.shape(), DType::I64)?;
        launch::Argsort(operation.stream.into(), &own, axis as i64, self.descending, &indices)?;
        Ok(indices)
    }
}

/// The greatest or smallest elements along an axis, with options.
///
/// NaN is greater than every number; of equal elements the emulator takes those with the smaller index. An Ascend 910
/// compares f32 as f16 in most cases: the values come back rounded to f16 there.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct TopK<'a> {
    own: &'a Tensor,
    k: usize,
    axis: i128,
    largest: bool,
    sorted: bool,
    stream: Option<&'a Stream>,
}

/// Prepares the choice of the `k` greatest elements along an axis.
///
/// Nothing is launched before [`TopK::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[2.5f32, 0.5, 1.5], 3)?;
/// let (values, indices) = ops::topk(&a, 2, 0).smallest().run()?;
/// assert_eq!((values.to_vec::<f32>()?, indices.to_vec::<i64>()?), (vec![0.5, 1.5], vec![1, 2]));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnTopk")]
pub fn topk(own: &Tensor, k: usize, axis: impl Index) -> TopK<'_> {
    TopK { own, k, axis: axis.number(), largest: true, sorted: true, stream: None }
}

prepared! {
    ['a] TopK<'a>:
    on("the tensor")
}

impl<'a> TopK<'a> {
    /// Chooses the smallest elements, the smallest first.
    #[inline]
    pub fn smallest(mut self) -> Self {
        self.largest = false;
        self
    }

    /// Lets a device return the chosen elements in any order.
    #[inline]
    pub fn unsorted(mut self) -> Self {
        self.sorted = false;
        self
    }

    #[inline]
    fn operation(&self) -> Operation<'a> {
        Operation::new("topk", self.stream.unwrap_or(self.own.stream())).tensor("self", self.own)
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`TopK::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        self.planned(&self.operation()).map(|(plan, _)| plan)
    }

    /// The plan, and the axis.
    #[inline]
    fn planned(&self, operation: &Operation<'_>) -> Result<(Plan, usize)> {
        operation.placed()?;
        let axis = operation.axis(self.own, self.axis)?;
        let len = self.own.dims().get(axis).copied().unwrap_or(1);
        if self.k > len {
            return Err(
                operation.refused(format!("k is {}, but axis {axis} has only {len} elements", self.k))
            );
        }
        let dtype = ordered_as(operation, "Topk", signatures::topk.takes, self.own.dtype())?;
        let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_slice(self.own.dims());
        sizes.iter_mut().skip(axis).take(1).for_each(|size| *size = self.k);
        let shape = match self.own.rank() {
            // No element of a tensor without axes.
            0 if self.k == 0 => Shape::from([0]),
            _ => Shape::from(&sizes[..]),
        };
        Ok((planned(operation, "Topk", self.own, dtype, shape)?, axis))
    }

    /// Queues the choice. Returns `k` elements along the axis, and for each the index at which it was, as i64.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the axis has fewer than `k` elements, [`View`](crate::Error::View) if it does
    /// not exist, [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor)> {
        let operation = self.operation();
        let (plan, axis) = self.planned(&operation)?;
        let own = cast_to(&operation, self.own, plan.compute)?;
        let values = operation.empty(&plan.shape, plan.compute)?;
        let indices = operation.empty(&plan.shape, DType::I64)?;
        let (on, k) = (operation.stream.into(), self.k as i64);
        launch::Topk(on, &own, k, axis as i64, self.largest, self.sorted, &values, &indices)?;
        Ok((cast_to(&operation, &values, plan.out)?, indices))
    }
}

impl Tensor {
    /// Sorts the elements along an axis in ascending order. Returns them, and for each the index at which it was, as i64.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (values, indices) = Tensor::from_slice(&device, &[2.5f32, 0.5, 1.5], 3)?.sort(0)?;
    /// assert_eq!(values.to_vec::<f32>()?, [0.5, 1.5, 2.5]);
    /// assert_eq!(indices.to_vec::<i64>()?, [1, 2, 0]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::sort`](crate::ops::sort) takes options. NaN comes last.
    ///
    /// # Errors
    /// Those of [`Sort::run`](crate::ops::Sort::run).
    #[doc(alias = "aclnnSort")]
    #[doc(alias = "sort_with_indices")]
    #[doc(alias = "sort_last_dim")]
    #[doc(alias = "msort")]
    pub fn sort(&self, axis: impl Index) -> Result<(Tensor, Tensor)> {
        sort(self, axis).run()
    }

    /// Returns the indices that would sort the elements along an axis in ascending order, as i64.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[3, 1, 2, 4, 6, 5], [2, 3])?;
    /// assert_eq!(grid.argsort(-1)?.to_vec::<i64>()?, [1, 2, 0, 0, 2, 1]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::sort`](crate::ops::sort) takes options.
    ///
    /// # Errors
    /// Those of [`Sort::run`](crate::ops::Sort::run).
    #[doc(alias = "aclnnArgsort")]
    #[doc(alias = "arg_sort_last_dim")]
    pub fn argsort(&self, axis: impl Index) -> Result<Tensor> {
        sort(self, axis).indices()
    }

    /// Returns the `k` greatest elements along an axis, the greatest first, and for each the index at which it was, as i64.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (values, indices) = Tensor::from_slice(&device, &[2.5f32, 0.5, 1.5], 3)?.topk(2, 0)?;
    /// assert_eq!((values.to_vec::<f32>()?, indices.to_vec::<i64>()?), (vec![2.5, 1.5], vec![0, 2]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::topk`](crate::ops::topk) takes options.
    ///
    /// # Errors
    /// Those of [`TopK::run`](crate::ops::TopK::run).
    #[doc(alias = "aclnnTopk")]
    #[doc(alias = "topk_with_indices")]
    #[doc(alias = "argtopk")]
    pub fn topk(&self, k: usize, axis: impl Index) -> Result<(Tensor, Tensor)> {
        topk(self, k, axis).run()
    }
}
