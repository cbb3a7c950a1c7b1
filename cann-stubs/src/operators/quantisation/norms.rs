//! Norms by the mean square, quantised with scales of rows, or with one scale.

use aclnn_numerics::DType::{F32, I4, I8, I32};
use aclnn_numerics::layout::Shape;
use cann_kernels::axis::quantisation::{Norm, Shift, Target};

use super::rows::{Rows, codes, shape_of_codes};
use crate::operators::axes::{invalid, output_of};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, unlaunched, untiled, when_divided, when_launched};
use crate::operators::operand::MaybeOperand;
use crate::operators::signatures;
use crate::status::Result;

/// The ranks of operands, which have axes.
pub(super) fn check_ranks(operands: &[impl MaybeOperand]) -> Result {
    check::each(operands, |operand| match operand.rank() {
        1..=8 => Ok(()),
        rank => invalid(format_args!("{} has {rank} axes, but must have from 1 to 8", operand.name)),
    })
}

/// The elements of a row, which are the last axes of `x`; the number of rows.
pub(super) fn row_of(x: &Operand, gamma: &Operand) -> Result<[usize; 2]> {
    let (shape, row) = (x.shape()?, gamma.shape()?);
    if !shape.ends_with(row) {
        return invalid(format_args!("gamma has shape {row}, which are not the last axes of x, {shape}"));
    }
    let len = row.numel().unwrap_or(0);
    Ok([shape.numel().unwrap_or(0) / len.max(1), len])
}

pub(super) fn epsilon(call: &Call<'_>) -> Result<f32> {
    Ok(call.float("epsilon")? as f32)
}

/// The outputs that are written: the first, and the second.
fn active(call: &Call<'_>, smooth: [bool; 2]) -> Result<[bool; 2]> {
    if !call.has("outputMask") {
        return Ok([true, smooth == [true; 2]]);
    }
    match call.optional("outputMask", Call::bools)?.as_deref() {
        None if smooth == [false, true] => invalid("smoothScale2 is given without smoothScale1"),
        None => Ok([true, smooth == [true; 2]]),
        Some([first, second]) => {
            let active = [*first, *second];
            if active == [false; 2]
                || smooth.iter().zip(active).any(|(is_given, is_active)| *is_given && !is_active)
            {
                return invalid(
                    "outputMask must be true for an output, and for each one whose smoothScale is given",
                );
            }
            Ok(active)
        }
        Some(other) => invalid(format_args!("outputMask has {} entries, but must have 2", other.len())),
    }
}

pub(super) fn add_rms_norm_dynamic_quant(call: &Call<'_>) -> Result<Plan> {
    let is_second = call.has("outputMask");
    let smooth1 = call.optional_tensor("smoothScale1Optional")?;
    let smooth2 = call.optional_tensor("smoothScale2Optional")?;
    let early = if is_second { Some(active(call, [smooth1.is_some(), smooth2.is_some()])?) } else { None };
    let (x1, x2, gamma, sum) =
        (call.tensor("x1")?, call.tensor("x2")?, call.tensor("gamma")?, call.tensor("xOut")?);
    let (y1, y2) = (call.tensor("y1Out")?, call.tensor("y2Out")?);
    let (scale1, scale2) = (call.tensor("scale1Out")?, call.tensor("scale2Out")?);
    let beta = if is_second { call.optional_tensor("betaOptional")? } else { None };
    let has_any_empty = [&x1, &gamma, &y2].into_iter().any(|operand| operand.is_empty());
    if is_second && (has_any_empty || x2.is_empty()) {
        return Ok(Plan::empty());
    }
    let active = match early {
        Some(active) => active,
        None => active(call, [smooth1.is_some(), smooth2.is_some()])?,
    };
    let signature = &signatures::add_rms_norm_dynamic_quant;
    let own = check::dtype(&x1, signature.takes)?;
    check::all_exactly(&[Some(x2), Some(gamma), Some(sum), smooth1, smooth2, beta], own)?;
    let y = if active[0] { &y1 } else { &y2 };
    let to = output_of(signature.output, own, own, y)?;
    for ((y, scale), is_active) in [(&y1, &scale1), (&y2, &scale2)].into_iter().zip(active) {
        let checked = check::exactly(y, to).and_then(|()| check::exactly(scale, F32));
        if is_second && !is_active { checked.map_err(when_launched)? } else { checked? }
    }
    if !is_second && matches!(to, I4 | I32) {
        return invalid(format_args!("y1Out is {to}, but must be i8; AddRmsNormDynamicQuantV2 takes it"));
    }
    if has_any_empty {
        return Ok(Plan::empty());
    }
    check_ranks(&[&x1])?;
    let shape = x1.shape()?;
    check::output_shape(&x2, shape).map_err(when_divided)?;
    check::output_shape(&sum, shape).map_err(when_divided)?;
    let [count, len] = row_of(&x1, &gamma).map_err(when_divided)?;
    if gamma.rank() != 1 {
        return untiled(format_args!("gamma has {} axes, but must have one", gamma.rank()));
    }
    for operand in [smooth1, smooth2, beta].iter().flatten() {
        check::output_shape(operand, gamma.shape()?).map_err(when_divided)?;
    }
    if smooth2.is_some() && smooth1.is_none() && !is_second {
        return unlaunched("smoothScale2 is given without smoothScale1");
    }
    let scales = &shape[..shape.rank() - 1];
    for ((y, scale), is_active) in [(&y1, &scale1), (&y2, &scale2)].into_iter().zip(active) {
        if !is_active {
            let single =
                [y, scale].into_iter().all(|one| one.shape().is_ok_and(|one| one.numel() == Some(1)));
            if !single {
                return unlaunched(format_args!(
                    "{} and its scale are not written, and must have one element",
                    y.name
                ));
            }
            continue;
        }
        let checked = shape_of_codes(y, to, shape);
        if to == I32 {
            checked?
        } else {
            checked.map_err(when_divided)?
        }
        check::output_shape(scale, scales).map_err(when_launched)?;
    }

    let mut rows = Rows::new(count);
    rows.each(&x1, [own, F32])?;
    let other = Some(rows.each(&x2, [own, F32])?);
    let of_gamma = rows.all(&gamma, [own, F32])?;
    let of_beta = rows.all_of(beta.as_ref(), &[own])?;
    let mut targets = Vec::new();
    let mut written = 0;
    for ((y, scale), (smooth, is_active)) in
        [(&y1, &scale1), (&y2, &scale2)].into_iter().zip([&smooth1, &smooth2].into_iter().zip(active))
    {
        if is_active {
            let shift = Shift::Dynamic { smooth: rows.all_of(smooth.as_ref(), &[own])? };
            targets.push(Target { codes: codes(to)?, output: written, scale: Some(written + 1), shift });
            rows.write(y, [to, to])?;
            rows.write(scale, [F32, F32])?;
            written += 2;
        }
    }
    rows.write(&sum, [F32, own])?;
    let body = Norm {
        other,
        gamma: of_gamma,
        beta: of_beta,
        epsilon: epsilon(call)?,
        divides_squares: false,
        sum: None,
        is_short: false,
        sum_output: Some(written),
        norm_output: None,
        targets,
    };
    debug_assert_eq!(len, gamma.shape()?.numel().unwrap_or(0));
    rows.plan(body.rows())
}

/// From this many elements on, the squares of a row are summed before they are divided.
const LONG: usize = 8192;

pub(super) fn rms_norm_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, gamma, beta) = (call.tensor("x")?, call.tensor("gamma")?, call.tensor("beta")?);
    let (scale, offset, y) = (call.tensor("scale")?, call.tensor("offset")?, call.tensor("y")?);
    let signature = &signatures::rms_norm_quant;
    let own = check::dtype(&x, signature.takes)?;
    check::all_exactly(&[&gamma, &beta, &scale], own)?;
    check::exactly(&offset, I8)?;
    let to = output_of(signature.output, own, own, &y)?;
    check_ranks(&[&x, &y])?;
    let (shape, row) = (x.shape()?, gamma.shape()?);
    let last = shape.last().copied().unwrap_or(1);
    if !(1..=2).contains(&row.rank()) || row.last() != Some(&last) {
        return invalid(format_args!(
            "gamma has shape {row}, but must have one axis, or two, of {last} elements"
        ));
    }
    check::output_shape(&beta, row)?;
    check::output_shape(&offset, scale.shape()?)?;
    let outer = Shape::from([&y.shape()?[..y.rank() - 1], &[last]].concat());
    shape_of_codes(&y, to, &outer)?;
    if row.numel() != Some(last) {
        return unlaunched(format_args!("gamma has shape {row}, but its first axis must have one element"));
    }
    if *outer != **shape || to == I4 {
        return unlaunched(format_args!(
            "y must be i8 of the shape of x, or i32 with an eighth of the last axis"
        ));
    }
    if shape.is_empty_tensor() || scale.shape()?.numel() == Some(0) {
        return Ok(Plan::empty());
    }
    let mut rows = Rows::new(shape.numel().unwrap_or(0) / last);
    rows.each(&x, [own, F32])?;
    let (of_gamma, of_beta) = (rows.all(&gamma, [own, F32])?, Some(rows.all(&beta, [own, F32])?));
    let (scale, offset) = (rows.all(&scale, [own, F32])?, rows.all(&offset, [I8, F32])?);
    rows.write(&y, [to, to])?;
    let shift = Shift::One { scale, offset, is_short: true };
    let body = Norm {
        other: None,
        gamma: of_gamma,
        beta: of_beta,
        epsilon: epsilon(call)?,
        divides_squares: last <= LONG,
        sum: None,
        is_short: false,
        sum_output: None,
        norm_output: None,
        targets: vec![Target { codes: codes(to)?, output: 0, scale: None, shift }],
    };
    rows.plan(body.rows())
}

pub(super) fn rms_norm_dynamic_quant(call: &Call<'_>) -> Result<Plan> {
    let (x, gamma) = (call.tensor("x")?, call.tensor("gamma")?);
    let (y, scale) = (call.tensor("yOut")?, call.tensor("scaleOut")?);
    let (smooth, beta) =
        (call.optional_tensor("smoothScalesOptional")?, call.optional_tensor("betaOptional")?);
    let signature = &signatures::rms_norm_dynamic_quant;
    let own = check::dtype(&x, signature.takes)?;
    check::all_exactly(&[Some(gamma), smooth, beta], own)?;
    let to = output_of(signature.output, own, own, &y)?;
    check::exactly(&scale, F32)?;
    let [smooth, beta] = [smooth, beta].map(|operand| operand.filter(|operand| !operand.is_empty()));
    let shape = x.shape()?;
    if !(2..=8).contains(&shape.rank()) || shape.is_empty_tensor() {
        return untiled(format_args!("x has shape {shape}, but must have from 2 to 8 axes, and elements"));
    }
    let [outer @ .., last] = &shape[..] else { return untiled("x has no axes") };
    for operand in [Some(gamma), smooth, beta].iter().flatten() {
        check::output_shape(operand, &[*last]).map_err(when_divided)?;
    }
    if call.int("dstType")? != 2 || epsilon(call)? <= 0.0 {
        return untiled("dstType must be 2, and epsilon above 0");
    }
    check::output_shape(&y, shape).map_err(when_divided)?;
    check::output_shape(&scale, outer).map_err(when_divided)?;
    let mut rows = Rows::new(outer.iter().product());
    rows.each(&x, [own, F32])?;
    let of_gamma = rows.all(&gamma, [own, F32])?;
    let (of_smooth, of_beta) = (rows.all_of(smooth.as_ref(), &[own])?, rows.all_of(beta.as_ref(), &[own])?);
    rows.write(&y, [to, to])?;
    rows.write(&scale, [F32, F32])?;
    let shift = Shift::Dynamic { smooth: of_smooth };
    let body = Norm {
        other: None,
        gamma: of_gamma,
        beta: of_beta,
        epsilon: epsilon(call)?,
        divides_squares: false,
        sum: None,
        is_short: false,
        sum_output: None,
        norm_output: None,
        targets: vec![Target { codes: codes(to)?, output: 0, scale: Some(1), shift }],
    };
    rows.plan(body.rows())
}
