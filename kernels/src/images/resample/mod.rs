//! Images in another size: each element is a sum of a few of the image, with weights for each axis, which `taps` tells.

mod taps;

use std::sync::OnceLock;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;

use taps::Taps;
pub use taps::{Axis, CUBIC, Mode, cubic};

/// The resampling of planes, rows and columns.
#[derive(Clone, Debug)]
pub struct Resampling {
    axes: [Axis; 3],
    /// The taps along each axis, when they are known.
    taps: OnceLock<[Vec<Taps>; 3]>,
}

/// Numbers that are resampled, with sums in f64.
pub(super) trait Number: Pod + Send + Sync {
    fn wide(self) -> f64;

    fn narrow(sum: f64) -> Self;
}

impl Number for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }

    #[inline(always)]
    fn narrow(sum: f64) -> Self {
        sum as f32
    }
}

impl Number for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn narrow(sum: f64) -> Self {
        sum
    }
}

impl Resampling {
    pub fn new(axes: [Axis; 3]) -> Self {
        Self { axes, taps: OnceLock::new() }
    }

    /// The taps along each axis.
    fn taps(&self) -> Result<&[Vec<Taps>; 3]> {
        if let Some(taps) = self.taps.get() {
            return Ok(taps);
        }
        let [planes, rows, columns] = self.axes.each_ref().map(|axis| allocation::collect(axis.taps()));
        let taps = [planes?, rows?, columns?];
        Ok(self.taps.get_or_init(|| taps))
    }

    /// Visits each row of the result, with the rows of the image that it is made of, and their weights.
    fn each(&self, mut visit: impl FnMut(usize, &[(usize, f64)])) -> Result {
        let [planes, rows, _] = self.taps()?;
        let (mut number, mut lines) = (0, Vec::new());
        for plane in planes {
            for row in rows {
                lines.clear();
                for (plane, of_plane) in plane {
                    let first = plane * self.axes[1].size;
                    lines.extend(row.iter().map(|(row, of_row)| (first + row, of_plane * of_row)));
                }
                visit(number, &lines);
                number += 1;
            }
        }
        Ok(())
    }

    /// Writes the elements of the result, f64 or f32.
    pub fn resample(&self, is_f64: bool, image: &[u8], out: &mut [u8]) -> Result {
        match is_f64 {
            true => self.resample_in::<f64>(cast_slice(image), cast_slice_mut(out)),
            false => self.resample_in::<f32>(cast_slice(image), cast_slice_mut(out)),
        }
    }

    /// Writes the gradient of [`Resampling::resample`].
    pub fn gradient(&self, is_f64: bool, gradient: &[u8], out: &mut [u8]) -> Result {
        match is_f64 {
            true => self.gradient_in::<f64>(cast_slice(gradient), cast_slice_mut(out)),
            false => self.gradient_in::<f32>(cast_slice(gradient), cast_slice_mut(out)),
        }
    }

    /// As [`Resampling::resample`]: rows of the image are resampled first, and kept for the next ones.
    fn resample_in<T: Number>(&self, image: &[T], out: &mut [T]) -> Result {
        let [planes, rows, columns] = self.taps()?;
        let (size, width) = (self.axes[2].size, columns.len());
        let line = |line: usize| image.get(line * size..(line + 1) * size).unwrap_or_default();
        if [planes, rows, columns].into_iter().flatten().all(|taps| taps.len() == 1) {
            let mut before = usize::MAX;
            return self.each(|number, lines| {
                let [(from, _)] = lines else { return };
                let first = number * width;
                if *from == before {
                    out.copy_within(first - width..first, first);
                } else if let Some(to) = out.get_mut(first..first + width) {
                    let from = line(*from);
                    for (to, column) in to.iter_mut().zip(columns) {
                        *to = column
                            .first()
                            .and_then(|(column, _)| from.get(*column))
                            .copied()
                            .unwrap_or(T::zeroed());
                    }
                }
                before = *from;
            });
        }
        // Half of the smallest f64 is none.
        let are_exact = size_of::<T>() < size_of::<f64>() || columns.iter().all(|taps| taps.len() == 2);
        let mut pairs = allocation::for_elements(columns.len())?;
        if are_exact {
            pairs.extend(columns.iter().map_while(pair));
        }
        let reach = |row: &Taps| {
            row.last().zip(row.first()).map_or(1, |((last, _), (first, _))| last.abs_diff(*first) + 1)
        };
        let kept = rows.iter().map(reach).max().unwrap_or(1);
        let mut resampled = allocation::zeros::<f64>(kept * width)?;
        let mut known = allocation::collect((0..kept).map(|_| usize::MAX))?;
        let mut sums = allocation::zeros::<f64>(width)?;
        self.each(|number, lines| {
            sums.fill(0.0);
            for (number, weight) in lines {
                let slot = number % kept;
                let to = &mut resampled[slot * width..(slot + 1) * width];
                if known[slot] != *number {
                    known[slot] = *number;
                    match pairs.len() == columns.len() {
                        true => between(&pairs, line(*number), to),
                        false => summed(columns, line(*number), to),
                    }
                }
                add_scaled(&mut sums, to, *weight);
            }
            let out = out.get_mut(number * width..(number + 1) * width).unwrap_or_default();
            out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = T::narrow(*sum));
        })
    }

    fn gradient_in<T: Number>(&self, gradient: &[T], out: &mut [T]) -> Result {
        let [_, _, columns] = self.taps()?;
        let (size, width) = (self.axes[2].size, columns.len());
        let mut sums = allocation::zeros::<f64>(out.len())?;
        let mut of_row = allocation::zeros::<f64>(size)?;
        self.each(|number, lines| {
            of_row.fill(0.0);
            let gradient = gradient.get(number * width..(number + 1) * width).unwrap_or_default();
            for (gradient, column) in gradient.iter().zip(columns) {
                for (column, weight) in column {
                    if let Some(sum) = of_row.get_mut(*column) {
                        *sum += gradient.wide() * weight;
                    }
                }
            }
            for (line, weight) in lines {
                add_scaled(
                    sums.get_mut(line * size..(line + 1) * size).unwrap_or_default(),
                    &of_row,
                    *weight,
                );
            }
        })?;
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = T::narrow(sum));
        Ok(())
    }
}

/// Two elements of a row, and their weights.
type Pair = ([usize; 2], [f64; 2]);

/// One or two taps as two: a single one in halves, which are exact for numbers of f32.
fn pair(taps: &Taps) -> Option<Pair> {
    match taps[..] {
        [(only, weight)] => Some(([only; 2], [weight / 2.0; 2])),
        [(first, of_first), (second, of_second)] => Some(([first, second], [of_first, of_second])),
        _ => None,
    }
}

#[inline(never)]
fn between<T: Number>(pairs: &[Pair], from: &[T], to: &mut [f64]) {
    for (to, ([first, second], [of_first, of_second])) in to.iter_mut().zip(pairs) {
        let (Some(a), Some(b)) = (from.get(*first), from.get(*second)) else { continue };
        *to = of_first * a.wide() + of_second * b.wide();
    }
}

#[inline(never)]
fn summed<T: Number>(columns: &[Taps], from: &[T], to: &mut [f64]) {
    for (to, column) in to.iter_mut().zip(columns) {
        let element = |index: &usize| from.get(*index).map_or(0.0, |element| element.wide());
        *to = column.iter().fold(0.0, |sum, (index, weight)| sum + weight * element(index));
    }
}

for_instructions! {
    /// Adds numbers times a factor to sums.
    fn add_scaled(sums: &mut [f64], numbers: &[f64], factor: f64) {
        sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += factor * number);
    }
}
