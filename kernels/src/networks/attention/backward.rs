//! The gradients of attention.

use super::forward::Statistics;
use super::scores::{MASKED, Scores, Shift};
use crate::LaneBody;
use crate::functions::special::native;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions;

/// The gradients of the heads that share their keys and values.
///
/// Inputs are queries, keys, values, the gradient of the result, the greatest score and the sum of exponentials of each query,
/// and what stands beside them. Outputs are the gradients of queries, keys, values, and of what was added to scores.
pub struct Backward {
    pub scores: Scores,
    /// Elements of a value.
    pub size: usize,
    /// The number of heads that share their keys.
    pub heads: usize,
}

impl LaneBody for Backward {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([query, key, value, dy, max, sum, others @ ..], [dq, dk, dv, dshift @ ..]) = (inputs, outputs)
        else {
            return Ok(());
        };
        let [query, key, value, dy, max, sum]: [&[f32]; 6] =
            [query, key, value, dy, max, sum].map(|bytes| bytemuck::cast_slice(bytes));
        let [dq, dk, dv]: [&mut [f32]; 3] = [dq, dk, dv].map(|bytes| bytemuck::cast_slice_mut(bytes));
        let mut dshift: Option<&mut [f32]> = dshift.first_mut().map(|bytes| bytemuck::cast_slice_mut(bytes));
        dk.fill(0.0);
        dv.fill(0.0);
        let Scores { queries, keys, size, scale, .. } = self.scores;
        let (scores, wide, together) = (&self.scores, self.size, self.scores.together());
        let all = scores.beside(others.iter().copied());
        let mut weights = allocation::zeros::<f32>(together * keys)?;
        let (mut grads, mut kept) =
            (allocation::zeros::<f32>(together * keys)?, allocation::zeros::<f32>(together * keys)?);
        for head in 0..self.heads {
            let (query, dy) = (&query[head * queries * size..], &dy[head * queries * wide..]);
            let beside = all.of_head(head, scores);
            for first in (0..queries).step_by(together) {
                let rows = first..queries.min(first + together);
                let count = rows.len();
                let (weights, grads) = (&mut weights[..count * keys], &mut grads[..count * keys]);
                scores.compute(rows.clone(), query, key, &beside, weights);
                let is_masked: Vec<bool> = allocation::collect(weights.iter().map(|score| *score == MASKED))?;
                for (row, weights) in rows.clone().zip(weights.chunks_exact_mut(keys)) {
                    let at = (head * queries + row) * Statistics::COPIES;
                    softmax(weights, max[at], sum[at]);
                }
                let dy_rows = Matrix::rows(&dy[first * wide..], wide);
                let query_rows = Matrix::rows(&query[first * size..], size);
                multiply([count, wide, keys], dy_rows, Matrix::rows(value, wide).transposed(), grads, false);
                scores.drop(rows.clone(), [number, head], &beside, grads);
                let kept = &mut kept[..count * keys];
                kept.copy_from_slice(weights);
                scores.drop(rows.clone(), [number, head], &beside, kept);
                multiply([keys, count, wide], Matrix::rows(kept, keys).transposed(), dy_rows, dv, true);
                for (weights, grads) in weights.chunks_exact(keys).zip(grads.chunks_exact_mut(keys)) {
                    let products = weights.iter().zip(&*grads);
                    let mean: f64 =
                        products.map(|(weight, grad)| f64::from(*weight) * f64::from(*grad)).sum();
                    for (weight, grad) in weights.iter().zip(grads) {
                        *grad = (f64::from(*weight) * (f64::from(*grad) - mean)) as f32;
                    }
                }
                grads
                    .iter_mut()
                    .zip(is_masked)
                    .filter(|(_, is_masked)| *is_masked)
                    .for_each(|(grad, _)| *grad = 0.0);
                if let Some(to) = dshift.as_deref_mut() {
                    let factor = if scores.shift == Some(Shift::BeforeScale) { scale } else { 1.0 };
                    let to = &mut to[(head * queries + first) * keys..][..count * keys];
                    to.iter_mut().zip(&*grads).for_each(|(to, grad)| *to = grad * factor);
                }
                grads.iter_mut().for_each(|grad| *grad *= scale);
                let to = &mut dq[(head * queries + first) * size..][..count * size];
                multiply([count, keys, size], Matrix::rows(grads, keys), Matrix::rows(key, size), to, false);
                multiply([keys, count, size], Matrix::rows(grads, keys).transposed(), query_rows, dk, true);
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["gradients of attention"]
    }
}

instructions::for_instructions! {
    /// Replaces scores by their softmax, of which the greatest score and the sum of exponentials are known.
    fn softmax(row: &mut [f32], max: f32, sum: f32) {
        if sum == 0.0 {
            return row.fill(0.0);
        }
        let sum = f64::from(sum);
        for score in row {
            *score = (f64::from(native::exp(*score - max)) / sum) as f32;
        }
    }
}
