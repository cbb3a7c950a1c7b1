//! Sums of products that stay in registers: a tile of rows and columns, a strip of neighbouring columns of some lines, or a run
//! of columns of one.
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

/// Lines of a strip, at most.
pub(crate) const LINES: usize = 8;

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
    /// So many steps, one as far from the next as the other.
    pub(crate) fn apart(count: usize, distance: usize) -> Self {
        Self::from((0..count).map(|number| number * distance).collect::<Vec<_>>())
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns the distances.
    pub(crate) fn all(&self) -> &[usize] {
        &self.steps
    }

    /// Returns the longest distance.
    pub(crate) fn reach(&self) -> usize {
        self.reach
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

/// Neighbouring elements of a source, times a factor of each line and summand.
#[derive(Clone, Copy)]
pub(crate) struct Strip<'a> {
    pub(crate) source: &'a [f32],
    /// The first element for a step of 0.
    pub(crate) first: usize,
    pub(crate) steps: &'a Steps,
    pub(crate) factors: &'a [f32],
    /// From the factor of a line to that of the next.
    pub(crate) across: usize,
    /// The distances of the factors of all summands.
    pub(crate) along: &'a Steps,
    /// Whether sums are added to those that are there.
    pub(crate) adds: bool,
}

/// The operands of some summands of a strip.
struct Lined<'a> {
    source: *const f32,
    steps: &'a [usize],
    /// The first factors of lines.
    lines: [*const f32; LINES],
    along: &'a [usize],
    /// The number of lines, and the distance between the sums of two.
    count: usize,
    down: usize,
    /// Whether sums are added to those that are there.
    adds: bool,
}

type SumTile = unsafe fn(&Tile<'_>, &mut Sums);
type SumLines = unsafe fn(&Lined<'_>, *mut f32);
type AddRun = unsafe fn(&Lined<'_>, &mut [f32; RUN]);

/// The loops with the instructions of this processor.
#[derive(Clone, Copy)]
pub(crate) struct Loops {
    tile: SumTile,
    /// Strips of no more than half of the columns, and of all.
    strips: [SumLines; 2],
    run: AddRun,
}

impl Loops {
    pub(crate) fn chosen() -> Self {
        Self::with(
            #[cfg(target_arch = "x86_64")]
            Instructions::chosen(),
        )
    }

    /// The loops that fuse multiplications and additions, if this processor does, whatever a test has chosen.
    pub(crate) fn fused() -> Self {
        Self::with(
            #[cfg(target_arch = "x86_64")]
            match Instructions::chosen() {
                Instructions::Baseline => {
                    Instructions::of_this_processor().nth(1).unwrap_or(Instructions::Baseline)
                }
                chosen => chosen,
            },
        )
    }

    fn with(#[cfg(target_arch = "x86_64")] instructions: Instructions) -> Self {
        #[cfg(target_arch = "x86_64")]
        return match instructions {
            Instructions::Baseline => Self {
                tile: sum_halves::<false>,
                strips: [sum_lines::<1, false>, sum_lines::<2, false>],
                run: add_to_run::<false>,
            },
            Instructions::Avx2 => Self {
                tile: x86::sum_halves,
                strips: [x86::sum_lines::<1>, x86::sum_lines::<2>],
                run: x86::add_to_run,
            },
            Instructions::Avx512 | Instructions::Bf16 => Self {
                tile: x86::sum_tile,
                strips: [x86::sum_strip::<1>, x86::sum_strip::<2>],
                run: x86::add_to_run,
            },
        };
        #[cfg(not(target_arch = "x86_64"))]
        return Self {
            tile: sum_halves::<true>,
            strips: [sum_lines::<1, true>, sum_lines::<2, true>],
            run: add_to_run::<true>,
        };
    }

    /// Computes the sums of some lines and columns of a strip over some summands. Those of a line lie `down` elements behind
    /// those of the line before; behind the columns there is room for as many as are computed together.
    pub(crate) fn strip(
        self,
        strip: Strip<'_>,
        lines: Range<usize>,
        columns: usize,
        summands: Range<usize>,
        sums: &mut [f32],
        down: usize,
    ) {
        let end = lines.len().saturating_sub(1).saturating_mul(down).saturating_add(Self::width(columns));
        assert!(end <= sums.len(), "sums of {lines:?} end at {end} of {}", sums.len());
        // SAFETY: the places are there.
        unsafe { self.strip_at(strip, lines, columns, summands, sums.as_mut_ptr(), down) };
    }

    /// Computes what [`Loops::strip`] does.
    ///
    /// # Safety
    /// The places of the sums may be written.
    pub(crate) unsafe fn strip_at(
        self,
        strip: Strip<'_>,
        lines: Range<usize>,
        columns: usize,
        summands: Range<usize>,
        to: *mut f32,
        down: usize,
    ) {
        let width = Self::width(columns);
        let operands = strip.operands(lines, width, summands, down);
        // SAFETY: `operands` has looked at the longest ways; these loops are made for this processor alone; and by the contract.
        unsafe { (self.strips[usize::from(width > HALF)])(&operands, to) };
    }

    /// Returns how many columns of a strip are computed where so many are wanted.
    pub(crate) fn width(columns: usize) -> usize {
        if columns > HALF { COLUMNS } else { HALF }
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
        // SAFETY: `checked` has looked at the longest way; these loops are made for this processor alone.
        unsafe { (self.tile)(&Tile { source, firsts, steps, packed, columns }, &mut sums) };
        sums
    }

    /// Adds to a run of sums all summands of a strip, for one line.
    pub(crate) fn add_run(self, strip: Strip<'_>, line: usize, sums: &mut [f32; RUN]) {
        let operands = strip.operands(line..line + 1, RUN, 0..strip.steps.len(), RUN);
        // SAFETY: `operands` has looked at the longest ways; these loops are made for this processor alone.
        unsafe { (self.run)(&operands, sums) };
    }
}

impl<'a> Strip<'a> {
    /// The operands of some lines and summands. All are there.
    fn operands(self, lines: Range<usize>, width: usize, summands: Range<usize>, down: usize) -> Lined<'a> {
        let Self { source, first, steps, factors, across, along, adds } = self;
        assert!((1..=LINES).contains(&lines.len()), "a strip of the lines {lines:?}");
        let last = (lines.end - 1).saturating_mul(across);
        Lined {
            adds,
            along: along.checked(last, 1, factors, summands.clone()),
            steps: steps.checked(first, width, source, summands),
            source: source.as_ptr().wrapping_add(first),
            // Those that are not there are computed as the last one is.
            lines: std::array::from_fn(|number| {
                factors.as_ptr().wrapping_add((lines.start + number).min(lines.end - 1) * across)
            }),
            count: lines.len(),
            down,
        }
    }
}

impl Lined<'_> {
    /// Puts the sums of half of the columns to the place of their line, if there is one.
    ///
    /// # Safety
    /// The place may be written.
    #[inline(always)]
    unsafe fn put(&self, sums: &[f32; HALF], to: *mut f32, line: usize, half: usize) {
        if line >= self.count {
            return;
        }
        // SAFETY: by the contract.
        let to = unsafe { &mut *to.add(line * self.down + half * HALF).cast::<[f32; HALF]>() };
        match self.adds {
            true => to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum),
            false => *to = *sums,
        }
    }
}

/// Computes the sums of a strip of so many halves of columns, four lines at a time, since so many registers as most processors
/// have hold those of one half.
///
/// # Safety
/// There are the elements of the columns at the end of every way, and the places of the sums.
#[inline(always)]
unsafe fn sum_lines<const COUNT: usize, const FUSED: bool>(strip: &Lined<'_>, to: *mut f32) {
    const TOGETHER: usize = 4;
    for first in (0..strip.count).step_by(TOGETHER) {
        let lines = &strip.lines[first..][..TOGETHER];
        for half in 0..COUNT {
            let mut sums = [[0.0; HALF]; TOGETHER];
            for (step, along) in strip.steps.iter().zip(strip.along) {
                // SAFETY: by the contract.
                let elements = unsafe { &*strip.source.add(step + half * HALF).cast::<[f32; HALF]>() };
                for (sums, line) in sums.iter_mut().zip(lines) {
                    // SAFETY: by the contract.
                    let factor = unsafe { *line.add(*along) };
                    for (sum, element) in sums.iter_mut().zip(elements) {
                        *sum = plus_product::<FUSED>(*sum, factor, *element);
                    }
                }
            }
            for (number, sums) in sums.iter().enumerate() {
                // SAFETY: by the contract.
                unsafe { strip.put(sums, to, first + number, half) };
            }
        }
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
unsafe fn add_to_run<const FUSED: bool>(run: &Lined<'_>, to: &mut [f32; RUN]) {
    let mut sums = *to;
    for (step, along) in run.steps.iter().zip(run.along) {
        // SAFETY: by the contract.
        let (elements, factor) =
            unsafe { (&*run.source.add(*step).cast::<[f32; RUN]>(), *run.lines[0].add(*along)) };
        for (sum, element) in sums.iter_mut().zip(elements) {
            *sum = plus_product::<FUSED>(*sum, factor, *element);
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

    use super::{HALF, LINES, Lined, ROWS, RUN, Sums, Tile};

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

    /// Compiles [`super::sum_lines`] for AVX2 and FMA.
    ///
    /// # Safety
    /// As for the loop.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn sum_lines<const COUNT: usize>(strip: &Lined<'_>, to: *mut f32) {
        // SAFETY: by the contract.
        unsafe { super::sum_lines::<COUNT, true>(strip, to) }
    }

    /// Computes the sums of a strip of `COUNT` vectors with AVX-512.
    ///
    /// # Safety
    /// As for [`super::sum_lines`].
    #[target_feature(enable = "avx512f")]
    pub(super) unsafe fn sum_strip<const COUNT: usize>(strip: &Lined<'_>, to: *mut f32) {
        // SAFETY: by the contract.
        unsafe {
            match strip.count {
                ..=4 => sum_some::<4, COUNT>(strip, to),
                _ => sum_some::<LINES, COUNT>(strip, to),
            }
        }
    }

    /// Computes the sums of the first lines.
    ///
    /// # Safety
    /// As for [`super::sum_lines`].
    #[target_feature(enable = "avx512f")]
    unsafe fn sum_some<const SOME: usize, const COUNT: usize>(strip: &Lined<'_>, to: *mut f32) {
        let mut sums = [[_mm512_setzero_ps(); COUNT]; SOME];
        let mut vectors = [_mm512_setzero_ps(); COUNT];
        for (step, along) in strip.steps.iter().zip(strip.along) {
            for (number, vector) in vectors.iter_mut().enumerate() {
                // SAFETY: by the contract.
                *vector = unsafe { _mm512_loadu_ps(strip.source.add(step + number * HALF)) };
            }
            for (sums, line) in sums.iter_mut().zip(strip.lines) {
                // SAFETY: by the contract.
                let factor = _mm512_set1_ps(unsafe { *line.add(*along) });
                for (sum, vector) in sums.iter_mut().zip(vectors) {
                    *sum = _mm512_fmadd_ps(factor, vector, *sum);
                }
            }
        }
        for (line, sums) in sums.into_iter().enumerate() {
            for (half, sum) in sums.into_iter().enumerate() {
                let mut row = [0.0; HALF];
                // SAFETY: the row is as long as the vector; and by the contract.
                unsafe {
                    _mm512_storeu_ps(row.as_mut_ptr(), sum);
                    strip.put(&row, to, line, half);
                }
            }
        }
    }

    /// Compiles [`super::add_to_run`] for AVX2 and FMA.
    ///
    /// # Safety
    /// As for the loop.
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn add_to_run(run: &Lined<'_>, to: &mut [f32; RUN]) {
        // SAFETY: by the contract.
        unsafe { super::add_to_run::<true>(run, to) }
    }
}
