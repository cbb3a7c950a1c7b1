//! The numbers beside the lists: which types they may have, and the type that they are converted to.

use aclnn_numerics::DType::{self, BF16, F16, F32, F64, I32, I64};
use aclnn_numerics::product::Product::Ascend950;

use super::lists::{numel, refuse};
use crate::meta::scalar::Scalar;
use crate::operators::call::{Call, Operand, described};
use crate::settings;
use crate::status::Result;

/// The type in which tensors of a type are computed.
pub(super) fn computed(dtype: DType) -> DType {
    if dtype.is_float() { F32 } else { I32 }
}

/// The type that a scalar beside tensors of a type is converted to before it is computed with.
pub(super) fn converted(call: &Call<'_>, scalar: &Scalar, dtype: DType) -> Result<DType> {
    let given = scalar.dtype;
    let keeps = settings::get().product == Ascend950
        && matches!(call.info.name(), "ForeachAddScalarV2" | "ForeachMulScalarV2" | "ForeachAddcmulScalarV2");
    let takes: &[DType] = match (call.info.name(), dtype) {
        ("ForeachRoundOffNumberV2", _) => &[given],
        ("ForeachLerpScalar", _) => &[F32, F64, F16, BF16],
        (_, F16) if keeps => &[F16, F64, F32],
        (_, F16) => &[F16, F64],
        (_, F32 | BF16) => &[F32, F64],
        _ => &[I32, I64],
    };
    if !takes.contains(&given) {
        return refuse(format!("the scalar is {given}, which tensors of {dtype} do not take"));
    }
    Ok(match dtype {
        F16 if !(keeps && given == F32) => F16,
        dtype => computed(dtype),
    })
}

/// Checks the type of a scalar of a list. CANN's description has f32 and i64, and bf16 beside tensors of it; PyTorch's plugin
/// passes f64.
pub(super) fn listed(scalar: &Scalar, dtype: DType) -> Result {
    let takes = if dtype.is_float() { [F32, F64] } else { [I32, I64] };
    if takes.contains(&scalar.dtype) || [dtype, scalar.dtype] == [BF16; 2] {
        return Ok(());
    }
    refuse(format!("scalars is a list of {}, which tensors of {dtype} do not take", scalar.dtype))
}

/// Checks a tensor of numbers, one for all tensors or one for each of `count`. Returns its type, and whether there is one for
/// each.
pub(super) fn in_tensor(
    call: &Call<'_>,
    tensor: &Operand,
    dtype: DType,
    count: usize,
) -> Result<(DType, bool)> {
    let name = call.info.name();
    let takes: &[DType] = match (name, dtype) {
        ("ForeachRoundOffNumber", _) => &[DType::I8],
        (
            "ForeachAddcmulList"
            | "ForeachAddcdivList"
            | "ForeachAddcmulScalarList"
            | "ForeachAddcdivScalarList",
            BF16,
        ) => &[F32, BF16],
        (_, F32 | BF16) => &[F32],
        (_, F16) if settings::get().product == Ascend950 => &[F16, F32],
        (_, F16) => &[F16],
        _ => &[I32],
    };
    let wide: &[DType] = match name {
        "ForeachAddList" | "ForeachDivScalar" => &[F64, I64],
        _ => &[],
    };
    let Some(own) = tensor.known_dtype().filter(|own| takes.contains(own) || wide.contains(own)) else {
        return refuse(format!(
            "{} is {}, which tensors of {dtype} do not take",
            tensor.name,
            described(tensor.raw_dtype())
        ));
    };
    let is_for_each = tensor.name == "scalars";
    let wanted = if is_for_each { count } else { 1 };
    match numel(tensor.shape()?) == wanted {
        true => Ok((own, is_for_each)),
        false => {
            refuse(format!("{} has shape {}, but must have {wanted} elements", tensor.name, tensor.shape()?))
        }
    }
}
