//! Products of matrices, sums of products by an equation, determinants.

use aclnn::ops;
use aclnn::product::Product;
use aclnn::{DType, Tensor};

use super::elements::{InType, alike};
use super::operator::Operator;
use super::precision::precision;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

pub(super) const OPERATORS: &[Operator] = &[
    Operator::node("MatMul", 1, |_| {
        Ok(Prepared::device(|call| {
            let [a, b] = alike(call)?;
            product(&a, &b)
        }))
    }),
    Operator::node("MatMulInteger", 10, |_| Ok(Prepared::device(product_of_bytes))),
    Operator::node("Gemm", 1, gemm),
    Operator::node("Einsum", 12, einsum),
    Operator::node("Det", 11, |_| Ok(Prepared::device(det))),
];

/// The most elements of products that are held at once where they are not those of matrices.
const HELD: usize = 1 << 24;

/// The longest sum of products of two bytes, with their zero points subtracted, that f32 holds exactly.
const EXACT: usize = 256;

fn multiplies_f32(call: &Call<'_>) -> bool {
    !matches!(call.device().product(), Some(Product::Ascend910 | Product::Ascend310P))
}

/// Returns the product of matrices of any type.
pub(super) fn product(a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    match a.dtype() {
        DType::F32 | DType::F16 | DType::BF16 => Ok(ops::matmul(a, b).precision(precision(a)).run()?),
        DType::F64 | DType::I64 => in_elements(a, b),
        dtype if dtype.is_integer() => {
            // What is too large for the type loses its high bits, as in sums of the type itself.
            Ok(in_elements(&a.in_type(DType::I64)?, &b.in_type(DType::I64)?)?.in_type(dtype)?)
        }
        dtype => Reason::missing(format!("it multiplies no matrices of {dtype}")),
    }
}

/// Returns the product of matrices with all digits of their type.
pub(super) fn precise_product(call: &Call<'_>, a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    match a.dtype() == DType::F32 && !multiplies_f32(call) {
        true => in_elements(a, b),
        false => product(a, b),
    }
}

/// Returns the product of matrices by products of their elements, for types of which the device has no other.
fn in_elements(a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    let (one_row, one_column) = (a.rank() == 1, b.rank() == 1);
    let a = if one_row { a.unsqueeze(0)? } else { a.clone() };
    let b = if one_column { b.unsqueeze(1)? } else { b.clone() };
    let (&[.., rows, common], &[.., others, columns]) = (a.dims(), b.dims()) else {
        return Reason::text("it multiplies tensors without axes");
    };
    if common != others {
        return Reason::text(format!(
            "the matrices {:?} and {:?} do not suit each other",
            a.dims(),
            b.dims()
        ));
    }
    let held = |numel: usize, of: usize| numel / of.max(1);
    let batch = held(a.numel(), rows * common).max(held(b.numel(), common * columns)).max(1);
    let results = batch.saturating_mul(rows).saturating_mul(columns).max(1);
    let step = (HELD / results).clamp(1, common.max(1));
    let mut total: Option<Tensor> = None;
    for start in (0..common.max(1)).step_by(step) {
        let length = step.min(common - start);
        let left = a.narrow(-1, start, length)?.unsqueeze(-2)?;
        let right = b.narrow(-2, start, length)?.transpose(-1, -2)?.unsqueeze(-3)?;
        let part = ops::sum(&left.mul(&right)?).axes(-1).dtype(a.dtype()).run()?;
        total = Some(match total {
            Some(total) => total.add(&part)?,
            None => part,
        });
    }
    let Some(total) = total else { return Reason::text("it multiplies nothing") };
    let total = if one_column { total.squeeze(-1)? } else { total };
    Ok(if one_row { total.squeeze(if one_column { -1 } else { -2 })? } else { total })
}

fn product_of_bytes(call: &Call<'_>) -> NodeResult<Tensor> {
    let a = centered(&call.tensor(0)?, call.optional_tensor(2)?, true)?;
    let b = centered(&call.tensor(1)?, call.optional_tensor(3)?, false)?;
    exact_product(&a, &b)
}

/// Returns bytes as f32, with their zero point subtracted: one of all, one of each row of the first factor, or one of each
/// column of the second one.
pub(super) fn centered(bytes: &Tensor, zero_point: Option<Tensor>, is_by_row: bool) -> NodeResult<Tensor> {
    let wide = bytes.in_type(DType::F32)?;
    let Some(zero_point) = zero_point else { return Ok(wide) };
    let zero_point = zero_point.in_type(DType::F32)?;
    let zero_point = match zero_point.rank() {
        1 if is_by_row && zero_point.numel() > 1 => zero_point.unsqueeze(1)?,
        _ => zero_point,
    };
    Ok(wide.sub(&zero_point)?)
}

/// Returns the exact product of matrices of small integers in f32, as i32. f16 holds the integers, and f32 adds up so many
/// products of them without rounding.
pub(super) fn exact_product(a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    let common = a.dims().last().copied().unwrap_or(0);
    let multiplied =
        |a: &Tensor, b: &Tensor| ops::matmul(a, b).precision(precision(a)).run()?.in_type(DType::I32);
    if common <= EXACT {
        return Ok(multiplied(a, b)?);
    }
    let along_b = b.rank().saturating_sub(2);
    let mut total: Option<Tensor> = None;
    for start in (0..common).step_by(EXACT) {
        let length = EXACT.min(common - start);
        let left = a.narrow(-1, start, length)?;
        let part = multiplied(&left, &b.narrow(along_b, start, length)?)?;
        total = Some(match total {
            Some(total) => total.add(&part)?,
            None => part,
        });
    }
    match total {
        Some(total) => Ok(total),
        None => Reason::text("it multiplies nothing"),
    }
}

fn gemm(node: &Node) -> NodeResult<Prepared> {
    // Older versions do not broadcast unless they are told to.
    node.ignore(&["broadcast"]);
    let (alpha, beta) = (node.float("alpha", 1.0)?, node.float("beta", 1.0)?);
    let (is_left_turned, is_right_turned) = (node.flag("transA", false)?, node.flag("transB", false)?);
    Ok(Prepared::device(move |call| {
        let [a, b] = alike(call)?;
        if a.rank() != 2 || b.rank() != 2 {
            return Reason::text(format!(
                "it multiplies {:?} and {:?}, not two matrices",
                a.dims(),
                b.dims()
            ));
        }
        let a = if is_left_turned { a.t()? } else { a };
        let b = if is_right_turned { b.t()? } else { b };
        let added = call.optional_tensor(2)?;
        match (added, a.dtype()) {
            (Some(added), DType::F32 | DType::F16 | DType::BF16) if b.numel() > 0 && a.numel() > 0 => {
                let added = if added.rank() == 0 { added.unsqueeze(0)? } else { added };
                Ok(ops::addmm(&added, &a, &b).alpha(alpha).beta(beta).precision(precision(&a)).run()?)
            }
            (added, _) => sum_of_product(&product(&a, &b)?, alpha, added, beta),
        }
    }))
}

/// Returns `alpha · product + beta · added`. Integers are scaled in f64, and lose a fraction.
fn sum_of_product(product: &Tensor, alpha: f32, added: Option<Tensor>, beta: f32) -> NodeResult<Tensor> {
    let dtype = product.dtype();
    let scaled = |tensor: &Tensor, factor: f32| -> NodeResult<Tensor> {
        match factor == 1.0 {
            true => Ok(tensor.clone()),
            false if dtype.is_integer() => {
                Ok(tensor.in_type(DType::F64)?.mul(f64::from(factor))?.in_type(dtype)?)
            }
            false => Ok(tensor.mul(factor)?),
        }
    };
    let product = scaled(product, alpha)?;
    let Some(added) = added else { return Ok(product) };
    let added = scaled(&added, beta)?;
    let sum = match dtype {
        DType::U16 | DType::U32 | DType::U64 => {
            product.in_type(DType::I64)?.add(&added.in_type(DType::I64)?)?.in_type(dtype)?
        }
        _ => product.add(&added)?,
    };
    match sum.dims() == product.dims() {
        true => Ok(sum),
        false => Reason::text(format!("{:?} does not broadcast to {:?}", added.dims(), product.dims())),
    }
}

fn einsum(node: &Node) -> NodeResult<Prepared> {
    let equation = node.text("equation", "")?;
    Ok(Prepared::device(move |call| {
        let tensors = call.tensors()?;
        let Some(dtype) = tensors.first().map(Tensor::dtype) else { return Reason::text("it has no inputs") };
        let wide = match dtype {
            DType::U16 | DType::U32 | DType::U64 => DType::I64,
            dtype => dtype,
        };
        let tensors: Vec<Tensor> =
            tensors.iter().map(|tensor| tensor.in_type(wide)).collect::<Result<_, _>>()?;
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        Ok(ops::einsum(&equation, &tensors)?.in_type(dtype)?)
    }))
}

fn det(call: &Call<'_>) -> NodeResult<Tensor> {
    let x = call.tensor(0)?;
    match x.dtype() {
        DType::F64 => Ok(x.det()?),
        dtype => Ok(x.in_type(DType::F32)?.det()?.in_type(dtype)?),
    }
}
