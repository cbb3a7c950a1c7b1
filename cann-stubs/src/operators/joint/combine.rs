//! Bringing the rows of experts back to the ranks of their tokens, and summing them up.
//!
//! The numbers of rows that go back are those of `epSendCounts`, as the dispatch wrote them; those that come follow from
//! `expertIds` and the mask, and so does the place of each choice. Sums are computed in f32, in the order of the choices.

use aclnn_numerics::DType::{self, BF16, F16, F32, I8, I32, I64};
use aclnn_numerics::types_by_product::Types;
use cann_kernels::LaneFunction;
use cann_kernels::functions::rows::add_scaled;
use cann_kernels::networks::experts::combine::{float, int};
use cann_kernels::networks::experts::exchange::{rows, rows_mut};

use super::routed::{Routed, bytes_of, input, optional, output, take};
use crate::collective::joint::{Exchange, Rows};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::fused::one_of;
use crate::operators::normalization::added;
use crate::operators::whole_stage::WholeStage;
use crate::operators::{check, signatures};
use crate::status::Result;

/// The operands of a combination.
struct Operands<'c> {
    expanded: Operand<'c>,
    counts: Operand<'c>,
    factors: Operand<'c>,
    /// Rows that are added to the sums.
    beside: Option<Operand<'c>>,
    tokens: Option<Operand<'c>>,
    /// Two numbers and a row of each constant expert.
    constants: [Option<Operand<'c>>; 3],
    dtype: DType,
}

impl<'c> Operands<'c> {
    fn of(call: &'c Call<'_>, takes: Types) -> Result<Self> {
        let (expanded, counts) = (call.tensor("expandX")?, call.tensor("epSendCounts")?);
        let factors = call.tensor("expertScales")?;
        call.tensor(if call.has("expandIdx") { "expandIdx" } else { "assistInfoForCombine" })?;
        let (beside, tokens) = (optional(call, "sharedExpertX")?, optional(call, "oriX")?);
        let constants = ["constExpertAlpha1", "constExpertAlpha2", "constExpertV"];
        let [first, second, row] = constants.map(|name| optional(call, name));
        let constants = [first?, second?, row?];
        let dtype = check::dtype(&expanded, takes)?;
        check::exactly(&counts, I32)?;
        check::exactly(&factors, F32)?;
        check::all_exactly(&[&beside, &tokens], dtype)?;
        check::each(&constants, |operand| one_of(operand, &[F32, F16, BF16]))?;
        Ok(Self { expanded, counts, factors, beside, tokens, constants, dtype })
    }

    /// Refuses shapes, once the routing is known.
    fn check(&self, routed: &Routed) -> Result {
        let (routing, width) = (routed.routing, routed.width);
        check::output_shape(&self.factors, &[routing.tokens, routing.chosen])?;
        if self.counts.shape()?.numel().unwrap_or(0) < routing.own().saturating_mul(routing.ranks) {
            return invalid(format_args!(
                "epSendCounts has shape {} for {} experts and {} ranks",
                self.counts.shape()?,
                routing.own(),
                routing.ranks
            ));
        }
        let rows = [routing.tokens, width];
        for operand in [self.beside, self.tokens].iter().flatten() {
            if operand.shape()?.numel() != Some(rows[0].saturating_mul(width)) {
                return invalid(format_args!(
                    "{} has shape {}, but must have {rows:?}",
                    operand.name,
                    operand.shape()?
                ));
            }
        }
        let [_, copy, constant] = routed.special;
        if copy + constant > 0 && self.tokens.is_none() {
            return invalid("experts that give tokens back need oriX");
        }
        if constant > 0 {
            let [Some(first), Some(second), Some(row)] = &self.constants else {
                return invalid(
                    "constant experts need constExpertAlpha1, constExpertAlpha2 and constExpertV",
                );
            };
            check::output_shape(first, &[constant])?;
            check::output_shape(second, &[constant])?;
            check::output_shape(row, &[constant, width])?;
        }
        Ok(())
    }
}

pub(super) fn distribute_combine(call: &Call<'_>) -> Result<Plan> {
    let out = output(call, "xOut")?;
    let operands = Operands::of(call, signatures::distribute_combine.takes)?;
    check::exactly(&out, operands.dtype)?;
    let mut routed = Routed::of(call, width(&operands)?)?;
    operands.check(&routed)?;
    check::output_shape(&out, &[routed.routing.tokens, routed.width])?;
    combined(&mut routed, &operands, &out)?;
    Ok(routed.joint.plan())
}

/// The residual is added to the sums of the tokens before they are normalised.
pub(super) fn distribute_combine_add_rms_norm(call: &Call<'_>) -> Result<Plan> {
    let (residual, gamma) = (call.tensor("residualX")?, call.tensor("gamma")?);
    let (out, rstd, total) = (call.tensor("yOut")?, call.tensor("rstdOut")?, call.tensor("xOut")?);
    let operands = Operands::of(call, signatures::distribute_combine_add_rms_norm.takes)?;
    for operand in [&residual, &gamma, &out, &total] {
        check::exactly(operand, operands.dtype)?;
    }
    check::exactly(&rstd, F32)?;
    let mut routed = Routed::of(call, width(&operands)?)?;
    operands.check(&routed)?;
    let sizes = [routed.routing.tokens, routed.width];
    // Tokens may lie in sequences of one.
    for operand in [&residual, &out, &total] {
        let shape = operand.shape()?;
        if shape[..] != sizes && shape[..] != [sizes[0], 1, sizes[1]] {
            return invalid(format_args!("{} has shape {shape}, but must have {sizes:?}", operand.name));
        }
    }
    check::output_shape(&gamma, &sizes[1..])?;
    if rstd.shape()?.numel() != Some(sizes[0]) {
        return invalid(format_args!("{} must have {} elements", rstd.name, sizes[0]));
    }
    let sum = routed.joint.kept("the sums of tokens", operands.dtype, &sizes);
    combined(&mut routed, &operands, &sum)?;
    if sizes[0] > 0 {
        let outputs = (&out, Some(&rstd), Some(&total));
        routed.joint.alone(added([&sum, &residual, &gamma], outputs, call.float("normEps")?, sizes)?);
    }
    Ok(routed.joint.plan())
}

fn width(operands: &Operands) -> Result<usize> {
    match operands.expanded.shape()?[..] {
        [_, width] => Ok(width),
        _ => invalid(format_args!("expandX has {} axes, but must have 2", operands.expanded.rank())),
    }
}

/// Adds the parts that bring rows back and sum them up.
fn combined(routed: &mut Routed, operands: &Operands, out: &Operand) -> Result {
    let (routing, dtype) = (routed.routing, operands.dtype);
    let (len, room) =
        (bytes_of(routed.width, dtype), operands.expanded.shape()?.first().copied().unwrap_or(0));
    let cells = [routing.ranks, routing.local];
    let sent = routed.joint.kept("the numbers of rows to send", I64, &cells);
    let received = routed.joint.kept("the numbers of rows to receive", I64, &cells);
    let leaving = routed.joint.kept("the rows to send", I8, &[room, len]);
    let arrived = routed.joint.kept("the rows that arrive", I8, &[routing.most(), len]);

    let mut stage = WholeStage::default();
    let expanded = stage.table(&operands.expanded, dtype)?;
    let ends = stage.read(&operands.counts, I32)?;
    let ids = stage.read(&routed.ids, I32)?;
    let mask = stage.read_if(routed.mask.as_ref(), None)?;
    let results = [stage.write(&sent, I64)?, stage.write(&received, I64)?, stage.write(&leaving, I8)?];
    let packed = stage.plan(LaneFunction::new("pack rows of experts", move |_, inputs, outputs| {
        let (expanded, ends) = (input(inputs, Some(expanded)), input(inputs, Some(ends)));
        let (ids, mask) = (bytemuck::cast_slice(input(inputs, Some(ids))), input(inputs, mask));
        let (sent, received) = (take(outputs, results[0]), take(outputs, results[1]));
        let leaving = take(outputs, results[2]);
        routing.count(ids, mask, bytemuck::cast_slice_mut(received))?;
        let mut counts = vec![0_i64; routing.cells()];
        let mut before = 0;
        for run in 0..routing.own() * routing.ranks {
            let end = int(ends, run);
            let cell = run % routing.ranks * routing.local + run / routing.ranks;
            counts.iter_mut().skip(cell).take(1).for_each(|count| *count = (end - before).max(0));
            before = end;
        }
        sent.copy_from_slice(bytemuck::cast_slice(&counts));
        leaving.fill(0);
        routing.runs(&counts, &mut |_, [count, to, from]| {
            rows_mut(leaving, to, count, len)?.copy_from_slice(rows(expanded, from, count, len)?);
            Ok(())
        })
    }));
    routed.joint.alone(packed);
    let exchange = Rows { bytes: len, most: [room, routing.most()], numbers: routing.local };
    routed.joint.together(Exchange::Rows(exchange), &[&leaving, &arrived, &sent, &received])?;
    let summed = sum_up(routed, operands, (&arrived, &received), out)?;
    routed.joint.alone(summed);
    Ok(())
}

fn sum_up(
    routed: &Routed,
    operands: &Operands,
    (arrived, received): (&Operand, &Operand),
    out: &Operand,
) -> Result<Plan> {
    let (routing, width, dtype) = (routed.routing, routed.width, operands.dtype);
    let (zero, copy) = (routed.special[0] as i64, routed.special[1] as i64);
    let mut stage = WholeStage::default();
    // The rows are bytes for what moves them.
    let arrived = arrived.seen_as(dtype, &[routing.most(), width]);
    let arrived = Operand(&arrived);
    let arrived = stage.table(&arrived, F32)?;
    let numbers = stage.read(received, I64)?;
    let ids = stage.read(&routed.ids, I32)?;
    let mask = stage.read_if(routed.mask.as_ref(), None)?;
    let factors = stage.read(&operands.factors, F32)?;
    let beside = stage.read_if(operands.beside.as_ref(), Some(F32))?;
    let tokens = stage.read_if(operands.tokens.as_ref(), Some(F32))?;
    let mut constants = [None; 3];
    for (number, operand) in constants.iter_mut().zip(&operands.constants) {
        *number = stage.read_if(operand.as_ref(), Some(F32))?;
    }
    let Some(result) = stage.write(out, F32)? else { return Ok(Plan::empty()) };
    let len = width * size_of::<f32>();
    Ok(stage.plan(LaneFunction::new("sum up rows of experts", move |_, inputs, outputs| {
        let (arrived, numbers) = (input(inputs, Some(arrived)), input(inputs, Some(numbers)));
        let (ids, mask) = (input(inputs, Some(ids)), input(inputs, mask));
        let (factors, beside) = (input(inputs, Some(factors)), input(inputs, beside));
        let (tokens, first) = (input(inputs, tokens), input(inputs, constants[0]));
        let (second, constant) = (input(inputs, constants[1]), input(inputs, constants[2]));
        let Some(out) = outputs.get_mut(result) else { return Ok(()) };
        out.fill(0);
        let add =
            |sum: &mut [f32], row: &[u8], factor: f32| add_scaled(bytemuck::cast_slice(row), factor, sum);
        let mut places = vec![None; routing.tokens * (routing.chosen + routing.shared)];
        let of_token = routing.chosen + routing.shared;
        routing.place(
            bytemuck::cast_slice(ids),
            mask,
            bytemuck::cast_slice(numbers),
            &mut |row, at, _| {
                let place = row.choice.unwrap_or(routing.chosen + row.expert);
                places.iter_mut().skip(row.token * of_token + place).take(1).for_each(|own| *own = Some(at));
                Ok(())
            },
        )?;
        let numbers_of_special = routing.experts as i64;
        for (token, places) in places.chunks(of_token.max(1)).enumerate() {
            let sum: &mut [f32] = bytemuck::cast_slice_mut(rows_mut(out, token, 1, len)?);
            for (choice, place) in places.iter().enumerate() {
                let flat = token * routing.chosen + choice;
                let factor = if choice < routing.chosen { float(factors, flat) } else { 1.0 };
                if let Some(place) = place {
                    add(sum, rows(arrived, *place, 1, len)?, factor);
                    continue;
                }
                let special = int(ids, flat) - numbers_of_special - zero;
                let is_there = choice < routing.chosen && routing.is_active(mask, token, choice);
                if !is_there || special < 0 {
                    continue;
                }
                let own = rows(tokens, token, 1, len)?;
                match usize::try_from(special - copy) {
                    Err(_) => add(sum, own, factor),
                    Ok(number) => {
                        add(sum, own, factor * float(first, number));
                        add(sum, rows(constant, number, 1, len)?, factor * float(second, number));
                    }
                }
            }
            if !beside.is_empty() {
                add(sum, rows(beside, token, 1, len)?, 1.0);
            }
        }
        Ok(())
    })))
}
