//! The packing of elements narrower than a byte.
//!
//! | bits | elements | bytes | types |
//! |---|---|---|---|
//! | 1 | 8 | 1 | u1 |
//! | 2 | 4 | 1 | i2, u2 |
//! | 4 | 2 | 1 | i4, u4, f4e2m1, f4e1m2 |
//! | 6 | 4 | 3 | f6e3m2, f6e2m3 |
//! | 8 | 1 | 1 | all types of one byte |
//!
//! The first element takes the lowest bits. If the elements do not fill the last byte, its upper bits are written as
//! zero and ignored when read.

use crate::dtype::DType;

/// The number of bits that an element takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// Eight elements in a byte.
    Bits1,
    /// Four elements in a byte.
    Bits2,
    /// Two elements in a byte.
    Bits4,
    /// Four elements in three bytes.
    Bits6,
    /// One element in a byte.
    Bits8,
}

impl Width {
    /// Returns the width of a type; `None` if the type is wider than a byte, or string.
    #[inline]
    pub const fn of(dtype: DType) -> Option<Width> {
        Some(match dtype.bits() {
            1 => Width::Bits1,
            2 => Width::Bits2,
            4 => Width::Bits4,
            6 => Width::Bits6,
            8 => Width::Bits8,
            _ => return None,
        })
    }

    /// Returns the bits that a code of this width may have set.
    #[inline]
    pub const fn mask(self) -> u8 {
        match self {
            Width::Bits1 => 0x01,
            Width::Bits2 => 0x03,
            Width::Bits4 => 0x0F,
            Width::Bits6 => 0x3F,
            Width::Bits8 => 0xFF,
        }
    }

    /// Unpacks elements into one code per byte, as many elements as both slices hold.
    #[inline]
    pub fn unpack(self, bytes: &[u8], codes: &mut [u8]) {
        match self {
            Width::Bits1 => unpack::<1, 1>(bytes, codes),
            Width::Bits2 => unpack::<2, 1>(bytes, codes),
            Width::Bits4 => unpack::<4, 1>(bytes, codes),
            Width::Bits6 => unpack::<6, 3>(bytes, codes),
            Width::Bits8 => unpack::<8, 1>(bytes, codes),
        }
    }

    /// Packs codes into bytes, as many as both slices hold; bits above the width are dropped.
    ///
    /// Bytes after those of the last element keep their value.
    #[inline]
    pub fn pack(self, codes: &[u8], bytes: &mut [u8]) {
        match self {
            Width::Bits1 => pack::<1, 1>(codes, bytes),
            Width::Bits2 => pack::<2, 1>(codes, bytes),
            Width::Bits4 => pack::<4, 1>(codes, bytes),
            Width::Bits6 => pack::<6, 3>(codes, bytes),
            Width::Bits8 => pack::<8, 1>(codes, bytes),
        }
    }

    /// Returns the signed integer of a code in two's complement of this width.
    #[inline]
    pub const fn sign_extend(self, code: u8) -> i8 {
        let unused = self.mask().leading_zeros();
        ((code << unused) as i8) >> unused
    }
}

/// Returns the number of elements in one group of whole bytes, and the number of elements that both slices have room
/// for.
const fn counts<const BITS: usize, const BYTES: usize>(codes: usize, bytes: usize) -> (usize, usize) {
    let fitting = bytes.saturating_mul(8) / BITS;
    (8 * BYTES / BITS, if codes < fitting { codes } else { fitting })
}

fn unpack<const BITS: usize, const BYTES: usize>(bytes: &[u8], codes: &mut [u8]) {
    #[inline(always)]
    fn group<const BITS: usize>(bytes: &[u8], codes: &mut [u8]) {
        let word = bytes.iter().rev().fold(0u32, |word, &byte| word << 8 | u32::from(byte));
        for (i, code) in codes.iter_mut().enumerate() {
            *code = (word >> (i * BITS)) as u8 & (0xFF >> (8 - BITS));
        }
    }
    let (per_group, count) = counts::<BITS, BYTES>(codes.len(), bytes.len());
    let mut groups = codes.get_mut(..count).unwrap_or_default().chunks_exact_mut(per_group);
    let mut rest = bytes;
    for codes in groups.by_ref() {
        let Some((bytes, after)) = rest.split_first_chunk::<BYTES>() else { break };
        group::<BITS>(bytes, codes);
        rest = after;
    }
    let codes = groups.into_remainder();
    group::<BITS>(rest.get(..(codes.len() * BITS).div_ceil(8)).unwrap_or_default(), codes);
}

fn pack<const BITS: usize, const BYTES: usize>(codes: &[u8], bytes: &mut [u8]) {
    #[inline(always)]
    fn group<const BITS: usize>(codes: &[u8], bytes: &mut [u8]) {
        let word = codes
            .iter()
            .enumerate()
            .fold(0u32, |word, (i, &code)| word | u32::from(code & (0xFF >> (8 - BITS))) << (i * BITS));
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = (word >> (8 * i)) as u8;
        }
    }
    let (per_group, count) = counts::<BITS, BYTES>(codes.len(), bytes.len());
    let groups = codes.get(..count).unwrap_or_default().chunks_exact(per_group);
    let codes = groups.remainder();
    let mut rest = bytes;
    for codes in groups {
        let Some((bytes, after)) = std::mem::take(&mut rest).split_first_chunk_mut::<BYTES>() else { break };
        group::<BITS>(codes, bytes);
        rest = after;
    }
    group::<BITS>(codes, rest.get_mut(..(codes.len() * BITS).div_ceil(8)).unwrap_or_default());
}
