//! The divergence of the scores that choose keys from the weights of attention, and its gradients.

use super::indexer::{Indexer, Sides};
use super::sequences::{list, missing};
use crate::functions::rows::dot;
use crate::views::allocation;
use crate::views::failure::Result;

/// The divergence of the softmax of the scores from the mean weights of the heads of attention, summed over queries.
#[derive(Clone)]
pub struct Divergence {
    pub indexer: Indexer,
    /// Heads of keys of attention, and heads of queries for each.
    pub groups: [usize; 2],
    /// Elements of a query of attention and a key, and of their parts that stand apart.
    pub sizes: [usize; 2],
    pub scale: f32,
    /// Whether lists choose the keys of each query. Otherwise it sees all, and the greatest score and the sum of exponentials of
    /// each query are known.
    pub is_sparse: bool,
}

impl Divergence {
    /// Computes the gradients of the queries, keys and weights of scores, and the divergence.
    ///
    /// Inputs are queries, keys and weights of scores; queries and keys of attention, the greatest score and the sum of exponentials
    /// of each of its heads; the chosen keys, or the numbers that are known of scores; the parts that stand apart; and lists.
    pub fn gradients(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let [query, key, weights, others @ ..] = inputs else { return Ok(()) };
        let Some((loss, outputs)) = outputs.split_last_mut() else { return Ok(()) };
        let Some(mut sides) = Sides::new([query, key, weights], outputs) else { return Ok(()) };
        let (chosen, floats) = if self.is_sparse { (1, 4) } else { (0, 6) };
        let (floats, others) = others.split_at(floats.min(others.len()));
        let (chosen, others) = others.split_at(chosen.min(others.len()));
        let (ropes, lists) = others.split_at(if self.sizes[1] > 0 { 2.min(others.len()) } else { 0 });
        let float = |number: usize| -> &[f32] { list(floats, number) };
        let chosen: &[i32] = list(chosen, 0);
        let sequences = &self.indexer.sequences;
        let rows = sides.query.len() / (self.indexer.heads * self.indexer.size).max(1);
        let width = chosen.len() / rows.max(1);
        let mut total = 0.0;
        for number in 0..rows {
            let Some(found) = sequences.query(number, lists) else { continue };
            let keys: Vec<usize> = match self.is_sparse {
                true => {
                    let own = chosen[number * width..(number + 1) * width].iter();
                    own.filter_map(|key| usize::try_from(*key).ok()).filter(|key| *key < found.keys).collect()
                }
                false => allocation::collect(0..found.keys)?,
            };
            let mut scores = allocation::for_elements::<f64>(keys.len())?;
            let mut places = allocation::for_elements::<usize>(keys.len())?;
            for key in &keys {
                let row = sequences.place(&found, *key, lists)?;
                let Some(score) = self.indexer.score(&sides, [number, row]) else {
                    return Err(missing(*key));
                };
                scores.push(score);
                places.push(row);
            }
            let (most, sum) = match (float(4).get(number), float(5).get(number)) {
                (Some(most), Some(sum)) => (f64::from(*most), f64::from(*sum)),
                _ => {
                    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    (most, scores.iter().map(|score| (score - most).exp()).sum())
                }
            };
            for ((key, row), score) in keys.iter().zip(places).zip(scores) {
                let Some(weight) = self.weight([number, row], floats, ropes) else {
                    return Err(missing(*key));
                };
                let log = score - most - sum.ln();
                if weight > 0.0 {
                    total += weight * (weight.ln() - log);
                }
                self.indexer.add(&mut sides, [number, row], (log.exp() - weight) as f32);
            }
        }
        bytemuck::cast_slice_mut::<u8, f32>(loss).fill(total as f32);
        Ok(())
    }

    /// The mean weight of the heads of a query for a key in a row, if there is one.
    fn weight(&self, [number, row]: [usize; 2], floats: &[&[u8]], ropes: &[&[u8]]) -> Option<f64> {
        let ([groups, heads], sizes) = (self.groups, self.sizes);
        let [most, sum] = [2, 3].map(|at| list::<f32>(floats, at));
        let sides = [floats, ropes].into_iter().zip(sizes).filter(|(_, size)| *size > 0);
        let mut total = 0.0;
        for group in 0..groups {
            for head in 0..heads {
                let at = (number * groups + group) * heads + head;
                let mut score = 0.0;
                for (side, size) in sides.clone() {
                    let of = |number: usize| number * size..(number + 1) * size;
                    let key = list::<f32>(side, 1).get(of(row * groups + group))?;
                    score += dot(list::<f32>(side, 0).get(of(at))?, key);
                }
                let score = score * f64::from(self.scale) - f64::from(*most.get(at)?);
                total += score.exp() / f64::from(*sum.get(at)?);
            }
        }
        Some(total / (groups * heads) as f64)
    }
}
