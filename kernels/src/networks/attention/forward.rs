//! Values weighted by the softmax of scores.

use super::scores::{MASKED, Scores};
use crate::LaneBody;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;
#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;

/// Attention of one head: its inputs are queries, keys, values, and what stands beside them.
pub struct Forward {
    pub scores: Scores,
    /// Elements of a value.
    pub size: usize,
    /// Whether a query that sees no key has zeros for a result, and not the mean of all values.
    pub clears: bool,
    pub statistics: Statistics,
}

/// The outputs beside the result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Statistics {
    Nothing,
    /// The logarithm of the sum of the exponentials of a query's scores.
    LogSum,
    /// The greatest score of a query, and the sum of the exponentials of what the others are less, each several times.
    MaxAndSum,
}

impl Statistics {
    /// The number of copies of each number in an output.
    pub const COPIES: usize = 8;
}

impl LaneBody for Forward {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([query, key, value, others @ ..], [out, statistics @ ..]) = (inputs, outputs) else {
            return Ok(());
        };
        let [query, key, value]: [&[f32]; 3] = [query, key, value].map(|bytes| bytemuck::cast_slice(bytes));
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        let beside = self.scores.beside(others.iter().copied());
        let (scores, size, together) = (&self.scores, self.size, self.scores.together());
        let mut weights = allocation::zeros::<f32>(together * scores.keys)?;
        let loops = Loops::chosen();
        for first in (0..scores.queries).step_by(together) {
            let rows = first..scores.queries.min(first + together);
            let weights = &mut weights[..rows.len() * scores.keys];
            scores.compute(rows.clone(), query, key, &beside, weights);
            let mut sums = Vec::with_capacity(rows.len());
            for (query, row) in rows.clone().zip(weights.chunks_exact_mut(scores.keys)) {
                let (max, sum) = self.exponentials(&loops, row);
                sums.push(sum);
                self.note(query, max, sum, statistics);
            }
            scores.drop(rows.clone(), [number, 0], &beside, weights);
            let out = &mut out[rows.start * size..rows.end * size];
            let sizes = [rows.len(), scores.keys, size];
            multiply(sizes, Matrix::rows(weights, scores.keys), Matrix::rows(value, size), out, false);
            for (row, sum) in out.chunks_exact_mut(size).zip(sums) {
                match sum == 0.0 {
                    true => row.fill(0.0),
                    false => {
                        let factor = 1.0 / sum;
                        row.iter_mut().for_each(|element| *element = (f64::from(*element) * factor) as f32);
                    }
                }
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["attention"]
    }
}

impl Forward {
    /// Replaces scores by the exponentials of what they are less than the greatest, and returns that and their sum, which is
    /// 0 where a query sees nothing.
    fn exponentials(&self, loops: &Loops, row: &mut [f32]) -> (f32, f64) {
        let max = (loops.greatest)(row);
        let is_nothing = max == f32::NEG_INFINITY || self.clears && max == MASKED;
        if is_nothing && !row.iter().any(|score| score.is_nan()) {
            row.fill(0.0);
            return (max, 0.0);
        }
        (max, (loops.exponentials)(row, max))
    }

    fn note(&self, query: usize, max: f32, sum: f64, outputs: &mut [&mut [u8]]) {
        match (self.statistics, outputs) {
            (Statistics::LogSum, [to]) => {
                let to: &mut [f32] = bytemuck::cast_slice_mut(to);
                to[query] = if sum == 0.0 { f32::NEG_INFINITY } else { (f64::from(max) + sum.ln()) as f32 };
            }
            (Statistics::MaxAndSum, [greatest, total]) => {
                for (to, number) in [(greatest, max), (total, sum as f32)] {
                    let to: &mut [f32] = bytemuck::cast_slice_mut(to);
                    to[query * Statistics::COPIES..][..Statistics::COPIES].fill(number);
                }
            }
            _ => {}
        }
    }
}

/// The greatest number that is no NaN, or −∞.
#[inline(always)]
fn greatest_of(row: &[f32]) -> f32 {
    let mut most = [f32::NEG_INFINITY; 32];
    let (whole, rest) = row.as_chunks::<32>();
    for part in whole {
        for (most, number) in most.iter_mut().zip(part) {
            *most = if *number > *most { *number } else { *most };
        }
    }
    for (most, number) in most.iter_mut().zip(rest) {
        *most = if *number > *most { *number } else { *most };
    }
    most.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// Replaces numbers by the exponentials of what they are less than `max`, and returns the sum of these.
#[inline(always)]
fn exponentials_of(row: &mut [f32], max: f32) -> f64 {
    let mut sums = [0.0_f64; 16];
    let (whole, rest) = row.as_chunks_mut::<16>();
    for part in whole {
        *part = part.map(|number| exp(number - max));
        for (sum, number) in sums.iter_mut().zip(part) {
            *sum += f64::from(*number);
        }
    }
    for (sum, number) in sums.iter_mut().zip(rest) {
        *number = exp(*number - max);
        *sum += f64::from(*number);
    }
    sums.into_iter().sum()
}

/// `eˣ` of a number that is not positive, within two units of the last place; less than the least normal number is 0.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Beside it no fraction has a place: the last bits of a sum are an integer.
    const WHOLE: f32 = 12_582_912.0;
    /// The logarithm of 2, whose products with small integers are exact, and what is missing of it.
    const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
    const LEAST: f32 = -87.3;
    let y = if x < LEAST { LEAST } else { x };
    let shifted = y * std::f32::consts::LOG2_E + WHOLE;
    let power = shifted - WHOLE;
    let rest = (y - power * LN_2[0]) - power * LN_2[1];
    // Taylor's series: the term behind the last is less than 2·10⁻⁹.
    let mut series = 1.0 / 5_040.0;
    for factorial in [720.0, 120.0, 24.0, 6.0, 2.0] {
        series = series * rest + 1.0 / factorial;
    }
    let result = (series * rest * rest + rest) + 1.0;
    let scaled = result * f32::from_bits(shifted.to_bits().wrapping_add(127) << 23);
    if x < LEAST { 0.0 } else { scaled }
}

/// The loops with the instructions of this processor; all compute the same.
struct Loops {
    greatest: fn(&[f32]) -> f32,
    exponentials: fn(&mut [f32], f32) -> f64,
}

impl Loops {
    fn chosen() -> Self {
        #[cfg(target_arch = "x86_64")]
        if Instructions::chosen() != Instructions::Baseline {
            #[target_feature(enable = "avx2")]
            fn greatest(row: &[f32]) -> f32 {
                greatest_of(row)
            }
            #[target_feature(enable = "avx2")]
            fn exponentials(row: &mut [f32], max: f32) -> f64 {
                exponentials_of(row, max)
            }
            return Self {
                // SAFETY: only `Instructions::of_this_processor` makes other values, where the processor has them.
                greatest: |row| unsafe { greatest(row) },
                // SAFETY: as above.
                exponentials: |row, max| unsafe { exponentials(row, max) },
            };
        }
        Self { greatest: greatest_of, exponentials: exponentials_of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the exponential of the standard library, in f64.
    #[test]
    fn exponentials_are_near_with_all_instructions() {
        let numbers: Vec<f32> = (0..20_003).map(|number| number as f32 * -0.004_3).collect();
        let mut row = numbers.clone();
        let sum = (Loops::chosen().exponentials)(&mut row, 0.0);
        let mut plain = numbers.clone();
        assert_eq!(exponentials_of(&mut plain, 0.0), sum);
        assert_eq!(plain, row);
        for (number, found) in numbers.iter().zip(&row) {
            let expected = f64::from(*number).exp();
            let is_near = (f64::from(*found) / expected - 1.0).abs() < 2.0 * f64::from(f32::EPSILON);
            assert!(is_near, "{number}: {found} {expected}");
        }
        let mut ends = [0.0, -0.0, f32::NEG_INFINITY, -1000.0, f32::NAN];
        exponentials_of(&mut ends, 0.0);
        assert_eq!(ends[..4], [1.0, 1.0, 0.0, 0.0]);
        assert!(ends[4].is_nan());
    }
}
