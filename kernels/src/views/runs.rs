//! Copies of runs, which are elements at one distance from each other, and of planes of them, by a loop for their width and
//! for the distance.

use std::ops::Range;

use crate::views::block::Line;
#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;
use crate::views::transpose::{self, Run};

/// Copies `count` elements of `size` bytes, of any alignment.
///
/// # Safety
/// The elements of each run lie in one allocation; those of `from` may be read, those of `to` written, and none of one is
/// in the other.
pub(crate) unsafe fn copy(from: Run<*const u8>, to: Run<*mut u8>, count: usize, size: usize) {
    /// # Safety
    /// As for [`copy`], and the processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn with_avx2(from: Run<*const u8>, to: Run<*mut u8>, count: usize, size: usize) {
        // SAFETY: by the contract.
        unsafe { copy_sized(from, to, count, size) }
    }
    // SAFETY: by the contract; the processor has what is chosen.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if Instructions::chosen() != Instructions::Baseline {
            return with_avx2(from, to, count, size);
        }
        copy_sized(from, to, count, size);
    }
}

/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn copy_sized(from: Run<*const u8>, to: Run<*mut u8>, count: usize, size: usize) {
    // SAFETY: by the contract.
    unsafe {
        match size {
            1 => copy_typed::<u8>(from, to, count),
            2 => copy_typed::<u16>(from, to, count),
            4 => copy_typed::<u32>(from, to, count),
            8 => copy_typed::<u64>(from, to, count),
            16 => copy_typed::<u128>(from, to, count),
            other => {
                for index in 0..count as isize {
                    let place = to.first.offset(index * to.stride * other as isize);
                    let element = from.first.offset(index * from.stride * other as isize);
                    place.copy_from_nonoverlapping(element, other);
                }
            }
        }
    }
}

/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn copy_typed<T: Copy>(from: Run<*const u8>, to: Run<*mut u8>, count: usize) {
    let (source, target) = (from.first.cast::<T>(), to.first.cast::<T>());
    // SAFETY: by the contract. A distance that the compiler knows makes a loop of vectors.
    unsafe {
        match (from.stride, to.stride) {
            (1, 1) => to.first.copy_from_nonoverlapping(from.first, count * size_of::<T>()),
            (0, 1) if count > 0 => {
                let element = source.read_unaligned();
                (0..count).for_each(|index| target.add(index).write_unaligned(element));
            }
            (-1, 1) => copy_strided(source, -1, target, 1, count),
            (2, 1) => copy_strided(source, 2, target, 1, count),
            (stride, 1) => copy_strided(source, stride, target, 1, count),
            (1, stride) => copy_strided(source, 1, target, stride, count),
            (source_stride, stride) => copy_strided(source, source_stride, target, stride, count),
        }
    }
}

/// # Safety
/// As for [`copy`].
#[inline(always)]
unsafe fn copy_strided<T: Copy>(
    from: *const T,
    from_stride: isize,
    to: *mut T,
    to_stride: isize,
    count: usize,
) {
    for index in 0..count as isize {
        // SAFETY: by the contract.
        unsafe {
            to.offset(index * to_stride).write_unaligned(from.offset(index * from_stride).read_unaligned());
        }
    }
}

/// The first element of some rows and columns, and the elements from one to the next, downwards and to the right.
#[derive(Clone, Copy)]
pub struct Plane<P> {
    pub first: P,
    pub down: isize,
    pub across: isize,
}

impl Plane<*mut u8> {
    pub(crate) fn cast_const(self) -> Plane<*const u8> {
        Plane { first: self.first.cast_const(), down: self.down, across: self.across }
    }
}

/// A plane of elements of `size` bytes.
#[derive(Clone, Copy)]
pub struct Side<P> {
    pub plane: Plane<P>,
    pub size: usize,
}

impl Side<*const u8> {
    /// The elements of a row, or the one that is repeated.
    ///
    /// # Safety
    /// The row is one of the plane, of so many columns, and nothing writes it as long as the slice lives.
    pub(crate) unsafe fn row<'a>(self, row: usize, columns: usize) -> &'a [u8] {
        let Plane { first, down, across } = self.plane;
        let first = first.wrapping_offset(row as isize * down * self.size as isize);
        let count = if across == 0 { 1 } else { columns };
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts(first, count * self.size) }
    }
}

impl Side<*mut u8> {
    /// # Safety
    /// As for the other [`Side::row`], and nothing else reads the elements either.
    pub(crate) unsafe fn row<'a>(self, row: usize, columns: usize) -> &'a mut [u8] {
        let first = self.plane.first.wrapping_offset(row as isize * self.plane.down * self.size as isize);
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts_mut(first, columns * self.size) }
    }
}

/// The rows and columns of the largest plane that a range begins with: a part of a row, or whole rows up to the end of their
/// axis.
pub(crate) fn whole_rows(range: Range<usize>, rows: usize, columns: usize) -> [usize; 2] {
    let (row, within, left) = (range.start / columns % rows, range.start % columns, range.len());
    if within > 0 || left < columns {
        [1, left.min(columns - within)]
    } else {
        [(left / columns).min(rows - row), columns]
    }
}

/// Copies rows and columns of elements of `size` bytes, of any alignment.
///
/// # Safety
/// As for [`copy`], of all rows.
pub(crate) unsafe fn copy_plane(
    from: Plane<*const u8>,
    to: Plane<*mut u8>,
    [rows, columns]: [usize; 2],
    size: usize,
) {
    // SAFETY: by the contract.
    unsafe {
        match (from, to) {
            (Plane { down: 1, .. }, Plane { across: 1, .. }) if from.across != 1 => {
                let (from, to) = (
                    Run { first: from.first, stride: from.across },
                    Run { first: to.first, stride: to.down },
                );
                transpose::transpose(from, to, [columns, rows], size);
            }
            (Plane { across: 1, .. }, Plane { down: 1, .. }) if to.across != 1 => {
                let (from, to) = (
                    Run { first: from.first, stride: from.down },
                    Run { first: to.first, stride: to.across },
                );
                transpose::transpose(from, to, [rows, columns], size);
            }
            (Plane { across: 1, .. }, Plane { across: 1, .. }) => {
                /// Fewer bytes are copied sooner than the function that does it is called.
                const SHORT: usize = 512;
                let bytes = columns * size;
                if bytes < SHORT {
                    return copy_rows(from, to, [rows, columns], size);
                }
                for row in 0..rows as isize {
                    let source = from.first.offset(row * from.down * size as isize);
                    let target = to.first.offset(row * to.down * size as isize);
                    target.copy_from_nonoverlapping(source, bytes);
                }
            }
            _ => {
                for row in 0..rows as isize {
                    let source = from.first.offset(row * from.down * size as isize);
                    let target = to.first.offset(row * to.down * size as isize);
                    let (from, to) = (
                        Run { first: source, stride: from.across },
                        Run { first: target, stride: to.across },
                    );
                    copy(from, to, columns, size);
                }
            }
        }
    }
}

/// Copies short rows, whose elements are neighbours.
///
/// # Safety
/// As for [`copy`], of all rows.
unsafe fn copy_rows(from: Plane<*const u8>, to: Plane<*mut u8>, [rows, columns]: [usize; 2], size: usize) {
    /// Rows that are asked for before they are copied. No processor foresees those that are so many bytes apart.
    const AHEAD: isize = 8;
    const FAR: usize = 1024;

    /// # Safety
    /// So many rows of so many bytes are there, at these distances in bytes.
    #[inline(always)]
    unsafe fn each(from: Plane<*const u8>, to: Plane<*mut u8>, rows: usize, bytes: usize) {
        let are_far = from.down.unsigned_abs() >= FAR;
        for row in 0..rows as isize {
            let source = from.first.wrapping_offset(row * from.down);
            if are_far {
                for byte in (0..bytes).step_by(Line::SIZE) {
                    prefetch(source.wrapping_offset(AHEAD.wrapping_mul(from.down)).wrapping_add(byte), false);
                }
            }
            // SAFETY: by the contract.
            unsafe { copy_short(source, to.first.offset(row * to.down), bytes) };
        }
    }

    /// # Safety
    /// As for [`each`], and the processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn with_avx2(from: Plane<*const u8>, to: Plane<*mut u8>, rows: usize, bytes: usize) {
        // SAFETY: by the contract.
        unsafe { each(from, to, rows, bytes) }
    }

    // That of a single row may be any number.
    let from = Plane { down: from.down.wrapping_mul(size as isize), ..from };
    let to = Plane { down: to.down.wrapping_mul(size as isize), ..to };
    // SAFETY: by the contract; the processor has what is chosen.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if Instructions::chosen() != Instructions::Baseline {
            return with_avx2(from, to, rows, columns * size);
        }
        each(from, to, rows, columns * size);
    }
}

/// Copies few bytes.
///
/// # Safety
/// So many bytes may be read and written, and none of one is in the other.
#[inline(always)]
unsafe fn copy_short(mut from: *const u8, mut to: *mut u8, mut bytes: usize) {
    macro_rules! pieces {
        ($($repeat:ident $size:literal)*) => {$(
            $repeat bytes >= $size {
                to.cast::<[u8; $size]>().write_unaligned(from.cast::<[u8; $size]>().read_unaligned());
                (from, to, bytes) = (from.add($size), to.add($size), bytes - $size);
            }
        )*};
    }
    // SAFETY: by the contract.
    unsafe {
        pieces! { while 64 if 32 if 16 if 8 if 4 if 2 if 1 }
    }
    let _ = (from, to, bytes);
}

/// Asks for the cache line of an element, for the second-level cache where it is needed `later`.
#[inline(always)]
pub(crate) fn prefetch(element: *const u8, later: bool) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        if later {
            _mm_prefetch::<_MM_HINT_T1>(element.cast());
        } else {
            _mm_prefetch::<_MM_HINT_T0>(element.cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (element, later);
}
