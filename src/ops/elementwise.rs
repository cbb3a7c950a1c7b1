//! Functions of several operands: their options, their plan, and running the plan.

use std::fmt;

use aclnn_numerics::promote::{Edition, NotPromotable, output, promote_scalar};
use aclnn_numerics::signature::Promote;
use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

use super::prepared::{InPlace, OTHERS, Prepared, Promotion, Target, follow, prepared};
use crate::argument_checks::Operation;
use crate::error::{Error, Result};
use crate::operand::Operand;
use crate::plan::{CastBy, Plan, Policy, Role, Step, casts};
use crate::scalar::Scalar;
use crate::signatures;
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

/// The arguments of a function beside its operands.
pub trait Attributes: Copy + fmt::Debug {
    /// Returns the number that the operands are computed with, and its name.
    #[doc(hidden)]
    #[inline]
    fn value(&self) -> Option<(&'static str, Scalar)> {
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
    #[inline]
    fn clone(&self) -> Self {
        Self { operands: self.operands.clone(), ..*self }
    }
}

impl<A: Attributes> fmt::Debug for Elementwise<'_, A> {
    #[inline]
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

prepared! {
    ['a, A: Attributes] Elementwise<'a, A>:
    dtype("Sets the type of the result; the default is the type of the computation. It may be any type that [`Binary::dtype`](super::Binary::dtype) accepts."),
    policy("Where the library does not promote the operands, Casts are inserted by every policy."),
    edition,
    on("the first tensor"),
    plan,
    run_into("The tensor may be an operand itself, but must not overlap one partly.")
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

    #[inline]
    fn tensors(&self) -> impl Iterator<Item = &'a Tensor> + Clone {
        self.operands.iter().filter_map(|operand| match operand {
            Operand::Tensor(tensor) => Some(*tensor),
            Operand::Scalar(_) => None,
        })
    }

    #[inline]
    fn stream(&self) -> Result<&'a Stream> {
        let first = self.tensors().next().map(Tensor::stream);
        self.stream.or(first).ok_or(Error::Internal { what: "a function of no tensor" })
    }

    #[inline]
    fn name(&self, index: usize) -> &'static str {
        let names = self.operator.operands;
        names.get(index).or(names.last()).copied().unwrap_or_default()
    }

    #[inline]
    fn role(&self, index: usize) -> Role {
        match self.name(index) {
            "self" => Role::Own,
            "other" => Role::Other,
            name => Role::Operand(name),
        }
    }

    /// Returns the operands under their names, for checks and errors.
    #[inline]
    fn named<'o>(&self, operator: &'static str) -> Result<Operation<'o>>
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
            Some((name, value)) => operation.scalar(name, value),
            None => operation,
        })
    }

    #[inline]
    fn shape(&self, operation: &Operation<'_>) -> Result<Shape> {
        self.tensors().try_fold(Shape::scalar(), |shape, tensor| operation.broadcast(&shape, tensor.shape()))
    }

    /// Returns the type to which the operands are promoted: the tensors among themselves, then with the scalars.
    #[inline]
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

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank), [`Broadcast`](Error::Broadcast),
    /// [`NotPromotable`](Error::NotPromotable), [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast),
    /// [`OutputDType`](Error::OutputDType) and [`Scalar`](Error::Scalar), all before anything is launched;
    /// [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }

    /// Queues the operation, whose result replaces the elements of its first operand.
    #[inline]
    pub(super) fn run_in_place(&self) -> Result<()> {
        let own = self.tensors().next().ok_or(Error::Internal { what: "a function of no tensor" })?;
        self.run_to(Target::InPlace(own))
    }
}

impl<A: Attributes> Prepared for Elementwise<'_, A> {
    type Extra = ();

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        self.named(self.operator.name)
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, ())> {
        let in_place = self.operator.in_place.as_ref().filter(|_| target.is_in_place());
        let Operator { name, form, signature, promotes, converts, .. } = *self.operator;
        let name = in_place.map_or(name, |in_place| in_place.name);
        let operation = target.named(self.named(name)?);
        operation.placed()?;
        let shape = self.shape(&operation)?;
        target.check(&operation, &shape)?;
        let refused = |cause| Error::NotPromotable { operator: name, operands: operation.operands(), cause };
        let missing = Error::Internal { what: "a function without operands" };
        let chosen = self.promoted(self.edition).map_err(refused)?.ok_or(missing)?;
        let has_scalars = self.operands.iter().any(|operand| matches!(operand, Operand::Scalar(_)));
        // Scalars become tensors, whose types the library would give their full weight.
        let library =
            if promotes && !has_scalars { self.promoted(Edition::Library).ok().flatten() } else { None };
        let takes = |dtype| operation.takes(form, signature.takes, dtype);
        let dtypes = self.tensors().skip(self.operator.kept.len()).map(Tensor::dtype);
        let Promotion { promoted, delegates, choice } =
            Promotion::new(&operation, self.policy, (form, signature.takes), dtypes, chosen, library);
        for (operand, list) in self.operands.iter().zip(self.operator.kept) {
            if let Operand::Tensor(tensor) = operand {
                operation.takes(form, *list, tensor.dtype())?;
            }
        }
        operation.takes(form, signature.promotes_to(), promoted)?;
        if let Some((name, value)) = self.attributes.value()
            && let Some(rule) = output::refused(value.dtype(), promoted)
        {
            let reason =
                format!("{name} is {}, the operands are computed in {promoted}: {rule}", value.dtype());
            return Err(operation.bad_scalar(reason));
        }
        let computed = signature.result(promoted);
        let out = target.dtype().or(self.dtype).unwrap_or(computed);
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
                    operation.takes("InplaceFillScalar", signatures::fill_scalar.takes, promoted)?;
                    steps.push(Step::Fill { operand: self.role(index), dtype: promoted });
                    promoted
                }
            };
            dtypes.push(dtype);
        }
        if dtypes.iter().all(|dtype| Some(dtype) == dtypes.first()) {
            dtypes.truncate(1);
        }
        target.accepts(&operation, computed, out)?;
        // What chooses between bool, or gives bool, gives nothing else.
        let direct = computed == out
            || converts && computed != DType::Bool && output::refused(computed, out).is_none();
        let in_place = in_place.filter(|_| target.is_written_in_place() && computed == out);
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
        Ok((Plan { operator: name, steps, compute: computed, out, shape, choice }, ()))
    }

    #[inline]
    fn launch(&self, plan: &Plan, (): &(), out: &Tensor) -> Result<()> {
        let stream = self.stream()?;
        let operands = self.operands.iter().enumerate();
        let operands: SmallVec<[(Role, Operand<'_>); 4]> =
            operands.map(|(index, operand)| (self.role(index), *operand)).collect();
        follow(&self.operation()?, plan, &operands, out, |operands, out| {
            match (out, &self.operator.in_place) {
                (Some(out), _) => (self.operator.launch)(stream, operands, &self.attributes, out),
                (None, Some(in_place)) => (in_place.launch)(stream, operands, &self.attributes),
                (None, None) => Err(OTHERS),
            }
        })
    }
}
