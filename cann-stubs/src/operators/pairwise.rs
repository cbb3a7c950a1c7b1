//! Functions of the elements of two tensors, and what they have in common with comparisons and others: two operands are
//! promoted to one type and combined.

use aclnn_numerics::DType::{self, Bool, F32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product;
use aclnn_numerics::signature::{Beside, Computes, Promote};
use aclnn_numerics::types_by_product::Types as TypeList;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID};
use cann_kernels::Function;
use cann_kernels::functions::arithmetic::{Binary, compute_type};
use cann_kernels::functions::pairwise as functions;

use super::call::{Call, Operand, Plan};
use super::combination::{Combination, Given, no_kernel};
use super::phases::{entry_points, rules};
use super::{check, signatures};
use crate::compute::scalar_types::{self, Operands};
use crate::compute::units;
use crate::meta::scalar::Scalar;
use crate::settings;
use crate::status::{Result, Status};

aclnn_sys::pairwise_operators!(entry_points);
aclnn_sys::pairwise_operators!(rules);

/// The rule of the operators that have nothing of their own.
pub(super) fn rule(
    call: &Call<'_>,
    signature: &Promote,
    function: fn(DType) -> Option<Binary>,
) -> Result<Plan> {
    combine(call, signature, |compute| function(compute).map(Into::into))
}

/// An operand: a tensor, or a scalar.
pub(super) enum Value<'c> {
    Tensor(Operand<'c>),
    Scalar(&'c Scalar),
}

impl<'c> Value<'c> {
    fn of(call: &'c Call<'_>, position: usize) -> Result<Self> {
        let name = call.info.parameters.get(position).map_or("", |parameter| parameter.name);
        Ok(match call.is_scalar(name) {
            true => Value::Scalar(call.scalar(name)?),
            false => Value::Tensor(call.tensor(name)?),
        })
    }

    fn given(&self, dtype: DType) -> Given<'_> {
        match self {
            Value::Tensor(tensor) => Given::Tensor(tensor, dtype),
            Value::Scalar(scalar) => Given::Scalar(scalar),
        }
    }

    fn dtype(&self, list: TypeList) -> Result<DType> {
        match self {
            Value::Tensor(tensor) => check::dtype(tensor, list),
            Value::Scalar(scalar) => Ok(scalar.dtype),
        }
    }
}

/// The two operands of a call, at least one of them a tensor, and the output.
pub(super) struct Pair<'c> {
    pub(super) values: [Value<'c>; 2],
    pub(super) output: Operand<'c>,
}

/// The types in which a pair is combined.
pub(super) struct Types {
    /// The types of the operands.
    pub(super) given: [DType; 2],
    /// The type that they are converted to.
    pub(super) operands: DType,
    /// The type of the result.
    pub(super) result: DType,
    pub(super) out: DType,
}

impl<'c> Pair<'c> {
    /// The operands, which are the first two parameters, and the output; null is an error.
    pub(super) fn of(call: &'c Call<'_>) -> Result<Self> {
        Ok(Self { values: [Value::of(call, 0)?, Value::of(call, 1)?], output: call.output()? })
    }

    /// The types of the operands, tensors being of the operator's list.
    pub(super) fn dtypes(&self, signature: &Promote) -> Result<[DType; 2]> {
        let [first, second] = &self.values;
        let list = match (signature.beside_scalar, first, second) {
            (Some(list), Value::Scalar(_), _) | (Some(list), _, Value::Scalar(_)) => list,
            _ => signature.takes,
        };
        Ok([first.dtype(list)?, second.dtype(list)?])
    }

    /// Returns whether an operand has no elements.
    fn is_empty(&self) -> bool {
        self.values.iter().any(|value| match value {
            Value::Tensor(tensor) => tensor.shape().is_ok_and(Shape::is_empty_tensor),
            Value::Scalar(_) => false,
        })
    }

    /// The type to which the library promotes the operands.
    pub(super) fn promoted(&self, scalars: Beside, [a, b]: [DType; 2]) -> Result<DType> {
        let out = self.output.known_dtype();
        let product = settings::get().product;
        let beside = |tensor, scalar| {
            scalar_types::beside(scalars, product, Operands { tensor, scalar, alpha: None, out })
        };
        match &self.values {
            [Value::Tensor(_), Value::Scalar(scalar)] => beside(a, scalar),
            [Value::Scalar(scalar), Value::Tensor(_)] => beside(b, scalar),
            [Value::Tensor(first), Value::Tensor(second)] => {
                scalar_types::tensors(scalars, product, (a, first.rank()), (b, second.rank()))
            }
            [Value::Scalar(_), Value::Scalar(_)] => {
                Err(Status::new(ACLNN_ERR_INNER_NULLPTR, "both operands are scalars"))
            }
        }
    }

    /// The shape of the result, which the output must have.
    pub(super) fn shape(&self) -> Result<Shape> {
        let shape = match &self.values {
            [Value::Tensor(first), Value::Tensor(second)] => check::broadcast_shape(first, second)?,
            [Value::Tensor(tensor), _] | [_, Value::Tensor(tensor)] => {
                check::rank(tensor)?;
                tensor.shape()?.clone()
            }
            _ => Shape::scalar(),
        };
        check::output_shape(&self.output, &shape)?;
        Ok(shape)
    }

    /// Combines the operands, whose shapes are checked, by a function that makes the type `made`.
    pub(super) fn plan(&self, types: &Types, made: DType, shape: &Shape, function: Function) -> Result<Plan> {
        if shape.is_empty_tensor() {
            return Ok(Plan::empty());
        }
        let values = self.values.iter().zip(types.given);
        let on_cores = units::adds(settings::get().product, types.operands);
        Combination {
            values: values.map(|(value, dtype)| value.given(dtype).promoted(types.operands)).collect(),
            function,
            made,
            result: types.result,
            output: (&self.output, types.out),
            shape,
            on_cores,
        }
        .plan()
    }
}

/// The type, if operands may be promoted to it.
pub(super) fn accepted(signature: &Promote, promoted: DType) -> Result<DType> {
    let list = check::types(signature.promotes_to());
    if list.contains(promoted) {
        return Ok(promoted);
    }
    let message = format!("the operands promote to {promoted}, but the operator computes in {list}");
    Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
}

/// The type in which an extreme of operands is computed.
fn extreme([a, b]: [DType; 2], promoted: DType, out: DType) -> DType {
    let is_signed = |dtype: DType| matches!(dtype, DType::I8 | DType::I16 | DType::I32 | DType::I64);
    let is_number = a.is_integer() || a.is_float();
    let holds = a == out
        || a == Bool
        || a.is_integer() && out.is_integer() && is_signed(a) == is_signed(out) && a.bits() <= out.bits()
        || is_number && out.is_float();
    let keeps = settings::get().product != Product::Ascend950 || a == b && holds || out.is_complex();
    if keeps { promoted } else { out }
}

pub(super) fn combine(
    call: &Call<'_>,
    signature: &Promote,
    function: impl FnOnce(DType) -> Option<Function>,
) -> Result<Plan> {
    let pair = Pair::of(call)?;
    let given = pair.dtypes(signature)?;
    if signature.empty_first && pair.is_empty() {
        return Ok(Plan::empty());
    }
    if let Some(list) = signature.output {
        check::dtype(&pair.output, list)?;
    }
    let operands = match (signature.computes, pair.output.known_dtype()) {
        (Computes::Truth, _) => Bool,
        (Computes::InOutput, Some(out)) => out,
        (computes, _) => {
            let promoted = pair.promoted(signature.scalars, given)?;
            let promoted = match computes {
                Computes::Float if promoted.is_integer() || promoted == Bool => F32,
                _ => promoted,
            };
            match (computes, accepted(signature, promoted)?) {
                (Computes::Number, Bool) => F32,
                (Computes::Extreme, accepted) => {
                    extreme(given, accepted, check::output_dtype(&pair.output, accepted)?)
                }
                (_, accepted) => accepted,
            }
        }
    };
    let result = signature.result(operands);
    let out = match signature.casts {
        true => check::any_dtype(&pair.output)?,
        false => check::output_dtype(&pair.output, result)?,
    };
    let shape = pair.shape()?;
    let compute = compute_type(operands);
    let function = function(compute).ok_or_else(|| no_kernel(operands))?;
    let types = Types { given, operands, result, out };
    pair.plan(&types, signature.gives.made_of(compute), &shape, function)
}
