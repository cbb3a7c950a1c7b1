//! The windows of a convolution as it is computed: what each position sums up, and where that lies.

use super::columns::Window;

/// One axis of a pass over a source.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Elements of the source along the axis.
    pub(super) size: usize,
    /// Positions, and the distance between two of them in the source.
    pub(super) count: usize,
    pub(super) stride: usize,
    /// The place in the source where the first position begins.
    pub(super) first: i64,
    /// Elements of the window: their numbers, and how far behind the beginning they lie.
    pub(super) taps: Vec<(usize, usize)>,
    /// The place of the first position in the result, and the distance between two of them there.
    pub(super) to: usize,
    pub(super) step: usize,
}

impl Axis {
    /// Leaves out elements of the window that no position has on the source; an infinite weight there counts as nothing.
    fn new(
        [size, count, stride]: [usize; 3],
        taps: impl Iterator<Item = (usize, i64)>,
        [to, step]: [usize; 2],
    ) -> Self {
        let over = (count.saturating_sub(1).saturating_mul(stride)) as i64;
        let taps: Vec<(usize, i64)> =
            taps.filter(|(_, place)| *place < size as i64 && place.saturating_add(over) >= 0).collect();
        let first = taps.iter().map(|(_, place)| *place).min().unwrap_or(0);
        let taps = taps.into_iter().map(|(tap, place)| (tap, (place - first) as usize)).collect();
        Self { size, count, stride, first, taps, to, step }
    }

    /// Returns this axis of a pass with a stride of 1 in parts, at all positions of which the same elements of the window lie on
    /// the source: a weight that is not finite makes no NaN of the zeros around it.
    pub(super) fn parts(self) -> Vec<Self> {
        let place = |ahead: usize| self.first.saturating_add(ahead as i64);
        let changes =
            self.taps.iter().flat_map(|(_, ahead)| [-place(*ahead), self.size as i64 - place(*ahead)]);
        let mut ends: Vec<usize> = [0, self.count as i64]
            .into_iter()
            .chain(changes)
            .map(|end| end.clamp(0, self.count as i64) as usize)
            .collect();
        ends.sort_unstable();
        ends.dedup();
        let part = |first: usize, end: usize| {
            let taps = self.taps.iter().map(|(tap, ahead)| (*tap, place(*ahead) + first as i64));
            Self::new([self.size, end - first, 1], taps, [self.to + first * self.step, self.step])
        };
        ends.windows(2).map(|ends| part(ends[0], ends[1])).collect()
    }

    /// The elements that a window reaches behind its first one.
    pub(super) fn reach(&self) -> usize {
        self.taps.iter().map(|(_, place)| *place).max().unwrap_or(0)
    }

    /// Returns whether all windows lie on the source.
    pub(super) fn is_inside(&self) -> bool {
        let last = self.first + (self.count.saturating_sub(1) * self.stride + self.reach()) as i64;
        self.first >= 0 && last < self.size as i64
    }
}

impl Window {
    /// The positions of the window, over an image.
    pub(super) fn over_image(&self) -> Axis {
        let place = |tap: usize| (tap.saturating_mul(self.dilation) as i64).saturating_sub(self.padding);
        let taps = (0..self.kernel).map(|tap| (tap, place(tap)));
        Axis::new([self.size, self.positions, self.stride.max(1)], taps, [0, 1])
    }

    /// The elements of an image, over a map: those that lie a stride apart are under the same elements of windows.
    pub(super) fn over_map(&self) -> Vec<Axis> {
        let stride = self.stride.max(1);
        let phases = 0..stride.min(self.size);
        let axis = |phase: usize| {
            let ahead = |tap: usize| {
                (phase as i64 + self.padding).saturating_sub(tap.saturating_mul(self.dilation) as i64)
            };
            let taps = (0..self.kernel).map(|tap| (tap, ahead(tap)));
            let taps = taps
                .filter(|(_, ahead)| ahead.rem_euclid(stride as i64) == 0)
                .map(|(tap, ahead)| (tap, ahead.div_euclid(stride as i64)));
            Axis::new([self.positions, (self.size - phase).div_ceil(stride), 1], taps, [phase, stride])
        };
        phases.map(axis).collect()
    }
}
