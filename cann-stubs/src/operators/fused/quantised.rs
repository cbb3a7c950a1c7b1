//! Products of two matrices of integers.

use aclnn_numerics::DType::{BF16, F16, F32, F64, I8, I32, I64, U64};
use aclnn_numerics::product::Product::Ascend910;
use aclnn_sys::{ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_RUNTIME_ERROR};
use cann_kernels::products::matrix::Step;

use super::activated::last_step;
use super::operands::{Fusion, one_of, products, rounding};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// A scale of all columns, or of each.
enum Scale<'c> {
    Number(f64),
    Columns(Operand<'c>),
}

/// The operands of the forms, whose parameters have different names.
struct Operands<'c> {
    x1: Operand<'c>,
    x2: Operand<'c>,
    out: Operand<'c>,
    scale: Scale<'c>,
    offset: Option<Operand<'c>>,
    token_scale: Option<Operand<'c>>,
    bias: Option<Operand<'c>>,
    transposed: [bool; 2],
    /// An activation, or an operation with `x3`.
    operation: String,
    x3: Option<Operand<'c>>,
}

impl<'c> Operands<'c> {
    fn of(call: &'c Call<'_>) -> Result<Self> {
        let [x1, x2, out] = call.tensors_of(["x1", "x2", "out"])?;
        let bias = call.given("bias")?;
        let flag = |names: [&str; 2]| {
            names.into_iter().find(|name| call.has(name)).map_or(Ok(false), |name| call.flag(name))
        };
        let transposed = [flag(["transposeX1", "adjX1"])?, flag(["transposeX2", "adjX2"])?];
        let (scale, offset, token_scale) = if call.has("x2Scale") {
            (
                Scale::Columns(call.tensor("x2Scale")?),
                call.given("yOffset")?,
                call.optional_tensor("x1Scale")?,
            )
        } else if call.has("deqScale") {
            let is_number = !call.is_tensor("deqScale");
            let scale = if is_number {
                Scale::Number(call.float("deqScale")?)
            } else {
                Scale::Columns(call.tensor("deqScale")?)
            };
            (scale, None, None)
        } else {
            (
                Scale::Columns(call.tensor("scale")?),
                call.optional_tensor("offset")?,
                call.given("pertokenScale")?,
            )
        };
        for name in ["yScale", "x1Offset", "x2Offset"] {
            if call.given(name)?.is_some() {
                return check::not_emulated(format_args!(
                    "products of integers with {name}, which must be null or empty"
                ));
            }
        }
        for name in ["groupSize", "groupSizeOptional"] {
            if call.has(name) && call.int(name)? != 0 {
                return check::not_emulated(
                    "products of integers with scales of groups, so groupSize must be 0",
                );
            }
        }
        let (operation, x3) = (String::new(), None);
        Ok(Self { x1, x2, out, scale, offset, token_scale, bias, transposed, operation, x3 })
    }
}

pub(super) fn quant_matmul(call: &Call<'_>) -> Result<Plan> {
    Operands::of(call)?.plan()
}

pub(super) fn early_quant_matmul(call: &Call<'_>) -> Result<Plan> {
    let operands = Operands::of(call).map_err(check::null_is_internal)?;
    one_of(&operands.out, &[F16])?;
    operands.plan()
}

pub(super) fn fused_quant_matmul(call: &Call<'_>) -> Result<Plan> {
    let operation = call.text("fusedOpType")?;
    if !["", "relu", "add", "mul", "gelu_erf", "gelu_tanh"].contains(&operation.as_str()) {
        return invalid(format_args!(
            "fusedOpType is \"{operation}\", but must be \"\", add, mul, gelu_erf, gelu_tanh or relu"
        ));
    }
    let combines = matches!(operation.as_str(), "add" | "mul");
    let x3 = call.given("x3")?.filter(|_| combines);
    if combines && x3.is_none() {
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "x3 is null, but is added or multiplied"));
    }
    let operands = Operands::of(call)?;
    // FusedMatmul answers so, and takes this operator's operations.
    if operands.bias.is_some() && operation.starts_with("gelu") {
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, "a bias goes with no gelu, so it must be null"));
    }
    Operands { operation, x3, ..operands }.plan()
}

impl<'c> Operands<'c> {
    fn plan(&self) -> Result<Plan> {
        let Self { x1, x2, out, scale, offset, token_scale, bias, transposed, operation, x3 } = self;
        if settings::get().product == Ascend910 {
            return Err(Status::new(ACLNN_ERR_RUNTIME_ERROR, "this product has no products of integers"));
        }
        for operand in [x1, x2] {
            check::dtype(operand, signatures::quant_matmul.takes)?;
        }
        let to = output_of(signatures::quant_matmul.output, I8, I8, out)?;
        let scale_type = match scale {
            Scale::Columns(scale) => one_of(scale, &[U64, I64, F32, BF16])?,
            Scale::Number(_) => F32,
        };
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
        if let Some(x3) = x3 {
            one_of(x3, &[to])?;
            if out.rank() != 2 {
                return check::not_emulated("products of integers with x3 and with more than two axes");
            }
        }
        let mut fusion = Fusion::default();
        let left = fusion.matrices(x1, &[I8, F64])?.transposed(transposed[0]);
        let right = fusion.matrices(x2, &[I8, F64])?.transposed(transposed[1]);
        let (jobs, shape) = products(&left, &right)?;
        check::output_shape(out, &shape)?;
        if shape.is_empty_tensor() || left.columns == 0 {
            return invalid("a product of integers takes no empty tensors");
        }
        let mut steps = Vec::new();
        let columns = right.columns;
        let biased = match (bias, bias_type) {
            (Some(bias), Some(dtype)) => Some(Step::Add(fusion.row(bias, dtype, columns)?)),
            _ => None,
        };
        steps.extend(biased.filter(|_| !late_bias));
        steps.push(match scale {
            Scale::Columns(scale) => Step::Multiply(fusion.row(scale, scale_type, columns)?),
            Scale::Number(number) => Step::Scale(*number),
        });
        if let Some(scale) = token_scale {
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
        if let Some(offset) = offset {
            let dtype = one_of(offset, &[F32])?;
            steps.push(Step::Add(fusion.row(offset, dtype, columns)?));
        }
        let combined = x3.as_ref().map(|x3| fusion.spread(x3, to, &shape)).transpose()?;
        steps.extend(last_step(operation, combined));
        steps.extend(rounding(to));
        fusion.plan(&[(out, to)], jobs.followed_by(&steps, 0), None)
    }
}
