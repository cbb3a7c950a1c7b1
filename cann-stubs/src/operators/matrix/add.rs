//! Products of matrices that are added to a tensor.

use aclnn_numerics::DType::{self, BF16, F32};
use aclnn_numerics::layout::{Shape, broadcast};
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use aclnn_numerics::signature::Matrix;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;

use super::matrices::{Added, Matrices, Product, scaled};
use super::types::{CubeMath, Kinds, has_weights, is_weight, listed, must_be_plain};
use crate::meta::scalar::Scalar;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// `out = beta · own + alpha · left · right`, with types.
struct Sum<'c> {
    own: Operand<'c>,
    left: Operand<'c>,
    right: Operand<'c>,
    out: Operand<'c>,
    dtypes: [DType; 4],
    cube: CubeMath,
    kinds: Kinds,
    alpha: f64,
    beta: f64,
}

/// Returns whether a factor is a number, as the library compares it.
fn is(factor: f64, number: f64) -> bool {
    (factor - number).abs() <= f64::from(f32::EPSILON)
}

fn factor(scalar: &Scalar, name: &str) -> Result<f64> {
    let value = scalar.real(F32);
    value.ok_or_else(|| Status::new(ACLNN_ERR_INNER_NULLPTR, format_args!("{name} is not a real number")))
}

impl<'c> Sum<'c> {
    /// The operands by the names of two factors. Types come before shapes.
    fn of(call: &'c Call<'_>, signature: &Matrix, [left, right]: [&str; 2]) -> Result<Self> {
        let own = call.tensor(if call.has("out") { "self" } else { "selfRef" })?;
        let (left, right) = (call.tensor(left)?, call.tensor(right)?);
        let beta = factor(call.scalar("beta")?, "beta")?;
        let alpha = factor(call.scalar("alpha")?, "alpha")?;
        let out = call.tensor(if call.has("out") { "out" } else { "selfRef" })?;
        Self::checked(call, signature, [own, left, right, out], [alpha, beta])
    }

    fn checked(
        call: &Call<'_>,
        signature: &Matrix,
        [own, left, right, out]: [Operand<'c>; 4],
        [alpha, beta]: [f64; 2],
    ) -> Result<Self> {
        let dtypes = listed([&own, &left, &right, &out], signature.takes)?;
        let cube = CubeMath::of(call)?;
        let kinds = cube.kinds([dtypes[1], dtypes[2]], dtypes[3])?;
        Ok(Self { own, left, right, out, dtypes, cube, kinds, alpha, beta })
    }

    fn matrices(&self) -> Result<[Matrices<'_>; 2]> {
        Ok([Matrices::of(&self.left, self.dtypes[1])?, Matrices::of(&self.right, self.dtypes[2])?])
    }

    fn output(&self) -> (&Operand<'_>, DType) {
        (&self.out, self.dtypes[3])
    }

    /// `own` must broadcast to the result without enlarging it.
    fn own_broadcasts(&self, shape: &Shape) -> Result {
        let own = self.own.shape()?;
        match broadcast(own, shape) {
            Ok(both) if both == *shape => Ok(()),
            _ => invalid(format_args!(
                "{} has shape {own}, which does not broadcast to {shape}",
                self.own.name
            )),
        }
    }

    /// Returns whether both factors are f16, or both bf16.
    fn are_halves(&self) -> bool {
        let [_, left, right, _] = self.dtypes;
        left == right && left != F32
    }

    /// The types to which product, scaled tensor and sum are rounded.
    fn roundings(&self, widens_own: bool) -> Result<[DType; 3]> {
        let [own, .., out] = self.dtypes;
        let is_old = !matches!(settings::get().product, Ascend910B | Ascend950);
        let scaled = if widens_own && out == F32 && self.are_halves() { F32 } else { own };
        let keeps_sums = matches!(self.cube, CubeMath::KEEP | CubeMath::USE_HF32);
        if self.are_halves() && !is_old && settings::get().product == Ascend910B && keeps_sums {
            return Ok([F32, scaled, F32]);
        }
        let scaled = if self.are_halves() && self.cube == CubeMath::USE_F32_ADD { F32 } else { scaled };
        Ok([self.kinds.kernel, scaled, check::promote(scaled, self.kinds.kernel)?])
    }

    fn plan(
        &self,
        product: &Product<'_>,
        shape: &Shape,
        roundings: [DType; 3],
        is_total: bool,
    ) -> Result<Plan> {
        let [rounded, scaled, sum] = roundings;
        // A factor close to zero leaves its tensor unread.
        let reads = if is_total { self.beta != 0.0 } else { !is(self.beta, 0.0) };
        let own = reads.then_some((&self.own, self.dtypes[0], self.beta));
        let added = Added { own, shape, alpha: self.alpha, is_total, product: rounded, scaled, sum };
        product.plan_added(&added, self.output())
    }

    fn scaled(&self, shape: &Shape) -> Result<Plan> {
        scaled((&self.own, self.dtypes[0]), self.beta, shape, self.output())
    }
}

pub(super) fn addmm(call: &Call<'_>) -> Result<Plan> {
    if call.info.name() == "AddmmWeightNz" {
        has_weights()?;
    }
    let sum = Sum::of(call, &signatures::addmm, ["mat1", "mat2"])?;
    match call.info.name() {
        "AddmmWeightNz" => is_weight(&sum.right)?,
        _ => must_be_plain(&[&sum.own])?,
    }
    matrix(&sum, (1..=2).contains(&sum.own.rank()))
}

pub(super) fn gemm(call: &Call<'_>) -> Result<Plan> {
    let (left, right, own) = (call.tensor("A")?, call.tensor("B")?, call.tensor("C")?);
    let out = call.tensor("out")?;
    let factors = [call.float("alpha")?, call.float("beta")?];
    let sum = Sum::checked(call, &signatures::gemm, [own, left, right, out], factors)?;
    must_be_plain(&[&sum.own, &sum.left, &sum.right, &sum.out])?;
    let transposes = [call.int("transA")? != 0, call.int("transB")? != 0];
    two_axes(&sum)?;
    let [a, b] = sum.matrices()?;
    let factors =
        [if transposes[0] { a.transposed() } else { a }, if transposes[1] { b.transposed() } else { b }];
    let special = settings::get().product == Ascend950;
    added(&sum, factors, special)
}

fn two_axes(sum: &Sum) -> Result {
    for operand in [&sum.left, &sum.right] {
        if operand.rank() != 2 {
            return invalid(format_args!("{} has {} axes, but must have 2", operand.name, operand.rank()));
        }
    }
    Ok(())
}

/// Two matrices; `fits` says whether the tensor to add has as many axes as it may have.
fn matrix(sum: &Sum, fits: bool) -> Result<Plan> {
    if !fits {
        return invalid(format_args!(
            "{} has {} axes, but must have one or two",
            sum.own.name,
            sum.own.rank()
        ));
    }
    two_axes(sum)?;
    added(sum, sum.matrices()?, true)
}

/// `drops` says whether an alpha close to zero leaves the factors unread.
fn added(sum: &Sum, [left, right]: [Matrices<'_>; 2], drops: bool) -> Result<Plan> {
    let product = Product::of(left, right, sum.kinds)?;
    let size = product.size();
    let shape = Shape::from(size);
    sum.own_broadcasts(&shape)?;
    check::output_shape(&sum.out, &shape)?;
    if sum.own.shape()?.is_empty_tensor() || shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if product.is_of_nothing() || drops && is(sum.alpha, 0.0) {
        return sum.scaled(&shape);
    }
    let [own, left, ..] = sum.dtypes;
    let is_row = matches!(&sum.own.shape()?[..], [_] | [1, _]);
    let suits = left != BF16 || matches!(own, BF16 | F32);
    let product_is_910b = settings::get().product == Ascend910B;
    let is_fused = product_is_910b && sum.are_halves() && sum.dtypes[3] == F32;
    if is(sum.alpha, 1.0) && is(sum.beta, 1.0) && is_row && suits && !is_fused && drops {
        // A bias, added to the sums before they are rounded.
        return sum.plan(&product, &shape, [F32, own, sum.kinds.kernel], false);
    }
    if is_fused && own_is_whole(sum, &shape)? {
        return sum.plan(&product, &shape, [F32, F32, F32], false);
    }
    sum.plan(&product, &shape, sum.roundings(true)?, false)
}

/// Returns whether the tensor to add has the shape of the result.
fn own_is_whole(sum: &Sum, shape: &Shape) -> Result<bool> {
    let [own, left, ..] = sum.dtypes;
    Ok(sum.own.shape()? == shape && (own == left || own == F32))
}

pub(super) fn baddbmm(call: &Call<'_>) -> Result<Plan> {
    let sum = Sum::of(call, &signatures::baddbmm, ["batch1", "batch2"])?;
    three_axes(&sum)?;
    let [left, right] = sum.matrices()?;
    let (count, others) = (left.batch[0], right.batch[0]);
    if others != count && others != 1 {
        return invalid(format_args!(
            "batch1 has {count} matrices and batch2 {others}; batch2 must have as many, or one"
        ));
    }
    let product = Product::of(left.clone(), right, sum.kinds)?;
    let shape = Shape::from([count, left.rows, product.size()[1]]);
    sum.own_broadcasts(&shape)?;
    check::output_shape(&sum.out, &shape)?;
    if sum.own.shape()?.is_empty_tensor() != shape.is_empty_tensor() {
        return invalid(format_args!("{} is empty, and the result is not", sum.own.name));
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if product.is_of_nothing() {
        return sum.scaled(&shape);
    }
    sum.plan(&product, &shape, sum.roundings(true)?, false)
}

pub(super) fn addbmm(call: &Call<'_>) -> Result<Plan> {
    let sum = Sum::of(call, &signatures::addbmm, ["batch1", "batch2"])?;
    three_axes(&sum)?;
    let product = {
        let [left, right] = sum.matrices()?;
        Product::of(left, right, sum.kinds)?
    };
    let shape = Shape::from(product.size());
    sum.own_broadcasts(&shape)?;
    check::output_shape(&sum.out, &shape)?;
    if shape.is_empty_tensor() || sum.own.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    if sum.alpha == 0.0 || product.is_of_nothing() || product.batch.is_empty_tensor() {
        return sum.scaled(&shape);
    }
    let [own, ..] = sum.dtypes;
    let scaled = if own == BF16 { F32 } else { own };
    let kernel =
        if sum.kinds.are_widened() && sum.dtypes[3] != F32 { sum.kinds.compute } else { sum.kinds.kernel };
    sum.plan(&product, &shape, [kernel, scaled, check::promote(scaled, kernel)?], true)
}

fn three_axes(sum: &Sum) -> Result {
    for operand in [&sum.left, &sum.right] {
        if operand.rank() != 3 {
            return invalid(format_args!("{} has {} axes, but must have 3", operand.name, operand.rank()));
        }
    }
    Ok(())
}
