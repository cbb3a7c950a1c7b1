//! Checks of gradients for faults that nothing else reports.

use std::cmp::Ordering;

use aclnn_numerics::DType::{F32, I32, I64};
use aclnn_numerics::layout::Shape;

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes, when_launched};
use crate::operators::lane_planner::{Lanes, Planner, ints_mut, longs, longs_mut};
use crate::operators::signatures;
use crate::status::Result;

/// The level of a fault: 1 is worse than 2, and 0 is none. `exceeds` says whether a number is beyond a limit of a level.
fn level(is_finite: bool, exceeds: impl Fn(usize) -> bool) -> i32 {
    if !is_finite || exceeds(0) {
        return 1;
    }
    if exceeds(1) { 2 } else { 0 }
}

/// Writes the level of a fault, and the gradient, which is zero if the fault takes it away.
fn report(level: i32, takes_away: bool, grad: &[f32], out: &mut [f32], result: &mut [f32]) {
    ints_mut(result).fill(level);
    match takes_away {
        true => out.fill(0.0),
        false => out.copy_from_slice(grad),
    }
}

/// Checks that the level of a fault has a place.
fn is_result(result: &Operand) -> Result {
    check::exactly(result, I32)?;
    check::have_elements(&[Some(result)], 1)
}

/// All elements of an operand as one lane, read and written.
fn changed<'a>(planner: &mut Planner<'a>, operand: &'a Operand) -> Result<[Option<Lanes>; 2]> {
    let len = operand.shape()?.numel().unwrap_or(0);
    Ok([planner.rows(operand, len)?, planner.out(operand, len)?])
}

/// The only value of `npuAsdDetect` with which a fault is reported and changes nothing.
const ONLY_REPORTS: i64 = 1;

pub(super) fn silent_check(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["val", "inputGradRef", "sfdaRef", "stepRef", "result"])?;
    let [val, grad, range, step, result] = &tensors;
    let takes = signatures::silent_check.takes;
    check::dtype(val, takes)?;
    check::dtype(grad, takes)?;
    check::exactly(range, F32)?;
    check::exactly(step, I64)?;
    has_shape(val, &Shape::scalar())?;
    has_shape(range, &[3])?;
    has_shape(step, &[1])?;
    if grad.is_empty() {
        return Ok(Plan::empty());
    }
    is_result(result).map_err(when_launched)?;
    let limits = [call.float("cThreshL1")?, call.float("cThreshL2")?];
    let jumps = [call.float("cCoeffL1")?, call.float("cCoeffL2")?];
    let (few, only_reports) = (call.int("cMinSteps")?, call.int("npuAsdDetect")? == ONLY_REPORTS);
    let mut planner = Planner::new();
    let val = planner.rows(val, 1)?;
    let [grad, range, step] =
        [changed(&mut planner, grad)?, changed(&mut planner, range)?, changed(&mut planner, step)?];
    let step = step.map(|lanes| lanes.map(Lanes::long));
    let result = planner.out(result, 1)?.map(Lanes::whole);
    let inputs = [val, grad[0], range[0], step[0]];
    let outputs = [grad[1], range[1], step[1], result];
    planner.lanes(1, inputs, outputs, "look for silent faults", move |inputs, outputs| {
        let ([val, grad, range, step], [grad_out, range_out, step_out, result]) = (inputs, outputs);
        range_out.copy_from_slice(range);
        let (&[val], &[previous, least, most], &[step]) = (val, range, longs(step)) else { return };
        let wide = f64::from(val);
        let jump = (wide - f64::from(previous)).abs() / (f64::from(most) - f64::from(least));
        let exceeds = |level: usize| wide > limits[level] || step >= few && jump > jumps[level];
        let level = level(val.is_finite(), exceeds);
        report(level, level == 1 && !only_reports, grad, grad_out, result);
        if val.is_finite() {
            let [least, most] = if step == 0 { [val; 2] } else { [least.min(val), most.max(val)] };
            range_out.copy_from_slice(&[val, least, most]);
        }
        longs_mut(step_out).fill(step.saturating_add(1));
    })?;
    Ok(planner.plan())
}

pub(super) fn silent_check_v2(call: &Call<'_>) -> Result<Plan> {
    let mut is_empty = false;
    for name in ["dstSize", "dstStride", "dstOffset"] {
        is_empty |= call.ints(name)?.is_empty();
    }
    let tensors = call.tensors_of(["val", "max", "avgRef", "inputGradRef", "stepRef", "result"])?;
    let [val, most, average, grad, step, result] = &tensors;
    let takes = signatures::silent_check_v2.takes;
    check::each(&[val, most, average, grad], |operand| check::dtype(operand, takes))?;
    check::exactly(step, I64)?;
    for operand in [val, most, average, step] {
        let [len] = sizes(operand)?;
        is_empty |= len == 0;
    }
    let limits = [call.float("cThreshL1")?, call.float("cThreshL2")?];
    let beta = call.float("beta1")?;
    // A limit that is NaN is not the greater one.
    let is_greater = limits[0].partial_cmp(&limits[1]) == Some(Ordering::Greater);
    if !is_greater || !(0.0..=1.0).contains(&beta) {
        return invalid(format_args!(
            "cThreshL1 is {}, cThreshL2 {} and beta1 {beta}; the first must be the greater one, and the last from 0 to 1",
            limits[0], limits[1]
        ));
    }
    if is_empty || grad.is_empty() {
        return Ok(Plan::empty());
    }
    is_result(result).map_err(when_launched)?;
    let only_reports = call.int("npuAsdDetect")? == ONLY_REPORTS;
    let mut planner = Planner::new();
    let val = planner.rows(val, val.shape()?[0])?;
    let most = planner.rows(most, most.shape()?[0])?;
    let [grad, average, step] =
        [changed(&mut planner, grad)?, changed(&mut planner, average)?, changed(&mut planner, step)?];
    let step = step.map(|lanes| lanes.map(Lanes::long));
    let result = planner.out(result, 1)?.map(Lanes::whole);
    let inputs = [val, most, grad[0], average[0], step[0]];
    let outputs = [grad[1], average[1], step[1], result];
    planner.lanes(1, inputs, outputs, "look for silent faults", move |inputs, outputs| {
        let ([val, most, grad, averages, steps], [grad_out, average_out, step_out, result]) =
            (inputs, outputs);
        average_out.copy_from_slice(averages);
        let (Some(val), Some(most), Some(average), Some(step)) =
            (val.first(), most.first(), averages.first(), longs(steps).first())
        else {
            return;
        };
        let (val, most, average) = (f64::from(*val), f64::from(*most), f64::from(*average));
        let usual = if *step == 0 { average } else { average / (1.0 - beta.powf(*step as f64)) };
        // Before the first step there is no average yet, unless one is given.
        let is_known = *step != 0 || average != 0.0;
        let is_finite = val.is_finite() && most.is_finite();
        let level = level(is_finite, |level| is_known && most > usual * limits[level]);
        report(level, level == 1 && *step == 0 && !only_reports, grad, grad_out, result);
        if level != 1 {
            average_out[0] = (beta * average + (1.0 - beta) * val) as f32;
        }
        let step_out = longs_mut(step_out);
        step_out.copy_from_slice(longs(steps));
        step_out[0] = step.saturating_add(1);
    })?;
    Ok(planner.plan())
}
