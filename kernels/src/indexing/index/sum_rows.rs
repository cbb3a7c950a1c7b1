//! Sums of the rows that belong to one number: the gradient of an embedding.

use bytemuck::{cast_slice, cast_slice_mut};

use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// Adds each row of the first input, in f32, to the row of the output that the second one numbers. All other
/// elements of the output are zero.
pub struct SumRows {
    /// Elements of a row.
    pub len: usize,
    /// Rows of the output.
    pub rows: usize,
    /// From the type of the numbers to i32.
    pub numbers: Conversions,
    /// A number whose rows are not added.
    pub except: i64,
    /// Whether each row is divided by how often its number occurs.
    pub divides: bool,
    pub widen: Conversions,
    pub narrow: Conversions,
}

impl Whole for SumRows {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([grad, numbers], [out]) = (inputs, outputs) else { return Ok(()) };
        let mut between = Block::new();
        let mut indices = allocation::zeros::<i32>(numbers.numel())?;
        self.numbers.apply_all(numbers.numel(), &numbers.copy()?, cast_slice_mut(&mut indices), &mut between);
        let mut counts = allocation::zeros::<u32>(self.rows)?;
        let mut places: Vec<Option<usize>> = allocation::for_elements(indices.len())?;
        for (position, number) in indices.iter().enumerate() {
            let place = usize::try_from(*number).ok().filter(|place| *place < self.rows).ok_or_else(|| {
                let message = format!(
                    "indices has the index {number} at element {position}, but {} rows exist",
                    self.rows
                );
                Failure::new(Cause::AiCore, message)
            });
            let is_excepted = self.except == i64::from(*number);
            let place = if is_excepted { None } else { Some(place?) };
            if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
                *count += 1;
            }
            places.push(place);
        }
        let mut sums = allocation::zeros::<f32>(self.rows.saturating_mul(self.len))?;
        let (mut read, mut wide) = (Vec::new(), Vec::new());
        for (row, place) in places.iter().enumerate() {
            let Some(place) = *place else { continue };
            let stored = allocation::bytes_of(&mut read, self.len * grad.size())?;
            grad.gather(row * self.len..(row + 1) * self.len, stored);
            let seen = allocation::bytes_of(&mut wide, self.len * 4)?;
            self.widen.apply_all(self.len, stored, seen, &mut between);
            let terms: &[f32] = cast_slice(seen);
            let factor = if self.divides { 1.0 / counts[place] as f32 } else { 1.0 };
            let sums = &mut sums[place * self.len..(place + 1) * self.len];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += factor * term);
        }
        for row in 0..self.rows {
            let elements = row * self.len..(row + 1) * self.len;
            let stored = allocation::bytes_of(&mut read, self.len * out.size())?;
            self.narrow.apply_all(
                self.len,
                cast_slice_mut(&mut sums[elements.clone()]),
                stored,
                &mut between,
            );
            out.scatter(elements, stored);
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["sum"]
    }
}
