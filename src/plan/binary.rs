//! The plan of an operator of two operands; the second is a tensor or a scalar.

use aclnn_numerics::DType::{self, *};
use aclnn_numerics::Shape;
use aclnn_numerics::product::Product;
use aclnn_numerics::promote::{Edition, NotPromotable, output, promote_scalar};
use aclnn_numerics::signature::{Computes, Promote};
use smallvec::{SmallVec, smallvec};

use super::auto::{self, Choice};
use super::{CastBy, Plan, Policy, Role, Step, casts};
use crate::argument_checks::{Operation, written_as};
use crate::error::{Error, Result};
use crate::operand::Operand;
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The rules of an operator for the planner.
pub(crate) struct Rules {
    /// The operation, for example `add`.
    pub(crate) name: &'static str,
    /// The C names of its forms: `Add`, `Adds`, and in place `InplaceAdd`, `InplaceAdds`.
    pub(crate) forms: Forms,
    /// The types that it takes and gives.
    pub(crate) signature: Promote,
}

/// The C names of an operator's forms.
pub(crate) struct Forms {
    pub(crate) tensor: &'static str,
    /// `None` if a scalar operand must become a tensor first.
    pub(crate) scalar: Option<&'static str>,
    pub(crate) in_place: Option<InPlaceForms>,
}

/// The names of the forms that write to the first operand.
#[derive(Clone, Copy)]
pub(crate) struct InPlaceForms {
    /// The operation, for example `add_in_place`.
    pub(crate) name: &'static str,
    /// The C names.
    pub(crate) tensor: &'static str,
    /// `None` if a scalar operand must become a tensor first.
    pub(crate) scalar: Option<&'static str>,
}

/// The target of the result.
#[derive(Clone, Copy)]
pub(crate) enum Target<'a> {
    /// A new tensor, of this type if one is given.
    New(Option<DType>),
    Into(&'a Tensor),
    /// The first operand.
    InPlace,
}

/// An operation to be planned.
pub(crate) struct Request<'a> {
    pub(crate) rules: &'static Rules,
    pub(crate) own: &'a Tensor,
    pub(crate) other: Operand<'a>,
    pub(crate) alpha: Option<Scalar>,
    pub(crate) target: Target<'a>,
    pub(crate) policy: Policy,
    pub(crate) edition: Edition,
}

/// A plan, and the scalar operand as it is sent.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    pub(crate) scalar: Option<Scalar>,
}

/// The types of an operation.
struct Types {
    /// The type to which the operands are promoted.
    promoted: DType,
    /// The type that the operator computes.
    computed: DType,
    /// The type that the caller asks for.
    out: DType,
}

impl Request<'_> {
    /// Checks everything and plans the launches.
    pub(crate) fn plan(&self, stream: &Stream) -> Result<Planned> {
        let mut operation = Operation::new(self.name(), stream).tensor("self", self.own);
        match self.other {
            Operand::Tensor(other) => operation = operation.tensor("other", other),
            Operand::Scalar(other) => operation = operation.scalar("other", other),
        }
        if let Some(alpha) = self.alpha {
            operation = operation.scalar("alpha", alpha);
        }
        if let Target::Into(out) = self.target {
            operation = operation.tensor("out", out);
        }
        operation.placed()?;
        let shape = self.shape(&operation)?;
        let types = self.types(&operation)?;
        self.check_alpha(&operation, types.promoted)?;
        match self.policy() {
            Policy::Insert => self.insert(&operation, types, shape, None),
            Policy::Auto => {
                let choice = self.choose(&operation, types.promoted);
                self.insert(&operation, types, shape, Some(choice))
            }
            Policy::Delegate => self.delegate(&operation, types, shape),
        }
    }

    fn shape(&self, operation: &Operation<'_>) -> Result<Shape> {
        let shape = match self.other {
            Operand::Tensor(other) => operation.broadcast(self.own.shape(), other.shape())?,
            Operand::Scalar(_) => self.own.shape().clone(),
        };
        match self.target {
            Target::New(_) => {}
            Target::Into(out) => operation.writable("out", out, &shape)?,
            Target::InPlace => operation.writable("self", self.own, &shape)?,
        }
        Ok(shape)
    }

    fn types(&self, operation: &Operation<'_>) -> Result<Types> {
        let a = self.own.dtype();
        let promoted = match (self.other, self.policy()) {
            _ if self.rules.signature.computes == Computes::Truth => Ok(Bool),
            (Operand::Tensor(other), Policy::Delegate) => Edition::Library.promote(a, other.dtype()),
            (Operand::Tensor(other), _) => self.edition.promote(a, other.dtype()),
            (Operand::Scalar(other), Policy::Delegate) => {
                promoted_by_library(a, other.dtype(), self.rules.signature.divides())
                    .and_then(|()| promote_scalar(a, other.dtype()))
            }
            (Operand::Scalar(other), _) => promote_scalar(a, other.dtype()),
        };
        let promoted = promoted.map_err(|cause| not_promotable(operation, cause))?;
        let computed = self.rules.signature.result(promoted);
        // Beside f16 and bf16 a scalar keeps its digits in f32.
        let widened = self.fills() && matches!(promoted, F16 | BF16);
        let out = match self.target {
            Target::New(dtype) => dtype.unwrap_or(computed),
            Target::Into(out) => out.dtype(),
            Target::InPlace => a,
        };
        Ok(if widened {
            Types { promoted: F32, computed: self.rules.signature.result(F32), out }
        } else {
            Types { promoted, computed, out }
        })
    }

    /// Returns whether a scalar operand becomes a tensor, as the operator takes tensors only.
    fn fills(&self) -> bool {
        matches!(self.other, Operand::Scalar(_)) && self.rules.forms.scalar.is_none()
    }

    /// Returns the policy: a scalar that the library does not accept as it is must be converted here.
    fn policy(&self) -> Policy {
        if self.fills() && self.policy == Policy::Delegate { Policy::Insert } else { self.policy }
    }

    /// Chooses whether the library casts the operands, as `Policy::Auto` does.
    fn choose(&self, operation: &Operation<'_>, promoted: DType) -> Choice {
        // A scalar is sent in the promoted type, and one that is filled in is a tensor of it.
        let other = if let Operand::Tensor(other) = self.other { other.dtype() } else { promoted };
        let operands = auto::Operands {
            product: operation.product(),
            operator: self.forms().0,
            types: self.rules.signature.takes,
            own: self.own.dtype(),
            other,
            is_scalar: matches!(self.other, Operand::Scalar(_)) && !self.fills(),
            has_alpha: self.alpha.is_some(),
            promoted,
        };
        operands.choose()
    }

    fn check_alpha(&self, operation: &Operation<'_>, promoted: DType) -> Result<()> {
        let Some(alpha) = self.alpha else { return Ok(()) };
        let dtype = alpha.dtype();
        if dtype == C32 {
            return Err(operation.bad_scalar("alpha is c32, of which CANN has no scalars; pass a c64".into()));
        }
        let accepted = if promoted == Bool {
            dtype.is_integer() || dtype == Bool
        } else {
            output::refused(dtype, promoted).is_none()
        };
        if accepted {
            return Ok(());
        }
        let (operator, operands) = (operation.operator, operation.operands());
        Err(Error::Alpha { operator, operands, alpha: dtype, computed: promoted })
    }

    /// Plans Casts where types differ, unless the choice is to leave them to the library, and the operator.
    fn insert(
        &self,
        operation: &Operation<'_>,
        types: Types,
        shape: Shape,
        choice: Option<Choice>,
    ) -> Result<Planned> {
        let Types { promoted, computed, out } = types;
        let (tensor_form, in_place_form) = self.forms();
        operation.takes(tensor_form, self.rules.signature.promotes_to(), promoted)?;
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        let delegated = choice == Some(Choice::Delegated);
        let takes = |dtype| operation.takes(tensor_form, self.rules.signature.takes, dtype).is_ok();
        // Truth values are told by the operator itself, whatever the types.
        let is_left = |dtype| delegated || self.rules.signature.computes == Computes::Truth && takes(dtype);
        let own = self.own.dtype();
        let mut operands: SmallVec<[DType; 2]> = smallvec![if is_left(own) { own } else { promoted }];
        if !is_left(own) {
            casts::cast_operand(operation, Role::Own, self.own, promoted, &mut steps)?;
        }
        let scalar = match self.other {
            Operand::Tensor(other) if is_left(other.dtype()) => {
                operands.push(other.dtype());
                None
            }
            Operand::Tensor(other) => {
                casts::cast_operand(operation, Role::Other, other, promoted, &mut steps)?;
                None
            }
            Operand::Scalar(scalar) => {
                if self.fills() {
                    operation.takes("InplaceFillScalar", signatures::fill_scalar.takes, promoted)?;
                    steps.push(Step::Fill { operand: Role::Other, dtype: promoted });
                    if operands.first() != Some(&promoted) {
                        operands.push(promoted);
                    }
                }
                Some(sent(operation, scalar, promoted)?)
            }
        };

        let refused = output::refused(computed, out);
        let list = self.rules.signature.output;
        let listed = list.is_none_or(|list| operation.takes(tensor_form, list, out).is_ok());
        let direct = computed == out || refused.is_none() && listed;
        // The form in place takes the tensor as it is.
        let in_place = self.is_written_in_place() && direct && (is_left(own) || own == promoted);
        // In place the library's own rule holds, so that an assignment never drops fractions.
        let casts = !matches!(self.target, Target::InPlace) && casts::casts_result(computed, out);
        if let (Some(rule), false) = (refused, casts) {
            return Err(self.output_dtype(operation, computed, out, rule));
        }
        if computed != out {
            operation.castable(computed, out)?;
        }
        let (operator, in_place) = match in_place_form {
            Some(form) if in_place => (form, true),
            _ => (tensor_form, false),
        };
        let written = if direct { out } else { computed };
        steps.push(Step::Compute { operator, in_place, operands, out: written });
        if !direct {
            steps.push(Step::Cast { operand: Role::Result, from: computed, to: out, by: CastBy::Cast });
        }
        let plan = Plan { operator: self.name(), steps, compute: computed, out, shape, choice };
        Ok(Planned { plan, scalar })
    }

    /// Plans the operator alone, if the library accepts the operands as they are.
    fn delegate(&self, operation: &Operation<'_>, types: Types, shape: Shape) -> Result<Planned> {
        let Types { promoted, computed, out } = types;
        let (tensor_form, in_place_form) = self.forms();
        let (operator, in_place) = match (self.target, in_place_form) {
            (Target::InPlace, Some(form)) if self.is_written_in_place() => (form, true),
            _ => (tensor_form, false),
        };
        let mut operands: SmallVec<[DType; 2]> = smallvec![self.own.dtype()];
        operation.takes(operator, self.rules.signature.takes, self.own.dtype())?;
        let scalar = match self.other {
            Operand::Tensor(other) => {
                operation.takes(operator, self.rules.signature.takes, other.dtype())?;
                if other.dtype() != self.own.dtype() {
                    operands.push(other.dtype());
                }
                None
            }
            Operand::Scalar(scalar) if scalar.dtype() == C32 => return Err(no_c32(operation)),
            Operand::Scalar(scalar) => Some(scalar),
        };
        if let Some(list) = self.rules.signature.promoted {
            operation.takes(operator, list, promoted)?;
        }
        // Before the 950, division looks at the promoted type and truncates an integer quotient.
        let is_quotient = self.rules.signature.divides() && operation.product() != Some(Product::Ascend950);
        let judged = if is_quotient { promoted } else { computed };
        if let Some(rule) = output::refused(judged, out) {
            return Err(self.output_dtype(operation, judged, out, rule));
        }
        if let (Some(list), false) = (self.rules.signature.output, matches!(self.target, Target::InPlace)) {
            operation.takes(operator, list, out)?;
        }
        // A result becomes another type by the kernels of Cast. What is c32 by the table is computed in c64, and a quotient by a
        // scalar perhaps in the type that two tensors have.
        let divided = match self.other {
            Operand::Scalar(scalar) if self.rules.signature.divides() => {
                Edition::Library.promote(self.own.dtype(), scalar.dtype()).ok()
            }
            _ => None,
        };
        for made in [Some(computed), divided].into_iter().flatten() {
            let made = if made == C32 { C64 } else { made };
            if made != out {
                operation.castable(made, out)?;
            }
        }
        let steps = smallvec![Step::Compute { operator, in_place, operands, out }];
        let plan = Plan { operator: self.name(), steps, compute: computed, out, shape, choice: None };
        Ok(Planned { plan, scalar })
    }

    /// Returns whether the result is written by the form in place, as far as the product writes the tensor's own type.
    fn is_written_in_place(&self) -> bool {
        matches!(self.target, Target::InPlace) && written_as(self.own).is_none()
    }

    /// Returns the C names of the forms with a new output, or in place.
    fn forms(&self) -> (&'static str, Option<&'static str>) {
        let forms = &self.rules.forms;
        match self.other {
            Operand::Tensor(_) => (forms.tensor, forms.in_place.map(|form| form.tensor)),
            Operand::Scalar(_) => {
                let in_place = forms.in_place.map(|form| form.scalar.unwrap_or(form.tensor));
                (forms.scalar.unwrap_or(forms.tensor), in_place)
            }
        }
    }

    fn name(&self) -> &'static str {
        match (self.target, self.rules.forms.in_place) {
            (Target::InPlace, Some(form)) => form.name,
            _ => self.rules.name,
        }
    }

    fn output_dtype(
        &self,
        operation: &Operation<'_>,
        computed: DType,
        out: DType,
        rule: &'static str,
    ) -> Error {
        let in_place = matches!(self.target, Target::InPlace);
        let (operator, operands) = (operation.operator, operation.operands());
        Error::OutputDType { operator, operands, computed, out, rule, in_place }
    }
}

/// Returns the scalar as it is sent: of the promoted type, or of f32 beside f16 and bf16, for which some products
/// compute with the original scalar.
fn sent(operation: &Operation<'_>, scalar: Scalar, promoted: DType) -> Result<Scalar> {
    let to = if matches!(promoted, F16 | BF16) { F32 } else { promoted };
    scalar.to(to).ok_or_else(|| no_c32(operation))
}

fn no_c32(operation: &Operation<'_>) -> Error {
    operation.bad_scalar("CANN has no scalars of c32; pass a c64".into())
}

/// Checks a tensor and a scalar where the library promotes them by its table for two tensors, which refuses more than
/// the table for scalars: in a division, and beside complex tensors.
fn promoted_by_library(tensor: DType, scalar: DType, divides: bool) -> Result<(), NotPromotable> {
    if divides || tensor.is_complex() { Edition::Library.promote(tensor, scalar).map(drop) } else { Ok(()) }
}

fn not_promotable(operation: &Operation<'_>, cause: NotPromotable) -> Error {
    Error::NotPromotable { operator: operation.operator, operands: operation.operands(), cause }
}
