//! Attention over keys that lists choose, and its gradients.

use super::sequences::{Query, Sequences, list, missing};
use crate::functions::special::native;
use crate::networks::experts::rows::Tables;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::Result;

/// Attention over chosen blocks of keys, for the heads that share their keys.
#[derive(Clone)]
pub struct Chosen {
    pub sequences: Sequences,
    /// Heads of keys, and heads of queries for each.
    pub groups: [usize; 2],
    /// Elements of a query and a key, of their separate rotary parts, and of a value.
    pub sizes: [usize; 3],
    /// Keys of a block.
    pub block: usize,
    pub scale: f32,
    /// The list of one more score for each head, which has no value.
    pub sinks: Option<usize>,
}

/// The weights of the keys of a query.
struct Weights {
    /// The greatest score of each head, and the sum of exponentials of what the others are less.
    known: Vec<(f32, f64)>,
    /// For each head, the exponentials.
    powers: Vec<f32>,
}

impl Chosen {
    /// The keys of a query that a list of blocks names.
    fn keys(&self, query: &Query, blocks: &[i32]) -> Result<Vec<usize>> {
        let mut keys = Vec::new();
        for block in blocks.iter().map_while(|block| usize::try_from(*block).ok()) {
            let first = block.saturating_mul(self.block);
            let end = first.saturating_add(self.block).min(query.keys);
            allocation::reserve(&mut keys, end.saturating_sub(first))?;
            keys.extend(first..end);
        }
        Ok(keys)
    }

    /// Queries, or keys, with their separate rotary parts.
    fn joined(&self, own: &[f32], separate: &[f32], rows: usize) -> Vec<f32> {
        let [size, rope, _] = self.sizes;
        (0..rows)
            .flat_map(|row| {
                let part = if rope > 0 { &separate[row * rope..(row + 1) * rope] } else { &[] };
                own[row * size..(row + 1) * size].iter().chain(part).copied()
            })
            .collect()
    }

    /// Scores of the heads of a query, and their exponentials.
    fn weigh(&self, query: &[f32], keys: &[f32], count: usize, sinks: &[f32]) -> Result<Weights> {
        let (heads, size) = (self.groups[1], self.sizes[0] + self.sizes[1]);
        let mut powers = allocation::zeros::<f32>(heads * count)?;
        if count > 0 {
            let (rows, columns) = (Matrix::rows(query, size), Matrix::rows(keys, size).transposed());
            multiply([heads, size, count], rows, columns, &mut powers, false);
        }
        let mut known = Vec::with_capacity(heads);
        for head in 0..heads {
            let row = &mut powers[head * count..(head + 1) * count];
            row.iter_mut().for_each(|score| *score *= self.scale);
            let sink = sinks.get(head).copied().unwrap_or(f32::NEG_INFINITY);
            let most = row.iter().copied().fold(sink, f32::max);
            let mut sum = 0.0;
            if most != f32::NEG_INFINITY {
                row.iter_mut().for_each(|score| {
                    *score = native::exp(*score - most);
                    sum += f64::from(*score);
                });
                sum += f64::from(native::exp(sink - most));
            }
            known.push((most, sum));
        }
        Ok(Weights { known, powers })
    }

    /// Computes the heads of a query that share their keys: the result, and then the greatest score and the sum of exponentials
    /// of each head, several times.
    ///
    /// Tables are queries, keys, values, chosen blocks, and the separate rotary parts of queries and keys.
    pub fn row(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        let ([groups, heads], [size, rope, wide]) = (self.groups, self.sizes);
        let (place, group) = (number / groups, number % groups);
        let [out, known @ ..] = outputs else { return Ok(false) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
        let query = self.sequences.query(place, lists);
        let mut found = Vec::new();
        if let Some(query) = &query {
            let mut chosen = Ok(Vec::new());
            tables.visit::<i32>(3, number as i64, &mut |blocks| chosen = self.keys(query, blocks))?;
            found = chosen?;
        }
        let (mut own, mut separate) = (Vec::new(), Vec::new());
        tables.visit::<f32>(0, number as i64, &mut |row| own.extend_from_slice(row))?;
        tables.visit::<f32>(4, number as i64, &mut |row| separate.extend_from_slice(row))?;
        let own = self.joined(&own, &separate, heads);
        let mut keys = allocation::for_elements::<f32>(found.len().saturating_mul(size + rope))?;
        let mut values = allocation::for_elements::<f32>(found.len().saturating_mul(wide))?;
        for key in &found {
            let Some(query) = &query else { break };
            let row = (self.sequences.place(query, *key, lists)? * groups + group) as i64;
            let mut is_there = tables.visit::<f32>(1, row, &mut |row| keys.extend_from_slice(row))?;
            if rope > 0 {
                is_there &= tables.visit::<f32>(5, row, &mut |row| keys.extend_from_slice(row))?;
            }
            is_there &= tables.visit::<f32>(2, row, &mut |row| values.extend_from_slice(row))?;
            if !is_there {
                return Err(missing(*key));
            }
        }
        let sinks = self.sinks.map_or(&[][..], |number| list::<f32>(lists, number));
        let sinks = sinks.get(group * heads..).unwrap_or(&[]);
        let weights = self.weigh(&own, &keys, found.len(), sinks)?;
        if !found.is_empty() {
            let rows = Matrix::rows(&weights.powers, found.len());
            multiply([heads, found.len(), wide], rows, Matrix::rows(&values, wide), out, false);
        }
        for (row, (_, sum)) in out.chunks_exact_mut(wide).zip(&weights.known) {
            let factor = if *sum == 0.0 { 0.0 } else { 1.0 / sum };
            row.iter_mut().for_each(|x| *x = (f64::from(*x) * factor) as f32);
        }
        for (at, to) in known.iter_mut().enumerate() {
            let to: &mut [f32] = bytemuck::cast_slice_mut(to);
            let copies = to.len() / heads;
            for (to, (most, sum)) in to.chunks_exact_mut(copies.max(1)).zip(&weights.known) {
                to.fill(if at == 0 { *most } else { *sum as f32 });
            }
        }
        Ok(true)
    }

    /// Computes the gradients of all queries, keys and values, of their separate rotary parts too.
    ///
    /// Inputs are queries, keys, values, chosen blocks, the gradient of the result, the result, the greatest score and the sum of
    /// exponentials of each head, the separate rotary parts, and lists. Numbers of heads are repeated `copies` times.
    pub fn gradients(&self, copies: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([query, key, value, blocks, dy, y, most, sum, others @ ..], [dq, dk, dv, separate @ ..]) =
            (inputs, outputs)
        else {
            return Ok(());
        };
        let [query, key, value, dy, y, most, sum]: [&[f32]; 7] =
            [query, key, value, dy, y, most, sum].map(|bytes| bytemuck::cast_slice(bytes));
        let ([groups, heads], [size, rope, wide]) = (self.groups, self.sizes);
        let (ropes, lists) = others.split_at(if rope > 0 { 2 } else { 0 });
        let of_rope = |at: usize| -> &[f32] { list(ropes, at) };
        let blocks: &[i32] = bytemuck::cast_slice(blocks);
        for out in [&mut *dq, &mut *dk, &mut *dv].into_iter().chain(separate.iter_mut()) {
            out.fill(0);
        }
        let [dq, dk, dv]: [&mut [f32]; 3] = [dq, dk, dv].map(|bytes| bytemuck::cast_slice_mut(bytes));
        let rows = query.len() / (heads * size).max(1);
        let width = blocks.len() / rows.max(1);
        let full = size + rope;
        for number in 0..rows {
            let (place, group) = (number / groups, number % groups);
            let Some(found) = self.sequences.query(place, lists) else { continue };
            let keys = self.keys(&found, &blocks[number * width..(number + 1) * width])?;
            let part = |len: usize| number * heads * len..(number + 1) * heads * len;
            let own = self.joined(&query[part(size)], of_rope(0).get(part(rope)).unwrap_or(&[]), heads);
            for key_number in keys {
                let row = self.sequences.place(&found, key_number, lists)? * groups + group;
                let of = |len: usize| row * len..(row + 1) * len;
                let (Some(own_key), Some(own_value)) = (key.get(of(size)), value.get(of(wide))) else {
                    return Err(missing(key_number));
                };
                let own_key = self.joined(own_key, of_rope(1).get(of(rope)).unwrap_or(&[]), 1);
                for head in 0..heads {
                    let at = number * heads + head;
                    let dot = |a: &[f32], b: &[f32]| -> f64 {
                        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
                    };
                    let (own, dy) = (&own[head * full..(head + 1) * full], &dy[at * wide..(at + 1) * wide]);
                    let score = dot(own, &own_key) * f64::from(self.scale) - f64::from(most[at * copies]);
                    let weight = score.exp() / f64::from(sum[at * copies]);
                    let mean = dot(dy, &y[at * wide..(at + 1) * wide]);
                    let grad = (weight * (dot(dy, own_value) - mean) * f64::from(self.scale)) as f32;
                    let add = |to: &mut [f32], from: &[f32], factor: f32| {
                        to.iter_mut().zip(from).for_each(|(to, x)| *to += factor * x);
                    };
                    add(&mut dv[of(wide)], dy, weight as f32);
                    add(&mut dk[of(size)], &own[..size], grad);
                    add(&mut dq[at * size..(at + 1) * size], &own_key[..size], grad);
                    if let [of_query, of_key] = separate {
                        let of_query: &mut [f32] = bytemuck::cast_slice_mut(of_query);
                        let of_key: &mut [f32] = bytemuck::cast_slice_mut(of_key);
                        add(&mut of_query[at * rope..(at + 1) * rope], &own_key[size..], grad);
                        add(&mut of_key[of(rope)], &own[size..], grad);
                    }
                }
            }
        }
        Ok(())
    }
}
