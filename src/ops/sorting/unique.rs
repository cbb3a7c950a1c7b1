//! Distinct elements and slices.

use aclnn_numerics::{DType, Layout, Shape};

use super::super::prepared::prepared;
use super::elements::{cast_to, ordered_as, planned};
use crate::argument_checks::Operation;
use crate::call::{On, Sizes, launch};
use crate::error::{Error, Result};
use crate::plan::Plan;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::{Index, Tensor};

/// The axis that the library takes for none.
const NONE: i64 = 1000;

/// The distinct elements of a tensor, or its distinct slices along an axis, with options.
///
/// How many there are is known once they are computed, so these functions wait for the work. A result lies in memory for as
/// many elements as the tensor has; [`Tensor::copy`] moves it into memory of its own size.
///
/// NaN is equal to nothing, not even to NaN. Zeros of both signs are equal for the emulator; an Ascend 910B may return both.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct Unique<'a> {
    own: &'a Tensor,
    axis: Option<i128>,
    consecutive: bool,
    stream: Option<&'a Stream>,
}

/// Prepares the choice of one of each of the equal elements, in ascending order.
///
/// Nothing is launched before [`Unique::run`] or a function like it.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[3, 1, 3, 3], 4)?;
/// let (values, inverse, counts) = ops::unique(&a).run_with_inverse_and_counts()?;
/// assert_eq!(values.to_vec::<i32>()?, [1, 3]);
/// assert_eq!(inverse.to_vec::<i64>()?, [1, 0, 1, 1]);
/// assert_eq!(counts.to_vec::<i64>()?, [1, 3]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnUnique")]
#[doc(alias = "aclnnUnique2")]
#[doc(alias = "aclnnUniqueDim")]
#[inline]
pub fn unique(own: &Tensor) -> Unique<'_> {
    Unique { own, axis: None, consecutive: false, stream: None }
}

/// Prepares the choice of one element of each run of equal neighbours, in the order in which they are.
///
/// Nothing is launched before [`Unique::run`] or a function like it.
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[3, 3, 1, 3], 4)?;
/// let (values, counts) = ops::unique_consecutive(&a).run_with_counts()?;
/// assert_eq!((values.to_vec::<i32>()?, counts.to_vec::<i64>()?), (vec![3, 1, 3], vec![2, 1, 1]));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnUniqueConsecutive")]
#[inline]
pub fn unique_consecutive(own: &Tensor) -> Unique<'_> {
    Unique { consecutive: true, ..unique(own) }
}

/// What is compared: elements, or slices along an axis; how many, and by which operator.
struct Compared {
    form: &'static str,
    axis: Option<usize>,
    count: usize,
}

/// The results: the second and the third only hold something if they were asked for.
struct Results {
    values: Tensor,
    inverse: Tensor,
    counts: Tensor,
}

prepared! {
    ['a] Unique<'a>:
    on("the tensor")
}

impl<'a> Unique<'a> {
    /// Compares the slices along an axis, in lexicographic order, and not single elements.
    pub fn axis(mut self, axis: impl Index) -> Self {
        self.axis = Some(axis.number());
        self
    }

    /// Computes the distinct elements or slices, and waits for them.
    ///
    /// # Errors
    /// [`View`](Error::View) if the axis does not exist, [`Argument`](Error::Argument) if slices have no elements,
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank) and [`Unsupported`](Error::Unsupported), all before anything is
    /// launched; [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses, or the work fails.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.compute(false, false).map(|Results { values, .. }| values)
    }

    /// Computes the same, and for each element, or slice, the index of the one that it is equal to in the result, as i64.
    ///
    /// # Errors
    /// Those of [`Unique::run`].
    #[inline]
    pub fn run_with_inverse(&self) -> Result<(Tensor, Tensor)> {
        self.compute(true, false).map(|Results { values, inverse, .. }| (values, inverse))
    }

    /// Computes the same, and for each element, or slice, of the result how many are equal to it, as i64.
    ///
    /// # Errors
    /// Those of [`Unique::run`].
    #[inline]
    pub fn run_with_counts(&self) -> Result<(Tensor, Tensor)> {
        self.compute(false, true).map(|Results { values, counts, .. }| (values, counts))
    }

    /// Computes the same, with the results of [`Unique::run_with_inverse`] and [`Unique::run_with_counts`].
    ///
    /// # Errors
    /// Those of [`Unique::run`].
    #[inline]
    pub fn run_with_inverse_and_counts(&self) -> Result<(Tensor, Tensor, Tensor)> {
        self.compute(true, true).map(|Results { values, inverse, counts }| (values, inverse, counts))
    }

    /// Returns the plan of what would be launched, for the shape that the result has if nothing is equal. Checks everything
    /// and launches nothing.
    ///
    /// # Errors
    /// Those of [`Unique::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        self.planned(&self.operation(), false).map(|(plan, _)| plan)
    }

    #[inline]
    fn operation(&self) -> Operation<'a> {
        let name = match (self.consecutive, self.axis) {
            (true, _) => "unique_consecutive",
            (false, Some(_)) => "unique_dim",
            (false, None) => "unique",
        };
        Operation::new(name, self.stream.unwrap_or(self.own.stream())).tensor("self", self.own)
    }

    /// The plan, and what is compared.
    #[inline]
    fn planned(&self, operation: &Operation<'_>, has_counts: bool) -> Result<(Plan, Compared)> {
        operation.placed()?;
        let axis = self.axis.map(|axis| operation.axis(self.own, axis)).transpose()?;
        let count = match axis {
            None => self.own.numel(),
            Some(axis) => self.own.dims().get(axis).copied().unwrap_or(1),
        };
        if self.own.numel() == 0 && count > 0 {
            let reason = "the slices have no elements, so nothing tells them apart".to_owned();
            return Err(operation.refused(reason));
        }
        let (form, takes) = match (self.consecutive, axis) {
            (true, _) => ("UniqueConsecutive", signatures::unique_consecutive.takes),
            (false, Some(_)) => ("UniqueDim", signatures::unique_dim.takes),
            (false, None) if has_counts => ("Unique2", signatures::unique.takes),
            (false, None) => ("Unique", signatures::unique.takes),
        };
        let dtype = ordered_as(operation, form, takes, self.own.dtype())?;
        let shape = match axis {
            Some(_) if self.own.rank() > 0 => self.own.shape().clone(),
            _ => Shape::from([count]),
        };
        let plan = planned(operation, form, self.own, dtype, shape)?;
        Ok((plan, Compared { form, axis, count }))
    }

    #[inline]
    fn compute(&self, has_inverse: bool, has_counts: bool) -> Result<Results> {
        let operation = self.operation();
        let (plan, Compared { form, axis, count: slices }) = self.planned(&operation, has_counts)?;
        let (dtype, made) = (plan.compute, plan.shape);
        let positions = if axis.is_some() { Shape::from([slices]) } else { self.own.shape().clone() };
        // What is not asked for has to be there all the same; Unique2 counts only with an inverse of the right shape.
        let least = |is_asked: bool, shape: Shape| if is_asked { shape } else { Shape::from([1]) };
        let inverse = operation.empty(least(has_inverse || has_counts, positions), DType::I64)?;
        let counts =
            operation.empty(least(has_counts || axis.is_some(), Shape::from([slices])), DType::I64)?;
        let values = operation.empty(&made, dtype)?;
        if slices == 0 {
            let values = operation.empty(&made, self.own.dtype())?;
            return Ok(Results { values, inverse, counts });
        }
        let own = cast_to(&operation, self.own, dtype)?;
        let sizes = Sizes::default();
        let on = On::sized(operation.stream, &sizes);
        let dim = axis.map_or(NONE, |axis| axis as i64);
        match form {
            "Unique" => launch::Unique(on, &own, true, has_inverse, &values, &inverse),
            "Unique2" => launch::Unique2(on, &own, true, has_inverse, has_counts, &values, &inverse, &counts),
            "UniqueDim" => launch::UniqueDim(on, &own, true, has_inverse, dim, &values, &inverse, &counts),
            _ => {
                launch::UniqueConsecutive(on, &own, has_inverse, has_counts, dim, &values, &inverse, &counts)
            }
        }?;
        let shape = sizes.take().into_iter().next().unwrap_or(made);
        let count = shape.get(axis.unwrap_or(0)).copied().unwrap_or(0);
        let values = begun(&values, shape)?;
        let values = cast_to(&operation, &values, self.own.dtype())?;
        let counts = if has_counts { begun(&counts, Shape::from([count]))? } else { counts };
        Ok(Results { values, inverse, counts })
    }
}

/// Returns the first elements of a contiguous tensor in a shape.
#[inline]
fn begun(tensor: &Tensor, shape: Shape) -> Result<Tensor> {
    if shape.numel().is_none_or(|count| count > tensor.numel()) {
        return Err(Error::Internal { what: "more unique elements than elements" });
    }
    Ok(tensor.with_layout(Layout::contiguous(shape)))
}

impl Tensor {
    /// Returns every distinct element once, in ascending order, on one axis. This function waits for the work.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Tensor::from_slice(&device, &[3, 1, 3, 2], 4)?.unique()?.to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::unique`](crate::ops::unique) also returns where each element went, and how many there are of each.
    ///
    /// # Errors
    /// Those of [`Unique::run`](crate::ops::Unique::run).
    #[doc(alias = "aclnnUnique")]
    #[doc(alias = "aclnnUnique2")]
    #[inline]
    pub fn unique(&self) -> Result<Tensor> {
        unique(self).run()
    }

    /// Returns every distinct slice along an axis once, in lexicographic order. This function waits for the work.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let rows = Tensor::from_slice(&device, &[2, 1, 1, 5, 2, 1], [3, 2])?.unique_dim(0)?;
    /// assert_eq!((rows.dims(), rows.to_vec::<i32>()?), (&[2, 2][..], vec![1, 5, 2, 1]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::unique`](crate::ops::unique) takes options.
    ///
    /// # Errors
    /// Those of [`Unique::run`](crate::ops::Unique::run).
    #[doc(alias = "aclnnUniqueDim")]
    pub fn unique_dim(&self, axis: impl Index) -> Result<Tensor> {
        unique(self).axis(axis).run()
    }

    /// Returns one element of each run of equal neighbours, in their order, on one axis. This function waits for the work.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[3, 3, 1, 3], 4)?;
    /// assert_eq!(a.unique_consecutive()?.to_vec::<i32>()?, [3, 1, 3]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::unique_consecutive`](crate::ops::unique_consecutive) takes options.
    ///
    /// # Errors
    /// Those of [`Unique::run`](crate::ops::Unique::run).
    #[doc(alias = "aclnnUniqueConsecutive")]
    #[inline]
    pub fn unique_consecutive(&self) -> Result<Tensor> {
        unique_consecutive(self).run()
    }
}
