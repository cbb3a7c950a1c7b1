//! Rows that are cut into as many as windows move elements at a time.

use bytemuck::Pod;

use super::windows::{Axis, Kind};
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;

/// Positions that are computed together.
pub(super) const LANES: usize = 16;

/// A row in as many rows as windows move elements at a time: the element of a window at all its positions is a run of one of
/// them.
pub(super) struct Cut {
    pub(super) stride: usize,
    pub(super) len: usize,
    pub(super) padding: i64,
    pub(super) kernel: usize,
    pub(super) dilation: usize,
    pub(super) width: usize,
}

impl Axis {
    /// The windows as runs of rows that are cut, unless they are too irregular or too far apart.
    pub(super) fn cut(&self) -> Result<Option<Cut>> {
        let Kind::Moves { kernel, stride, padding: [padding, _], dilation, .. } = self.kind else {
            return Ok(None);
        };
        let (kernel, stride, dilation) = (kernel as usize, stride as usize, dilation as usize);
        let reach = kernel.saturating_sub(1).saturating_mul(dilation);
        if kernel == 0 || stride == 0 || stride > 16 || reach > 4 * self.size || padding as usize > reach {
            return Ok(None);
        }
        let len = self.positions + reach / stride;
        Ok(Some(Cut { stride, len, padding, kernel, dilation, width: self.positions }))
    }
}

impl Cut {
    /// Elements of a buffer for a row, with room for whole lanes behind the last position.
    pub(super) fn room(&self) -> usize {
        self.stride * self.len + LANES
    }

    /// The places of the elements of a window at its first position.
    pub(super) fn taps(&self) -> impl ExactSizeIterator<Item = usize> + use<> {
        let Self { stride, len, dilation, .. } = *self;
        (0..self.kernel)
            .map(move |tap| tap * dilation)
            .map(move |place| place % stride * len + place / stride)
    }

    /// Cuts a row; elements beside it are `outside`.
    pub(super) fn fill<T: Pod>(&self, row: &[T], outside: T, cut: &mut [T]) {
        let Self { stride, len, padding, .. } = *self;
        for (phase, to) in cut.chunks_mut(len.max(1)).enumerate().take(stride) {
            let before = (padding - phase as i64).max(0) as usize;
            let before = before.div_ceil(stride).min(to.len());
            let (beside, to) = to.split_at_mut(before);
            beside.fill(outside);
            let first = (phase + before * stride) as i64 - padding;
            let from = row.get(first.max(0) as usize..).unwrap_or_default();
            let count = from.len().div_ceil(stride).min(to.len());
            let (to, beside) = to.split_at_mut(count);
            beside.fill(outside);
            match stride {
                1 => to.copy_from_slice(&from[..count]),
                2 => cut_in_two(from, to),
                _ => to.iter_mut().zip(from.iter().step_by(stride)).for_each(|(to, from)| *to = *from),
            }
        }
    }
}

for_instructions! {
    /// Copies every second element.
    fn cut_in_two[T: Copy](from: &[T], to: &mut [T]) {
        let (whole, rest) = from.as_chunks::<2>();
        let (to, last) = to.split_at_mut(whole.len().min(to.len()));
        to.iter_mut().zip(whole).for_each(|(to, from)| *to = from[0]);
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    }
}
