//! A function of several operands and attributes: convert, compute, convert.

use std::ops::Range;

use smallvec::SmallVec;

use super::parametric::Function;
use super::{Body, Bound, Conversions, Scratch, Source};

/// Up to three tensors and any number of constants, combined in the compute type, converted to the output's type.
pub(crate) struct Mapped {
    /// The operands in the order of the function.
    pub(crate) sources: SmallVec<[Source; 4]>,
    pub(crate) function: Function,
    /// From the compute type to the output's type.
    pub(crate) result: Conversions,
    /// Bytes of an element of the compute type.
    pub(crate) compute_size: usize,
}

impl Mapped {
    /// The most tensors.
    pub(crate) const TENSORS: usize = 3;
}

impl Body for Mapped {
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], scratch: &mut Scratch) {
        let count = range.len();
        let Scratch { first, second, scaled, combined, .. } = scratch;
        let mut rooms = [first, second, scaled].into_iter();
        let mut operands: SmallVec<[&[u8]; 6]> = SmallVec::new();
        for source in &self.sources {
            operands.push(match (source, source.constant(self.compute_size)) {
                (_, Some(constant)) => constant,
                _ => match rooms.next() {
                    Some(room) => source.load(inputs, range.clone(), room),
                    None => return debug_assert!(false, "an operator has no more tensors"),
                },
            });
        }
        if self.result.is_empty() {
            return (self.function)(&operands, out);
        }
        let computed = &mut combined.from.bytes_mut()[..count * self.compute_size];
        (self.function)(&operands, computed);
        self.result.apply(count, computed, out, &mut combined.between);
    }

    fn widest(&self) -> usize {
        let sources = self.sources.iter().map(Source::widest).max().unwrap_or(0);
        sources.max(self.compute_size).max(self.result.widest())
    }

    fn steps(&self) -> Vec<&'static str> {
        let mut steps = vec!["convert"; self.sources.iter().filter(|source| source.converts()).count()];
        steps.push("combine");
        steps.extend((!self.result.is_empty()).then_some("convert"));
        steps
    }
}
