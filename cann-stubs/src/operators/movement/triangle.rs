//! Tril and Triu: one side of the diagonal of each matrix.

use aclnn_numerics::signature::Movement;
use cann_kernels::indexing::movement::Triangle;
use cann_kernels::size_of_dtype;

use super::lanes::{Lanes, plan};
use super::rules::{dtype, refuse};
use crate::operators::call::{Call, Plan};
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn tril(call: &Call<'_>) -> Result<Plan> {
    triangle(call, &signatures::tril, true)
}

pub(super) fn triu(call: &Call<'_>) -> Result<Plan> {
    triangle(call, &signatures::triu, false)
}

fn triangle(call: &Call<'_>, signature: &Movement, is_lower: bool) -> Result<Plan> {
    let (own, output) = (call.tensor("self")?, call.output()?);
    let diagonal = call.int("diagonal")?;
    let dtype = dtype(&own, &output, signature)?;
    let shape = own.shape()?;
    // Triu looks at the number of axes only where there are elements.
    if shape.rank() < 2 && (is_lower || !shape.is_empty_tensor()) {
        return refuse(format_args!("self has {} axes, but a matrix has 2", shape.rank()));
    }
    check::output_shape(&output, shape)?;
    check::rank(&own)?;
    if own.format() != output.format() {
        return refuse("self and out have different formats");
    }
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (rows, columns) = (shape[shape.rank() - 2], shape[shape.rank() - 1]);
    let body = Triangle { rows, size: size_of_dtype(dtype), diagonal, is_lower };
    plan(
        vec![Lanes::rows(&own, columns, dtype)?],
        Lanes::rows(&output, columns, dtype)?,
        shape.numel().unwrap_or(0) / columns,
        body,
    )
}
