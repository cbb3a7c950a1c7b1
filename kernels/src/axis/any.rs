//! The test whether any element is true.

use crate::{Bound, Result, Sizes, Whole};

/// The test whether one of some truth values is true, or with `inverts` whether none is.
pub struct Any {
    pub inverts: bool,
}

impl Whole for Any {
    fn run(&self, inputs: &[Bound<'_>], outputs: &[Bound<'_>], _: &mut Sizes) -> Result {
        let ([truths], [output]) = (inputs, outputs) else { return Ok(()) };
        let all = 0..truths.numel();
        let is_there = truths.contiguous(all).is_some_and(|truths| truths.iter().any(|truth| *truth != 0));
        output.scatter(0..1, &[u8::from(is_there != self.inverts)]);
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["reduce"]
    }
}
