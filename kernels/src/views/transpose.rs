//! Copies of runs that turn them: what was one after the other in a run lies in as many runs afterwards.

#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;
#[cfg(not(target_arch = "x86_64"))]
use square as square_of_u8;
#[cfg(not(target_arch = "x86_64"))]
use square as square_of_u16;
#[cfg(target_arch = "x86_64")]
use sse2::{square_of_u8, square_of_u16};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::turned;

/// The first element of a run, and the elements from one to the next; of several runs, from one run to the next.
#[derive(Clone, Copy)]
pub(crate) struct Run<P> {
    pub(crate) first: P,
    pub(crate) stride: isize,
}

/// Copies `runs` runs of `len` neighbouring elements each, and turns them: the first run of `to` gets the first elements of
/// all runs of `from`, the second one the second elements, and so on. Elements have `size` bytes and any alignment.
///
/// # Safety
/// The elements of all runs of `from` may be read, those of `to` written, and none of one is in the other.
pub(crate) unsafe fn transpose(from: Run<*const u8>, to: Run<*mut u8>, [runs, len]: [usize; 2], size: usize) {
    // SAFETY: by the contract.
    unsafe {
        match size {
            1 => all_squares::<u8>(from, to, [runs, len], square_of_u8),
            2 => all_squares::<u16>(from, to, [runs, len], square_of_u16),
            #[cfg(target_arch = "x86_64")]
            4 if Instructions::chosen() >= Instructions::Avx512 => {
                let whole = [runs, len].map(|count| count - count % avx512::SIDE);
                avx512::squares(from, to, whole);
                rest::<u32>(from, to, whole, [runs, len], |from, to, counts| {
                    avx2::all_squares(from, to, counts)
                });
            }
            #[cfg(target_arch = "x86_64")]
            4 if Instructions::chosen() == Instructions::Avx2 => {
                avx2::all_squares(from, to, [runs, len]);
            }
            4 => all_squares::<u32>(from, to, [runs, len], square),
            8 => all_squares::<u64>(from, to, [runs, len], square),
            16 => all_squares::<u128>(from, to, [runs, len], square),
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

/// Turns squares by `square`, and the rest one by one.
///
/// # Safety
/// As for [`transpose`].
#[inline(always)]
unsafe fn all_squares<T: Copy>(
    from: Run<*const u8>,
    to: Run<*mut u8>,
    counts: [usize; 2],
    square: unsafe fn(Run<*const T>, Run<*mut T>),
) {
    let whole = counts.map(|count| count - count % SIDE);
    // SAFETY: by the contract; what is left is copied run by run.
    unsafe {
        squares::<T, SIDE>(from, to, whole, square);
        rest::<T>(from, to, whole, counts, |from, to, [runs, len]| {
            let (source, target) = (from.first.cast::<T>(), to.first.cast::<T>());
            for (run, index) in (0..runs).flat_map(|run| (0..len).map(move |index| (run, index))) {
                let element = source.offset(run as isize * from.stride + index as isize).read_unaligned();
                target.offset(index as isize * to.stride + run as isize).write_unaligned(element);
            }
        });
    }
}

/// Turns squares by `square`, which gets the first elements of `SIDE` runs of each side.
///
/// # Safety
/// As for [`transpose`], with whole squares.
#[inline(always)]
unsafe fn squares<T: Copy, const SIDE: usize>(
    from: Run<*const u8>,
    to: Run<*mut u8>,
    [runs, len]: [usize; 2],
    square: unsafe fn(Run<*const T>, Run<*mut T>),
) {
    let (source, target) = (from.first.cast::<T>(), to.first.cast::<T>());
    for run in (0..runs).step_by(SIDE) {
        for index in (0..len).step_by(SIDE) {
            // SAFETY: by the contract; `run` and `index` stay below the numbers of runs and elements.
            unsafe {
                let from_here = source.offset(run as isize * from.stride + index as isize);
                let to_here = target.offset(index as isize * to.stride + run as isize);
                square(
                    Run { first: from_here, stride: from.stride },
                    Run { first: to_here, stride: to.stride },
                );
            }
        }
    }
}

/// Hands over what is left of the runs beside the first elements of the first runs.
#[inline(always)]
fn rest<T>(
    from: Run<*const u8>,
    to: Run<*mut u8>,
    [whole_runs, whole_len]: [usize; 2],
    [runs, len]: [usize; 2],
    copy: impl Fn(Run<*const u8>, Run<*mut u8>, [usize; 2]),
) {
    let part = |run: usize, index: usize, counts: [usize; 2]| {
        let source = from.first.cast::<T>().wrapping_offset(run as isize * from.stride + index as isize);
        let target = to.first.cast::<T>().wrapping_offset(index as isize * to.stride + run as isize);
        let from = Run { first: source.cast(), stride: from.stride };
        copy(from, Run { first: target.cast(), stride: to.stride }, counts);
    };
    part(0, whole_len, [whole_runs, len - whole_len]);
    part(whole_runs, 0, [runs - whole_runs, len]);
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
            let turned: [T; SIDE] = runs.map(|run| run[index]);
            to.first.offset(index as isize * to.stride).cast::<[T; SIDE]>().write_unaligned(turned);
        }
    }
}

/// With instructions that are part of the architecture.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use std::arch::x86_64::*;

    use super::{Run, SIDE};

    /// # Safety
    /// As for [`super::square`].
    #[inline]
    pub(crate) unsafe fn square_of_u8(from: Run<*const u8>, to: Run<*mut u8>) {
        // SAFETY: by the contract, for loads and stores of eight bytes.
        unsafe {
            let runs: [__m128i; SIDE] = std::array::from_fn(|run| {
                _mm_loadl_epi64(from.first.offset(run as isize * from.stride).cast())
            });
            // Neighbours of two runs, then of four, then of all eight.
            let twos: [__m128i; 4] =
                std::array::from_fn(|index| _mm_unpacklo_epi8(runs[2 * index], runs[2 * index + 1]));
            let fours: [__m128i; 4] = std::array::from_fn(|index| {
                let (a, b) = (twos[index / 2 * 2], twos[index / 2 * 2 + 1]);
                if index % 2 == 0 { _mm_unpacklo_epi16(a, b) } else { _mm_unpackhi_epi16(a, b) }
            });
            for index in 0..4 {
                let (a, b) = (fours[index / 2], fours[index / 2 + 2]);
                let two = if index % 2 == 0 { _mm_unpacklo_epi32(a, b) } else { _mm_unpackhi_epi32(a, b) };
                let place = |run: usize| to.first.offset(run as isize * to.stride).cast();
                _mm_storel_epi64(place(2 * index), two);
                _mm_storel_epi64(place(2 * index + 1), _mm_unpackhi_epi64(two, two));
            }
        }
    }

    /// # Safety
    /// As for [`super::square`].
    #[inline]
    pub(crate) unsafe fn square_of_u16(from: Run<*const u16>, to: Run<*mut u16>) {
        // SAFETY: by the contract.
        unsafe {
            let runs: [__m128i; SIDE] = std::array::from_fn(|run| {
                _mm_loadu_si128(from.first.offset(run as isize * from.stride).cast())
            });
            let twos: [__m128i; SIDE] = std::array::from_fn(|index| {
                let (a, b) = (runs[index / 2 * 2], runs[index / 2 * 2 + 1]);
                if index % 2 == 0 { _mm_unpacklo_epi16(a, b) } else { _mm_unpackhi_epi16(a, b) }
            });
            let fours: [__m128i; SIDE] = std::array::from_fn(|index| {
                let (a, b) = (twos[index / 4 * 4 + index % 4 / 2], twos[index / 4 * 4 + index % 4 / 2 + 2]);
                if index % 2 == 0 { _mm_unpacklo_epi32(a, b) } else { _mm_unpackhi_epi32(a, b) }
            });
            for index in 0..SIDE {
                let (a, b) = (fours[index / 2], fours[index / 2 + 4]);
                let turned = if index % 2 == 0 { _mm_unpacklo_epi64(a, b) } else { _mm_unpackhi_epi64(a, b) };
                _mm_storeu_si128(to.first.offset(index as isize * to.stride).cast(), turned);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Run, SIDE};

    /// # Safety
    /// As for [`super::all_squares`]; the processor has AVX2.
    #[target_feature(enable = "avx2")]
    pub(crate) unsafe fn all_squares(from: Run<*const u8>, to: Run<*mut u8>, counts: [usize; 2]) {
        // SAFETY: by the contract.
        unsafe { super::all_squares::<u32>(from, to, counts, square) }
    }

    /// # Safety
    /// As for [`super::square`]; the processor has AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn square(from: Run<*const u32>, to: Run<*mut u32>) {
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

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::Run;

    pub(crate) const SIDE: usize = 16;

    /// # Safety
    /// As for [`super::squares`]; the processor has AVX-512.
    #[target_feature(enable = "avx512f")]
    pub(crate) unsafe fn squares(from: Run<*const u8>, to: Run<*mut u8>, counts: [usize; 2]) {
        // SAFETY: by the contract.
        unsafe { super::squares::<u32, SIDE>(from, to, counts, square) }
    }

    /// # Safety
    /// As for [`super::square`], of sixteen runs of sixteen elements; the processor has AVX-512.
    #[inline]
    #[target_feature(enable = "avx512f")]
    unsafe fn square(from: Run<*const u32>, to: Run<*mut u32>) {
        // SAFETY: by the contract.
        unsafe {
            let runs = std::array::from_fn(|run| {
                _mm512_loadu_ps(from.first.offset(run as isize * from.stride).cast())
            });
            for (index, run) in turned(runs).into_iter().enumerate() {
                _mm512_storeu_ps(to.first.offset(index as isize * to.stride).cast(), run);
            }
        }
    }

    /// Turns runs: the first one gets the first elements of all, the second one the second elements, and so on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(crate) fn turned(runs: [__m512; SIDE]) -> [__m512; SIDE] {
        // Neighbours of two runs, then of four, in each quarter of a vector.
        let twos: [__m512; SIDE] = std::array::from_fn(|index| {
            let (a, b) = (runs[index / 2 * 2], runs[index / 2 * 2 + 1]);
            if index % 2 == 0 { _mm512_unpacklo_ps(a, b) } else { _mm512_unpackhi_ps(a, b) }
        });
        let fours: [__m512; SIDE] = std::array::from_fn(|index| {
            let (a, b) = (twos[index / 4 * 4 + index % 4 / 2], twos[index / 4 * 4 + index % 4 / 2 + 2]);
            if index % 2 == 0 { _mm512_shuffle_ps::<0x44>(a, b) } else { _mm512_shuffle_ps::<0xEE>(a, b) }
        });
        // Quarters of four vectors; then those of one number.
        let mut turned = [_mm512_setzero_ps(); SIDE];
        for index in 0..4 {
            let [a, b, c, d] = [0, 4, 8, 12].map(|group| fours[group + index]);
            let (even, odd) = (_mm512_shuffle_f32x4::<0x88>(a, b), _mm512_shuffle_f32x4::<0xDD>(a, b));
            let (next_even, next_odd) =
                (_mm512_shuffle_f32x4::<0x88>(c, d), _mm512_shuffle_f32x4::<0xDD>(c, d));
            turned[index] = _mm512_shuffle_f32x4::<0x88>(even, next_even);
            turned[4 + index] = _mm512_shuffle_f32x4::<0x88>(odd, next_odd);
            turned[8 + index] = _mm512_shuffle_f32x4::<0xDD>(even, next_even);
            turned[12 + index] = _mm512_shuffle_f32x4::<0xDD>(odd, next_odd);
        }
        turned
    }
}
