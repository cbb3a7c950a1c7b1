//! The elements under windows as the columns of a matrix.

use std::ops::Range;

/// The operand that is computed from the two others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The map, from the image, the weights and perhaps a bias for each channel.
    Map,
    /// The image, from the map, the weights and perhaps a bias for each channel.
    Image,
    /// The weights, from the image and the map.
    Weights,
}

/// A window along one axis of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Elements of the image along the axis.
    pub size: usize,
    /// Elements of the window, and the distance between two of them.
    pub kernel: usize,
    pub dilation: usize,
    /// Elements before the image that count as zeros; negative if the window begins inside.
    pub padding: i64,
    /// The number of positions of the window, and the distance between two of them.
    pub positions: usize,
    pub stride: usize,
}

impl Window {
    /// The window along an axis that an image does not have.
    pub const NONE: Self = Self { size: 1, kernel: 1, dilation: 1, padding: 0, positions: 1, stride: 1 };

    /// The positions at which element `tap` of the window lies on the image, and where it lies at the first of them.
    fn inside(&self, tap: usize) -> (Range<usize>, usize) {
        let first = (tap * self.dilation) as i64 - self.padding;
        let steps = |distance: i64| (distance.max(0) as usize).div_ceil(self.stride.max(1));
        let begin = steps(-first).min(self.positions);
        let end = steps(self.size as i64 - first).clamp(begin, self.positions);
        (begin..end, (first + (begin * self.stride) as i64).max(0) as usize)
    }
}

/// The sizes of a convolution.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    pub batches: usize,
    pub groups: usize,
    /// Channels of a group, of the image and of the map.
    pub channels: [usize; 2],
    pub windows: [Window; 3],
}

impl Geometry {
    /// Returns the elements of a channel of the image.
    pub fn plane(&self) -> usize {
        self.windows.iter().map(|window| window.size).fold(1, usize::saturating_mul)
    }

    /// Returns the elements of a channel of the map.
    pub fn positions(&self) -> usize {
        self.windows.iter().map(|window| window.positions).fold(1, usize::saturating_mul)
    }

    /// Returns the elements of a window in one channel.
    pub fn taps(&self) -> usize {
        self.windows.iter().map(|window| window.kernel).product()
    }

    /// Visits the rows of columns at some positions: for each channel of `image` and each element of the window, the runs of
    /// positions with the same planes and rows.
    fn runs(&self, channels: usize, positions: &Range<usize>, mut visit: impl FnMut(Run)) {
        let [planes, rows, columns] = &self.windows;
        let count = positions.len();
        let mut first = 0;
        for channel in 0..channels {
            for (plane_tap, row_tap) in
                (0..planes.kernel).flat_map(|plane| (0..rows.kernel).map(move |row| (plane, row)))
            {
                let ((in_planes, plane), (in_rows, row)) = (planes.inside(plane_tap), rows.inside(row_tap));
                for column_tap in 0..columns.kernel {
                    let (in_columns, column) = columns.inside(column_tap);
                    let mut position = positions.start;
                    while position < positions.end {
                        let (line, at) = (position / columns.positions, position % columns.positions);
                        let len = (columns.positions - at).min(positions.end - position);
                        let (of_plane, of_row) = (line / rows.positions, line % rows.positions);
                        let on_image = in_planes.contains(&of_plane) && in_rows.contains(&of_row);
                        let begin = in_columns.start.clamp(at, at + len);
                        let end = in_columns.end.clamp(begin, at + len);
                        let from = if on_image && begin < end {
                            let plane = plane + (of_plane - in_planes.start) * planes.stride;
                            let row = row + (of_row - in_rows.start) * rows.stride;
                            let column = column + (begin - in_columns.start) * columns.stride;
                            ((channel * planes.size + plane) * rows.size + row) * columns.size + column
                        } else {
                            0
                        };
                        let inside = if on_image { begin - at..end - at } else { 0..0 };
                        visit(Run { first: first + position - positions.start, len, inside, from });
                        position += len;
                    }
                    first += count;
                }
            }
        }
    }

    /// Adds columns of some channels at some positions to the elements of the image that they belong to.
    pub fn scatter(&self, columns: &[f32], channels: usize, positions: &Range<usize>, image: &mut [f32]) {
        let step = self.windows[2].stride.max(1);
        self.runs(channels, positions, |run| {
            let Some(from) = columns.get(run.first..run.first + run.len) else { return };
            let (from, Some(to)) = (&from[run.inside], image.get_mut(run.from..)) else { return };
            to.iter_mut().step_by(step).zip(from).for_each(|(to, from)| *to += *from);
        });
    }
}

/// A part of a row of columns.
struct Run {
    /// Where it begins in the block, and how long it is.
    first: usize,
    len: usize,
    /// The elements that lie on the image, and where the first of them lies.
    inside: Range<usize>,
    from: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The element of the image under each element of a window, by the definition, one at a time.
    fn element(geometry: &Geometry, row: usize, position: usize) -> Option<usize> {
        let [_, rows, columns] = &geometry.windows;
        let (channel, tap) = (row / geometry.taps(), row % geometry.taps());
        let taps =
            [tap / columns.kernel / rows.kernel, tap / columns.kernel % rows.kernel, tap % columns.kernel];
        let at = [
            position / columns.positions / rows.positions,
            position / columns.positions % rows.positions,
            position % columns.positions,
        ];
        let mut index = channel as i64;
        for ((window, tap), at) in geometry.windows.iter().zip(taps).zip(at) {
            let place = (at * window.stride + tap * window.dilation) as i64 - window.padding;
            if !(0..window.size as i64).contains(&place) {
                return None;
            }
            index = index * window.size as i64 + place;
        }
        Some(index as usize)
    }

    #[test]
    fn columns_go_to_the_elements_under_the_windows() {
        let window = |size, kernel, stride, padding, dilation, positions| Window {
            size,
            kernel,
            stride,
            padding,
            dilation,
            positions,
        };
        let windows = [
            [window(3, 2, 1, 1, 1, 4), window(5, 3, 2, 2, 1, 4), window(7, 2, 1, 0, 3, 4)],
            [Window::NONE, window(4, 4, 1, 3, 1, 7), window(6, 3, 3, 2, 2, 2)],
            [Window::NONE, Window::NONE, window(9, 2, 2, -1, 1, 3)],
            [Window::NONE, window(2, 1, 1, 4, 1, 10), window(3, 5, 1, 4, 1, 7)],
        ];
        for windows in windows {
            let geometry = Geometry { batches: 1, groups: 1, channels: [2, 1], windows };
            let all = geometry.positions();
            for range in [0..all, 1..all, all / 2..all / 2 + 1, 0..all - 1] {
                let columns: Vec<f32> =
                    (1..=2 * geometry.taps() * range.len()).map(|number| number as f32).collect();
                let mut expected = vec![0.0; 2 * geometry.plane()];
                for (number, column) in columns.iter().enumerate() {
                    let (row, position) = (number / range.len(), range.start + number % range.len());
                    if let Some(index) = element(&geometry, row, position) {
                        expected[index] += column;
                    }
                }
                let mut scattered = vec![0.0; 2 * geometry.plane()];
                geometry.scatter(&columns, 2, &range, &mut scattered);
                assert_eq!(scattered, expected, "{windows:?} {range:?}");
            }
        }
    }
}
