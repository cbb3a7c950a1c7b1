//! Averages of windows, and their gradient, with sums in f64.

use super::cut::{Cut, LANES};
use super::windows::{Span, Windows};
use crate::axis::normalization;
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;

impl Windows {
    /// Writes the average at each position; `divisor` replaces the number of elements. Rows are added up first, all columns
    /// together, but for a window of the whole image.
    pub fn average(&self, image: &[f32], divisor: Option<i64>, out: &mut [f32]) -> Result {
        let spans = self.spans()?;
        if let ([plane], [row], [column], [out]) = (&spans[0][..], &spans[1][..], &spans[2][..], &mut *out)
            && spans
                .iter()
                .zip(&self.axes)
                .all(|(span, axis)| span[0].step == 1 && span[0].count == axis.size)
        {
            let sum = normalization::sum([image], |[element]| element);
            *out = (sum / divided([*plane, *row, *column], divisor)) as f32;
            return Ok(());
        }
        let [planes, rows, columns] = spans;
        let width = self.axes[2].size;
        let (mut sums, mut lines) = (allocation::zeros::<f64>(width)?, Vec::new());
        let cut = self.axes[2].cut()?;
        let taps = allocation::collect(cut.iter().flat_map(Cut::taps))?;
        let mut buffer = allocation::zeros::<f64>(cut.as_ref().map_or(0, Cut::room))?;
        let mut divisors = allocation::zeros::<f64>(columns.len())?;
        let mut out = out.chunks_mut(columns.len().max(1));
        for plane in planes {
            for row in rows {
                let Some(out) = out.next() else { return Ok(()) };
                sums.fill(0.0);
                lines.clear();
                lines.extend(plane.lines(*row, |plane, row| self.line(plane, row)));
                add_lines(&mut sums, image, &lines);
                if let Some(cut) = &cut {
                    cut.fill(&sums, 0.0, &mut buffer);
                    let all = divisors.iter_mut().zip(columns);
                    all.for_each(|(to, column)| *to = divided([*plane, *row, *column], divisor));
                    average_of(&buffer, &taps, &divisors, out);
                    continue;
                }
                for (out, column) in out.iter_mut().zip(columns) {
                    // From +0 on, which the sum of nothing is.
                    let sum = column.of(&sums).fold(0.0, |sum, element| sum + element);
                    *out = (sum / divided([*plane, *row, *column], divisor)) as f32;
                }
            }
        }
        Ok(())
    }

    /// Writes the gradient of [`Windows::average`].
    pub fn spread(&self, gradient: &[f32], divisor: Option<i64>, out: &mut [f32]) -> Result {
        let [planes, rows, columns] = self.spans()?;
        let width = self.axes[2].size;
        let mut sums = allocation::zeros::<f64>(out.len())?;
        let mut parts = allocation::zeros::<f64>(width)?;
        let mut gradients = gradient.chunks(columns.len().max(1));
        for plane in planes {
            for row in rows {
                let Some(gradients) = gradients.next() else { break };
                parts.fill(0.0);
                for (gradient, column) in gradients.iter().zip(columns) {
                    let part = f64::from(*gradient) / divided([*plane, *row, *column], divisor);
                    column.indices().for_each(|index| {
                        if let Some(sum) = parts.get_mut(index) {
                            *sum += part;
                        }
                    });
                }
                for line in plane.lines(*row, |plane, row| self.line(plane, row)) {
                    let to = sums.get_mut(line..line + width).unwrap_or_default();
                    to.iter_mut().zip(&parts).for_each(|(sum, part)| *sum += part);
                }
            }
        }
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum as f32);
        Ok(())
    }
}

impl Span {
    /// The elements of a row.
    fn of<T: Copy>(self, row: &[T]) -> impl Iterator<Item = T> {
        let from = if self.count == 0 { &[] } else { row.get(self.first..).unwrap_or_default() };
        from.iter().step_by(self.step.max(1)).take(self.count).copied()
    }
}

for_instructions! {
    /// Adds rows of an image that begin at some of its elements: four at a time, so that sums are read and written less often.
    fn add_lines(sums: &mut [f64], image: &[f32], lines: &[usize]) {
        let width = sums.len();
        let row = |line: usize| image.get(line..line + width).unwrap_or_default();
        let (fours, rest) = lines.as_chunks::<4>();
        for [a, b, c, d] in fours {
            let (a, b, c, d) = (row(*a), row(*b), row(*c), row(*d));
            for (sum, (((a, b), c), d)) in sums.iter_mut().zip(a.iter().zip(b).zip(c).zip(d)) {
                *sum += (f64::from(*a) + f64::from(*b)) + (f64::from(*c) + f64::from(*d));
            }
        }
        for line in rest {
            sums.iter_mut().zip(row(*line)).for_each(|(sum, element)| *sum += f64::from(*element));
        }
    }
}

for_instructions! {
    /// Writes the sums of the elements at each of some distances, in their order and divided. They begin with +0, which the sum
    /// of nothing is.
    fn average_of(elements: &[f64], distances: &[usize], divisors: &[f64], out: &mut [f32]) {
        for (number, (out, divisors)) in out.chunks_mut(LANES).zip(divisors.chunks(LANES)).enumerate() {
            let mut sums = [0.0; LANES];
            for distance in distances {
                let own = elements.get(distance + number * LANES..).and_then(|own| own.first_chunk());
                let Some(own): Option<&[f64; LANES]> = own else { continue };
                sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
            }
            for (out, (sum, divisor)) in out.iter_mut().zip(sums.iter().zip(divisors)) {
                *out = (sum / divisor) as f32;
            }
        }
    }
}

/// The divisor of a sum.
pub(super) fn divided(spans: [Span; 3], divisor: Option<i64>) -> f64 {
    divisor.map_or_else(|| spans.iter().map(|span| span.divisor as f64).product(), |divisor| divisor as f64)
}
