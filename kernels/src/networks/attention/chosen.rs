//! Attention over keys that lists choose, and its gradients.

use super::sequences::{Query, Sequences, list, missing};
use crate::functions::rows::dot;
use crate::functions::special::native;
use crate::networks::experts::rows::Tables;
use crate::products::matrix::{Matrix, multiply};
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};

/// The way in which rows of a table say which blocks of keys a query sees.
#[derive(Clone, Copy)]
pub enum Blocks {
    /// There is no table; each query sees all keys.
    All,
    /// A list of blocks for each query, up to the first negative number.
    Listed { width: usize },
    /// A flag for each block, for so many queries of a sequence together. A sequence has so many rows for each head.
    Flagged { queries: usize, rows: usize, width: usize },
}

/// Attention over chosen blocks of keys, for the heads that share their keys.
#[derive(Clone)]
pub struct Chosen {
    pub sequences: Sequences,
    /// Groups of heads of queries, and the heads of each, which see the same keys.
    pub groups: [usize; 2],
    /// The groups that share a head of keys.
    pub share: usize,
    pub blocks: Blocks,
    /// Elements of a query and a key, of their separate rotary parts, and of a value.
    pub sizes: [usize; 3],
    /// Keys of a block.
    pub block: usize,
    pub scale: f32,
    /// The list of one more score for each head, which has no value.
    pub sinks: Option<usize>,
}

/// The weights of the keys of a query.
pub(super) struct Weights {
    /// The greatest score of each head, and the sum of exponentials of what the others are less.
    pub(super) known: Vec<(f32, f64)>,
    /// For each head, the exponentials.
    pub(super) powers: Vec<f32>,
}

#[cold]
fn repeated(query: &Query) -> Failure {
    let message = format_args!(
        "a query that sees {} keys names blocks so often that there are not as many",
        query.keys
    );
    Failure::new(Cause::AiCore, message)
}

impl Chosen {
    /// The row that says which blocks a query and its group see.
    fn row_of_blocks(&self, query: &Query, number: usize) -> usize {
        let groups = self.groups[0];
        match self.blocks {
            Blocks::Flagged { queries, rows, .. } => {
                let head = query.sequence * groups + number % groups;
                head * rows + query.number / queries.max(1)
            }
            _ => number,
        }
    }

    /// The keys of a query in the blocks that a row names. A block that is named twice counts twice, but a row that names more
    /// blocks with keys of the query than there are is refused: what it takes would grow with the row alone.
    fn keys(&self, query: &Query, row: &[i32]) -> Result<Vec<usize>> {
        let blocks: Vec<usize> = match self.blocks {
            Blocks::All => return allocation::collect(0..query.keys),
            Blocks::Listed { .. } => row.iter().map_while(|block| usize::try_from(*block).ok()).collect(),
            Blocks::Flagged { .. } => (0..row.len()).filter(|block| row[*block] != 0).collect(),
        };
        let mut left = query.keys.div_ceil(self.block.max(1));
        let mut keys = Vec::new();
        for block in blocks {
            let first = block.saturating_mul(self.block);
            let end = first.saturating_add(self.block).min(query.keys);
            if first >= end {
                continue;
            }
            left = left.checked_sub(1).ok_or_else(|| repeated(query))?;
            allocation::reserve_more(&mut keys, end - first)?;
            keys.extend(first..end);
        }
        Ok(keys)
    }

    /// The row of a key of the head of keys that a group has.
    fn row_of_key(&self, query: &Query, key: usize, group: usize, lists: &[&[u8]]) -> Result<usize> {
        let share = self.share.max(1);
        Ok(self.sequences.place(query, key, lists)? * (self.groups[0] / share) + group / share)
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
    /// Tables are queries, keys, values, blocks, and the separate rotary parts of queries and keys.
    pub fn row(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        let query = self.sequences.query(number / self.groups[0], lists);
        let mut found = Vec::new();
        if let Some(query) = &query {
            let mut chosen = Ok(Vec::new());
            match self.blocks {
                Blocks::All => chosen = self.keys(query, &[]),
                _ => {
                    let row = self.row_of_blocks(query, number) as i64;
                    tables.visit::<i32>(3, row, &mut |blocks| chosen = self.keys(query, blocks))?;
                }
            }
            found = chosen?;
        }
        self.attend((number, query.as_ref(), &found), tables, lists, outputs)?;
        Ok(true)
    }

    /// Computes the heads of a query over the keys that were found for it, as [`row`](Self::row) writes them; returns their weights.
    pub(super) fn attend(
        &self,
        (number, query, found): (usize, Option<&Query>, &[usize]),
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<Weights> {
        let ([groups, heads], [size, rope, wide]) = (self.groups, self.sizes);
        let group = number % groups;
        let (mut own, mut separate) = (Vec::new(), Vec::new());
        tables.visit::<f32>(0, number as i64, &mut |row| own.extend_from_slice(row))?;
        if rope > 0 {
            tables.visit::<f32>(4, number as i64, &mut |row| separate.extend_from_slice(row))?;
        }
        let own = self.joined(&own, &separate, heads);
        let mut keys = allocation::for_elements::<f32>(found.len().saturating_mul(size + rope))?;
        let mut values = allocation::for_elements::<f32>(found.len().saturating_mul(wide))?;
        for key in found {
            let Some(query) = query else { break };
            let row = self.row_of_key(query, *key, group, lists)? as i64;
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
        let [out, known @ ..] = outputs else { return Ok(weights) };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
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
        Ok(weights)
    }

    /// Computes the logarithm of the sum of the exponentials of the scores of each head, behind the result.
    pub fn row_and_log(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        let [out, log] = outputs else { return self.row(number, tables, lists, outputs) };
        let mut sums = allocation::zeros::<f32>(self.groups[1])?;
        self.row(number, tables, lists, &mut [&mut **out, &mut **log, bytemuck::cast_slice_mut(&mut sums)])?;
        for (to, sum) in bytemuck::cast_slice_mut::<u8, f32>(log).iter_mut().zip(sums) {
            *to = if sum > 0.0 { (f64::from(*to) + f64::from(sum).ln()) as f32 } else { f32::NEG_INFINITY };
        }
        Ok(true)
    }

    /// Computes the gradients of all queries, keys and values, of their separate rotary parts too.
    ///
    /// Inputs are queries, keys, values, the gradient of the result, the result, the greatest score and the sum of exponentials of
    /// each head, blocks, the separate rotary parts, and lists. Numbers of heads are repeated `copies` times; with 0 copies there
    /// is one number of each, the logarithm of its sum, in the place of two.
    pub fn gradients(&self, copies: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([query, key, value, dy, y, most, others @ ..], [dq, dk, dv, separate @ ..]) = (inputs, outputs)
        else {
            return Ok(());
        };
        let [query, key, value, dy, y, most]: [&[f32]; 6] =
            [query, key, value, dy, y, most].map(|bytes| bytemuck::cast_slice(bytes));
        let ([groups, heads], [size, rope, wide]) = (self.groups, self.sizes);
        let (sum, others) = others.split_at(if copies > 0 { 1 } else { 0 });
        let (sum, copies): (&[f32], usize) = (list(sum, 0), copies.max(1));
        let width = match self.blocks {
            Blocks::All => 0,
            Blocks::Listed { width } | Blocks::Flagged { width, .. } => width,
        };
        let (blocks, others) = others.split_at(if matches!(self.blocks, Blocks::All) { 0 } else { 1 });
        let blocks: &[i32] = list(blocks, 0);
        let (ropes, lists) = others.split_at(if rope > 0 { 2 } else { 0 });
        let of_rope = |at: usize| -> &[f32] { list(ropes, at) };
        for out in [&mut *dq, &mut *dk, &mut *dv].into_iter().chain(separate.iter_mut()) {
            out.fill(0);
        }
        let [dq, dk, dv]: [&mut [f32]; 3] = [dq, dk, dv].map(|bytes| bytemuck::cast_slice_mut(bytes));
        let rows = query.len() / (heads * size).max(1);
        let full = size + rope;
        for number in 0..rows {
            let (place, group) = (number / groups, number % groups);
            let Some(found) = self.sequences.query(place, lists) else { continue };
            let row = self.row_of_blocks(&found, number) * width;
            let keys = self.keys(&found, blocks.get(row..row + width).unwrap_or(&[]))?;
            let part = |len: usize| number * heads * len..(number + 1) * heads * len;
            let own = self.joined(&query[part(size)], of_rope(0).get(part(rope)).unwrap_or(&[]), heads);
            for key_number in keys {
                let row = self.row_of_key(&found, key_number, group, lists)?;
                let of = |len: usize| row * len..(row + 1) * len;
                let (Some(own_key), Some(own_value)) = (key.get(of(size)), value.get(of(wide))) else {
                    return Err(missing(key_number));
                };
                let own_key = self.joined(own_key, of_rope(1).get(of(rope)).unwrap_or(&[]), 1);
                for head in 0..heads {
                    let at = number * heads + head;
                    let (own, dy) = (&own[head * full..(head + 1) * full], &dy[at * wide..(at + 1) * wide]);
                    let score = dot(own, &own_key) * f64::from(self.scale) - f64::from(most[at * copies]);
                    let weight = score.exp() / sum.get(at * copies).map_or(1.0, |sum| f64::from(*sum));
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
