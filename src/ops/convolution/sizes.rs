//! The sizes of convolutions.

/// The attributes of a window along one axis.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) kernel: usize,
    pub(super) stride: usize,
    pub(super) padding: usize,
    pub(super) dilation: usize,
}

impl Window {
    /// How many elements it reaches over; `None` if an attribute is 0 or too large.
    #[inline]
    fn reach(self) -> Option<usize> {
        let all = [self.kernel, self.stride, self.padding, self.dilation];
        let is_possible = !all.iter().any(|number| *number > i32::MAX as usize)
            && ![self.kernel, self.stride, self.dilation].contains(&0);
        is_possible.then(|| self.dilation * (self.kernel - 1) + 1)
    }

    /// How many positions it has over so many elements.
    #[inline]
    pub(super) fn positions(self, size: usize) -> Option<usize> {
        let reach = self.reach()?;
        let left = size.checked_add(2 * self.padding)?.checked_sub(reach)?;
        Some(left / self.stride + 1)
    }

    /// Over how many elements it has so many positions, and `extra` elements behind them.
    #[inline]
    pub(super) fn elements(self, positions: usize, extra: usize) -> Option<usize> {
        let reach = self.reach()?;
        let steps = positions.checked_sub(1)?.checked_mul(self.stride)?;
        steps.checked_add(reach)?.checked_add(extra)?.checked_sub(2 * self.padding).filter(|size| *size > 0)
    }
}
