//! Matrices whose rows are parts, with scales of their own. Rows behind the last part are 0, and ends that are before others
//! or behind the last row are moved to them.

use super::codes::largest;
use super::saturated::Held;
use crate::axis::normalization::nearest_code;

/// Quantises rows of `len` elements, of which each part is multiplied by its own row of scales, to i8. `ends` are the rows at
/// which the parts end.
pub fn quantise_by_rows(
    (x, len): (&[f32], usize),
    (scales, offset): (&[f32], f32),
    ends: &[i32],
    out: &mut [f32],
) {
    out.fill(0.0);
    let (count, mut first) = (x.len() / len.max(1), 0);
    for (end, scales) in ends.iter().zip(scales.chunks(len.max(1))) {
        let end = usize::try_from(*end).unwrap_or(0).clamp(first, count);
        let rows = first * len..end * len;
        first = end;
        let (Some(out), Some(x)) = (out.get_mut(rows.clone()), x.get(rows)) else { return };
        for (out, x) in out.chunks_mut(len.max(1)).zip(x.chunks(len.max(1))) {
            for ((out, x), scale) in out.iter_mut().zip(x).zip(scales) {
                *out = nearest_code(x * scale + offset);
            }
        }
    }
}

/// Quantises rows of `len` elements, of which each part is multiplied by its own scale, and writes the greatest magnitude of
/// each part. Without `ends` all rows are one part.
pub fn quantise_by_parts(
    (x, len): (&[f32], usize),
    scales: &[f32],
    ends: Option<&[i64]>,
    held: Held,
    [out, most]: [&mut [f32]; 2],
) {
    out.fill(0.0);
    let (count, mut start) = (x.len() / len.max(1), 0);
    for (part, (scale, most)) in scales.iter().zip(most).enumerate() {
        let end = ends.map_or(count, |ends| {
            let end = ends.get(part).map_or(0, |end| usize::try_from(*end).unwrap_or(0));
            end.clamp(start, count)
        });
        let own = start * len..end * len;
        start = end;
        let (Some(out), Some(x)) = (out.get_mut(own.clone()), x.get(own)) else { return };
        *most = magnitude(x);
        held.write(x, f64::from(*scale), false, out);
    }
}

/// The greatest magnitude; NaN if there is one.
fn magnitude(x: &[f32]) -> f32 {
    x.iter().fold(0.0, |most, x| if most >= x.abs() || most.is_nan() { most } else { x.abs() })
}

/// Matrices in parts, each of which is quantised in blocks with scales of their own.
pub struct PartsInBlocks {
    /// Rows and columns of the matrix, and of a block, which are not 0.
    pub matrix: [usize; 2],
    pub block: [usize; 2],
    /// Whether the list of the parts has the number of their rows; otherwise it has their ends.
    pub are_counts: bool,
    /// The least factor, if it is above 0.
    pub least: f64,
    pub held: Held,
}

impl PartsInBlocks {
    /// Writes the codes and the scales. Those of a part stand behind as many rows of scales as there are whole blocks before
    /// its first row, and parts before it.
    pub fn quantise(&self, x: &[f32], list: &[i64], out: &mut [f32], scales: &mut [f32]) {
        let ([height, width], [down, across]) = (self.matrix, self.block);
        let wide = width.div_ceil(across);
        out.fill(0.0);
        scales.fill(0.0);
        let mut start = 0;
        for (part, end) in list.iter().enumerate() {
            let end = usize::try_from(*end).unwrap_or(0);
            let end = if self.are_counts { end.saturating_add(start) } else { end }.clamp(start, height);
            for (block, top) in (start..end).step_by(down).enumerate() {
                let rows = top..end.min(top + down);
                for (column, left) in (0..width).step_by(across).enumerate() {
                    let places = |row: usize| row * width + left..row * width + width.min(left + across);
                    let of_row = |row: usize| largest(x.get(places(row)).unwrap_or_default());
                    let step = self.step(rows.clone().map(of_row).fold(0.0, f32::max));
                    if let Some(scale) = scales.get_mut((start / down + part + block) * wide + column) {
                        *scale = step;
                    }
                    for row in rows.clone() {
                        let (Some(out), Some(x)) = (out.get_mut(places(row)), x.get(places(row))) else {
                            return;
                        };
                        // A block of zeros stays as it is filled.
                        if step != 0.0 {
                            self.held.write(x, f64::from(step), true, out);
                        }
                    }
                }
            }
            start = end;
        }
    }

    /// The scale of a block, by its greatest magnitude.
    fn step(&self, most: f32) -> f32 {
        let step = f64::from(most) / f64::from(self.held.most());
        (if self.least > 0.0 { step.min(1.0 / self.least) } else { step }) as f32
    }
}
