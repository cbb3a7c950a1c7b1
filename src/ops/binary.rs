//! Operations of two operands: their options, their plan, and running the plan.

use std::borrow::Cow;
use std::ffi::c_int;
use std::fmt;

use aclnn_numerics::promote::Edition;
use aclnn_numerics::{DType, Shape};

use super::cast::cast_into;
use super::copy::write_bits;
use crate::argument_checks::written_as;
use crate::call::{Call, Given, On, launch};
use crate::error::{Error, Operands, Result};
use crate::executor::Kind;
use crate::operand::Operand;
use crate::plan::binary::{Planned, Request, Rules, Target};
use crate::plan::{Plan, Policy, Role, Step};
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator: the rules for the planner, and how its forms are launched.
pub(super) struct Operator {
    pub(super) rules: Rules,
    pub(super) tensor: for<'a> fn(On<'a>, &'a Tensor, &'a Tensor, &Scalar, &'a Tensor) -> Result<()>,
    pub(super) order: Order,
    /// `None` if a scalar operand must become a tensor first.
    pub(super) scalar: Option<ScalarForm>,
    pub(super) in_place: Option<InPlace>,
}

/// The arguments of the form for tensors, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Both operands, alpha, the output.
    Alpha,
    /// Both operands, the output.
    Plain,
    /// The second operand, the first, the output.
    Reversed,
    /// Both operands, [`TOWARDS_ZERO`], the output.
    Mode,
}

/// The mode of a division whose quotient is rounded towards zero.
pub(super) const TOWARDS_ZERO: c_int = 1;

type ScalarForm = for<'a> fn(On<'a>, &'a Tensor, &Scalar, &Scalar, &'a Tensor) -> Result<()>;

type ScalarInPlace = for<'a> fn(On<'a>, &'a Tensor, &Scalar, &Scalar) -> Result<()>;

#[derive(Clone, Copy)]
pub(super) struct InPlace {
    pub(super) tensor: for<'a> fn(On<'a>, &'a Tensor, &'a Tensor, &Scalar) -> Result<()>,
    /// `None` if a scalar operand must become a tensor first.
    pub(super) scalar: Option<ScalarInPlace>,
}

/// An operation on a tensor and an [`Operand`], with options. `SCALED` says whether the operator has `alpha`.
///
/// Operands of different types are promoted to a common one and broadcast to a common shape of at most eight axes.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Binary<'a, const SCALED: bool>(pub(super) Operation<'a>);

/// An operation whose result replaces its first operand, with options. `SCALED` says whether the operator has `alpha`.
///
/// If the common type of the operands differs from the type of the first operand, the result is computed in the common
/// type and converted, if the library allows that conversion: f16 accepts the sum with an f32, but i32 does not, and an
/// integer tensor does not accept its quotient.
#[must_use = "nothing is launched before `run`"]
pub struct BinaryInPlace<'a, const SCALED: bool>(pub(super) Operation<'a>);

impl<const SCALED: bool> fmt::Debug for Binary<'_, SCALED> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.describe("Binary", f)
    }
}

impl<const SCALED: bool> fmt::Debug for BinaryInPlace<'_, SCALED> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.describe("BinaryInPlace", f)
    }
}

const NO_RESULT: Error = Error::Internal { what: "a plan that does not compute" };

#[derive(Clone)]
pub(super) struct Operation<'a> {
    operator: &'static Operator,
    own: &'a Tensor,
    other: Operand<'a>,
    alpha: Option<Scalar>,
    dtype: Option<DType>,
    policy: Policy,
    edition: Edition,
    stream: Option<&'a Stream>,
}

impl<'a> Operation<'a> {
    #[inline]
    pub(super) fn new(operator: &'static Operator, own: &'a Tensor, other: Operand<'a>) -> Self {
        let (policy, edition) = Default::default();
        Self { operator, own, other, alpha: None, dtype: None, policy, edition, stream: None }
    }

    #[inline]
    fn describe(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operation { operator, own, other, alpha, dtype, policy, edition, .. } = self;
        f.debug_struct(name)
            .field("operator", &operator.rules.name)
            .field("own", own)
            .field("other", other)
            .field("alpha", alpha)
            .field("dtype", dtype)
            .field("policy", policy)
            .field("edition", edition)
            .field("stream", self.stream())
            .finish()
    }

    #[inline]
    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    #[inline]
    fn plan(&self, target: Target<'_>) -> Result<Planned> {
        let Operation { operator, own, other, alpha, policy, edition, .. } = *self;
        Request { rules: &operator.rules, own, other, alpha, target, policy, edition }.plan(self.stream())
    }

    /// Returns the kind of the calls that this operation makes if its plan is one launch, for two tensors. It tells the
    /// operation, its options and where the result goes.
    #[inline]
    fn kind(&self, target: Target<'_>) -> Option<Kind> {
        let (Operand::Tensor(_), None) = (self.other, self.dtype) else { return None };
        let place = match target {
            Target::Into(_) => 0,
            Target::InPlace => 1,
            Target::New(_) => 2,
        };
        let options =
            (self.policy as u64) << 16 | (self.edition as u64) << 8 | u64::from(self.alpha.is_some()) << 2;
        Some(Kind::of(self.operator, options | place))
    }

    /// Launches what an earlier operation has launched that differs from this one only in the addresses of its tensors.
    /// Returns `None` if none is known.
    #[inline]
    fn run_again(&self, target: Target<'_>) -> Option<Result<()>> {
        let mut call = Call::on([""; 2], On::of_kind(self.stream(), Some(self.kind_of_launch(target)?)));
        self.note(&mut call, target)?;
        if let Target::Into(out) = target {
            call.note_tensor(("out", out), true);
        }
        call.run_again()
    }

    /// Launches as `run_again` does, with the result in a new tensor.
    #[inline]
    fn run_anew(&self) -> Option<Result<Tensor>> {
        // It outlives the call.
        let out;
        let target = Target::New(self.dtype);
        let mut call = Call::on([""; 2], On::of_kind(self.stream(), Some(self.kind_of_launch(target)?)));
        self.note(&mut call, target)?;
        let (dtype, shape) = call.latest_output()?;
        let made = self.empty(self.operator.rules.name, &shape, dtype);
        out = match made.and_then(|out| call.entrust(&out).map(|()| out)) {
            Ok(out) => out,
            Err(error) => return Some(Err(error)),
        };
        call.note_tensor(("out", &out), true);
        let done = call.run_again();
        drop(call);
        done.map(|done| done.map(|()| out))
    }

    /// As `kind`, if the operation is one launch.
    #[inline]
    fn kind_of_launch(&self, target: Target<'_>) -> Option<Kind> {
        let Operand::Tensor(other) = self.other else { return None };
        let is_one = self.policy != Policy::Insert || self.own.dtype() == other.dtype();
        self.kind(target).filter(|_| is_one)
    }

    /// Notes the arguments of a call before its output. In place: a call is larger than what it takes to fill it.
    #[inline]
    fn note<'c>(&'c self, call: &mut Call<'c>, target: Target<'_>) -> Option<()> {
        let Operand::Tensor(other) = self.other else { return None };
        let in_place = matches!(target, Target::InPlace);
        let (first, second) = match self.operator.order {
            Order::Reversed => (("self", other), ("other", self.own)),
            _ => (("self", self.own), ("other", other)),
        };
        call.note_tensor(first, in_place);
        call.note_tensor(second, false);
        if self.operator.order == Order::Alpha {
            call.note_scalar("alpha", self.alpha.unwrap_or(Scalar::ONE))?;
        }
        if self.operator.order == Order::Mode {
            call.add("mode", Given::int(TOWARDS_ZERO)).ok()?;
        }
        Some(())
    }

    /// Makes a tensor for a result of the operator of this name.
    #[inline]
    fn empty(&self, operator: &'static str, shape: &Shape, dtype: DType) -> Result<Tensor> {
        let other = || match self.other {
            Operand::Tensor(tensor) => tensor.info("other"),
            Operand::Scalar(scalar) => scalar.info("other"),
        };
        let operands = || Operands::new([self.own.info("self"), other()]);
        Tensor::empty(self.stream(), shape, dtype).map_err(|error| error.during(operator, operands))
    }

    /// Runs the plan. The result goes to `target`, or otherwise to a new tensor.
    ///
    /// A plan of one launch is of the kind given.
    #[inline]
    fn run<'t>(
        &self,
        planned: &Planned,
        target: Option<&'t Tensor>,
        kind: Option<Kind>,
    ) -> Result<Cow<'t, Tensor>> {
        let stream = self.stream();
        let alpha = self.alpha.unwrap_or(Scalar::ONE);
        let Plan { steps, shape, .. } = &planned.plan;
        let on = On::of_kind(stream, kind.filter(|_| steps.len() == 1));
        let (mut own, mut other) = (None, None);
        let mut result: Option<Cow<'_, Tensor>> = None;
        for (index, step) in steps.iter().enumerate() {
            let target = target.filter(|_| index + 1 == steps.len());
            let output = |dtype| match target {
                Some(out) => Ok(Cow::Borrowed(out)),
                None => self.empty(planned.plan.operator, shape, dtype).map(Cow::Owned),
            };
            match step {
                Step::Cast { operand: Role::Own, to, by, .. } => {
                    let cast = self.empty(planned.plan.operator, self.own.shape(), *to)?;
                    cast_into(stream, self.own, &cast, *by)?;
                    own = Some(cast);
                }
                Step::Cast { operand: Role::Other | Role::Operand(_), to, by, .. } => {
                    let Operand::Tensor(tensor) = self.other else {
                        return Err(Error::Internal { what: "a Cast of a scalar" });
                    };
                    let cast = self.empty(planned.plan.operator, tensor.shape(), *to)?;
                    cast_into(stream, tensor, &cast, *by)?;
                    other = Some(cast);
                }
                Step::Cast { operand: Role::Result, to, by, .. } => {
                    let computed = result.take().ok_or(NO_RESULT)?;
                    let out = output(*to)?;
                    cast_into(stream, &computed, &out, *by)?;
                    result = Some(out);
                }
                Step::Fill { dtype, .. } => {
                    let scalar = planned.scalar.ok_or(Error::Internal { what: "a tensor of no scalar" })?;
                    let filled = self.empty(planned.plan.operator, &Shape::scalar(), *dtype)?;
                    launch::InplaceFillScalar(stream.into(), &filled, &scalar)?;
                    other = Some(filled);
                }
                Step::Compute { in_place, out, .. } => {
                    let own = own.as_ref().unwrap_or(self.own);
                    let out = output(*out)?;
                    let in_place = self.operator.in_place.filter(|_| *in_place);
                    let other = match (&other, self.other) {
                        (Some(made), _) => Operand::Tensor(made),
                        (None, Operand::Scalar(scalar)) => Operand::Scalar(planned.scalar.unwrap_or(scalar)),
                        (None, tensor) => tensor,
                    };
                    match (other, in_place) {
                        (Operand::Tensor(other), None) => {
                            (self.operator.tensor)(on, own, other, &alpha, &out)?
                        }
                        (Operand::Tensor(other), Some(form)) => (form.tensor)(on, own, other, &alpha)?,
                        (Operand::Scalar(other), None) => {
                            let form = self.operator.scalar.ok_or(NO_RESULT)?;
                            form(on, own, &other, &alpha, &out)?
                        }
                        (Operand::Scalar(other), Some(form)) => {
                            form.scalar.ok_or(NO_RESULT)?(on, own, &other, &alpha)?
                        }
                    }
                    result = Some(out);
                }
            }
        }
        result.ok_or(NO_RESULT)
    }
}

/// Expands to its first argument.
macro_rules! first {
    ($value:expr, $none:expr) => {
        $value
    };
    ($none:expr) => {
        $none
    };
}

pub(super) use first;

/// Defines the options that both kinds of operations have.
macro_rules! options {
    ($Type:ident) => {
        impl<'a, const SCALED: bool> $Type<'a, SCALED> {
            /// Sets the policy that decides who converts operands of different types; the default is
            /// [`Policy::Insert`]. [`Policy::Auto`] computes the same with fewer launches.
            #[inline]
            pub fn policy(mut self, policy: Policy) -> Self {
                self.0.policy = policy;
                self
            }

            /// Sets the table by which two tensors are promoted; the default is [`Edition::Published`]. A tensor and a
            /// scalar are always promoted by [`RevisedScalar`](crate::promote::RevisedScalar), and [`Policy::Delegate`]
            /// uses the library's own table.
            #[inline]
            pub fn edition(mut self, edition: Edition) -> Self {
                self.0.edition = edition;
                self
            }

            /// Sets the stream that does the work; the default is the stream of the first operand.
            #[inline]
            pub fn on(mut self, stream: &'a Stream) -> Self {
                self.0.stream = Some(stream);
                self
            }
        }

        impl $Type<'_, true> {
            /// Sets the factor of one operand; the default is 1. For an integer or bool result it must be an integer.
            pub fn alpha(mut self, alpha: impl Into<Scalar>) -> Self {
                self.0.alpha = Some(alpha.into());
                self
            }
        }
    };
}

options!(Binary);
options!(BinaryInPlace);

impl<const SCALED: bool> Binary<'_, SCALED> {
    /// Sets the type of the result; the default is the type of the computation.
    ///
    /// A real result can become any real or complex type, a complex one any complex or floating-point type (its real
    /// part). Where the library's operator does not make this conversion, a Cast of the result is planned.
    #[inline]
    pub fn dtype(mut self, dtype: DType) -> Self {
        self.0.dtype = Some(dtype);
        self
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`Binary::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        Ok(self.0.plan(Target::New(self.0.dtype))?.plan)
    }

    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank), [`Broadcast`](crate::Error::Broadcast),
    /// [`NotPromotable`](crate::Error::NotPromotable), [`Alpha`](crate::Error::Alpha),
    /// [`Unsupported`](crate::Error::Unsupported), [`NoCast`](crate::Error::NoCast),
    /// [`OutputDType`](crate::Error::OutputDType) and [`Scalar`](crate::Error::Scalar), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        if let Some(done) = self.0.run_anew() {
            return done;
        }
        let target = Target::New(self.0.dtype);
        self.0.run(&self.0.plan(target)?, None, self.0.kind(target)).map(Cow::into_owned)
    }

    /// Queues the operation, with the result in a tensor of exactly its shape and of any type that [`Binary::dtype`]
    /// accepts. The tensor may be an operand itself, but must not overlap an operand partly.
    ///
    /// # Errors
    /// Those of [`Binary::run`], and [`OutputShape`](crate::Error::OutputShape), [`Overlap`](crate::Error::Overlap),
    /// [`SharedElements`](crate::Error::SharedElements) and [`SharedBytes`](crate::Error::SharedBytes), before anything is
    /// launched.
    #[inline]
    pub fn run_into(&self, out: &mut Tensor) -> Result<()> {
        let target = Target::Into(out);
        if let Some(done) = self.0.run_again(target) {
            return done;
        }
        let planned = self.0.plan(target)?;
        match written_as(out) {
            None => self.0.run(&planned, Some(out), self.0.kind(target)).map(drop),
            Some(signed) => {
                let result = self.0.run(&planned, None, None)?;
                write_bits(self.0.stream(), out, &result, signed)
            }
        }
    }
}

impl<const SCALED: bool> BinaryInPlace<'_, SCALED> {
    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of [`BinaryInPlace::run`] that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        Ok(self.0.plan(Target::InPlace)?.plan)
    }

    /// Queues the operation.
    ///
    /// # Errors
    /// Those of [`Binary::run`], and [`OutputShape`](crate::Error::OutputShape) if the result would be larger than the
    /// tensor, [`Overlap`](crate::Error::Overlap), [`SharedElements`](crate::Error::SharedElements) and
    /// [`SharedBytes`](crate::Error::SharedBytes), before anything is launched.
    #[inline]
    pub fn run(self) -> Result<()> {
        if let Some(done) = self.0.run_again(Target::InPlace) {
            return done;
        }
        let planned = self.0.plan(Target::InPlace)?;
        match written_as(self.0.own) {
            None => self.0.run(&planned, Some(self.0.own), self.0.kind(Target::InPlace)).map(drop),
            Some(signed) => {
                let result = self.0.run(&planned, None, None)?;
                write_bits(self.0.stream(), self.0.own, &result, signed)
            }
        }
    }
}
