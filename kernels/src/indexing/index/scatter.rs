//! Runs that indices find, written or combined with something.

use smallvec::SmallVec;

use super::pieces::{From, Pieces};
use super::positions::{Positions, outside};
use super::reduce::Reduce;
use super::runs::Table;
use crate::views::failure::Result;
use crate::{Bound, Conversions, Sizes, Whole};

/// Writes to runs of the output, the table, or combines them with something. The inputs are those that the indices name, and
/// the tensor that is written.
pub struct Scatter {
    pub positions: Positions,
    pub from: From,
    /// How what is in the table is combined; it is overwritten if there is none.
    pub reduce: Option<Reduce>,
}

impl Whole for Scatter {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let [out] = outputs else { return Ok(()) };
        // What overlaps the output is read completely before anything is written.
        let copies: SmallVec<[Option<Vec<u8>>; 4]> = inputs
            .iter()
            .map(|input| input.overlaps(out).then(|| input.copy()).transpose())
            .collect::<Result<_>>()?;
        let inputs: SmallVec<[Bound<'_>; 4]> = inputs
            .iter()
            .zip(&copies)
            .map(|(input, copy)| copy.as_deref().map_or(*input, |copy| input.copied(0, copy)))
            .collect();
        let pieces = Pieces::new(&self.positions, &inputs, &self.from, out.size())?;
        match &self.reduce {
            Some(reduce) => reduce.run(&pieces, out),
            None => pieces.each(&Conversions::default(), out.size(), |offsets, len, from| {
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
