//! Movements that depend on values, or on where an element stands in a lane.

use std::sync::{Arc, Mutex, PoisonError};

use crate::views::failure::{Cause, Failure, Result};
use crate::{LaneBody, LaneFunction};

/// The elements of each row of a matrix on one side of a diagonal, and zeros on the other.
pub struct Triangle {
    pub rows: usize,
    /// Bytes of an element.
    pub size: usize,
    /// The distance of the diagonal from the main one, to the right.
    pub diagonal: i64,
    pub is_lower: bool,
}

impl LaneBody for Triangle {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        let columns = (from.len() / self.size) as i64;
        let (row, is_lower) = ((number % self.rows) as i64, i64::from(self.is_lower));
        // The first column behind the diagonal, or on it.
        let column = row.saturating_add(self.diagonal).saturating_add(is_lower).clamp(0, columns);
        let split = column as usize * self.size;
        let kept = if self.is_lower { 0..split } else { split..from.len() };
        to[..kept.start].fill(0);
        to[kept.clone()].copy_from_slice(&from[kept.clone()]);
        to[kept.end..].fill(0);
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["copy"]
    }
}

/// The elements of a lane, moved towards its end; those that leave it come back at its start.
pub struct Rotation {
    /// By how many bytes.
    pub shift: usize,
}

impl LaneBody for Rotation {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        let (left, right) = from.split_at(from.len() - self.shift);
        to[..self.shift].copy_from_slice(right);
        to[self.shift..].copy_from_slice(left);
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["copy"]
    }
}

/// Every item of a lane, as often as the first input says, which has a number for each item or one for all. Without a second
/// input the items are their own indices, as the numbers are.
pub struct Interleave {
    /// Bytes of an item of the second input.
    pub item: usize,
}

impl LaneBody for Interleave {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([counts, items @ ..], [to]) = (inputs, outputs) else { return Ok(()) };
        let counts: &[i64] = bytemuck::try_cast_slice(counts).unwrap_or_default();
        let item = if items.is_empty() { size_of::<i64>() } else { self.item };
        let number = items.first().map_or(counts.len(), |items| items.len() / item);
        let count = |index: usize| counts[if counts.len() == 1 { 0 } else { index }];
        let total = (0..number)
            .try_fold(0_usize, |total, index| total.checked_add(usize::try_from(count(index)).ok()?));
        if total != Some(to.len() / item) {
            let total = total.map_or_else(|| "no number of".to_owned(), |total| total.to_string());
            return Err(Failure::new(
                Cause::AiCore,
                format_args!(
                    "repeats makes {total} indices, but outputSize is {}; pass the sum of repeats, none of which is negative",
                    to.len() / item
                ),
            ));
        }
        let mut places = to.chunks_exact_mut(item);
        for index in 0..number {
            let number = index as i64;
            let from = match items.first() {
                Some(items) => &items[index * item..(index + 1) * item],
                None => bytemuck::bytes_of(&number),
            };
            (&mut places).take(count(index) as usize).for_each(|place| place.copy_from_slice(from));
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["repeat"]
    }
}

/// Adds each element of a lane of f64 to the place that it has in another lane, where nothing is added to 0. The places are
/// made when the first lane needs them, since there are as many as elements.
pub fn sums_at(make: impl Fn() -> Result<Vec<u32>> + Send + Sync + 'static) -> LaneFunction {
    let made = Mutex::new(None);
    LaneFunction::new("sum", move |_, inputs, outputs| {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        let places = {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            match &*made {
                Some(places) => Arc::clone(places),
                None => Arc::clone(made.insert(Arc::new(make()?))),
            }
        };
        let (from, to): (&[f64], &mut [f64]) = (bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
        to.fill(0.0);
        for (element, place) in from.iter().zip(places.iter()) {
            to[*place as usize] += element;
        }
        Ok(())
    })
}
