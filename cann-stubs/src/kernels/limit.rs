//! Slices that are made shorter if their norm is above a limit.

use std::collections::BTreeSet;

use aclnn_sys::ACL_ERROR_RT_AICORE_EXCEPTION;
use bytemuck::{cast_slice, cast_slice_mut};

use super::normalization::norm;
use super::{Block, Bound, Conversions, Sizes, Whole, room};
use crate::status::{Result, Status};

/// The greatest norm that a slice may have.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    /// The order of the norm.
    pub(crate) p: f64,
    pub(crate) most: f64,
    /// Rounds the factor of a slice.
    pub(crate) rounded: fn(f64) -> f64,
}

impl Limit {
    /// Writes a slice, shorter if its norm is above the limit. A limit that is NaN is none.
    pub(crate) fn apply(&self, x: &[f32], out: &mut [f32]) {
        let norm = norm(x, self.p);
        let factor = if norm > self.most { (self.rounded)(self.most / (norm + 1e-7)) } else { 1.0 };
        for (x, out) in x.iter().zip(out) {
            *out = (f64::from(*x) * factor) as f32;
        }
    }
}

/// Limits the norms of the rows of the first input that the second one numbers, each once.
pub(crate) struct LimitRows {
    pub(crate) limit: Limit,
    pub(crate) rows: usize,
    /// Elements of a row.
    pub(crate) len: usize,
    /// From the type of the numbers to i64.
    pub(crate) numbers: Conversions,
    /// From the type of the table to f32, and back.
    pub(crate) widen: Conversions,
    pub(crate) narrow: Conversions,
}

impl Whole for LimitRows {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([table, numbers], [out]) = (inputs, outputs) else { return Ok(()) };
        let mut between = Block::new();
        let mut indices = room::zeros::<i64>(numbers.numel())?;
        self.numbers.apply_all(numbers.numel(), &numbers.copy()?, cast_slice_mut(&mut indices), &mut between);
        let mut rows = BTreeSet::new();
        for (position, number) in indices.iter().enumerate() {
            let row = usize::try_from(*number).ok().filter(|row| *row < self.rows).ok_or_else(|| {
                let rows = self.rows;
                let message =
                    format!("indices has the index {number} at element {position}, but {rows} rows exist");
                Status::new(ACL_ERROR_RT_AICORE_EXCEPTION, message)
            })?;
            rows.insert(row);
        }
        let mut stored = room::zeros::<u8>(self.len * table.size())?;
        let (mut row, mut limited) = (room::zeros::<f32>(self.len)?, room::zeros::<f32>(self.len)?);
        for index in rows {
            let elements = index * self.len..(index + 1) * self.len;
            table.gather(elements.clone(), &mut stored);
            self.widen.apply_all(self.len, &stored, cast_slice_mut(&mut row), &mut between);
            self.limit.apply(&row, &mut limited);
            self.narrow.apply_all(self.len, cast_slice(&limited), &mut stored, &mut between);
            out.scatter(elements, &stored);
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["limit norms"]
    }
}
