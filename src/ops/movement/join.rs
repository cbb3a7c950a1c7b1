//! Tensors one after the other: cat and stack.

use std::fmt;

use aclnn_numerics::promote::Edition;
use aclnn_numerics::promote::output;
use aclnn_numerics::signature::Movement;
use aclnn_numerics::{DType, Shape};
use smallvec::{SmallVec, smallvec};

use super::super::cast::cast_into;
use super::super::copy::write_bits;
use super::elements::moved_as;
use crate::argument_checks::{Operation, accepts, written_as};
use crate::call::{On, launch};
use crate::declared;
use crate::error::{Error, Operands, Result};
use crate::limits::MAX_RANK;
use crate::plan::{CastBy, Choice, Plan, Policy, Reason, Role, Step, casts};
use crate::stream::Stream;
use crate::tensor::{Index, Tensor, axis_of};

/// An operator that joins tensors.
struct Operator {
    name: &'static str,
    /// The C name.
    form: &'static str,
    signature: Movement,
    /// Whether the tensors get an axis of their own.
    adds_axis: bool,
    launch: for<'a> fn(On<'a>, &[&'a Tensor], i64, &'a Tensor) -> Result<()>,
}

const CAT: &Operator = &Operator {
    name: "cat",
    form: "Cat",
    signature: declared::cat,
    adds_axis: false,
    launch: |on, tensors, dim, out| launch::Cat(on, tensors, dim, out),
};

const STACK: &Operator = &Operator {
    name: "stack",
    form: "Stack",
    signature: declared::stack,
    adds_axis: true,
    launch: |on, tensors, dim, out| launch::Stack(on, tensors, dim, out),
};

/// Tensors that are joined, with options. They are promoted to one type, from the first to the last.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Join<'a> {
    operator: &'static Operator,
    tensors: Vec<&'a Tensor>,
    axis: i128,
    dtype: Option<DType>,
    policy: Policy,
    edition: Edition,
    stream: Option<&'a Stream>,
}

impl fmt::Debug for Join<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join")
            .field("operator", &self.operator.name)
            .field("tensors", &self.tensors)
            .field("axis", &self.axis)
            .field("dtype", &self.dtype)
            .field("policy", &self.policy)
            .field("edition", &self.edition)
            .field("stream", &self.stream)
            .finish()
    }
}

/// Prepares the tensors one after the other along an axis, on which alone their sizes may differ.
///
/// Nothing is launched before [`Join::run`].
///
/// ```
/// use aclnn::{DType, Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let a = Tensor::from_slice(&device, &[1i32, 2], [2])?;
/// let b = Tensor::from_slice(&device, &[0.5f32], [1])?;
/// let join = ops::cat(&[&a, &b], 0);
/// assert_eq!(join.plan()?.to_string(), "cat: Cast tensors i32→f32; Cat f32 → f32 [3]");
/// assert_eq!(join.run()?.to_vec::<f32>()?, [1.0, 2.0, 0.5]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnCat", alias = "concatenate", alias = "concat")]
pub fn cat<'a>(tensors: &[&'a Tensor], axis: impl Index) -> Join<'a> {
    Join::new(CAT, tensors, axis)
}

/// Prepares the tensors, which have one shape, one after the other along a new axis.
///
/// Nothing is launched before [`Join::run`].
#[doc(alias = "aclnnStack")]
pub fn stack<'a>(tensors: &[&'a Tensor], axis: impl Index) -> Join<'a> {
    Join::new(STACK, tensors, axis)
}

impl Tensor {
    /// Makes a tensor of the tensors one after the other along an axis, on which alone their sizes may differ. They are
    /// promoted to one type.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2, 3, 4], [2, 2])?;
    /// let b = Tensor::from_slice(&device, &[5, 6], [2, 1])?;
    /// assert_eq!(Tensor::cat(&[&a, &b], 1)?.to_vec::<i32>()?, [1, 2, 5, 3, 4, 6]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::cat`](crate::ops::cat) takes options.
    ///
    /// # Errors
    /// Those of [`Join::run`](crate::ops::Join::run).
    #[doc(alias = "aclnnCat", alias = "concatenate", alias = "concat")]
    pub fn cat(tensors: &[&Tensor], axis: impl Index) -> Result<Tensor> {
        cat(tensors, axis).run()
    }

    /// Makes a tensor of the tensors, which have one shape, one after the other along a new axis: `axis` is its number in the
    /// result, and −1 stands for the last one. They are promoted to one type.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let a = Tensor::from_slice(&device, &[1, 2], [2])?;
    /// let b = Tensor::from_slice(&device, &[3, 4], [2])?;
    /// assert_eq!(Tensor::stack(&[&a, &b], 0)?.to_vec::<i32>()?, [1, 2, 3, 4]);
    /// assert_eq!(Tensor::stack(&[&a, &b], -1)?.to_vec::<i32>()?, [1, 3, 2, 4]);
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// [`ops::stack`](crate::ops::stack) takes options.
    ///
    /// # Errors
    /// Those of [`Join::run`](crate::ops::Join::run).
    #[doc(alias = "aclnnStack")]
    pub fn stack(tensors: &[&Tensor], axis: impl Index) -> Result<Tensor> {
        stack(tensors, axis).run()
    }
}

/// A checked operation.
struct Planned {
    plan: Plan,
    axis: usize,
    /// Whether the library promotes the tensors.
    delegates: bool,
    /// The type as which the operator moves the elements of the result.
    seen: DType,
}

impl<'a> Join<'a> {
    fn new(operator: &'static Operator, tensors: &[&'a Tensor], axis: impl Index) -> Self {
        let (policy, edition) = Default::default();
        let (tensors, axis) = (tensors.to_vec(), axis.number());
        Self { operator, tensors, axis, dtype: None, policy, edition, stream: None }
    }

    /// Sets the type of the result; the default is the type that the tensors are promoted to. Where the library does not make
    /// this conversion, a Cast of the result is planned.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = Some(dtype);
        self
    }

    /// Sets the policy that decides who converts tensors of different types; the default is [`Policy::Insert`].
    /// [`Policy::Auto`] leaves it to the library where that promotes to the same type.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the table by which the tensors are promoted; the default is [`Edition::Published`].
    pub fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Sets the stream that does the work; the default is the stream of the first tensor.
    pub fn on(mut self, stream: &'a Stream) -> Self {
        self.stream = Some(stream);
        self
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`Join::run`] that are found before anything is launched.
    pub fn plan(&self) -> Result<Plan> {
        Ok(self.planned(None)?.plan)
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](Error::Argument) if there are no tensors or their shapes do not fit, [`View`](Error::View) if the axis
    /// does not exist, [`NotPromotable`](Error::NotPromotable), [`Devices`](Error::Devices), [`Rank`](Error::Rank),
    /// [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast) and [`OutputDType`](Error::OutputDType), all before
    /// anything is launched; [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    pub fn run(&self) -> Result<Tensor> {
        let planned = self.planned(None)?;
        let out = self.operation()?.empty(planned.plan.shape.clone(), planned.plan.out)?;
        self.launch(&planned, &out)?;
        Ok(out)
    }

    /// Queues the operation, with the result in a tensor of exactly its shape and of any type that [`Join::dtype`] accepts. It
    /// must not overlap a tensor that is joined.
    ///
    /// # Errors
    /// Those of [`Join::run`], and [`OutputShape`](Error::OutputShape), [`Overlap`](Error::Overlap),
    /// [`SharedElements`](Error::SharedElements) and [`SharedBytes`](Error::SharedBytes), before anything is launched.
    pub fn run_into(&self, out: &mut Tensor) -> Result<()> {
        let out: &Tensor = out;
        let planned = self.planned(Some(out))?;
        match written_as(out) {
            None => self.launch(&planned, out),
            Some(signed) => {
                let operation = self.operation()?;
                let result = operation.empty(planned.plan.shape.clone(), planned.plan.out)?;
                self.launch(&planned, &result)?;
                write_bits(operation.stream, out, &result, signed)
            }
        }
    }

    /// The operation, for checks and messages.
    fn operation(&self) -> Result<Operation<'a>> {
        let Some(stream) = self.stream.or(self.tensors.first().map(|tensor| tensor.stream())) else {
            let (operator, operands) = (self.operator.name, Operands::new([]));
            return Err(Error::Argument {
                operator,
                operands,
                reason: "there are no tensors to join".to_owned(),
            });
        };
        let operation = Operation::new(self.operator.name, stream);
        Ok(self.tensors.iter().fold(operation, |operation, tensor| operation.tensor("tensors", tensor)))
    }

    fn planned(&self, out: Option<&Tensor>) -> Result<Planned> {
        let Operator { name, form, signature, adds_axis, .. } = self.operator;
        let mut operation = self.operation()?;
        if let Some(out) = out {
            operation = operation.tensor("out", out);
        }
        operation.placed()?;
        let Some(first) = self.tensors.first() else { return Err(Error::Internal { what: "no tensors" }) };
        let axes = first.rank() + usize::from(*adds_axis);
        let axis = axis_of(self.axis, axes, first.rank()).map_err(|cause| first.no_view(name, cause))?;
        let shape = self.shape(&operation, first, axis)?;
        if let Some(out) = out {
            operation.writable("out", out, &shape)?;
        }
        let not_promotable =
            |cause| Error::NotPromotable { operator: name, operands: operation.operands(), cause };
        let dtypes = || self.tensors.iter().map(|tensor| tensor.dtype());
        let fold = |edition: Edition| {
            dtypes().skip(1).try_fold(first.dtype(), |joined, next| match next == joined {
                true => Ok(joined),
                false => edition.promote(next, joined),
            })
        };
        let takes = |dtype| accepts(operation.stream.device(), signature.takes, dtype);
        let mut choice = None;
        let (joined, delegates) = match self.policy {
            Policy::Delegate => {
                for dtype in dtypes() {
                    operation.takes(form, signature.takes, dtype)?;
                }
                let joined = fold(Edition::Library).map_err(not_promotable)?;
                operation.takes(form, signature.takes, joined)?;
                (joined, true)
            }
            policy => {
                let joined = fold(self.edition).map_err(not_promotable)?;
                let library = fold(Edition::Library).ok();
                let not_taken = dtypes().chain([joined]).find(|dtype| !takes(*dtype));
                // The library casts as Cast does, so that it makes no difference who does.
                choice = (policy == Policy::Auto).then(|| match not_taken {
                    _ if dtypes().all(|dtype| dtype == joined) => Choice::NothingToCast,
                    _ if operation.product().is_none() => Choice::Inserted(Reason::UnknownProduct),
                    Some(dtype) => Choice::Inserted(Reason::NotTaken { operator: form, dtype }),
                    None if library != Some(joined) => Choice::Inserted(Reason::OtherType(library)),
                    None => Choice::Delegated,
                });
                (joined, choice == Some(Choice::Delegated))
            }
        };
        let seen = moved_as(&operation, form, signature.takes, joined)?;
        let wanted = out.map(Tensor::dtype).or(self.dtype).unwrap_or(joined);
        if !casts::casts_result(joined, wanted) {
            let rule = output::refused(joined, wanted).unwrap_or_default();
            let (operator, operands) = (name, operation.operands());
            return Err(Error::OutputDType {
                operator,
                operands,
                computed: joined,
                out: wanted,
                rule,
                in_place: false,
            });
        }
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        if !delegates {
            for tensor in &self.tensors {
                casts::cast_operand(&operation, Role::Operand("tensors"), tensor, joined, &mut steps)?;
            }
        }
        let direct =
            wanted == joined || seen == joined && takes(wanted) && output::refused(joined, wanted).is_none();
        let mut operands: SmallVec<[DType; 2]> = smallvec![joined];
        if delegates && dtypes().any(|dtype| dtype != joined) {
            operands = dtypes().collect();
        }
        let written = if direct { wanted } else { joined };
        steps.push(Step::Compute { operator: form, in_place: false, operands, out: written });
        if !direct {
            operation.castable(joined, wanted)?;
            steps.push(Step::Cast { operand: Role::Result, from: joined, to: wanted, by: CastBy::Cast });
        }
        let plan = Plan { operator: name, steps, compute: joined, out: wanted, shape, choice };
        Ok(Planned { plan, axis, delegates, seen })
    }

    /// The shape of the result.
    fn shape(&self, operation: &Operation<'_>, first: &Tensor, axis: usize) -> Result<Shape> {
        let is_joined = |index: usize| index == axis && !self.operator.adds_axis;
        for tensor in &self.tensors {
            let mut sizes = tensor.dims().iter().zip(first.dims()).enumerate();
            let is_alike = sizes.all(|(index, (size, of_first))| size == of_first || is_joined(index));
            if tensor.rank() != first.rank() || !is_alike {
                let (own, first) = (tensor.shape(), first.shape());
                let but =
                    if self.operator.adds_axis { String::new() } else { format!(" on all axes but {axis}") };
                return Err(operation.refused(format!("shapes {first} and {own} must be equal{but}")));
            }
        }
        let mut sizes: Vec<usize> = first.dims().to_vec();
        if self.operator.adds_axis {
            sizes.insert(axis, self.tensors.len());
        } else if let Some(size) = sizes.get_mut(axis) {
            *size = self.tensors.iter().fold(0, |sum: usize, tensor| sum.saturating_add(tensor.size(axis)));
        }
        if sizes.len() > MAX_RANK {
            let rank = sizes.len();
            return Err(
                operation.refused(format!("the result has {rank} axes; operators make at most {MAX_RANK}"))
            );
        }
        Ok(sizes.into())
    }

    fn launch(&self, planned: &Planned, out: &Tensor) -> Result<()> {
        let Planned { plan, axis, delegates, seen } = planned;
        if plan.shape.is_empty_tensor() {
            return Ok(());
        }
        let (operation, joined) = (self.operation()?, plan.compute);
        let stream = operation.stream;
        let mut tensors = Vec::with_capacity(self.tensors.len());
        for &tensor in &self.tensors {
            tensors.push(match tensor.dtype() == joined || *delegates {
                true => tensor.clone(),
                false => {
                    let cast = operation.empty(tensor.shape(), joined)?;
                    cast_into(stream, tensor, &cast, casts::cast_by(tensor))?;
                    cast
                }
            });
        }
        let is_seen_otherwise = *seen != joined;
        let as_seen =
            |tensor: &Tensor| if is_seen_otherwise { tensor.with_bits_of(*seen) } else { tensor.clone() };
        let tensors: Vec<Tensor> = tensors.iter().map(as_seen).collect();
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        let join =
            |out: &Tensor| (self.operator.launch)(stream.into(), &tensors, *axis as i64, &as_seen(out));
        match plan.steps.last() {
            Some(Step::Cast { by, .. }) => {
                let result = operation.empty(plan.shape.clone(), joined)?;
                join(&result)?;
                cast_into(stream, &result, out, *by)
            }
            _ => join(out),
        }
    }
}
