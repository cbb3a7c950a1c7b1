//! Tokens in the order of their experts.

use std::ops::Range;

use aclnn_numerics::DType::{F32, I4, I8, I32, I64};
use aclnn_numerics::product::Product;
use cann_kernels::networks::experts::combine::{Steps, float, int};
use cann_kernels::networks::experts::routing::{self, Counted};

use super::expanded::{Expanded, MANY, NEW, OLD};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::stage_planner::{
    ANY_INDICES, Divided, INDICES, StagePlanner, again, sizes, typed, within,
};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

pub(super) fn compute_expert_tokens(call: &Call<'_>) -> Result<Plan> {
    let (ids, out) = (call.tensor("sortedExperts")?, call.tensor("out")?);
    check::alike(&[&ids, &out], signatures::compute_expert_tokens.takes)?;
    Divided::Generated.check(sizes::<1>(&ids).and_then(|[len]| {
        within("the length of sortedExperts", len as i64, 0..=1 << 24)?;
        check::output_shape(&out, &[within("numExperts", call.int("numExperts")?, 1..=2048)?])
    }))?;
    let mut planner = StagePlanner::default();
    let (ids, out) = (planner.list(&ids, None)?, planner.write_list(Some(&out), I32, 1)?);
    planner.lanes([ids], [out], 1, routing::running_counts());
    Ok(planner.plan())
}

pub(super) fn re_routing(call: &Call<'_>) -> Result<Plan> {
    let [tokens, counts] = call.tensors_of(["tokens", "expertTokenNumPerRank"])?;
    let [out, places, sums] =
        call.tensors_of(["permuteTokensOut", "permuteTokenIdxOut", "expertTokenNumOut"])?;
    let scales = call.optional_tensor("perTokenScalesOptional")?;
    // It is checked also where nothing is written to it.
    let moved = match &scales {
        Some(_) => Some(call.tensor("permutePerTokenScalesOut")?),
        None => call.optional_tensor("permutePerTokenScalesOut")?,
    };
    check::alike(&[&tokens, &out], signatures::re_routing.takes)?;
    typed(&counts, ANY_INDICES)?;
    check::exactly(&places, I32)?;
    check::exactly(&sums, check::any_dtype(&counts)?)?;
    check::all_exactly(&[&scales, &moved], F32)?;
    let [rows, len, experts] = Divided::Generated.check(sizes::<2>(&tokens).and_then(|[rows, len]| {
        let [_, experts] = sizes::<2>(&counts)?;
        within("expertTokenNumType", call.int("expertTokenNumType")?, 1..=1)?;
        within("idxType", call.int("idxType")?, 0..=0)?;
        check::output_shape(&out, &[rows, len])?;
        check::each(&[scales.as_ref(), moved.as_ref(), Some(&places)], |operand| {
            check::output_shape(operand, &[rows])
        })?;
        check::output_shape(&sums, &[experts])?;
        Ok([rows, len, experts])
    }))?;
    let mut planner = StagePlanner::default();
    let (input, sources) = (planner.list(&counts, Some(I64))?, planner.kept(I32, rows)?);
    let read = again(&sources, I32)?;
    let places = planner.write_list(Some(&places), I32, 1)?;
    let sums = planner.write_list(Some(&sums), I64, 1)?;
    planner.lanes([input], [places, sources, sums], 1, routing::by_ranks(experts));
    planner.copy_rows(&tokens, &read, &out, [len, rows, 1], true)?;
    if let (Some(scales), Some(moved)) = (&scales, &moved) {
        planner.copy_rows(scales, &read, moved, [1, rows, 1], true)?;
    }
    Ok(planner.plan())
}

pub(super) fn init_routing(call: &Call<'_>) -> Result<Plan> {
    let [x, numbers, ids] = [call.tensor("x")?, call.tensor("rowIdx")?, call.tensor("expertIdx")?];
    let outputs = ["expandedXOut", "expandedRowIdxOut", "expandedExpertIdxOut"];
    let [out, places, sorted] = call.tensors_of(outputs)?;
    check::alike(&[&x, &out], signatures::init_routing.takes)?;
    check::all_exactly(&[&numbers, &ids, &places, &sorted], I32)?;
    let rows = Divided::Generated.check(sizes::<2>(&x).and_then(|[rows, len]| {
        let [tokens, k] = sizes::<2>(&ids)?;
        check::output_shape(&numbers, &[tokens, k])?;
        if tokens != rows {
            return invalid(format_args!("x has {rows} rows, but expertIdx {tokens}"));
        }
        let active = within("activeNum", call.int("activeNum")?, 0..=MANY)?;
        check::output_shape(&out, &[rows.min(active) * k, len])?;
        check::each(&[&places, &sorted], |output| check::output_shape(output, &[rows * k]))?;
        Ok(rows)
    }))?;
    if ids.is_empty() {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let inputs = [planner.list(&ids, None)?, planner.list(&numbers, None)?];
    let sources = planner.kept(I32, out.shape()?[0])?;
    let read = again(&sources, I32)?;
    let lists = [planner.write_list(Some(&places), I32, 1)?, planner.write_list(Some(&sorted), I32, 1)?];
    let [places, sorted] = lists;
    planner.lanes(inputs, [places, sorted, sources], 1, routing::by_numbers(rows));
    let [count, len] = sizes::<2>(&out)?;
    planner.copy_rows(&x, &read, &out, [len, count, 1], false)?;
    Ok(planner.plan())
}

pub(super) fn init_routing_v2(call: &Call<'_>) -> Result<Plan> {
    let mut all = Expanded::of(call)?;
    let product = settings::get().product;
    let dtype = match all.x.is_empty() {
        true => F32,
        false => check::dtype(&all.x, signatures::init_routing_v2.takes)?,
    };
    typed(&all.ids, if product == Product::Ascend950 { ANY_INDICES } else { INDICES })?;
    typed(&all.out, &[dtype])?;
    for output in [Some(&all.places), all.counts.as_ref(), all.befores.as_ref()].into_iter().flatten() {
        typed(output, INDICES)?;
    }
    let outputs = [Some(&all.out), Some(&all.places), all.counts.as_ref(), all.befores.as_ref()];
    if outputs.into_iter().flatten().all(|output| output.is_empty()) {
        return Ok(Plan::empty());
    }
    let flags = ["expertTokensCountOrCumsumFlagOptional", "expertTokensBeforeCapacityFlagOptional"];
    let checked = all.check(call, &OLD, flags).and_then(|()| match (product, all.sizes[2]) {
        (Product::Ascend310P, len) if !len.is_multiple_of(32) || all.routing.capacity.is_some() => {
            invalid("this product takes rows of multiples of 32 elements, and no capacity")
        }
        _ => Ok(()),
    });
    Divided::Launched.check(checked)?;
    let mut planner = StagePlanner::default();
    let [sources, _] = all.order(&mut planner)?;
    all.copy(&mut planner, &sources, false)?;
    Ok(planner.plan())
}

pub(super) fn init_routing_quant(call: &Call<'_>) -> Result<Plan> {
    let mut all = Expanded::of(call)?;
    let [scale, offset] = call.optional_tensors_of(["scaleOptional", "offsetOptional"])?;
    let of_rows = call.optional_tensor("dynamicQuantScaleOutOptional")?;
    check::dtype(&all.x, signatures::init_routing_quant.takes)?;
    check::exactly(&all.ids, I32)?;
    check::all_exactly(&[&scale, &offset, &of_rows], F32)?;
    for output in [Some(&all.places), all.counts.as_ref(), all.befores.as_ref()].into_iter().flatten() {
        check::exactly(output, I32)?;
    }
    let to = check::any_dtype(&all.out)?;
    if to == I4 {
        return check::not_emulated("rows in steps of four bits");
    }
    check::exactly(&all.out, I8)?;
    let flags = ["expertTokensCountOrCumsumFlag", "expertTokensBeforeCapacityFlag"];
    let checked = all.check(call, &NEW, flags).and_then(|()| {
        let is_own = within("quantMode", call.int("quantMode")?, 0..=1)? == 1;
        let [scale, offset] = [scale.as_ref(), offset.as_ref()];
        quantised(&all, is_own, [scale, offset], all.routing.experts)?;
        match &of_rows {
            Some(output) if is_own => check::output_shape(output, &[all.rows])?,
            None if is_own => return invalid("dynamicQuantScaleOutOptional is null, but quantMode is 1"),
            _ => {}
        }
        Ok(is_own)
    });
    let is_own = Divided::Generated.check(checked)?;
    let steps = match is_own {
        true => Steps::Own { away: true },
        false => Steps::Given { in_halves: settings::get().product == Product::Ascend910B },
    };
    let mut planner = StagePlanner::default();
    let found = all.order(&mut planner)?;
    all.quantize(&mut planner, &found, steps, [scale.as_ref(), offset.as_ref()], of_rows.as_ref())?;
    Ok(planner.plan())
}

/// Checks the operands of a quantisation.
fn quantised(all: &Expanded, is_own: bool, [scale, offset]: [Option<&Operand>; 2], experts: usize) -> Result {
    match (is_own, scale, offset) {
        (true, None, _) => Ok(()),
        (true, Some(scale), _) => match sizes::<2>(scale)? {
            [rows, len] if len == all.sizes[2] && (rows == 1 || rows == experts) => Ok(()),
            _ => invalid(format_args!("scaleOptional has shape {}", scale.shape()?)),
        },
        (false, Some(scale), Some(offset)) => {
            check::output_shape(scale, &[1])?;
            check::output_shape(offset, &[1])
        }
        _ => invalid("given steps need scaleOptional and offsetOptional"),
    }
}

/// The experts that count.
fn range_of(call: &Call<'_>, experts: usize, most: i64) -> Result<Range<i32>> {
    let range = call.optional("activeExpertRangeOptional", Call::ints)?;
    let (start, end) = match range {
        None | Some([]) => (0, experts as i64),
        Some([start, end]) => (*start, *end),
        Some(other) => return invalid(format_args!("activeExpertRangeOptional is {other:?}")),
    };
    if start < 0 || start >= end || end > experts as i64 || end > most {
        return invalid(format_args!(
            "activeExpertRangeOptional goes from {start} to {end}, but there are {experts} experts"
        ));
    }
    Ok(start as i32..end as i32)
}

pub(super) fn init_routing_v3(call: &Call<'_>) -> Result<Plan> {
    let mut all = Expanded::of(call)?;
    let counts = call.tensor("expertTokensCountOrCumsumOut")?;
    let of_rows = call.tensor("expandedScaleOut")?;
    let [scale, offset] = call.optional_tensors_of(["scaleOptional", "offsetOptional"])?;
    let mode = call.int("quantMode")?;
    let types = || -> Result {
        let dtype = check::dtype(&all.x, signatures::init_routing_v3.takes)?;
        check::exactly(&all.ids, I32)?;
        check::exactly(&all.places, I32)?;
        check::exactly(&counts, I64)?;
        check::all_exactly(&[scale.as_ref(), offset.as_ref(), Some(&of_rows)], F32)?;
        if dtype == I8 && mode >= 0 {
            return invalid("x is i8, which is not quantised again");
        }
        match mode {
            // The types of these are those of the 950's floats.
            2..=17 => Ok(()),
            _ => check::exactly(&all.out, if mode < 0 { dtype } else { I8 }),
        }
    };
    match settings::get().product {
        Product::Ascend910B => Divided::Later.check(types())?,
        _ => types()?,
    }
    let is_counted = call.flag("expertTokensNumFlag")?;
    let checked =
        check_v3(call, &mut all, (mode, is_counted), [scale.as_ref(), offset.as_ref()], [&counts, &of_rows]);
    Divided::Later.check(checked)?;
    if (2..=17).contains(&mode) {
        return check::not_emulated("rows in the forms of floats of eight bits");
    }
    all.counts = Some(counts);
    let mut planner = StagePlanner::default();
    let [sources, owners] = all.order(&mut planner)?;
    let given = [scale.as_ref(), offset.as_ref()];
    match (mode, &scale) {
        (-1, scale) => {
            let keeps = all.routing.capacity.is_none();
            all.copy(&mut planner, &sources, keeps)?;
            if let Some(scale) = scale.as_ref().filter(|_| all.rows > 0) {
                let (lists, k) = (vec![again(&sources, I32)?, planner.list(scale, None)?], all.sizes[1]);
                let outputs = vec![planner.write(&of_rows, 1, None)?];
                planner.rows(
                    "copy scales",
                    [Vec::new(), lists, outputs],
                    all.rows,
                    move |row, _, lists, outputs| {
                        let ([sources, scales], [out]) = (lists, outputs) else { return Ok(false) };
                        let source = int(sources, row);
                        let token = usize::try_from(source).ok().map(|source| source / k.max(1));
                        out.copy_from_slice(&token.map_or(0.0, |token| float(scales, token)).to_ne_bytes());
                        Ok(source >= 0 || !keeps)
                    },
                );
            }
        }
        (0, _) => {
            let steps = Steps::Given { in_halves: false };
            all.quantize(&mut planner, &[sources, owners], steps, given, None)?;
        }
        _ => {
            let steps = Steps::Own { away: false };
            all.quantize(&mut planner, &[sources, owners], steps, given, Some(&of_rows))?;
        }
    }
    Ok(planner.plan())
}

/// Checks what the third version checks where the work is divided.
fn check_v3(
    call: &Call<'_>,
    all: &mut Expanded,
    (mode, is_counted): (i64, bool),
    [scale, offset]: [Option<&Operand>; 2],
    [counts, of_rows]: [&Operand; 2],
) -> Result {
    let [rows, len] = sizes::<2>(&all.x)?;
    let [tokens, k] = sizes::<2>(&all.ids)?;
    if tokens != rows {
        return invalid(format_args!("x has {rows} rows, but expertIdx {tokens}"));
    }
    all.sizes = [rows, k, len];
    let experts = within("expertNum", call.int("expertNum")?, 1..=i64::from(i32::MAX))?;
    let kind = within("expertTokensNumType", call.int("expertTokensNumType")?, 0..=2)?;
    let range = range_of(call, experts, if kind == 2 { 5120 } else { 10240 })?;
    let is_padded = within("dropPadMode", call.int("dropPadMode")?, 0..=1)? == 1;
    let by_place = within("rowIdxType", call.int("rowIdxType")?, 0..=1)? == 1;
    let all_rows = rows * k;
    let active = call.int("activeNum")?;
    if active < -1 {
        return invalid(format_args!("activeNum is {active}, but must be at least -1"));
    }
    let capacity = call.int("expertCapacity")?;
    let of_range = range.len();
    if is_padded {
        let capacity = within("expertCapacity", capacity, 1..=rows.max(1) as i64)?;
        if by_place || of_range != experts || is_counted && kind != 1 {
            return invalid("dropPadMode 1 takes rowIdxType 0, all experts, and expertTokensNumType 1");
        }
        all.routing.capacity = Some(capacity);
        all.rows = experts * capacity;
        check::output_shape(&all.out, &[experts, capacity, len])?;
    } else {
        all.rows = if active <= 0 { all_rows } else { all_rows.min(active as usize) };
        check::output_shape(&all.out, &[all.rows, len])?;
    }
    check::output_shape(&all.places, &[all_rows])?;
    all.routing.counted = match kind {
        _ if !is_counted => Counted::Not,
        0 => Counted::Running,
        1 => Counted::Each,
        _ => Counted::Pairs,
    };
    match all.routing.counted {
        Counted::Not => {}
        Counted::Pairs => check::output_shape(counts, &[experts, 2])?,
        _ => check::output_shape(counts, &[of_range])?,
    }
    all.routing.experts = of_range;
    all.routing.range = Some(range);
    all.routing.by_place = by_place;
    match mode {
        -1 => {
            if let Some(scale) = scale {
                check::output_shape(scale, &[rows])?;
                check::output_shape(of_rows, &[all.rows])?;
            }
            Ok(())
        }
        0 => quantised(all, false, [scale, offset], of_range),
        1 => {
            quantised(all, true, [scale, offset], of_range)?;
            check::output_shape(of_rows, &[all.rows])
        }
        _ if settings::get().product == Product::Ascend950 && mode <= 17 => Ok(()),
        _ => invalid(format_args!("quantMode is {mode}")),
    }
}
