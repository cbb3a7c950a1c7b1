//! Reading elements from device memory, and gathering on the host those that do not lie in one piece.

use aclnn_numerics::layout::Walk;
use aclnn_numerics::{DType, Layout};

use super::{Tensor, sizes};
use crate::error::{Error, Result};

/// The elements of a block that the host works on: whole bytes of any type, and few enough for the cache.
pub(crate) const BLOCK: usize = 1 << 16;

impl Tensor {
    /// Copies the elements in row-major order, packed, and passes them to `take` block by block, with their number.
    /// Waits for the work that computes them.
    pub(crate) fn read_blocks(&self, mut take: impl FnMut(&[u8], usize) -> Result<()>) -> Result<()> {
        let bits = self.dtype.bits();
        let begin = self.layout.offset().saturating_mul(bits);
        let block = BLOCK * bits / 8;
        let mut left = self.numel();
        let mut take = |bytes: &[u8]| {
            let count = left.min(BLOCK);
            left -= count;
            take(bytes, count)
        };
        if self.is_contiguous() && begin.is_multiple_of(8) {
            let (_, len) = sizes(self.layout.shape(), self.dtype)?;
            self.buffer.download_blocks(&self.device().bind()?, begin / 8, len, block, take)
        } else {
            self.to_bytes()?.chunks(block).try_for_each(&mut take)
        }
    }

    /// Returns the bytes of the elements in row-major order, packed, whatever lies between them on the device. Waits
    /// for the work that computes them.
    pub(crate) fn gathered(&self) -> Result<Vec<u8>> {
        let Some((low, high)) = self.layout.span() else { return Ok(Vec::new()) };
        let (Ok(low), Ok(high)) = (usize::try_from(low), usize::try_from(high)) else {
            return Err(OUTSIDE);
        };
        // Counted in bits, as elements may be smaller than a byte. Making a tensor checks that its bits fit `usize`.
        let bits = self.dtype.bits();
        let (begin, end) = (low.saturating_mul(bits), high.saturating_add(1).saturating_mul(bits));
        let first = begin / 8;
        let bytes = self.buffer.download(&self.device().bind()?, first, end.div_ceil(8) - first)?;
        let packed = begin.is_multiple_of(8) && end.is_multiple_of(8);
        if self.is_contiguous() && packed {
            Ok(bytes)
        } else {
            gather(self.layout(), self.dtype, &bytes, first * 8)
                .map_err(|error| error.during("to_bytes", || self.operands()))
        }
    }
}

const OUTSIDE: Error = Error::Internal { what: "an element outside its buffer" };

/// Returns the elements of a layout, packed, out of bytes that begin with bit `begin` of its storage.
fn gather(layout: &Layout, dtype: DType, bytes: &[u8], begin: usize) -> Result<Vec<u8>> {
    let (_, len) = sizes(layout.shape(), dtype)?;
    let mut gathered = Vec::new();
    gathered.try_reserve_exact(len).map_err(|_| Error::HostMemory { bytes: len })?;
    let bits = dtype.bits();
    let walk = Walk::new(layout.shape(), [layout.strides()]);
    let [stride] = walk.inner_strides();
    // Bits that do not fill a byte yet.
    let (mut held, mut count) = (0_u32, 0);
    let mut inside = true;
    walk.for_each_run(|[offset], run| {
        for index in 0..run {
            let element = layout.offset().wrapping_add_signed(offset + stride * index as isize);
            let bit = element.wrapping_mul(bits).wrapping_sub(begin);
            let (first, shift) = (bit / 8, bit % 8);
            let Some(element) = bytes.get(first..first + (shift + bits).div_ceil(8)) else {
                inside = false;
                continue;
            };
            if bits >= 8 {
                gathered.extend_from_slice(element);
                continue;
            }
            let word = element.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
            held |= (word >> shift & ((1 << bits) - 1)) << count;
            count += bits;
            if count >= 8 {
                gathered.push(held as u8);
                (held, count) = (held >> 8, count - 8);
            }
        }
    });
    if count > 0 {
        gathered.push(held as u8);
    }
    if inside { Ok(gathered) } else { Err(OUTSIDE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_outside_the_bytes_are_an_error() -> Result<()> {
        let layout = Layout::contiguous([4]);
        assert_eq!(gather(&layout, DType::I8, &[1, 2, 3, 4], 0)?, [1, 2, 3, 4]);
        for (dtype, begin) in [(DType::I8, 8), (DType::I16, 0)] {
            let gathered = gather(&layout, dtype, &[1, 2, 3, 4], begin);
            assert!(matches!(gathered, Err(Error::Internal { .. })), "{gathered:?}");
        }
        Ok(())
    }
}
