//! The order in which kernels visit the elements of several operands.

use smallvec::SmallVec;

/// The iteration of `N` operands over one shape, in row-major order.
///
/// Axes of size 1 are dropped, and neighbouring axes are merged wherever every operand allows it, so that contiguous
/// operands become a single run. Offsets count elements from the first element of each operand.
///
/// ```
/// use aclnn_numerics::layout::Walk;
///
/// // [2, 3] plus a row that is repeated
/// let walk = Walk::new(&[2, 3], [&[3, 1], &[0, 1]]);
/// let mut runs = Vec::new();
/// walk.for_each_run(|offsets, len| runs.push((offsets, len)));
/// assert_eq!(runs, [([0, 0], 3), ([3, 0], 3)]);
/// ```
#[derive(Clone, Debug)]
pub struct Walk<const N: usize> {
    outer: SmallVec<[Axis<N>; 8]>,
    inner: Axis<N>,
    numel: usize,
}

#[derive(Clone, Copy, Debug)]
struct Axis<const N: usize> {
    size: usize,
    strides: [isize; N],
}

impl<const N: usize> Axis<N> {
    /// Returns the one axis that this axis and the next inner one make, if no operand jumps between them.
    fn merged(self, inner: Axis<N>) -> Option<Axis<N>> {
        let size = self.size.checked_mul(inner.size)?;
        let inner_size = isize::try_from(inner.size).ok()?;
        let continues = |(&outer, &inner): (&isize, &isize)| inner.checked_mul(inner_size) == Some(outer);
        self.strides
            .iter()
            .zip(&inner.strides)
            .all(continues)
            .then_some(Axis { size, strides: inner.strides })
    }
}

/// Adds `index` steps of `strides`. Positions of a valid layout never overflow; those of an invalid one must not panic.
fn advance<const N: usize>(offsets: &mut [isize; N], strides: &[isize; N], index: isize) {
    for (offset, stride) in offsets.iter_mut().zip(strides) {
        *offset = offset.wrapping_add(stride.wrapping_mul(index));
    }
}

impl<const N: usize> Walk<N> {
    /// Creates the iteration of operands with these strides.
    ///
    /// Strides are aligned to the right of the shape; an operand is repeated along the axes for which it has no stride.
    pub fn new(shape: &[usize], strides: [&[isize]; N]) -> Walk<N> {
        let unit = Axis { size: 1, strides: [0; N] };
        let mut outer: SmallVec<[Axis<N>; 8]> = SmallVec::new();
        let mut inner = unit;
        if shape.contains(&0) {
            return Walk { outer, inner, numel: 0 };
        }
        for (from_right, &size) in shape.iter().rev().enumerate() {
            if size == 1 {
                continue;
            }
            let axis = Axis {
                size,
                strides: strides.map(|own| {
                    own.len().checked_sub(from_right + 1).and_then(|i| own.get(i)).copied().unwrap_or(0)
                }),
            };
            // Axes are collected innermost first; the last collected axis is the one to merge with.
            let last = outer.last_mut().unwrap_or(&mut inner);
            if last.size == 1 {
                *last = axis;
            } else if let Some(merged) = axis.merged(*last) {
                *last = merged;
            } else {
                outer.push(axis);
            }
        }
        let numel = outer.iter().fold(inner.size, |product, axis| product.saturating_mul(axis.size));
        Walk { outer, inner, numel }
    }

    /// Returns the number of elements of the shape, at most `usize::MAX`.
    #[inline]
    pub fn numel(&self) -> usize {
        self.numel
    }

    /// Returns the distance in elements between neighbours of a run, per operand; zero if a run has only one element.
    #[inline]
    pub fn inner_strides(&self) -> [isize; N] {
        self.inner.strides
    }

    /// Returns the number of elements of a whole run.
    #[inline]
    pub fn inner_len(&self) -> usize {
        self.inner.size.min(self.numel)
    }

    /// Returns whether the whole iteration is at most one run.
    #[inline]
    pub fn is_single_run(&self) -> bool {
        self.outer.is_empty()
    }

    /// Returns the number of runs that lie along the next axis, and the distances from one of them to the next, per operand;
    /// `None` if there is only one run.
    pub fn axis_of_runs(&self) -> Option<(usize, [isize; N])> {
        self.outer.first().map(|axis| (axis.size, axis.strides))
    }

    /// Returns the offsets of the element that is visited after `index` others.
    pub fn offsets_at(&self, index: usize) -> [isize; N] {
        let mut offsets = [0; N];
        if self.is_single_run() {
            advance(&mut offsets, &self.inner.strides, index as isize);
            return offsets;
        }
        advance(&mut offsets, &self.inner.strides, (index % self.inner.size) as isize);
        let mut run = index / self.inner.size;
        for axis in &self.outer {
            advance(&mut offsets, &axis.strides, (run % axis.size) as isize);
            run /= axis.size;
        }
        offsets
    }

    /// Visits all elements, run by run: `visit` gets the offsets of the first element of the run and its length.
    ///
    /// Within the run, [`Walk::inner_strides`] give the distances between elements.
    pub fn for_each_run(&self, visit: impl FnMut([isize; N], usize)) {
        self.for_each_run_in(0, self.numel, visit);
    }

    /// Visits the elements from `begin` up to `end` of the whole iteration, so that several threads can share it.
    pub fn for_each_run_in(&self, begin: usize, end: usize, mut visit: impl FnMut([isize; N], usize)) {
        let end = end.min(self.numel);
        if begin >= end {
            return;
        }
        let mut remaining = end - begin;
        let mut within = begin % self.inner.size;
        let mut counters: SmallVec<[usize; 8]> = SmallVec::from_elem(0, self.outer.len());
        let mut offsets = [0isize; N];
        let mut run = begin / self.inner.size;
        for (counter, axis) in counters.iter_mut().zip(&self.outer) {
            *counter = run % axis.size;
            run /= axis.size;
            advance(&mut offsets, &axis.strides, *counter as isize);
        }
        loop {
            let len = (self.inner.size - within).min(remaining);
            let mut first = offsets;
            advance(&mut first, &self.inner.strides, within as isize);
            visit(first, len);
            remaining -= len;
            if remaining == 0 {
                return;
            }
            within = 0;
            for (counter, axis) in counters.iter_mut().zip(&self.outer) {
                *counter += 1;
                if *counter < axis.size {
                    advance(&mut offsets, &axis.strides, 1);
                    break;
                }
                *counter = 0;
                advance(&mut offsets, &axis.strides, 1 - axis.size as isize);
            }
        }
    }
}
