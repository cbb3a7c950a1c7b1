//! Keys and values that are normalised and rotated, and written to caches.

use aclnn_numerics::DType::{F32, I64};
use aclnn_numerics::product::Product::Ascend950;
use cann_kernels::networks::attention::{Heads, NormAndRotate, Scale, Slots};

use super::written_cache::{WrittenCache, every_lane, one_for_each, rows_for_lanes, spread, written};
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::plan_builder::Place;
use crate::operators::stage_planner::{Divided, StagePlanner, sizes, typed};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// Elements of a latent row and of its rotated part, and of a row that is normalised as a whole and the values beside it.
const LATENT: [usize; 2] = [512, 64];
const WHOLE: [usize; 2] = [192, 128];

/// The places of rows in a cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Places along an axis of tokens, for each batch.
    Norm,
    /// Slots of blocks; and whether a block has groups of elements one after the other.
    Slots { nz: bool },
    /// The blocks of each so many tokens.
    Blocks { nz: bool },
}

impl Mode {
    /// The mode of a text; a text that is not known counts as none.
    fn of(text: Option<&str>) -> Self {
        match text {
            Some("PA" | "PA_BNSD") => Mode::Slots { nz: false },
            Some("PA_NZ") => Mode::Slots { nz: true },
            Some("PA_BLK_BNSD") => Mode::Blocks { nz: false },
            Some("PA_BLK_NZ") => Mode::Blocks { nz: true },
            _ => Mode::Norm,
        }
    }

    pub(super) fn is_nz(self) -> bool {
        matches!(self, Mode::Slots { nz: true } | Mode::Blocks { nz: true })
    }
}

/// Batches, heads and tokens of rows.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) batches: usize,
    pub(super) heads: usize,
    pub(super) tokens: usize,
}

impl Rows {
    /// Writes rows, in the order of batches, tokens and heads, to a cache whose rows have `own` elements of each head.
    pub(super) fn write(
        self,
        planner: &mut StagePlanner,
        (room, own, mode): (&WrittenCache<'_>, usize, Mode),
        rows: Place,
        index: &Operand,
    ) -> Result {
        let Self { batches, heads, tokens } = self;
        let cache = sizes::<4>(room.cache)?;
        let Mode::Norm = mode else {
            let (block, len) = (cache[1], own * heads);
            let piece = if mode.is_nz() { room.group()? } else { len };
            let slots = Slots { len, block, piece };
            let pages = tokens.div_ceil(block.max(1));
            let place = move |row: usize, numbers: &[i64]| match mode {
                Mode::Blocks { .. } => {
                    let (batch, token) = (row / tokens, row % tokens);
                    let start = numbers.get(batch * pages + token / block).copied().unwrap_or(-1);
                    let size = block as i64;
                    if start < 0 { -1 } else { (start / size * size).saturating_add((token % block) as i64) }
                }
                _ => numbers.get(row).copied().unwrap_or(-1),
            };
            return room.write(planner, rows, index, (slots, batches * tokens), place);
        };
        let block = cache[2];
        let slots = Slots { len: own, block, piece: own };
        let place = move |row: usize, numbers: &[i64]| {
            let (head, token) = (row % heads, row / heads);
            let number = numbers.get(token).copied().unwrap_or(-1);
            match usize::try_from(number) {
                Ok(number) if number < block => ((token / tokens * heads + head) * block + number) as i64,
                // A place that is not there is no slot of another batch.
                Ok(_) => i64::MAX,
                Err(_) => -1,
            }
        };
        room.write(planner, rows, index, (slots, batches * tokens * heads), place)
    }

    /// Checks the shape of a cache of rows with so many elements of each head.
    pub(super) fn fits(self, cache: &Operand, own: usize, mode: Mode) -> Result {
        let [_, second, third, last] = sizes::<4>(cache)?;
        let (heads, slots) = if mode == Mode::Norm { (second, third) } else { (third, second) };
        match heads == self.heads && last == own && slots > 0 {
            true => Ok(()),
            false => invalid(format_args!(
                "{} has shape {}, but a row has {} heads of {own} elements",
                cache.name,
                cache.shape()?,
                self.heads
            )),
        }
    }
}

pub(super) fn norm_rope_cache(call: &Call<'_>) -> Result<Plan> {
    let names = ["kv", "gamma", "cos", "sin", "index", "kCacheRef", "ckvCacheRef", "kRopeOut", "cKvOut"];
    let [kv, gamma, cos, sin, index, k_cache, ckv_cache, k_out, ckv_out] = &call.tensors_of(names)?;
    let names = ["kRopeScaleOptional", "cKvScaleOptional", "kRopeOffsetOptional", "cKvOffsetOptional"];
    let [k_scale, ckv_scale, k_offset, ckv_offset] = call.optional_tensors_of(names)?;
    let values = if call.has("vOptional") { call.optional_tensor("vOptional")? } else { None };
    let dtype = check::alike(&[kv, gamma, cos, sin], signatures::norm_rope_cache.takes)?;
    check::exactly(index, I64)?;
    check::each(&[Some(k_out), Some(ckv_out), values.as_ref()], |operand| typed(operand, &[dtype]))?;
    let mode = Mode::of(call.optional_text("cacheModeOptional")?.as_deref());
    let is_950 = settings::get().product == Ascend950;
    // The kernels before the 950 do not look at the flag in this mode.
    let writes_plain = call.flag("isOutputKv")? && (is_950 || mode != Mode::Norm);
    let room = |cache, scale, offset| WrittenCache { cache, scale, offset, kind: Scale::Factor, len: 0 };
    let rooms = [
        room(k_cache, k_scale.as_ref(), k_offset.as_ref()),
        room(ckv_cache, ckv_scale.as_ref(), ckv_offset.as_ref()),
    ];
    for room in &rooms {
        room.typed(dtype)?;
    }
    let checked = || -> Result<(Rows, [WrittenCache<'_>; 2], [usize; 2])> {
        let [batches, heads, tokens, last] = sizes::<4>(kv)?;
        let own = match (&values, is_950) {
            (Some(values), false) => {
                check::output_shape(values, &[batches, heads, tokens, WHOLE[1]])?;
                match last == WHOLE[0] && [1, 2, 4, 8].contains(&heads) {
                    true => [LATENT[1], WHOLE[1]],
                    false => return invalid("kv has 1, 2, 4 or 8 heads of 192 elements beside values"),
                }
            }
            (Some(values), true) => {
                let of_values = sizes::<4>(values)?;
                check::output_shape(values, &[batches, heads, tokens, of_values[3]])?;
                [sizes::<4>(cos)?[3], of_values[3]]
            }
            (None, _) => {
                let rotated = sizes::<4>(cos)?[3];
                let [normed] = sizes::<1>(gamma)?;
                let is_known = is_950 || [normed, rotated] == LATENT;
                match heads == 1 && is_known && normed.checked_add(rotated) == Some(last) {
                    true => [rotated, normed],
                    false => {
                        return invalid(format_args!(
                            "kv has {heads} heads of {last} elements, but must have one of {LATENT:?}"
                        ));
                    }
                }
            }
        };
        let [rotated, other] = own;
        let k_len = if values.is_some() { last } else { rotated };
        let normed = if values.is_some() { last } else { other };
        let of_angles = sizes::<4>(cos)?;
        let are_angles = of_angles[2] == 1 || of_angles[2] == tokens;
        check::output_shape(gamma, &[normed])?;
        check::output_shape(cos, &[batches, 1, of_angles[2], rotated])?;
        check::output_shape(sin, &of_angles)?;
        if batches * tokens == 0 || !are_angles || rotated % 2 != 0 || rotated > k_len || other == 0 {
            return invalid(format_args!("cos has shape {} for kv of {}", cos.shape()?, kv.shape()?));
        }
        let rows = Rows { batches, heads, tokens };
        let len = |own: usize| if mode == Mode::Norm { own } else { own * heads };
        rows.fits(k_cache, k_len, mode)?;
        rows.fits(ckv_cache, other, mode)?;
        let [of_keys, of_rows] = rooms;
        let rooms = [WrittenCache { len: k_len, ..of_keys }, WrittenCache { len: other, ..of_rows }];
        if let (Some(first), Some(second)) = (&k_scale, &ckv_scale)
            && first.rank() != second.rank()
        {
            return invalid(format_args!(
                "{} has {} axes, but must have {}",
                second.name,
                second.rank(),
                first.rank()
            ));
        }
        for room in &rooms {
            room.scaled()?;
            one_for_each(room.scale, room.len)?;
            check::have_elements(&[room.offset], room.len)?;
            if mode == Mode::Norm && room.scale.is_some() && !is_950 {
                return invalid("this product quantises no cache in the mode Norm");
            }
            if mode.is_nz() {
                WrittenCache { len: len(room.len), ..*room }.group()?;
            }
        }
        let starts = match mode {
            Mode::Blocks { .. } => tokens.div_ceil(sizes::<4>(k_cache)?[1]),
            _ => tokens,
        };
        if sizes::<4>(k_cache)?[1] != sizes::<4>(ckv_cache)?[1] && matches!(mode, Mode::Blocks { .. }) {
            return invalid("both caches must have blocks of the same size");
        }
        if index.shape()?.numel() != Some(batches * starts) {
            return invalid(format_args!(
                "index has shape {}, but needs {} elements",
                index.shape()?,
                batches * starts
            ));
        }
        if writes_plain {
            check::output_shape(k_out, &[batches, heads, tokens, k_len])?;
            check::output_shape(ckv_out, &[batches, heads, tokens, other])?;
        }
        Ok((rows, rooms, [normed, rotated]))
    };
    let (rows, rooms, [normed, rotated]) = Divided::Generated.check(checked())?;
    let Rows { batches, heads, tokens } = rows;
    let count = batches * heads * tokens;
    let order = [0, 2, 1, 3];
    let mut planner = StagePlanner::default();
    let of_row = |last| [batches, heads, tokens, last];
    let mut inputs = vec![
        spread(&mut planner, kv, &of_row(sizes::<4>(kv)?[3]), &order)?,
        every_lane(&mut planner, gamma, count)?,
        spread(&mut planner, cos, &of_row(rotated), &order)?,
        spread(&mut planner, sin, &of_row(rotated), &order)?,
    ];
    if let Some(values) = &values {
        inputs.push(spread(&mut planner, values, &of_row(rooms[1].len), &order)?);
    }
    let mut outputs = Vec::new();
    for room in &rooms {
        room.read_steps(&mut planner, count, &mut inputs)?;
        outputs.push(room.memory(&mut planner, count)?);
    }
    let places = [outputs[0].0, outputs[1].0];
    if writes_plain {
        outputs.push(written(&mut planner, k_out, &order)?);
        outputs.push(written(&mut planner, ckv_out, &order)?);
    }
    let body = NormAndRotate {
        size: normed,
        rotated,
        of_all: values.is_some(),
        epsilon: call.float("epsilon")? as f32,
        steps: [rooms[0].steps(), rooms[1].steps()],
    };
    planner.builder.lanes(inputs, outputs, count, body.body());
    for (room, place) in rooms.iter().zip(places) {
        let own = room.len;
        rows.write(&mut planner, (room, own, mode), place, index)?;
    }
    Ok(planner.plan())
}

/// Elements of a head.
const HEAD: usize = 128;

/// Positive numbers of a list that has so many.
fn counts<const N: usize>(call: &Call<'_>, name: &str) -> Result<[usize; N]> {
    let list = call.ints(name)?;
    let numbers: Vec<usize> =
        list.iter().filter_map(|number| usize::try_from(*number).ok()).filter(|number| *number > 0).collect();
    <[usize; N]>::try_from(&numbers[..])
        .or_else(|_| invalid(format_args!("{name} is {list:?}, but must have {N} positive numbers")))
}

pub(super) fn norm_rope_heads_cache(call: &Call<'_>) -> Result<Plan> {
    let names = ["qkv", "qGamma", "kGamma", "cos", "sin", "index", "qOut", "kCache", "vCache"];
    let [qkv, q_gamma, k_gamma, cos, sin, index, q_out, k_cache, v_cache] = &call.tensors_of(names)?;
    call.ints("qkvSize")?;
    call.ints("headNums")?;
    let names = ["kScaleOptional", "vScaleOptional", "kOffsetOptional", "vOffsetOptional"];
    let [k_scale, v_scale, k_offset, v_offset] = call.optional_tensors_of(names)?;
    let names = ["qOutBeforeQuant", "kOutBeforeQuant", "vOutBeforeQuant"];
    let [q_plain, k_plain, v_plain] = call.optional_tensors_of(names)?;
    let dtype =
        check::alike(&[qkv, q_gamma, k_gamma, cos, sin, q_out], signatures::norm_rope_heads_cache.takes)?;
    check::exactly(index, I64)?;
    let room = |cache, scale, offset| WrittenCache { cache, scale, offset, kind: Scale::Divisor, len: 0 };
    let rooms = [
        room(k_cache, k_scale.as_ref(), k_offset.as_ref()),
        room(v_cache, v_scale.as_ref(), v_offset.as_ref()),
    ];
    let checked = || -> Result<([usize; 3], [WrittenCache<'_>; 2])> {
        let [batches, tokens, heads, size] = counts::<4>(call, "qkvSize")?;
        let of_heads = counts::<3>(call, "headNums")?;
        let [of_query, of_key, of_value] = of_heads;
        let is_split = of_heads.iter().try_fold(0_usize, |sum, heads| sum.checked_add(*heads)) == Some(heads);
        if size != HEAD || !is_split || of_key != of_value || of_query % of_key != 0 {
            return invalid(format_args!(
                "there are {of_heads:?} heads of {size} elements, but all {heads} must have {HEAD}, and as many keys as values"
            ));
        }
        let count = batches.saturating_mul(tokens);
        check::output_shape(qkv, &[count, heads.saturating_mul(size)])?;
        check::output_shape(q_out, &[count, of_query * size])?;
        check::each(&[q_gamma, k_gamma], |gamma| check::output_shape(gamma, &[size]))?;
        let angles = sizes::<2>(cos)?[0];
        check::each(&[cos, sin], |operand| check::output_shape(operand, &[angles, size]))?;
        if angles != count && angles != batches || index.shape()?.numel() != Some(count) {
            return invalid(format_args!(
                "cos has {angles} rows and index shape {} for {count} tokens",
                index.shape()?
            ));
        }
        if !matches!(call.optional_text("cacheModeOptional")?.as_deref(), None | Some("PA_NZ")) {
            return invalid("cacheModeOptional must be null or \"PA_NZ\"");
        }
        let len = of_key * size;
        let [k_room, ckv_room] = rooms;
        let rooms = [WrittenCache { len, ..k_room }, WrittenCache { len, ..ckv_room }];
        let [blocks, _, block, _] = sizes::<4>(k_cache)?;
        for room in &rooms {
            room.typed(dtype)?;
            room.scaled()?;
            let group = room.group()?;
            check::output_shape(room.cache, &[blocks, len / group, block, group])?;
            check::each(&[room.scale, room.offset], |list| check::output_shape(list, &[of_key, size]))?;
        }
        if block == 0 || !block.is_multiple_of(32) || blocks < batches.saturating_mul(tokens.div_ceil(block))
        {
            return invalid(format_args!(
                "there are {blocks} blocks of {block} tokens for {batches} batches of {tokens}"
            ));
        }
        Ok((of_heads, rooms))
    };
    // Without these outputs nobody looks whether the kernel could be launched.
    let divided = if q_plain.is_some() { Divided::Launched } else { Divided::Later };
    let (counts, rooms) = divided.check(checked())?;
    let [of_query, of_key, _] = counts;
    let plain = match (&q_plain, &k_plain, &v_plain) {
        (None, ..) => None,
        (Some(query), Some(key), Some(value)) => {
            for (operand, heads) in [(query, of_query), (key, of_key), (value, of_key)] {
                check::exactly(operand, dtype)
                    .and_then(|()| check::output_shape(operand, &[sizes::<2>(qkv)?[0], heads * HEAD]))
                    .map_err(check::when_launched)?;
            }
            Some([query, key, value])
        }
        _ => return check::unlaunched("all three outputs before quantisation are given, or none"),
    };
    let [count, len] = sizes::<2>(qkv)?;
    let mut planner = StagePlanner::default();
    let mut inputs = vec![
        planner.read(qkv, len, Some(F32))?,
        every_lane(&mut planner, q_gamma, count)?,
        every_lane(&mut planner, k_gamma, count)?,
    ];
    for operand in [cos, sin] {
        inputs.push(rows_for_lanes(&mut planner, operand, count)?);
    }
    let mut outputs = vec![planner.write(q_out, of_query * HEAD, Some(F32))?];
    for room in &rooms {
        room.read_steps(&mut planner, count, &mut inputs)?;
        outputs.push(room.memory(&mut planner, count)?);
    }
    let places = [outputs[1].0, outputs[2].0];
    for (operand, heads) in plain.into_iter().flatten().zip([of_query, of_key, of_key]) {
        outputs.push(planner.write(operand, heads * HEAD, Some(F32))?);
    }
    let steps = [rooms[0].steps(), rooms[1].steps()];
    let body = Heads { counts, size: HEAD, epsilon: Some(call.float("epsilon")? as f32), steps };
    planner.builder.lanes(inputs, outputs, count, body.body());
    for (room, place) in rooms.iter().zip(places) {
        let (block, piece) = (sizes::<4>(room.cache)?[2], room.group()?);
        let slots = Slots { len: room.len, block, piece };
        let slot = |row: usize, numbers: &[i64]| numbers.get(row).copied().unwrap_or(-1);
        room.write(&mut planner, place, index, (slots, count), slot)?;
    }
    Ok(planner.plan())
}
