//! Tokens and their places from one pass of a model to the next.

use aclnn_numerics::DType::I32;
use cann_kernels::{Cause, Failure};

use crate::operators::call::{Call, Plan};
use crate::operators::check::{self, sizes, when_divided};
use crate::operators::lane_planner::{Lanes, Planner, longs, longs_mut};
use crate::operators::signatures;
use crate::operators::stage_planner::within;
use crate::status::Result;

pub(super) fn advance_step(call: &Call<'_>) -> Result<Plan> {
    let names = ["inputTokens", "inputPositions", "seqLens", "slotMapping", "sampledTokenIds", "blockTables"];
    let tensors = call.tensors_of(names)?;
    let [tokens, positions, lens, slots, sampled, tables] = &tensors;
    let optional = |name| if call.has(name) { call.optional_tensor(name) } else { Ok(None) };
    let (drafts, accepted) = (optional("specToken")?, optional("acceptedNum")?);
    for operand in &[&tensors[..], drafts.as_slice(), accepted.as_slice()].concat() {
        check::dtype(operand, signatures::advance_step.takes)?;
    }
    let checked = || -> Result<[usize; 5]> {
        let rows = within("numSeqs", call.int("numSeqs")?, 1..=i64::MAX)?;
        let queries = within("numQueries", call.int("numQueries")?, 1..=rows as i64)?;
        let block = within("blockSize", call.int("blockSize")?, 1..=i64::MAX)?;
        let [_, columns] = sizes(tables)?;
        let behind = match &drafts {
            Some(drafts) => sizes::<2>(drafts)?[1],
            None => 0,
        };
        let own = behind.saturating_add(1);
        let all = rows.saturating_mul(own);
        check::have_elements(&[Some(tokens), Some(positions), Some(lens), Some(slots)], all)?;
        check::have_elements(&[drafts.as_ref()], rows.saturating_mul(behind))?;
        check::have_elements(&[accepted.as_ref()], rows)?;
        check::have_elements(&[Some(sampled)], queries.saturating_mul(own))?;
        check::has_shape(tables, &[rows, columns])?;
        Ok([rows, queries, block, columns, own])
    };
    let [rows, queries, block, columns, own] = checked().map_err(when_divided)?;
    let mut planner = Planner::new();
    let given = [Some(lens), Some(sampled), Some(tables), drafts.as_ref(), accepted.as_ref()];
    let mut inputs = [None; 5];
    for (input, operand) in inputs.iter_mut().zip(given) {
        *input = planner.all(operand, 1)?.map(Lanes::long);
    }
    let all = rows * own;
    let greatest = if slots.known_dtype() == Some(I32) { i64::from(i32::MAX) } else { i64::MAX };
    let mut outputs = [None; 4];
    for (output, operand) in outputs.iter_mut().zip([tokens, positions, lens, slots]) {
        *output = planner.out(operand, all)?.map(Lanes::long);
    }
    planner.try_lanes(1, inputs, outputs, "advance tokens", move |inputs, outputs| {
        let ([lens, sampled, tables, drafts, accepted], [tokens, positions, lens_out, slots]) =
            (inputs, outputs);
        let (lens, sampled, tables) = (longs(lens), longs(sampled), longs(tables));
        let (drafts, accepted) = (longs(drafts), longs(accepted));
        let (tokens, positions) = (longs_mut(tokens), longs_mut(positions));
        let (lens_out, slots) = (longs_mut(lens_out), longs_mut(slots));
        lens_out.copy_from_slice(lens);
        for row in 0..rows {
            let taken = accepted.get(row).copied().unwrap_or(0);
            for (step, at) in (row * own..(row + 1) * own).enumerate() {
                if row >= queries {
                    // Rows behind the queries fill up a batch.
                    (tokens[at], positions[at], slots[at]) = (0, 0, -1);
                    continue;
                }
                let place = lens[at].saturating_add(taken);
                let token = match step {
                    0 => usize::try_from(taken).ok().filter(|taken| *taken < own),
                    _ => Some(step - 1),
                };
                let column = usize::try_from(place).ok().map(|place| place / block);
                let (Some(token), Some(column)) = (token, column.filter(|column| *column < columns)) else {
                    let message = format_args!(
                        "place {place} of row {row}, which took {taken} tokens, is beyond {columns} blocks or {own} tokens"
                    );
                    return Err(Failure::new(Cause::AiCore, message));
                };
                let from = if step == 0 { sampled[row * own + token] } else { drafts[row * (own - 1) + token] };
                let (number, size) = (tables[row * columns + column], block as i64);
                let start = if number < 0 { None } else { number.checked_mul(size) };
                let slot = start.and_then(|start| start.checked_add(place % size));
                let Some(slot) = slot.filter(|slot| *slot <= greatest) else {
                    let message = format_args!(
                        "blockTables has block {number} for place {place} of row {row}, which has no slot from 0 to {greatest}"
                    );
                    return Err(Failure::new(Cause::AiCore, message));
                };
                (tokens[at], positions[at]) = (from, place);
                (lens_out[at], slots[at]) = (place.saturating_add(1), slot);
            }
        }
        Ok(())
    })?;
    Ok(planner.plan())
}
