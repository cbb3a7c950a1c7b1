//! Losses of rows whose classes several devices share, as Megatron computes them: each device knows the scores of its classes, and
//! their greatest ones and sums are joined between the steps.

use aclnn_numerics::DType::{Bool, F32, U8};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::allocation;
use cann_kernels::networks::loss::vocabulary::{Known, Summary, Vocabulary, entropy_of_summary};

use crate::operators::axes::{filled, invalid};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, has_shape, sizes};
use crate::operators::lane_planner::{Lanes, Planner, ints, ints_mut};
use crate::operators::signatures;
use crate::status::Result;

/// The sizes of rows and of classes.
fn vocabulary(input: &Operand, weight: &Operand) -> Result<Vocabulary> {
    let ([rows, len], [classes, of_class]) = (sizes(input)?, sizes(weight)?);
    match len == of_class && len > 0 && classes > 0 {
        true => Ok(Vocabulary { rows, len, classes }),
        false => invalid(format_args!(
            "input has rows of {len} elements, but weight {classes} of {of_class}; both must have elements, and as many"
        )),
    }
}

/// Says which targets are elsewhere: with a truth value for each row, or with bits of bytes, the lowest first.
fn flags(operand: &Operand, rows: usize) -> Result<usize> {
    let count = match operand.known_dtype() {
        Some(Bool) => rows,
        Some(U8) => rows.div_ceil(8),
        _ => return invalid(format_args!("{} must be bool, or have a bit of u8 for each row", operand.name)),
    };
    has_shape(operand, &[count])?;
    Ok(count)
}

/// The part of the loss that all classes share, of `labelSmoothing`.
fn smoothing(call: &Call<'_>, classes: usize) -> Result<f64> {
    let given = call.float("labelSmoothing")?;
    match (0.0..1.0).contains(&given) && (given == 0.0 || classes > 1) {
        true if given == 0.0 => Ok(0.0),
        true => Ok(given * classes as f64 / (classes - 1) as f64),
        false => invalid(format_args!(
            "labelSmoothing is {given} with {classes} classes, but must be from 0 to 1, and 0 with a single one"
        )),
    }
}

/// The operand as a single lane.
fn whole<'a>(planner: &mut Planner<'a>, operand: Option<&'a Operand>) -> Result<Option<Lanes>> {
    planner.all(operand, 1)
}

pub(super) fn linear_max_sum(call: &Call<'_>) -> Result<Plan> {
    let names = ["logitsMaxLocalOut", "sumExpLogitsLocalOut", "predictedLogitsLocalOut"];
    let ([input, weight], known) = (&call.tensors_of(["input", "weight"])?, call.tensors_of(names)?);
    let [target, elsewhere, place] = call.tensors_of(["target", "targetMaskOut", "maskedTargetOut"])?;
    let scores = call.optional_tensor("vocabParallelLogitsOutOptional")?;
    let mut alike = vec![input, weight];
    alike.extend(&scores);
    check::alike(&alike, signatures::linear_max_sum.takes)?;
    let of_target = check::dtype(&target, Types::of("i32 i64"))?;
    check::exactly(&place, of_target)?;
    check::all_exactly(&known, F32)?;
    let body = vocabulary(input, weight)?;
    check::have_shape(&[&known[..], &[target, place]].concat(), &[body.rows])?;
    let count = flags(&elsewhere, body.rows)?;
    check::have_shape(scores.as_slice(), &[body.rows, body.classes])?;
    let (start, end) = (call.int("vocabStartIndex")?, call.int("vocabEndIndex")?);
    if start < 0 || end < start || (end - start) as u64 > body.classes as u64 {
        return invalid(format_args!(
            "vocabStartIndex is {start} and vocabEndIndex {end}, which is behind the last class; weight has {} classes",
            body.classes
        ));
    }
    if body.rows == 0 {
        return Ok(Plan::empty());
    }
    let is_bits = elsewhere.known_dtype() == Some(U8);
    let mut planner = Planner::new();
    let target = whole(&mut planner, Some(&target))?.map(Lanes::whole);
    let inputs = [whole(&mut planner, Some(input))?, whole(&mut planner, Some(weight))?, target];
    let [most, sum, predicted] = &known;
    let outputs = [
        planner.out(most, body.rows)?,
        planner.out(sum, body.rows)?,
        planner.out(predicted, body.rows)?,
        planner.out(&elsewhere, count)?.map(Lanes::whole),
        planner.out(&place, body.rows)?.map(Lanes::whole),
        match &scores {
            Some(scores) => planner.out(scores, body.rows.saturating_mul(body.classes))?,
            None => None,
        },
    ];
    planner.try_lanes(
        1,
        inputs,
        outputs,
        "scores of classes",
        move |[input, weight, target], [most, sum, predicted, elsewhere, place, scores]| {
            let mut flags = allocation::zeros::<bool>(body.rows)?;
            let to =
                Summary { most, sum, predicted, place: ints_mut(place), is_elsewhere: &mut flags, scores };
            body.summary([input, weight], ints(target), start..end, to)?;
            let bits = if is_bits { 8 } else { 1 };
            for (to, flags) in ints_mut(elsewhere).iter_mut().zip(flags.chunks(bits)) {
                *to = flags.iter().rev().fold(0, |byte, flag| byte << 1 | i32::from(*flag));
            }
            Ok(())
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn loss_with_max_sum(call: &Call<'_>) -> Result<Plan> {
    let known = call.tensors_of(["logitsMax", "sumExpLogits", "predictedLogits", "lossOut"])?;
    let all: Vec<&Operand> = known.iter().collect();
    check::alike(&all, signatures::loss_with_max_sum.takes)?;
    let names = ["vocabParallelLogitsOptional", "inputOptional", "weightOptional", "softMaxOutOptional"];
    let [scores, input, weight, out] = call.optional_tensors_of(names)?;
    for operand in [&scores, &input, &weight, &out].into_iter().flatten() {
        check::dtype(operand, Types::of("float"))?;
    }
    let [most, sum, predicted, loss] = &known;
    let [rows] = sizes(loss)?;
    check::have_shape(&all, &[rows])?;
    // Scores are computed anew where they are not given.
    let body = match (&scores, input.as_ref().zip(weight.as_ref())) {
        (Some(scores), _) => {
            let [_, classes] = sizes(scores)?;
            has_shape(scores, &[rows, classes])?;
            Some(Vocabulary { rows, len: 0, classes })
        }
        (None, Some((input, weight))) => {
            let body = vocabulary(input, weight)?;
            has_shape(input, &[rows, body.len])?;
            Some(body)
        }
        (None, None) => None,
    };
    let classes = body.map_or(0, |body| body.classes);
    let smoothing = smoothing(call, if body.is_some() { classes } else { 2 })?;
    if body.is_none() && (smoothing > 0.0 || out.is_some()) {
        return invalid(
            "softMaxOutOptional and labelSmoothing need vocabParallelLogitsOptional, or input and weight",
        );
    }
    check::have_shape(out.as_slice(), &[rows, classes])?;
    if rows == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = Planner::new();
    let needs_scores = smoothing > 0.0 || out.is_some();
    let scores = match (&scores, body.filter(|_| needs_scores)) {
        (_, None) => None,
        (Some(scores), _) => planner.rows(scores, classes)?,
        (None, Some(body)) => {
            let inputs = [whole(&mut planner, input.as_ref())?, whole(&mut planner, weight.as_ref())?];
            let made = planner.temporary(rows, classes)?;
            let all = made.of_len(rows.saturating_mul(classes));
            planner.lanes(1, inputs, [Some(all)], "scores of classes", move |sides, [to]| {
                body.scores(sides, to)
            })?;
            Some(made)
        }
    };
    let inputs = [planner.rows(most, 1)?, planner.rows(sum, 1)?, planner.rows(predicted, 1)?, scores];
    let of_loss = planner.out(loss, 1)?;
    let of_out = match &out {
        Some(out) => planner.out(out, classes)?,
        None => None,
    };
    planner.lanes(
        rows,
        inputs,
        [of_loss, of_out],
        "cross entropy",
        move |[most, sum, predicted, scores], [loss, out]| {
            loss[0] = entropy_of_summary([most[0], sum[0], predicted[0]], scores, (smoothing, classes), out);
        },
    )?;
    Ok(planner.plan())
}

pub(super) fn linear_cross_entropy_grad(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["input", "weight", "inputGradOut", "weightGradOut"])?;
    let [input, weight, dx, dw] = &tensors;
    let [grad, elsewhere, place] = call.tensors_of(["grad", "targetMask", "maskedTarget"])?;
    let names = ["logitsMaxOptional", "sumExpLogitsOptional", "softmaxOptional"];
    let [most, sum, probabilities] = call.optional_tensors_of(names)?;
    let all: Vec<&Operand> = tensors.iter().collect();
    let dtype = check::alike(&all, signatures::linear_cross_entropy_grad.takes)?;
    let numbers = [Some(&grad), most.as_ref(), sum.as_ref()];
    check::all_exactly(&numbers, F32)?;
    check::dtype(&place, Types::of("i32 i64"))?;
    check::each(probabilities.as_slice(), |all| check::dtype(all, Types::of("float")))?;
    let body = vocabulary(input, weight)?;
    check::output_shape(dx, input.shape()?)?;
    check::output_shape(dw, weight.shape()?)?;
    for operand in numbers.into_iter().flatten().chain([&place]) {
        has_shape(operand, &[body.rows])?;
    }
    flags(&elsewhere, body.rows)?;
    if body.rows == 0 {
        return filled(&[(dw, dtype)], 0.0);
    }
    match (&probabilities, &most, &sum) {
        (Some(all), ..) => has_shape(all, &[body.rows, body.classes])?,
        (None, Some(_), Some(_)) => {}
        _ => {
            return invalid(
                "softmaxOptional is missing, and so are logitsMaxOptional or sumExpLogitsOptional",
            );
        }
    }
    let smoothing = smoothing(call, body.classes)?;
    let is_bits = elsewhere.known_dtype() == Some(U8);
    let (most, sum) = match probabilities {
        Some(_) => (None, None),
        None => (most, sum),
    };
    let mut planner = Planner::new();
    let inputs = [
        whole(&mut planner, Some(input))?,
        whole(&mut planner, Some(weight))?,
        whole(&mut planner, Some(&grad))?,
        whole(&mut planner, Some(&elsewhere))?.map(Lanes::whole),
        whole(&mut planner, Some(&place))?.map(Lanes::whole),
        whole(&mut planner, most.as_ref())?,
        whole(&mut planner, sum.as_ref())?,
        whole(&mut planner, probabilities.as_ref())?,
    ];
    let outputs = [planner.out(dx, dx.count())?, planner.out(dw, dw.count())?];
    planner.try_lanes(
        1,
        inputs,
        outputs,
        "gradients of classes",
        move |[input, weight, gradient, elsewhere, place, most, sum, probabilities], to| {
            let bits = if is_bits { 8 } else { 1 };
            let flag = |row: usize| {
                ints(elsewhere).get(row / bits).is_some_and(|byte| byte >> (row % bits) & 1 == 1)
            };
            let flags: Vec<bool> = allocation::collect((0..body.rows).map(flag))?;
            let place = ints(place);
            let known = Known { gradient, place, is_elsewhere: &flags, most, sum, probabilities, smoothing };
            body.gradients([input, weight], &known, to)
        },
    )?;
    Ok(planner.plan())
}
