//! The gated delta rule: a state for each head of values, from which what it holds for a key is taken before the value is added.

use crate::functions::rows::dot;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// The states of sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum States {
    /// A state of each sequence, before and after all tokens.
    OfSequences,
    /// States that lists number: one for each token, behind which it is stored. A sequence begins with that of its first token, or
    /// of the last one that was accepted if a second list says how many were.
    Numbered { accepted: bool },
}

/// The rule for sequences of tokens that follow each other.
///
/// Inputs are queries, keys, values, factors of what is added, and logarithms of the decay of a state and of its columns if they
/// are there, all in f32; then lengths of sequences, the lists of states, and states. Outputs are results in f32, and states.
pub struct DeltaRule {
    /// Heads of keys and of values, and the elements of each.
    pub heads: [usize; 2],
    pub sizes: [usize; 2],
    pub scale: f32,
    /// Whether there are decays of a state, and of its columns.
    pub decays: [bool; 2],
    pub states: States,
    /// From the type of states to f32, and back.
    pub conversions: [Conversions; 2],
}

/// All elements of an input, which lie one after the other.
fn all<'a, T: bytemuck::Pod>(input: &Bound<'a>) -> &'a [T] {
    input.contiguous(0..input.numel()).map_or(&[], bytemuck::cast_slice)
}

/// The operands of one token of a head.
struct Token<'a> {
    query: &'a [f32],
    key: &'a [f32],
    value: &'a [f32],
    beta: f32,
    decay: f32,
    columns: &'a [f32],
}

impl DeltaRule {
    /// Changes a state by a token, and writes the result.
    fn step(&self, state: &mut [f32], token: &Token<'_>, out: &mut [f32]) {
        let factor = token.decay.exp();
        let rows = state.chunks_exact_mut(self.sizes[0].max(1));
        for ((row, value), out) in rows.zip(token.value).zip(out) {
            row.iter_mut().for_each(|x| *x *= factor);
            row.iter_mut().zip(token.columns).for_each(|(x, decay)| *x *= decay.exp());
            let change = (value - dot(row, token.key) as f32) * token.beta;
            row.iter_mut().zip(token.key).for_each(|(x, key)| *x += change * key);
            *out = dot(row, token.query) as f32 * self.scale;
        }
    }
}

impl Whole for DeltaRule {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([query, key, value, beta, others @ .., states], [out, stored]) = (inputs, outputs) else {
            return Ok(());
        };
        let [query, key, value, beta]: [&[f32]; 4] = [query, key, value, beta].map(all);
        let mut next = others.iter();
        let mut given = |is_there: bool| if is_there { next.next().map_or(&[][..], all) } else { &[] };
        let [decays, columns] = self.decays.map(&mut given);
        let lists: Vec<&[i32]> = next.map(all).collect();
        let ([key_heads, heads], [size, wide]) = (self.heads, self.sizes);
        let (len, tokens) = (size * wide, beta.len() / heads.max(1));
        let mut results = allocation::zeros::<f32>(tokens * heads * wide)?;
        let mut state = allocation::zeros::<f32>(len)?;
        let (mut lines, mut between) = (Vec::new(), Block::new());
        let bytes = allocation::bytes_of(&mut lines, len * states.size())?;
        let failure =
            || Failure::new(Cause::AiCore, "a list names a state or a token that is not there".to_owned());
        let place = |number: i64, head: usize| -> Result<usize> {
            let row = usize::try_from(number).ok().map(|number| number * heads + head);
            row.filter(|row| (row + 1) * len <= states.numel()).ok_or_else(failure)
        };
        let of = |list: usize, at: usize| {
            lists.get(list).and_then(|list| list.get(at)).copied().map_or(-1, i64::from)
        };
        let mut first = 0;
        for (sequence, count) in lists.first().copied().unwrap_or(&[]).iter().enumerate() {
            let end = first + usize::try_from(*count).unwrap_or(0);
            if end > tokens {
                return Err(failure());
            }
            for head in 0..heads {
                let own = match self.states {
                    _ if first == end && self.states != States::OfSequences => continue,
                    States::OfSequences => sequence as i64,
                    States::Numbered { accepted: false } => of(1, first),
                    States::Numbered { accepted: true } => {
                        let place = (first as i64).saturating_add(of(2, sequence)) - 1;
                        usize::try_from(place).map_or(-1, |place| of(1, place))
                    }
                };
                let from = place(own, head)? * len;
                states.gather(from..from + len, bytes);
                let seen: &mut [u8] = bytemuck::cast_slice_mut(&mut state);
                self.conversions[0].apply_all(len, bytes, seen, &mut between);
                let mut store = |state: &[f32], number: i64| -> Result {
                    let to = place(number, head)? * len;
                    self.conversions[1].apply_all(len, bytemuck::cast_slice(state), bytes, &mut between);
                    stored.scatter(to..to + len, bytes);
                    Ok(())
                };
                for number in first..end {
                    let (of_key, at) = (number * key_heads + head * key_heads / heads, number * heads + head);
                    let token = Token {
                        query: &query[of_key * size..(of_key + 1) * size],
                        key: &key[of_key * size..(of_key + 1) * size],
                        value: &value[at * wide..(at + 1) * wide],
                        beta: beta[at],
                        decay: decays.get(at).copied().unwrap_or(0.0),
                        columns: columns.get(at * size..(at + 1) * size).unwrap_or(&[]),
                    };
                    self.step(&mut state, &token, &mut results[at * wide..(at + 1) * wide]);
                    if self.states != States::OfSequences {
                        store(&state, of(1, number))?;
                    }
                }
                if self.states == States::OfSequences {
                    store(&state, sequence as i64)?;
                }
            }
            first = end;
        }
        out.scatter(0..results.len(), bytemuck::cast_slice(&results));
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["delta rule"]
    }
}
