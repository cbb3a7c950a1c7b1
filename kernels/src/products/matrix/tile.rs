//! Sums of products that stay in registers: a tile of rows and columns, or a run of columns of one row.
//!
//! An element is found by two distances: where its row begins, and the step of the summand. So one loop serves rows of
//! matrices, windows over images, and elements under windows. Each sum is added up in the order of its summands; products are
//! not rounded before, except on x86-64 processors without fused multiply-add.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;

/// Rows and columns of a tile.
pub(crate) const ROWS: usize = 6;
pub(crate) const COLUMNS: usize = 32;

/// Columns that are summed at once where there are no more, or where registers hold no more: a vector of AVX-512.
const HALF: usize = COLUMNS / 2;

/// Columns of a run.
pub(crate) const RUN: usize = 64;

/// Elements of the columns of a tile, for one summand.
pub(crate) type Packed = [f32; COLUMNS];

pub(crate) type Sums = [[f32; COLUMNS]; ROWS];

/// The distances of the elements of all summands from the beginning of a row.
pub(crate) struct Steps {
    steps: Vec<usize>,
    /// The longest one.
    reach: usize,
}

impl From<Vec<usize>> for Steps {
    fn from(steps: Vec<usize>) -> Self {
        Self { reach: steps.iter().max().copied().unwrap_or(0), steps }
    }
}

impl Steps {
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The step of some summands. All are on elements if a row of so many begins at `first`.
    fn checked(&self, first: usize, count: usize, of: &[f32], summands: Range<usize>) -> &[usize] {
        let is_there = first.saturating_add(self.reach).saturating_add(count) <= of.len();
        assert!(is_there || self.steps.is_empty(), "a row ends behind {} elements", of.len());
        &self.steps[summands]
    }
}

/// The operands of a tile.
struct Tile<'a> {
    source: &'a [f32],
    /// The elements at which rows begin.
    firsts: &'a [usize; ROWS],
    /// The distance of each summand from there.
    steps: &'a [usize],
    /// The elements of the columns for each summand.
    packed: &'a [Packed],
    /// The columns that are computed, the first ones.
    columns: usize,
}

impl Tile<'_> {
    /// Returns the places at which rows begin.
    #[inline(always)]
    fn rows(&self) -> [*const f32; ROWS] {
        self.firsts.map(|first| self.source.as_ptr().wrapping_add(first))
    }
}

type SumTile = unsafe fn(&Tile<'_>, &mut Sums);
type AddRun = unsafe fn(&[f32], usize, &[usize], &[f32], &mut [f32; RUN]);

/// The loops with the instructions of this processor.
#[derive(Clone, Copy)]
pub(crate) struct Loops {
    tile: SumTile,
    run: AddRun,
}

impl Loops {
    pub(crate) fn chosen() -> Self {
        #[cfg(target_arch = "x86_64")]
        return match Instructions::chosen() {
            Instructions::Baseline => Self { tile: sum_halves::<false>, run: add_to_run::<false> },
            Instructions::Avx2 => Self { tile: x86::sum_halves, run: x86::add_to_run },
            Instructions::Avx512 | Instructions::Bf16 => Self { tile: x86::sum_tile, run: x86::add_to_run },
        };
        #[cfg(not(target_arch = "x86_64"))]
        return Self { tile: sum_halves::<true>, run: add_to_run::<true> };
    }

    /// Returns the sums over some summands: of an element of each row, which begin at `firsts`, times those of the first
    /// `columns`.
    pub(crate) fn tile(
        self,
        source: &[f32],
        firsts: &[usize; ROWS],
        steps: &Steps,
        summands: Range<usize>,
        packed: &[Packed],
        columns: usize,
    ) -> Sums {
        let last = firsts.iter().max().copied().unwrap_or(0);
        let steps = steps.checked(last, 1, source, summands);
        let mut sums = [[0.0; COLUMNS]; ROWS];
        // SAFETY: `checked` has looked at the longest way; `chosen` at the processor.
        unsafe { (self.tile)(&Tile { source, firsts, steps, packed, columns }, &mut sums) };
        sums
    }

    /// Adds to a run of sums, for each summand, a factor times neighbouring elements, of which those for a step of 0 begin at
    /// `first`.
    pub(crate) fn add_run(
        self,
        source: &[f32],
        first: usize,
        steps: &Steps,
        factors: &[f32],
        sums: &mut [f32; RUN],
    ) {
        let steps = steps.checked(first, RUN, source, 0..steps.len());
        // SAFETY: `checked` has looked at the longest way; `chosen` at the processor.
        unsafe { (self.run)(source, first, steps, factors, sums) };
    }
}

/// Computes a tile of sums half by half, of which so many registers as most processors have hold one.
///
/// # Safety
/// There is an element at the end of every way.
#[inline(always)]
unsafe fn sum_halves<const FUSED: bool>(tile: &Tile<'_>, to: &mut Sums) {
    let rows = tile.rows();
    for half in 0..tile.columns.div_ceil(HALF).min(COLUMNS / HALF) {
        let mut sums = [[0.0; HALF]; ROWS];
        for (step, packed) in tile.steps.iter().zip(tile.packed) {
            let packed: &[f32; HALF] = &packed.as_chunks().0[half];
            for (sums, row) in sums.iter_mut().zip(rows) {
                // SAFETY: by the contract.
                let factor = unsafe { *row.add(*step) };
                for (sum, element) in sums.iter_mut().zip(packed) {
                    *sum = plus_product::<FUSED>(*sum, factor, *element);
                }
            }
        }
        for (to, sums) in to.iter_mut().zip(sums) {
            to.as_chunks_mut().0[half] = sums;
        }
    }
}

/// # Safety
/// There are the elements of a run at the end of every way.
#[inline(always)]
unsafe fn add_to_run<const FUSED: bool>(
    source: &[f32],
    first: usize,
    steps: &[usize],
    factors: &[f32],
    to: &mut [f32; RUN],
) {
    let mut sums = *to;
    for (step, factor) in steps.iter().zip(factors) {
        // SAFETY: by the contract.
        let elements = unsafe { source.get_unchecked(first + step..first + step + RUN) };
        for (sum, element) in sums.iter_mut().zip(elements) {
            *sum = plus_product::<FUSED>(*sum, *factor, *element);
        }
    }
    *to = sums;
}

#[inline(always)]
fn plus_product<const FUSED: bool>(sum: f32, a: f32, b: f32) -> f32 {
    if FUSED { a.mul_add(b, sum) } else { sum + a * b }
}

/// The loops with fused multiply-add.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{HALF, ROWS, RUN, Sums, Tile};

    /// Compiles [`super::sum_halves`] for AVX2 and FMA.
    ///
    /// # Safety
    /// As for the loop.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn sum_halves(tile: &Tile<'_>, to: &mut Sums) {
        // SAFETY: by the contract.
        unsafe { super::sum_halves::<true>(tile, to) }
    }

    /// Computes a tile of sums with AVX-512, whose registers hold all of them. The vectors are written out, since the compiler
    /// does not find them.
    ///
    /// # Safety
    /// As for [`super::sum_halves`].
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn sum_tile(tile: &Tile<'_>, to: &mut Sums) {
        // SAFETY: by the contract.
        unsafe {
            match tile.columns {
                ..=HALF => sum_vectors::<1>(tile, to),
                _ => sum_vectors::<2>(tile, to),
            }
        }
    }

    /// Computes the first `COUNT` vectors of each row.
    ///
    /// # Safety
    /// As for [`super::sum_halves`].
    #[target_feature(enable = "avx512f")]
    unsafe fn sum_vectors<const COUNT: usize>(tile: &Tile<'_>, to: &mut Sums) {
        let mut sums = [[_mm512_setzero_ps(); COUNT]; ROWS];
        let mut vectors = [_mm512_setzero_ps(); COUNT];
        let rows = tile.rows();
        for (step, packed) in tile.steps.iter().zip(tile.packed) {
            for (number, vector) in vectors.iter_mut().enumerate() {
                // SAFETY: a row of packed elements has so many vectors.
                *vector = unsafe { _mm512_loadu_ps(packed.as_ptr().add(number * HALF)) };
            }
            for (sums, row) in sums.iter_mut().zip(rows) {
                // SAFETY: by the contract.
                let factor = _mm512_set1_ps(unsafe { *row.add(*step) });
                for (sum, vector) in sums.iter_mut().zip(vectors) {
                    *sum = _mm512_fmadd_ps(factor, vector, *sum);
                }
            }
        }
        for (to, sums) in to.iter_mut().zip(sums) {
            for (number, sum) in sums.into_iter().enumerate() {
                // SAFETY: a row of sums has so many vectors.
                unsafe { _mm512_storeu_ps(to.as_mut_ptr().add(number * HALF), sum) };
            }
        }
    }

    /// Compiles [`super::add_to_run`] for AVX2 and FMA.
    ///
    /// # Safety
    /// As for the loop.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn add_to_run(
        source: &[f32],
        first: usize,
        steps: &[usize],
        factors: &[f32],
        to: &mut [f32; RUN],
    ) {
        // SAFETY: by the contract.
        unsafe { super::add_to_run::<true>(source, first, steps, factors, to) }
    }
}
