//! Products with a bias and an activation, or another operation, at the end.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_sys::ACLNN_ERR_PARAM_NULLPTR;
use cann_kernels::products::matrix::{Activation, Spread, Step};

use super::operands::{Fusion, one_of, products};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::matrix::CubeMath;
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

pub(super) fn fused_matmul(call: &Call<'_>) -> Result<Plan> {
    let operation = call.text("fusedOpType")?;
    let ranks = match operation.as_str() {
        "" | "relu" => 2..=6,
        "add" | "mul" | "16cast32" => 2..=3,
        "gelu_erf" | "gelu_tanh" => 2..=2,
        other => {
            return invalid(format_args!(
                "fusedOpType is \"{other}\", but must be \"\", add, mul, gelu_erf, gelu_tanh, relu or 16cast32"
            ));
        }
    };
    let (x1, x2, y) = (call.tensor("x1")?, call.tensor("x2")?, call.tensor("y")?);
    let (bias, x3) = (call.optional_tensor("bias")?, call.optional_tensor("x3")?);
    let null = |message: &str| Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    let combines = matches!(operation.as_str(), "add" | "mul");
    if combines && x3.is_none() {
        return null("x3 is null, but is added or multiplied");
    }
    if bias.is_some() && operation.starts_with("gelu") {
        return null("a product with a gelu takes no bias");
    }
    let dtype = check::dtype(&x1, signatures::fused_matmul.takes)?;
    let takes_f32 = combines || matches!(operation.as_str(), "" | "relu");
    if dtype == F32 && !takes_f32 {
        return invalid(format_args!("x1 is f32, which \"{operation}\" does not take"));
    }
    one_of(&x2, &[dtype])?;
    let to = one_of(&y, &[if operation == "16cast32" { F32 } else { dtype }])?;
    let x3 = x3.filter(|_| combines);
    if let Some(x3) = &x3 {
        one_of(x3, &[dtype])?;
    }
    let bias_type = bias.as_ref().map(|bias| one_of(bias, &[dtype, F32])).transpose()?;
    let kinds = CubeMath::of(call)?.kinds([dtype, dtype], to)?;
    for operand in [&x1, &x2, &y] {
        if !ranks.contains(&operand.rank()) || operand.rank() != x1.rank() {
            return invalid(format_args!(
                "{} has {} axes; x1, x2 and y must have as many, from {} to {}",
                operand.name,
                operand.rank(),
                ranks.start(),
                ranks.end()
            ));
        }
    }
    let mut fusion = Fusion::default();
    let through = [dtype, kinds.compute, F32];
    let (left, right) = (fusion.matrices(&x1, &through)?, fusion.matrices(&x2, &through)?);
    let (jobs, shape) = products(&left, &right)?;
    check::output_shape(&y, &shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let added = match (&bias, bias_type) {
        (Some(bias), Some(dtype)) => Some(fusion.spread(bias, dtype, &shape)?),
        _ => None,
    };
    let combined = x3.as_ref().map(|x3| fusion.spread(x3, dtype, &shape)).transpose()?;
    let last = last_step(&operation, combined);
    let steps: Vec<Step> = added.map(Step::Add).into_iter().chain(last).collect();
    fusion.plan(&[(&y, to)], jobs.followed_by(&steps, left.rows), None)
}

/// The last step of a product: an activation, or an operation with the numbers of another operand.
pub(super) fn last_step(operation: &str, combined: Option<Spread>) -> Option<Step> {
    match (operation, combined) {
        ("add", Some(numbers)) => Some(Step::Add(numbers)),
        ("mul", Some(numbers)) => Some(Step::Multiply(numbers)),
        ("gelu_erf", _) => Some(Step::Activate(Activation::Gelu)),
        ("gelu_tanh", _) => Some(Step::Activate(Activation::GeluByTanh)),
        ("relu", _) => Some(Step::Activate(Activation::Relu)),
        _ => None,
    }
}

impl<'a> Fusion<'a> {
    /// Numbers for every element of a result, to whose shape an operand broadcasts.
    pub(super) fn spread(&mut self, operand: &'a Operand, dtype: DType, shape: &Shape) -> Result<Spread> {
        if !matches!(broadcast(operand.shape()?, shape), Ok(both) if both == *shape) {
            return invalid(format_args!(
                "{} has shape {}, which does not broadcast to {shape}",
                operand.name,
                operand.shape()?
            ));
        }
        let columns = shape.last().copied().unwrap_or(1);
        self.numbers(operand, dtype, shape, [columns, 1])
    }
}
