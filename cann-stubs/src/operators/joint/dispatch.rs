//! Sending the rows of tokens to the ranks of their experts.
//!
//! Each rank packs its rows by rank and expert; the ranks tell each other how many there are, exchange them, and put them into the
//! order of their own experts. What only the combination reads is this emulator's own: `epRecvCounts` has running sums over
//! the experts of this rank and the ranks that sent rows, `expandIdx` the place of each choice among those of its expert,
//! and `assistInfoForCombine`, `tpRecvCounts` and `expandScales` are zeros. Rows of `expandX` behind the last one are zeros too.

use aclnn_numerics::DType::{self, BF16, F16, F32, I8, I32, I64};
use cann_kernels::LaneFunction;
use cann_kernels::networks::experts::combine::{Steps, quantize};
use cann_kernels::networks::experts::exchange::{rows, rows_mut};

use super::routed::{Routed, bytes_of, input, optional, output, take};
use crate::collective::joint::{Exchange, Rows};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::fused::one_of;
use crate::operators::whole_stage::WholeStage;
use crate::operators::{check, signatures};
use crate::status::Result;

/// The results of a call.
struct Outputs<'c> {
    rows: Operand<'c>,
    scales: Operand<'c>,
    /// For each choice its place among those of its expert, or nothing that is read.
    places: Operand<'c>,
    counts: Operand<'c>,
    received: Operand<'c>,
    unused: [Operand<'c>; 2],
}

impl<'c> Outputs<'c> {
    fn of(call: &'c Call<'_>) -> Result<Self> {
        let places = if call.has("expandIdx") { "expandIdx" } else { "assistInfoForCombineOut" };
        Ok(Self {
            rows: output(call, "expandXOut")?,
            scales: output(call, "dynamicScalesOut")?,
            places: call.tensor(places)?,
            counts: output(call, "expertTokenNumsOut")?,
            received: output(call, "epRecvCountsOut")?,
            unused: [output(call, "tpRecvCountsOut")?, output(call, "expandScalesOut")?],
        })
    }
}

pub(super) fn distribute_dispatch(call: &Call<'_>) -> Result<Plan> {
    let x = call.tensor("x")?;
    let factors = optional(call, "scales")?;
    let outputs = Outputs::of(call)?;
    let own = check::dtype(&x, signatures::distribute_dispatch.takes)?;
    let quantises = match call.int("quantMode")? {
        0 => false,
        2 => true,
        other => return invalid(format_args!("quantMode is {other}, but must be 0 or 2")),
    };
    let to = one_of(&outputs.rows, &[if quantises { I8 } else { own }])?;
    check::exactly(&outputs.counts, I64)?;
    check::exactly(&outputs.received, I32)?;
    check::exactly(&outputs.places, I32)?;
    if quantises {
        check::exactly(&outputs.scales, F32)?;
    }
    factors.as_ref().map(|factors| one_of(factors, &[F32])).transpose()?;
    if factors.is_some() && !quantises {
        return invalid("scales go with quantMode 2");
    }
    let sums = match call.int("expertTokenNumsType")? {
        0 => true,
        1 => false,
        other => return invalid(format_args!("expertTokenNumsType is {other}, but must be 0 or 1")),
    };
    let width = x.shape()?.last().copied().unwrap_or(0);
    let mut routed = Routed::of(call, width)?;
    let routing = routed.routing;
    check::output_shape(&x, &[routing.tokens, width])?;
    let [room, _] = outputs.rows.shape()?[..] else {
        return invalid(format_args!("expandX has {} axes, but must have 2", outputs.rows.rank()));
    };
    check::output_shape(&outputs.rows, &[room, width])?;
    check::output_shape(&outputs.counts, &[routing.own()])?;
    has_at_least(&outputs.received, routing.own().saturating_mul(routing.ranks))?;
    let is_of_v1 = call.has("expandIdx");
    has_at_least(&outputs.places, if is_of_v1 { routing.tokens.saturating_mul(routing.chosen) } else { 0 })?;
    if quantises {
        has_at_least(&outputs.scales, room)?;
    }
    if let Some(factors) = &factors {
        let [experts, _] = factors.shape()?[..] else { return invalid("scales must have 2 axes") };
        check::output_shape(factors, &[experts, width])?;
        if experts != routing.experts + routing.shared {
            return invalid(format_args!(
                "scales has {experts} rows for {} experts",
                routing.experts + routing.shared
            ));
        }
    }
    let len = bytes_of(width, to).saturating_add(if quantises { size_of::<f32>() } else { 0 });
    let kept = Kept::of(&mut routed, len, room);
    let packed = pack(&routed, &x, factors.as_ref(), (own, to), &kept, is_of_v1.then_some(&outputs.places))?;
    routed.joint.alone(packed);
    let numbers = bytes_of(routing.local, I64);
    routed.joint.together(Exchange::AllToAll(numbers), &[&kept.sent, &kept.received])?;
    let exchange = Rows { bytes: len, most: [routing.most(), room], numbers: routing.local };
    routed
        .joint
        .together(Exchange::Rows(exchange), &[&kept.rows, &kept.arrived, &kept.sent, &kept.received])?;
    let unpacked = unpack(&routed, (to, len, sums), &kept, &outputs, is_of_v1)?;
    routed.joint.alone(unpacked);
    Ok(routed.joint.plan())
}

fn has_at_least(operand: &Operand, count: usize) -> Result {
    match operand.shape()?.numel() {
        Some(own) if own >= count => Ok(()),
        _ => invalid(format_args!(
            "{} has shape {}, but needs {count} elements",
            operand.name,
            operand.shape()?
        )),
    }
}

/// The counts that go from one part to the next.
struct Kept<'c> {
    /// The number of rows that go to each cell, and of those that come from each rank for each own expert.
    sent: Operand<'c>,
    received: Operand<'c>,
    rows: Operand<'c>,
    arrived: Operand<'c>,
}

impl<'c> Kept<'c> {
    fn of(routed: &mut Routed<'c>, len: usize, room: usize) -> Self {
        let Routed { joint, routing, .. } = routed;
        let cells = [routing.ranks, routing.local];
        Self {
            sent: joint.kept("the numbers of rows to send", I64, &cells),
            received: joint.kept("the numbers of rows to receive", I64, &cells),
            rows: joint.kept("the rows to send", I8, &[routing.most(), len]),
            arrived: joint.kept("the rows that arrive", I8, &[room, len]),
        }
    }
}

fn pack(
    routed: &Routed,
    x: &Operand,
    factors: Option<&Operand>,
    (own, to): (DType, DType),
    kept: &Kept,
    places: Option<&Operand>,
) -> Result<Plan> {
    let quantises = to == I8;
    let (routing, width) = (routed.routing, routed.width);
    let mut stage = WholeStage::default();
    let x = stage.read(x, if quantises { F32 } else { own })?;
    let ids = stage.read(&routed.ids, I32)?;
    let mask = stage.read_if(routed.mask.as_ref(), None)?;
    let factors = stage.read_if(factors, Some(F32))?;
    let counts = stage.write(&kept.sent, I64)?;
    let packed = stage.write(&kept.rows, I8)?;
    let places = places.map(|places| stage.write(places, I32)).transpose()?.flatten();
    let (row, step) = (bytes_of(width, to), if quantises { size_of::<f32>() } else { 0 });
    Ok(stage.plan(LaneFunction::new("pack rows for ranks", move |_, inputs, outputs| {
        let (x, ids) = (input(inputs, Some(x)), bytemuck::cast_slice(input(inputs, Some(ids))));
        let (mask, factors) = (input(inputs, mask), input(inputs, factors));
        let mut numbers = vec![0_i64; routing.cells()];
        routing.count(ids, mask, &mut numbers)?;
        let (counts, packed) = (take(outputs, counts), take(outputs, packed));
        let places = take(outputs, places);
        counts.copy_from_slice(bytemuck::cast_slice(&numbers));
        packed.fill(0);
        places.fill(0);
        let places: &mut [i32] = bytemuck::cast_slice_mut(places);
        routing.place(ids, mask, &numbers, &mut |leaving, at, among| {
            let target = rows_mut(packed, at, 1, row + step)?;
            if quantises {
                let source: &[f32] =
                    bytemuck::cast_slice(rows(x, leaving.token, 1, width * size_of::<f32>())?);
                let factors = match factors.is_empty() {
                    true => None,
                    false => Some(bytemuck::cast_slice(rows(
                        factors,
                        leaving.expert,
                        1,
                        width * size_of::<f32>(),
                    )?)),
                };
                let (codes, end) = target.split_at_mut(row);
                let codes = bytemuck::cast_slice_mut(codes);
                let step = quantize(Steps::Own { away: false }, source, factors, [1.0, 0.0], codes);
                end.copy_from_slice(&step.to_ne_bytes());
            } else {
                target.copy_from_slice(rows(x, leaving.token, 1, row)?);
            }
            if let Some(choice) = leaving.choice {
                let place = leaving.token * routing.chosen + choice;
                places.iter_mut().skip(place).take(1).for_each(|place| *place = among as i32);
            }
            Ok(())
        })
    })))
}

fn unpack(
    routed: &Routed,
    (to, len, sums): (DType, usize, bool),
    kept: &Kept,
    outputs: &Outputs,
    is_of_v1: bool,
) -> Result<Plan> {
    let (routing, row) = (routed.routing, bytes_of(routed.width, to));
    let mut stage = WholeStage::default();
    let arrived = stage.table(&kept.arrived, I8)?;
    let numbers = stage.read(&kept.received, I64)?;
    let results = [
        stage.write(&outputs.rows, to)?,
        stage.write(&outputs.counts, I64)?,
        stage.write(&outputs.received, I32)?,
        if to == I8 { stage.write(&outputs.scales, F32)? } else { None },
    ];
    // Zeros of any type are bytes of zero.
    let blank = [Some(&outputs.unused[0]), Some(&outputs.unused[1]), (!is_of_v1).then_some(&outputs.places)];
    for operand in blank.into_iter().flatten() {
        let own = one_of(operand, &[I32, I64, F32, F16, BF16])?;
        stage.write(operand, own)?;
    }
    Ok(stage.plan(LaneFunction::new("order rows by experts", move |_, inputs, outputs| {
        let (arrived, numbers) = (input(inputs, Some(arrived)), input(inputs, Some(numbers)));
        outputs.iter_mut().for_each(|output| output.fill(0));
        let expanded = take(outputs, results[0]);
        let counts: &mut [i64] = bytemuck::cast_slice_mut(take(outputs, results[1]));
        let received: &mut [i32] = bytemuck::cast_slice_mut(take(outputs, results[2]));
        let scales: &mut [f32] = bytemuck::cast_slice_mut(take(outputs, results[3]));
        routing.runs(bytemuck::cast_slice(numbers), &mut |[expert, rank], [count, from, to]| {
            let sources = rows(arrived, from, count, len)?.chunks_exact(len.max(1));
            let targets = rows_mut(expanded, to, count, row)?.chunks_exact_mut(row.max(1));
            for (number, (source, target)) in sources.zip(targets).enumerate() {
                let (codes, end) = source.split_at(row);
                target.copy_from_slice(codes);
                if let (Some(scale), Ok(step)) = (scales.get_mut(to + number), end.try_into()) {
                    *scale = f32::from_ne_bytes(step);
                }
            }
            let end = to + count;
            received.iter_mut().skip(expert * routing.ranks + rank).take(1).for_each(|own| *own = end as i32);
            counts.iter_mut().skip(expert).take(1).for_each(|own| {
                *own = if sums { end as i64 } else { *own + count as i64 };
            });
            Ok(())
        })
    })))
}
