//! Tensors block by block, in buffers.

use crate::Bound;
use crate::views::allocation;
use crate::views::failure::Result;

/// Expands to what is done for elements of `N` bytes, where those are as many as an element of some type has.
macro_rules! sized {
    ($size:expr, $N:ident => $done:expr) => {
        sized!(@ $size, $N, $done, 1 2 4 8 16)
    };
    (@ $size:expr, $N:ident, $done:expr, $($bytes:literal)*) => {
        match $size {
            $($bytes => {
                const $N: usize = $bytes;
                $done
            })*
            _ => Default::default(),
        }
    };
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
                let bytes = allocation::bytes_of(&mut buffer, range.len() * tensor.size())?;
                tensor.gather(range, bytes);
                visit(first, bytes)?;
            }
        }
    }
    Ok(())
}

/// The numbers of the true elements of a mask of bytes.
pub(super) fn truths(mask: &Bound<'_>) -> Vec<usize> {
    set_ones(mask, &[0xFF])
}

/// The numbers of the elements of which one of some bits is set.
pub(super) fn set_ones(tensor: &Bound<'_>, bits: &[u8]) -> Vec<usize> {
    let (mut found, mut block) = (Vec::new(), [0; TOGETHER]);
    let _ = each_block(tensor, |first, bytes| {
        let count = sized!(bits.len(), N => set_in_block::<N>(bytes, bits, &mut block));
        found.extend(block[..count].iter().map(|number| first + usize::from(*number)));
        Ok(())
    });
    found
}

/// Writes the numbers of the elements of which one of the bits is set, without a branch for each. Returns how many there are.
fn set_in_block<const N: usize>(bytes: &[u8], bits: &[u8], numbers: &mut [u16; TOGETHER]) -> usize {
    let Ok(bits) = <&[u8; N]>::try_from(bits) else { return 0 };
    let (elements, _) = bytes.as_chunks::<N>();
    let mut count = 0;
    for (number, element) in elements.iter().take(TOGETHER).enumerate() {
        numbers[count] = number as u16;
        count += usize::from((0..N).any(|byte| element[byte] & bits[byte] != 0));
    }
    count
}

/// Moves the elements that are true to the front. Returns how many they are.
pub(super) fn compact(elements: &mut [u8], size: usize, truths: &[u8]) -> usize {
    sized!(size, N => {
        let (elements, _) = elements.as_chunks_mut::<N>();
        let mut count = 0;
        for (number, truth) in truths.iter().enumerate().take(elements.len()) {
            elements[count] = elements[number];
            count += usize::from(*truth != 0);
        }
        count
    })
}

/// Writes one element where it is true.
pub(super) fn fill(elements: &mut [u8], element: &[u8], truths: &[u8]) {
    sized!(element.len(), N => {
        let Ok(element) = <&[u8; N]>::try_from(element) else { return };
        let (elements, _) = elements.as_chunks_mut::<N>();
        for (place, truth) in elements.iter_mut().zip(truths) {
            *place = if *truth != 0 { *element } else { *place };
        }
    });
}
