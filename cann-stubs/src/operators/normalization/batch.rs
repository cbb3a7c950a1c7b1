//! Channels normalised by the mean and the variance of a batch, or by running ones.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_sys::{
    ACL_FORMAT_NCDHW, ACL_FORMAT_NCHW, ACL_FORMAT_NDHWC, ACL_FORMAT_NHWC, ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
};
use cann_kernels::View;
use cann_kernels::axis::normalization::{
    Spread, first, gradient, moments, normalise, scale_gradients, store, sum_of,
    sum_of_gradients_by_normalised, sum_of_squares,
};
use smallvec::SmallVec;

use super::checks::{are_channels, are_listed, constants, has_shape, masked_or_null};
use crate::mapped::mapped;
use crate::operators::axes::{invalid, output_of, written_as};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::images::{PUBLIC, has_format};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// The channels of a tensor: an axis, and the other ones, whose elements belong together.
pub(super) struct Channels {
    pub(super) count: usize,
    /// Elements of a channel.
    pub(super) len: usize,
    others: SmallVec<[usize; 8]>,
}

impl Channels {
    fn along(operand: &Operand, axis: usize) -> Result<Self> {
        check::rank(operand)?;
        let shape = operand.shape()?;
        let Some(count) = shape.get(axis).copied().filter(|_| operand.rank() > 1) else {
            return invalid(format_args!(
                "{} has {} axes, but needs at least 2",
                operand.name,
                operand.rank()
            ));
        };
        let others: SmallVec<[usize; 8]> = (0..operand.rank()).filter(|other| *other != axis).collect();
        Ok(Self { count, len: others.iter().map(|axis| shape[*axis]).product(), others })
    }

    /// The channels are on axis 1, or by the storage format on the last one, where the product has such formats.
    pub(super) fn of(operand: &Operand) -> Result<Self> {
        let format = operand.format();
        let is_950 = settings::get().product == Ascend950;
        let is_last = match operand.rank() {
            5 => format == ACL_FORMAT_NDHWC,
            _ => matches!(format, ACL_FORMAT_NHWC | ACL_FORMAT_NDHWC),
        };
        if is_950 && is_last {
            return Self::along(operand, operand.rank().saturating_sub(1));
        }
        if operand.rank() == 5 && format != ACL_FORMAT_NCDHW {
            return invalid(format_args!(
                "{} has 5 axes and storage format {}, but must have NCDHW",
                operand.name, format.0
            ));
        }
        has_format(operand, PUBLIC)?;
        Self::along(operand, 1)
    }

    /// Rows of neighbours of one channel, and the elements of a row: for operators that sum nothing up.
    fn rows(&self, operand: &Operand) -> Result<(usize, usize)> {
        let is_second = self.others.first() == Some(&0) && self.others.get(1) != Some(&1);
        let run = operand.shape()?.iter().skip(2).product::<usize>().max(1);
        Ok(if is_second { (self.count * self.len / run, run) } else { (self.count, self.len) })
    }

    /// The elements of so many rows.
    fn in_rows(&self, operand: &Operand, dtype: DType, rows: usize) -> Result<View> {
        if rows == self.count { self.view(operand, dtype) } else { operand.in_order(dtype) }
    }

    /// The number of the channel of each row.
    fn of_rows(&self, operand: &Operand, dtype: DType, rows: usize) -> Result<View> {
        let stride = operand.strides().last().copied().unwrap_or(1);
        operand.view_of(dtype, &[rows / self.count, self.count], &[0, stride], operand.offset())
    }

    /// The elements of one channel after the other.
    pub(super) fn view(&self, operand: &Operand, dtype: DType) -> Result<View> {
        operand.lanes(dtype, &self.others)
    }
}

/// An output has the shape, the storage format and the layout of the operand.
pub(super) fn is_like(output: &Operand, operand: &Operand) -> Result {
    check::output_shape(output, operand.shape()?)?;
    match output.format() == operand.format() {
        true => Ok(()),
        false => invalid(format_args!("{} has another storage format than {}", output.name, operand.name)),
    }
}

pub(super) fn batch_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm;
    let (input, out, training) = (call.tensor("input")?, call.tensor("output")?, call.flag("training")?);
    let names = ["weight", "bias", "runningMean", "runningVar"];
    let [weight, bias, mean, variance] = call.optional_tensors_of(names)?;
    let saved = |name| if training { call.tensor(name).map(Some) } else { call.optional_tensor(name) };
    let saved = [saved("saveMean")?, saved("saveInvstd")?];
    let saved = [saved[0].as_ref(), saved[1].as_ref()];
    if input.shape()?.is_empty_tensor() {
        return constants(&[(saved[0], 0.0), (saved[1], f64::NAN)]);
    }
    let (weight, bias) = (weight.as_ref(), bias.as_ref());
    let (mean, variance) = (mean.as_ref(), variance.as_ref());
    let from = check::dtype(&input, signature.takes)?;
    are_listed(&[weight, bias, mean, variance], signature.takes)?;
    output_of(signature.output, from, from, &out)?;
    let saved = if training { saved } else { [None; 2] };
    are_listed(&saved, signature.takes)?;
    let channels = Channels::of(&input)?;
    is_like(&out, &input)?;
    are_channels(&[weight, bias, mean, variance], channels.count)?;
    are_channels(&saved, channels.count)?;
    written_as(signature.output, from, &out)?;
    let (eps, momentum) = (call.float("eps")?, call.float("momentum")?);
    let is_950 = settings::get().product == Ascend950;
    let mut planner = Planner::new();
    let (rows, len) = if training { (channels.count, channels.len) } else { channels.rows(&input)? };
    let view = |operand: &Operand, dtype: DType| channels.in_rows(operand, dtype, rows);
    let number = |operand: &Operand, dtype: DType| channels.of_rows(operand, dtype, rows);
    let inputs = [
        planner.read(&input, len, &view)?,
        planner.read_if(weight, 1, &number)?,
        planner.read_if(bias, 1, &number)?,
        planner.read_if(mean, 1, &number)?,
        planner.read_if(variance, 1, &number)?,
    ];
    let out = planner.write(&out, len, &view)?;
    let is_short = out.is_some_and(|out| out.is_short());
    let saved = [
        planner.write_if(saved[0], 1, &Operand::in_order)?,
        planner.write_if(saved[1], 1, &Operand::in_order)?,
    ];
    let running = [
        planner.write_if(mean.filter(|_| training), 1, &Operand::in_order)?,
        planner.write_if(variance.filter(|_| training), 1, &Operand::in_order)?,
    ];
    planner.lanes(
        rows,
        inputs,
        [out, saved[0], saved[1], running[0], running[1]],
        "normalise channels",
        move |[x, weight, bias, mean, variance], [out, save_mean, save_inverse, new_mean, new_variance]| {
            let (old_mean, old_variance) = (first(mean, 0.0), first(variance, 1.0));
            let (mean, variance) = if training { moments(x) } else { (old_mean, old_variance) };
            let inverse = 1.0 / (variance + eps).sqrt();
            let spreads = [Spread::new(weight, 1.0), Spread::new(bias, 0.0)];
            normalise(x, (mean, inverse), spreads, out, is_short);
            let count = x.len() as f64;
            // A single element has no unbiased variance: older products keep the biased one.
            let unbiased = if count == 1.0 && !is_950 { 1.0 } else { count / (count - 1.0) };
            store(save_mean, mean);
            store(save_inverse, if is_950 { inverse } else { variance });
            store(new_mean, (1.0 - momentum) * old_mean + momentum * mean);
            store(new_variance, (1.0 - momentum) * old_variance + momentum * variance * unbiased);
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn batch_norm_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm_backward;
    let (gradients, input) = (call.tensor("gradOut")?, call.tensor("input")?);
    if gradients.shape()?.is_empty_tensor() || input.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let (mask, is_950) = (call.bools("outputMask")?, settings::get().product == Ascend950);
    if is_950 && mask.len() != 3 {
        let length = mask.len();
        let message = format_args!("outputMask has {length} elements, but there are 3 outputs");
        return Err(Status::new(ACLNN_ERR_PARAM_NULLPTR, message));
    }
    let weight = call.optional_tensor("weight")?;
    let training = call.flag("training")?;
    let statistics = ["runningMean", "runningVar", "saveMean", "saveInvstd"];
    let statistics = call.optional_tensors_of(statistics)?;
    let (running, saved) = statistics.split_at(2);
    let outputs = masked_or_null(call, &mask, ["gradInput", "gradWeight", "gradBias"])?;
    let [of_input, of_weight, of_bias] = &outputs;
    let (of_input, of_weight, of_bias) = (of_input.as_ref(), of_weight.as_ref(), of_bias.as_ref());
    let weight = weight.as_ref();
    let from = check::dtype(&gradients, signature.takes)?;
    check::exactly(&input, from)?;
    let mut of_channels: Vec<Option<&Operand>> = mapped(running, Option::as_ref);
    of_channels.push(weight);
    // What training saved may have any shape where it is not used.
    let saved: Vec<Option<&Operand>> = mapped(saved, |saved| saved.as_ref().filter(|_| training));
    of_channels.extend_from_slice(&saved);
    for output in [of_input, of_weight, of_bias].into_iter().flatten() {
        output_of(signature.output, from, from, output)?;
    }
    are_listed(&of_channels, signature.takes)?;
    of_channels.extend([of_weight, of_bias]);
    if is_950 {
        check::all_exactly(of_input.as_slice(), from)?;
        let pairs = [(running[0].as_ref(), running[1].as_ref()), (saved[0], saved[1]), (of_weight, of_bias)];
        for (one, other) in pairs {
            if let (Some(one), Some(other)) = (one, other)
                && one.known_dtype() != other.known_dtype()
            {
                return invalid(format_args!("{} and {} must be of one type", one.name, other.name));
            }
        }
        let fits = |operand: &&&Operand| !matches!(operand.known_dtype(), Some(dtype) if dtype == from || dtype == F32);
        if let Some(operand) = of_channels.iter().flatten().find(fits) {
            return invalid(format_args!("{} must be {from} or f32", operand.name));
        }
    }
    let [mean, spread] = match training {
        true => [saved[0], saved[1]],
        false => [running[0].as_ref(), running[1].as_ref()],
    };
    let channels = Channels::of(&input)?;
    is_like(&gradients, &input)?;
    are_channels(&of_channels, channels.count)?;
    check::each(of_input.as_slice(), |output| check::output_shape(output, input.shape()?))?;
    if of_input.or(of_weight).or(of_bias).is_none() {
        return Ok(Plan::empty());
    }
    let eps = call.float("eps")?;
    let mut planner = Planner::new();
    let view = |operand: &Operand, dtype: DType| channels.view(operand, dtype);
    let inputs = [
        planner.read(&gradients, channels.len, &view)?,
        planner.read(&input, channels.len, &view)?,
        planner.read_if(weight, 1, &Operand::in_order)?,
        planner.read_if(mean, 1, &Operand::in_order)?,
        planner.read_if(spread, 1, &Operand::in_order)?,
    ];
    let outputs = [
        planner.write_if(of_input, channels.len, &view)?,
        planner.write_if(of_weight, 1, &Operand::in_order)?,
        planner.write_if(of_bias, 1, &Operand::in_order)?,
    ];
    // What training saves is a variance on older products, and the inverse of a standard deviation on the 950.
    let is_variance = !training || !is_950;
    planner.lanes(
        channels.count,
        inputs,
        outputs,
        "gradients of channels",
        move |[g, x, weight, mean, spread], [out, of_weight, of_bias]| {
            let (mean, spread) = (first(mean, 0.0), first(spread, 1.0));
            let inverse = if is_variance { 1.0 / (spread + eps).sqrt() } else { spread };
            if !of_weight.is_empty() {
                store(of_weight, sum_of_gradients_by_normalised(g, x, mean, inverse));
            }
            store(of_bias, sum_of(g));
            let weight = Spread::new(weight, 1.0);
            match training {
                _ if out.is_empty() => {}
                true => gradient([g, x], (mean, inverse), weight, true, out),
                false => scale_gradients(g, weight, inverse, out),
            }
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn batch_norm_stats(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm_stats;
    let (input, mean, inverse) = (call.tensor("input")?, call.tensor("mean")?, call.tensor("invstd")?);
    let from = check::dtype(&input, signature.takes)?;
    for output in [&mean, &inverse] {
        output_of(signature.output, from, from, output)?;
    }
    let channels = Channels::along(&input, 1)?;
    if channels.count == 0 {
        return invalid("input has no channels");
    }
    are_channels(&[Some(&mean), Some(&inverse)], channels.count)?;
    if channels.len == 0 {
        return constants(&[(Some(&mean), 0.0), (Some(&inverse), f64::NAN)]);
    }
    let eps = call.float("eps")?;
    let mut planner = Planner::new();
    let x = planner.read(&input, channels.len, &|operand, dtype| channels.view(operand, dtype))?;
    let outputs =
        [planner.write(&mean, 1, &Operand::in_order)?, planner.write(&inverse, 1, &Operand::in_order)?];
    planner.lanes(channels.count, [x], outputs, "moments of channels", move |[x], [mean, inverse]| {
        let (average, variance) = moments(x);
        store(mean, average);
        store(inverse, 1.0 / (variance + eps).sqrt());
    })?;
    Ok(planner.plan())
}

pub(super) fn batch_norm_elemt(call: &Call<'_>) -> Result<Plan> {
    // A null tensor is an invalid argument here.
    let tensor = |name| {
        call.tensor(name).map_err(|status: Status| match status.code {
            ACLNN_ERR_PARAM_NULLPTR => status.with_code(ACLNN_ERR_PARAM_INVALID),
            _ => status,
        })
    };
    let signature = &signatures::batch_norm_elemt;
    let (input, mean, inverse, out) =
        (tensor("input")?, tensor("mean")?, tensor("invstd")?, tensor("output")?);
    let (weight, bias) = (call.optional_tensor("weight")?, call.optional_tensor("bias")?);
    let (weight, bias) = (weight.as_ref(), bias.as_ref());
    let from = check::dtype(&input, signature.takes)?;
    are_listed(&[weight, bias, Some(&mean), Some(&inverse)], signature.takes)?;
    output_of(signature.output, from, from, &out)?;
    let channels = Channels::of(&input)?;
    is_like(&out, &input)?;
    are_channels(&[weight, bias, Some(&mean), Some(&inverse)], channels.count)?;
    if input.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let (rows, len) = channels.rows(&input)?;
    let view = |operand: &Operand, dtype: DType| channels.in_rows(operand, dtype, rows);
    let number = |operand: &Operand, dtype: DType| channels.of_rows(operand, dtype, rows);
    let inputs = [
        planner.read(&input, len, &view)?,
        planner.read_if(weight, 1, &number)?,
        planner.read_if(bias, 1, &number)?,
        planner.read(&mean, 1, &number)?,
        planner.read(&inverse, 1, &number)?,
    ];
    let out = planner.write(&out, len, &view)?;
    let is_short = out.is_some_and(|out| out.is_short());
    planner.lanes(
        rows,
        inputs,
        [out],
        "normalise channels",
        move |[x, weight, bias, mean, inverse], [out]| {
            let (mean, inverse) = (first(mean, 0.0), first(inverse, 1.0));
            let spreads = [Spread::new(weight, 1.0), Spread::new(bias, 0.0)];
            normalise(x, (mean, inverse), spreads, out, is_short);
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn batch_norm_reduce(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::batch_norm_reduce;
    let (x, total, squares) = (call.tensor("x")?, call.tensor("sum")?, call.tensor("squareSum")?);
    let from = check::dtype(&x, signature.takes)?;
    for output in [&total, &squares] {
        output_of(signature.output, from, from, output)?;
    }
    let axis = match x.format() {
        _ if x.rank() != 4 => return invalid(format_args!("x has {} axes, but must have 4", x.rank())),
        ACL_FORMAT_NCHW => 1,
        ACL_FORMAT_NHWC => 3,
        other => {
            return invalid(format_args!("x has storage format {}, but must have NCHW or NHWC", other.0));
        }
    };
    let channels = Channels::along(&x, axis)?;
    are_channels(&[Some(&total), Some(&squares)], channels.count)?;
    if x.shape()?.is_empty_tensor() {
        return constants(&[(Some(&total), 0.0), (Some(&squares), 0.0)]);
    }
    has_shape(&squares, total.shape()?)?;
    let mut planner = Planner::new();
    let x = planner.read(&x, channels.len, &|operand, dtype| channels.view(operand, dtype))?;
    let outputs =
        [planner.write(&total, 1, &Operand::in_order)?, planner.write(&squares, 1, &Operand::in_order)?];
    planner.lanes(channels.count, [x], outputs, "sums of channels", |[x], [total, squares]| {
        store(total, sum_of(x));
        store(squares, sum_of_squares(x));
    })?;
    Ok(planner.plan())
}
