//! Reductions with their options: which axes, which type, whether the axes stay.

use std::fmt;

use aclnn_numerics::DType::{self, Bool, F32, I32, I64};
use aclnn_numerics::Shape;
use aclnn_numerics::promote::output;
use aclnn_numerics::signature::AlongAxes;
use smallvec::{SmallVec, smallvec};

use super::axes::{Axes, IntoAxes, reduced};
use super::cast::cast_into;
use super::prepared::prepared;
use crate::argument_checks::Operation;
use crate::call::On;
use crate::error::{Error, Result};
use crate::plan::{CastBy, Plan, Role, Step, casts};
use crate::scalar::Scalar;
use crate::stream::Stream;
use crate::tensor::Tensor;

/// An operator: its declaration, what its results are, and how it is launched.
pub(super) struct Operator<const RESULTS: usize> {
    pub(super) name: &'static str,
    /// The C name.
    pub(super) form: &'static str,
    pub(super) signature: AlongAxes,
    pub(super) gives: Gives,
    pub(super) launch: for<'a> fn(On<'a>, &'a Tensor, Given<'a>, [&'a Tensor; RESULTS]) -> Result<()>,
}

/// The first result, and the type in which it is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gives {
    /// Computed in the type of the result: i64 for integers and bool, otherwise that of the operand.
    Total,
    /// Computed in the type of the result: f32 for integers and bool, otherwise that of the operand.
    Average,
    /// f32 for integers and bool, otherwise the type of the operand.
    Float,
    /// The tests whether elements are true.
    Truth,
    /// One of the elements.
    Element,
    /// The position of an element along an axis, or among all of them.
    Position,
    /// An element, and its position along an axis.
    ElementAndPosition,
}

/// The arguments of a launch beside the tensors.
pub(super) struct Given<'a> {
    pub(super) axes: &'a [i64],
    pub(super) keeps: bool,
    /// The type in which the result is computed.
    pub(super) dtype: DType,
    pub(super) correction: i64,
    pub(super) order: f64,
}

impl Given<'_> {
    /// The one axis of operators that take one; a tensor without axes has axis 0 for them.
    #[inline]
    pub(super) fn axis(&self) -> i64 {
        self.axes.first().copied().unwrap_or(0)
    }

    #[inline]
    pub(super) fn order(&self) -> Scalar {
        Scalar::from(self.order as f32)
    }
}

/// A reduction of a tensor along axes, with options. It has one or two results; `CORRECTED` says that it is a variance or a
/// standard deviation, with a correction.
///
/// Without [`axes`](Reduction::axes) all elements are combined to one. The result has no axis for those that are reduced,
/// unless [`keep_dims`](Reduction::keep_dims) keeps them with one element. Its type is that of the tensor, except that
///
/// - sums and products of integers and bool are i64, as in PyTorch, so that they seldom overflow;
/// - means, variances, norms and logarithms of integers and bool are f32;
/// - positions are i64, and tests give bool.
///
/// The emulator adds in a tree in more digits than the result has, so that the error of a sum does not grow with the number of
/// elements, and that its bits depend neither on threads nor on the layout. On a device they may.
#[must_use = "nothing is launched before `run`"]
#[derive(Clone)]
pub struct Reduction<'a, const RESULTS: usize, const CORRECTED: bool> {
    operator: &'static Operator<RESULTS>,
    own: &'a Tensor,
    axes: Axes,
    keep_dims: bool,
    dtype: Option<DType>,
    stream: Option<&'a Stream>,
    correction: i64,
    order: f64,
}

impl<const RESULTS: usize, const CORRECTED: bool> fmt::Debug for Reduction<'_, RESULTS, CORRECTED> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reduction")
            .field("operator", &self.operator.name)
            .field("own", self.own)
            .field("axes", &self.axes)
            .field("keep_dims", &self.keep_dims)
            .field("dtype", &self.dtype)
            .field("stream", self.stream())
            .finish()
    }
}

/// What is launched: the tensor and its axes, and the types.
struct Planned {
    plan: Plan,
    /// Whether positions among all elements are asked for, so that the operand is seen as one axis.
    is_flat: bool,
    axes: SmallVec<[i64; 8]>,
    /// The type in which the operator takes the operand, and the one that it writes.
    operand: DType,
    written: DType,
}

prepared! {
    ['a, const RESULTS: usize, const CORRECTED: bool] Reduction<'a, RESULTS, CORRECTED>:
    keep_dims("Keeps the reduced axes, with one element each, so that the result broadcasts with the tensor."),
    dtype("Sets the type of the result. Sums, products and means are also computed in it, from elements that are converted to it first; other results are converted to it afterwards."),
    on("the tensor")
}

impl<'a, const RESULTS: usize, const CORRECTED: bool> Reduction<'a, RESULTS, CORRECTED> {
    #[inline]
    pub(super) fn new(operator: &'static Operator<RESULTS>, own: &'a Tensor) -> Self {
        let axes = Axes::all();
        Self { operator, own, axes, keep_dims: false, dtype: None, stream: None, correction: 1, order: 2.0 }
    }

    /// Sets the axes along which elements are combined: `-1`, `[0, 2]`, or `..` for all of them.
    pub fn axes(mut self, axes: impl IntoAxes) -> Self {
        self.axes = axes.into_axes();
        self
    }

    #[inline]
    pub(super) fn order(mut self, order: f64) -> Self {
        self.order = order;
        self
    }

    #[inline]
    fn stream(&self) -> &'a Stream {
        self.stream.unwrap_or(self.own.stream())
    }

    #[inline]
    fn operation(&self) -> Operation<'a> {
        Operation::new(self.operator.name, self.stream()).tensor("self", self.own)
    }

    /// Returns the plan of what would be launched. Checks everything and launches nothing.
    ///
    /// # Errors
    /// Those of `run` that are found before anything is launched.
    #[inline]
    pub fn plan(&self) -> Result<Plan> {
        self.planned().map(|planned| planned.plan)
    }

    #[inline]
    fn planned(&self) -> Result<Planned> {
        let Operator { name, form, signature, gives, .. } = self.operator;
        let operation = self.operation();
        operation.placed()?;
        let (axes, is_flat) = match gives {
            Gives::Position | Gives::ElementAndPosition => match self.axes.one(self.own, &operation)? {
                Some(axis) => (smallvec![axis], false),
                None if self.own.rank() == 0 => (SmallVec::new(), false),
                None if *gives == Gives::Position => (smallvec![0], true),
                None => {
                    return Err(operation.refused("it works along one axis; name it".to_owned()));
                }
            },
            _ => (self.axes.of(self.own, &operation)?, false),
        };
        let all: SmallVec<[i64; 8]> = (0..self.own.rank() as i64).collect();
        let shape = reduced(self.own.shape(), if is_flat { &all } else { &axes }, self.keep_dims);
        let chooses = matches!(gives, Gives::Element | Gives::Position | Gives::ElementAndPosition);
        if chooses && self.own.numel() == 0 && shape.numel() != Some(0) {
            return Err(operation.refused("there are no elements along the axes to choose from".to_owned()));
        }
        let own = self.own.dtype();
        let computes_in_result = matches!(gives, Gives::Total | Gives::Average);
        let wanted = self.dtype.unwrap_or(gives.result(own));
        // What the operator does not take is cast where that changes no value.
        let takes = |dtype: &DType| operation.takes(form, signature.takes, *dtype).is_ok();
        let operand = match gives.operands(own).into_iter().find(takes) {
            Some(operand) => operand,
            None => {
                return Err(operation
                    .takes(form, signature.takes, own)
                    .err()
                    .unwrap_or(Error::Internal { what: "a refused type that is accepted" }));
            }
        };
        let mut steps: SmallVec<[Step; 4]> = SmallVec::new();
        casts::cast_operand(&operation, Role::Own, self.own, operand, &mut steps)?;
        let computed = gives.result(operand);
        let written = if computes_in_result { wanted } else { computed };
        let refused = |computed| {
            let (operator, operands) = (operation.operator, operation.operands());
            let rule = output::refused(computed, wanted).unwrap_or_default();
            Error::OutputDType { operator, operands, computed, out: wanted, rule, in_place: false }
        };
        if let (true, Some(product)) = (computes_in_result, operation.product())
            && (signature.refuses_output(product, operand, written).is_some()
                || *gives == Gives::Average && output::refused(operand, written).is_some())
        {
            return Err(refused(gives.result(own)));
        }
        if !casts::casts_result(written, wanted) {
            return Err(refused(written));
        }
        steps.push(Step::Compute {
            operator: form,
            in_place: false,
            operands: smallvec![operand],
            out: written,
        });
        if written != wanted {
            operation.castable(written, wanted)?;
            steps.push(Step::Cast { operand: Role::Result, from: written, to: wanted, by: CastBy::Cast });
        }
        let plan = Plan { operator: name, steps, compute: written, out: wanted, shape, choice: None };
        Ok(Planned { plan, is_flat, axes, operand, written })
    }

    /// Launches what is planned, and returns the results.
    #[inline]
    fn results(&self) -> Result<[Tensor; RESULTS]> {
        let planned = self.planned()?;
        let (operation, stream, shape) = (self.operation(), self.stream(), &planned.plan.shape);
        // A position is not converted.
        let is_position = |number: usize| number == 1 && self.operator.gives == Gives::ElementAndPosition;
        let is_empty = shape.numel() == Some(0);
        let made = if is_empty { planned.plan.out } else { planned.written };
        let results = (0..RESULTS)
            .map(|number| operation.empty(shape, if is_position(number) { I64 } else { made }))
            .collect::<Result<Vec<Tensor>>>()?;
        let results = <[Tensor; RESULTS]>::try_from(results);
        let mut results = results.map_err(|_| Error::Internal { what: "as many results as there are" })?;
        if is_empty {
            return Ok(results);
        }
        let flattened = if planned.is_flat { Some(self.own.contiguous()?.flatten_all()?) } else { None };
        let own = flattened.as_ref().unwrap_or(self.own);
        let mut cast = None;
        if planned.operand != own.dtype() {
            let operand = operation.empty(own.shape(), planned.operand)?;
            cast_into(stream, own, &operand, casts::cast_by(own))?;
            cast = Some(operand);
        }
        let given = Given {
            axes: &planned.axes,
            keeps: self.keep_dims && !planned.is_flat,
            dtype: planned.written,
            correction: self.correction,
            order: self.order,
        };
        (self.operator.launch)(stream.into(), cast.as_ref().unwrap_or(own), given, results.each_ref())?;
        if planned.written != planned.plan.out {
            for (_, result) in results.iter_mut().enumerate().filter(|(number, _)| !is_position(*number)) {
                let converted = operation.empty(shape, planned.plan.out)?;
                cast_into(stream, result, &converted, CastBy::Cast)?;
                *result = converted;
            }
        }
        Ok(results)
    }
}

impl<const CORRECTED: bool> Reduction<'_, 1, CORRECTED> {
    /// Queues the operation and returns the result, a new contiguous tensor.
    ///
    /// # Errors
    /// [`Argument`](Error::Argument), [`Rank`](Error::Rank), [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast) and
    /// [`OutputDType`](Error::OutputDType), all before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let [result] = self.results()?;
        Ok(result)
    }
}

impl<const CORRECTED: bool> Reduction<'_, 2, CORRECTED> {
    /// Queues the operation and returns both results, new contiguous tensors.
    ///
    /// # Errors
    /// [`Argument`](Error::Argument), [`Rank`](Error::Rank), [`Unsupported`](Error::Unsupported), [`NoCast`](Error::NoCast) and
    /// [`OutputDType`](Error::OutputDType), all before anything is launched; [`OutOfMemory`](Error::OutOfMemory);
    /// [`Launch`](Error::Launch) if the library refuses.
    #[inline]
    pub fn run(&self) -> Result<(Tensor, Tensor)> {
        let [first, second] = self.results()?;
        Ok((first, second))
    }
}

impl<const RESULTS: usize> Reduction<'_, RESULTS, true> {
    /// Sets what the count is reduced by before the sum of the squares is divided by it. The default is 1, which makes the
    /// variance of a sample an unbiased estimate; 0 is that of the elements themselves.
    #[inline]
    pub fn correction(mut self, correction: i64) -> Self {
        self.correction = correction;
        self
    }
}

impl Gives {
    /// The type of the result that is computed from an operand of type `own`.
    #[inline]
    fn result(self, own: DType) -> DType {
        let is_whole = own.is_integer() || own == Bool;
        match self {
            Gives::Total if is_whole => I64,
            Gives::Average | Gives::Float if is_whole => F32,
            Gives::Truth => Bool,
            Gives::Position => I64,
            _ => own,
        }
    }

    /// The types to which an operand may be cast without a change of the result, beginning with its own.
    #[inline]
    fn operands(self, own: DType) -> SmallVec<[DType; 3]> {
        let wider: &[DType] = match own {
            // Cast makes a truth value of the real part of a complex number alone.
            _ if self == Gives::Truth && !own.is_complex() => &[Bool],
            DType::F16 | DType::BF16 => &[F32],
            _ if self == Gives::Float && (own.is_integer() || own == Bool) => &[F32],
            Bool | DType::I8 | DType::U8 | DType::I16 | DType::U16 => &[I32, I64],
            I32 | DType::U32 => &[I64],
            _ => &[],
        };
        [own].iter().chain(wider).copied().collect()
    }
}

/// Returns a new tensor for a part of a result.
#[inline]
pub(super) fn partial(stream: &Stream, shape: Shape, dtype: DType) -> Result<Tensor> {
    Tensor::empty(stream, shape, dtype)
}
