//! Paged caches of keys and values: tokens are written to slots, and read from the blocks of sequences.

use aclnn_numerics::DType::{self, F32, I8, I32, I64};
use aclnn_numerics::layout::Walk;
use aclnn_numerics::product::Product::Ascend950;
use aclnn_sys::ACLNN_ERR_INNER_TILING_ERROR;
use cann_kernels::View;
use cann_kernels::indexing::index::{From, GatherPages, Scatter, Skips};
use cann_kernels::networks::attention::{Compressed, Compression, Slots as CacheSlots};
use cann_kernels::size_of_dtype;

use crate::mapped::{mapped, try_mapped};
use crate::operators::axes::{invalid, temporaries};
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, unlaunched, when_launched};
use crate::operators::conversions::through;
use crate::operators::index::grid::{Grid, Indices};
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::operators::signatures;
use crate::operators::stage_planner::{ANY_INDICES, Divided, StagePlanner, sizes, typed};
use crate::settings;
use crate::status::Result;

/// Bytes of the elements that lie side by side in a cache of the format NZ.
const NZ_BYTES: usize = 32;

/// The order of the axes of a cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Blocks, tokens of a block, heads, elements.
    Tokens,
    /// Blocks, heads, tokens of a block, elements.
    Heads,
    /// Blocks, groups of elements, tokens of a block, elements of a group.
    Nz,
}

/// A cache as slots for tokens of so many heads and elements.
pub(super) struct Slots<'a> {
    cache: &'a Operand<'a>,
    dtype: DType,
    /// All slots, as one axis.
    axis: Walk<1>,
    /// Sizes and strides of the axes of a token.
    token: Vec<(usize, isize)>,
}

impl<'a> Slots<'a> {
    pub(super) fn of(
        cache: &'a Operand,
        dtype: DType,
        order: Order,
        [heads, size]: [usize; 2],
    ) -> Result<Self> {
        let (shape, strides) = (cache.shape()?, cache.strides());
        let group = (NZ_BYTES / size_of_dtype(dtype).max(1)).max(1);
        let groups = size / group;
        let is_whole = size.is_multiple_of(group);
        let (slots, token) = match (order, &shape[..], &strides[..]) {
            (Order::Tokens, [_, _, h, d], [_, t, head, element]) if [*h, *d] == [heads, size] => {
                ((1, *t), vec![(heads, *head), (size, *element)])
            }
            (Order::Heads, [_, h, _, d], [_, head, t, element]) if [*h, *d] == [heads, size] => {
                ((2, *t), vec![(heads, *head), (size, *element)])
            }
            (Order::Nz, [_, all, _, c], [_, of_group, t, element])
                if is_whole && Some(*all) == heads.checked_mul(groups) && *c == group =>
            {
                let of_head = of_group.saturating_mul(groups as isize);
                ((2, *t), vec![(heads, of_head), (groups, *of_group), (group, *element)])
            }
            (Order::Nz, [_, h, g, _, c], [_, head, of_group, t, element])
                if is_whole && [*h, *g, *c] == [heads, groups, group] =>
            {
                ((3, *t), vec![(heads, *head), (groups, *of_group), (group, *element)])
            }
            _ => {
                return unlaunched(format_args!(
                    "{} has shape {shape}, which are no blocks of tokens of {heads} heads with {size} elements",
                    cache.name
                ));
            }
        };
        let axis = Walk::new(&[shape[0], shape[slots.0]], [&[strides[0], slots.1]]);
        Ok(Self { cache, dtype, axis, token })
    }

    /// So many tokens from `first` on of an operand, with the axes that they have in the cache. `strides` lead from token to
    /// token, head to head and element to element.
    fn tokens(&self, operand: &Operand, count: usize, strides: [isize; 3], first: i64) -> Result<View> {
        let [token, head, element] = strides;
        let mut sizes = vec![count];
        sizes.extend(self.token.iter().map(|(size, _)| *size));
        let strides = match self.token[..] {
            [_, _, (group, _)] => vec![token, head, element.saturating_mul(group as isize), element],
            _ => vec![token, head, element],
        };
        operand.view_of(self.dtype, &sizes, &strides, first)
    }

    /// Adds a stage that writes tokens to the slots that an operand numbers; negative ones are passed over.
    pub(super) fn write(
        &self,
        builder: &mut PlanBuilder,
        tokens: Place,
        slots: &Operand,
        count: usize,
    ) -> Result {
        let mut grid = Grid::new(self.cache);
        let indices = Indices::of(slots, slots.known_dtype() == Some(I64), self.axis.clone());
        let number = grid.add(Indices { skips: Skips::Negative, ..indices });
        grid.along(count, [(number, slots.strides().last().copied().unwrap_or(0))]);
        for (size, stride) in &self.token {
            grid.across(*size, *stride);
        }
        let (positions, mut inputs) = grid.positions(builder)?;
        inputs.push(tokens);
        let from = From::Tensor(inputs.len() - 1);
        let to = builder.write(self.cache, self.dtype, self.cache.in_order(self.dtype)?, true)?;
        builder.whole(&inputs, &[to], Scatter { positions, from, reduce: None });
        Ok(())
    }
}

/// The places of the tokens of keys and values.
struct Source {
    order: Order,
    /// From token to token, and the first one, of keys and values, where the call says so.
    given: Option<[(isize, i64); 2]>,
}

impl Source {
    fn of(call: &Call<'_>) -> Result<Self> {
        let text = |name| -> Result<String> { Ok(call.optional_text(name)?.unwrap_or_default()) };
        let (cache, scatter) = (text("cacheModeOptional")?, text("scatterModeOptional")?);
        let order = match (cache.as_str(), scatter.as_str()) {
            ("PA_NZ", _) => Order::Nz,
            ("" | "Norm", "NHSD") => Order::Heads,
            ("" | "Norm", "" | "None" | "Nct") => Order::Tokens,
            ("" | "Norm", "Alibi" | "Rope" | "Omni") => Order::Tokens,
            _ => {
                return unlaunched(format_args!(
                    "no cache is written with the modes {cache:?} and {scatter:?}"
                ));
            }
        };
        if order != Order::Tokens || scatter != "Nct" {
            return Ok(Self { order, given: None });
        }
        let pair = |name, otherwise| -> Result<[i64; 2]> {
            match call.optional(name, Call::ints)?.map(|list| list.to_vec()).as_deref() {
                None => Ok([otherwise; 2]),
                Some([key, value, ..]) => Ok([*key, *value]),
                Some(other) => unlaunched(format_args!(
                    "{name} is {other:?}, but needs a number for keys and one for values"
                )),
            }
        };
        let (strides, offsets) = (pair("stridesOptional", 1)?, pair("offsetsOptional", 0)?);
        Ok(Self {
            order,
            given: Some([(strides[0] as isize, offsets[0]), (strides[1] as isize, offsets[1])]),
        })
    }
}

pub(super) fn write_to_cache(call: &Call<'_>) -> Result<Plan> {
    let [key, key_cache, slots] =
        call.tensors_of(["key", "keyCacheRef", "slotMapping"]).map_err(when_launched)?;
    let names = ["compressLensOptional", "compressSeqOffsetOptional", "seqLensOptional"];
    let others = call.optional_tensors_of(names)?;
    call.optional_tensor("valueCacheRef")?;
    let value = match call.optional_tensor("value")? {
        Some(value) => Some((value, call.tensor("valueCacheRef").map_err(when_launched)?)),
        None => None,
    };
    let is_nothing = match &value {
        None => true,
        Some((value, cache)) => value.is_empty() || cache.is_empty(),
    };
    if (key.is_empty() || key_cache.is_empty()) && is_nothing {
        return Ok(Plan::empty());
    }
    let is_rank = |rank: usize| rank == 3 || rank == 4;
    if !is_rank(key.rank())
        || value.as_ref().is_some_and(|(value, _)| value.rank() != 0 && !is_rank(value.rank()))
    {
        return invalid("key has three or four axes, and value as well, or none");
    }
    let takes = signatures::write_to_cache.takes;
    let mut pairs = vec![(key, key_cache)];
    // A value without axes stands for none.
    pairs.extend(value.filter(|(value, _)| value.rank() != 0));
    let dtypes: Vec<DType> = try_mapped(&pairs, |(own, cache)| check::alike(&[own, cache], takes))?;
    let is_nz = call.optional_text("cacheModeOptional")?.as_deref() == Some("PA_NZ");
    if !is_nz && dtypes.iter().any(|dtype| *dtype != dtypes[0]) {
        return invalid(format_args!("key is {}, but value {}", dtypes[0], dtypes[dtypes.len() - 1]));
    }
    let of_slots = slots.known_dtype().filter(|dtype| [I32, I64].contains(dtype));
    if of_slots.is_none() {
        return invalid("slotMapping must be i32 or i64");
    }
    for other in others.iter().flatten() {
        if other.known_dtype() != of_slots {
            return invalid(format_args!("{} is not of the type of slotMapping", other.name));
        }
    }
    let source = Source::of(call)?;
    let compression = match call.optional_text("scatterModeOptional")?.as_deref() {
        Some("Alibi") if !is_nz => Some(Compression::Last),
        Some("Rope") if !is_nz => Some(Compression::Mean),
        Some("Omni") if !is_nz => Some(Compression::Window),
        _ => None,
    };
    if let Some(compression) = compression {
        let pairs: Vec<(&Operand, &Operand)> = mapped(&pairs, |(own, cache)| (own, cache));
        return compressed(compression, &pairs, &slots, &others);
    }
    let mut builder = PlanBuilder::new();
    let mut kept = Vec::new();
    for (at, ((own, cache), dtype)) in pairs.iter().zip(&dtypes).enumerate() {
        let (shape, strides) = (own.shape()?, own.strides());
        let ([count, heads, size], [token, head, element]) = (&shape[..], &strides[..]) else {
            return unlaunched(format_args!("{} has {} axes, but must have three", own.name, shape.rank()));
        };
        if slots.shape()?[..] != [*count] {
            return unlaunched(format_args!("slotMapping has shape {} for {count} tokens", slots.shape()?));
        }
        let (token, first) = match &source.given {
            Some(given) => given[at],
            None => (*token, own.offset()),
        };
        let to = Slots::of(cache, *dtype, source.order, [*heads, *size])?;
        let view = to.tokens(own, *count, [token, *head, *element], first)?;
        let from = builder.read(own, view, true);
        to.write(&mut builder, from, &slots, *count)?;
        kept.push((own, *dtype, *dtype));
    }
    Ok(builder.plan(temporaries(&kept)))
}

/// Writes the tokens of each head of sequences to slots of caches, without those that a mode leaves out.
fn compressed(
    compression: Compression,
    pairs: &[(&Operand, &Operand)],
    slots: &Operand,
    [lengths, starts, sequences]: &[Option<Operand>; 3],
) -> Result<Plan> {
    let (Some(lengths), Some(sequences)) = (lengths, sequences) else {
        return unlaunched("compressLensOptional and seqLensOptional say what is left out, but are null");
    };
    let needs_starts = compression != Compression::Last;
    let starts = starts.as_ref().filter(|_| needs_starts);
    let numbers = check::any_dtype(slots)?;
    let mut planner = StagePlanner::default();
    for (own, cache) in pairs {
        let dtype = check::any_dtype(own)?;
        let ([_, heads, len], [_, block, of_heads, of_token]) =
            (sizes::<3>(own).map_err(when_launched)?, sizes::<4>(cache).map_err(when_launched)?);
        let [batches] = sizes::<1>(sequences).map_err(when_launched)?;
        let fit = [Some(slots), Some(lengths), starts].iter().flatten().all(|list| {
            list.shape().is_ok_and(|shape| shape.rank() == 1 && shape.numel() == batches.checked_mul(heads))
        });
        if of_heads != 1 || of_token != len || block == 0 || !fit || needs_starts && starts.is_none() {
            return unlaunched(format_args!(
                "{} has shape {} for {} of {}; there are slots for one head, and numbers for each head of {batches} sequences",
                cache.name,
                cache.shape()?,
                own.name,
                own.shape()?
            ));
        }
        let mut inputs = vec![planner.read(own, len, None)?.0];
        for list in [Some(slots), Some(lengths), starts, Some(sequences)].iter().flatten() {
            inputs.push(planner.list(list, Some(numbers))?.0);
        }
        let body = Compressed {
            compression,
            slots: CacheSlots { len, block, piece: len },
            heads,
            wide: numbers == I64,
            conversions: [through(&[dtype, F32])?, through(&[F32, dtype])?],
            is_whole: dtype == I8,
        };
        let to = planner.write(cache, len, None)?.0;
        planner.builder.whole(&inputs, &[to], body);
    }
    Ok(planner.plan())
}

/// Keys alone. Phase one is not written by hand, and there are kernels for one product.
pub(super) fn write_keys_to_cache(call: &Call<'_>) -> Result<Plan> {
    let [key, cache, slots] = call.tensors_of(["key", "keyCacheRef", "slotMapping"])?;
    let names = ["compressLensOptional", "compressSeqOffsetOptional", "seqLensOptional"];
    let [lengths, places, sequences] = names.map(|name| call.optional_tensor(name));
    let others = [lengths?, places?, sequences?];
    let dtype = check::alike(&[&key, &cache], signatures::write_keys_to_cache.takes)?;
    typed(&slots, ANY_INDICES)?;
    check::each(&others, |list| typed(list, &[check::any_dtype(&slots)?]))?;
    let checked = || -> Result<([usize; 3], Order)> {
        let [count, heads, size] = sizes::<3>(&key)?;
        check::output_shape(&slots, &[count])?;
        let order = match call.optional_text("cacheMode")?.as_deref() {
            None | Some("" | "Norm") => Order::Tokens,
            Some("PA_NZ") => Order::Nz,
            Some(other) => {
                return invalid(format_args!("cacheMode is {other:?}, but must be \"Norm\" or \"PA_NZ\""));
            }
        };
        match others.iter().all(Option::is_none) {
            true => Ok(([count, heads, size], order)),
            false => check::not_emulated("keys that are compressed by this operator"),
        }
    };
    let ([count, heads, size], order) = Divided::Generated.check(checked())?;
    let to = Slots::of(&cache, dtype, order, [heads, size])
        .map_err(|status| status.with_code(ACLNN_ERR_INNER_TILING_ERROR))?;
    if key.is_empty() {
        return Ok(Plan::empty());
    }
    let strides = key.strides();
    let [token, head, element] = strides[..] else { return invalid("key must have three axes") };
    let mut builder = PlanBuilder::new();
    let view = to.tokens(&key, count, [token, head, element], key.offset())?;
    let from = builder.read(&key, view, true);
    to.write(&mut builder, from, &slots, count)?;
    Ok(builder.plan(temporaries(&[(&key, dtype, dtype)])))
}

pub(super) fn read_from_cache(call: &Call<'_>) -> Result<Plan> {
    let names = ["keyCache", "valueCache", "blockTables", "seqLens", "keyRef", "valueRef"];
    let [key_cache, value_cache, table, lengths, key, value] = call.tensors_of(names)?;
    let offsets = call.optional_tensor("seqOffsetOptional")?;
    for operand in [&key_cache, &value_cache, &key, &value] {
        if operand.is_empty() {
            return Ok(Plan::empty());
        }
    }
    for (operand, ranks) in [
        (&key_cache, 4..=4),
        (&value_cache, 4..=4),
        (&table, 2..=2),
        (&lengths, 1..=1),
        (&key, 2..=3),
        (&value, 2..=3),
    ] {
        if !ranks.contains(&operand.rank()) {
            return invalid(format_args!(
                "{} has {} axes, but must have {ranks:?}",
                operand.name,
                operand.rank()
            ));
        }
    }
    let takes = signatures::read_from_cache.takes;
    let pairs = [(&key_cache, &key), (&value_cache, &value)];
    let dtypes = [check::alike(&[&key_cache, &key], takes)?, check::alike(&[&value_cache, &value], takes)?];
    let of_numbers = table.known_dtype().filter(|dtype| [I32, I64].contains(dtype));
    let numbers = [Some(&lengths), offsets.as_ref()];
    if of_numbers.is_none() || numbers.into_iter().flatten().any(|other| other.known_dtype() != of_numbers) {
        return invalid("blockTables, seqLens and seqOffset must all be i32, or all i64");
    }
    let has_kernel =
        dtypes.iter().all(|dtype| matches!(dtype, DType::F16 | DType::BF16 | &I8)) && of_numbers == Some(I32);
    if settings::get().product != Ascend950 && !has_kernel {
        return unlaunched("this product reads caches of f16, bf16 and i8 by numbers of i32");
    }
    let cumulated = call.flag("isSeqLensCumsum")?;
    let (rows, width) = (table.shape()?[0], table.shape()?[1]);
    if lengths.shape()?[0] != rows + usize::from(cumulated)
        || offsets.as_ref().is_some_and(|offsets| offsets.shape().map_or(true, |shape| shape[..] != [rows]))
    {
        return unlaunched(format_args!(
            "seqLens has shape {}, but blockTables rows of blocks for {rows} sequences",
            lengths.shape()?
        ));
    }
    let is_nz = match call.optional_text("cacheMode")?.as_deref() {
        None | Some("Norm") => false,
        Some("PA_NZ") => true,
        Some(other) => {
            return unlaunched(format_args!("cacheMode is {other:?}, but must be \"Norm\" or \"PA_NZ\""));
        }
    };
    let mut builder = PlanBuilder::new();
    let (mut inputs, mut outputs, mut tokens, mut blocks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for ((cache, out), dtype) in pairs.into_iter().zip(dtypes) {
        let (shape, of_out) = (cache.shape()?, out.shape()?);
        let fits = match is_nz {
            true => of_out.rank() == 2 && of_out[1] == shape[1].saturating_mul(shape[3]),
            false => of_out.rank() == 3 && of_out[1..] == shape[2..],
        };
        if !fits {
            return unlaunched(format_args!("{} has shape {of_out}, but {} {shape}", out.name, cache.name));
        }
        let axes: &[usize] = if is_nz { &[0, 2, 1, 3] } else { &[0, 1, 2, 3] };
        inputs.push(builder.look_up(cache, cache.permuted(dtype, axes)?));
        tokens.push(of_out[1..].iter().product::<usize>());
        blocks.push(shape[axes[1]]);
        outputs.push(builder.write(out, dtype, out.in_order(dtype)?, true)?);
    }
    if blocks[0] != blocks[1] || key_cache.shape()?[0] != value_cache.shape()?[0] {
        return unlaunched("keyCache and valueCache must have the same blocks");
    }
    let numbers = of_numbers.unwrap_or(I32);
    for operand in [Some(&table), Some(&lengths), offsets.as_ref()].into_iter().flatten() {
        inputs.push(builder.read(operand, operand.in_order(numbers)?, true));
    }
    let body = GatherPages {
        block: blocks[0],
        token: [tokens[0], tokens[1]],
        width,
        cumulated,
        has_offsets: offsets.is_some(),
        wide: numbers == I64,
    };
    builder.whole(&inputs, &outputs, body);
    Ok(builder.plan(0))
}
