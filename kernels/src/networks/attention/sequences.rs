//! Sequences of queries and keys: which keys belong to a query, and where they lie.

use bytemuck::Pod;

use crate::views::failure::{Cause, Failure, Result};

/// The places of the tokens of sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tokens {
    /// So many places for each sequence.
    Each(usize),
    /// One sequence after the other; lengths say where each ends.
    Joined,
    /// Blocks of so many places, of which a table has so many for each sequence.
    Paged { block: usize, width: usize },
}

/// Lengths of sequences.
#[derive(Clone)]
pub enum Lengths {
    /// Every place has a token.
    Full,
    Host(Vec<i64>),
    /// The list of this number among the inputs.
    List(usize),
}

/// Returns the list of this number among the inputs.
pub(super) fn list<'a, T: Pod>(lists: &[&'a [u8]], number: usize) -> &'a [T] {
    lists.get(number).map_or(&[], |bytes| bytemuck::cast_slice(bytes))
}

impl Lengths {
    fn get(&self, sequence: usize, lists: &[&[u8]]) -> Option<usize> {
        let number = match self {
            Lengths::Full => None,
            Lengths::Host(numbers) => numbers.get(sequence).copied(),
            Lengths::List(number) => list::<i32>(lists, *number).get(sequence).copied().map(i64::from),
        };
        number.map(|number| usize::try_from(number).unwrap_or(0))
    }

    fn count(&self, lists: &[&[u8]]) -> usize {
        match self {
            Lengths::Full => 0,
            Lengths::Host(numbers) => numbers.len(),
            Lengths::List(number) => list::<i32>(lists, *number).len(),
        }
    }
}

/// The causal mask of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Causal {
    All,
    /// Keys up to its own place from the first query and key.
    FromStart,
    /// Keys up to its own place to the last query and key.
    FromEnd,
}

/// The sequences of a call.
#[derive(Clone)]
pub struct Sequences {
    pub queries: (Tokens, Lengths),
    pub keys: (Tokens, Lengths),
    /// The list with the blocks of paged keys.
    pub table: usize,
    pub causal: Causal,
}

/// A query of a sequence.
pub(super) struct Query {
    pub(super) sequence: usize,
    /// The number of the query in the sequence.
    pub(super) number: usize,
    /// The number of keys that it sees, the first ones.
    pub(super) keys: usize,
    /// The place of the first key.
    first: usize,
}

impl Sequences {
    /// The query at a place; there may be none, behind the last one of a sequence.
    pub(super) fn query(&self, place: usize, lists: &[&[u8]]) -> Option<Query> {
        let (sequence, number, queries) = match &self.queries {
            (Tokens::Joined, ends) => {
                let end = |sequence: usize| ends.get(sequence, lists).unwrap_or(0);
                let sequence = (0..ends.count(lists)).find(|sequence| place < end(*sequence))?;
                let begin = sequence.checked_sub(1).map_or(0, end);
                (sequence, place - begin, end(sequence) - begin)
            }
            (Tokens::Each(places), lengths) | (Tokens::Paged { block: places, .. }, lengths) => {
                let (sequence, number) = (place / places.max(&1), place % places.max(&1));
                (sequence, number, lengths.get(sequence, lists).unwrap_or(*places))
            }
        };
        if number >= queries {
            return None;
        }
        let (tokens, lengths) = &self.keys;
        let end = lengths.get(sequence, lists);
        let (first, keys) = match tokens {
            Tokens::Each(places) => (sequence * places, end.unwrap_or(*places).min(*places)),
            Tokens::Joined => {
                let begin =
                    sequence.checked_sub(1).and_then(|before| lengths.get(before, lists)).unwrap_or(0);
                (begin, end.unwrap_or(0).saturating_sub(begin))
            }
            Tokens::Paged { .. } => (0, end.unwrap_or(0)),
        };
        let seen = match self.causal {
            Causal::All => keys,
            Causal::FromStart => keys.min(number + 1),
            Causal::FromEnd => keys.min((number + 1 + keys).saturating_sub(queries)),
        };
        Some(Query { sequence, number, keys: seen, first })
    }

    /// The place of a key of a query.
    pub(super) fn place(&self, query: &Query, key: usize, lists: &[&[u8]]) -> Result<usize> {
        let Tokens::Paged { block, width } = self.keys.0 else { return Ok(query.first + key) };
        let page = key / block.max(1);
        let number = list::<i32>(lists, self.table).get(query.sequence * width + page).copied();
        match number.filter(|_| page < width).and_then(|number| usize::try_from(number).ok()) {
            Some(number) => Ok(number * block + key % block),
            None => Err(missing(key)),
        }
    }
}

/// The failure for a key that is not there.
pub fn missing(key: usize) -> Failure {
    Failure::new(Cause::AiCore, format!("there is no key {key} of a sequence in its tensor or its blocks"))
}
