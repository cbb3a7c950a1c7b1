//! Attention over compressed blocks of keys, whose weights say which blocks of keys are selected.

use super::chosen::Chosen;
use super::indexer::greatest;
use super::sequences::Query;
use crate::networks::experts::rows::Tables;
use crate::views::allocation;
use crate::views::failure::Result;

/// Attention over compressed blocks, and the selected blocks with the greatest weights.
///
/// The weight of a compressed block counts for each part of it, of one stride, and a selected block has the weights of its parts,
/// of all heads that share its keys.
#[derive(Clone)]
pub struct Ranked {
    /// The attention, with a key for each compressed block.
    pub attention: Chosen,
    /// The tables that hide keys, and selected blocks, with a row for each number of a query in its sequence.
    pub masks: [Option<usize>; 2],
    /// The strides in a compressed block, and in a selected one.
    pub strides: [usize; 2],
    /// The number of selected blocks of each sequence; where there is none, as many as the compressed ones cover.
    pub counts: Vec<usize>,
}

impl Ranked {
    /// The flags of what a mask hides from a query.
    fn hidden(&self, mask: usize, query: &Query, tables: &Tables<'_>) -> Result<Vec<u8>> {
        let mut hidden = Vec::new();
        if let Some(table) = self.masks[mask] {
            tables.visit::<u8>(table, query.number as i64, &mut |row| hidden.extend_from_slice(row))?;
        }
        Ok(hidden)
    }

    /// Computes what [`Chosen::row`] does, and then the selected blocks of a query, those with the greatest weights first and `−1`
    /// where there are no more.
    ///
    /// Tables are queries, keys, values and masks.
    pub fn row(
        &self,
        number: usize,
        tables: &Tables<'_>,
        lists: &[&[u8]],
        outputs: &mut [&mut [u8]],
    ) -> Result<bool> {
        let Some((selected, others)) = outputs.split_last_mut() else { return Ok(false) };
        let selected: &mut [i32] = bytemuck::cast_slice_mut(selected);
        selected.fill(-1);
        let query = self.attention.sequences.query(number / self.attention.groups[0], lists);
        let mut found = Vec::new();
        if let Some(query) = &query {
            let hidden = self.hidden(0, query, tables)?;
            let is_seen = |key: &usize| hidden.get(*key).is_none_or(|hides| *hides == 0);
            found = allocation::collect((0..query.keys).filter(is_seen))?;
        }
        let weights = self.attention.attend((number, query.as_ref(), &found), tables, lists, others)?;
        let Some(query) = query else { return Ok(true) };
        let mut of_keys = allocation::zeros::<f64>(query.keys)?;
        for (head, (_, sum)) in weights.known.iter().enumerate() {
            let powers = &weights.powers[head * found.len()..(head + 1) * found.len()];
            found.iter().zip(powers).for_each(|(key, power)| of_keys[*key] += f64::from(*power) / sum);
        }
        let [own, wide] = self.strides;
        let covered =
            query.keys.checked_sub(1).map_or(0, |last| last.saturating_add(own).div_ceil(wide.max(1)));
        let hidden = self.hidden(1, &query, tables)?;
        // Blocks behind the compressed ones have no weight: of those the first ones count.
        let most = covered.saturating_add(hidden.len()).saturating_add(selected.len());
        let count = self.counts.get(query.sequence).map_or(covered, |count| most.min(*count));
        let mut scores = allocation::for_elements::<f32>(count)?;
        // Later parts have no keys.
        let parts = of_keys.len().saturating_add(own);
        for block in 0..count {
            let [first, end] = [block, block + 1].map(|block| block.saturating_mul(wide).min(parts));
            let mut sum = 0.0;
            for part in first..end {
                let first = (part + 1).saturating_sub(own).min(of_keys.len());
                sum += of_keys[first..(part + 1).min(of_keys.len())].iter().sum::<f64>();
            }
            let is_hidden = hidden.get(block).is_some_and(|hides| *hides != 0);
            scores.push(if is_hidden { f32::NEG_INFINITY } else { sum as f32 });
        }
        let order = greatest(&scores, selected.len())?;
        let chosen = order.iter().filter(|block| scores[**block] != f32::NEG_INFINITY);
        selected.iter_mut().zip(chosen).for_each(|(to, block)| *to = *block as i32);
        Ok(true)
    }
}
