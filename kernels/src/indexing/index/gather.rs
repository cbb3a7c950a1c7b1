//! Runs that indices find, one after the other in the output.

use std::cell::RefCell;
use std::ops::Range;

use super::positions::{Buffers, Found, Positions, outside};
use super::runs::Table;
use crate::engine::share;
use crate::views::allocation;
use crate::views::buffer_cache::with_kept;
use crate::views::failure::Result;
use crate::views::past_caches;
use crate::{Bound, Sizes, Whole};

/// Copies runs of the first input, the table, to the output. Indices follow the table.
pub struct Gather {
    pub positions: Positions,
}

/// Bytes of the runs that are found together.
const TOGETHER: usize = 16 << 10;

impl Whole for Gather {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([table, indices @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
        let table = Table::new(table, self.positions.run);
        let found = self.positions.find(indices)?.among(table);
        let is_short = self.positions.run.saturating_mul(out.size()) <= TOGETHER;
        let is_large = out.numel().saturating_mul(out.size()) > past_caches::MANY;
        let streams = is_short && is_large && out.lies_apart();
        let work = Work { found, table, run: self.positions.run, out, streams };
        // What overlaps the output is read completely before anything is written.
        if inputs.iter().any(|input| input.overlaps(out)) {
            let mut gathered = allocation::zeros::<u8>(out.numel() * out.size())?;
            work.gather(0..self.positions.count, &mut gathered, &mut Buffers::default())?;
            out.scatter(0..out.numel(), &gathered);
            return Ok(());
        }
        let run = (self.positions.run * out.size()).max(1);
        let together = (TOGETHER / run).clamp(1, Positions::TOGETHER);
        let part = |range: Range<usize>| {
            with_kept(&BUFFERS, Default::default, |(buffers, gathered)| {
                let mut steps = range.clone().step_by(together);
                let done = steps.try_for_each(|first| {
                    work.part(first..range.end.min(first + together), buffers, gathered)
                });
                if streams {
                    past_caches::fence();
                }
                done
            })
        };
        let bytes = self.positions.count.saturating_mul(2 * run + 8);
        // Threads must not write the same elements, which a view may hold several times.
        if out.lies_apart() {
            share::try_each(self.positions.count, together, bytes, &part)
        } else {
            part(0..self.positions.count)
        }
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["gather"]
    }
}

/// One launch.
struct Work<'a> {
    found: Found<'a>,
    table: Table,
    run: usize,
    out: &'a Bound<'a>,
    /// Whether the output is written past the caches.
    streams: bool,
}

impl Work<'_> {
    /// Writes the runs `range` to the output, which shares no memory with an input.
    fn part(&self, range: Range<usize>, buffers: &mut Buffers, gathered: &mut Vec<u8>) -> Result {
        let elements = range.start * self.run..range.end * self.run;
        // SAFETY: no input shares these elements, and every thread writes runs of its own.
        let out = unsafe { self.out.contiguous_mut(elements.clone()) };
        let out = match out {
            Some(out) if !self.streams => return self.gather(range, out, buffers),
            other => other,
        };
        gathered.resize(elements.len() * self.out.size(), 0);
        self.gather(range, gathered, buffers)?;
        match out {
            Some(out) => past_caches::copy(gathered, out),
            None => self.out.scatter(elements, gathered),
        }
        Ok(())
    }

    fn gather(&self, range: Range<usize>, to: &mut [u8], buffers: &mut Buffers) -> Result {
        self.found.runs(range, buffers)?;
        if self.table.gather(&buffers.offsets, to) { Ok(()) } else { Err(outside()) }
    }
}

thread_local! {
    /// The buffers of this thread, kept for the next launch.
    static BUFFERS: RefCell<(Buffers, Vec<u8>)> = RefCell::default();
}
