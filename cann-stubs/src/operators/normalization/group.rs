//! Groups of channels normalised by their mean and variance.

use aclnn_numerics::DType::{self, F32};
use aclnn_numerics::layout::Shape;
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use aclnn_sys::ACLNN_ERR_PARAM_INVALID;
use cann_kernels::axis::normalization::{
    Spread, first, gradient, moments, normalise, normalise_and_swish, store, sum_columns, sum_of,
    sum_of_gradients_by_normalised, swish_gradients,
};

use super::checks::{
    are_channels, are_own_or_single, channels_first, constants, has_shape, have_elements, masked,
};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::lane_planner::{Lanes, Planner};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Images of channels, some of which are normalised together.
#[derive(Clone, Copy)]
struct Groups {
    images: usize,
    groups: usize,
    /// Channels of a group.
    channels: usize,
    /// Elements of a channel.
    area: usize,
}

impl Groups {
    /// Groups of the channels, which are axis 1 of the operand.
    fn of(operand: &Operand, groups: i64) -> Result<Self> {
        check::rank(operand)?;
        let shape = operand.shape()?;
        let [images, channels, area @ ..] = &shape[..] else {
            return invalid(format_args!(
                "{} has {} axes, but needs at least 2",
                operand.name,
                operand.rank()
            ));
        };
        Self::new(*images, *channels, area.iter().product(), groups)
    }

    fn new(images: usize, channels: usize, area: usize, groups: i64) -> Result<Self> {
        match usize::try_from(groups) {
            Ok(groups @ 1..) if channels.is_multiple_of(groups) => {
                let all = images.checked_mul(channels).and_then(|planes| planes.checked_mul(area));
                if all.is_none()
                    || channels.checked_mul(area).is_none()
                    || images.checked_mul(groups).is_none()
                {
                    return invalid(format_args!(
                        "{images} images of {channels} channels of {area} elements are more than any memory holds"
                    ));
                }
                Ok(Self { images, groups, channels: channels / groups, area })
            }
            _ => invalid(format_args!("group is {groups}, which does not divide {channels} channels")),
        }
    }

    /// How many lanes there are.
    fn count(self) -> usize {
        self.images * self.groups
    }

    /// The elements of a lane.
    fn len(self) -> usize {
        self.channels * self.area
    }

    fn is_empty(self) -> bool {
        self.count() * self.len() == 0
    }
}

pub(super) fn group_norm(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::group_norm;
    let own = call.tensor("self")?;
    let (gamma, beta) = (call.optional_tensor("gamma")?, call.optional_tensor("beta")?);
    let [out, mean, rstd] = call.tensors_of(["out", "meanOut", "rstdOut"])?;
    let eps = call.float("eps")?;
    let from = check::dtype(&own, signature.takes)?;
    for operand in [gamma.as_ref(), beta.as_ref(), Some(&mean), Some(&rstd)].into_iter().flatten() {
        check::exactly(operand, from)?;
    }
    output_of(signature.output, from, from, &out)?;
    let groups = Groups::of(&own, call.int("group")?)?;
    let sizes = [groups.images, groups.channels * groups.groups, groups.area];
    for (name, size) in ["N", "C", "HxW"].into_iter().zip(sizes) {
        let number = call.int(name)?;
        if usize::try_from(number) != Ok(size) {
            return invalid(format_args!("a size is given as {number}, but self has {size}"));
        }
    }
    planned(&own, [gamma.as_ref(), beta.as_ref()], groups, eps, None, [&out, &mean, &rstd])
}

pub(super) fn group_norm_silu(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::group_norm_silu;
    let own = call.tensor("self")?;
    let (gamma, beta) = (call.optional_tensor("gamma")?, call.optional_tensor("beta")?);
    let [out, mean, rstd] = call.tensors_of(["out", "meanOut", "rstdOut"])?;
    let activates = !call.has("activateSilu") || call.flag("activateSilu")?;
    let eps = call.float("eps")?;
    let from = check::dtype(&own, signature.takes)?;
    are_own_or_single(&[gamma.as_ref(), beta.as_ref()], from)?;
    output_of(signature.output, from, from, &out)?;
    let is_950 = settings::get().product == Ascend950;
    for output in [&mean, &rstd] {
        match [&gamma, &beta].into_iter().flatten().any(|weight| weight.known_dtype() == Some(F32)) {
            true if is_950 => check::exactly(output, F32)?,
            false if is_950 => drop(check::dtype(output, signature.takes)?),
            _ => check::exactly(output, from)?,
        }
    }
    let groups = Groups::of(&own, call.int("group")?)?;
    if !is_950 && groups.images * groups.channels == 0 {
        return invalid("self has no images or no channels");
    }
    if is_950 && groups.images == 0 {
        return Ok(Plan::empty());
    }
    let swish = activates.then_some(1.0);
    planned(&own, [gamma.as_ref(), beta.as_ref()], groups, eps, swish, [&out, &mean, &rstd])
}

/// Checks the format, of which the channels must be axis 1.
fn is_channels_first(call: &Call<'_>) -> Result {
    match call.optional_text("dataFormatOptional")?.as_deref() {
        None | Some("NCHW") => Ok(()),
        Some("NHWC") => check::not_emulated("groups of channels that are the last axis"),
        Some(other) => invalid(format_args!("dataFormat is \"{other}\", but must be \"NCHW\" or \"NHWC\"")),
    }
}

pub(super) fn group_norm_swish(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["x", "gamma", "beta", "yOut", "meanOut", "rstdOut"])?;
    let [x, gamma, beta, out, mean, rstd] = &tensors;
    let from = check::alike(&[x, out], signatures::group_norm_swish.takes)?;
    are_own_or_single(&[Some(gamma), Some(beta)], from)?;
    are_own_or_single(&[Some(mean), Some(rstd)], from)?;
    is_channels_first(call)?;
    let swish = if call.flag("activateSwish")? { Some(call.float("swishScale")?) } else { None };
    let groups = Groups::of(x, call.int("numGroups")?).map_err(check::when_divided)?;
    planned(x, [Some(gamma), Some(beta)], groups, call.float("eps")?, swish, [out, mean, rstd])
        .map_err(check::when_divided)
}

pub(super) fn group_norm_swish_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["dy", "x", "gamma", "beta", "dxOut", "dgammaOut", "dbetaOut"])?;
    let ([dy, x, gamma, beta, of_x, of_gamma, of_beta], saved) =
        (&tensors, call.tensors_of(["mean", "rstd"])?);
    let [mean, rstd] = &saved;
    let from = check::alike(&[dy, x, of_x], signatures::group_norm_swish_grad.takes)?;
    are_own_or_single(&[Some(gamma), Some(beta), Some(of_gamma), Some(of_beta)], from)?;
    are_own_or_single(&[Some(mean), Some(rstd)], from)?;
    is_channels_first(call)?;
    let checked = || -> Result<Groups> {
        let groups = Groups::of(x, call.int("numGroups")?)?;
        check::each(&[dy, of_x], |operand| has_shape(operand, x.shape()?))?;
        have_elements(&[Some(mean), Some(rstd)], groups.count())?;
        let channels = groups.channels * groups.groups;
        are_channels(&[Some(gamma), Some(beta), Some(of_gamma), Some(of_beta)], channels)?;
        Ok(groups)
    };
    let groups = checked().map_err(check::when_divided)?;
    if groups.is_empty() {
        return Ok(Plan::empty());
    }
    let (mut planner, factor) = (Planner::new(), call.float("swishScale")?);
    // The gradient of what was activated.
    let inner = Some(planner.temporary(groups.count(), groups.len())?);
    let repeated = |operand: &Operand, dtype: DType| operand.repeated(dtype, groups.images);
    let inputs = [
        planner.rows(dy, groups.len())?,
        planner.rows(x, groups.len())?,
        planner.rows(mean, 1)?,
        planner.rows(rstd, 1)?,
        planner.read(gamma, groups.channels, &repeated)?,
        planner.read(beta, groups.channels, &repeated)?,
    ];
    planner.lanes(
        groups.count(),
        inputs,
        [inner],
        "gradients of activations",
        move |[g, x, mean, rstd, gamma, beta], [out]| {
            let (mean, inverse) = (first(mean, 0.0), first(rstd, 1.0));
            let spreads = [Spread::new(gamma, 1.0), Spread::new(beta, 0.0)];
            swish_gradients([g, x], (mean, inverse), spreads, factor, out);
        },
    )?;
    let operands = [inner, inputs[1], inputs[2], inputs[3], inputs[4]];
    backward(&mut planner, operands, groups, [Some(of_x), Some(of_gamma), Some(of_beta)])?;
    Ok(planner.plan())
}

fn planned(
    own: &Operand,
    [gamma, beta]: [Option<&Operand>; 2],
    groups: Groups,
    eps: f64,
    swish: Option<f64>,
    [out, mean, rstd]: [&Operand; 3],
) -> Result<Plan> {
    if eps.is_nan() || eps <= 0.0 {
        return invalid(format_args!("eps is {eps}, but must be positive"));
    }
    are_channels(&[gamma, beta], groups.channels * groups.groups)?;
    check::output_shape(out, own.shape()?)?;
    let kept = Shape::from([groups.images, groups.groups]);
    check::have_shape(&[mean, rstd], &kept)?;
    check::each(&[own, out], channels_first)?;
    if out.format() != own.format() {
        return invalid(format_args!("{} has another storage format than {}", out.name, own.name));
    }
    if groups.is_empty() {
        return constants(&[(Some(mean), 0.0), (Some(rstd), f64::NAN)]);
    }
    let mut planner = Planner::new();
    let repeated = |operand: &Operand, dtype: DType| operand.repeated(dtype, groups.images);
    let inputs = [
        planner.read(own, groups.len(), &Operand::in_order)?,
        planner.read_if(gamma, groups.channels, &repeated)?,
        planner.read_if(beta, groups.channels, &repeated)?,
    ];
    let outputs = [
        planner.write(out, groups.len(), &Operand::in_order)?,
        planner.write(mean, 1, &Operand::in_order)?,
        planner.write(rstd, 1, &Operand::in_order)?,
    ];
    let is_short = outputs[0].is_some_and(|out| out.is_short());
    planner.lanes(
        groups.count(),
        inputs,
        outputs,
        "normalise groups",
        move |[x, gamma, beta], [out, mean, rstd]| {
            let (average, variance) = moments(x);
            let inverse = 1.0 / (variance + eps).sqrt();
            let spreads = [Spread::new(gamma, 1.0), Spread::new(beta, 0.0)];
            match swish {
                Some(factor) => normalise_and_swish(x, (average, inverse), spreads, factor, out),
                None => normalise(x, (average, inverse), spreads, out, is_short),
            }
            store(mean, average);
            store(rstd, inverse);
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn group_norm_backward(call: &Call<'_>) -> Result<Plan> {
    let signature = &signatures::group_norm_backward;
    let [gradients, input, mean, rstd] = call.tensors_of(["gradOut", "input", "mean", "rstd"])?;
    let gamma = call.optional_tensor("gamma")?;
    let gamma = gamma.as_ref();
    let Some(mask) = call.optional("outputMask", Call::bools)? else {
        return invalid("outputMask is null");
    };
    let outputs = masked(call, &mask, ["gradInput", "gradGammaOut", "gradBetaOut"], ACLNN_ERR_PARAM_INVALID)?;
    let [of_input, of_gamma, of_beta] = &outputs;
    let (of_input, of_gamma, of_beta) = (of_input.as_ref(), of_gamma.as_ref(), of_beta.as_ref());
    let from = check::dtype(&gradients, signature.takes)?;
    check::exactly(&input, from)?;
    let of_channels = [gamma, Some(&mean), Some(&rstd), of_gamma, of_beta];
    match settings::get().product {
        Ascend950 => are_own_or_single(&of_channels, from)?,
        _ => check::all_exactly(&of_channels, from)?,
    }
    check::all_exactly(of_input.as_slice(), from)?;
    let size = |name| -> Result<usize> {
        let number = call.int(name)?;
        usize::try_from(number).or_else(|_| invalid(format_args!("{name} is {number}")))
    };
    let channels = size("C")?;
    let groups = Groups::new(size("N")?, channels, size("HxW")?, call.int("group")?)?;
    if settings::get().product == Ascend910B && (groups.channels > 8000 || channels > 240_000) {
        return invalid(format_args!(
            "C is {channels}, {} in a group; the 910B takes at most 240000, and 8000 in a group",
            groups.channels
        ));
    }
    check::ranks(&[&gradients, &input])?;
    have_elements(&[Some(&gradients), Some(&input)], groups.count() * groups.len())?;
    have_elements(&[Some(&mean), Some(&rstd)], groups.count())?;
    have_elements(&[gamma], channels)?;
    check::each(of_input.as_slice(), |output| check::output_shape(output, input.shape()?))?;
    let shape = gamma.map_or_else(|| Ok(Shape::from([channels])), |gamma| gamma.shape().cloned())?;
    check::each(&[of_gamma, of_beta], |output| check::output_shape(output, &shape))?;
    if groups.is_empty() {
        return match settings::get().product {
            Ascend950 => constants(&[(of_gamma, 0.0), (of_beta, 0.0)]),
            _ => Ok(Plan::empty()),
        };
    }
    let mut planner = Planner::new();
    let inputs = [
        planner.rows(&gradients, groups.len())?,
        planner.rows(&input, groups.len())?,
        planner.rows(&mean, 1)?,
        planner.rows(&rstd, 1)?,
        planner.read_if(gamma, groups.channels, &|operand, dtype| operand.repeated(dtype, groups.images))?,
    ];
    backward(&mut planner, inputs, groups, [of_input, of_gamma, of_beta])?;
    Ok(planner.plan())
}

/// Plans the gradients of groups, of operands that are the gradient of the result, the input, means, inverse deviations and
/// weights.
fn backward<'a>(
    planner: &mut Planner<'a>,
    inputs: [Option<Lanes>; 5],
    groups: Groups,
    [of_input, of_gamma, of_beta]: [Option<&'a Operand>; 3],
) -> Result {
    let channels = groups.channels * groups.groups;
    // Sums of the gradients of each channel of each image, and of these times the normalised elements.
    let sums = [
        planner.temporary(groups.count(), groups.channels)?,
        planner.temporary(groups.count(), groups.channels)?,
    ];
    let out = planner.write_if(of_input, groups.len(), &Operand::in_order)?;
    let area = groups.area;
    planner.lanes(
        groups.count(),
        inputs,
        [out, Some(sums[0]), Some(sums[1])],
        "gradients of groups",
        move |[g, x, mean, rstd, gamma], [out, plain, products]| {
            let (mean, inverse) = (first(mean, 0.0), first(rstd, 1.0));
            let channels = g.chunks(area).zip(x.chunks(area));
            for ((g, x), (plain, product)) in channels.zip(plain.iter_mut().zip(products)) {
                *plain = sum_of(g) as f32;
                *product = sum_of_gradients_by_normalised(g, x, mean, inverse) as f32;
            }
            if !out.is_empty() {
                gradient([g, x], (mean, inverse), Spread::new(gamma, 1.0), true, out);
            }
        },
    )?;
    if of_gamma.is_some() || of_beta.is_some() {
        let all = groups.images * channels;
        let whole = [Some(sums[0].of_len(all)), Some(sums[1].of_len(all))];
        let outputs = [
            planner.write_if(of_gamma, channels, &Operand::in_order)?,
            planner.write_if(of_beta, channels, &Operand::in_order)?,
        ];
        planner.lanes(1, whole, outputs, "sum gradients of images", |[plain, products], [gamma, beta]| {
            sum_columns(products, gamma);
            sum_columns(plain, beta);
        })?;
    }
    Ok(())
}
