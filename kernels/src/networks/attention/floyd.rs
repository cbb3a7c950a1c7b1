//! Attention of pairs over a third element (Floyd attention): the score of a pair and a third element is the sum of those of both
//! pairs with it, and so is the value.

use crate::LaneFunction;
use crate::functions::rows::dot;
use crate::views::allocation;
use crate::views::failure::Result;

/// The sizes of one head: the first and the second of a pair, ways, and elements.
#[derive(Clone, Copy)]
pub struct FloydAttention {
    pub first: usize,
    pub second: usize,
    pub ways: usize,
    pub size: usize,
    pub scale: f32,
    /// The number of copies of what is known of a pair.
    pub copies: usize,
    pub is_masked: bool,
}

fn add(to: &mut [f32], from: &[f32], factor: f64) {
    to.iter_mut().zip(from).for_each(|(to, x)| *to += (factor * f64::from(*x)) as f32);
}

impl FloydAttention {
    /// The elements of the pair of a first, or a way, and a way, or a second.
    fn part(&self, row: usize, columns: usize, column: usize) -> std::ops::Range<usize> {
        let at = row * columns + column;
        at * self.size..(at + 1) * self.size
    }

    /// The scores of a pair, −∞ where a way is masked.
    fn scores(
        &self,
        query: &[f32],
        [left, right]: [&[f32]; 2],
        mask: &[u8],
        pair: [usize; 2],
        to: &mut [f64],
    ) {
        for (way, score) in to.iter_mut().enumerate() {
            let both = dot(query, &left[self.part(pair[0], self.ways, way)])
                + dot(query, &right[self.part(way, self.second, pair[1])]);
            let is_masked =
                self.is_masked && mask.get(pair[0] * self.ways + way).is_some_and(|byte| *byte != 0);
            *score = if is_masked { f64::NEG_INFINITY } else { both * f64::from(self.scale) };
        }
    }

    /// The body over queries, both keys, both values and a mask if there is one. Outputs are the result, the greatest score of each
    /// pair, and the sum of exponentials.
    pub fn body(self) -> LaneFunction {
        LaneFunction::new("attention", move |_, inputs, outputs| {
            let ([query, k1, v1, k2, v2, mask @ ..], [out, most, sum]) = (inputs, outputs) else {
                return Ok(());
            };
            let [query, k1, v1, k2, v2]: [&[f32]; 5] =
                [query, k1, v1, k2, v2].map(|bytes| bytemuck::cast_slice(bytes));
            let [out, most, sum]: [&mut [f32]; 3] =
                [out, most, sum].map(|bytes| bytemuck::cast_slice_mut(bytes));
            let mask = mask.first().copied().unwrap_or(&[]);
            let mut scores = allocation::zeros::<f64>(self.ways)?;
            out.fill(0.0);
            for first in 0..self.first {
                for second in 0..self.second {
                    let own = self.part(first, self.second, second);
                    self.scores(&query[own.clone()], [k1, k2], mask, [first, second], &mut scores);
                    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    let power =
                        |score: f64| if score == f64::NEG_INFINITY { 0.0 } else { (score - greatest).exp() };
                    let total: f64 = scores.iter().map(|score| power(*score)).sum();
                    for (way, score) in scores.iter().enumerate().filter(|(_, score)| power(**score) > 0.0) {
                        let weight = power(*score) / total;
                        add(&mut out[own.clone()], &v1[self.part(first, self.ways, way)], weight);
                        add(&mut out[own.clone()], &v2[self.part(way, self.second, second)], weight);
                    }
                    let at = (first * self.second + second) * self.copies;
                    most[at..at + self.copies].fill(greatest as f32);
                    sum[at..at + self.copies].fill(total as f32);
                }
            }
            Ok(())
        })
    }

    /// The body of the gradients, over queries, both keys, both values, the gradient of the result, the greatest scores, the sums,
    /// the result and a mask if there is one. Outputs are the gradients of queries, the first key and value, and the second ones.
    pub fn gradients(self) -> LaneFunction {
        LaneFunction::new("gradients of attention", move |_, inputs, outputs| {
            let ([query, k1, v1, k2, v2, dy, most, sum, y, mask @ ..], outputs) = (inputs, outputs) else {
                return Ok(());
            };
            let [query, k1, v1, k2, v2, dy, most, sum, y]: [&[f32]; 9] =
                [query, k1, v1, k2, v2, dy, most, sum, y].map(|bytes| bytemuck::cast_slice(bytes));
            let mut outputs = outputs.iter_mut().map(|bytes| {
                bytes.fill(0);
                bytemuck::cast_slice_mut::<u8, f32>(bytes)
            });
            let mut next = || outputs.next().unwrap_or_default();
            let (dq, dk1, dv1, dk2, dv2) = (next(), next(), next(), next(), next());
            let mask = mask.first().copied().unwrap_or(&[]);
            let mut scores = allocation::zeros::<f64>(self.ways)?;
            for first in 0..self.first {
                for second in 0..self.second {
                    let own = self.part(first, self.second, second);
                    let at = (first * self.second + second) * self.copies;
                    let (query, dy) = (&query[own.clone()], &dy[own.clone()]);
                    self.scores(query, [k1, k2], mask, [first, second], &mut scores);
                    let mean = dot(dy, &y[own.clone()]);
                    for (way, score) in scores.iter().enumerate().filter(|(_, score)| score.is_finite()) {
                        let weight = (score - f64::from(most[at])).exp() / f64::from(sum[at]);
                        let (left, right) =
                            (self.part(first, self.ways, way), self.part(way, self.second, second));
                        let of_value = dot(dy, &v1[left.clone()]) + dot(dy, &v2[right.clone()]);
                        let grad = weight * (of_value - mean) * f64::from(self.scale);
                        add(&mut dv1[left.clone()], dy, weight);
                        add(&mut dv2[right.clone()], dy, weight);
                        add(&mut dq[own.clone()], &k1[left.clone()], grad);
                        add(&mut dq[own.clone()], &k2[right.clone()], grad);
                        add(&mut dk1[left], query, grad);
                        add(&mut dk2[right], query, grad);
                    }
                }
            }
            Result::Ok(())
        })
    }
}
