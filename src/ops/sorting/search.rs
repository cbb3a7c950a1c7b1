//! Search in sorted sequences.

use aclnn_numerics::product::Product;
use aclnn_numerics::promote::{Edition, promote_scalar};
use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};
use smallvec::{SmallVec, smallvec};

use super::super::prepared::prepared;
use super::elements::{cast_to, ordered_as};
use crate::argument_checks::{Operation, accepts};
use crate::call::launch;
use crate::error::{Error, Result};
use crate::operand::{IntoOperand, Operand};
use crate::plan::{Plan, Policy, Role, Step, casts};
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// A search for elements in a sorted sequence, with options.
///
/// Both are cast to the type that they are promoted to, by the published table unless another is chosen, or to a wider one
/// if the library does not search in that. NaN is found at the end.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct SearchSorted<'a> {
    name: &'static str,
    sequence: &'a Tensor,
    values: Operand<'a>,
    right: bool,
    sorter: Option<&'a Tensor>,
    dtype: DType,
    policy: Policy,
    edition: Edition,
    stream: Option<&'a Stream>,
}

/// A checked search.
struct Planned {
    plan: Plan,
    /// Whether the operator for boundaries does it.
    by_buckets: bool,
    /// Whether the library promotes the operands.
    delegates: bool,
}

/// Prepares the search for the positions at which values would be inserted into a sorted sequence, so that it stays sorted.
///
/// The sequence has one axis, or all axes but the last like the values: then each row of values is searched in its row.
/// Nothing is launched before [`SearchSorted::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let sorted = Tensor::from_slice(&device, &[1.0f32, 3.0, 3.0, 5.0], 4)?;
/// assert_eq!(ops::search_sorted(&sorted, 3.0).right().run()?.item::<i64>()?, 3);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnSearchSorted")]
#[doc(alias = "aclnnSearchSorteds")]
pub fn search_sorted<'a>(sequence: &'a Tensor, values: impl IntoOperand<'a>) -> SearchSorted<'a> {
    let values = values.into_operand();
    SearchSorted {
        name: "search_sorted",
        sequence,
        values,
        right: false,
        sorter: None,
        dtype: DType::I64,
        policy: Policy::default(),
        edition: Edition::default(),
        stream: None,
    }
}

/// Prepares the search for the interval between sorted boundaries in which each element lies: the number of boundaries that
/// are less, or not greater with [`SearchSorted::right`].
///
/// The boundaries have one axis. Nothing is launched before [`SearchSorted::run`].
#[doc(alias = "aclnnBucketize")]
#[inline]
pub fn bucketize<'a>(own: &'a Tensor, boundaries: &'a Tensor) -> SearchSorted<'a> {
    SearchSorted { name: "bucketize", ..search_sorted(boundaries, own) }
}

prepared! {
    ['a] SearchSorted<'a>:
    policy("[`Policy::Auto`] leaves it to the library where that promotes to the same type."),
    edition,
    on("the sequence")
}

impl<'a> SearchSorted<'a> {
    /// Inserts a value behind the elements that are equal to it, and not before them.
    #[inline]
    pub fn right(mut self) -> Self {
        self.right = true;
        self
    }

    /// Sets the indices that sort the sequence, as [`Tensor::argsort`] makes them, for one that is not sorted itself. An
    /// index that does not exist fails the stream.
    #[inline]
    pub fn sorter(mut self, sorter: &'a Tensor) -> Self {
        self.sorter = Some(sorter);
        self
    }

    /// Sets the type of the positions: i64, which is the default, or i32.
    #[inline]
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = dtype;
        self
    }

    #[inline]
    fn is_of_buckets(&self) -> bool {
        self.name == "bucketize"
    }

    /// The name of the sequence.
    #[inline]
    fn sequence_name(&self) -> &'static str {
        if self.is_of_buckets() { "boundaries" } else { "sorted_sequence" }
    }

    #[inline]
    fn operation(&self) -> Operation<'a> {
        let stream = self.stream.unwrap_or(self.sequence.stream());
        let operation = Operation::new(self.name, stream).tensor(self.sequence_name(), self.sequence);
        let operation = match self.values {
            Operand::Tensor(tensor) => operation.tensor("self", tensor),
            Operand::Scalar(scalar) => operation.scalar("self", scalar),
        };
        match self.sorter {
            Some(sorter) => operation.tensor("sorter", sorter),
            None => operation,
        }
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`SearchSorted::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        self.planned(&self.operation()).map(|planned| planned.plan)
    }

    /// The type to which the operands are promoted, and whether the library does it, by its operator `form`.
    #[inline]
    fn promoted(&self, operation: &Operation<'_>, form: &'static str, takes: Types) -> Result<(DType, bool)> {
        let not_promotable = |cause| {
            let (operator, operands) = (operation.operator, operation.operands());
            Error::NotPromotable { operator, operands, cause }
        };
        let own = self.sequence.dtype();
        let tensor = match self.values {
            Operand::Scalar(scalar) => {
                return Ok((promote_scalar(own, scalar.dtype()).map_err(not_promotable)?, false));
            }
            Operand::Tensor(tensor) => tensor,
        };
        let other = tensor.dtype();
        let library = || Edition::Library.promote(own, other);
        // Boundaries have a rule of their own beside a tensor without axes.
        let is_plain = own == other || form == "Bucketize" && tensor.rank() == 0;
        if self.policy == Policy::Delegate && !is_plain {
            let promoted = library().map_err(not_promotable)?;
            [own, other, promoted].into_iter().try_for_each(|dtype| operation.takes(form, takes, dtype))?;
            return Ok((promoted, true));
        }
        let promoted = self.edition.promote(own, other).map_err(not_promotable)?;
        let taken = |dtype| accepts(operation.stream.device(), takes, dtype);
        let is_alike = library() == Ok(promoted) && [own, other, promoted].into_iter().all(taken);
        Ok((promoted, self.policy == Policy::Auto && !is_plain && is_alike))
    }

    #[inline]
    fn planned(&self, operation: &Operation<'_>) -> Result<Planned> {
        operation.placed()?;
        self.check_shapes(operation)?;
        if !matches!(self.dtype, DType::I32 | DType::I64) {
            let reason = format!("positions are i64 or i32, not {}; cast the result", self.dtype);
            return Err(operation.refused(reason));
        }
        // The 950 has a kernel for boundaries; elsewhere it is a search.
        let is_950 = operation.product() == Some(Product::Ascend950);
        let by_buckets = self.is_of_buckets() && self.sorter.is_none() && is_950;
        let (form, takes) = match by_buckets {
            true => ("Bucketize", signatures::bucketize.takes),
            false => ("SearchSorted", signatures::search_sorted.takes),
        };
        let (promoted, delegates) = self.promoted(operation, form, takes)?;
        let dtype = ordered_as(operation, form, takes, promoted)?;
        let (shape, mut operands) = match self.values {
            Operand::Tensor(tensor) => {
                (tensor.shape().clone(), smallvec![self.sequence.dtype(), tensor.dtype()])
            }
            Operand::Scalar(_) => (Shape::scalar(), SmallVec::new()),
        };
        if !delegates {
            operands = smallvec![dtype];
        }
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        if !delegates {
            let sequence = Role::Operand(self.sequence_name());
            casts::cast_operand(operation, sequence, self.sequence, dtype, &mut steps)?;
        }
        match self.values {
            Operand::Tensor(_) if delegates => {}
            Operand::Tensor(tensor) => casts::cast_operand(operation, Role::Own, tensor, dtype, &mut steps)?,
            Operand::Scalar(scalar) => {
                if scalar.to(dtype).is_none() {
                    return Err(operation.bad_scalar(format!("{scalar} does not become {dtype}")));
                }
                steps.push(Step::Fill { operand: Role::Own, dtype });
            }
        }
        let out = self.dtype;
        steps.push(Step::Compute { operator: form, in_place: false, operands, out });
        let operator = operation.operator;
        let plan = Plan { operator, steps, compute: dtype, out, shape, choice: None };
        Ok(Planned { plan, by_buckets, delegates })
    }

    /// Queues the search. Returns a position for each value, in a tensor of their shape; of a number, without axes.
    ///
    /// # Errors
    /// [`Argument`](Error::Argument) if the shapes do not fit, or for another type of positions,
    /// [`NotPromotable`](Error::NotPromotable), [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast),
    /// [`Devices`](Error::Devices) and [`Rank`](Error::Rank), all before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let operation = self.operation();
        let Planned { plan, by_buckets, delegates } = self.planned(&operation)?;
        let stream = operation.stream;
        let seen = |tensor: &Tensor| {
            let dtype = if delegates { tensor.dtype() } else { plan.compute };
            cast_to(&operation, tensor, dtype)
        };
        let values = match self.values {
            Operand::Tensor(tensor) => seen(tensor)?,
            Operand::Scalar(scalar) => Tensor::full(stream, Shape::scalar(), scalar, plan.compute)
                .map_err(|error| operation.explain(error))?,
        };
        let sequence = seen(self.sequence)?;
        let positions = operation.empty(&plan.shape, plan.out)?;
        let (on, narrow) = (stream.into(), plan.out == DType::I32);
        if by_buckets {
            launch::Bucketize(on, &values, &sequence, narrow, self.right, &positions)?;
        } else {
            launch::SearchSorted(on, &sequence, &values, narrow, self.right, self.sorter, &positions)?;
        }
        Ok(positions)
    }

    #[inline]
    fn check_shapes(&self, operation: &Operation<'_>) -> Result<()> {
        let leading = |tensor: &Tensor| tensor.dims().split_last().map(|(_, leading)| leading.to_vec());
        let rows = match self.values {
            Operand::Tensor(values) if !self.is_of_buckets() => {
                leading(self.sequence) == leading(values) && values.dims() != [1]
            }
            _ => false,
        };
        if self.sequence.rank() != 1 && !rows {
            let reason = match self.is_of_buckets() {
                true => "the boundaries must have one axis",
                false => "the sequence must have one axis, or all axes but the last like the values",
            };
            return Err(operation.refused(reason.to_owned()));
        }
        match self.sorter {
            Some(sorter) if sorter.dtype() != DType::I64 || sorter.shape() != self.sequence.shape() => {
                let reason = "sorter must be i64 and have the shape of the sequence, as argsort makes it";
                Err(operation.refused(reason.to_owned()))
            }
            _ => Ok(()),
        }
    }
}

impl Tensor {
    /// Returns the position at which each value would be inserted into this sorted tensor, before elements that are equal.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let sorted = Tensor::from_slice(&device, &[1.0f32, 3.0, 3.0, 5.0], 4)?;
    /// let values = Tensor::from_slice(&device, &[3.0f32, 0.0, 9.0], 3)?;
    /// assert_eq!(sorted.search_sorted(&values)?.to_vec::<i64>()?, [1, 0, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::search_sorted`](crate::ops::search_sorted) takes options.
    ///
    /// # Errors
    /// Those of [`SearchSorted::run`](crate::ops::SearchSorted::run).
    #[doc(alias = "aclnnSearchSorted")]
    #[doc(alias = "aclnnSearchSorteds")]
    #[doc(alias = "searchsorted")]
    pub fn search_sorted<'a>(&'a self, values: impl IntoOperand<'a>) -> Result<Tensor> {
        search_sorted(self, values).run()
    }

    /// Returns the number of the interval between sorted boundaries in which each element lies, as i64: 0 up to and
    /// including the first boundary.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let ages = Tensor::from_slice(&device, &[12, 18, 40, 99], 4)?;
    /// let limits = Tensor::from_slice(&device, &[17, 64], 2)?;
    /// assert_eq!(ages.bucketize(&limits)?.to_vec::<i64>()?, [0, 1, 1, 2]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::bucketize`](crate::ops::bucketize) takes options.
    ///
    /// # Errors
    /// Those of [`SearchSorted::run`](crate::ops::SearchSorted::run).
    #[doc(alias = "aclnnBucketize")]
    #[doc(alias = "digitize")]
    #[inline]
    pub fn bucketize(&self, boundaries: &Tensor) -> Result<Tensor> {
        bucketize(self, boundaries).run()
    }
}
