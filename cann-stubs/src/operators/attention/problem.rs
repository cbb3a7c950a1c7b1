//! Attention in parts, each of which is a stage with a lane for each head.

use aclnn_numerics::DType::{self, F32};
use cann_kernels::networks::attention::{Dropout, Forward, Scores, Shift, Statistics};
use cann_kernels::{Lane, View, size_of_dtype};

use super::heads::Heads;
use super::lengths::Part;
use super::pages::Pages;
use super::visible::{Grid, Visible};
use crate::operators::axes::{tasks, temporaries};
use crate::operators::call::{Operand, Plan};
use crate::operators::conversions::through;
use crate::operators::plan_builder::{Place, PlanBuilder};
use crate::operators::plan_builder::{read_lanes, written_lanes};
use crate::status::Result;

/// A call of attention, checked.
pub(super) struct Problem<'a> {
    pub(super) query: Heads<'a>,
    /// One tensor for all batches, or one for each.
    pub(super) keys: Vec<Heads<'a>>,
    pub(super) values: Vec<Heads<'a>>,
    pub(super) parts: Vec<Part>,
    pub(super) scale: f64,
    pub(super) shift: Option<(Grid<'a>, Shift)>,
    pub(super) visible: Visible<'a>,
    /// The bits of weights that are kept, and the share of these.
    pub(super) dropout: Option<(&'a Operand<'a>, f64)>,
    /// The table of keys and values that are a paged cache.
    pub(super) pages: Option<Pages<'a>>,
    /// The separate rotary parts of queries and of keys.
    pub(super) rope: Option<[Heads<'a>; 2]>,
    /// One more score for each head.
    pub(super) sinks: Option<&'a Operand<'a>>,
}

/// The outputs of [`Problem::plan`].
pub(super) struct Results<'a> {
    pub(super) out: Heads<'a>,
    pub(super) clears: bool,
    pub(super) statistics: Statistics,
    pub(super) noted: Vec<Heads<'a>>,
}

/// With fewer queries, the heads that share keys are computed together, so that these are read once.
const FEW: usize = 16;

impl<'a> Problem<'a> {
    /// Plain attention, in which every query sees every key.
    pub(super) fn new(
        query: Heads<'a>,
        keys: Vec<Heads<'a>>,
        values: Vec<Heads<'a>>,
        parts: Vec<Part>,
    ) -> Self {
        Self {
            query,
            keys,
            values,
            parts,
            scale: 1.0,
            shift: None,
            visible: Visible::default(),
            dropout: None,
            pages: None,
            rope: None,
            sinks: None,
        }
    }

    /// The heads of keys, and how many heads of queries share each.
    pub(super) fn groups(&self) -> [usize; 2] {
        let heads = self.keys.first().map_or(1, |keys| keys.heads).max(1);
        [heads, self.query.heads / heads]
    }

    /// The scores of a head of a part; a lane has `heads` of them.
    pub(super) fn scores(&self, part: &Part, heads: usize) -> Scores {
        let (queries, keys) = (part.queries.len(), part.keys.len());
        let dropout = self.dropout.map(|(_, keep)| {
            let (factor, of_head) = ((1.0 / keep) as f32, queries * keys);
            match self.has_bits_apart(part) {
                true => Dropout { factor, first: 0, of_lane: 0, of_head },
                false => Dropout { factor, first: part.before, of_lane: heads * of_head, of_head },
            }
        });
        Scores {
            queries,
            keys,
            size: self.query.size,
            scale: self.scale as f32,
            shift: self.shift.as_ref().map(|(_, shift)| *shift),
            band: self.visible.band(queries, keys),
            is_masked: self.visible.mask.is_some(),
            dropout,
            rope: self.rope.as_ref().map_or(0, |[query, _]| query.size),
            has_sink: self.sinks.is_some(),
        }
    }

    /// Returns whether the bits of each head begin a byte, so that a lane gets its own.
    fn has_bits_apart(&self, part: &Part) -> bool {
        let per_head = part.queries.len() * part.keys.len();
        let is_contiguous = self.dropout.is_some_and(|(bits, _)| bits.is_contiguous());
        is_contiguous && per_head.is_multiple_of(8) && part.before.is_multiple_of(8)
    }

    /// Adds what stands beside queries, keys and values to the inputs of a part; a lane has `heads` of them.
    pub(super) fn beside(
        &self,
        builder: &mut PlanBuilder,
        part: &Part,
        heads: usize,
        inputs: &mut Vec<(Place, Lane)>,
    ) -> Result {
        let (groups, queries, keys) = (self.groups(), part.queries.len(), part.keys.len());
        let numel = heads * queries * keys;
        if let Some((shift, _)) = &self.shift {
            let view = shift.view(&part.batches, groups, queries, keys)?;
            inputs.push((builder.read(shift.operand, view, true), read_lanes(numel, shift.dtype, F32)?));
        }
        if let Some(mask) = &self.visible.mask {
            let view = mask.view(&part.batches, groups, queries, keys)?;
            inputs.push((builder.read(mask.operand, view, true), read_lanes(numel, mask.dtype, mask.dtype)?));
        }
        if let Some((bits, _)) = self.dropout {
            let lanes = part.batches.len() * self.query.heads / heads;
            let view = match self.has_bits_apart(part) {
                true => {
                    let (bytes, offset) = (numel / 8, bits.offset() + (part.before / 8) as i64);
                    bits.view_of(DType::U8, &[lanes, bytes], &[bytes as isize, 1], offset)?
                }
                false => bits.repeated(DType::U8, lanes)?,
            };
            let len = view.numel() / lanes.max(1);
            inputs.push((builder.read(bits, view, true), read_lanes(len, DType::U8, DType::U8)?));
        }
        if let Some([query, key]) = &self.rope {
            inputs.push(self.queries(builder, query, part, heads)?);
            inputs.push(self.seen(builder, key, part)?);
        }
        if let Some(sinks) = self.sinks {
            let (view, dtype) = self.view_of_sinks(sinks, &[part.batches.len(), groups[0], groups[1]])?;
            inputs.push((builder.read(sinks, view, true), read_lanes(heads, dtype, F32)?));
        }
        Ok(())
    }

    /// The sinks of heads in groups, for batches and whatever else the sizes say, and their type.
    fn view_of_sinks(&self, sinks: &Operand, sizes: &[usize]) -> Result<(View, DType)> {
        let dtype = sinks.known_dtype().unwrap_or(F32);
        let stride = sinks.strides().first().copied().unwrap_or(0);
        let of_group = stride.saturating_mul(self.groups()[1] as isize);
        let strides = [0, of_group, stride, 0, 0];
        let view =
            sinks.view_of(dtype, sizes, strides.get(..sizes.len()).unwrap_or(&strides), sinks.offset())?;
        Ok((view, dtype))
    }

    /// The queries of a part, of which a lane has those of `heads` heads.
    fn queries(
        &self,
        builder: &mut PlanBuilder,
        query: &Heads<'_>,
        part: &Part,
        heads: usize,
    ) -> Result<(Place, Lane)> {
        let view = query.view(&part.batches, &part.queries, self.groups())?;
        let lane = read_lanes(heads * part.queries.len() * query.size, query.dtype, F32)?;
        Ok((builder.read(query.operand, view, true), lane))
    }

    /// The keys or values of a part, once for the heads that share a lane.
    fn seen(&self, builder: &mut PlanBuilder, heads: &Heads<'_>, part: &Part) -> Result<(Place, Lane)> {
        if let Some(pages) = &self.pages {
            let lane = read_lanes(pages.copied(part) * heads.size, heads.dtype, F32)?;
            return Ok((pages.copy(builder, heads, part)?, lane));
        }
        let [groups, each] = self.groups();
        let view = heads.view(&part.key_batches, &part.keys, [groups, each / self.heads_of_lane(part)])?;
        let lane = read_lanes(part.keys.len() * heads.size, heads.dtype, F32)?;
        Ok((builder.read(heads.operand, view, true), lane))
    }

    /// The number of heads of a lane: one, or those that share keys.
    fn heads_of_lane(&self, part: &Part) -> usize {
        let is_together = self.pages.is_some() || part.queries.len() < FEW;
        if is_together { self.groups()[1] } else { 1 }
    }

    pub(super) fn plan(&self, results: &Results<'_>) -> Result<Plan> {
        let groups = self.groups();
        let Results { out, clears, statistics, noted } = results;
        let mut builder = PlanBuilder::new();
        // Where the tokens of the parts end, for the batches that each has.
        let mut covered = vec![];
        for part in &self.parts {
            match covered.last_mut() {
                Some((batches, end)) if *batches == part.batches => *end = part.queries.end,
                _ => covered.push((part.batches.clone(), part.queries.end)),
            }
            let (queries, keys) = (part.queries.len(), part.keys.len());
            let heads = self.heads_of_lane(part);
            let lanes = part.batches.len() * self.query.heads / heads;
            if queries == 0 || lanes == 0 {
                continue;
            }
            if keys == 0 {
                self.clear(&mut builder, results, &part.batches, &part.queries, self.sinks)?;
                continue;
            }
            let (key, value) = (&self.keys[part.keys_in], &self.values[part.keys_in]);
            let mut inputs = vec![
                self.queries(&mut builder, &self.query, part, heads)?,
                self.seen(&mut builder, key, part)?,
                self.seen(&mut builder, value, part)?,
            ];
            self.beside(&mut builder, part, heads, &mut inputs)?;
            let mut outputs = Vec::new();
            for written in [out].into_iter().chain(noted) {
                let view = written.view(&part.batches, &part.queries, groups)?;
                let place = builder.write(written.operand, written.dtype, view, true)?;
                outputs.push((place, written_lanes(heads * queries * written.size, F32, written.dtype)?));
            }
            let (scores, size) = (self.scores(part, heads), value.size);
            let body = Forward { scores, size, heads, clears: *clears, statistics: *statistics };
            builder.lanes(inputs, outputs, lanes, body);
        }
        if covered.is_empty() {
            covered.push((0..out.batches, 0));
        }
        for (batches, end) in covered {
            if end < out.tokens {
                self.clear(&mut builder, results, &batches, &(end..out.tokens), None)?;
            }
        }
        let kept = [(self.query.operand, self.query.dtype, self.query.dtype), (out.operand, out.dtype, F32)];
        Ok(builder.plan(temporaries(&kept)).by(tasks(true, &[])))
    }

    /// Writes what comes of no keys: of sinks alone, if there are any.
    fn clear(
        &self,
        builder: &mut PlanBuilder,
        results: &Results<'_>,
        batches: &std::ops::Range<usize>,
        tokens: &std::ops::Range<usize>,
        sinks: Option<&Operand>,
    ) -> Result {
        let nothing: &[f32] = match results.statistics {
            Statistics::MaxAndSum if sinks.is_some() => &[f32::NEG_INFINITY, 1.0],
            Statistics::Nothing => &[],
            Statistics::LogSum => &[f32::NEG_INFINITY],
            Statistics::MaxAndSum => &[f32::NEG_INFINITY, 0.0],
        };
        let zeros = [0; 8];
        let of_out = (&results.out, &zeros[..size_of_dtype(results.out.dtype)]);
        let noted =
            results.noted.iter().zip(nothing).map(|(heads, number)| (heads, bytemuck::bytes_of(number)));
        for (heads, element) in [of_out].into_iter().chain(noted) {
            let view = heads.view(batches, tokens, self.groups())?;
            let shape: Vec<usize> = view.shape().to_vec();
            if shape.contains(&0) {
                continue;
            }
            let place = builder.write(heads.operand, heads.dtype, view, true)?;
            builder.fill(place, &shape, element);
        }
        // The greatest score and the logarithm of the sum of one exponential are the sink itself.
        let (Some(sinks), Some(first)) = (sinks, results.noted.first()) else { return Ok(()) };
        let view = first.view(batches, tokens, self.groups())?;
        let shape: Vec<usize> = view.shape().to_vec();
        if !shape.contains(&0) {
            let (from, dtype) = self.view_of_sinks(sinks, &shape)?;
            let from = builder.read(sinks, from, true);
            let place = builder.write(first.operand, first.dtype, view, true)?;
            builder.copy(from, place, &shape, through(&[dtype, F32])?);
        }
        Ok(())
    }
}
