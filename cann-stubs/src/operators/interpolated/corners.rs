//! The four elements around a place, and their weights.

/// Places between elements: for each of the four elements around it, the number of the element, its weight, and how the weight
/// changes downwards and to the right. Those outside are missing.
pub(super) type Corners = [Option<Corner>; 4];

#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub(super) place: usize,
    pub(super) weight: f64,
    /// The changes of the weight by the row and by the column.
    pub(super) slopes: [f64; 2],
}

/// The corners of a place in a plane, of which those outside count nothing.
pub(super) fn around([height, width]: [usize; 2], [y, x]: [f64; 2]) -> Corners {
    let is_near = y > -1.0 && x > -1.0 && y < height as f64 && x < width as f64;
    if !is_near {
        return [None; 4];
    }
    let (top, left) = (y.floor(), x.floor());
    let (down, right) = (y - top, x - left);
    let corner = |row: f64, column: f64, weight: f64, slopes: [f64; 2]| {
        let is_inside = row >= 0.0 && column >= 0.0 && row < height as f64 && column < width as f64;
        is_inside.then(|| Corner { place: row as usize * width + column as usize, weight, slopes })
    };
    let (up, back) = (1.0 - down, 1.0 - right);
    [
        corner(top, left, up * back, [-back, -up]),
        corner(top, left + 1.0, up * right, [-right, up]),
        corner(top + 1.0, left, down * back, [back, -down]),
        corner(top + 1.0, left + 1.0, down * right, [right, down]),
    ]
}

/// The corners of a place that is moved to the border if it is less than one element outside.
pub(super) fn within(sizes: [usize; 2], [y, x]: [f64; 2]) -> Corners {
    let is_near = |at: f64, size: usize| at >= -1.0 && at <= size as f64;
    if !is_near(y, sizes[0]) || !is_near(x, sizes[1]) {
        return [None; 4];
    }
    let moved = |at: f64, size: usize| at.max(0.0).min(size.saturating_sub(1) as f64);
    around(sizes, [moved(y, sizes[0]), moved(x, sizes[1])])
}

/// The number at a place.
pub(super) fn sample(plane: &[f32], corners: &Corners) -> f64 {
    corners.iter().flatten().map(|corner| corner.weight * f64::from(plane[corner.place])).sum()
}
