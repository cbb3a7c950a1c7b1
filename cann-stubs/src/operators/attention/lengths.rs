//! The lengths of sequences: which tokens of an operand are those of one batch.

use std::ops::Range;

use cann_kernels::allocation;

use super::heads::{Heads, Layout};
use crate::operators::check;
use crate::status::Result;

/// The tokens of one sequence, or of the same number of tokens in several batches.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) batches: Range<usize>,
    pub(super) queries: Range<usize>,
    /// The number of the tensor of the keys, and the batches there.
    pub(super) keys_in: usize,
    pub(super) key_batches: Range<usize>,
    pub(super) keys: Range<usize>,
    /// The number of pairs of a query and a key before it, of all heads.
    pub(super) before: usize,
}

impl Part {
    /// Equal tokens of all batches.
    fn of_all(batches: usize, queries: Range<usize>, keys: Range<usize>) -> Self {
        Self { batches: 0..batches, queries, keys_in: 0, key_batches: 0..batches, keys, before: 0 }
    }
}

/// The tokens of each batch: all of them, as many as the lengths say, or those between two ends where batches follow each other.
fn tokens(
    name: &str,
    layout: Layout,
    lengths: Option<&[i64]>,
    batches: usize,
    most: impl Fn(usize) -> usize,
) -> Result<Vec<Range<usize>>> {
    let Some(lengths) = lengths.filter(|lengths| !lengths.is_empty()) else {
        if layout.is_joined() {
            return check::untiled(format_args!("the layout TND needs {name}, where each sequence ends"));
        }
        return Ok(allocation::collect((0..batches).map(|batch| 0..most(batch)))?);
    };
    let end = |batch: usize| {
        let length = if lengths.len() == 1 { lengths.first() } else { lengths.get(batch) };
        length
            .copied()
            .and_then(|length| usize::try_from(length).ok())
            .filter(|length| *length <= most(batch))
    };
    let fits = lengths.len() == 1 || lengths.len() == batches;
    let ends: Vec<Option<usize>> = allocation::collect((0..if fits { batches } else { 0 }).map(end))?;
    let ends = ends.into_iter().collect::<Option<Vec<usize>>>().filter(|_| fits);
    let wrong = || {
        check::untiled(format_args!(
            "{name} is {lengths:?}, but must have lengths of {batches} sequences that are there"
        ))
    };
    let Some(ends) = ends else { return wrong() };
    if !layout.is_joined() {
        return Ok(ends.into_iter().map(|end| 0..end).collect());
    }
    let mut first = 0;
    let mut all = Vec::new();
    for end in ends {
        if end < first {
            return wrong();
        }
        all.push(first..end);
        first = end;
    }
    Ok(all)
}

/// Divides queries and the keys of a paged cache into parts, of which each has at most `most` keys.
pub(super) fn paged_parts(
    layout: Layout,
    query: &Heads<'_>,
    [of_queries, of_keys]: [(&str, Option<&[i64]>); 2],
    most: usize,
) -> Result<Vec<Part>> {
    let is_tnd = layout.is_joined();
    let batches = if is_tnd { of_queries.1.map_or(0, <[i64]>::len) } else { query.batches };
    if of_keys.1.is_none_or(<[i64]>::is_empty) {
        return check::untiled(format_args!(
            "a block table needs {}, the tokens of each sequence",
            of_keys.0
        ));
    }
    let queries = tokens(of_queries.0, layout, of_queries.1, batches, |_| query.tokens)?;
    // The lengths of keys are those of each sequence in all layouts.
    let seen = tokens(of_keys.0, Layout::Bsnd, of_keys.1, batches, |_| most)?;
    let part = |(batch, (queries, keys)): (usize, (Range<usize>, Range<usize>))| {
        let own = if is_tnd { 0 } else { batch };
        Part { batches: own..own + 1, queries, keys_in: 0, key_batches: batch..batch + 1, keys, before: 0 }
    };
    Ok(allocation::collect(queries.into_iter().zip(seen).enumerate().map(part))?)
}

/// Divides queries and keys into parts.
pub(super) fn parts(
    layout: Layout,
    query: &Heads<'_>,
    keys: &[Heads<'_>],
    [of_queries, of_keys]: [(&str, Option<&[i64]>); 2],
) -> Result<Vec<Part>> {
    let is_tnd = layout.is_joined();
    let batches = if is_tnd { of_queries.1.map_or(0, <[i64]>::len) } else { query.batches };
    let is_list = keys.len() > 1;
    let key_tokens = |batch: usize| keys.get(if is_list { batch } else { 0 }).map_or(0, |keys| keys.tokens);
    if is_list && keys.len() != batches {
        return check::untiled(format_args!(
            "there are {} tensors of keys, but {batches} batches",
            keys.len()
        ));
    }
    if is_tnd && of_keys.1.map(<[i64]>::len) != Some(batches) {
        return check::untiled(format_args!(
            "{} and {} must have as many sequences",
            of_queries.0, of_keys.0
        ));
    }
    let are_whole = [of_queries, of_keys].iter().all(|(_, lengths)| lengths.is_none_or(<[i64]>::is_empty));
    if are_whole && !is_tnd && !is_list && batches > 0 {
        return Ok(vec![Part::of_all(batches, 0..query.tokens, 0..key_tokens(0))]);
    }
    let queries = tokens(of_queries.0, layout, of_queries.1, batches, |_| query.tokens)?;
    let seen = tokens(of_keys.0, layout, of_keys.1, batches, key_tokens)?;
    let is_uniform = |ranges: &[Range<usize>]| ranges.windows(2).all(|pair| pair.first() == pair.last());
    let is_same = !is_tnd && !is_list && is_uniform(&queries) && is_uniform(&seen);
    if let (true, [first, ..], [keys, ..]) = (is_same, &queries[..], &seen[..]) {
        return Ok(vec![Part::of_all(batches, first.clone(), keys.clone())]);
    }
    let mut before = 0;
    let part = |(batch, (queries, keys)): (usize, (Range<usize>, Range<usize>))| {
        let own = if is_tnd { 0 } else { batch };
        let (keys_in, key_batch) = if is_list { (batch, 0) } else { (0, own) };
        let part = Part {
            batches: own..own + 1,
            queries,
            keys_in,
            key_batches: key_batch..key_batch + 1,
            keys,
            before,
        };
        before += part.queries.len() * part.keys.len() * query.heads;
        part
    };
    Ok(allocation::collect(queries.into_iter().zip(seen).enumerate().map(part))?)
}
