//! The bytes that a view touches: runs of one length at the points of a grid.

use std::collections::HashSet;

use aclnn_numerics::layout::Walk;
use smallvec::SmallVec;

/// How many runs of two grids are compared with each other; grids with more runs count as disjoint.
const COMPARED: usize = 1 << 20;

/// How many elements of a view are compared one by one; in a larger view, axes that interleave count as disjoint.
const FOLLOWED: usize = 1 << 20;

/// Returns whether each axis of a view steps over everything that the axes of smaller strides reach, so that no two
/// elements share bytes. Strides are in elements.
pub fn lies_apart(shape: &[usize], strides: &[isize]) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut axes: SmallVec<[(usize, usize); 8]> = shape
        .iter()
        .zip(strides)
        .filter(|(size, _)| **size != 1)
        .map(|(size, stride)| (stride.unsigned_abs(), *size))
        .collect();
    axes.sort_unstable();
    let mut reach = 0_usize;
    axes.iter().all(|(stride, size)| {
        let over = *stride > reach;
        reach = reach.saturating_add(stride.saturating_mul(size - 1));
        over
    })
}

/// Returns whether two elements of a view share bytes. Strides are in elements.
pub fn shares_elements(shape: &[usize], strides: &[isize]) -> bool {
    if lies_apart(shape, strides) {
        return false;
    }
    if shape.iter().zip(strides).any(|(size, stride)| *size != 1 && *stride == 0) {
        return true;
    }
    let walk = Walk::new(shape, [strides]);
    let [step] = walk.inner_strides();
    let mut seen = HashSet::new();
    let mut shared = false;
    if walk.numel() <= FOLLOWED {
        walk.for_each_run(|[first], count| {
            shared |= (0..count as isize).any(|index| !seen.insert(first + step * index));
        });
    }
    shared
}

/// Bytes `start + Σ index·stride + [0, run)`, for every index of every axis.
#[derive(Debug, Clone, Eq)]
pub struct Span {
    start: usize,
    /// The address after the last byte.
    end: usize,
    run: usize,
    axes: SmallVec<[Axis; 2]>,
}

/// Sorted from the smallest stride to the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Axis {
    count: usize,
    stride: usize,
}

impl PartialEq for Span {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // Most spans have no axes, whose memory need not be compared.
        (self.start, self.end, self.run) == (other.start, other.end, other.run)
            && self.axes.len() == other.axes.len()
            && self.axes.iter().zip(&other.axes).all(|(axis, other)| axis == other)
    }
}

impl Span {
    /// `len` bytes, one after the other.
    pub fn dense(start: usize, len: usize) -> Self {
        Span { start, end: start.saturating_add(len), run: len, axes: SmallVec::new() }
    }

    /// Returns the bytes of elements of `size` bytes in a shape, from the lowest one on; strides are in elements.
    pub fn of_view(start: usize, size: usize, shape: &[usize], strides: &[isize]) -> Self {
        let axes = shape
            .iter()
            .zip(strides)
            .map(|(&count, stride)| (count, stride.unsigned_abs().saturating_mul(size)));
        Self::grid(start, size, axes)
    }

    /// `height` rows of `width` bytes, `pitch` bytes from one to the next.
    pub fn rows(start: usize, width: usize, height: usize, pitch: usize) -> Self {
        Self::grid(start, width, [(height, pitch)])
    }

    fn grid(start: usize, run: usize, axes: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut sorted: SmallVec<[Axis; 2]> = SmallVec::new();
        for (count, stride) in axes {
            if count == 0 {
                return Self::dense(start, 0);
            }
            if count > 1 && stride > 0 {
                sorted.push(Axis { count, stride });
            }
        }
        sorted.sort_unstable_by_key(|axis| axis.stride);
        let mut run = run;
        let mut kept: SmallVec<[Axis; 2]> = SmallVec::new();
        for axis in sorted {
            match kept.last_mut() {
                // Runs that touch are one run.
                None if axis.stride <= run => run += axis.stride * (axis.count - 1),
                // Axes that follow each other without a jump are one axis.
                Some(last) if last.stride * last.count == axis.stride => last.count *= axis.count,
                _ => kept.push(axis),
            }
        }
        let reach: usize = kept.iter().map(|axis| axis.stride * (axis.count - 1)).sum();
        Span { start, end: start.saturating_add(reach).saturating_add(run), run, axes: kept }
    }

    pub fn start(&self) -> usize {
        self.start
    }

    pub fn end(&self) -> usize {
        self.end
    }

    pub fn is_empty(&self) -> bool {
        self.run == 0
    }

    pub fn is_dense(&self) -> bool {
        self.axes.is_empty()
    }

    /// Returns the same bytes `distance` further on.
    pub fn shifted(&self, distance: usize) -> Self {
        let (start, end) = (self.start.wrapping_add(distance), self.end.wrapping_add(distance));
        let axes = if self.is_dense() { SmallVec::new() } else { self.axes.clone() };
        Span { start, end, run: self.run, axes }
    }

    /// Returns the first `len` bytes of a dense span.
    pub fn shortened(&self, len: usize) -> Self {
        if self.is_dense() { Self::dense(self.start, len.min(self.run)) } else { self.clone() }
    }

    pub fn runs(&self) -> usize {
        self.axes.iter().fold(1, |product: usize, axis| product.saturating_mul(axis.count))
    }

    /// Calls `visit` with the start and the end of every run until it returns false. Returns whether it never did.
    pub fn each_run(&self, mut visit: impl FnMut(usize, usize) -> bool) -> bool {
        fn walk(at: usize, axes: &[Axis], visit: &mut impl FnMut(usize) -> bool) -> bool {
            match axes {
                [] => visit(at),
                [outer @ .., axis] => {
                    (0..axis.count).all(|index| walk(at + index * axis.stride, outer, visit))
                }
            }
        }
        // The largest stride is last and so outermost: runs come in ascending order unless they overlap.
        walk(self.start, &self.axes, &mut |at| visit(at, at + self.run))
    }

    /// Returns whether a byte is in both.
    pub fn overlaps(&self, other: &Span) -> bool {
        if self.is_empty() || other.is_empty() || self.start >= other.end || other.start >= self.end {
            return false;
        }
        let (few, many) = if self.runs() <= other.runs() { (self, other) } else { (other, self) };
        if few.runs() > COMPARED {
            return false;
        }
        !few.each_run(|start, end| !many.touches(start, end))
    }

    /// Returns whether a byte of `[start, end)` is in the span.
    fn touches(&self, start: usize, end: usize) -> bool {
        fn search(at: usize, run: usize, axes: &[Axis], start: usize, end: usize) -> bool {
            let [outer @ .., axis] = axes else { return at < end && start < at + run };
            // How far all inner axes together reach beyond one point of this axis.
            let reach = outer.iter().map(|axis| axis.stride * (axis.count - 1)).sum::<usize>() + run;
            if at >= end {
                return false;
            }
            let first = start.saturating_sub(at + reach - 1).div_ceil(axis.stride);
            let last = ((end - 1 - at) / axis.stride).min(axis.count - 1);
            (first..=last).any(|index| search(at + index * axis.stride, run, outer, start, end))
        }
        search(self.start, self.run, &self.axes, start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(span: &Span) -> Vec<usize> {
        let mut all = Vec::new();
        span.each_run(|start, end| {
            all.extend(start..end);
            true
        });
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn views_without_gaps_are_dense() {
        for (shape, strides) in [
            (&[2, 3][..], &[3, 1][..]),
            (&[2, 3], &[-3, 1]),
            (&[3, 2], &[1, 3]),
            (&[1, 6, 1], &[9, 1, 0]),
            (&[5, 6], &[0, 1]),
        ] {
            let span = Span::of_view(100, 4, shape, strides);
            assert_eq!(span, Span::dense(100, 24), "{shape:?} {strides:?}");
        }
        assert!(Span::of_view(100, 4, &[0, 3], &[3, 1]).is_empty());
        assert_eq!(Span::of_view(100, 4, &[], &[]), Span::dense(100, 4));
    }

    #[test]
    fn gaps_are_kept() {
        let column = Span::of_view(0, 4, &[3], &[4]);
        assert_eq!(bytes(&column), [0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35]);
        assert_eq!((column.runs(), column.end()), (3, 36));
        // Rows that follow each other without a jump in stride.
        assert_eq!(Span::of_view(0, 1, &[4, 2], &[8, 4]).axes.len(), 1);
        assert_eq!(Span::rows(10, 4, 2, 6).shifted(5), Span::rows(15, 4, 2, 6));
    }

    #[test]
    fn overlap_is_exact() {
        let even = Span::of_view(0, 4, &[100], &[2]);
        let odd = Span::of_view(4, 4, &[100], &[2]);
        assert!(!even.overlaps(&odd) && even.overlaps(&even));
        assert!(even.overlaps(&odd.shifted(1)));
        let spans = [
            Span::dense(3, 5),
            Span::dense(40, 1),
            Span::of_view(0, 2, &[3, 4], &[12, 2]),
            Span::of_view(2, 2, &[3, 4], &[12, 2]),
            Span::of_view(1, 1, &[5, 3], &[7, 2]),
            Span::of_view(0, 4, &[2, 2, 2], &[20, 5, 2]),
            Span::rows(7, 3, 4, 9),
        ];
        for a in &spans {
            for b in &spans {
                let common = bytes(a).iter().any(|byte| bytes(b).contains(byte));
                assert_eq!(a.overlaps(b), common, "{a:?} {b:?}");
            }
        }
    }
}
