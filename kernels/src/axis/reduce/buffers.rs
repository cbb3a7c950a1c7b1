//! The buffers of a thread.

use std::cell::RefCell;

use crate::Block;
use crate::views::block::Line;

/// The first bytes of a buffer, which grows as it has to.
pub(super) fn bytes_of(lines: &mut Vec<Line>, bytes: usize) -> &mut [u8] {
    let count = bytes.div_ceil(Line::SIZE);
    if lines.len() < count {
        lines.resize(count, Line::ZERO);
    }
    &mut bytemuck::cast_slice_mut(lines)[..bytes]
}

pub(super) struct Buffers {
    /// The states of the lanes, and behind them those of the tree, plane by plane.
    pub(super) states: Vec<u64>,
    /// The states of the results of a panel, plane by plane.
    pub(super) results: Vec<u64>,
    pub(super) words: Vec<u64>,
    pub(super) raw: Vec<Line>,
    pub(super) seen: Vec<Line>,
    pub(super) between: Block,
}

thread_local! {
    /// The buffers of this thread, kept for the next launch.
    pub(super) static BUFFERS: RefCell<Buffers> = RefCell::new(Buffers::new());
}

impl Buffers {
    pub(super) fn new() -> Self {
        Buffers {
            states: Vec::new(),
            results: Vec::new(),
            words: Vec::new(),
            raw: Vec::new(),
            seen: Vec::new(),
            between: Block::new(),
        }
    }
}
