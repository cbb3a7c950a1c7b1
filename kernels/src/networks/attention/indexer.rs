//! Scores that choose keys: sums over heads of the positive products of queries and keys, each times a weight.

use super::sequences::{Sequences, missing};
use crate::networks::experts::rows::Tables;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;

/// Keys that are scored together.
const TOGETHER: usize = 256;

/// The scores of the keys of a query, whose heads share them.
#[derive(Clone)]
pub struct Indexer {
    pub sequences: Sequences,
    pub heads: usize,
    /// Elements of a query and a key.
    pub size: usize,
    /// Whether queries and keys are integers with scales, in two further tables.
    pub is_scaled: bool,
}

impl Indexer {
    /// The scores of all keys that a query sees. Tables are queries, keys, weights, and scales of queries and keys.
    fn scores(&self, number: usize, tables: &Tables<'_>, lists: &[&[u8]]) -> Result<Vec<f32>> {
        let Self { heads, size, .. } = *self;
        let Some(query) = self.sequences.query(number, lists) else { return Ok(Vec::new()) };
        let (mut own, mut weights, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        tables.visit::<f32>(0, number as i64, &mut |row| own.extend_from_slice(row))?;
        tables.visit::<f32>(2, number as i64, &mut |row| weights.extend_from_slice(row))?;
        tables.visit::<f32>(3, number as i64, &mut |row| scales.extend_from_slice(row))?;
        let mut all = allocation::for_elements(query.keys)?;
        let mut products = allocation::zeros::<f32>(heads * TOGETHER)?;
        for first in (0..query.keys).step_by(TOGETHER) {
            let count = TOGETHER.min(query.keys - first);
            let (mut keys, mut of_keys) = (Vec::with_capacity(count * size), Vec::new());
            for key in first..first + count {
                let row = self.sequences.place(&query, key, lists)? as i64;
                let mut is_there = tables.visit::<f32>(1, row, &mut |row| keys.extend_from_slice(row))?;
                if self.is_scaled {
                    is_there &= tables.visit::<f32>(4, row, &mut |row| of_keys.extend_from_slice(row))?;
                }
                if !is_there {
                    return Err(missing(key));
                }
            }
            let to = &mut products[..heads * count];
            let columns = Matrix::rows(&keys, size).transposed();
            multiply([heads, size, count], Matrix::rows(&own, size), columns, to, false);
            for key in 0..count {
                let term = |head: usize| {
                    let product = to[head * count + key];
                    let scaled = match scales.get(head).zip(of_keys.get(key)) {
                        Some((of_query, of_key)) => product * of_query * of_key,
                        None => product,
                    };
                    f64::from(weights[head]) * f64::from(scaled.max(0.0))
                };
                all.push((0..heads).map(term).sum::<f64>() as f32);
            }
        }
        Ok(all)
    }

    /// Writes the keys with the greatest scores, the greatest first, of equal ones the first; `−1` where there are no more. Their
    /// scores follow in a second output.
    pub fn choose(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        let scores = self.scores(number, tables, lists)?;
        let [chosen, values @ ..] = outputs else { return Ok(false) };
        let chosen: &mut [i32] = bytemuck::cast_slice_mut(chosen);
        let mut order: Vec<usize> = allocation::collect(0..scores.len())?;
        let descending = |a: &usize, b: &usize| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b));
        if chosen.len() < order.len() && !chosen.is_empty() {
            order.select_nth_unstable_by(chosen.len() - 1, descending);
            order.truncate(chosen.len());
        }
        order.sort_unstable_by(descending);
        chosen.fill(-1);
        chosen.iter_mut().zip(&order).for_each(|(to, key)| *to = *key as i32);
        if let [values] = values {
            let values: &mut [f32] = bytemuck::cast_slice_mut(values);
            values.fill(f32::NEG_INFINITY);
            values.iter_mut().zip(&order).for_each(|(to, key)| *to = scores[*key]);
        }
        Ok(true)
    }

    /// Writes the greatest score, and the sum of the exponentials of what the others are less.
    pub fn statistics(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        let scores = self.scores(number, tables, lists)?;
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = scores.iter().map(|score| f64::from(score - most).exp()).sum();
        for (to, number) in outputs.iter_mut().zip([most, sum as f32]) {
            bytemuck::cast_slice_mut::<u8, f32>(to).fill(number);
        }
        Ok(true)
    }

    /// Computes the gradients of queries, keys and weights from those of the scores of chosen keys.
    ///
    /// Inputs are queries, keys, the gradient, chosen keys, weights and lists.
    pub fn gradients(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([query, key, dy, chosen, weights, lists @ ..], [dq, dk, dw]) = (inputs, outputs) else {
            return Ok(());
        };
        let [query, key, dy, weights]: [&[f32]; 4] =
            [query, key, dy, weights].map(|bytes| bytemuck::cast_slice(bytes));
        let chosen: &[i32] = bytemuck::cast_slice(chosen);
        let [dq, dk, dw]: [&mut [f32]; 3] = [dq, dk, dw].map(|bytes| {
            bytes.fill(0);
            bytemuck::cast_slice_mut(bytes)
        });
        let Self { heads, size, .. } = *self;
        let rows = query.len() / (heads * size).max(1);
        let width = chosen.len() / rows.max(1);
        for number in 0..rows {
            let Some(found) = self.sequences.query(number, lists) else { continue };
            for at in number * width..(number + 1) * width {
                let seen = usize::try_from(chosen[at]).ok().filter(|key| *key < found.keys);
                let Some(key_number) = seen else { continue };
                let row = self.sequences.place(&found, key_number, lists)?;
                let part = row * size..(row + 1) * size;
                let Some(own_key) = key.get(part.clone()) else { return Err(missing(key_number)) };
                for head in 0..heads {
                    let of_head = number * heads + head;
                    let range = of_head * size..(of_head + 1) * size;
                    let own = &query[range.clone()];
                    let score: f64 =
                        own.iter().zip(own_key).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                    if score <= 0.0 {
                        continue;
                    }
                    dw[of_head] += (f64::from(dy[at]) * score) as f32;
                    let factor = dy[at] * weights[of_head];
                    dq[range].iter_mut().zip(own_key).for_each(|(to, x)| *to += factor * x);
                    dk[part.clone()].iter_mut().zip(own).for_each(|(to, x)| *to += factor * x);
                }
            }
        }
        Ok(())
    }
}
