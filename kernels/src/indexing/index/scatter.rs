//! Runs that indices find, written or combined with something.

use super::pieces::{From, Pieces};
use super::positions::{Positions, outside};
use super::reduce::Reduce;
use super::runs::Table;
use crate::views::bound;
use crate::views::failure::Result;
use crate::{Bound, Conversions, Sizes, Whole};

/// Writes to runs of the output, the table, or combines them with something. The inputs are those that the indices name, and
/// the tensor that is written.
pub struct Scatter {
    pub positions: Positions,
    pub from: From,
    /// The combination with elements of the table; without one, these are overwritten.
    pub reduce: Option<Reduce>,
}

impl Whole for Scatter {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let [out] = outputs else { return Ok(()) };
        // What overlaps the output is read completely before anything is written.
        let copies = bound::copies(inputs, &|input| input.overlaps(out))?;
        let inputs = bound::with_copies(inputs, &copies);
        let pieces = Pieces::new(&self.positions, &inputs, &self.from, out)?;
        match &self.reduce {
            Some(reduce) => reduce.run(&pieces, out),
            None => pieces.each(&Conversions::default(), out.size(), &mut |offsets, len, from| {
                // SAFETY: no input shares memory with the output, and no other thread works on this launch.
                let written = unsafe { Table::new(out, len).scatter(offsets, from) };
                if written { Ok(()) } else { Err(outside()) }
            }),
        }
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["scatter"]
    }
}
