//! Residual streams that are mixed and get the output of a layer, as manifold-constrained hyper-connections have them.

use aclnn_numerics::DType::F32;
use cann_kernels::networks::streams::{mix_streams, mix_streams_gradients};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape};
use crate::operators::lane_planner::Planner;
use crate::operators::signatures;
use crate::status::Result;

/// The numbers of tokens, of streams, and of elements of each, of operands that fit.
fn sizes(x: &Operand, [mix, layer, weights]: [&Operand; 3]) -> Result<[usize; 3]> {
    let shape = x.shape()?;
    let (before @ [_, ..], [streams, len]) = shape.split_at(shape.rank().saturating_sub(2)) else {
        return invalid(format_args!("x has shape {shape}, but must have tokens, streams and elements"));
    };
    check::rank(x)?;
    let with = |last: &[usize]| [before, last].concat();
    has_shape(mix, &with(&[*streams, *streams]))?;
    has_shape(layer, &with(&[*len]))?;
    has_shape(weights, &with(&[*streams]))?;
    let tokens = before.iter().fold(1, |all: usize, size| all.saturating_mul(*size));
    Ok([tokens, *streams, *len])
}

pub(super) fn mhc_post(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "hOut", "out"])?;
    let ([x, layer, out], [mix, weights]) = (&tensors, call.tensors_of(["hRes", "hPost"])?);
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::mhc_post.takes)?;
    check::all_exactly(&[&mix, &weights], F32)?;
    let [tokens, streams, len] = sizes(x, [&mix, layer, &weights])?;
    check::output_shape(out, x.shape()?)?;
    if out.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(x, streams * len)?,
        planner.rows(&mix, streams * streams)?,
        planner.rows(layer, len)?,
        planner.rows(&weights, streams)?,
    ];
    let out = planner.out(out, streams * len)?;
    planner.lanes(tokens, inputs, [out], "mix streams", move |[x, mix, layer, weights], [out]| {
        mix_streams(x, mix, layer, weights, out);
    })?;
    Ok(planner.plan())
}

pub(super) fn mhc_post_backward(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["gradOutput", "x", "hOut", "gradX", "gradHOut"])?;
    let [grad, x, layer, dx, d_layer] = &tensors;
    let [mix, weights, d_mix, d_weights] = &call.tensors_of(["hRes", "hPost", "gradHRes", "gradHPost"])?;
    let all: Vec<&Operand> = tensors.iter().collect();
    check::alike(&all, signatures::mhc_post_backward.takes)?;
    check::all_exactly(&[mix, weights, d_mix, d_weights], F32)?;
    let [tokens, streams, len] = sizes(x, [mix, layer, weights])?;
    has_shape(grad, x.shape()?)?;
    for (grad, own) in [(dx, x), (d_mix, mix), (d_layer, layer), (d_weights, weights)] {
        check::output_shape(grad, own.shape()?)?;
    }
    if x.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(grad, streams * len)?,
        planner.rows(x, streams * len)?,
        planner.rows(mix, streams * streams)?,
        planner.rows(layer, len)?,
        planner.rows(weights, streams)?,
    ];
    let outputs = [
        planner.out(dx, streams * len)?,
        planner.out(d_mix, streams * streams)?,
        planner.out(d_layer, len)?,
        planner.out(d_weights, streams)?,
    ];
    planner.lanes(tokens, inputs, outputs, "gradients of streams", mix_streams_gradients)?;
    Ok(planner.plan())
}
