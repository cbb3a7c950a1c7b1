//! Variances and standard deviations.

use aclnn_numerics::DType::{BF16, F16};
use aclnn_numerics::product::Product::Ascend950;
use aclnn_numerics::signature::AlongAxes;
use cann_kernels::axis::reduce::{Function, Spread};

use crate::operators::axes::{
    Reduced, Reduction, axes, filled, invalid, on_cores, output_type, reduced, written,
};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn var(call: &Call<'_>) -> Result<Plan> {
    let correction = match call.has("unbiased") {
        true => i64::from(call.flag("unbiased")?),
        false => call.int("correction")?,
    };
    let out = [call.tensor("out")?];
    moments(call, &signatures::var, Moments { correction, is_root: false, is_free: false }, &out)
}

pub(super) fn var_mean(call: &Call<'_>) -> Result<Plan> {
    let outs = [call.tensor("varOut")?, call.tensor("meanOut")?];
    let correction = call.int("correction")?;
    moments(call, &signatures::var_mean, Moments { correction, is_root: false, is_free: false }, &outs)
}

pub(super) fn std(call: &Call<'_>) -> Result<Plan> {
    let out = [call.tensor("out")?];
    let correction = call.int("correction")?;
    moments(call, &signatures::std, Moments { correction, is_root: true, is_free: true }, &out)
}

pub(super) fn std_mean(call: &Call<'_>) -> Result<Plan> {
    let outs = [call.tensor("stdOut")?, call.tensor("meanOut")?];
    let correction = call.int("correction")?;
    moments(call, &signatures::std_mean, Moments { correction, is_root: true, is_free: true }, &outs)
}

/// How variances and standard deviations differ.
struct Moments {
    correction: i64,
    is_root: bool,
    /// Whether shapes of outputs are not tested where all axes are reduced.
    is_free: bool,
}

fn moments(call: &Call<'_>, signature: &AlongAxes, kind: Moments, outs: &[Operand]) -> Result<Plan> {
    let own = call.tensor("self")?;
    let dims = call.optional("dim", Call::ints)?;
    let dims = dims.unwrap_or_default();
    let product = settings::get().product;
    let from = check::dtype(&own, signature.takes)?;
    let mut types = Vec::new();
    for out in outs {
        let to = output_type(signature, from, out)?;
        if kind.is_root && outs.len() > 1 && product != Ascend950 && to != from {
            return invalid(format_args!("{} is {to}, but must be {from}", out.name));
        }
        types.push(to);
    }
    let axes = axes(&own, dims)?;
    check::rank(&own)?;
    if kind.is_free {
        check::ranks(outs)?;
    }
    let shape = reduced(&own, &axes, call.flag("keepdim")?)?;
    if kind.is_free && dims.is_empty() {
        for out in outs {
            written(out, &shape)?;
        }
    } else {
        check::each(outs, |out| check::output_shape(out, &shape))?;
    }
    if own.shape()?.is_empty_tensor() {
        let outs: Vec<_> = outs.iter().zip(types).collect();
        return filled(&outs, f64::NAN);
    }
    let rounded: fn(f64) -> f64 = match from {
        _ if product == Ascend950 => |mean| mean,
        F16 => |mean| aclnn_numerics::f16::from_f64(mean).to_f64(),
        BF16 => |mean| aclnn_numerics::bf16::from_f64(mean).to_f64(),
        _ => |mean| f64::from(mean as f32),
    };
    let scales = product == Ascend950;
    let spread = Spread {
        correction: kind.correction,
        is_root: kind.is_root,
        rounded,
        scales,
        forgets_equals: scales && outs.len() > 1,
    };
    let outputs: Vec<_> = outs
        .iter()
        .zip(types)
        .enumerate()
        .map(|(part, (output, dtype))| Reduced { output, part, through: from, dtype })
        .collect();
    let (function, cores) = (Function::Moments(spread), on_cores(signature, from));
    Reduction { own: &own, from, through: from, axes: &axes, function, cores }.plan(&outputs)
}
