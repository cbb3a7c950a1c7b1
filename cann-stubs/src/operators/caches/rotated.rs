//! Keys and values that are dequantised, rotated, quantised and written to caches.

use aclnn_numerics::DType::{BF16, F16, F32, I8, I32};
use cann_kernels::networks::attention::{Dequantisation, Heads, Scale, Slots};

use super::written_cache::{WrittenCache, every_lane};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::read_lanes;
use crate::operators::stage_planner::{Divided, StagePlanner, sizes, typed};
use crate::operators::{check, signatures};
use crate::status::Result;

/// Checks an operand of so many elements, the last axis of which has `last`.
fn counted(operand: &Operand, count: usize, last: usize) -> Result {
    let shape = operand.shape()?;
    match shape.numel() == Some(count) && shape.last() == Some(&last) {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {shape}, but must have {count} elements, {last} of them in a row",
            operand.name
        )),
    }
}

pub(super) fn dequantised_rope_cache(call: &Call<'_>) -> Result<Plan> {
    let names =
        ["x", "cos", "sin", "kCacheRef", "vCacheRef", "indices", "scaleK", "scaleV", "qOut", "kOut", "vOut"];
    let [x, cos, sin, k_cache, v_cache, indices, k_scale, v_scale, q_out, k_out, v_out] =
        &call.tensors_of(names)?;
    let splits = call.ints("sizeSplits")?;
    let names = [
        "offsetKOptional",
        "offsetVOptional",
        "weightScaleOptional",
        "activationScaleOptional",
        "biasOptional",
    ];
    let [k_offset, v_offset, columns, of_rows, bias] = call.optional_tensors_of(names)?;
    let own = check::dtype(x, signatures::dequantised_rope_cache.takes)?;
    let dtype = if own == I32 { cos.known_dtype().unwrap_or(F32) } else { own };
    check::each(&[cos, sin, q_out, k_out, v_out], |operand| typed(operand, &[dtype]))?;
    typed(cos, &[F16, BF16])?;
    check::all_exactly(&[k_cache, v_cache], I8)?;
    check::exactly(indices, I32)?;
    let lists = [
        Some(k_scale),
        Some(v_scale),
        k_offset.as_ref(),
        v_offset.as_ref(),
        columns.as_ref(),
        of_rows.as_ref(),
    ];
    check::all_exactly(&lists, F32)?;
    check::each(bias.as_slice(), |bias| typed(bias, &[F32, F16, BF16, I32]))?;
    let checked = || -> Result<([usize; 3], [usize; 3], bool)> {
        let shape = x.shape()?;
        let [batches, tokens, len] = match shape[..] {
            [batches, len] => [batches, 1, len],
            [batches, tokens, len] => [batches, tokens, len],
            _ => return invalid(format_args!("x has shape {shape}, but must have two or three axes")),
        };
        let rows = batches * tokens;
        let [heads, size] = sizes::<2>(k_scale)?;
        let parts: Vec<usize> = splits.iter().filter_map(|part| usize::try_from(*part).ok()).collect();
        let [query, key, value] = parts[..] else {
            return invalid(format_args!("sizeSplits is {splits:?}, but must have three sizes"));
        };
        let sum = query.checked_add(key).and_then(|sum| sum.checked_add(value));
        let is_split =
            sum == Some(len) && key == value && key == heads * size && query.is_multiple_of(size.max(1));
        if rows == 0 || key == 0 || query == 0 || !is_split || !size.is_multiple_of(2) {
            return invalid(format_args!(
                "sizeSplits is {splits:?} for x of {shape} and heads of {size} elements"
            ));
        }
        check::each(&[Some(v_scale), k_offset.as_ref(), v_offset.as_ref()], |list| {
            check::output_shape(list, &[heads, size])
        })?;
        check::each(&[cos, sin], |angles| counted(angles, rows * size, size))?;
        counted(q_out, rows * query, size)?;
        if call.flag("kvOutput")? {
            check::each(&[k_out, v_out], |out| counted(out, rows * key, size))?;
        }
        let given = [columns.is_some(), of_rows.is_some(), bias.is_some()];
        if own != I32 && given.contains(&true) || own == I32 && !given[0] {
            return invalid("x of i32 needs weightScaleOptional, and another x takes no scales");
        }
        check::each(&[&columns, &bias], |list| counted(list, len, len))?;
        of_rows.as_ref().map_or(Ok(()), |list| match list.shape()?.numel() == Some(rows) {
            true => Ok(()),
            false => invalid(format_args!("{} has shape {} for {rows} rows", list.name, list.shape()?)),
        })?;
        if !matches!(call.optional_text("quantModeOptional")?.as_deref(), None | Some("" | "static"))
            || !matches!(call.optional_text("layoutOptional")?.as_deref(), None | Some("" | "BSND"))
        {
            return invalid("quantModeOptional is \"static\", and layoutOptional \"BSND\"");
        }
        let is_paged = match call.optional_text("cacheModeOptional")?.as_deref() {
            None | Some("" | "contiguous") => false,
            Some("page") => true,
            Some(other) => {
                return invalid(format_args!(
                    "cacheModeOptional is {other:?}, but must be \"contiguous\" or \"page\""
                ));
            }
        };
        check::output_shape(indices, &[if is_paged { rows } else { batches }])?;
        let [first, second, ..] = sizes::<4>(k_cache)?;
        check::each(&[k_cache, v_cache], |cache| check::output_shape(cache, &[first, second, heads, size]))?;
        if !is_paged && first < batches || second == 0 {
            return invalid(format_args!("kCacheRef has {first} batches, but x {batches}"));
        }
        Ok(([batches, tokens, len], [query / size, heads, size], is_paged))
    };
    let ([batches, tokens, len], [queries, heads, size], is_paged) = Divided::Generated.check(checked())?;
    let count = batches * tokens;
    let mut planner = StagePlanner::default();
    let mut row = planner.read(x, len, Some(F32))?;
    if own == I32 {
        let kinds = Dequantisation {
            by_column: columns.is_some(),
            by_row: of_rows.is_some(),
            bias: bias.is_some(),
            bias_first: bias.as_ref().is_some_and(|bias| bias.known_dtype() == Some(I32)),
        };
        let mut inputs = vec![row];
        if let Some(columns) = &columns {
            inputs.push(every_lane(&mut planner, columns, count)?);
        }
        if let Some(of_rows) = &of_rows {
            inputs.push(planner.read(of_rows, 1, Some(F32))?);
        }
        if let Some(bias) = &bias {
            inputs.push(every_lane(&mut planner, bias, count)?);
        }
        let place = planner.builder.temporary(F32, count * len)?;
        planner.builder.lanes(inputs, [(place, read_lanes(len, F32, F32)?)], count, kinds.body());
        row = (place, read_lanes(len, F32, F32)?);
    }
    let mut inputs = vec![row];
    for angles in [cos, sin] {
        inputs.push(planner.read(angles, size, Some(F32))?);
    }
    let kind = Scale::Divisor;
    let rooms = [
        WrittenCache {
            cache: k_cache,
            scale: Some(k_scale),
            offset: k_offset.as_ref(),
            kind,
            len: heads * size,
        },
        WrittenCache {
            cache: v_cache,
            scale: Some(v_scale),
            offset: v_offset.as_ref(),
            kind,
            len: heads * size,
        },
    ];
    let mut outputs = vec![planner.write(q_out, queries * size, Some(F32))?];
    for room in &rooms {
        room.read_steps(&mut planner, count, &mut inputs)?;
        outputs.push(room.memory(&mut planner, count)?);
    }
    let places = [outputs[1].0, outputs[2].0];
    if call.flag("kvOutput")? {
        // Queries are written already; what stands in their place is not used.
        let unused = planner.kept(F32, count * queries * size)?;
        outputs.push((unused.0, read_lanes(queries * size, F32, F32)?));
        for out in [k_out, v_out] {
            outputs.push(planner.write(out, heads * size, Some(F32))?);
        }
    }
    let steps = [rooms[0].steps(), rooms[1].steps()];
    let body = Heads { counts: [queries, heads, heads], size, epsilon: None, steps };
    planner.builder.lanes(inputs, outputs, count, body.body());
    for (room, place) in rooms.iter().zip(places) {
        let block = sizes::<4>(room.cache)?[1];
        let slots = Slots { len: room.len, block, piece: room.len };
        let slot = move |row: usize, numbers: &[i64]| {
            if is_paged {
                return numbers.get(row).copied().unwrap_or(-1);
            }
            let (batch, token) = (row / tokens, row % tokens);
            match numbers.get(batch).and_then(|first| usize::try_from(*first).ok()) {
                Some(first) if first + token < block => (batch * block + first + token) as i64,
                Some(_) => i64::MAX,
                None => -1,
            }
        };
        room.write(&mut planner, place, indices, (slots, count), slot)?;
    }
    Ok(planner.plan())
}
