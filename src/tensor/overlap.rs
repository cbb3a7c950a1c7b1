//! Tests of views of one buffer for shared elements.

use aclnn_numerics::Layout;
use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

use super::Tensor;

/// The most runs that the host compares to tell views apart; with more runs, views count as overlapping.
const MOST_RUNS: usize = 1 << 16;

/// The overlap of two tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// No element is in both tensors.
    None,
    /// Every element is the same at the same index.
    Same,
    /// Some elements are in both, or that is not known.
    Partial,
}

impl Tensor {
    /// Returns how the elements of two tensors overlap.
    pub(crate) fn overlap(&self, other: &Tensor) -> Overlap {
        if !self.shares_buffer_with(other) {
            return Overlap::None;
        }
        let (a, b) = (&self.layout, &other.layout);
        let (Some((a_low, a_high)), Some((b_low, b_high))) = (a.span(), b.span()) else {
            return Overlap::None;
        };
        let (a_bits, b_bits) = (self.dtype.bits() as i128, other.dtype.bits() as i128);
        if a_bits != b_bits {
            // Complex numbers and their parts: elements are compared by the bits that they reach.
            let before =
                |high: isize, bits, low: isize, other| (high as i128 + 1) * bits <= low as i128 * other;
            let is_apart = before(a_high, a_bits, b_low, b_bits) || before(b_high, b_bits, a_low, a_bits);
            return if is_apart { Overlap::None } else { Overlap::Partial };
        }
        if a_high < b_low || b_high < a_low {
            return Overlap::None;
        }
        if a.offset() == b.offset() && a.shape() == b.shape() && same_strides(a, b) {
            return Overlap::Same;
        }
        match (runs(a), runs(b)) {
            (Some(a), Some(b)) if are_disjoint(&a, &b) => Overlap::None,
            _ => Overlap::Partial,
        }
    }

    /// Returns whether several elements share their memory, as in a broadcast view.
    pub(crate) fn has_shared_elements(&self) -> bool {
        let mut axes: SmallVec<[(usize, isize); 8]> =
            self.shape().iter().copied().zip(self.layout.strides().iter().copied()).collect();
        axes.retain(|(size, _)| *size > 1);
        if self.shape().is_empty_tensor() {
            return false;
        }
        axes.sort_by_key(|(_, stride)| stride.unsigned_abs());
        // Each axis must step over the whole reach of the finer axes. All views made here do, or repeat elements.
        let mut reach = 0usize;
        axes.iter().any(|(size, stride)| {
            let step = stride.unsigned_abs();
            let overlaps = step <= reach;
            reach = reach.saturating_add(step.saturating_mul(size - 1));
            overlaps
        })
    }
}

/// Returns whether the strides that lead to different elements are the same; axes of size 1 do not count.
fn same_strides(a: &Layout, b: &Layout) -> bool {
    a.shape().iter().zip(a.strides().iter().zip(b.strides())).all(|(&size, (a, b))| size <= 1 || a == b)
}

/// Returns the first and last position of every run of neighbours, sorted, or `None` if there are too many runs.
fn runs(layout: &Layout) -> Option<Vec<(isize, isize)>> {
    let walk = Walk::new(layout.shape(), [layout.strides()]);
    let [stride] = walk.inner_strides();
    let per_run = if matches!(stride, -1..=1) { 1 } else { walk.inner_len() };
    if walk.numel() / walk.inner_len().max(1) * per_run > MOST_RUNS {
        return None;
    }
    let origin = isize::try_from(layout.offset()).ok()?;
    let mut runs = Vec::new();
    walk.for_each_run(|[offset], len| {
        let first = origin + offset;
        if per_run == 1 {
            // A run longer than an `isize` has no stride.
            let last = first + stride * len.cast_signed().wrapping_sub(1);
            runs.push((first.min(last), first.max(last)));
        } else {
            runs.extend((0..len as isize).map(|index| first + stride * index).map(|at| (at, at)));
        }
    });
    runs.sort_unstable();
    Some(runs)
}

/// Returns whether no run of one list overlaps a run of the other. Runs within one list may overlap.
fn are_disjoint(a: &[(isize, isize)], b: &[(isize, isize)]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(&&(a_first, a_last)), Some(&&(b_first, b_last))) = (a.peek(), b.peek()) {
        if a_last < b_first {
            a.next();
        } else if b_last < a_first {
            b.next();
        } else {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{DType, Device, Result};

    #[test]
    fn an_element_that_is_repeated_too_often_to_walk_overlaps_itself() -> Result<()> {
        let line = Tensor::zeros(&Device::open(0)?, [2], DType::F32)?;
        let (first, second) = (line.slice(0, ..1)?, line.slice(0, 1..)?);
        let all = first.broadcast_to([1 << 32, 1 << 30])?;
        assert_eq!(all.overlap(&first), Overlap::Partial);
        assert_eq!(all.overlap(&second), Overlap::None);
        Ok(())
    }

    /// Views of one buffer of 16 elements, with the positions of their elements in order.
    fn views(whole: &Tensor) -> Vec<(Tensor, Vec<isize>)> {
        let mut views = Vec::new();
        let shapes = [[1, 0], [1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3], [3, 2]];
        for (shape, down) in shapes.iter().flat_map(|shape| (-2..=4).map(move |stride| (shape, stride))) {
            for (across, offset) in (-2..=3).flat_map(|stride| [3, 4, 6, 7].map(|offset| (stride, offset))) {
                let [rows, columns] = shape.map(usize::cast_signed);
                let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
                let positions: Vec<isize> =
                    places.map(|(row, column)| offset + row * down + column * across).collect();
                let layout = Layout::new(&shape[..], &[down, across], offset.unsigned_abs());
                if let (true, Ok(layout)) = (positions.iter().all(|at| (0..16).contains(at)), layout) {
                    views.push((Tensor { layout, ..whole.clone() }, positions));
                }
            }
        }
        views
    }

    #[test]
    fn views_overlap_where_positions_of_their_elements_do() -> Result<()> {
        let whole = Tensor::zeros(&Device::open(0)?, [16], DType::F32)?;
        let views = views(&whole);
        let mut found = Vec::new();
        for (a, first) in &views {
            for (b, second) in views.iter().step_by(7) {
                let expected = if !first.iter().any(|at| second.contains(at)) {
                    Overlap::None
                } else if a.shape() == b.shape() && first == second {
                    Overlap::Same
                } else {
                    Overlap::Partial
                };
                assert_eq!(
                    a.overlap(b),
                    expected,
                    "{first:?} and {second:?}: {:?}, {:?}",
                    a.layout,
                    b.layout
                );
                found.push(expected);
            }
        }
        for kind in [Overlap::None, Overlap::Same, Overlap::Partial] {
            assert!(found.iter().filter(|found| **found == kind).count() > 100, "{kind:?}");
        }
        Ok(())
    }

    #[test]
    fn elements_share_memory_where_positions_repeat() -> Result<()> {
        let whole = Tensor::zeros(&Device::open(0)?, [16], DType::F32)?;
        for (view, positions) in views(&whole) {
            let repeats = positions.iter().collect::<BTreeSet<_>>().len() < positions.len();
            assert!(view.has_shared_elements() || !repeats, "{positions:?}");
            // An axis of size 1 leads nowhere, whatever its stride.
            assert!(!view.shape().contains(&1) || view.has_shared_elements() == repeats, "{:?}", view.layout);
        }
        // Parts of a whole share none.
        let grid = whole.reshape([4, 4])?;
        for (start, down, across) in [(0, 1, 1), (1, 2, 1), (0, 3, 2), (3, 1, 3)] {
            let part = grid.slice_step(0, start.., down)?.slice_step(1, .., across)?;
            assert!(!part.has_shared_elements() && !part.transpose(0, 1)?.has_shared_elements());
            assert!(!part.slice(1, ..1)?.unsqueeze(0)?.has_shared_elements());
        }
        assert!(!grid.slice(0, ..0)?.broadcast_to([3, 0, 4])?.has_shared_elements(), "there is none");
        Ok(())
    }
}
