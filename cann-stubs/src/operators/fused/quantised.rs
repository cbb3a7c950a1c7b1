//! Products of two matrices of integers.

use aclnn_numerics::DType::{BF16, F16, F32, F64, I8, I32, I64, U64};
use aclnn_numerics::product::Product::Ascend910;
use aclnn_sys::ACLNN_ERR_RUNTIME_ERROR;
use cann_kernels::products::matrix::Step;

use super::operands::{Fusion, one_of, products, rounding};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// The operands of the forms, whose parameters have different names.
struct Operands {
    scale: Operand,
    offset: Option<Operand>,
    token_scale: Option<Operand>,
    bias: Option<Operand>,
}

impl Operands {
    fn of(call: &Call<'_>) -> Result<Self> {
        let bias = call.optional_tensor("bias")?;
        if !call.has("x2Scale") {
            let token_scale = match call.has("pertokenScaleOptional") {
                true => call.optional_tensor("pertokenScaleOptional")?,
                false => None,
            };
            let (scale, offset) = (call.tensor("scale")?, call.optional_tensor("offset")?);
            return Ok(Self { scale, offset, token_scale, bias });
        }
        let (scale, token_scale) = (call.tensor("x2Scale")?, call.optional_tensor("x1Scale")?);
        let offset = call.optional_tensor("yOffset")?;
        for name in ["yScale", "x1Offset", "x2Offset"] {
            if call.optional_tensor(name)?.is_some() {
                return check::not_emulated(format_args!(
                    "products of integers with {name}, which must be null or empty"
                ));
            }
        }
        if call.int("groupSize")? != 0 {
            return check::not_emulated("products of integers with scales of groups, so groupSize must be 0");
        }
        Ok(Self { scale, offset, token_scale, bias })
    }
}

pub(super) fn quant_matmul(call: &Call<'_>) -> Result<Plan> {
    let (x1, x2, out) = (call.tensor("x1")?, call.tensor("x2")?, call.tensor("out")?);
    let Operands { scale, offset, token_scale, bias } = Operands::of(call)?;
    if settings::get().product == Ascend910 {
        return Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, "this product has no products of integers"));
    }
    for operand in [&x1, &x2] {
        check::dtype(operand, signatures::quant_matmul.takes)?;
    }
    let to = output_of(signatures::quant_matmul.output, I8, I8, &out)?;
    let scale_type = one_of(&scale, &[U64, I64, F32, BF16])?;
    let bias_type = bias.as_ref().map(|bias| one_of(bias, &[I32, F32, BF16, F16])).transpose()?;
    let late_bias = bias_type.is_some_and(|dtype| dtype != I32);
    if offset.is_some() && (to != I8 || late_bias || token_scale.is_some()) {
        return invalid(
            "an offset goes with a result of i8, and with neither a bias of floats nor scales of rows",
        );
    }
    if bias_type == Some(F16) && token_scale.is_none() {
        return invalid("a bias of f16 goes with scales of rows");
    }
    let mut fusion = Fusion::default();
    let left = fusion.matrices(&x1, &[I8, F64])?.transposed(call.flag("transposeX1")?);
    let right = fusion.matrices(&x2, &[I8, F64])?.transposed(call.flag("transposeX2")?);
    let (jobs, shape) = products(&left, &right)?;
    check::output_shape(&out, &shape)?;
    if shape.is_empty_tensor() || left.columns == 0 {
        return invalid("a product of integers takes no empty tensors");
    }
    let mut steps = Vec::new();
    let columns = right.columns;
    let biased = match (&bias, bias_type) {
        (Some(bias), Some(dtype)) => Some(Step::Add(fusion.row(bias, dtype, columns)?)),
        _ => None,
    };
    steps.extend(biased.filter(|_| !late_bias));
    steps.push(Step::Multiply(fusion.row(&scale, scale_type, columns)?));
    if let Some(scale) = &token_scale {
        let dtype = one_of(scale, &[F32])?;
        if scale.shape()?[..] != [left.rows] {
            return invalid(format_args!(
                "{} has shape {}, but there are {} rows",
                scale.name,
                scale.shape()?,
                left.rows
            ));
        }
        steps.push(Step::Multiply(fusion.numbers(scale, dtype, scale.shape()?, [1, 0])?));
    }
    steps.extend(biased.filter(|_| late_bias));
    if let Some(offset) = &offset {
        let dtype = one_of(offset, &[F32])?;
        steps.push(Step::Add(fusion.row(offset, dtype, columns)?));
    }
    steps.extend(rounding(to));
    fusion.plan(&[(&out, to)], jobs.followed_by(&steps, 0), None)
}
