//! The choice of experts for each token.

use aclnn_numerics::DType::{self, BF16, Bool, F16, F32, I32};
use aclnn_numerics::product::Product;
use cann_kernels::networks::experts::gating::{Further, Gating, Inputs, Norm};

use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::read_lanes;
use crate::operators::stage_planner::{
    ANY_INDICES, Divided, INDICES, StagePlanner, numel_of, sizes, typed, within,
};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

const FLOATS: &[DType] = &[F32, F16, BF16];

/// Returns whether the kernel for few experts computes a row.
fn is_small(experts: usize, k: usize) -> bool {
    (experts < 8 || experts.is_multiple_of(8) && experts <= 1024) && k <= 8
}

/// The rows of an operand with two or three axes, and the elements of each.
fn rows(x: &Operand) -> Result<[usize; 2]> {
    let shape = x.shape()?;
    match &shape[..] {
        [rows @ .., experts] if (1..=2).contains(&rows.len()) => Ok([numel_of(rows), *experts]),
        _ => invalid(format_args!("x has shape {shape}, but must have 2 or 3 axes")),
    }
}

/// An operand has the axes of x but for the last one, and maybe one of `last` elements.
fn beside(operand: &Operand, x: &Operand, last: Option<Option<usize>>) -> Result {
    let (own, given) = (operand.shape()?, x.shape()?);
    let leading = &given[..given.rank() - 1];
    let fits = match (last, &own[..]) {
        (None, own) => own == leading,
        (Some(wanted), [own @ .., last]) => own == leading && wanted.is_none_or(|wanted| wanted == *last),
        _ => false,
    };
    match fits {
        true => Ok(()),
        false => {
            invalid(format_args!("{} has shape {own}, which does not suit x of shape {given}", operand.name))
        }
    }
}

/// The operands of a choice by the softmax.
struct OfSoftmax<'c> {
    x: Operand<'c>,
    finished: Option<Operand<'c>>,
    values: Operand<'c>,
    experts: Operand<'c>,
    k: usize,
}

impl<'c> OfSoftmax<'c> {
    fn of(call: &'c Call<'_>, takes: aclnn_numerics::types_by_product::Types) -> Result<(Self, DType)> {
        let x = call.tensor("x")?;
        let finished = call.optional_tensor("finishedOptional")?;
        let (values, experts) = (call.tensor("yOut")?, call.tensor("expertIdxOut")?);
        let dtype = check::dtype(&x, takes)?;
        check::all_exactly(finished.as_slice(), Bool)?;
        check::exactly(&values, dtype)?;
        check::exactly(&experts, I32)?;
        Ok((Self { x, finished, values, experts, k: 0 }, dtype))
    }

    fn check(&mut self, call: &Call<'_>, last: Option<usize>) -> Result<[usize; 2]> {
        let [count, len] = rows(&self.x)?;
        if len == 0 || self.x.shape()?.iter().any(|size| *size > i32::MAX as usize) {
            return invalid(format_args!("x has shape {}", self.x.shape()?));
        }
        check::each(self.finished.as_slice(), |finished| beside(finished, &self.x, None))?;
        self.k = within("k", call.int("k")?, 1..=len.min(1024) as i64)?;
        for output in [&self.values, &self.experts] {
            beside(output, &self.x, Some(last.map(|_| self.k)))?;
        }
        Ok([count, len])
    }

    fn plan(
        &self,
        [count, len]: [usize; 2],
        (norm, away): (Norm, bool),
        further: Option<(&Operand, usize, DType, Further)>,
    ) -> Result<Plan> {
        if count == 0 {
            return Ok(Plan::empty());
        }
        for output in [&self.values, &self.experts] {
            if output.shape()?.last() != Some(&self.k) {
                return check::not_emulated(format_args!("{} whose last axis is not k", output.name));
            }
        }
        let mut planner = StagePlanner::default();
        let mut inputs = vec![planner.read(&self.x, len, Some(F32))?];
        let given = Inputs { finished: self.finished.is_some(), ..Inputs::default() };
        if let Some(finished) = &self.finished {
            inputs.push(planner.read(finished, 1, None)?);
        }
        let mut outputs = vec![
            planner.write(&self.values, self.k, Some(F32))?,
            planner.write(&self.experts, self.k, Some(I32))?,
        ];
        let kind = match further {
            Some((operand, len, dtype, kind)) => {
                outputs.push(planner.write(operand, len, Some(dtype))?);
                kind
            }
            None => Further::None,
        };
        let gating = Gating {
            norm,
            k: self.k,
            groups: [1, 1],
            sums_two: false,
            renormalizes: None,
            factor: 1.0,
            ties_away: away,
        };
        planner.builder.lanes(inputs, outputs, count, gating.body(given, kind));
        Ok(planner.plan())
    }
}

pub(super) fn gating_top_k_softmax(call: &Call<'_>) -> Result<Plan> {
    let (mut all, dtype) = OfSoftmax::of(call, signatures::gating_top_k_softmax.takes)?;
    let places = call.tensor("rowIdxOut")?;
    check::exactly(&places, I32)?;
    let is_old = settings::get().product == Product::Ascend310P;
    let given = Divided::Generated.check(all.check(call, None).and_then(|[count, len]| {
        beside(&places, &all.x, Some(None))?;
        match (count, len) {
            (0, _) => invalid("x has no rows"),
            (_, len) if is_old && !len.is_multiple_of(16) => {
                invalid(format_args!("x has {len} experts, but this product takes multiples of 16"))
            }
            _ => Ok([count, len]),
        }
    }))?;
    if places.shape()?.last() != Some(&all.k) {
        return check::not_emulated("rowIdxOut whose last axis is not k");
    }
    if is_old {
        all.finished = None;
    }
    let kind = if is_old { Further::Zeros } else { Further::Places { rows: given[0] } };
    all.plan(given, (Norm::Softmax, dtype == BF16), Some((&places, all.k, I32, kind)))
}

pub(super) fn gating_top_k_softmax_v2(call: &Call<'_>) -> Result<Plan> {
    let (mut all, dtype) = OfSoftmax::of(call, signatures::gating_top_k_softmax_v2.takes)?;
    let further = call.optional_tensor("softmaxResultOutOptional")?;
    check::all_exactly(further.as_slice(), F32)?;
    let (is_late, is_asked) = (call.int("renorm")?, call.flag("outputSoftmaxResultFlag")?);
    let given = Divided::Generated.check(all.check(call, Some(0)).and_then(|given| {
        within("renorm", is_late, 0..=1)?;
        match &further {
            _ if is_late == 1 || !is_asked => {}
            None => {
                return invalid("outputSoftmaxResultFlag asks for softmaxResultOutOptional, which is null");
            }
            Some(further) => check::output_shape(further, all.x.shape()?)?,
        }
        Ok(given)
    }))?;
    let norm = if is_late == 1 { Norm::Late } else { Norm::Softmax };
    let further = further.filter(|_| is_late == 0 && is_asked);
    let away = dtype == BF16 && !is_small(given[1], all.k);
    all.plan(given, (norm, away), further.as_ref().map(|row| (row, given[1], F32, Further::Row)))
}

pub(super) fn gating_top_k(call: &Call<'_>) -> Result<Plan> {
    let x = call.tensor("x")?;
    let [values, experts, row] = [call.tensor("yOut")?, call.tensor("expertIdxOut")?, call.tensor("outOut")?];
    let bias = call.optional_tensor("biasOptional")?;
    let by_ids = match call.has("inputIdsOptional") {
        true => call.optional_tensor("inputIdsOptional")?.zip(call.optional_tensor("tid2eidOptional")?),
        false => None,
    };
    if !x.is_empty() {
        let dtype = check::dtype(&x, signatures::gating_top_k.takes)?;
        check::each(&[bias.as_ref(), Some(&values)], |operand| typed(operand, &[dtype]))?;
    }
    typed(&experts, INDICES)?;
    typed(&row, FLOATS)?;
    if let Some((ids, table)) = &by_ids {
        check::each(&[ids, table], |operand| typed(operand, ANY_INDICES))?;
    }
    if values.is_empty() {
        return Ok(Plan::empty());
    }
    let (is_asked, norm) = (call.flag("outFlag")?, call.int("normType")?);
    let checked = || -> Result<([usize; 2], Gating)> {
        let [count, len] = sizes::<2>(&x)?;
        within("the experts of x", len as i64, 1..=2048)?;
        check::exactly(&row, F32)?;
        sizes::<2>(&row)?;
        if is_asked {
            check::output_shape(&row, &[count, len])?;
        }
        check::each(bias.as_slice(), |bias| check::output_shape(bias, &[len]))?;
        let groups = within("groupCount", call.int("groupCount")?, 1..=len as i64)?;
        if !len.is_multiple_of(groups) {
            return invalid(format_args!("groupCount is {groups}, which does not divide {len} experts"));
        }
        let kept = within("kGroup", call.int("kGroup")?, 1..=groups as i64)?;
        let k = within("k", call.int("k")?, 1..=(kept * (len / groups)) as i64)?;
        check::each(&[&values, &experts], |output| check::output_shape(output, &[count, k]))?;
        let mode = within("groupSelectMode", call.int("groupSelectMode")?, 0..=1)?;
        let renorm = within("renorm", call.int("renorm")?, 0..=1)?;
        if mode == 1 && len / groups < 2 {
            return invalid("groupSelectMode is 1, but groups have one expert");
        }
        let is_grouped = groups > 1 && groups < len && kept < groups;
        if is_grouped && groups * (len / groups).next_multiple_of(32) > 2048 {
            return invalid(format_args!("{groups} groups of {} experts are too many", len / groups));
        }
        if let Some((ids, table)) = &by_ids {
            check::output_shape(ids, &[count])?;
            if sizes::<2>(table)?[1] != k {
                return invalid(format_args!("tid2eidOptional has shape {}, but k is {k}", table.shape()?));
            }
        }
        let most = if settings::get().product == Product::Ascend950 { 2 } else { 1 };
        let norm = match within("normType", norm, 0..=most)? {
            0 => Norm::Softmax,
            1 => Norm::Sigmoid,
            _ => Norm::RootOfSoftplus,
        };
        let renormalizes = norm == Norm::Sigmoid || norm == Norm::Softmax && renorm == 1;
        let gating = Gating {
            norm,
            k,
            groups: [groups, kept],
            sums_two: mode == 1,
            renormalizes: renormalizes.then_some(call.float("eps")? as f32),
            factor: call.float("routedScalingFactor")? as f32,
            ties_away: false,
        };
        Ok(([count, len], gating))
    };
    let ([count, len], gating) = Divided::Launched.check(checked())?;
    let mut planner = StagePlanner::default();
    let mut inputs = vec![planner.read(&x, len, Some(F32))?];
    let given = Inputs { bias: bias.is_some(), ids: by_ids.is_some(), finished: false };
    if let Some(bias) = &bias {
        inputs.push(planner.read_again(bias, count, F32)?);
    }
    let k = gating.k;
    if let Some((ids, table)) = &by_ids {
        // The experts of each row, which are found first.
        let tables = vec![planner.table(table, k, Some(I32))?];
        let lists = vec![planner.list(ids, Some(I32))?];
        let found = planner.kept(I32, count * k)?;
        let lane = (found.0, read_lanes(k, I32, I32)?);
        planner.rows("find experts", [tables, lists, vec![lane]], count, |number, tables, lists, outputs| {
            let ([ids], [out]) = (lists, outputs) else { return Ok(false) };
            let id = cann_kernels::networks::experts::combine::int(ids, number);
            tables.visit::<u8>(0, id, &mut |row| out.copy_from_slice(row))
        });
        inputs.push((found.0, read_lanes(k, I32, I32)?));
    }
    let mut outputs = vec![planner.write(&values, k, Some(F32))?, planner.write(&experts, k, Some(I32))?];
    if is_asked {
        outputs.push(planner.write(&row, len, Some(F32))?);
    }
    let further = if is_asked { Further::Row } else { Further::None };
    planner.builder.lanes(inputs, outputs, count, gating.body(given, further));
    Ok(planner.plan())
}
