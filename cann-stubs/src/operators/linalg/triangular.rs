//! Equations with a triangle.

use aclnn_numerics::DType::F32;
use aclnn_numerics::layout::{Shape, broadcast};
use cann_kernels::Conversions;
use cann_kernels::products::linalg::{self, Triangle};

use super::matrices::{RANKS, Seen, matrices, planned, shape, squares};
use crate::operators::axes::{invalid, no_kernel, output_of};
use crate::operators::call::{Call, Plan};
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn triangular_solve(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::triangular_solve;
    let operands = || Ok([call.tensor("self")?, call.tensor("A")?, call.tensor("xOut")?]);
    let [sides, matrix, out] = operands().map_err(check::null_is_internal)?;
    let copied = call.optional_tensor("mOut")?;
    let dtype = check::dtype(&sides, signature.takes)?;
    for other in [Some(matrix), Some(out), copied].iter().flatten() {
        output_of(signature.output, dtype, dtype, other)?;
    }
    let has_ones = call.flag("unitriangular")?;
    if has_ones && dtype != F32 {
        return invalid(format_args!(
            "unitriangular is true, which works with f32 alone, and self is {dtype}"
        ));
    }
    let (of_matrix, n) = squares(&matrix, &RANKS)?;
    let (of_sides, [rows, columns]) = matrices(&sides, &RANKS)?;
    if rows != n {
        return invalid(format_args!("self has {rows} rows and A has {n}; both must be the same"));
    }
    let batch = broadcast(&Shape::from(of_sides), &Shape::from(of_matrix))
        .or_else(|why| invalid(format_args!("the matrices of self and A do not broadcast: {why}")))?;
    check::output_shape(&out, &shape(&batch, &[n, columns]))?;
    let square = shape(&batch, &[n, n]);
    if let Some(copied) = &copied {
        check::output_shape(copied, &square)?;
    }
    if sides.shape()?.is_empty_tensor() || matrix.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut builder = PlanBuilder::new();
    match &copied {
        Some(copied) => {
            let from = builder.read(&matrix, matrix.view(dtype, &square)?, true);
            let to = builder.write(copied, dtype, copied.in_order(dtype)?, true)?;
            builder.copy(from, to, &square, Conversions::default());
        }
        // The library broadcasts A where it writes that to mOut.
        None if *of_matrix != *batch => {
            let message = "A has fewer matrices than the result and is broadcast only with mOut; repeat it, or pass mOut";
            return Err(no_kernel(message));
        }
        None => {}
    }
    let triangle =
        Triangle { n, is_upper: call.flag("upper")?, is_transposed: call.flag("transpose")?, has_ones };
    let inputs = vec![
        Seen::broadcast(&sides, dtype, &shape(&batch, &[n, columns]), n * columns)?,
        Seen::broadcast(&matrix, dtype, &square, n * n)?,
    ];
    let outputs = vec![Seen::whole(&out, dtype, dtype, n * columns)?];
    let compute = linalg::compute_type(dtype);
    let body = linalg::solve_triangle(compute.is_complex(), triangle, columns);
    planned(builder, inputs, outputs, (batch.iter().product(), compute), false, body)
}
