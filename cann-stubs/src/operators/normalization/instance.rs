//! Channels of single images normalised by their mean and variance.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::axis::normalization::{Spread, moments, normalise, store};
use smallvec::SmallVec;

use super::checks::are_channels;
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn instance_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::instance_norm;
    let [x, gamma, beta] = call.tensors_of(["x", "gamma", "beta"])?;
    let [out, mean, variance] = call.tensors_of(["y", "mean", "variance"])?;
    let axis = match call.text("dataFormat")?.as_str() {
        "NCHW" => 1,
        "NHWC" => 3,
        other => {
            return invalid(format_args!("dataFormat is \"{other}\", but must be \"NCHW\" or \"NHWC\""));
        }
    };
    let from = check::dtype(&x, Types::of("f32 f16"))?;
    check::all_exactly(&[&gamma, &beta, &out, &mean, &variance], from)?;
    if check::types(signature.takes).is_empty() {
        return invalid(
            "only the 310P has this operator; elsewhere GroupNorm of as many groups as channels does it",
        );
    }
    output_of(signature.output, from, from, &out)?;
    if x.rank() != 4 {
        return invalid(format_args!("x has {} axes, but must have 4", x.rank()));
    }
    let shape = x.shape()?;
    let (images, channels) = (shape[0], shape[axis]);
    are_channels(&[Some(&gamma), Some(&beta)], channels)?;
    check::output_shape(&out, shape)?;
    let mut kept = [images, 1, 1, 1];
    kept[axis] = channels;
    check::have_shape(&[&mean, &variance], &kept)?;
    if shape.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let area: SmallVec<[usize; 8]> = (1..4).filter(|other| *other != axis).collect();
    let len = area.iter().map(|axis| shape[*axis]).product();
    let eps = call.float("eps")?;
    let mut planner = Planner::new();
    let view = |operand: &Operand, dtype: DType| operand.lanes(dtype, &area);
    let repeated = |operand: &Operand, dtype: DType| operand.repeated(dtype, images);
    let inputs = [
        planner.read(&x, len, &view)?,
        planner.read(&gamma, 1, &repeated)?,
        planner.read(&beta, 1, &repeated)?,
    ];
    let outputs = [
        planner.write(&out, len, &view)?,
        planner.write(&mean, 1, &Operand::in_order)?,
        planner.write(&variance, 1, &Operand::in_order)?,
    ];
    planner.lanes(
        images * channels,
        inputs,
        outputs,
        "normalise channels",
        move |[x, gamma, beta], [out, mean, variance]| {
            let (average, spread) = moments(x);
            let inverse = 1.0 / (spread + eps).sqrt();
            let spreads = [Spread::new(gamma, 1.0), Spread::new(beta, 0.0)];
            normalise(x, (average, inverse), spreads, out, false);
            store(mean, average);
            store(variance, spread);
        },
    )?;
    Ok(planner.plan())
}
