//! Values weighted by the softmax of scores.

use super::scores::{MASKED, Scores};
use crate::LaneBody;
use crate::functions::special::single;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;

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
        for first in (0..scores.queries).step_by(together) {
            let rows = first..scores.queries.min(first + together);
            let weights = &mut weights[..rows.len() * scores.keys];
            scores.compute(rows.clone(), query, key, &beside, weights);
            let mut sums = Vec::with_capacity(rows.len());
            for (query, row) in rows.clone().zip(weights.chunks_exact_mut(scores.keys)) {
                let (max, sum) = self.exponentials(row);
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
                    false => row.iter_mut().for_each(|element| *element = (f64::from(*element) / sum) as f32),
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
    fn exponentials(&self, row: &mut [f32]) -> (f32, f64) {
        let max = greatest(row);
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

/// The greatest number that is no NaN, or −∞.
fn greatest(row: &[f32]) -> f32 {
    let mut most = [f32::NEG_INFINITY; 16];
    for part in row.chunks(most.len()) {
        for (most, number) in most.iter_mut().zip(part) {
            *most = if *number > *most { *number } else { *most };
        }
    }
    most.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// Replaces numbers by the exponentials of what they are less than `max`, and returns the sum of these.
fn exponentials(row: &mut [f32], max: f32) -> f64 {
    let (max, mut sums) = (f64::from(max), [0.0; 8]);
    for part in row.chunks_mut(sums.len()) {
        for (sum, number) in sums.iter_mut().zip(part) {
            let power = single::exp(f64::from(*number) - max);
            *sum += power;
            *number = power as f32;
        }
    }
    sums.into_iter().sum()
}
