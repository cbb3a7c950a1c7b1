//! Trailing axes normalised by their mean and variance.

use aclnn_numerics::DType::{self, F16, F32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::signature::Wide;
use aclnn_sys::ACLNN_ERR_INNER_NULLPTR;
use cann_kernels::allocation;
use cann_kernels::axis::columns::ColumnGradients;
use cann_kernels::axis::normalization::{Spread, add_scaled, first, gradient, moments, normalise, store};
use smallvec::SmallVec;

use super::checks::{
    are_listed, are_own_or_single, constants, has_shape, have_elements, masked_or_null, trailing,
};
use crate::mapped::mapped;
use crate::operators::axes::{invalid, output_of, written_as};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::Planner;
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn layer_norm(call: &Call<'_>) -> Result<Plan> {
    normalized(call, &signatures::layer_norm)
}

pub(super) fn fast_layer_norm(call: &Call<'_>) -> Result<Plan> {
    normalized(call, &signatures::fast_layer_norm)
}

/// The operand as rows of elements that are normalised together.
struct Rows {
    /// The axes that number the rows.
    outer: usize,
    count: usize,
    len: usize,
}

impl Rows {
    /// The last `inner` axes are normalised.
    fn of(operand: &Operand, inner: usize) -> Result<Self> {
        let (shape, outer) = (operand.shape()?, operand.rank().saturating_sub(inner));
        Ok(Self { outer, count: shape[..outer].iter().product(), len: shape[outer..].iter().product() })
    }

    /// The shape of what there is one of for each row.
    fn kept(&self, operand: &Operand) -> Result<Shape> {
        let sizes = operand.shape()?.iter().enumerate();
        Ok(sizes.map(|(axis, size)| if axis < self.outer { *size } else { 1 }).collect())
    }
}

/// The sizes of an array of integers.
fn sizes(dims: &[i64]) -> SmallVec<[usize; 8]> {
    mapped(dims, |size| usize::try_from(*size).unwrap_or(usize::MAX))
}

fn normalized(call: &Call<'_>, signature: &Wide) -> Result<Plan> {
    let (input, dims, out) = (call.tensor("input")?, call.ints("normalizedShape")?, call.tensor("out")?);
    let (weight, bias) = (call.optional_tensor("weightOptional")?, call.optional_tensor("biasOptional")?);
    let (mean, rstd) = (call.optional_tensor("meanOutOptional")?, call.optional_tensor("rstdOutOptional")?);
    let eps = call.float("eps")?;
    let (weight, bias) = (weight.as_ref(), bias.as_ref());
    let saved = [mean.as_ref(), rstd.as_ref()];
    let from = check::dtype(&input, signature.takes)?;
    are_listed(&[weight, bias], signature.takes)?;
    are_own_or_single(&[weight, bias], from)?;
    output_of(signature.output, from, from, &out)?;
    are_listed(&saved, signature.takes)?;
    if call.has("implMode") {
        let mode = call.int("implMode")?;
        if !(0..=2).contains(&mode) {
            return invalid(format_args!("implMode is {mode}, but must be from 0 to 2"));
        }
        if mode == 2 {
            check::all_exactly(&[Some(&input), weight, bias], F16)?;
        }
    }
    check::rank(&input)?;
    if !(1..=8).contains(&dims.len()) {
        return invalid(format_args!("normalizedShape has {} entries, but must have 1 to 8", dims.len()));
    }
    let dims = sizes(dims);
    let rows = Rows::of(&input, trailing(&input, &dims)?)?;
    let shape = Shape::from(&dims[..]);
    check::have_shape(&[weight, bias], &shape)?;
    check::output_shape(&out, input.shape()?)?;
    let kept = rows.kept(&input)?;
    // On the 950 an empty one has any shape, and is not written.
    let is_950 = settings::get().product == Ascend950;
    let is_empty = |output: &Operand| output.shape().is_ok_and(|shape| shape.is_empty_tensor());
    let kept_if = |output: &&Operand| !is_950 || !is_empty(output);
    let saved = [saved[0].filter(kept_if), saved[1].filter(kept_if)];
    if is_950 {
        check::each(&saved, |output| check::output_shape(output, &kept))?;
    }
    if rows.count == 0 {
        return Ok(Plan::empty());
    }
    // The library does not compare these shapes elsewhere: another one ends where the result is written.
    have_elements(&saved, rows.count).map_err(|status| status.with_code(ACLNN_ERR_INNER_NULLPTR))?;
    if rows.len == 0 {
        return constants(&[(saved[0], 0.0), (saved[1], f64::NAN)]);
    }
    written_as(signature.output, from, &out)?;
    planned(
        &rows,
        &Sum { terms: [Some(&input), None, None], factor: 1.0 },
        [weight, bias],
        eps,
        [Some(&out), saved[0], saved[1], None],
    )
}

/// A sum of tensors that is normalised, the first of which is multiplied by a factor.
struct Sum<'a> {
    terms: [Option<&'a Operand<'a>>; 3],
    factor: f64,
}

/// Rows of a sum, normalised. The outputs are the result, the mean, the inverse of the standard deviation, and the sum.
fn planned(
    rows: &Rows,
    of: &Sum<'_>,
    [weight, bias]: [Option<&Operand>; 2],
    eps: f64,
    [out, mean, rstd, total]: [Option<&Operand>; 4],
) -> Result<Plan> {
    let (count, len) = (rows.count, rows.len);
    let mut planner = Planner::new();
    let [x, y, z] = of.terms;
    let x = planner.read_if(x, len, &Operand::in_order)?;
    let y = planner.read_if(y, len, &Operand::in_order)?;
    // A bias of the sum is like a row, or like all of them.
    let repeats = |operand: &Operand, dtype: DType| match operand.shape()?.numel() == Some(len) {
        true => operand.repeated(dtype, count),
        false => operand.in_order(dtype),
    };
    let z = planner.read_if(z, len, &repeats)?;
    let repeated = |operand: &Operand, dtype: DType| operand.repeated(dtype, count);
    let weight = planner.read_if(weight, len, &repeated)?;
    let bias = planner.read_if(bias, len, &repeated)?;
    let out = planner.write_if(out, len, &Operand::in_order)?;
    let is_short = out.is_some_and(|out| out.is_short());
    let mean = planner.write_if(mean, 1, &Operand::in_order)?;
    let rstd = planner.write_if(rstd, 1, &Operand::in_order)?;
    let total = planner.write_if(total, len, &Operand::in_order)?;
    let factor = of.factor;
    let is_sum = y.is_some();
    planner.try_lanes(
        count,
        [x, y, z, weight, bias],
        [out, mean, rstd, total],
        "normalise rows",
        move |[x, y, z, weight, bias], [out, mean, rstd, total]| {
            if !is_sum {
                row(x, [weight, bias], (eps, is_short), [out, mean, rstd]);
                return Ok(());
            }
            let mut sum = allocation::zeros(out.len())?;
            add_scaled(factor, x, y, z, &mut sum);
            if !total.is_empty() {
                total.copy_from_slice(&sum);
            }
            row(&sum, [weight, bias], (eps, is_short), [out, mean, rstd]);
            Ok(())
        },
    )?;
    Ok(planner.plan())
}

/// Normalises a row.
fn row(
    x: &[f32],
    [weight, bias]: [&[f32]; 2],
    (eps, is_short): (f64, bool),
    [out, mean, rstd]: [&mut [f32]; 3],
) {
    let (average, variance) = moments(x);
    let inverse = 1.0 / (variance + eps).sqrt();
    let spreads = [Spread::new(weight, 1.0), Spread::new(bias, 0.0)];
    normalise(x, (average, inverse), spreads, out, is_short);
    store(mean, average);
    store(rstd, inverse);
}

pub(super) fn add_layer_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::add_layer_norm;
    let [x1, x2, gamma, beta] = call.tensors_of(["x1", "x2", "gamma", "beta"])?;
    let bias = call.optional_tensor("biasOptional")?;
    let [out, mean, rstd] = call.tensors_of(["yOut", "meanOut", "rstdOut"])?;
    let total = if call.flag("additionalOutput")? { Some(call.tensor("xOut")?) } else { None };
    let (bias, total) = (bias.as_ref(), total.as_ref());
    are_listed(&[Some(&x1), Some(&x2), Some(&gamma), Some(&beta), bias], signature.takes)?;
    for output in [Some(&out), total].into_iter().flatten() {
        output_of(signature.output, F32, F32, output)?;
    }
    check::all_exactly(&[&mean, &rstd], F32)?;
    let checked = || -> Result<Rows> {
        check::rank(&x1)?;
        has_shape(&x2, x1.shape()?)?;
        let rows = Rows::of(&x1, trailing(&x1, gamma.shape()?)?)?;
        has_shape(&beta, gamma.shape()?)?;
        for bias in bias.iter().filter(|bias| bias.shape().is_ok_and(|own| Some(own) != gamma.shape().ok())) {
            has_shape(bias, x1.shape()?)?;
        }
        for output in [Some(&out), total].into_iter().flatten() {
            has_shape(output, x1.shape()?)?;
        }
        have_elements(&[Some(&mean), Some(&rstd)], rows.count)?;
        Ok(rows)
    };
    let rows = checked().map_err(check::when_divided)?;
    if rows.count == 0 || rows.len == 0 {
        return Ok(Plan::empty());
    }
    let sum = Sum { terms: [Some(&x1), Some(&x2), bias], factor: 1.0 };
    let outputs = [Some(&out), Some(&mean), Some(&rstd), total];
    planned(&rows, &sum, [Some(&gamma), Some(&beta)], call.float("epsilon")?, outputs)
}

pub(super) fn deep_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::deep_norm;
    let [x, gx, beta, gamma] = call.tensors_of(["x", "gx", "beta", "gamma"])?;
    let [mean, rstd, out] = call.tensors_of(["meanOut", "rstdOut", "yOut"])?;
    let from = check::dtype(&x, signature.takes)?;
    check::all_exactly(&[&gx, &beta, &gamma], from)?;
    output_of(signature.output, from, from, &out)?;
    check::all_exactly(&[&mean, &rstd], F32)?;
    let checked = || -> Result<Rows> {
        check::rank(&x)?;
        has_shape(&gx, x.shape()?)?;
        let rows = Rows::of(&x, trailing(&x, gamma.shape()?)?)?;
        has_shape(&beta, gamma.shape()?)?;
        has_shape(&out, x.shape()?)?;
        have_elements(&[Some(&mean), Some(&rstd)], rows.count)?;
        Ok(rows)
    };
    let rows = checked().map_err(check::when_divided)?;
    if rows.count == 0 || rows.len == 0 {
        return Ok(Plan::empty());
    }
    let sum = Sum { terms: [Some(&x), Some(&gx), None], factor: call.float("alpha")? };
    let outputs = [Some(&out), Some(&mean), Some(&rstd), None];
    planned(&rows, &sum, [Some(&gamma), Some(&beta)], call.float("epsilon")?, outputs)
}

pub(super) fn layer_norm_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::layer_norm_backward;
    let (gradients, input, dims) =
        (call.tensor("gradOut")?, call.tensor("input")?, call.ints("normalizedShape")?);
    let (mean, rstd) = (call.tensor("mean")?, call.tensor("rstd")?);
    let (weight, bias) = (call.optional_tensor("weightOptional")?, call.optional_tensor("biasOptional")?);
    let outputs =
        masked_or_null(call, &call.bools("outputMask")?, ["gradInputOut", "gradWeightOut", "gradBiasOut"])?;
    let (weight, bias) = (weight.as_ref(), bias.as_ref());
    let [of_input, of_weight, of_bias] = &outputs;
    let outputs = [of_input.as_ref(), of_weight.as_ref(), of_bias.as_ref()];
    let from = check::dtype(&gradients, signature.takes)?;
    check::exactly(&input, from)?;
    are_listed(&[Some(&mean), Some(&rstd)], signature.takes)?;
    are_own_or_single(&[weight, bias], from)?;
    for output in outputs.into_iter().flatten() {
        output_of(signature.output, from, from, output)?;
    }
    check::rank(&input)?;
    has_shape(&gradients, input.shape()?)?;
    let dims = sizes(dims);
    let rows = Rows::of(&input, trailing(&input, &dims)?)?;
    has_shape(&rstd, mean.shape()?)?;
    have_elements(&[Some(&mean), Some(&rstd)], rows.count)?;
    have_elements(&[weight, outputs[1], outputs[2]], rows.len)?;
    if let Some(output) = outputs[0] {
        check::output_shape(output, input.shape()?)?;
    }
    if outputs.iter().all(Option::is_none) || rows.len == 0 {
        return Ok(Plan::empty());
    }
    if rows.count == 0 {
        return constants(&[(outputs[1], 0.0), (outputs[2], 0.0)]);
    }
    let mut planner = Planner::new();
    let [of_input, of_weight, of_bias] = outputs;
    // The gradients of weight and bias first: that of the input may replace an operand.
    if of_weight.is_some() || of_bias.is_some() {
        let inputs = [&gradients, &input, &mean, &rstd];
        let mut read = Vec::new();
        for operand in inputs {
            read.extend(planner.read(operand, 1, &Operand::in_order)?);
        }
        let written = [
            planner.write_if(of_weight, 1, &Operand::in_order)?,
            planner.write_if(of_bias, 1, &Operand::in_order)?,
        ];
        if let Ok(read) = <[_; 4]>::try_from(read) {
            let body = |load, results| ColumnGradients { len: rows.len, load, results };
            planner.whole(read, written, body)?;
        }
    }
    if of_input.is_some() {
        let len = rows.len;
        let inputs = [
            planner.read(&gradients, len, &Operand::in_order)?,
            planner.read(&input, len, &Operand::in_order)?,
            planner.read(&mean, 1, &Operand::in_order)?,
            planner.read(&rstd, 1, &Operand::in_order)?,
            planner.read_if(weight, len, &|operand, dtype| operand.repeated(dtype, rows.count))?,
        ];
        let out = planner.write_if(of_input, len, &Operand::in_order)?;
        planner.lanes(
            rows.count,
            inputs,
            [out],
            "gradients of rows",
            |[g, x, mean, rstd, weight], [out]| {
                let moments = (first(mean, 0.0), first(rstd, 1.0));
                gradient([g, x], moments, Spread::new(weight, 1.0), true, out);
            },
        )?;
    }
    Ok(planner.plan())
}
