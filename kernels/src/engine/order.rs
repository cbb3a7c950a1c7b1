//! The order in which a result is computed, chosen once for a kernel by how its operands lie.

use std::ops::Range;

use aclnn_numerics::layout::Walk;

use crate::engine::planes::Planes;
use crate::engine::rows::Rows;
use crate::engine::staged::{Buffers, MOST, Visit, VisitPlane};
use crate::engine::tiles::Tiles;
use crate::views::bound::Bound;
use crate::views::view::View;

pub(crate) enum Order {
    /// Blocks one after the other, each read and written by the view of the operand.
    Blocks,
    Rows(Box<Rows>),
    Tiles(Box<Tiles>),
}

impl Order {
    /// `shape` is that of the result; the last of `views` is the output. `planes` are those that the body computes.
    pub(crate) fn of(shape: &[usize], views: &[&View], planes: Option<Planes>) -> Self {
        /// Smaller results, and shorter rows one by one, cost less in blocks.
        const FEWEST: usize = 128;
        let Some((output, inputs)) = views.split_last() else { return Self::Blocks };
        // A view of another size counts in units of its own.
        let is_common =
            output.numel() >= FEWEST && inputs.iter().all(|input| input.numel() == output.numel());
        if !is_common || inputs.is_empty() || views.len() > MOST || views.iter().all(|view| view.is_dense()) {
            return Self::Blocks;
        }
        let mut strides: [&[isize]; MOST] = [&[]; MOST];
        let mut sizes = [0; MOST];
        let places = strides.iter_mut().zip(&mut sizes).rev();
        for (view, (strides, size)) in views.iter().rev().zip(places) {
            (*strides, *size) = (view.strides(), view.size());
        }
        let walk = Walk::new(shape, strides);
        if let Some(tiles) = Tiles::of(&walk, sizes) {
            return Self::Tiles(Box::new(tiles));
        }
        let (columns, rows) = (walk.inner_len(), Rows::new(walk));
        let in_planes =
            planes.is_some_and(|planes| columns >= planes.shortest && rows.has(planes, inputs.len()));
        if columns >= FEWEST || in_planes { Self::Rows(Box::new(rows)) } else { Self::Blocks }
    }

    /// Returns whether the body is given copies of its operands, apart from all others.
    pub(crate) fn copies_operands(&self) -> bool {
        matches!(self, Self::Tiles(_))
    }

    /// Returns whether it can be visited in such planes of so many inputs.
    pub(crate) fn has(&self, planes: Planes, inputs: usize) -> bool {
        match self {
            Self::Blocks => false,
            Self::Rows(rows) => rows.has(planes, inputs),
            Self::Tiles(tiles) => tiles.has(planes, inputs),
        }
    }

    /// Returns whether a result is one such plane.
    pub(crate) fn is_plane(&self, planes: Planes, inputs: usize) -> bool {
        matches!(self, Self::Rows(rows) if rows.has(planes, inputs) && rows.is_plane())
    }

    /// The parts of a result of `numel` elements, and how many of them belong together; a block has up to `step` elements.
    pub(crate) fn parts(&self, numel: usize, step: usize) -> (usize, usize) {
        match self {
            Self::Blocks | Self::Rows(_) => (numel, step),
            Self::Tiles(tiles) => (tiles.count(), 1),
        }
    }

    /// Visits some parts: `visit` gets inputs, output and a range of elements, which are counted in some order.
    pub(crate) fn for_each(
        &self,
        parts: Range<usize>,
        operands: (&[Bound<'_>], Bound<'_>),
        streams: bool,
        buffers: &mut Buffers,
        visit: &mut Visit<'_>,
    ) {
        match self {
            Self::Blocks => visit(operands.0, operands.1, parts),
            Self::Rows(rows) => rows.for_each(parts, operands, visit),
            Self::Tiles(tiles) => tiles.for_each(parts, operands, streams, buffers, visit),
        }
    }

    /// Visits some parts in planes, where it [`Order::has`] them.
    pub(crate) fn for_each_plane(
        &self,
        parts: Range<usize>,
        operands: (&[Bound<'_>], Bound<'_>),
        buffers: &mut Buffers,
        visit: &mut VisitPlane<'_>,
    ) {
        match self {
            Self::Blocks => debug_assert!(false, "blocks are not in rows"),
            Self::Rows(rows) => rows.for_each_plane(parts, operands, visit),
            Self::Tiles(tiles) => tiles.for_each_plane(parts, operands, buffers, visit),
        }
    }
}
