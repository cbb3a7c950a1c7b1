//! Attention scores: scaled products of queries and keys, with an added operand, masks and bands.

use std::ops::Range;

use crate::products::matrix::{Matrix, multiply};

/// The score of a key that is masked.
pub(super) const MASKED: f32 = f32::MIN;

/// Scores that are computed together, at most, unless a query has more.
const TOGETHER: usize = 1 << 16;

/// The scores of the queries of one head.
pub struct Scores {
    pub queries: usize,
    pub keys: usize,
    /// Elements of a query, and of a key.
    pub size: usize,
    /// Elements of the separate rotary part of a query and of a key, which count for the scores too; or 0.
    pub rope: usize,
    pub scale: f32,
    /// The operand that is added to the scores.
    pub shift: Option<Shift>,
    pub band: Band,
    /// Whether an operand masks scores: with elements that are not 0.
    pub is_masked: bool,
    pub dropout: Option<Dropout>,
    /// Whether an operand has one more score for each head, a sink: weights count it, but it has no value.
    pub has_sink: bool,
}

/// The time at which an operand is added to scores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    BeforeScale,
    AfterScale,
}

/// The keys that a query sees: those whose number, less its own, is between two bounds.
#[derive(Clone, Copy)]
pub struct Band {
    pub first: i64,
    pub last: i64,
}

impl Band {
    pub const ALL: Self = Self { first: i64::MIN, last: i64::MAX };

    fn of(self, query: usize, keys: usize) -> Range<usize> {
        let limit = |bound: i64| (query as i64).saturating_add(bound).clamp(0, keys as i64) as usize;
        let (first, end) = (limit(self.first), limit(self.last.saturating_add(1)));
        first..end.max(first)
    }
}

/// The attention weights that dropout keeps, by the bits of an operand, the lowest of a byte first.
#[derive(Clone, Copy)]
pub struct Dropout {
    /// The factor of weights that are kept.
    pub factor: f32,
    /// The bit of the first weight,
    pub first: usize,
    /// from lane to lane, and from head to head of a lane.
    pub of_lane: usize,
    pub of_head: usize,
}

/// The operands of one head that stand beside queries, keys and values.
pub(super) struct Beside<'a> {
    shift: Option<&'a [f32]>,
    mask: Option<&'a [u8]>,
    bits: Option<&'a [u8]>,
    /// The separate rotary parts of queries and of keys.
    rope: Option<[&'a [f32]; 2]>,
    sinks: Option<&'a [f32]>,
}

impl<'a> Beside<'a> {
    /// The part of one of several heads that share a lane.
    pub(super) fn of_head(&self, head: usize, scores: &Scores) -> Self {
        let numel = scores.queries * scores.keys;
        let part = head * numel..(head + 1) * numel;
        Self {
            shift: self.shift.map(|shift| &shift[part.clone()]),
            mask: self.mask.map(|mask| &mask[part]),
            bits: self.bits,
            rope: self.rope.map(|[query, key]| [&query[head * scores.queries * scores.rope..], key]),
            sinks: self.sinks.map(|sinks| &sinks[head..]),
        }
    }

    /// The separate rotary parts of queries and of keys, from the first query and key on.
    pub(super) fn rope(&self) -> Option<[&'a [f32]; 2]> {
        self.rope
    }

    /// The score of the first head that has no value.
    pub(super) fn sink(&self) -> Option<f32> {
        self.sinks?.first().copied()
    }
}

impl Scores {
    /// The inputs of a lane that stand beside the others.
    pub(super) fn beside<'a>(&self, mut inputs: impl Iterator<Item = &'a [u8]>) -> Beside<'a> {
        let mut next = |is_there: bool| if is_there { inputs.next() } else { None };
        Beside {
            shift: next(self.shift.is_some()).map(bytemuck::cast_slice),
            mask: next(self.is_masked),
            bits: next(self.dropout.is_some()),
            rope: next(self.rope > 0)
                .zip(next(self.rope > 0))
                .map(|(query, key)| [query, key].map(bytemuck::cast_slice)),
            sinks: next(self.has_sink).map(bytemuck::cast_slice),
        }
    }

    /// The number of queries that are computed together.
    pub(super) fn together(&self) -> usize {
        (TOGETHER / self.keys.max(1)).clamp(8, 128).min(self.queries.max(1))
    }

    /// Writes the scores of some queries.
    pub(super) fn compute(
        &self,
        rows: Range<usize>,
        query: &[f32],
        key: &[f32],
        beside: &Beside<'_>,
        to: &mut [f32],
    ) {
        let Self { keys, size, rope, scale, .. } = *self;
        let query = Matrix::rows(&query[rows.start * size..], size);
        multiply([rows.len(), size, keys], query, Matrix::rows(key, size).transposed(), to, false);
        if let Some([query, key]) = beside.rope {
            let query = Matrix::rows(&query[rows.start * rope..], rope);
            multiply([rows.len(), rope, keys], query, Matrix::rows(key, rope).transposed(), to, true);
        }
        for (number, row) in rows.zip(to.chunks_exact_mut(keys)) {
            let part = number * keys..(number + 1) * keys;
            match (beside.shift.and_then(|shift| shift.get(part.clone())), self.shift) {
                (Some(shift), Some(Shift::BeforeScale)) => {
                    row.iter_mut().zip(shift).for_each(|(score, shift)| *score = (*score + shift) * scale);
                }
                (Some(shift), _) => {
                    row.iter_mut().zip(shift).for_each(|(score, shift)| *score = *score * scale + shift);
                }
                _ => row.iter_mut().for_each(|score| *score *= scale),
            }
            let seen = self.band.of(number, keys);
            row[..seen.start].fill(MASKED);
            row[seen.end..].fill(MASKED);
            for (score, mask) in
                row.iter_mut().zip(beside.mask.and_then(|mask| mask.get(part)).unwrap_or(&[]))
            {
                *score = if *mask == 0 { *score } else { MASKED };
            }
        }
    }

    /// Multiplies some weights of a head of a lane by 0, or by the factor of those that are kept.
    pub(super) fn drop(
        &self,
        rows: Range<usize>,
        [lane, head]: [usize; 2],
        beside: &Beside<'_>,
        weights: &mut [f32],
    ) {
        let (Some(dropout), Some(bits)) = (self.dropout, beside.bits) else { return };
        let first = dropout.first + lane * dropout.of_lane + head * dropout.of_head + rows.start * self.keys;
        for (number, weight) in (first..).zip(weights.iter_mut()) {
            let byte = bits.get(number / 8).copied().unwrap_or(0);
            *weight *= if byte >> (number % 8) & 1 == 1 { dropout.factor } else { 0.0 };
        }
    }
}
