//! Gradients of a scaled loss: whether they are finite, and what they are without the scale.

use aclnn_numerics::DType::F32;
use cann_kernels::functions::arithmetic::Operation;
use cann_kernels::networks::foreach::NotFinite;
use cann_kernels::{Elementwise, Function, Source, size_of_dtype};

use super::each::{finish, repeated};
use super::lists::{Lists, numel, refuse};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::combination::no_kernel;
use crate::operators::conversions::through;
use crate::operators::plan_builder::PlanBuilder;
use crate::operators::signatures;
use crate::status::Result;

/// The longest list.
const MOST: usize = 256;

pub(super) fn foreach_unscale(call: &Call<'_>) -> Result<Plan> {
    let lists = Lists::of(call)?;
    let [found, inverse] = [call.tensor("foundInf")?, call.tensor("invScale")?];
    let Some(dtype) = lists.dtype(signatures::foreach_unscale.takes)? else { return Ok(Plan::empty()) };
    if lists.outputs.len() > MOST {
        return refuse(format!(
            "scaledGrads has {} tensors, but at most {MOST} are possible",
            lists.outputs.len()
        ));
    }
    for tensor in [&found, &inverse] {
        if tensor.known_dtype() != Some(F32) || numel(tensor.shape()?) != 1 {
            return refuse(format!("{} must be one element of f32", tensor.name));
        }
    }
    lists.same_shapes()?;
    let mut builder = PlanBuilder::new();
    let product = Operation::Mul.in_type(F32).map(Function::from).ok_or_else(|| no_kernel(F32))?;
    let gradients: Vec<&Operand> = lists
        .outputs
        .iter()
        .filter(|tensor| tensor.shape().is_ok_and(|shape| !shape.is_empty_tensor()))
        .collect();
    let mut places = Vec::new();
    for gradient in &gradients {
        places.push(builder.read(gradient, gradient.in_order(dtype)?, true));
    }
    if places.is_empty() {
        return Ok(Plan::empty());
    }
    let flag = builder.write(&found, F32, found.in_order(F32)?, true)?;
    builder.whole(&places, &[flag], NotFinite::new(dtype));
    for (gradient, place) in gradients.into_iter().zip(places) {
        let shape = gradient.shape()?;
        let factor = repeated(&mut builder, &inverse, F32, 0, shape)?;
        let body = Elementwise {
            sources: [(0, through(&[dtype, F32])?), (1, through(&[F32])?)]
                .into_iter()
                .map(|(input, conversions)| Source::Tensor { input, conversions })
                .collect(),
            scale: None,
            function: Some(product),
            fused: None,
            result: through(&[F32, dtype])?,
            compute_size: size_of_dtype(F32),
        };
        let written = builder.write(gradient, dtype, gradient.in_order(dtype)?, true)?;
        builder.elements(&[place, factor], written, shape, body);
    }
    finish(builder, &lists)
}
