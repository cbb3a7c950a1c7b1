//! Operands as they are staged for a row or a tile: seen as runs, or copied to buffers.

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

use super::block::Line;
use super::bound::Bound;

/// The most operands of a kernel that is computed by rows or tiles.
pub(super) const MOST: usize = 4;

/// A walk over the operands of a kernel: its output is the last, its inputs come right before, and places are left in
/// front.
pub(super) type Walks = Walk<MOST>;

/// The place of the output in a walk.
pub(super) const OUTPUT: usize = MOST - 1;

/// What is computed next: where the elements of a range of the result come from and go to.
pub(super) type Staged<'a> = SmallVec<[Bound<'a>; 3]>;

/// Each input with its place in a walk.
pub(super) fn placed<'b, 'a>(inputs: &'b [Bound<'a>]) -> impl Iterator<Item = (usize, &'b Bound<'a>)> {
    (OUTPUT.saturating_sub(inputs.len())..).zip(inputs)
}

/// Buffers for the operands of a walk, which are kept for the next launch.
#[derive(Default)]
pub(super) struct Buffers([Vec<Line>; MOST]);

impl Buffers {
    /// Buffers of so many bytes, with arbitrary contents.
    pub(super) fn of(&mut self, bytes: [usize; MOST]) -> [&mut [u8]; MOST] {
        let mut sizes = bytes.into_iter();
        self.0.each_mut().map(|lines| {
            let bytes = sizes.next().unwrap_or(0);
            lines.resize(lines.len().max(bytes.div_ceil(Line::SIZE)), Line::ZERO);
            &mut bytemuck::cast_slice_mut(lines)[..bytes]
        })
    }
}
