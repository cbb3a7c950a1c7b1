//! Functions of several operands: their options, their plan, and running the plan.

use std::fmt;

use aclnn_numerics::promote::{Edition, NotPromotable, output, promote_scalar};
use aclnn_numerics::signature::Promote;
use aclnn_numerics::types::Types;
use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

use super::cast::cast_into;
use super::copy::write_bits;
use crate::argument_checks::{Operation, written_as};
use crate::call::launch;
use crate::declared;
use crate::error::{Error, Result};
use crate::operand::Operand;
use crate::plan::{CastBy, Plan, Policy, Role, Step, casts};
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator: its declaration, and how it is launched with attributes of type `A`.
pub(super) struct Operator<A> {
    pub(super) name: &'static str,
    /// The C name.
    pub(super) form: &'static str,
    pub(super) signature: Promote,
    /// The names of the operands; those behind are called as the last one.
    pub(super) operands: &'static [&'static str],
    /// The types of those of the first operands that keep them.
    pub(super) kept: &'static [Types],
    /// Whether the library promotes the operands itself.
    pub(super) promotes: bool,
    /// Whether the library converts the result to the type of the output itself.
    pub(super) converts: bool,
    pub(super) launch: for<'s> fn(&'s Stream, &[&'s Tensor], &A, &'s Tensor) -> Result<()>,
    pub(super) in_place: Option<InPlace<A>>,
}

/// The form that writes to its first operand.
pub(super) struct InPlace<A> {
    pub(super) name: &'static str,
    /// The C name.
    pub(super) form: &'static str,
    pub(super) launch: for<'s> fn(&'s Stream, &[&'s Tensor], &A) -> Result<()>,
}

/// The failure of an operator that is launched with too few operands.
pub(super) const MISSING: Error = Error::Internal { what: "a function with too few operands" };

/// What a function takes beside its operands.
pub trait Attributes: Copy + fmt::Debug {
    /// Returns the number that the operands are computed with.
    #[doc(hidden)]
    fn value(&self) -> Option<Scalar> {
        None
    }
}

impl Attributes for () {}

/// A function of several operands, with options. `A` are the attributes that it has.
///
/// Operands of different types are promoted to a common one, and all broadcast to a common shape of at most eight axes.
#[must_use = "nothing is launched before `run`"]
pub struct Elementwise<'a, A: 'static> {
    operator: &'static Operator<A>,
    operands: SmallVec<[Operand<'a>; 4]>,
    pub(super) attributes: A,
    dtype: Option<DType>,
    policy: Policy,
    edition: Edition,
    stream: Option<&'a Stream>,
}

impl<A: Copy> Clone for Elementwise<'_, A> {
    fn clone(&self) -> Self {
        Self { operands: self.operands.clone(), ..*self }
    }
}

impl<A: Attributes> fmt::Debug for Elementwise<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elementwise")
            .field("operator", &self.operator.name)
            .field("operands", &self.operands)
            .field("attributes", &self.attributes)
            .field("dtype", &self.dtype)
            .field("policy", &self.policy)
            .field("edition", &self.edition)
            .finish()
    }
}

/// The target of the result.
#[derive(Clone, Copy)]
enum Target<'t> {
    New,
    Into(&'t Tensor),
    /// The first operand.
    InPlace(&'t Tensor),
}

/// A plan, and what it needs to run.
struct Planned {
    plan: Plan,
    /// The type to which operands are promoted.
    promoted: DType,
    /// Whether they are cast to it before.
    casts: bool,
    in_place: bool,
}

impl<'a, A: Attributes> Elementwise<'a, A> {
    /// At least one of the operands must be a tensor.
    pub(super) fn new(
        operator: &'static Operator<A>,
        operands: impl IntoIterator<Item = Operand<'a>>,
        attributes: A,
    ) -> Self {
        let (policy, edition) = Default::default();
        let operands = operands.into_iter().collect();
        Self { operator, operands, attributes, dtype: None, policy, edition, stream: None }
    }

    /// Sets the type of the result; the default is the type of the computation. It may be any type that
    /// [`Binary::dtype`](super::Binary::dtype) accepts.
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.dtype = Some(dtype);
        self
    }

    /// Sets the policy that decides who converts operands of different types; the default is [`Policy::Insert`]. Where the
    /// library does not promote the operands, Casts are inserted by every policy.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the table by which tensors are promoted; the default is [`Edition::Published`].
    pub fn edition(mut self, edition: Edition) -> Self {
        self.edition = edition;
        self
    }

    /// Sets the stream that does the work; the default is the stream of the first tensor.
    pub fn on(mut self, stream: &'a Stream) -> Self {
        self.stream = Some(stream);
        self
    }

    fn tensors(&self) -> impl Iterator<Item = &'a Tensor> {
        self.operands.iter().filter_map(|operand| match operand {
            Operand::Tensor(tensor) => Some(*tensor),
            Operand::Scalar(_) => None,
        })
    }

    fn stream(&self) -> Result<&'a Stream> {
        let first = self.tensors().next().map(Tensor::stream);
        self.stream.or(first).ok_or(Error::Internal { what: "a function of no tensor" })
    }

    fn name(&self, index: usize) -> &'static str {
        let names = self.operator.operands;
        names.get(index).or(names.last()).copied().unwrap_or_default()
    }

    fn role(&self, index: usize) -> Role {
        match self.name(index) {
            "self" => Role::Own,
            "other" => Role::Other,
            name => Role::Operand(name),
        }
    }

    /// Returns the operands under their names, for checks and errors.
    fn operation<'o>(&self, operator: &'static str) -> Result<Operation<'o>>
    where
        'a: 'o,
    {
        let mut operation = Operation::new(operator, self.stream()?);
        for (index, operand) in self.operands.iter().enumerate() {
            operation = match operand {
                Operand::Tensor(tensor) => operation.tensor(self.name(index), tensor),
                Operand::Scalar(scalar) => operation.scalar(self.name(index), *scalar),
            };
        }
        Ok(match self.attributes.value() {
            Some(value) => operation.scalar("value", value),
            None => operation,
        })
    }

    fn shape(&self, operation: &Operation<'_>) -> Result<Shape> {
        self.tensors().try_fold(Shape::scalar(), |shape, tensor| operation.broadcast(&shape, tensor.shape()))
    }

    /// Returns the type to which the operands are promoted: the tensors among themselves, then with the scalars.
    fn promoted(&self, edition: Edition) -> std::result::Result<Option<DType>, NotPromotable> {
        let operands = || self.operands.iter().skip(self.operator.kept.len());
        let (mut tensor, mut scalar) = (None, None);
        for operand in operands() {
            match (operand, tensor, scalar) {
                (Operand::Tensor(own), Some(other), _) => tensor = Some(edition.promote(other, own.dtype())?),
                (Operand::Tensor(own), None, _) => tensor = Some(own.dtype()),
                (Operand::Scalar(own), _, Some(other)) => scalar = Some(edition.promote(other, own.dtype())?),
                (Operand::Scalar(own), _, None) => scalar = Some(own.dtype()),
            }
        }
        Ok(match (tensor, scalar) {
            (Some(tensor), Some(scalar)) => Some(promote_scalar(tensor, scalar)?),
            (tensor, scalar) => tensor.or(scalar),
        })
    }

    fn planned(&self, target: Target<'_>) -> Result<Planned> {
        let in_place = match (&self.operator.in_place, target) {
            (Some(in_place), Target::InPlace(_)) => Some(in_place),
            _ => None,
        };
        let Operator { name, form, signature, promotes, converts, .. } = *self.operator;
        let name = in_place.map_or(name, |form| form.name);
        let mut operation = self.operation(name)?;
        if let Target::Into(out) = target {
            operation = operation.tensor("out", out);
        }
        operation.placed()?;
        let shape = self.shape(&operation)?;
        match target {
            Target::New => {}
            Target::Into(out) => operation.writable("out", out, &shape)?,
            Target::InPlace(own) => operation.writable("self", own, &shape)?,
        }
        let refused = |cause| Error::NotPromotable { operator: name, operands: operation.operands(), cause };
        let missing = Error::Internal { what: "a function without operands" };
        let chosen = self.promoted(self.edition).map_err(refused)?.ok_or(missing)?;
        let has_scalars = self.operands.iter().any(|operand| matches!(operand, Operand::Scalar(_)));
        // Scalars become tensors, whose types the library would give their full weight.
        let library =
            if promotes && !has_scalars { self.promoted(Edition::Library).ok().flatten() } else { None };
        let takes = |dtype| operation.takes(form, signature.takes, dtype);
        let alike = || {
            library == Some(chosen)
                && self.tensors().skip(self.operator.kept.len()).all(|own| takes(own.dtype()).is_ok())
        };
        let delegates = match self.policy {
            Policy::Insert => false,
            Policy::Delegate => library.is_some(),
            Policy::Auto => alike(),
        };
        let promoted = library.filter(|_| delegates).unwrap_or(chosen);
        for (operand, list) in self.operands.iter().zip(self.operator.kept) {
            if let Operand::Tensor(tensor) = operand {
                operation.takes(form, *list, tensor.dtype())?;
            }
        }
        operation.takes(form, signature.promotes_to(), promoted)?;
        if let Some(value) = self.attributes.value()
            && let Some(rule) = output::refused(value.dtype(), promoted)
        {
            let reason =
                format!("value is {}, the operands are computed in {promoted}: {rule}", value.dtype());
            return Err(operation.bad_scalar(reason));
        }
        let computed = signature.result(promoted);
        let out = match target {
            Target::New => self.dtype.unwrap_or(computed),
            Target::Into(out) | Target::InPlace(out) => out.dtype(),
        };
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        let mut dtypes: SmallVec<[DType; 2]> = SmallVec::new();
        for (index, operand) in self.operands.iter().enumerate() {
            let dtype = match operand {
                Operand::Tensor(tensor) if index < self.operator.kept.len() || delegates => {
                    if index >= self.operator.kept.len() {
                        takes(tensor.dtype())?;
                    }
                    tensor.dtype()
                }
                Operand::Tensor(tensor) => {
                    casts::cast_operand(&operation, self.role(index), tensor, promoted, &mut steps)?;
                    promoted
                }
                Operand::Scalar(_) => {
                    operation.takes("InplaceFillScalar", declared::fill_scalar.takes, promoted)?;
                    steps.push(Step::Fill { operand: self.role(index), dtype: promoted });
                    promoted
                }
            };
            dtypes.push(dtype);
        }
        if dtypes.iter().all(|dtype| Some(dtype) == dtypes.first()) {
            dtypes.truncate(1);
        }
        let rule = output::refused(computed, out);
        // In place the library's own rule holds, so that an assignment never drops fractions.
        let is_in_place = matches!(target, Target::InPlace(_));
        if let Some(rule) = rule.filter(|_| is_in_place || !casts::casts_result(computed, out)) {
            let (operator, operands) = (name, operation.operands());
            return Err(Error::OutputDType {
                operator,
                operands,
                computed,
                out,
                rule,
                in_place: is_in_place,
            });
        }
        // What chooses between bool, or gives bool, gives nothing else.
        let direct = computed == out || converts && computed != DType::Bool && rule.is_none();
        let in_place = in_place.filter(|_| computed == out);
        steps.push(Step::Compute {
            operator: in_place.map_or(form, |in_place| in_place.form),
            in_place: in_place.is_some(),
            operands: dtypes,
            out: if direct { out } else { computed },
        });
        if !direct {
            operation.castable(computed, out)?;
            steps.push(Step::Cast { operand: Role::Result, from: computed, to: out, by: CastBy::Cast });
        }
        let in_place = in_place.is_some();
        let plan = Plan { operator: name, steps, compute: computed, out, shape, choice: None };
        Ok(Planned { plan, promoted, casts: !delegates, in_place })
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`Elementwise::run`] that are found before anything is launched.
    pub fn plan(&self) -> Result<Plan> {
        Ok(self.planned(Target::New)?.plan)
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank), [`Broadcast`](Error::Broadcast),
    /// [`NotPromotable`](Error::NotPromotable), [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast),
    /// [`OutputDType`](Error::OutputDType) and [`Scalar`](Error::Scalar), all before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    pub fn run(&self) -> Result<Tensor> {
        let planned = self.planned(Target::New)?;
        let out = self.empty(&planned.plan.shape, planned.plan.out)?;
        self.launch(&planned, &out)?;
        Ok(out)
    }

    /// Queues the operation, with the result in a tensor of exactly its shape and of any type that [`Elementwise::dtype`]
    /// accepts. The tensor may be an operand itself, but must not overlap an operand partly.
    ///
    /// # Errors
    /// Those of [`Elementwise::run`], and [`OutputShape`](Error::OutputShape), [`Overlap`](Error::Overlap),
    /// [`SharedElements`](Error::SharedElements) and [`SharedBytes`](Error::SharedBytes), before anything is launched.
    pub fn run_into(&self, out: &mut Tensor) -> Result<()> {
        self.run_to(Target::Into(out), out)
    }

    /// Queues the operation, whose result replaces the elements of its first operand.
    pub(super) fn run_in_place(&self) -> Result<()> {
        let own = self.tensors().next().ok_or(Error::Internal { what: "a function of no tensor" })?;
        self.run_to(Target::InPlace(own), own)
    }

    fn run_to(&self, target: Target<'_>, out: &Tensor) -> Result<()> {
        let planned = self.planned(target)?;
        match written_as(out) {
            None => self.launch(&planned, out),
            Some(signed) => {
                let result = self.empty(&planned.plan.shape, planned.plan.out)?;
                self.launch(&planned, &result)?;
                write_bits(self.stream()?, out, &result, signed)
            }
        }
    }

    fn empty(&self, shape: &Shape, dtype: DType) -> Result<Tensor> {
        self.operation(self.operator.name)?.empty(shape, dtype)
    }

    /// Follows the plan, whose last step writes to `out`.
    fn launch(&self, planned: &Planned, out: &Tensor) -> Result<()> {
        let stream = self.stream()?;
        let Planned { plan, promoted, casts, in_place } = planned;
        let mut made: SmallVec<[Option<Tensor>; 4]> = SmallVec::new();
        for (index, operand) in self.operands.iter().enumerate() {
            let is_cast = *casts && index >= self.operator.kept.len();
            made.push(match operand {
                Operand::Tensor(tensor) if is_cast && tensor.dtype() != *promoted => {
                    let cast = self.empty(tensor.shape(), *promoted)?;
                    cast_into(stream, tensor, &cast, casts::cast_by(tensor))?;
                    Some(cast)
                }
                Operand::Tensor(_) => None,
                Operand::Scalar(scalar) => {
                    let filled = self.empty(&Shape::scalar(), *promoted)?;
                    launch::InplaceFillScalar(stream.into(), &filled, scalar)?;
                    Some(filled)
                }
            });
        }
        let operands = self.operands.iter().zip(&made).filter_map(|(operand, made)| match (operand, made) {
            (_, Some(made)) => Some(made),
            (Operand::Tensor(tensor), None) => Some(*tensor),
            (Operand::Scalar(_), None) => None,
        });
        let operands: SmallVec<[&Tensor; 4]> = operands.collect();
        if let (true, Some(form)) = (*in_place, &self.operator.in_place) {
            return (form.launch)(stream, &operands, &self.attributes);
        }
        let last = match plan.steps.last() {
            Some(Step::Cast { from, by, .. }) => Some((*from, *by)),
            _ => None,
        };
        let Some((computed, by)) = last else {
            return (self.operator.launch)(stream, &operands, &self.attributes, out);
        };
        let result = self.empty(&plan.shape, computed)?;
        (self.operator.launch)(stream, &operands, &self.attributes, &result)?;
        cast_into(stream, &result, out, by)
    }
}
