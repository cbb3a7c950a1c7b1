//! The common part of prepared operations: the target of a result, following a plan, and the options that are the same.

use aclnn_numerics::promote::output;
use aclnn_numerics::types_by_product::Types;
use aclnn_numerics::{DType, Shape};
use smallvec::SmallVec;

use super::cast::cast_into;
use super::copy::write_bits;
use super::fill::converted;
use crate::argument_checks::{Operation, written_as};
use crate::call::launch;
use crate::error::{Error, Result};
use crate::operand::Operand;
use crate::plan::{Choice, Plan, Policy, Role, Step, casts};
use crate::stream::Stream;
use crate::tensor::Tensor;

/// The failure of an operator that is launched with other operands than were declared.
pub(super) const OTHERS: Error = Error::Internal { what: "other operands than were declared" };

/// The form of an operator that writes to its first operand.
pub(super) struct InPlace<A: ?Sized> {
    /// The operation, for example `exp_in_place`.
    pub(super) name: &'static str,
    /// The C name.
    pub(super) form: &'static str,
    pub(super) launch: for<'s> fn(&'s Stream, &[&'s Tensor], &A) -> Result<()>,
}

/// The target of a result.
#[derive(Clone, Copy)]
pub(super) enum Target<'t> {
    New,
    Into(&'t Tensor),
    /// The first operand.
    InPlace(&'t Tensor),
}

impl<'t> Target<'t> {
    /// Returns the tensor that receives the result, if it is there already.
    #[inline]
    fn tensor(self) -> Option<&'t Tensor> {
        match self {
            Target::New => None,
            Target::Into(out) | Target::InPlace(out) => Some(out),
        }
    }

    #[inline]
    pub(super) fn dtype(self) -> Option<DType> {
        self.tensor().map(Tensor::dtype)
    }

    #[inline]
    pub(super) fn is_in_place(self) -> bool {
        matches!(self, Target::InPlace(_))
    }

    /// Returns whether a form in place can write the tensor.
    #[inline]
    pub(super) fn is_written_in_place(self) -> bool {
        self.is_in_place() && self.tensor().is_some_and(|own| written_as(own).is_none())
    }

    /// Adds an output to the operands, for checks and messages.
    #[inline]
    pub(super) fn named<'o>(self, operation: Operation<'o>) -> Operation<'o>
    where
        't: 'o,
    {
        match self {
            Target::Into(out) => operation.tensor("out", out),
            _ => operation,
        }
    }

    /// Checks that the result, of this shape, can be written.
    #[inline]
    pub(super) fn check(self, operation: &Operation<'_>, shape: &Shape) -> Result<()> {
        match self {
            Target::New => Ok(()),
            Target::Into(out) => operation.writable("out", out, shape),
            Target::InPlace(own) => operation.writable("self", own, shape),
        }
    }

    /// Checks that a result becomes the type that is wanted. In place the library's own rule holds, so that an assignment
    /// never drops fractions; elsewhere a Cast may follow.
    #[inline]
    pub(super) fn accepts(self, operation: &Operation<'_>, computed: DType, wanted: DType) -> Result<()> {
        let in_place = self.is_in_place();
        match output::refused(computed, wanted) {
            Some(rule) if in_place || !casts::casts_result(computed, wanted) => {
                let (operator, operands) = (operation.operator, operation.operands());
                Err(Error::OutputDType { operator, operands, computed, out: wanted, rule, in_place })
            }
            _ => Ok(()),
        }
    }
}

/// An operation that is prepared, with one result.
pub(super) trait Prepared {
    /// What it takes to follow a plan, beside the plan.
    type Extra;

    /// Returns the operands under their names, for checks and messages.
    fn operation(&self) -> Result<Operation<'_>>;

    /// Checks everything and plans the launches.
    fn planned(&self, target: Target<'_>) -> Result<(Plan, Self::Extra)>;

    /// Follows the plan, whose last step writes to `out`.
    fn launch(&self, plan: &Plan, extra: &Self::Extra, out: &Tensor) -> Result<()>;

    /// Runs the operation with the result in a new tensor.
    #[inline]
    fn run_anew(&self) -> Result<Tensor> {
        let (plan, extra) = self.planned(Target::New)?;
        self.run_planned(&plan, &extra)
    }

    /// Runs the operation with the result in a tensor that is there.
    #[inline]
    fn run_to(&self, target: Target<'_>) -> Result<()> {
        let (plan, extra) = self.planned(target)?;
        let out = target.tensor().ok_or(Error::Internal { what: "a result without a tensor" })?;
        match written_as(out) {
            None => self.launch(&plan, &extra, out),
            Some(signed) => {
                let result = self.run_planned(&plan, &extra)?;
                write_bits(self.operation()?.stream, out, &result, signed)
            }
        }
    }

    /// Follows the plan with the result in a new tensor.
    #[inline]
    fn run_planned(&self, plan: &Plan, extra: &Self::Extra) -> Result<Tensor> {
        let out = self.operation()?.empty(&plan.shape, plan.out)?;
        self.launch(plan, extra, &out)?;
        Ok(out)
    }
}

/// The type in which operands are computed, and who converts them to it.
pub(super) struct Promotion {
    pub(super) promoted: DType,
    /// Whether the library promotes the operands.
    pub(super) delegates: bool,
    pub(super) choice: Option<Choice>,
}

impl Promotion {
    /// Decides by the policy for tensors of `dtypes`, which the chosen edition promotes to `chosen`, and the library to
    /// `library` if it promotes them at all. `form` is its operator, which takes `types`.
    pub(super) fn new(
        operation: &Operation<'_>,
        policy: Policy,
        (form, types): (&'static str, Types),
        dtypes: impl Iterator<Item = DType> + Clone,
        chosen: DType,
        library: Option<DType>,
    ) -> Self {
        let choice = (policy == Policy::Auto)
            .then(|| Choice::of_several(operation.product(), (form, types), dtypes, chosen, library));
        let delegates = match policy {
            Policy::Delegate => library.is_some(),
            _ => choice == Some(Choice::Delegated),
        };
        Self { promoted: library.filter(|_| delegates).unwrap_or(chosen), delegates, choice }
    }
}

/// Follows a plan whose result goes to `out`. `compute` launches the operator with its operands, and with its output unless
/// it works in place.
pub(super) fn follow(
    operation: &Operation<'_>,
    plan: &Plan,
    operands: &[(Role, Operand<'_>)],
    out: &Tensor,
    compute: impl Fn(&[&Tensor], Option<&Tensor>) -> Result<()>,
) -> Result<()> {
    let stream = operation.stream;
    let mut made: SmallVec<[Option<Tensor>; 4]> = operands.iter().map(|_| None).collect();
    let mut computed = None;
    for step in &plan.steps {
        match step {
            Step::Cast { operand: Role::Result, by, .. } => {
                let computed = computed.as_ref().ok_or(Error::Internal { what: "a Cast of no result" })?;
                cast_into(stream, computed, out, *by)?;
            }
            Step::Cast { operand, from, to, by } => {
                // Several operands may have one role; their steps are in their order.
                let next = operands.iter().zip(&mut made).find_map(|((role, given), made)| match given {
                    Operand::Tensor(tensor)
                        if role == operand && made.is_none() && tensor.dtype() == *from =>
                    {
                        Some((*tensor, made))
                    }
                    _ => None,
                });
                let (tensor, made) = next.ok_or(OTHERS)?;
                let cast = operation.empty(tensor.shape(), *to)?;
                cast_into(stream, tensor, &cast, *by)?;
                *made = Some(cast);
            }
            Step::Fill { operand, dtype } => {
                let next = operands.iter().zip(&mut made).find_map(|((role, given), made)| match given {
                    Operand::Scalar(scalar) if role == operand && made.is_none() => Some((*scalar, made)),
                    _ => None,
                });
                let (scalar, made) = next.ok_or(OTHERS)?;
                let scalar = converted(operation, scalar, *dtype)?;
                let filled = operation.empty(Shape::scalar(), *dtype)?;
                launch::InplaceFillScalar(stream.into(), &filled, &scalar)?;
                *made = Some(filled);
            }
            Step::Compute { in_place, out: written, .. } => {
                let tensors = operands.iter().zip(&made).map(|((_, given), made)| match (made, given) {
                    (Some(made), _) => Ok(made),
                    (None, Operand::Tensor(tensor)) => Ok(*tensor),
                    (None, Operand::Scalar(_)) => Err(OTHERS),
                });
                let tensors = tensors.collect::<Result<SmallVec<[&Tensor; 4]>>>()?;
                if *in_place {
                    compute(&tensors, None)?;
                } else if *written == out.dtype() {
                    compute(&tensors, Some(out))?;
                } else {
                    let result = operation.empty(&plan.shape, *written)?;
                    compute(&tensors, Some(&result))?;
                    computed = Some(result);
                }
            }
        }
    }
    Ok(())
}

/// Expands to functions that operations have alike: `on` names the operand whose stream is the default, and `into` says more
/// of the tensor that receives the result.
macro_rules! prepared {
    ([$($generics:tt)*] $Type:ty: $($function:ident $(($text:literal))?),+) => {
        impl<$($generics)*> $Type {
            $($crate::ops::prepared::prepared! { @ $function $($text)? })+
        }
    };
    (@ on $operand:literal) => {
        #[doc = concat!("Sets the stream that does the work; the default is the stream of ", $operand, ".")]
        #[inline]
        pub fn on(mut self, stream: &'a crate::stream::Stream) -> Self {
            self.stream = Some(stream);
            self
        }
    };
    (@ dtype $text:literal) => {
        #[doc = $text]
        #[inline]
        pub fn dtype(mut self, dtype: aclnn_numerics::DType) -> Self {
            self.dtype = Some(dtype);
            self
        }
    };
    (@ keep_dims $text:literal) => {
        #[doc = $text]
        #[inline]
        pub fn keep_dims(mut self) -> Self {
            self.keep_dims = true;
            self
        }
    };
    (@ windows) => {
        /// Sets the distances between the elements of a window; the default is 1.
        #[inline]
        pub fn dilation(mut self, dilation: [usize; 2]) -> Self {
            self.dilation = dilation;
            self
        }

        /// Sets how many rows and columns of zeros lie on each side; the default is none.
        #[inline]
        pub fn padding(mut self, padding: [usize; 2]) -> Self {
            self.padding = padding;
            self
        }

        /// Sets the distances between the positions of the window; the default is 1.
        #[inline]
        pub fn stride(mut self, stride: [usize; 2]) -> Self {
            self.stride = stride;
            self
        }
    };
    (@ policy $text:literal) => {
        /// Sets the policy that decides who converts operands of different types; the default is
        /// [`Policy::Insert`](crate::Policy::Insert).
        #[doc = $text]
        #[inline]
        pub fn policy(mut self, policy: crate::plan::Policy) -> Self {
            self.policy = policy;
            self
        }
    };
    (@ edition) => {
        /// Sets the table by which tensors are promoted; the default is
        /// [`Edition::Published`](crate::Edition::Published).
        #[inline]
        pub fn edition(mut self, edition: crate::promote::Edition) -> Self {
            self.edition = edition;
            self
        }
    };
    (@ plan) => {
        /// Returns the plan of what would be launched. Checks everything and launches nothing.
        ///
        /// # Errors
        /// Those of `run` that are found before anything is launched.
        #[inline]
        pub fn plan(&self) -> crate::error::Result<crate::plan::Plan> {
            let planned = $crate::ops::prepared::Prepared::planned(self, $crate::ops::prepared::Target::New)?;
            Ok(planned.0)
        }
    };
    (@ run_into $text:literal) => {
        /// Queues the operation, with the result in a tensor of exactly its shape and of any type that `dtype` accepts.
        #[doc = $text]
        ///
        /// # Errors
        /// Those of `run`, and [`OutputShape`](crate::Error::OutputShape), [`Overlap`](crate::Error::Overlap),
        /// [`SharedElements`](crate::Error::SharedElements) and [`SharedBytes`](crate::Error::SharedBytes), before anything is
        /// launched.
        #[inline]
        pub fn run_into(&self, out: &mut crate::tensor::Tensor) -> crate::error::Result<()> {
            $crate::ops::prepared::Prepared::run_to(self, $crate::ops::prepared::Target::Into(out))
        }
    };
}

pub(super) use prepared;
