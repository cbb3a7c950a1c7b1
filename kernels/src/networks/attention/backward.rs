//! The gradients of attention.

use super::forward::Statistics;
use super::scores::{MASKED, Scores, Shift};
use crate::functions::special::native;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions;
use crate::{LaneBody, LaneFunction};

/// The gradients of the heads that share their keys and values.
///
/// Inputs are queries, keys, values, the gradient of the result, the greatest score and the sum of exponentials of each query,
/// and what stands beside them. Outputs are the gradients of queries, keys and values, of their separate rotary parts, of sinks,
/// and of what was added to scores: those of them that are there.
pub struct Backward {
    pub scores: Scores,
    /// Elements of a value.
    pub size: usize,
    /// The number of heads that share their keys.
    pub heads: usize,
    /// Whether the gradient of each head's sink is an output.
    pub has_sinks: bool,
}

impl LaneBody for Backward {
    fn lane(&self, number: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([query, key, value, dy, max, sum, others @ ..], [dq, dk, dv, further @ ..]) = (inputs, outputs)
        else {
            return Ok(());
        };
        let [query, key, value, dy, max, sum]: [&[f32]; 6] =
            [query, key, value, dy, max, sum].map(|bytes| bytemuck::cast_slice(bytes));
        let [dq, dk, dv]: [&mut [f32]; 3] = [dq, dk, dv].map(|bytes| bytemuck::cast_slice_mut(bytes));
        let Scores { queries, keys, size, rope, scale, .. } = self.scores;
        let mut further = further.iter_mut().map(|bytes| bytemuck::cast_slice_mut::<u8, f32>(bytes));
        let mut next = |is_there: bool| if is_there { further.next() } else { None };
        let mut separate = next(rope > 0).zip(next(rope > 0));
        let (mut dsinks, mut dshift) = (next(self.has_sinks), next(true));
        if let Some((_, dk)) = &mut separate {
            dk.fill(0.0);
        }
        if let Some(dsinks) = &mut dsinks {
            dsinks.fill(0.0);
        }
        dk.fill(0.0);
        dv.fill(0.0);
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
                let each = weights.chunks_exact(keys).zip(grads.chunks_exact_mut(keys));
                for (row, (weights, grads)) in rows.clone().zip(each) {
                    let products = weights.iter().zip(&*grads);
                    let mean: f64 =
                        products.map(|(weight, grad)| f64::from(*weight) * f64::from(*grad)).sum();
                    let at = (head * queries + row) * Statistics::COPIES;
                    let of_head = dsinks.as_deref_mut().and_then(|dsinks| dsinks.get_mut(head));
                    if let (Some(to), Some(sink)) = (of_head, beside.sink().filter(|_| sum[at] != 0.0)) {
                        *to -= (f64::from(native::exp(sink - max[at])) / f64::from(sum[at]) * mean) as f32;
                    }
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
                if let (Some((dq, dk)), Some([query, key])) = (&mut separate, beside.rope()) {
                    let to = &mut dq[(head * queries + first) * rope..][..count * rope];
                    let query = Matrix::rows(&query[first * rope..], rope);
                    multiply(
                        [count, keys, rope],
                        Matrix::rows(grads, keys),
                        Matrix::rows(key, rope),
                        to,
                        false,
                    );
                    multiply([keys, count, rope], Matrix::rows(grads, keys).transposed(), query, dk, true);
                }
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["gradients of attention"]
    }
}

/// The body of the sum of rows, which lie one after the other in each input.
pub fn sum_of_rows() -> LaneFunction {
    LaneFunction::new("sum up rows", |_, inputs, outputs| {
        let [out] = outputs else { return Ok(()) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
        for input in inputs {
            for row in bytemuck::cast_slice::<u8, f32>(input).chunks_exact(out.len().max(1)) {
                out.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
        }
        Ok(())
    })
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
