//! The parts of a convolution, computed from the others in blocks that threads share.

use std::ops::Range;

use super::columns::Geometry;
use crate::LaneBody;
use crate::engine::share;
use crate::products::matrix::{Matrix, multiply, multiply_at};
use crate::views::allocation;
use crate::views::failure::Result;

/// Elements of columns that are multiplied together, at most.
const BLOCK: usize = 1 << 18;

/// Rows of columns that are computed together where channels are cut into parts.
const ROWS: usize = 256;

/// Positions that are multiplied together at least.
const POSITIONS: usize = 64;

/// Multiplications that cost as much as reading and writing a byte.
const MULTIPLICATIONS: usize = 4;

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

/// A part of a convolution in f32. The result depends on the sizes alone, not on the threads: blocks are the same for all.
pub struct Convolution {
    pub geometry: Geometry,
    pub part: Part,
}

impl LaneBody for Convolution {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([first, second, bias @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
        let (first, second) = (bytemuck::cast_slice(first), bytemuck::cast_slice(second));
        let bias: Option<&[f32]> = bias.first().map(|bias| bytemuck::cast_slice(bias));
        let out = bytemuck::cast_slice_mut(out);
        match self.part {
            Part::Map => self.map(first, second, bias, out),
            Part::Image => self.image(first, second, bias, out),
            Part::Weights => self.weights(first, second, out),
        }
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["convolve"]
    }
}

/// Writes the sum of each channel of a map of `batches`, of so many positions each.
pub fn sum_columns(batches: usize, positions: usize, map: &[f32], out: &mut [f32]) {
    let channels = out.len();
    for (channel, out) in out.iter_mut().enumerate() {
        let planes = (0..batches).map(|batch| (batch * channels + channel) * positions);
        let elements = planes.filter_map(|first| map.get(first..first + positions)).flatten();
        *out = elements.map(|element| f64::from(*element)).sum::<f64>() as f32;
    }
}

/// Memory of which each thread writes other elements.
#[derive(Clone, Copy)]
struct Place(*mut f32);

// SAFETY: units of work share no element.
unsafe impl Sync for Place {}

impl Place {
    /// Some of the elements.
    ///
    /// # Safety
    /// They are there, and no other thread uses them.
    unsafe fn part<'a>(self, range: Range<usize>) -> &'a mut [f32] {
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts_mut(self.0.add(range.start), range.len()) }
    }
}

/// Adds a number to every element.
fn add(bias: f32, to: &mut [f32]) {
    to.iter_mut().for_each(|to| *to += bias);
}

/// The parts of `total` of at most `size`.
fn parts(total: usize, size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..total).step_by(size.max(1)).map(move |first| first..total.min(first + size))
}

impl Convolution {
    /// The cost of the products, in bytes that are read and written.
    fn cost(&self) -> usize {
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = self.geometry;
        [batches, groups, of_image, of_map, self.geometry.taps(), self.geometry.positions()]
            .into_iter()
            .fold(1, usize::saturating_mul)
            / MULTIPLICATIONS
    }

    fn map(&self, image: &[f32], weights: &[f32], bias: Option<&[f32]>, out: &mut [f32]) -> Result {
        let geometry = &self.geometry;
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = *geometry;
        let (plane, positions) = (geometry.plane(), geometry.positions());
        let rows = of_image * geometry.taps();
        let size = (BLOCK / rows.max(1)).clamp(POSITIONS, ROWS * 16);
        let blocks = positions.div_ceil(size);
        let place = Place(out.as_mut_ptr());
        share::try_each(batches * groups * blocks, 1, self.cost(), &|units: Range<usize>| {
            let mut columns = Vec::new();
            for unit in units {
                let (of_batch, block) = (unit / blocks, unit % blocks);
                let group = of_batch % groups;
                let range = block * size..positions.min((block + 1) * size);
                let first = of_batch * of_image * plane;
                let (Some(image), Some(weights)) =
                    (image.get(first..first + of_image * plane), weights.get(group * of_map * rows..))
                else {
                    return Ok(());
                };
                let right = if geometry.is_identity() {
                    Matrix { elements: image.get(range.start..).unwrap_or_default(), strides: [plane, 1] }
                } else {
                    allocation::resize(&mut columns, rows * range.len(), 0.0)?;
                    geometry.gather(image, of_image, &range, &mut columns);
                    Matrix { elements: &columns, strides: [range.len(), 1] }
                };
                let (left, to) =
                    (Matrix { elements: weights, strides: [rows, 1] }, of_batch * of_map * positions);
                // SAFETY: the channels of the group at the positions of the block, which no other unit writes.
                unsafe {
                    let to = place.0.add(to + range.start);
                    multiply_at([of_map, rows, range.len()], left, right, (to, positions), false);
                }
                for channel in 0..of_map {
                    let Some(bias) = bias.and_then(|bias| bias.get(group * of_map + channel)) else { break };
                    let first = to + channel * positions;
                    // SAFETY: as above.
                    add(*bias, unsafe { place.part(first + range.start..first + range.end) });
                }
            }
            Ok(())
        })
    }

    fn image(&self, map: &[f32], weights: &[f32], bias: Option<&[f32]>, out: &mut [f32]) -> Result {
        let geometry = &self.geometry;
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = *geometry;
        let (plane, positions, taps) = (geometry.plane(), geometry.positions(), geometry.taps());
        let together = (ROWS / taps.max(1)).clamp(1, of_image.max(1));
        let blocks = of_image.div_ceil(together);
        let place = Place(out.as_mut_ptr());
        share::try_each(batches * groups * blocks, 1, self.cost(), &|units: Range<usize>| {
            let mut columns = Vec::new();
            for unit in units {
                let (of_batch, block) = (unit / blocks, unit % blocks);
                let group = of_batch % groups;
                let channels = block * together..of_image.min((block + 1) * together);
                let rows = channels.len() * taps;
                let first = of_batch * of_image + channels.start;
                // SAFETY: the channels of the block, which no other unit writes.
                let to = unsafe { place.part(first * plane..(first + channels.len()) * plane) };
                to.fill(0.0);
                for range in parts(positions, (BLOCK / rows.max(1)).max(POSITIONS)) {
                    let from = of_batch * of_map * positions + range.start;
                    let first = group * of_map * of_image * taps + channels.start * taps;
                    let (Some(map), Some(weights)) = (map.get(from..), weights.get(first..)) else {
                        return Ok(());
                    };
                    allocation::resize(&mut columns, rows * range.len(), 0.0)?;
                    let left = Matrix { elements: weights, strides: [1, of_image * taps] };
                    let right = Matrix { elements: map, strides: [positions, 1] };
                    multiply([rows, of_map, range.len()], left, right, &mut columns, false);
                    geometry.scatter(&columns, channels.len(), &range, to);
                }
                for (channel, to) in channels.zip(to.chunks_mut(plane.max(1))) {
                    if let Some(bias) = bias.and_then(|bias| bias.get(group * of_image + channel)) {
                        add(*bias, to);
                    }
                }
            }
            Ok(())
        })
    }

    /// Sums of blocks are added up in f64: there may be many.
    fn weights(&self, image: &[f32], map: &[f32], out: &mut [f32]) -> Result {
        let geometry = &self.geometry;
        let Geometry { batches, groups, channels: [of_image, of_map], .. } = *geometry;
        let (plane, positions, taps) = (geometry.plane(), geometry.positions(), geometry.taps());
        let together = (ROWS / taps.max(1)).clamp(1, of_image.max(1));
        let blocks = of_image.div_ceil(together);
        let place = Place(out.as_mut_ptr());
        share::try_each(groups * blocks, 1, self.cost(), &|units: Range<usize>| {
            let (mut columns, mut products, mut sums) = (Vec::new(), Vec::new(), Vec::new());
            for unit in units {
                let (group, block) = (unit / blocks, unit % blocks);
                let channels = block * together..of_image.min((block + 1) * together);
                let rows = channels.len() * taps;
                products.clear();
                allocation::resize(&mut products, of_map * rows, 0.0_f32)?;
                sums.clear();
                allocation::resize(&mut sums, of_map * rows, 0.0_f64)?;
                for batch in 0..batches {
                    let first = ((batch * groups + group) * of_image + channels.start) * plane;
                    for range in parts(positions, (BLOCK / rows.max(1)).max(POSITIONS)) {
                        let from = (batch * groups + group) * of_map * positions + range.start;
                        let image = image.get(first..first + channels.len() * plane);
                        let (Some(image), Some(map)) = (image, map.get(from..)) else { return Ok(()) };
                        allocation::resize(&mut columns, rows * range.len(), 0.0)?;
                        geometry.gather(image, channels.len(), &range, &mut columns);
                        let left = Matrix { elements: map, strides: [positions, 1] };
                        let right = Matrix { elements: &columns, strides: [1, range.len()] };
                        multiply([of_map, range.len(), rows], left, right, &mut products, false);
                        sums.iter_mut().zip(&products).for_each(|(sum, product)| *sum += f64::from(*product));
                    }
                }
                for (channel, sums) in sums.chunks(rows.max(1)).enumerate() {
                    let first = ((group * of_map + channel) * of_image + channels.start) * taps;
                    // SAFETY: the weights of these channels, which no other unit writes.
                    let to = unsafe { place.part(first..first + rows) };
                    to.iter_mut().zip(sums).for_each(|(to, sum)| *to = *sum as f32);
                }
            }
            Ok(())
        })
    }
}
