//! Values weighted by the softmax of scores.

use super::scores::{MASKED, Scores};
use crate::LaneBody;
use crate::functions::special::native;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions;

/// Attention of the heads of a lane, which share keys and values: its inputs are queries, keys, values, and what stands beside
/// them.
pub struct Forward {
    pub scores: Scores,
    /// Elements of a value.
    pub size: usize,
    /// The number of heads that share their keys, in one lane.
    pub heads: usize,
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
        let all = self.scores.beside(others.iter().copied());
        let (scores, size, together) = (&self.scores, self.size, self.scores.together());
        let mut weights = allocation::zeros::<f32>(together * scores.keys)?;
        for head in 0..self.heads {
            let query = &query[head * scores.queries * scores.size..];
            let out = &mut out[head * scores.queries * size..];
            let beside = all.of_head(head, scores);
            for first in (0..scores.queries).step_by(together) {
                let rows = first..scores.queries.min(first + together);
                let weights = &mut weights[..rows.len() * scores.keys];
                scores.compute(rows.clone(), query, key, &beside, weights);
                let mut sums = Vec::with_capacity(rows.len());
                for (row, weights) in rows.clone().zip(weights.chunks_exact_mut(scores.keys)) {
                    let (max, sum) = self.exponentials(weights, beside.sink());
                    sums.push(sum);
                    self.note(head * scores.queries + row, max, sum, statistics);
                }
                scores.drop(rows.clone(), [number, head], &beside, weights);
                let out = &mut out[rows.start * size..rows.end * size];
                let sizes = [rows.len(), scores.keys, size];
                multiply(sizes, Matrix::rows(weights, scores.keys), Matrix::rows(value, size), out, false);
                for (row, sum) in out.chunks_exact_mut(size).zip(sums) {
                    match sum == 0.0 {
                        true => row.fill(0.0),
                        false => {
                            let factor = 1.0 / sum;
                            row.iter_mut()
                                .for_each(|element| *element = (f64::from(*element) * factor) as f32);
                        }
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
    /// 0 where a query sees nothing. The sink counts for both.
    fn exponentials(&self, row: &mut [f32], sink: Option<f32>) -> (f32, f64) {
        let max = greatest(row);
        if let Some(sink) = sink.filter(|sink| *sink != f32::NEG_INFINITY) {
            let max = max.max(sink);
            let sum = exponentials(row, max);
            return (max, sum + f64::from(native::exp(sink - max)));
        }
        let is_nothing = max == f32::NEG_INFINITY || self.clears && max == MASKED;
        if is_nothing && !row.iter().any(|score| score.is_nan()) {
            row.fill(0.0);
            return (max, 0.0);
        }
        (max, exponentials(row, max))
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

instructions::for_instructions! {
    /// The greatest number that is no NaN, or −∞.
    fn greatest(row: &[f32]) -> f32 {
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
    fn exponentials(row: &mut [f32], max: f32) -> f64 {
        let mut sums = [0.0_f64; 16];
        let (whole, rest) = row.as_chunks_mut::<16>();
        for part in whole {
            for (sum, number) in sums.iter_mut().zip(part) {
                *number = native::exp(*number - max);
                *sum += f64::from(*number);
            }
        }
        for (sum, number) in sums.iter_mut().zip(rest) {
            *number = native::exp(*number - max);
            *sum += f64::from(*number);
        }
        sums.into_iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Choice, choose};

    /// Against the exponential of the standard library, in f64.
    #[test]
    fn exponentials_are_near_with_all_instructions() {
        let numbers: Vec<f32> = (0..20_003).map(|number| number as f32 * -0.004_3).collect();
        let mut row = numbers.clone();
        let sum = exponentials(&mut row, 0.0);
        let mut plain = numbers.clone();
        let before = choose(Choice { instructions: Some(0), block: None });
        assert_eq!(exponentials(&mut plain, 0.0), sum);
        choose(before);
        assert_eq!(plain, row);
        for (number, found) in numbers.iter().zip(&row) {
            let expected = f64::from(*number).exp();
            let is_near = (f64::from(*found) / expected - 1.0).abs() < 2.0 * f64::from(f32::EPSILON);
            assert!(is_near, "{number}: {found} {expected}");
        }
        let mut ends = [0.0, -0.0, f32::NEG_INFINITY, -1000.0, f32::NAN];
        exponentials(&mut ends, 0.0);
        assert_eq!(ends[..4], [1.0, 1.0, 0.0, 0.0]);
        assert!(ends[4].is_nan());
    }
}
