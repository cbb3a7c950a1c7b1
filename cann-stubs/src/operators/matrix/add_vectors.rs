//! Products with vectors that are added to a tensor.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32};
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;

use super::matrices::{Added, Matrices, Product, scaled};
use super::types::{CubeMath, Kinds, listed, must_be_plain};
use crate::meta::scalar::Scalar;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::{Result, Status};

/// A factor as a number, and whether the library takes it for 1 or for 0.
struct Factor {
    value: f64,
    dtype: DType,
}

impl Factor {
    fn of(scalar: &Scalar) -> Result<Self> {
        let value = scalar.real(DType::F64).filter(|_| !scalar.dtype.is_complex());
        let value =
            value.ok_or_else(|| Status::new(ACLNN_ERR_INNER_NULLPTR, "a factor is not a real number"))?;
        Ok(Self { value, dtype: scalar.dtype })
    }

    fn is(&self, number: f64) -> bool {
        (self.value - number).abs() <= f64::from(f32::EPSILON)
    }

    /// The type of a product with the factor.
    fn with(&self, dtype: DType) -> Result<DType> {
        if self.is(1.0) { Ok(dtype) } else { check::promote(dtype, self.dtype) }
    }
}

pub(super) fn addmv(call: &Call<'_>) -> Result<Plan> {
    let (own, mat, vec) = (call.tensor("self")?, call.tensor("mat")?, call.tensor("vec")?);
    let (alpha, beta) = (call.scalar("alpha")?, call.scalar("beta")?);
    let out = call.tensor("out")?;
    let [dtype, left, right] = listed([&own, &mat, &vec], signatures::addmv.takes)?;
    let (alpha, beta) = (Factor::of(alpha)?, Factor::of(beta)?);
    let multiplied = check::promote(left, right)?;
    let (product, scales) = (alpha.with(multiplied)?, beta.with(dtype)?);
    let sum = check::promote(scales, product)?;
    let to = check::output_dtype(&out, sum)?;
    // The range of `cubeMathType` is that for f32, whatever the types are.
    CubeMath::of(call)?.kinds([F32, F32], F32)?;
    must_be_plain(&[&own, &mat, &vec, &out])?;
    if mat.rank() != 2 || vec.rank() != 1 || own.rank() > 1 {
        return invalid("mat must have 2 axes, vec one, and self at most one");
    }
    let (a, b) = (Matrices::of(&mat, left)?, Matrices::of(&vec, right)?.transposed());
    let kinds = match multiplied {
        F32 | F16 | BF16 => CubeMath::of(call)?.kinds([multiplied, multiplied], multiplied)?,
        _ => Kinds::of(multiplied),
    };
    let product = Product::of(a, b, kinds)?;
    let shape = Shape::from([product.size()[0]]);
    if !matches!(broadcast(own.shape()?, &shape), Ok(both) if both == shape) {
        return invalid(format_args!("self has shape {}, which does not broadcast to {shape}", own.shape()?));
    }
    check::output_shape(&out, &shape)?;
    if own.shape()?.is_empty_tensor() || shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if alpha.is(0.0) || product.is_of_nothing() {
        return scaled((&own, dtype), beta.value, &shape, (&out, to));
    }
    let own = (!beta.is(0.0)).then_some((&own, dtype, beta.value));
    let added = Added {
        own,
        shape: &shape,
        alpha: alpha.value,
        is_total: false,
        product: multiplied,
        scaled: scales,
        sum,
    };
    product.plan_added(&added, (&out, to))
}

pub(super) fn addr(call: &Call<'_>) -> Result<Plan> {
    let name = if call.has("out") { "self" } else { "selfRef" };
    let own = call.tensor(name)?;
    let (first, second) = (call.tensor("vec1")?, call.tensor("vec2")?);
    let factor = |name| -> Result<Option<Factor>> { call.optional_scalar(name)?.map(Factor::of).transpose() };
    let (beta, alpha) = (factor("betaOptional")?, factor("alphaOptional")?);
    let out = call.tensor(if call.has("out") { "out" } else { name })?;
    let list = signatures::addr.takes;
    let [dtype, left, right, to] = listed([&own, &first, &second, &out], list)?;
    let promoted = check::promote(check::promote(dtype, left)?, right)?;
    for factor in [&beta, &alpha].into_iter().flatten() {
        let is_listed = check::types(list).contains(factor.dtype);
        let suits = match factor.dtype {
            Bool => promoted == Bool,
            factor if factor.is_float() => promoted.is_float(),
            _ => true,
        };
        if !is_listed || !suits {
            return invalid(format_args!(
                "a factor is {}, which does not suit tensors of {promoted}",
                factor.dtype
            ));
        }
    }
    if first.rank() != 1 || second.rank() != 1 || own.rank() > 2 {
        return invalid("vec1 and vec2 must have one axis, and self at most two");
    }
    let shape = Shape::from([first.shape()?[0], second.shape()?[0]]);
    if !matches!(broadcast(own.shape()?, &shape), Ok(both) if both == shape) {
        return invalid(format_args!(
            "{name} has shape {}, which does not broadcast to {shape}",
            own.shape()?
        ));
    }
    check::output_shape(&out, &shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (beta, alpha) = (beta.map_or(1.0, |beta| beta.value), alpha.map_or(1.0, |alpha| alpha.value));
    let (a, b) = (Matrices::of(&first, left)?.transposed(), Matrices::of(&second, right)?);
    let product = Product::of(a, b, Kinds::of(promoted))?;
    let own = (beta != 0.0).then_some((&own, dtype, beta));
    let added = Added {
        own,
        shape: &shape,
        alpha,
        is_total: false,
        product: promoted,
        scaled: promoted,
        sum: promoted,
    };
    product.plan_added(&added, (&out, to))
}
