//! Tensors block by block, in buffers.

use bytemuck::cast_slice_mut;

use crate::kernels::Bound;
use crate::kernels::block::Line;
use crate::status::Result;

/// The first bytes of a buffer, which grows as it has to.
pub(super) fn room(lines: &mut Vec<Line>, bytes: usize) -> &mut [u8] {
    let count = bytes.div_ceil(Line::SIZE);
    if lines.len() < count {
        lines.resize(count, Line::ZERO);
    }
    &mut cast_slice_mut(lines)[..bytes]
}

/// Elements that are worked on together.
pub(super) const TOGETHER: usize = 2048;

/// Visits the elements of a tensor, block by block: the number of the first one, and their bytes.
pub(super) fn each_block(tensor: &Bound<'_>, mut visit: impl FnMut(usize, &[u8]) -> Result) -> Result {
    let (numel, mut buffer) = (tensor.numel(), Vec::new());
    for first in (0..numel).step_by(TOGETHER) {
        let range = first..numel.min(first + TOGETHER);
        match tensor.contiguous(range.clone()) {
            Some(bytes) => visit(first, bytes)?,
            None => {
                let bytes = room(&mut buffer, range.len() * tensor.size());
                tensor.gather(range, bytes);
                visit(first, bytes)?;
            }
        }
    }
    Ok(())
}

/// The numbers of the true elements of a mask of bytes.
pub(super) fn truths(mask: &Bound<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    let _ = each_block(mask, |first, truths| {
        found.extend(true_ones(truths).map(|number| first + number));
        Ok(())
    });
    found
}

/// The numbers of those that are true among some bytes.
pub(super) fn true_ones(truths: &[u8]) -> impl Iterator<Item = usize> {
    truths.iter().enumerate().filter(|(_, truth)| **truth != 0).map(|(number, _)| number)
}
