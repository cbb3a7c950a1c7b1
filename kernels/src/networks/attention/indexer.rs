//! Scores that choose keys: sums over heads of the positive products of queries and keys, each times a weight.

use super::sequences::{Sequences, missing};
use crate::functions::rows::dot;
use crate::networks::experts::rows::Tables;
use crate::products::matrix::{Matrix, multiply};
use crate::sorting::greatest::{self, rank};
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
                    f64::from(weights[head]) * positive(f64::from(scaled))
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
        let order = greatest(&scores, chosen.len())?;
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
        let ([query, key, dy, chosen, weights, lists @ ..], outputs) = (inputs, outputs) else {
            return Ok(());
        };
        let Some(mut sides) = Sides::new([query, key, weights], outputs) else { return Ok(()) };
        let (dy, chosen): (&[f32], &[i32]) = (bytemuck::cast_slice(dy), bytemuck::cast_slice(chosen));
        let rows = sides.query.len() / (self.heads * self.size).max(1);
        let width = chosen.len() / rows.max(1);
        for number in 0..rows {
            let Some(found) = self.sequences.query(number, lists) else { continue };
            for at in number * width..(number + 1) * width {
                let seen = usize::try_from(chosen[at]).ok().filter(|key| *key < found.keys);
                let Some(key) = seen else { continue };
                let row = self.sequences.place(&found, key, lists)?;
                if !self.add(&mut sides, [number, row], dy[at]) {
                    return Err(missing(key));
                }
            }
        }
        Ok(())
    }

    /// The score of a query and a key in a row, if there is one.
    pub(super) fn score(&self, sides: &Sides<'_>, [number, row]: [usize; 2]) -> Option<f64> {
        let Self { heads, size, .. } = *self;
        let key = sides.key.get(row * size..(row + 1) * size)?;
        let term = |head: usize| {
            let of_head = number * heads + head;
            let product = dot(&sides.query[of_head * size..(of_head + 1) * size], key);
            f64::from(sides.weights[of_head]) * positive(product)
        };
        Some((0..heads).map(term).sum())
    }

    /// Adds the gradients of a score, of a query and a key in a row, if there is one.
    pub(super) fn add(&self, sides: &mut Sides<'_>, [number, row]: [usize; 2], dy: f32) -> bool {
        let Self { heads, size, .. } = *self;
        let part = row * size..(row + 1) * size;
        let Some(key) = sides.key.get(part.clone()) else { return false };
        for head in 0..heads {
            let of_head = number * heads + head;
            let range = of_head * size..(of_head + 1) * size;
            let own = &sides.query[range.clone()];
            let score = dot(own, key);
            if score <= 0.0 {
                continue;
            }
            sides.dw[of_head] += (f64::from(dy) * score) as f32;
            let factor = dy * sides.weights[of_head];
            sides.dq[range].iter_mut().zip(key).for_each(|(to, x)| *to += factor * x);
            sides.dk[part.clone()].iter_mut().zip(own).for_each(|(to, x)| *to += factor * x);
        }
        true
    }
}

/// A product, or 0 for a negative one. What is no number stays so.
fn positive(product: f64) -> f64 {
    if product < 0.0 { 0.0 } else { product }
}

/// Queries, keys and weights, and their gradients.
pub(super) struct Sides<'a> {
    pub(super) query: &'a [f32],
    key: &'a [f32],
    weights: &'a [f32],
    dq: &'a mut [f32],
    dk: &'a mut [f32],
    dw: &'a mut [f32],
}

impl<'a> Sides<'a> {
    /// Takes three outputs, which become 0.
    pub(super) fn new(inputs: [&'a [u8]; 3], outputs: &'a mut [&mut [u8]]) -> Option<Self> {
        let [query, key, weights] = inputs.map(bytemuck::cast_slice);
        let mut outputs = outputs.iter_mut().map(|bytes| {
            bytes.fill(0);
            bytemuck::cast_slice_mut(bytes)
        });
        Some(Self { query, key, weights, dq: outputs.next()?, dk: outputs.next()?, dw: outputs.next()? })
    }
}

/// The numbers of the greatest scores, the greatest first, and of equal ones the first.
pub(super) fn greatest(scores: &[f32], count: usize) -> Result<Vec<usize>> {
    greatest::greatest(&mut scores.iter().map(|score| rank(*score)).zip(0..), count)
}
