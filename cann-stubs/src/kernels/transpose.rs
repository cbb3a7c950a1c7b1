//! Copies of runs that turn them: what was one after the other in a run lies in as many runs afterwards.

#[cfg(target_arch = "x86_64")]
use super::instructions::Instructions;

/// The first element of a run, and the elements from one to the next; of several runs, from one run to the next.
#[derive(Clone, Copy)]
pub(super) struct Run<P> {
    pub(super) first: P,
    pub(super) stride: isize,
}

/// Copies `runs` runs of `len` neighbouring elements each, and turns them: the first run of `to` gets the first elements of
/// all runs of `from`, the second one the second elements, and so on. Elements have `size` bytes and any alignment.
///
/// # Safety
/// The elements of all runs of `from` may be read, those of `to` written, and none of one is in the other.
pub(super) unsafe fn transpose(from: Run<*const u8>, to: Run<*mut u8>, [runs, len]: [usize; 2], size: usize) {
    // SAFETY: by the contract.
    unsafe {
        match size {
            1 => squares::<u8>(from, to, [runs, len], square),
            2 => squares::<u16>(from, to, [runs, len], square),
            #[cfg(target_arch = "x86_64")]
            4 if Instructions::chosen() != Instructions::Baseline => {
                squares::<u32>(from, to, [runs, len], |from, to| avx2::square(from, to));
            }
            4 => squares::<u32>(from, to, [runs, len], square),
            8 => squares::<u64>(from, to, [runs, len], square),
            16 => squares::<u128>(from, to, [runs, len], square),
            other => {
                for run in 0..runs {
                    for index in 0..len {
                        let source =
                            from.first.offset((run as isize * from.stride + index as isize) * other as isize);
                        let target =
                            to.first.offset((index as isize * to.stride + run as isize) * other as isize);
                        target.copy_from_nonoverlapping(source, other);
                    }
                }
            }
        }
    }
}

/// The runs, and the elements of each, that are turned together in registers.
const SIDE: usize = 8;

/// Turns squares by `square`, which gets the first elements of eight runs of each side, and the rest one by one.
///
/// # Safety
/// As for [`transpose`].
#[inline(always)]
unsafe fn squares<T: Copy>(
    from: Run<*const u8>,
    to: Run<*mut u8>,
    [runs, len]: [usize; 2],
    square: unsafe fn(Run<*const T>, Run<*mut T>),
) {
    let (source, target) = (from.first.cast::<T>(), to.first.cast::<T>());
    let (whole_runs, whole_len) = (runs - runs % SIDE, len - len % SIDE);
    // SAFETY: by the contract; `run` and `index` stay below the numbers of runs and elements.
    unsafe {
        let source_at = |run: usize, index: usize| source.offset(run as isize * from.stride + index as isize);
        let target_at = |run: usize, index: usize| target.offset(index as isize * to.stride + run as isize);
        for run in (0..whole_runs).step_by(SIDE) {
            for index in (0..whole_len).step_by(SIDE) {
                square(
                    Run { first: source_at(run, index), stride: from.stride },
                    Run { first: target_at(run, index), stride: to.stride },
                );
            }
        }
        let one = |run, index| target_at(run, index).write_unaligned(source_at(run, index).read_unaligned());
        (0..whole_runs).for_each(|run| (whole_len..len).for_each(|index| one(run, index)));
        (whole_runs..runs).for_each(|run| (0..len).for_each(|index| one(run, index)));
    }
}

/// # Safety
/// As for [`transpose`], of eight runs of eight elements.
unsafe fn square<T: Copy>(from: Run<*const T>, to: Run<*mut T>) {
    // SAFETY: by the contract.
    unsafe {
        let runs: [[T; SIDE]; SIDE] = std::array::from_fn(|run| {
            from.first.offset(run as isize * from.stride).cast::<[T; SIDE]>().read_unaligned()
        });
        for index in 0..SIDE {
            let turned: [T; SIDE] = std::array::from_fn(|run| runs[run][index]);
            to.first.offset(index as isize * to.stride).cast::<[T; SIDE]>().write_unaligned(turned);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Run, SIDE};

    /// # Safety
    /// As for [`super::square`]; the processor has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn square(from: Run<*const u32>, to: Run<*mut u32>) {
        // SAFETY: by the contract.
        let runs: [__m256; SIDE] = std::array::from_fn(|run| unsafe {
            _mm256_loadu_ps(from.first.offset(run as isize * from.stride).cast())
        });
        // Neighbours of two runs, then of four, then of all eight.
        let twos: [__m256; SIDE] = std::array::from_fn(|index| {
            let (a, b) = (runs[index / 2 * 2], runs[index / 2 * 2 + 1]);
            if index % 2 == 0 { _mm256_unpacklo_ps(a, b) } else { _mm256_unpackhi_ps(a, b) }
        });
        let fours: [__m256; SIDE] = std::array::from_fn(|index| {
            let (a, b) = (twos[index / 4 * 4 + index % 4 / 2], twos[index / 4 * 4 + index % 4 / 2 + 2]);
            if index % 2 == 0 { _mm256_shuffle_ps::<0x44>(a, b) } else { _mm256_shuffle_ps::<0xEE>(a, b) }
        });
        for index in 0..SIDE {
            let (a, b) = (fours[index % 4], fours[index % 4 + 4]);
            let turned = if index < 4 {
                _mm256_permute2f128_ps::<0x20>(a, b)
            } else {
                _mm256_permute2f128_ps::<0x31>(a, b)
            };
            // SAFETY: by the contract.
            unsafe { _mm256_storeu_ps(to.first.offset(index as isize * to.stride).cast(), turned) };
        }
    }
}
