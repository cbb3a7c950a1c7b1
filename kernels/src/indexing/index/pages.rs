//! Tokens copied out of a paged cache: a table says which blocks a sequence has.

use super::positions::read;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Bound, Sizes, Whole};

/// Copies the tokens of sequences, one after the other, from blocks of caches to the outputs.
///
/// Inputs are the caches, as blocks of tokens, then the table with a row of blocks for each sequence, the lengths of the
/// sequences and, if `has_offsets`, the tokens of each that are left out; an output belongs to each cache, as tokens.
pub struct GatherPages {
    /// Tokens of a block.
    pub block: usize,
    /// Elements of a token of each cache.
    pub token: [usize; 2],
    /// Blocks in a row of the table.
    pub width: usize,
    /// Whether lengths are the places where sequences begin, and the one where the last ends.
    pub cumulated: bool,
    pub has_offsets: bool,
    /// Whether the numbers are i64 and not i32.
    pub wide: bool,
}

impl Whole for GatherPages {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let [key, value, table, lengths, offsets @ ..] = inputs else { return Ok(()) };
        let numbers = |tensor: &Bound<'_>| -> Result<Vec<i64>> {
            let mut numbers = allocation::for_elements(tensor.numel())?;
            read(tensor, self.wide, 0..tensor.numel(), &mut numbers)?;
            Ok(numbers)
        };
        let (table, lengths) = (numbers(table)?, numbers(lengths)?);
        let offsets = match offsets {
            [offsets] if self.has_offsets => numbers(offsets)?,
            _ => Vec::new(),
        };
        let sequences = table.len() / self.width.max(1);
        let mut next = 0;
        for sequence in 0..sequences {
            let at = |index: usize| lengths.get(index).copied().unwrap_or(0);
            let (first, len) = match self.cumulated {
                true => (at(sequence), at(sequence + 1).saturating_sub(at(sequence))),
                false => (next, at(sequence)),
            };
            next = first.saturating_add(len.max(0));
            let page = offsets.get(sequence).map_or(0, |offset| *offset / self.block as i64);
            let row = &table[sequence * self.width..(sequence + 1) * self.width];
            for ((cache, out), token) in [key, value].into_iter().zip(outputs).zip(self.token) {
                self.copy(cache, out, (token, row), [first, len, page])?;
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["gather pages"]
    }
}

impl GatherPages {
    /// Copies `len` tokens of a sequence, from page `page` of its row on, to an output from token `first` on.
    fn copy(
        &self,
        cache: &Bound<'_>,
        out: &Bound<'_>,
        (token, row): (usize, &[i64]),
        [first, len, page]: [i64; 3],
    ) -> Result {
        let of_block = self.block * token;
        let (blocks, room) = (cache.numel() / of_block.max(1), out.numel() / token.max(1));
        let mut bytes = Vec::new();
        let len = usize::try_from(len).unwrap_or(0);
        for begin in (0..len).step_by(self.block.max(1)) {
            let count = self.block.min(len - begin);
            let number = usize::try_from(page).ok().and_then(|page| row.get(page + begin / self.block));
            let block =
                number.and_then(|number| usize::try_from(*number).ok()).filter(|block| *block < blocks);
            let Some(block) = block else {
                return Err(Failure::new(
                    Cause::AiCore,
                    format!(
                        "blockTables has no block for token {begin} of a sequence, or one that the cache has not"
                    ),
                ));
            };
            let to = usize::try_from(first).ok().map(|first| first + begin).filter(|to| to + count <= room);
            let Some(to) = to else {
                return Err(Failure::new(
                    Cause::AiCore,
                    format!("there is room for {room} tokens, not for all"),
                ));
            };
            let copy = allocation::bytes_of(&mut bytes, count * token * cache.size())?;
            cache.gather(block * of_block..block * of_block + count * token, copy);
            out.scatter(to * token..(to + count) * token, copy);
        }
        Ok(())
    }
}
