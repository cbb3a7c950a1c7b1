//! Slices that are made shorter if their norm is above a limit.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::axis::normalization::norm;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// The greatest norm that a slice may have.
#[derive(Clone, Copy)]
pub struct Limit {
    /// The order of the norm.
    pub p: f64,
    pub most: f64,
    /// Rounds the factor of a slice.
    pub rounded: fn(f64) -> f64,
}

impl Limit {
    /// Writes a slice, shorter if its norm is above the limit. A limit that is NaN is none.
    pub fn apply(&self, x: &[f32], out: &mut [f32]) {
        let norm = norm(x, self.p);
        let factor = if norm > self.most { (self.rounded)(self.most / (norm + 1e-7)) } else { 1.0 };
        for (x, out) in x.iter().zip(out) {
            *out = (f64::from(*x) * factor) as f32;
        }
    }
}

/// Limits the norms of the rows of the first input that the second one numbers, each once.
pub struct LimitRows {
    pub limit: Limit,
    pub rows: usize,
    /// Elements of a row.
    pub len: usize,
    /// From the type of the numbers to i64.
    pub numbers: Conversions,
    /// From the type of the table to f32, and back.
    pub widen: Conversions,
    pub narrow: Conversions,
}

impl Whole for LimitRows {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([table, numbers], [out]) = (inputs, outputs) else { return Ok(()) };
        let mut between = Block::new();
        let mut indices = allocation::zeros::<i64>(numbers.numel())?;
        self.numbers.apply_all(numbers.numel(), &numbers.copy()?, cast_slice_mut(&mut indices), &mut between);
        let mut rows = Vec::new();
        for (position, number) in indices.iter().enumerate() {
            let row = usize::try_from(*number).ok().filter(|row| *row < self.rows).ok_or_else(|| {
                let rows = self.rows;
                let message =
                    format!("indices has the index {number} at element {position}, but {rows} rows exist");
                Failure::new(Cause::AiCore, message)
            })?;
            rows.push(row);
        }
        rows.sort_unstable();
        rows.dedup();
        let mut stored = allocation::zeros::<u8>(self.len * table.size())?;
        let (mut row, mut limited) =
            (allocation::zeros::<f32>(self.len)?, allocation::zeros::<f32>(self.len)?);
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
