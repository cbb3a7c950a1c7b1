//! Operands as they are staged for a row or a tile: seen as runs, or copied to buffers.

use std::ops::Range;

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

use crate::views::block::Line;
use crate::views::bound::Bound;
use crate::views::runs::Side;

/// The most operands of a kernel that is computed by rows or tiles.
pub(crate) const MOST: usize = 4;

/// A walk over the operands of a kernel: its output is the last, its inputs come right before, and places are left in
/// front.
pub(crate) type Walks = Walk<MOST>;

/// The place of the output in a walk.
pub(crate) const OUTPUT: usize = MOST - 1;

/// The planes of the inputs of a part of the result.
pub(crate) type Sides = SmallVec<[Side<*const u8>; MOST - 1]>;

/// Computes a range of elements, from some inputs to an output.
pub(crate) type Visit<'v> = dyn FnMut(&[Bound<'_>], Bound<'_>, Range<usize>) + 'v;

/// Computes a plane, from planes of some inputs to one of the output, which is that of the view or else a buffer.
pub(crate) type VisitPlane<'v> = dyn FnMut(&[Side<*const u8>], Side<*mut u8>, [usize; 2], bool) + 'v;

/// Where rows lie in an operand: the offset of the first element, and the distances downwards and to the right.
pub(crate) type Part = (isize, [isize; 2]);

/// Where the rows from element number `first` on lie, which has these offsets in the operands.
pub(crate) fn part(
    walk: &Walks,
    operand: &Bound<'_>,
    place: usize,
    first: usize,
    offsets: &[isize; MOST],
) -> Part {
    if operand.is_strided() {
        let down = walk.axis_of_runs().map_or(0, |(_, down)| down[place]);
        (offsets[place], [down, walk.inner_strides()[place]])
    } else {
        (first as isize, [walk.inner_len() as isize, 1])
    }
}

/// The plane of such rows in an input.
pub(crate) fn input_side((offset, strides): Part, input: &Bound<'_>) -> Side<*const u8> {
    let Side { plane, size } = input.side(offset, strides);
    Side { plane: plane.cast_const(), size }
}

/// Each input with its place in a walk.
pub(crate) fn placed<'b, 'a>(inputs: &'b [Bound<'a>]) -> impl Iterator<Item = (usize, &'b Bound<'a>)> {
    (OUTPUT.saturating_sub(inputs.len())..).zip(inputs)
}

/// Buffers for the operands of a walk, which are kept for the next launch.
#[derive(Default)]
pub(crate) struct Buffers([Vec<Line>; MOST]);

impl Buffers {
    /// Buffers of so many bytes, with arbitrary contents.
    pub(crate) fn of(&mut self, bytes: [usize; MOST]) -> [&mut [u8]; MOST] {
        let mut sizes = bytes.into_iter();
        self.0.each_mut().map(|lines| {
            let bytes = sizes.next().unwrap_or(0);
            lines.resize(lines.len().max(bytes.div_ceil(Line::SIZE)), Line::ZERO);
            &mut bytemuck::cast_slice_mut(lines)[..bytes]
        })
    }
}
