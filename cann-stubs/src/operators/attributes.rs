//! The arguments of a function of each element: tensors and attributes, in the order of the function.

use aclnn_numerics::DType::{self, F32, F64};
use aclnn_numerics::signature::{Parametric, Scalars};
use aclnn_sys::operators::ParameterKind;
use aclnn_sys::{ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR};
use cann_kernels::Many;

use super::call::{Call, Operand};
use super::check;
use super::functions_by_product::parametric as functions;
use crate::meta::scalar::Scalar;
use crate::status::{Result, Status};

/// The function of an operator for a compute type.
pub(super) type Function = fn(DType) -> Option<Many>;

/// The function of an operator where its argument `missing` is null.
fn without(function: &str, missing: &str) -> Option<Function> {
    Some(match (function, missing) {
        ("clamp" | "clamp_tensor", "clipValueMin") => functions::clamp_max,
        ("clamp" | "clamp_tensor", "clipValueMax") => functions::clamp_min,
        ("swish", _) => functions::silu,
        ("swish_backward", _) => functions::silu_backward,
        _ => return None,
    })
}

/// The arguments of a call.
pub(super) struct Arguments<'c> {
    /// In the order of the function.
    pub(super) operands: Vec<Argument<'c>>,
    /// The first tensor and the others.
    pub(super) tensors: Vec<Operand<'c>>,
    pub(super) output: Operand<'c>,
    /// What is computed where an argument is null.
    pub(super) function: Option<Function>,
}

pub(super) enum Argument<'c> {
    /// The number of a tensor.
    Tensor(usize),
    /// A scalar object.
    Scalar(&'c Scalar),
    /// A number that C passes by value, and whether it is rounded to the type of the operands as a scalar is.
    Value(Scalar, bool),
}

impl<'c> Arguments<'c> {
    pub(super) fn of(call: &'c Call<'_>) -> Result<Self> {
        use ParameterKind::{
            Bool, F32, F64, I64, InOut, InOutConst, Out, OutConst, ScalarOrNull, StrMut, Tensor, TensorMut,
            TensorOrNull,
        };
        let (mut operands, mut tensors) = (Vec::new(), Vec::new());
        let (mut output, mut function) = (None, None);
        let number = |dtype, bytes: &[u8], rounded| Argument::Value(Scalar::of_bytes(dtype, bytes), rounded);
        for parameter in call.info.parameters {
            let name = parameter.name;
            match parameter.kind {
                // It is neither read nor written; its type and its shape are free.
                TensorMut if name == "buffer" => drop(call.optional_tensor(name)?),
                Tensor if name == "buffer" => drop(call.tensor(name)?),
                Out | OutConst => output = Some(call.tensor(name)?),
                Tensor | TensorMut | TensorOrNull | InOut | InOutConst => {
                    let tensor = match parameter.kind {
                        // It broadcasts with the others, so one without elements is not absent.
                        TensorOrNull => call.optional(name, Call::tensor)?,
                        _ => Some(call.tensor(name)?),
                    };
                    if matches!(parameter.kind, InOut | InOutConst) {
                        output = Some(call.tensor(name)?);
                    }
                    match tensor {
                        Some(tensor) => {
                            operands.push(Argument::Tensor(tensors.len()));
                            tensors.push(tensor);
                        }
                        None => omit(call, name, &mut function)?,
                    }
                }
                ScalarOrNull => match call.optional_scalar(name)? {
                    Some(scalar) => operands.push(Argument::Scalar(scalar)),
                    None => omit(call, name, &mut function)?,
                },
                I64 => {
                    // No operator tells larger numbers apart.
                    let value = call.int(name)?.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
                    operands.push(number(DType::I32, &value.to_ne_bytes(), false));
                }
                F32 => operands.push(number(DType::F32, &(call.float(name)? as f32).to_ne_bytes(), true)),
                // It has more digits than any tensor beside it, and counts in the type that is computed in.
                F64 => operands.push(number(DType::F64, &call.float(name)?.to_ne_bytes(), false)),
                StrMut => {
                    let by_tanh = match call.text(name)?.as_str() {
                        "none" => 0u8,
                        "tanh" => 1,
                        other => {
                            let message = format!("{name} is \"{other}\", but must be \"none\" or \"tanh\"");
                            return Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
                        }
                    };
                    operands.push(number(DType::U8, &[by_tanh], false));
                }
                Bool => operands.push(number(DType::U8, &[u8::from(call.flag(name)?)], false)),
                _ => operands.push(Argument::Scalar(call.scalar(name)?)),
            }
        }
        let output = output.ok_or_else(|| {
            Status::new(ACLNN_ERR_INNER_NULLPTR, "the operator is declared without an output")
        })?;
        Ok(Self { operands, tensors, output, function })
    }

    pub(super) fn first(&self) -> Result<&Operand<'_>> {
        let undeclared = || Status::new(ACLNN_ERR_INNER_NULLPTR, "the operator is declared without tensors");
        self.tensors.first().ok_or_else(undeclared)
    }

    /// Refuses tensors that have another type than the first one, which has the type `own`.
    pub(super) fn alike(&self, own: DType) -> Result {
        self.tensors.iter().skip(1).try_for_each(|other| match other.known_dtype() {
            Some(dtype) if dtype == own => Ok(()),
            _ => {
                let message = format!("{} is not {own}, the type of the first operand", other.name);
                Err(Status::new(ACLNN_ERR_PARAM_INVALID, message))
            }
        })
    }

    pub(super) fn scalars(&self) -> impl Iterator<Item = &Scalar> {
        self.operands.iter().filter_map(|operand| match operand {
            Argument::Scalar(scalar) => Some(*scalar),
            _ => None,
        })
    }

    /// Checks what the scalars must be.
    pub(super) fn check_scalars(&self, signature: &Parametric) -> Result {
        let invalid = |message: String| Err(Status::new(ACLNN_ERR_PARAM_INVALID, message));
        for scalar in self.scalars() {
            let dtype = scalar.dtype;
            let accepted = check::types(signature.takes);
            match signature.scalars {
                Scalars::RealInF32 if !check::convertible(dtype, F32) => {
                    return invalid(format!("a scalar is {dtype}, which is not converted to f32"));
                }
                Scalars::ListedAsOperands if !accepted.contains(dtype) => {
                    return invalid(format!("a scalar is {dtype}, but the operator takes {accepted}"));
                }
                _ => {}
            }
        }
        let value = |operand: &Argument| match operand {
            Argument::Tensor(_) => None,
            Argument::Scalar(scalar) => Some((scalar.dtype, as_f64(scalar))),
            Argument::Value(value, _) => Some((value.dtype, as_f64(value))),
        };
        let attributes: Vec<(DType, f64)> = self.operands.iter().filter_map(value).collect();
        match signature.refuses_attributes(&attributes) {
            Some(why) => invalid(format!("the first scalar is {}, but {why}", attributes[0].1)),
            None => Ok(()),
        }
    }
}

/// Chooses the function for a call without an argument.
fn omit(call: &Call<'_>, name: &str, function: &mut Option<Function>) -> Result {
    match (without(call.info.function(), name), &function) {
        (Some(without), None) => {
            *function = Some(without);
            Ok(())
        }
        _ => Err(Status::new(
            ACLNN_ERR_PARAM_NULLPTR,
            format_args!("{name} is null, and nothing stands for it"),
        )),
    }
}

fn as_f64(scalar: &Scalar) -> f64 {
    let bytes = scalar.converted(F64).and_then(|bytes| bytes.first_chunk().copied());
    f64::from_ne_bytes(bytes.unwrap_or_default())
}
