//! Rows of tokens on their way to experts that live on several ranks, and back.
//!
//! A cell is an expert of a rank; cells are numbered rank by rank. Rows lie in the order of cells on the side that sends tokens,
//! and in the order of the own experts and then of the ranks that they come from on the side that has the experts.

use crate::views::failure::{Cause, Failure, Result};

/// The places of experts, and the choices of the tokens of this rank.
#[derive(Debug, Clone, Copy)]
pub struct Routing {
    /// The tokens of this rank, and the experts that each chooses.
    pub tokens: usize,
    pub chosen: usize,
    pub rank: usize,
    pub ranks: usize,
    /// Experts that every token goes to, and the ranks that hold copies of them, as many of each: the first ones.
    pub shared: usize,
    pub shared_ranks: usize,
    /// The experts of each other rank.
    pub local: usize,
    /// The experts of all other ranks.
    pub experts: usize,
    /// Numbers above those of experts that stand for no expert of any rank.
    pub special: usize,
}

/// A row that leaves this rank.
#[derive(Debug, Clone, Copy)]
pub struct Leaving {
    pub token: usize,
    /// The number of the choice among those of the token; `None` for an expert that all tokens go to.
    pub choice: Option<usize>,
    pub cell: usize,
    /// The number of the expert's factors, shared experts first.
    pub expert: usize,
}

impl Routing {
    /// Returns the number of cells.
    pub fn cells(&self) -> usize {
        self.ranks.saturating_mul(self.local)
    }

    /// Returns the most rows that leave this rank.
    pub fn most(&self) -> usize {
        let shared = if self.shared_ranks > 0 { self.shared } else { 0 };
        self.tokens.saturating_mul(self.chosen.saturating_add(shared))
    }

    /// Returns how many experts this rank has.
    pub fn own(&self) -> usize {
        if self.rank < self.shared_ranks { 1 } else { self.local }
    }

    /// Returns whether a choice of a token counts, by a mask of tokens or of choices; without one, all do.
    pub fn is_active(&self, mask: &[u8], token: usize, choice: usize) -> bool {
        let place = if mask.len() > self.tokens { token * self.chosen + choice } else { token };
        mask.is_empty() || mask.get(place).is_some_and(|own| *own != 0)
    }

    /// Visits the rows that leave this rank, token by token.
    pub fn each(&self, ids: &[i32], mask: &[u8], visit: &mut dyn FnMut(Leaving) -> Result) -> Result {
        let copies = self.shared_ranks.checked_div(self.shared).unwrap_or(0);
        for token in 0..self.tokens {
            if copies > 0 && self.is_active(mask, token, 0) {
                for expert in 0..self.shared {
                    let rank = expert * copies + self.rank % copies;
                    visit(Leaving { token, choice: None, cell: rank * self.local, expert })?;
                }
            }
            for choice in (0..self.chosen).filter(|choice| self.is_active(mask, token, *choice)) {
                let id = ids.get(token * self.chosen + choice).copied().unwrap_or(-1);
                let number = usize::try_from(id).ok().filter(|id| *id < self.experts + self.special);
                let Some(number) = number else {
                    let message = format_args!(
                        "token {token} chooses expert {id}, but experts are numbered from 0 to {}",
                        (self.experts + self.special).saturating_sub(1)
                    );
                    return Err(Failure::new(Cause::AiCore, message));
                };
                if number < self.experts {
                    let cell = self.shared_ranks * self.local + number;
                    let expert = self.shared + number;
                    visit(Leaving { token, choice: Some(choice), cell, expert })?;
                }
            }
        }
        Ok(())
    }

    /// Counts the rows of each cell.
    pub fn count(&self, ids: &[i32], mask: &[u8], counts: &mut [i64]) -> Result {
        counts.fill(0);
        self.each(ids, mask, &mut |row| {
            counts.iter_mut().skip(row.cell).take(1).for_each(|count| *count += 1);
            Ok(())
        })
    }

    /// Visits each row that leaves this rank with its place among all that do, and its place among those of its cell.
    pub fn place(
        &self,
        ids: &[i32],
        mask: &[u8],
        counts: &[i64],
        visit: &mut dyn FnMut(Leaving, usize, usize) -> Result,
    ) -> Result {
        let mut begins = starts(counts);
        let firsts = begins.clone();
        self.each(ids, mask, &mut |row| {
            let (Some(next), Some(first)) = (begins.get_mut(row.cell), firsts.get(row.cell)) else {
                return Ok(());
            };
            *next += 1;
            visit(row, *next - 1, *next - 1 - first)
        })
    }

    /// Visits the runs of rows that other ranks send to the experts of this one, in the order of the experts and then of the
    /// ranks: how many they are, the first of them in the order of the ranks, and that in the order of the experts.
    pub fn runs(&self, counts: &[i64], visit: &mut dyn FnMut([usize; 2], [usize; 3]) -> Result) -> Result {
        let begins = starts(counts);
        let mut to = 0;
        for expert in 0..self.own() {
            for rank in 0..self.ranks {
                let cell = rank * self.local + expert;
                let (Some(from), Some(count)) = (begins.get(cell), counts.get(cell)) else { continue };
                let count = usize::try_from(*count).unwrap_or(0);
                visit([expert, rank], [count, *from, to])?;
                to += count;
            }
        }
        Ok(())
    }
}

/// The number of rows before each cell.
fn starts(counts: &[i64]) -> Vec<usize> {
    let mut sum = 0_usize;
    let before = |count: &i64| {
        let begin = sum;
        sum = sum.saturating_add(usize::try_from(*count).unwrap_or(0));
        begin
    };
    counts.iter().map(before).collect()
}

/// The rows from `first` on, of `len` bytes each.
pub fn rows(all: &[u8], first: usize, count: usize, len: usize) -> Result<&[u8]> {
    let end = first.checked_add(count).and_then(|end| end.checked_mul(len));
    end.and_then(|end| all.get(first * len..end)).ok_or_else(|| no_room(count))
}

/// The rows from `first` on, to write to.
pub fn rows_mut(all: &mut [u8], first: usize, count: usize, len: usize) -> Result<&mut [u8]> {
    let end = first.checked_add(count).and_then(|end| end.checked_mul(len));
    end.and_then(|end| all.get_mut(first * len..end)).ok_or_else(|| no_room(count))
}

#[cold]
fn no_room(count: usize) -> Failure {
    let message = format_args!(
        "{count} rows of tokens have no room: an output for the rows of experts must hold as many as all ranks may send"
    );
    Failure::new(Cause::AiCore, message)
}
