//! Products of two operands.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::promote::Edition;
use aclnn_numerics::signature::Matrix;
use cann_kernels::functions::arithmetic::{Operation, compute_type};
use cann_kernels::{Elementwise, Source, size_of_dtype};
use smallvec::SmallVec;

use super::matrices::{Matrices, Product};
use super::types::{CubeMath, Kinds, has_weights, is_weight, listed, must_be_plain};
use crate::compute::units;
use crate::operators::axes::{filled, invalid, no_kernel, tasks, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The operands of a product and its output, with their types.
struct Factors<'c> {
    left: Operand<'c>,
    right: Operand<'c>,
    out: Operand<'c>,
    dtypes: [DType; 3],
    kinds: Kinds,
}

impl<'c> Factors<'c> {
    /// Types come before shapes.
    fn of(call: &'c Call<'_>, signature: &Matrix) -> Result<Self> {
        let is_weighted = call.info.name().ends_with("WeightNz");
        let (left, right, out) = (call.tensor("self")?, call.tensor("mat2")?, call.tensor("out")?);
        if is_weighted {
            has_weights()?;
        }
        let dtypes = listed([&left, &right, &out], signature.takes)?;
        let kinds = CubeMath::of(call)?.kinds([dtypes[0], dtypes[1]], dtypes[2])?;
        if is_weighted {
            is_weight(&right)?;
        } else {
            must_be_plain(&[&left, &out])?;
        }
        Ok(Self { left, right, out, dtypes, kinds })
    }

    fn matrices(&self) -> Result<[Matrices<'_>; 2]> {
        Ok([Matrices::of(&self.left, self.dtypes[0])?, Matrices::of(&self.right, self.dtypes[1])?])
    }

    /// The product, or zeros if there are no summands.
    fn plan(&self, product: &Product<'_>) -> Result<Plan> {
        let output = (&self.out, self.dtypes[2]);
        match product.is_of_nothing() {
            true => filled(&[output], 0.0),
            false => product.plan(output),
        }
    }
}

fn has_rank(operand: &Operand, rank: usize) -> Result {
    match operand.rank() == rank {
        true => Ok(()),
        false => invalid(format_args!("{} has {} axes, but must have {rank}", operand.name, operand.rank())),
    }
}

pub(super) fn matmul(call: &Call<'_>) -> Result<Plan> {
    let factors = Factors::of(call, &signatures::matmul)?;
    let Factors { left, right, out, .. } = &factors;
    for operand in [left, right] {
        if !(1..=6).contains(&operand.rank()) {
            let (name, rank) = (operand.name, operand.rank());
            return invalid(format_args!("{name} has {rank} axes, but must have one to six"));
        }
    }
    let [a, b] = factors.matrices()?;
    let b = if right.rank() == 1 { b.transposed() } else { b };
    let kinds = match (left.rank(), right.rank()) {
        // Two vectors are multiplied in the type that they promote to, whatever `cubeMathType` says.
        (1, 1) => Edition::Library.promote(a.dtype, b.dtype).map_or(factors.kinds, Kinds::of),
        _ => factors.kinds,
    };
    let product = Product::of(a, b, kinds)?;
    let results = product.numel();
    if out.shape()?.is_empty_tensor() && (left.shape()?.is_empty_tensor() || right.shape()?.is_empty_tensor())
    {
        return Ok(Plan::empty());
    }
    if out.shape()?.numel() != Some(results) {
        // The library does not compare shapes; its kernel fails on another number of elements.
        let message =
            format!("{} has shape {}, but the result has {results} elements", out.name, out.shape()?);
        return Err(no_kernel(message));
    }
    factors.plan(&product)
}

pub(super) fn mm(call: &Call<'_>) -> Result<Plan> {
    let factors = Factors::of(call, &signatures::mm)?;
    for operand in [&factors.left, &factors.right, &factors.out] {
        has_rank(operand, 2)?;
    }
    let [a, b] = factors.matrices()?;
    let product = Product::of(a, b, factors.kinds)?;
    let shape = Shape::from(product.size());
    check::output_shape(&factors.out, &shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    factors.plan(&product)
}

pub(super) fn batch_mat_mul(call: &Call<'_>) -> Result<Plan> {
    let factors = Factors::of(call, &signatures::batch_mat_mul)?;
    for operand in [&factors.left, &factors.right, &factors.out] {
        has_rank(operand, 3)?;
    }
    let [a, b] = factors.matrices()?;
    let [rows, columns] = [a.rows, b.columns];
    let product = Product::of(a, b, factors.kinds)?;
    let shape = Shape::from([&product.batch[..], &[rows, columns]].concat());
    check::output_shape(&factors.out, &shape)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    factors.plan(&product)
}

pub(super) fn mv(call: &Call<'_>) -> Result<Plan> {
    let (own, vector, out) = (call.tensor("self")?, call.tensor("vec")?, call.tensor("out")?);
    let dtypes = listed([&own, &vector, &out], signatures::mv.takes)?;
    let is_same = dtypes[0] == dtypes[1] || own.shape()?.is_empty_tensor();
    if dtypes[1] != dtypes[2] || !is_same {
        let [a, b, c] = dtypes;
        return invalid(format_args!("self is {a}, vec {b} and out {c}, but all must have one type"));
    }
    let kinds = CubeMath::of(call)?.kinds([dtypes[0], dtypes[1]], dtypes[2])?;
    has_rank(&own, 2)?;
    has_rank(&vector, 1)?;
    let (a, b) = (Matrices::of(&own, dtypes[0])?, Matrices::of(&vector, dtypes[1])?.transposed());
    let product = Product::of(a, b, kinds)?;
    check::output_shape(&out, &[product.size()[0]])?;
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let output = (&out, dtypes[2]);
    if product.is_of_nothing() { filled(&[output], 0.0) } else { product.plan(output) }
}

pub(super) fn dot(call: &Call<'_>) -> Result<Plan> {
    let (own, other, out) = (call.tensor("self")?, call.tensor("tensor")?, call.tensor("out")?);
    let [dtype, second, result] = listed([&own, &other, &out], signatures::dot.takes)?;
    if second != dtype || result != dtype {
        return invalid(format_args!(
            "self is {dtype}, tensor {second} and out {result}, but all must have one type"
        ));
    }
    has_rank(&own, 1)?;
    has_rank(&other, 1)?;
    has_rank(&out, 0)?;
    let (a, b) = (Matrices::of(&own, dtype)?, Matrices::of(&other, dtype)?.transposed());
    let product = Product::of(a, b, Kinds::of(dtype))?;
    if product.is_of_nothing() {
        return filled(&[(&out, dtype)], 0.0);
    }
    product.plan((&out, dtype))
}

pub(super) fn ger(call: &Call<'_>) -> Result<Plan> {
    let (own, other, out) = (call.tensor("self")?, call.tensor("vec2")?, call.tensor("out")?);
    let dtypes = listed([&own, &other], signatures::ger.takes)?;
    let promoted = check::promote(dtypes[0], dtypes[1])?;
    let to = check::output_dtype(&out, promoted)?;
    has_rank(&own, 1)?;
    has_rank(&other, 1)?;
    let (rows, columns) = (own.shape()?[0], other.shape()?[0]);
    check::output_shape(&out, &[rows, columns])?;
    outer([&own, &other], dtypes, promoted, (&out, to))
}

/// The products of each element of one vector and each of another, in the type to which they are promoted.
pub(super) fn outer(
    vectors: [&Operand; 2],
    dtypes: [DType; 2],
    promoted: DType,
    (out, to): (&Operand, DType),
) -> Result<Plan> {
    let [own, other] = vectors;
    let shape = Shape::from([own.shape()?[0], other.shape()?[0]]);
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let compute = match promoted {
        // Products have the same lower bits.
        DType::U16 | DType::U32 | DType::U64 => DType::I64,
        _ => compute_type(promoted),
    };
    let multiply = Operation::Mul.in_type(compute);
    let multiply = multiply.ok_or_else(|| no_kernel(format_args!("there is no kernel for {promoted}")))?;
    let mut builder = PlanBuilder::new();
    let mut sources = SmallVec::new();
    let strides = [[own.strides()[0], 0], [0, other.strides()[0]]];
    let mut places = Vec::new();
    for (input, ((operand, dtype), strides)) in
        [(own, dtypes[0]), (other, dtypes[1])].into_iter().zip(strides).enumerate()
    {
        let view = operand.view_of(dtype, &shape, &strides, operand.offset())?;
        places.push(builder.read(operand, view, dtype == promoted));
        sources.push(Source::Tensor { input, conversions: through(&[dtype, promoted, compute])? });
    }
    let result = builder.write(out, to, out.in_order(to)?, promoted == to)?;
    let body = Elementwise {
        sources,
        scale: None,
        function: Some(multiply.into()),
        fused: None,
        result: through(&[compute, promoted, to])?,
        compute_size: size_of_dtype(compute),
    };
    builder.elements(&places, result, &shape, body);
    let kept = [(own, dtypes[0], promoted), (other, dtypes[1], promoted), (out, to, promoted)];
    let casts = kept.map(|(_, from, to)| (from, to));
    let on_cores = units::multiplies(settings::get().product, promoted) || promoted == F32;
    Ok(builder.plan(temporaries(&kept)).by(tasks(on_cores, &casts)))
}
