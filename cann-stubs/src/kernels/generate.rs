//! Bodies without inputs: constants and sequences.

use std::ops::Range;
use std::sync::OnceLock;

use super::{Block, Body, Bound, Scratch};

/// One value everywhere, in the type of the output.
pub(crate) struct Constant {
    block: Box<Block>,
    size: usize,
}

impl Constant {
    pub(crate) fn new(element: &[u8]) -> Self {
        Self { block: Box::new(Block::filled_with(element)), size: element.len() }
    }
}

impl Body for Constant {
    fn block(&self, _: &[Bound<'_>], _: Range<usize>, out: &mut [u8], _: &mut Scratch) {
        out.copy_from_slice(&self.block.bytes()[..out.len()]);
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["fill"]
    }

    fn widest(&self) -> usize {
        self.size
    }
}

/// Numbers that a function of their index writes, in the type of the output.
pub(crate) struct Sequence<F> {
    /// Writes the elements from an index on.
    fill: F,
    size: usize,
    count: usize,
    /// All elements, computed once, where each follows from the one before.
    whole: Option<OnceLock<Vec<u8>>>,
}

impl<F: Fn(usize, &mut [u8])> Sequence<F> {
    /// `count` elements of `size` bytes; `sequential` ones are computed in one go.
    pub(crate) fn new(fill: F, size: usize, count: usize, sequential: bool) -> Self {
        Self { fill, size, count, whole: sequential.then(OnceLock::new) }
    }
}

impl<F: Fn(usize, &mut [u8]) + Send + Sync> Body for Sequence<F> {
    fn block(&self, inputs: &[Bound<'_>], range: Range<usize>, out: &mut [u8], _: &mut Scratch) {
        debug_assert!(inputs.is_empty(), "a sequence has no inputs");
        let Some(whole) = &self.whole else { return (self.fill)(range.start, out) };
        let whole = whole.get_or_init(|| {
            let mut bytes = vec![0; self.count * self.size];
            (self.fill)(0, &mut bytes);
            bytes
        });
        out.copy_from_slice(&whole[range.start * self.size..][..out.len()]);
    }

    fn widest(&self) -> usize {
        self.size
    }

    fn count(&self, numel: usize) -> usize {
        numel.min(self.count)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["sequence"]
    }
}
