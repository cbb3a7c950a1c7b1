//! Rows written to the slots of a cache, whose numbers are given, or follow from the lengths of sequences.

use crate::indexing::index::read_numbers;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};
use crate::{Block, Bound, Conversions, Sizes, Whole};

/// The slots of a cache: blocks of so many, each with a row in pieces; a block has the first piece of each row, then the
/// second ones.
#[derive(Clone, Copy)]
pub struct Slots {
    /// Elements of a row.
    pub len: usize,
    /// Slots of a block.
    pub block: usize,
    /// Elements of a piece.
    pub piece: usize,
}

impl Slots {
    fn write(&self, cache: &Bound<'_>, slot: i64, row: &[u8]) -> Result {
        let Self { len, block, piece } = *self;
        let slots = cache.numel() / len.max(1);
        let Some(slot) = usize::try_from(slot).ok().filter(|slot| *slot < slots) else {
            return Err(Failure::new(
                Cause::AiCore,
                format!("a row is written to slot {slot} of a cache with {slots}"),
            ));
        };
        let (first, at) = (slot / block.max(1) * (len / piece.max(1)), slot % block.max(1));
        for (number, bytes) in row.chunks_exact((piece * cache.size()).max(1)).enumerate() {
            let begin = ((first + number) * block + at) * piece;
            cache.scatter(begin..begin + piece, bytes);
        }
        Ok(())
    }
}

/// The slot of a row, by its number and the list of numbers that are given; a negative one where the row is not written.
type SlotOf = dyn Fn(usize, &[i64]) -> i64 + Send + Sync;

/// Writes rows to slots. Inputs are the rows, in the type of the cache, and numbers; the output is the cache.
pub struct WriteSlots {
    slots: Slots,
    rows: usize,
    /// Whether the numbers are i64 and not i32.
    wide: bool,
    slot_of: Box<SlotOf>,
}

impl WriteSlots {
    pub fn new(
        slots: Slots,
        rows: usize,
        wide: bool,
        slot_of: impl Fn(usize, &[i64]) -> i64 + Send + Sync + 'static,
    ) -> Self {
        Self { slots, rows, wide, slot_of: Box::new(slot_of) }
    }
}

impl Whole for WriteSlots {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([rows, numbers], [cache]) = (inputs, outputs) else { return Ok(()) };
        let numbers = all(numbers, self.wide)?;
        let (len, mut lines) = (self.slots.len, Vec::new());
        let bytes = allocation::bytes_of(&mut lines, len * rows.size())?;
        for row in 0..self.rows {
            let slot = (self.slot_of)(row, &numbers);
            if slot >= 0 {
                rows.gather(row * len..(row + 1) * len, bytes);
                self.slots.write(cache, slot, bytes)?;
            }
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["write to slots"]
    }
}

fn all(numbers: &Bound<'_>, wide: bool) -> Result<Vec<i64>> {
    let mut list = allocation::for_elements(numbers.numel())?;
    read_numbers(numbers, wide, 0..numbers.numel(), &mut list)?;
    Ok(list)
}

/// A choice of the tokens of a sequence that are left out when they are written to a cache.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// All but the last ones.
    Last,
    /// A window, whose mean takes the place of its first token.
    Mean,
    /// A window.
    Window,
}

/// Writes the tokens of each head of sequences that follow each other to slots, one after the other, and leaves some out.
///
/// Inputs are the tokens, then for each head of each sequence the first slot and a length, then the places where windows begin
/// unless the last ones stay, and the lengths of sequences. The output is the cache.
pub struct Compressed {
    pub compression: Compression,
    pub slots: Slots,
    pub heads: usize,
    pub wide: bool,
    /// From the type of the cache to f32, and back.
    pub conversions: [Conversions; 2],
    /// Whether elements are whole numbers.
    pub is_whole: bool,
}

impl Compressed {
    /// The mean of some rows, in the type of the cache.
    fn mean(&self, tokens: &Bound<'_>, rows: impl ExactSizeIterator<Item = usize>, to: &mut [u8]) -> Result {
        let (len, count) = (self.slots.len, rows.len());
        let mut sums = allocation::zeros::<f32>(len)?;
        let (mut own, mut seen, mut between) = (Vec::new(), Vec::new(), Block::new());
        for row in rows {
            let own = allocation::bytes_of(&mut own, len * tokens.size())?;
            let seen = allocation::bytes_of(&mut seen, len * size_of::<f32>())?;
            tokens.gather(row * len..(row + 1) * len, own);
            self.conversions[0].apply_all(len, own, seen, &mut between);
            let seen: &[f32] = bytemuck::cast_slice(seen);
            sums.iter_mut().zip(seen).for_each(|(sum, x)| *sum += x);
        }
        for sum in &mut sums {
            *sum /= count as f32;
            if self.is_whole {
                *sum = sum.round_ties_even();
            }
        }
        self.conversions[1].apply_all(len, bytemuck::cast_slice(&sums), to, &mut between);
        Ok(())
    }
}

impl Whole for Compressed {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([tokens, others @ ..], [cache]) = (inputs, outputs) else { return Ok(()) };
        let lists: Vec<Vec<i64>> = others.iter().map(|list| all(list, self.wide)).collect::<Result<_>>()?;
        let ([slots, lengths, starts @ .., sequences], heads) = (&lists[..], self.heads) else {
            return Ok(());
        };
        let (len, mut lines) = (self.slots.len, Vec::new());
        let bytes = allocation::bytes_of(&mut lines, len * tokens.size())?;
        let total = tokens.numel() / (len * heads).max(1);
        let mut first = 0;
        for (batch, count) in sequences.iter().enumerate() {
            let count = usize::try_from(*count).unwrap_or(0);
            if count > total - first {
                return Err(Failure::new(
                    Cause::AiCore,
                    format!("seqLens tell of more tokens than there are, which are {total}"),
                ));
            }
            for head in 0..heads {
                let task = batch * heads + head;
                let of = |list: &[i64]| list.get(task).copied().unwrap_or(0);
                let window = usize::try_from(of(lengths)).unwrap_or(0).min(count);
                // The first token that is left out, and the one behind the last.
                let left_out = match (self.compression, starts.first()) {
                    (Compression::Last, _) => 0..count - window,
                    (_, starts) => {
                        let start = starts.and_then(|starts| usize::try_from(of(starts)).ok());
                        let start = start.unwrap_or(count).min(count);
                        start..(start + window).min(count)
                    }
                };
                let has_mean = self.compression == Compression::Mean && !left_out.is_empty();
                let row = |token: usize| (first + token) * heads + head;
                for token in (0..count).filter(|token| !left_out.contains(token)) {
                    let before =
                        if token < left_out.start { 0 } else { left_out.len() - usize::from(has_mean) };
                    tokens.gather(row(token) * len..(row(token) + 1) * len, bytes);
                    self.slots.write(cache, of(slots).saturating_add((token - before) as i64), bytes)?;
                }
                if has_mean {
                    self.mean(tokens, left_out.clone().map(row), bytes)?;
                    self.slots.write(cache, of(slots).saturating_add(left_out.start as i64), bytes)?;
                }
            }
            first += count;
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["write to slots"]
    }
}
