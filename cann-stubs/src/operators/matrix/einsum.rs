//! Sums of products that an equation names.

use aclnn_numerics::DType::{F16, F32, F64};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use cann_kernels::products::linalg;
use cann_kernels::{Lane, size_of_dtype};

use super::product::outer;
use super::types::listed;
use crate::operators::axes::{invalid, no_kernel, tasks, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::signatures;
use crate::settings;
use crate::status::Result;

pub(super) fn einsum(call: &Call<'_>) -> Result<Plan> {
    let (tensors, out) = (call.tensors("tensors")?, call.tensor("output")?);
    let equation = call.text("equation")?;
    let [first, second] = &tensors[..] else {
        return invalid(format_args!("there are {} tensors, but there must be two", tensors.len()));
    };
    let [dtype, other, to] = listed([first, second, &out], signatures::einsum.takes)?;
    if other != dtype || to != dtype {
        return invalid(format_args!(
            "the tensors are {dtype} and {other}, the output is {to}; all must be the same"
        ));
    }
    let has_ranks = |ranks: [usize; 3]| match [first.rank(), second.rank(), out.rank()] == ranks {
        true => Ok(()),
        false => invalid(format_args!("tensors and output of {equation} have {ranks:?} axes")),
    };
    match renamed(&equation).as_str() {
        "abcd,abced->abce" => {
            has_ranks([4, 5, 4])?;
            vectors(first, second, (&out, dtype))
        }
        "a,b->ab" => {
            has_ranks([1, 1, 2])?;
            let numel = first.shape()?[0].saturating_mul(second.shape()?[0]);
            match out.shape()?.numel() == Some(numel) {
                true => outer([first, second], [dtype; 2], dtype, (&out, dtype)),
                // The library does not compare the shape.
                false => {
                    Err(no_kernel(format_args!("the result has {numel} elements, but {} has not", out.name)))
                }
            }
        }
        _ => invalid(format_args!(
            "the equation is {equation}, but there are only abcd,abced->abce and a,b->ab"
        )),
    }
}

/// The equation with its letters in the order of the alphabet. Spaces stay.
fn renamed(equation: &str) -> String {
    let mut known = Vec::new();
    let rename = |letter: char| {
        if !letter.is_ascii_alphabetic() {
            return letter;
        }
        let number = known.iter().position(|other| *other == letter).unwrap_or_else(|| {
            known.push(letter);
            known.len() - 1
        });
        // There are no more letters than 52.
        char::from(if number < 26 { b'a' + number as u8 } else { b'A' + number as u8 - 26 })
    };
    equation.chars().map(rename).collect()
}

/// Products of vectors and the matrices beside them.
fn vectors(
    first: &Operand,
    second: &Operand,
    (out, dtype): (&Operand, aclnn_numerics::DType),
) -> Result<Plan> {
    let (own, other, result) = (first.shape()?, second.shape()?, out.shape()?);
    let (rows, width) = (other[3], own[3]);
    if own[..3] != other[..3] || other[4] != width || result[..2] != own[..2] {
        return invalid(format_args!(
            "the tensors have shapes {own} and {other} and the output has {result}, which do not suit the equation"
        ));
    }
    if own.is_empty_tensor() || other.is_empty_tensor() {
        return invalid("a tensor has no elements");
    }
    let count = own[..3].iter().product::<usize>();
    if result.numel() != Some(count * rows) {
        // The library compares only the first two sizes.
        let expected = Shape::from([&own[..3], &[rows]].concat());
        return Err(no_kernel(format_args!(
            "{} has shape {result}, but the result has {expected}",
            out.name
        )));
    }
    let is_wide = matches!(settings::get().product, Ascend910B | Ascend950);
    let compute = if dtype == F32 && is_wide { F32 } else { F16 };
    let lane = |len, dtypes: &[_]| -> Result<Lane> {
        Ok(Lane { len, conversions: through(dtypes)?, size: size_of_dtype(F64) })
    };
    let mut builder = PlanBuilder::new();
    let x = builder.read(first, first.in_order(dtype)?, compute == dtype);
    let y = builder.read(second, second.in_order(dtype)?, compute == dtype);
    let z = builder.write(out, dtype, out.in_order(dtype)?, compute == dtype)?;
    let seen = [dtype, compute, F64];
    let inputs = [(x, lane(width, &seen)?), (y, lane(rows * width, &seen)?)];
    let output = (z, lane(rows, &[F64, compute, dtype])?);
    builder.lanes(inputs, [output], count, linalg::products(width));
    let kept = [(first, dtype, compute), (second, dtype, compute), (out, dtype, compute)];
    Ok(builder.plan(temporaries(&kept)).by(tasks(true, &[(dtype, compute)])))
}
