//! Functions of each element that have attributes, or several operands, or both: their options, their plan, and running it.

use std::borrow::Cow;
use std::fmt;

use aclnn_numerics::promote::{Edition, output, promote_scalar};
use aclnn_numerics::signature::{self, Operands, Output, Scalars, Shapes};
use aclnn_numerics::{DType, Shape};
use smallvec::{SmallVec, smallvec};

use super::prepared::{InPlace, OTHERS, Prepared, Promotion, Target, follow, prepared};
use crate::argument_checks::Operation;
use crate::error::{Error, Result};
use crate::operand::Operand;
use crate::plan::{CastBy, Plan, Policy, Role, Step, casts};
use crate::scalar::Scalar;
use crate::signatures;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator: its declaration, and how it is launched.
pub(super) struct Operator {
    pub(super) name: &'static str,
    /// The C name.
    pub(super) form: &'static str,
    pub(super) signature: signature::Parametric,
    /// The names of the operands after the first.
    pub(super) others: &'static [&'static str],
    pub(super) attributes: &'static [&'static str],
    pub(super) launch: for<'a> fn(&'a Stream, &[&'a Tensor], &[Scalar], &'a Tensor) -> Result<()>,
    pub(super) in_place: Option<InPlace<[Scalar]>>,
}

/// A function of each element of a tensor, with options. It has attributes, or further operands, or both.
///
/// Operands of different types are promoted to a common one, which is the type of the result, and broadcast to a common shape.
/// A number as an operand stands for every element.
///
/// How exact a device is, CANN does not state. The emulator computes what is not exact in f64 and rounds once, so that
/// results in f32, f16 and bf16 are the nearest number or its neighbour. NaN stays NaN unless the function says otherwise.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Parametric<'a> {
    operator: &'static Operator,
    own: &'a Tensor,
    others: SmallVec<[Operand<'a>; 2]>,
    attributes: SmallVec<[Scalar; 4]>,
    dtype: Option<DType>,
    policy: Policy,
    edition: Edition,
    stream: Option<&'a Stream>,
}

impl fmt::Debug for Parametric<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parametric")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("others", &self.others)
            .field("attributes", &self.attributes)
            .field("dtype", &self.dtype)
            .field("policy", &self.policy)
            .field("edition", &self.edition)
            .field("stream", self.stream())
            .finish()
    }
}

prepared! {
    ['a] Parametric<'a>:
    dtype("Sets the type of the result, to which it is converted."),
    policy("Where the library does not promote the operands, Casts are inserted by every policy."),
    edition,
    on("the first operand"),
    plan,
    run_into("The tensor may be an operand itself, but must not overlap one partly.")
}

impl<'a> Parametric<'a> {
    pub(super) fn new(
        operator: &'static Operator,
        own: &'a Tensor,
        others: impl IntoIterator<Item = Operand<'a>>,
        attributes: impl IntoIterator<Item = Scalar>,
    ) -> Self {
        let (others, attributes) = (others.into_iter().collect(), attributes.into_iter().collect());
        let (policy, edition) = Default::default();
        Self { operator, own, others, attributes, dtype: None, policy, edition, stream: None }
    }

    #[inline]
    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    /// The operands after the first, with their names.
    #[inline]
    fn others(&self) -> impl Iterator<Item = (&'static str, Operand<'a>)> {
        self.operator.others.iter().copied().zip(self.others.iter().copied())
    }

    #[inline]
    fn tensors(&self) -> impl Iterator<Item = &'a Tensor> + Clone {
        let others = self.others.iter().filter_map(|other| match other {
            Operand::Tensor(tensor) => Some(*tensor),
            Operand::Scalar(_) => None,
        });
        std::iter::once(self.own).chain(others)
    }

    #[inline]
    fn named<'o>(&self, name: &'static str) -> Operation<'o>
    where
        'a: 'o,
    {
        let mut operation = Operation::new(name, self.stream()).tensor("self", self.own);
        for (name, other) in self.others() {
            operation = match other {
                Operand::Tensor(tensor) => operation.tensor(name, tensor),
                Operand::Scalar(scalar) => operation.scalar(name, scalar),
            };
        }
        let attributes = self.operator.attributes.iter().zip(&self.attributes);
        attributes.fold(operation, |operation, (name, value)| operation.scalar(name, *value))
    }

    #[inline]
    fn shape(&self, operation: &Operation<'_>) -> Result<Shape> {
        let own = self.own.shape();
        let mut shape = own.clone();
        for (_, other) in self.others() {
            let Operand::Tensor(other) = other else { continue };
            shape = match self.operator.signature.shapes {
                Shapes::Channels => operation.broadcast(&shape, &along_channels(other, own.rank()))?,
                _ => operation.broadcast(&shape, other.shape())?,
            };
        }
        if self.operator.signature.shapes == Shapes::Channels && shape != *own {
            return Err(Error::OutputShape {
                operator: operation.operator,
                operands: operation.operands(),
                name: "self",
                expected: Box::new(shape),
                given: Box::new(own.clone()),
            });
        }
        Ok(shape)
    }

    /// Returns the type that the operands are promoted to by a table.
    #[inline]
    fn promoted(&self, operation: &Operation<'_>, edition: Edition) -> Result<DType> {
        let own = self.own.dtype();
        let is_clamp = self.operator.signature.operands == Operands::Clamped;
        let bounds = self.attributes.iter().filter(|_| is_clamp).copied().map(Operand::Scalar);
        let mut others = self.others.iter().copied().chain(bounds);
        let promoted = others.try_fold(own, |promoted, other| match other {
            Operand::Tensor(tensor) => edition.promote(promoted, tensor.dtype()),
            Operand::Scalar(scalar) => promote_scalar(promoted, scalar.dtype()),
        });
        promoted.map_err(|cause| {
            let (operator, operands) = (operation.operator, operation.operands());
            Error::NotPromotable { operator, operands, cause }
        })
    }

    /// Returns the attributes as they are sent, after a check that the library takes them.
    #[inline]
    fn sent(&self, operation: &Operation<'_>, promoted: DType) -> Result<SmallVec<[Scalar; 4]>> {
        let signature = &self.operator.signature;
        let mut values: SmallVec<[(DType, f64); 4]> = SmallVec::new();
        let mut sent = SmallVec::new();
        for (name, value) in self.operator.attributes.iter().zip(&self.attributes) {
            let dtype = value.dtype();
            if dtype.is_complex() {
                return Err(operation.bad_scalar(format!("{name} is {dtype}; pass a real number")));
            }
            let to = match signature.scalars {
                Scalars::InF32 | Scalars::RealInF32 => DType::F32,
                Scalars::AsOperands | Scalars::ListedAsOperands => promoted,
            };
            let none = || operation.bad_scalar(format!("there are no scalars of {to}"));
            let given = value.to(DType::F64).and_then(|value| value.get()).ok_or_else(none)?;
            values.push((if signature.scalars == Scalars::ListedAsOperands { to } else { dtype }, given));
            sent.push(value.to(to).ok_or_else(none)?);
        }
        match signature.refuses_attributes(&values) {
            None => Ok(sent),
            Some(why) => {
                let name = self.operator.attributes.first().copied().unwrap_or_default();
                let value = self.attributes.first().map(ToString::to_string).unwrap_or_default();
                Err(operation.bad_scalar(format!("{name} is {value}, but {why}")))
            }
        }
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Devices`](Error::Devices), [`Rank`](Error::Rank), [`Broadcast`](Error::Broadcast),
    /// [`OutputShape`](Error::OutputShape), [`NotPromotable`](Error::NotPromotable), [`Scalar`](Error::Scalar),
    /// [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast) and [`OutputDType`](Error::OutputDType), all before
    /// anything is launched; [`OutOfMemory`](Error::OutOfMemory); [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        self.run_anew()
    }

    /// Queues the operation, whose result replaces the elements of the first operand.
    #[inline]
    pub(super) fn run_in_place(&self) -> Result<()> {
        self.run_to(Target::InPlace(self.own))
    }

    /// Returns the operands in the shape that the operator takes: not every one broadcasts by itself.
    #[inline]
    fn views<'t>(&self, shape: &Shape, tensors: &[&'t Tensor]) -> Result<SmallVec<[Cow<'t, Tensor>; 3]>> {
        let spreads = matches!(self.operator.signature.shapes, Shapes::Equal | Shapes::Counted);
        let view = |tensor: &&'t Tensor| match !spreads || tensor.shape() == shape {
            true => Ok(Cow::Borrowed(*tensor)),
            false => tensor.broadcast_to(shape.clone()).map(Cow::Owned),
        };
        tensors.iter().map(view).collect()
    }
}

impl Prepared for Parametric<'_> {
    /// The attributes as they are sent.
    type Extra = SmallVec<[Scalar; 4]>;

    #[inline]
    fn operation(&self) -> Result<Operation<'_>> {
        Ok(self.named(self.operator.name))
    }

    #[inline]
    fn planned(&self, target: Target<'_>) -> Result<(Plan, Self::Extra)> {
        let Operator { name, form, signature, in_place, .. } = self.operator;
        let in_place = in_place.as_ref().filter(|_| target.is_in_place());
        let name = in_place.map_or(*name, |in_place| in_place.name);
        let operation = target.named(self.named(name));
        operation.placed()?;
        let shape = self.shape(&operation)?;
        target.check(&operation, &shape)?;
        let chosen = self.promoted(&operation, self.edition)?;
        // Numbers become tensors, whose types the library would give their full weight.
        let promotes =
            matches!(signature.operands, Operands::Promoting | Operands::PromotingTo | Operands::Bounded)
                && self.others.iter().all(|other| matches!(other, Operand::Tensor(_)));
        let library = promotes.then(|| self.promoted(&operation, Edition::Library).ok()).flatten();
        let taken = (*form, signature.takes);
        let dtypes = self.tensors().map(Tensor::dtype);
        let Promotion { promoted, delegates, choice } =
            Promotion::new(&operation, self.policy, taken, dtypes.clone(), chosen, library);
        operation.takes(form, signature.takes, promoted)?;
        let attributes = self.sent(&operation, promoted)?;
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        let mut operands: SmallVec<[DType; 2]> = smallvec![promoted];
        if delegates {
            dtypes.clone().try_for_each(|dtype| operation.takes(form, signature.takes, dtype))?;
            if dtypes.clone().any(|dtype| dtype != promoted) {
                operands = dtypes.collect();
            }
        } else {
            casts::cast_operand(&operation, Role::Own, self.own, promoted, &mut steps)?;
        }
        for (name, other) in self.others() {
            let operand = Role::Operand(name);
            match other {
                Operand::Tensor(_) if delegates => {}
                Operand::Tensor(other) => {
                    casts::cast_operand(&operation, operand, other, promoted, &mut steps)?
                }
                Operand::Scalar(_) => {
                    operation.takes("InplaceFillScalar", signatures::fill_scalar.takes, promoted)?;
                    steps.push(Step::Fill { operand, dtype: promoted });
                }
            }
        }
        let wanted = target.dtype().or(self.dtype).unwrap_or(promoted);
        target.accepts(&operation, promoted, wanted)?;
        // A result that the library gives to no other type is cast afterwards.
        let accepts = |product| signature.refuses_output(product, promoted, promoted, wanted).is_none();
        let converts =
            output::refused(promoted, wanted).is_none() && !matches!(signature.output, Output::Written(_));
        let direct = wanted == promoted || converts && operation.product().is_some_and(accepts);
        let written = if direct { wanted } else { promoted };
        let in_place = in_place.filter(|_| target.is_written_in_place() && promoted == wanted);
        steps.push(Step::Compute {
            operator: in_place.map_or(*form, |in_place| in_place.form),
            in_place: in_place.is_some(),
            operands,
            out: written,
        });
        if !direct {
            operation.castable(promoted, wanted)?;
            steps.push(Step::Cast { operand: Role::Result, from: promoted, to: wanted, by: CastBy::Cast });
        }
        let plan = Plan { operator: name, steps, compute: promoted, out: wanted, shape, choice };
        Ok((plan, attributes))
    }

    #[inline]
    fn launch(&self, plan: &Plan, attributes: &Self::Extra, out: &Tensor) -> Result<()> {
        let stream = self.stream();
        let operands: SmallVec<[(Role, Operand<'_>); 3]> = [(Role::Own, Operand::Tensor(self.own))]
            .into_iter()
            .chain(self.others().map(|(name, other)| (Role::Operand(name), other)))
            .collect();
        follow(&self.operation()?, plan, &operands, out, |tensors, out| {
            let views = self.views(&plan.shape, tensors)?;
            let views: SmallVec<[&Tensor; 4]> = views.iter().map(|view| &**view).collect();
            match (out, &self.operator.in_place) {
                (Some(out), _) => (self.operator.launch)(stream, &views, attributes, out),
                (None, Some(in_place)) => (in_place.launch)(stream, &views, attributes),
                (None, None) => Err(OTHERS),
            }
        })
    }
}

/// Returns the shape in which as many elements as `weight` has lie along the second of `rank` axes.
#[inline]
fn along_channels(weight: &Tensor, rank: usize) -> Shape {
    let mut sizes: SmallVec<[usize; 8]> = SmallVec::from_elem(1, rank.saturating_sub(1));
    match sizes.first_mut() {
        Some(channels) => *channels = weight.numel(),
        None => sizes.push(weight.numel()),
    }
    Shape::from(sizes.as_slice())
}
