//! One element by its rank: the k-th smallest, the middle one.

use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

use super::super::prepared::prepared;
use super::elements::{cast_to, ordered_as, planned};
use crate::argument_checks::Operation;
use crate::call::{On, launch};
use crate::error::Result;
use crate::plan::Plan;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// An operator that selects one element along an axis.
#[derive(Debug)]
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    takes: Types,
    launch: for<'a> fn(On<'a>, &'a Tensor, Rank, i64, bool, &'a Tensor, &'a Tensor) -> Result<()>,
}

/// The rank of an element, counted from one; operators that choose it themselves ignore it.
type Rank = i64;

/// The selection of one element along an axis, with options.
///
/// NaN is greater than every number.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Select<'a> {
    operator: &'static Operator,
    own: &'a Tensor,
    k: Option<usize>,
    axis: i128,
    keep_dims: bool,
    stream: Option<&'a Stream>,
}

prepared! {
    ['a] Select<'a>:
    keep_dims("Keeps the axis, with one element, so that the results broadcast with the tensor."),
    on("the tensor")
}

impl<'a> Select<'a> {
    fn new(operator: &'static Operator, own: &'a Tensor, k: Option<usize>, axis: impl Index) -> Self {
        Self { operator, own, k, axis: axis.number(), keep_dims: false, stream: None }
    }

    #[inline]
    fn operation(&self) -> Operation<'a> {
        let stream = self.stream.unwrap_or(self.own.stream());
        Operation::new(self.operator.name, stream).tensor("self", self.own)
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`Select::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        self.planned(&self.operation()).map(|(plan, _)| plan)
    }

    /// The plan, and the axis.
    #[inline]
    fn planned(&self, operation: &Operation<'_>) -> Result<(Plan, usize)> {
        let Operator { form, takes, .. } = *self.operator;
        operation.placed()?;
        let axis = operation.axis(self.own, self.axis)?;
        let len = self.own.dims().get(axis).copied().unwrap_or(1);
        match self.k {
            Some(k) if !(1..=len).contains(&k) => {
                let reason = format!("k is {k}, but ranks on axis {axis} go from 1 to {len}");
                return Err(operation.refused(reason));
            }
            None if len == 0 => {
                let reason = format!("axis {axis} has no elements, so none is in the middle");
                return Err(operation.refused(reason));
            }
            _ => {}
        }
        let dtype = ordered_as(operation, form, takes, taken_as(self.own.dtype(), len))?;
        let sizes = self.own.dims().iter().enumerate();
        let sizes: SmallVec<[usize; 8]> = match self.keep_dims {
            true => sizes.map(|(number, &size)| if number == axis { 1 } else { size }).collect(),
            false => sizes.filter(|(number, _)| *number != axis).map(|(_, &size)| size).collect(),
        };
        let shape = Shape::from(&sizes[..]);
        Ok((planned(operation, form, self.own, dtype, shape)?, axis))
    }

    /// Queues the selection. Returns the elements, and for each the index at which it was, as i64.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) if the axis has no such element, [`View`](crate::Error::View) if it does not
    /// exist, [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor)> {
        let operation = self.operation();
        let (plan, axis) = self.planned(&operation)?;
        let own = cast_to(&operation, self.own, plan.compute)?;
        let values = operation.empty(&plan.shape, plan.compute)?;
        let indices = operation.empty(&plan.shape, DType::I64)?;
        let (on, rank) = (operation.stream.into(), self.k.unwrap_or(0) as i64);
        (self.operator.launch)(on, &own, rank, axis as i64, self.keep_dims, &values, &indices)?;
        Ok((cast_to(&operation, &values, plan.out)?, indices))
    }
}

/// The type to look for first, for a type and the size of an axis: the library does not take bf16 along one element.
#[inline]
fn taken_as(own: DType, len: usize) -> DType {
    if own == DType::BF16 && len == 1 { DType::F32 } else { own }
}

/// Prepares the selection of the `k`-th smallest element along an axis, where the smallest has rank 1.
///
/// Nothing is launched before [`Select::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let grid = Tensor::from_slice(&device, &[3, 1, 2, 6, 5, 4], [2, 3])?;
/// let (values, _) = ops::kth_value(&grid, 2, 1).keep_dims().run()?;
/// assert_eq!((values.dims(), values.to_vec::<i32>()?), (&[2, 1][..], vec![2, 5]));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnKthvalue")]
pub fn kth_value(own: &Tensor, k: usize, axis: impl Index) -> Select<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "kth_value",
        form: "Kthvalue",
        takes: signatures::kth_value.takes,
        launch: |on, own, k, dim, keep, values, indices| {
            launch::Kthvalue(on, own, k, dim, keep, values, indices)
        },
    };
    Select::new(OPERATOR, own, Some(k), axis)
}

/// Prepares the selection of the middle one of the elements along an axis in order: the lower one of two.
///
/// If one is NaN, the result is NaN and the index of the first one; an Ascend 950 takes NaN for the greatest element
/// instead. Nothing is launched before [`Select::run`].
#[doc(alias = "aclnnMedianDim")]
pub fn median_dim(own: &Tensor, axis: impl Index) -> Select<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "median_dim",
        form: "MedianDim",
        takes: signatures::median_dim.takes,
        launch: |on, own, _, dim, keep, values, indices| {
            launch::MedianDim(on, own, dim, keep, values, indices)
        },
    };
    Select::new(OPERATOR, own, None, axis)
}

/// Prepares the selection of the middle one of the elements along an axis that are not NaN: the lower one of two, and NaN
/// where there is no other.
///
/// Nothing is launched before [`Select::run`].
#[doc(alias = "aclnnNanMedianDim")]
pub fn nan_median_dim(own: &Tensor, axis: impl Index) -> Select<'_> {
    const OPERATOR: &Operator = &Operator {
        name: "nan_median_dim",
        form: "NanMedianDim",
        takes: signatures::nan_median_dim.takes,
        launch: |on, own, _, dim, keep, values, indices| {
            launch::NanMedianDim(on, own, dim, keep, values, indices)
        },
    };
    Select::new(OPERATOR, own, None, axis)
}

/// The middle one of all elements, as a tensor without axes.
#[inline]
fn of_all(
    name: &'static str,
    form: &'static str,
    takes: Types,
    own: &Tensor,
    launch: for<'a> fn(On<'a>, &'a Tensor, &'a Tensor) -> Result<()>,
) -> Result<Tensor> {
    let operation = Operation::new(name, own.stream()).tensor("self", own);
    operation.placed()?;
    if own.numel() == 0 && !own.dtype().is_float() {
        return Err(operation.refused("there are no elements, so none is in the middle".to_owned()));
    }
    let last = own.dims().last().copied().unwrap_or(0);
    let dtype = ordered_as(&operation, form, takes, taken_as(own.dtype(), last))?;
    let elements = cast_to(&operation, own, dtype)?;
    let value = operation.empty(Shape::scalar(), dtype)?;
    launch(operation.stream.into(), &elements, &value)?;
    cast_to(&operation, &value, own.dtype())
}

impl Tensor {
    /// Returns the `k`-th smallest element along an axis, where the smallest has rank 1, and the index at which it was, as
    /// i64. The axis disappears.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (value, index) = Tensor::from_slice(&device, &[2.5f32, 0.5, 1.5], 3)?.kth_value(2, 0)?;
    /// assert_eq!((value.item::<f32>()?, index.item::<i64>()?), (1.5, 2));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::kth_value`](crate::ops::kth_value) takes options.
    ///
    /// # Errors
    /// Those of [`Select::run`](crate::ops::Select::run).
    #[doc(alias = "aclnnKthvalue")]
    #[doc(alias = "kthvalue", alias = "partition")]
    pub fn kth_value(&self, k: usize, axis: impl Index) -> Result<(Tensor, Tensor)> {
        kth_value(self, k, axis).run()
    }

    /// Returns the middle one of all elements in order, the lower one of two, as a tensor without axes. It is NaN if an
    /// element is NaN, or if there are none.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[4.0f32, 1.0, 3.0, 2.0], [2, 2])?;
    /// assert_eq!(a.median()?.item::<f32>()?, 2.0);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument) for integers without elements; otherwise those of
    /// [`Select::run`](crate::ops::Select::run).
    #[doc(alias = "aclnnMedian")]
    #[doc(alias = "median_with_indices")]
    #[inline]
    pub fn median(&self) -> Result<Tensor> {
        of_all("median", "Median", signatures::median.takes, self, launch::Median)
    }

    /// Returns the middle one of all elements that are not NaN, as [`Tensor::median`] does. It is NaN if there are none.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[4.0, f32::NAN, 3.0, 2.0], 4)?;
    /// assert_eq!(a.nan_median()?.item::<f32>()?, 3.0);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::median`].
    #[doc(alias = "aclnnNanMedian")]
    #[doc(alias = "nanmedian")]
    #[inline]
    pub fn nan_median(&self) -> Result<Tensor> {
        let takes = signatures::nan_median.takes;
        of_all("nan_median", "NanMedian", takes, self, launch::NanMedian)
    }

    /// Returns the middle one of the elements along an axis in order, the lower one of two, and the index at which it was, as
    /// i64. The axis disappears.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let grid = Tensor::from_slice(&device, &[3, 1, 2, 6, 5, 4], [2, 3])?;
    /// let (values, indices) = grid.median_dim(1)?;
    /// assert_eq!((values.to_vec::<i32>()?, indices.to_vec::<i64>()?), (vec![2, 5], vec![2, 1]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::median_dim`](crate::ops::median_dim) takes options, and says what becomes of NaN.
    ///
    /// # Errors
    /// Those of [`Select::run`](crate::ops::Select::run).
    #[doc(alias = "aclnnMedianDim")]
    pub fn median_dim(&self, axis: impl Index) -> Result<(Tensor, Tensor)> {
        median_dim(self, axis).run()
    }

    /// Returns the middle one of the elements along an axis that are not NaN, and the index at which it was, as i64. The axis
    /// disappears.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let (value, index) = Tensor::from_slice(&device, &[4.0, f32::NAN, 3.0], 3)?.nan_median_dim(0)?;
    /// assert_eq!((value.item::<f32>()?, index.item::<i64>()?), (3.0, 2));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::nan_median_dim`](crate::ops::nan_median_dim) takes options.
    ///
    /// # Errors
    /// Those of [`Select::run`](crate::ops::Select::run).
    #[doc(alias = "aclnnNanMedianDim")]
    pub fn nan_median_dim(&self, axis: impl Index) -> Result<(Tensor, Tensor)> {
        nan_median_dim(self, axis).run()
    }
}
