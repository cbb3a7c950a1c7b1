//! Rows of a table joined by bags: sums, means, or the greatest elements.

use std::ops::Range;

use bytemuck::cast_slice;

use super::positions::read;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// The way in which the rows of a bag become one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Join {
    Sum,
    Mean,
    /// Of equal elements the first one counts.
    Greatest,
}

/// Joins the rows of the first input, a table, that the second one numbers: one row for each bag. The third input says where
/// bags begin, and the fourth, if there is one, has a factor for each index. The outputs are the rows, the bag of each index,
/// how many rows each bag has, and the index of each greatest element, or those numbers again; an output without elements is
/// left out.
pub struct Bags {
    pub join: Join,
    pub rows: usize,
    /// Elements of a row.
    pub len: usize,
    /// Whether the last of the beginnings is the end of the last bag.
    pub has_end: bool,
    /// An index that is passed over; none if it is negative.
    pub padding: i64,
    pub widen: Conversions,
    pub narrow: Conversions,
}

fn fail<T>(message: String) -> Result<T> {
    Err(Failure::new(Cause::AiCore, message))
}

/// The elements of a tensor of i32 or i64.
fn numbers(tensor: &Bound<'_>) -> Result<Vec<i64>> {
    let mut numbers = allocation::for_elements(tensor.numel())?;
    read(tensor, tensor.size() == size_of::<i64>(), 0..tensor.numel(), &mut numbers)?;
    Ok(numbers)
}

/// Writes numbers from one element on, as i32 or i64.
fn write(first: usize, numbers: &[i64], out: &Bound<'_>) -> Result {
    let elements = first..first + numbers.len();
    if elements.end > out.numel() {
        return Ok(());
    }
    match out.size() {
        8 => out.scatter(elements, cast_slice(numbers)),
        _ => {
            let narrow = allocation::collect(numbers.iter().map(|number| *number as i32))?;
            out.scatter(elements, cast_slice::<i32, u8>(&narrow));
        }
    }
    Ok(())
}

impl Bags {
    /// The indices of each bag.
    fn ranges(&self, starts: &[i64], count: usize) -> Result<Vec<Range<usize>>> {
        let bags = starts.len().saturating_sub(self.has_end.into());
        let mut ranges = allocation::for_elements(bags)?;
        let mut last = 0;
        for (number, start) in starts.iter().enumerate() {
            let next = starts.get(number + 1).copied().unwrap_or(count as i64);
            let is_first = number > 0 || *start == 0;
            if !is_first
                || *start < last
                || next > count as i64
                || self.has_end && number == bags && next != *start
            {
                return fail(format!(
                    "offsets has {start} at element {number}, but bags begin at 0, one after the other, and end at the {count} \
                     indices"
                ));
            }
            last = *start;
            if number < bags {
                ranges.push(*start as usize..next.max(*start) as usize);
            }
        }
        Ok(ranges)
    }

    fn row(&self, position: usize, index: i64) -> Result<Option<usize>> {
        match usize::try_from(index).ok().filter(|row| *row < self.rows) {
            Some(_) if index == self.padding => Ok(None),
            Some(row) => Ok(Some(row)),
            None => fail(format!(
                "indices has the index {index} at element {position}, but {} rows exist",
                self.rows
            )),
        }
    }
}

impl Whole for Bags {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([table, indices, starts, factors @ ..], [out, of_index, sizes, greatest]) = (inputs, outputs)
        else {
            return Ok(());
        };
        let (indices, starts) = (numbers(indices)?, numbers(starts)?);
        let ranges = self.ranges(&starts, indices.len())?;
        let mut between = Block::new();
        let mut lines = [Vec::new(), Vec::new(), Vec::new()];
        let [stored, seen, factor] = &mut lines;
        let stored = allocation::bytes_of(stored, self.len * table.size())?;
        let seen = allocation::bytes_of(seen, self.len * size_of::<f32>())?;
        let factor = allocation::bytes_of(factor, table.size().max(size_of::<f32>()) * 2)?;
        let mut joined = allocation::zeros::<f32>(self.len)?;
        let mut found = allocation::zeros::<i64>(self.len)?;
        let mut bag_of = allocation::zeros::<i64>(indices.len())?;
        for (bag, range) in ranges.into_iter().enumerate() {
            joined.fill(0.0);
            found.fill(0);
            let mut count = 0_i64;
            for position in range.clone() {
                let Some(row) = self.row(position, indices[position])? else { continue };
                table.gather(row * self.len..(row + 1) * self.len, stored);
                self.widen.apply_all(self.len, stored, seen, &mut between);
                let times = match factors {
                    [factors, ..] => {
                        let (one, wide) = factor.split_at_mut(table.size().max(size_of::<f32>()));
                        factors.gather(position..position + 1, &mut one[..table.size()]);
                        self.widen.apply_all(
                            1,
                            &one[..table.size()],
                            &mut wide[..size_of::<f32>()],
                            &mut between,
                        );
                        cast_slice::<u8, f32>(&wide[..size_of::<f32>()]).first().copied().unwrap_or(1.0)
                    }
                    [] => 1.0,
                };
                for ((joined, found), element) in
                    joined.iter_mut().zip(&mut found).zip(cast_slice::<u8, f32>(seen))
                {
                    match self.join {
                        Join::Greatest if count == 0 || *element > *joined => {
                            (*joined, *found) = (*element, indices[position]);
                        }
                        Join::Greatest => {}
                        _ => *joined += element * times,
                    }
                }
                count += 1;
            }
            if self.join == Join::Mean && count > 0 {
                joined.iter_mut().for_each(|sum| *sum /= count as f32);
            }
            bag_of[range].fill(bag as i64);
            // PyTorch counts no rows of sums.
            let size = if self.join == Join::Sum { 0 } else { count };
            self.narrow.apply_all(self.len, cast_slice(&joined), stored, &mut between);
            out.scatter(bag * self.len..(bag + 1) * self.len, stored);
            write(bag, &[size], sizes)?;
            match self.join {
                Join::Greatest => write(bag * self.len, &found, greatest)?,
                _ => write(bag, &[size], greatest)?,
            }
        }
        write(0, &bag_of, of_index)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["join rows"]
    }
}
