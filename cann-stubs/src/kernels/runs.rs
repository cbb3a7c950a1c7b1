//! Copies of runs, which are elements at one distance from each other, and of rows of them, by a loop for their width and for
//! the distance.

use super::transpose::{self, Run};

/// Copies `count` elements of `size` bytes, of any alignment.
///
/// # Safety
/// The elements of each run lie in one allocation; those of `from` may be read, those of `to` written, and none of one is
/// in the other.
pub(super) unsafe fn copy(from: Run<*const u8>, to: Run<*mut u8>, count: usize, size: usize) {
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
pub(super) struct Plane<P> {
    pub(super) first: P,
    pub(super) down: isize,
    pub(super) across: isize,
}

impl Plane<*mut u8> {
    pub(super) fn cast_const(self) -> Plane<*const u8> {
        Plane { first: self.first.cast_const(), down: self.down, across: self.across }
    }
}

/// Copies rows and columns of elements of `size` bytes, of any alignment.
///
/// # Safety
/// As for [`copy`], of all rows.
pub(super) unsafe fn copy_plane(
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
                for row in 0..rows as isize {
                    let source = from.first.offset(row * from.down * size as isize);
                    copy_short(source, to.first.offset(row * to.down * size as isize), columns * size);
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

/// Copies few bytes, for which a call of a function that chooses a loop costs more than the copy.
///
/// # Safety
/// So many bytes may be read and written, and none of one is in the other.
#[inline(always)]
unsafe fn copy_short(from: *const u8, to: *mut u8, bytes: usize) {
    const PIECE: usize = 32;
    let whole = bytes - bytes % PIECE;
    // SAFETY: by the contract.
    unsafe {
        for at in (0..whole).step_by(PIECE) {
            to.add(at)
                .cast::<[u8; PIECE]>()
                .write_unaligned(from.add(at).cast::<[u8; PIECE]>().read_unaligned());
        }
        for at in whole..bytes {
            to.add(at).write(from.add(at).read());
        }
    }
}

/// Asks for the cache line of an element, for the second-level cache where it is needed `later`.
#[inline(always)]
pub(super) fn prefetch(element: *const u8, later: bool) {
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
