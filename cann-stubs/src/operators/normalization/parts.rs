//! Channels of a batch that several devices share, each of which has a part of it. What these operators compute is not
//! published; they do what PyTorch's functions of these names do.

use aclnn_numerics::DType;
use aclnn_numerics::types_by_product::Types;
use cann_kernels::axis::normalization::{
    Spread, channel_gradients, first, store, sum_of, sum_of_gradients_by_normalised, sum_of_parts,
    sum_of_products,
};

use super::batch::{Channels, is_like};
use super::checks::{are_channels, are_listed, has_shape};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::status::Result;

pub(super) fn batch_norm_gather_stats(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm_gather_stats;
    let (input, means, spreads) = (call.tensor("input")?, call.tensor("mean")?, call.tensor("invstd")?);
    let counts = call.tensor("counts")?;
    let (running_mean, running_variance) =
        (call.optional_tensor("runningMean")?, call.optional_tensor("runningVar")?);
    let (mean, spread) = (call.tensor("meanAll")?, call.tensor("invstdAll")?);
    let running = [running_mean.as_ref(), running_variance.as_ref()];
    are_listed(
        &[Some(&input), Some(&means), Some(&spreads), Some(&counts), running[0], running[1]],
        signature.takes,
    )?;
    for output in [&mean, &spread] {
        output_of(signature.output, DType::F32, DType::F32, output)?;
    }
    let &[parts, channels] = &means.shape()?[..] else {
        return invalid(format_args!("mean has {} axes, but must have two", means.rank()));
    };
    has_shape(&spreads, means.shape()?)?;
    has_shape(&counts, &[parts])?;
    are_channels(&[Some(&mean), Some(&spread), running[0], running[1]], channels)?;
    if means.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (eps, momentum) = (call.float("eps")?, call.float("momentum")?);
    let mut planner = Planner::new();
    let transposed = |operand: &Operand, dtype: DType| operand.lanes(dtype, &[0]);
    let inputs = [
        planner.read(&means, parts, &transposed)?,
        planner.read(&spreads, parts, &transposed)?,
        planner.read(&counts, parts, &|operand, dtype| operand.repeated(dtype, channels))?,
        planner.read_if(running[0], 1, &Operand::in_order)?,
        planner.read_if(running[1], 1, &Operand::in_order)?,
    ];
    let outputs = [
        planner.write(&mean, 1, &Operand::in_order)?,
        planner.write(&spread, 1, &Operand::in_order)?,
        planner.write_if(running[0], 1, &Operand::in_order)?,
        planner.write_if(running[1], 1, &Operand::in_order)?,
    ];
    planner.lanes(
        channels,
        inputs,
        outputs,
        "join the moments of parts",
        move |[means, spreads, counts, old_mean, old_variance], [mean, spread, new_mean, new_variance]| {
            let count = sum_of(counts);
            let average = sum_of_products(means, counts) / count;
            let squares = sum_of_parts(means, spreads, counts, average, eps);
            store(mean, average);
            store(spread, 1.0 / (squares / count + eps).sqrt());
            let (old_mean, old_variance) = (first(old_mean, 0.0), first(old_variance, 1.0));
            store(new_mean, (1.0 - momentum) * old_mean + momentum * average);
            store(new_variance, (1.0 - momentum) * old_variance + momentum * squares / (count - 1.0));
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn batch_norm_reduce_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm_reduce_backward;
    let (gradients, input) = (call.tensor("gradOut")?, call.tensor("input")?);
    let (mean, spread, weight) =
        (call.tensor("mean")?, call.tensor("invstd")?, call.optional_tensor("weight")?);
    let (of_input, of_weight, of_bias) = (call.flag("inputG")?, call.flag("weightG")?, call.flag("biasG")?);
    let wanted = |is_wanted: bool, name: &str| match is_wanted {
        true => call.tensor(name).map(Some),
        false => Ok(None),
    };
    let outputs = [
        wanted(of_input, "sumDy")?,
        wanted(of_input, "sumDyXmu")?,
        wanted(of_weight, "gradWeight")?,
        wanted(of_bias, "gradBias")?,
    ];
    let [total, products, of_weight, of_bias] = &outputs;
    let (total, products) = (total.as_ref(), products.as_ref());
    let (of_weight, of_bias) = (of_weight.as_ref(), of_bias.as_ref());
    let from = check::dtype(&gradients, signature.takes)?;
    check::exactly(&input, from)?;
    are_listed(&[Some(&mean), Some(&spread), weight.as_ref()], signature.takes)?;
    let outputs = [total, products, of_weight, of_bias];
    for output in outputs.into_iter().flatten() {
        output_of(signature.output, from, from, output)?;
    }
    let channels = Channels::of(&input)?;
    is_like(&gradients, &input)?;
    are_channels(&[Some(&mean), Some(&spread), weight.as_ref()], channels.count)?;
    are_channels(&outputs, channels.count)?;
    if outputs.iter().all(Option::is_none) || channels.count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let view = |operand: &Operand, dtype: DType| channels.view(operand, dtype);
    let inputs = [
        planner.read(&gradients, channels.len, &view)?,
        planner.read(&input, channels.len, &view)?,
        planner.read(&mean, 1, &Operand::in_order)?,
        planner.read(&spread, 1, &Operand::in_order)?,
    ];
    let outputs = [
        planner.write_if(total, 1, &Operand::in_order)?,
        planner.write_if(products, 1, &Operand::in_order)?,
        planner.write_if(of_weight, 1, &Operand::in_order)?,
        planner.write_if(of_bias, 1, &Operand::in_order)?,
    ];
    planner.lanes(
        channels.count,
        inputs,
        outputs,
        "sum gradients of channels",
        |[g, x, mean, spread], [total, products, of_weight, of_bias]| {
            let (mean, spread) = (first(mean, 0.0), first(spread, 1.0));
            let plain = sum_of(g);
            let product = sum_of_gradients_by_normalised(g, x, mean, 1.0);
            store(total, plain);
            store(products, product);
            store(of_weight, product * spread);
            store(of_bias, plain);
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn batch_norm_elemt_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm_elemt_backward;
    let (gradients, input) = (call.tensor("gradOut")?, call.tensor("input")?);
    let (mean, spread, weight) =
        (call.tensor("mean")?, call.tensor("invstd")?, call.optional_tensor("weight")?);
    let (total, products) = (call.tensor("sumDy")?, call.tensor("sumDyXmu")?);
    let (counts, out) = (call.tensor("counter")?, call.tensor("gradInput")?);
    let from = check::dtype(&gradients, signature.takes)?;
    check::exactly(&input, from)?;
    let of_channels = [Some(&mean), Some(&spread), weight.as_ref(), Some(&total), Some(&products)];
    are_listed(&of_channels, signature.takes)?;
    check::dtype(&counts, Types::of("f32 i32"))?;
    output_of(signature.output, from, from, &out)?;
    let channels = Channels::of(&input)?;
    is_like(&gradients, &input)?;
    is_like(&out, &input)?;
    are_channels(&of_channels, channels.count)?;
    check::rank(&counts)?;
    let parts = counts.shape()?.numel().unwrap_or(0);
    if parts == 0 {
        return invalid("counter has no elements");
    }
    if input.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let view = |operand: &Operand, dtype: DType| channels.view(operand, dtype);
    let inputs = [
        planner.read(&gradients, channels.len, &view)?,
        planner.read(&input, channels.len, &view)?,
        planner.read(&mean, 1, &Operand::in_order)?,
        planner.read(&spread, 1, &Operand::in_order)?,
        planner.read_if(weight.as_ref(), 1, &Operand::in_order)?,
        planner.read(&total, 1, &Operand::in_order)?,
        planner.read(&products, 1, &Operand::in_order)?,
        planner.read(&counts, parts, &|operand, dtype| operand.repeated(dtype, channels.count))?,
    ];
    let out = planner.write(&out, channels.len, &view)?;
    planner.lanes(
        channels.count,
        inputs,
        [out],
        "gradients of channels",
        |[g, x, mean, spread, weight, total, products, counts], [out]| {
            let (mean, spread) = (first(mean, 0.0), first(spread, 1.0));
            let count = sum_of(counts);
            let of_gradients = first(total, 0.0) / count;
            let of_products = first(products, 0.0) / count * spread * spread;
            let means = [of_gradients, of_products];
            channel_gradients([g, x], (mean, spread), means, Spread::new(weight, 1.0), out);
        },
    )?;
    Ok(planner.plan())
}
