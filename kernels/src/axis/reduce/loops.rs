//! The loops of a reduction: many states at once, each combined with an element or with another state.

use std::marker::PhantomData;

use bytemuck::{Pod, try_cast_slice, try_cast_slice_mut};
use num_complex::Complex64;
use smallvec::SmallVec;

#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;

/// The states beside each other that elements of one result go to in turn. They are merged in halves, so that the order of
/// additions is that of a tree, whatever the layout and the instructions.
pub(super) const LANES: usize = 16;

/// A number of which states consist: f64 or i64.
pub(super) trait Word: Pod + PartialOrd + Send + Sync {
    const ZERO: Self;
    /// The least and the most of all values.
    const LEAST: Self;
    const MOST: Self;
    /// Whether vectors of AVX-512 pay. The compiler makes gathers of loops over integers, whose order does not matter.
    #[cfg(target_arch = "x86_64")]
    const PAYS_WIDE: bool;

    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The value rounded to f32.
    fn as_f32(self) -> Self;
    fn is_nan(self) -> bool;
    fn of(count: usize) -> Self;
}

impl Word for f64 {
    const ZERO: Self = 0.0;
    const LEAST: Self = f64::NEG_INFINITY;
    const MOST: Self = f64::INFINITY;
    #[cfg(target_arch = "x86_64")]
    const PAYS_WIDE: bool = true;

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    fn as_f32(self) -> Self {
        f64::from(self as f32)
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        f64::is_nan(self)
    }
    fn of(count: usize) -> Self {
        count as f64
    }
}

impl Word for i64 {
    const ZERO: Self = 0;
    const LEAST: Self = i64::MIN;
    const MOST: Self = i64::MAX;
    #[cfg(target_arch = "x86_64")]
    const PAYS_WIDE: bool = false;

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn as_f32(self) -> Self {
        self
    }
    #[inline(always)]
    fn is_nan(self) -> bool {
        false
    }
    fn of(count: usize) -> Self {
        count as i64
    }
}

/// An element in memory, as the type that it is combined in.
pub(super) trait Widen<W>: Pod + Send + Sync {
    fn widen(self) -> W;
}

macro_rules! widen {
    ($($from:ty => $to:ty),*) => {$(
        impl Widen<$to> for $from {
            #[inline(always)]
            fn widen(self) -> $to {
                self.into()
            }
        }
    )*};
}
widen!(f32 => f64, f64 => f64, i32 => i64, i64 => i64, Complex64 => Complex64);

/// Which element of its lane is added.
#[derive(Clone, Copy)]
pub(super) struct Step<W> {
    /// Its number in the lane, from the first element of the row on.
    pub(super) number: W,
    /// The count of the elements of this leaf in the lane, with this one.
    pub(super) count: W,
}

/// How elements become a state of `P` words.
pub(super) trait Reducer<const P: usize>: Copy + Send + Sync + 'static {
    type Word: Word;
    type Element: Copy;

    /// Whether states hold numbers of steps, which become numbers of elements before lanes are merged.
    const HOLDS_STEPS: bool = false;

    /// The state of no element, before the one of number `step`.
    fn none(self, step: Self::Word) -> [Self::Word; P];
    fn add(self, state: [Self::Word; P], x: Self::Element, step: Step<Self::Word>) -> [Self::Word; P];
    /// Makes a number of a step that of an element.
    fn settle(self, state: [Self::Word; P], _lane: usize) -> [Self::Word; P] {
        state
    }
    /// The state of the elements of two states; `counts` says how many there are.
    fn merge(self, a: [Self::Word; P], b: [Self::Word; P], counts: [Self::Word; 2]) -> [Self::Word; P];
    /// The results of a row of so many elements.
    fn finish(self, state: [Self::Word; P], count: usize) -> [Self::Word; 2];
}

/// States, as many planes of the same length as a state has words.
pub(super) type Planes<'a> = &'a mut [u64];

/// A reducer with its loops. Each lane has `columns` states, one for each result, and lanes lie one after the other.
pub trait Loops: Send + Sync {
    /// Words of a state.
    fn planes(&self) -> usize;
    /// Sets the first `count` states to that of no element.
    fn clear(&self, states: Planes<'_>, count: usize, step: usize);
    /// Adds rows of one length, one after the other, to the states from `from` on: row `index` has step `step + index` of its
    /// lanes, which is element `nth + index` of their leaf.
    fn add(&self, states: Planes<'_>, from: usize, rows: &[&[u8]], step: usize, nth: usize);
    /// Computes state `to`: that of a leaf of a single result, whose elements go to the lanes in turn, from step `step` on.
    /// Returns false if no loop does this at once, with the same bits as one row of all lanes after the other.
    fn leaf(&self, states: Planes<'_>, to: usize, elements: &[u8], step: usize) -> bool;
    /// Makes numbers of steps in the states of so many lanes those of elements.
    fn settle(&self, states: Planes<'_>, columns: usize, lanes: usize);
    /// Merges `count` states from `from` on into those from `to` on, which lie before.
    fn merge(&self, states: Planes<'_>, to: usize, from: usize, count: usize, counts: [usize; 2]);
    /// Writes both results of the first states into `results`, as words.
    fn finish(&self, states: Planes<'_>, count: usize, results: [&mut [u64]; 2]);
}

/// The loops of a reducer over elements of type `T`.
struct Compiled<T, R, const P: usize> {
    reducer: R,
    element: PhantomData<T>,
}

/// Makes the loops.
pub(super) fn compiled<T, R, const P: usize>(reducer: R) -> Box<dyn Loops>
where
    R: Reducer<P>,
    T: Widen<R::Element>,
{
    Box::new(Compiled::<T, R, P> { reducer, element: PhantomData })
}

/// The planes of `states`, from state `from` on.
#[inline(always)]
fn planes<W: Pod, const P: usize>(states: &mut [u64], from: usize, count: usize) -> [&mut [W]; P] {
    let length = states.len() / P;
    let mut planes = states.chunks_exact_mut(length.max(1));
    std::array::from_fn(|_| {
        let plane = planes.next().and_then(|plane| plane.get_mut(from..from + count)).unwrap_or_default();
        try_cast_slice_mut(plane).unwrap_or_default()
    })
}

/// The elements of a row, which are aligned.
fn cast<T: Pod>(row: &[u8]) -> &[T] {
    try_cast_slice(row).unwrap_or_default()
}

/// Returns the state at an index. Arrays are filled by loops, as `from_fn` would be compiled for each reducer again.
#[inline(always)]
fn state<W: Pod, L: AsRef<[W]>, const P: usize>(planes: &[L; P], index: usize) -> [W; P] {
    let mut state = [W::zeroed(); P];
    for (word, plane) in state.iter_mut().zip(planes) {
        *word = plane.as_ref()[index];
    }
    state
}

/// Replaces the state at an index.
#[inline(always)]
fn put<W: Pod, L: AsMut<[W]>, const P: usize>(planes: &mut [L; P], index: usize, state: [W; P]) {
    for (plane, word) in planes.iter_mut().zip(state) {
        plane.as_mut()[index] = word;
    }
}

/// Adds rows to states, a block of `C` columns after the other, so that its states stay in registers.
#[inline(always)]
fn add_rows<T: Widen<R::Element>, R: Reducer<P>, const P: usize, const C: usize>(
    reducer: R,
    mut planes: [&mut [R::Word]; P],
    rows: &[&[T]],
    step: usize,
    nth: usize,
) {
    let columns = rows.first().map_or(0, |row| row.len());
    let at = |row: usize| Step { number: R::Word::of(step + row), count: R::Word::of(nth + row + 1) };
    let whole = columns - columns % C;
    for first in (0..whole).step_by(C) {
        let mut lanes = [[R::Word::ZERO; C]; P];
        for (lanes, plane) in lanes.iter_mut().zip(&planes) {
            lanes.copy_from_slice(&plane[first..first + C]);
        }
        for (number, row) in rows.iter().enumerate() {
            let (at, row) = (at(number), &row[first..first + C]);
            for (index, x) in row.iter().enumerate() {
                let state = reducer.add(state(&lanes, index), x.widen(), at);
                put(&mut lanes, index, state);
            }
        }
        for (plane, lanes) in planes.iter_mut().zip(&lanes) {
            plane[first..first + C].copy_from_slice(lanes);
        }
    }
    for index in whole..columns {
        let mut own = state(&planes, index);
        for (number, row) in rows.iter().enumerate() {
            own = reducer.add(own, row[index].widen(), at(number));
        }
        put(&mut planes, index, own);
    }
}

/// [`add_rows`] with the instructions of a processor, which must have them.
type AddRows<T, R, const P: usize> = unsafe fn(R, [&mut [<R as Reducer<P>>::Word]; P], &[&[T]], usize, usize);

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn add_rows_avx2<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    planes: [&mut [R::Word]; P],
    rows: &[&[T]],
    step: usize,
    nth: usize,
) {
    add_rows::<T, R, P, LANES>(reducer, planes, rows, step, nth);
}

/// Blocks of so many columns that their states fill the registers: rows lie far from each other.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
fn add_rows_avx512<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    planes: [&mut [R::Word]; P],
    rows: &[&[T]],
    step: usize,
    nth: usize,
) {
    add_rows::<T, R, P, 64>(reducer, planes, rows, step, nth);
}

/// Adds rows of as many elements as there are lanes. The lanes are written to memory before anything else is done with them:
/// the compiler then keeps them in the widest registers.
#[inline(always)]
fn add_whole<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    lanes: &mut Lanes<R::Word, P>,
    rows: &[[T; LANES]],
    step: usize,
) {
    let at = |row: usize| Step { number: R::Word::of(step + row), count: R::Word::of(row + 1) };
    let mut own = *lanes;
    for (row, elements) in rows.iter().enumerate() {
        let at = at(row);
        for (index, x) in elements.iter().enumerate() {
            let state = reducer.add(state(&own, index), x.widen(), at);
            put(&mut own, index, state);
        }
    }
    *lanes = own;
}

/// [`add_whole`] with the instructions of a processor, which must have them.
type AddWhole<T, R, const P: usize> =
    unsafe fn(R, &mut Lanes<<R as Reducer<P>>::Word, P>, &[[T; LANES]], usize);

/// The words of the states of all lanes.
type Lanes<W, const P: usize> = [[W; LANES]; P];

/// The state of a leaf of a single result. `whole` is [`add_whole`].
fn leaf<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    elements: &[T],
    step: usize,
    whole: impl FnOnce(&mut Lanes<R::Word, P>, &[[T; LANES]]),
) -> [R::Word; P] {
    let at = |row: usize| Step { number: R::Word::of(step + row), count: R::Word::of(row + 1) };
    let mut lanes = [[R::Word::ZERO; LANES]; P];
    for (lanes, word) in lanes.iter_mut().zip(reducer.none(R::Word::of(step))) {
        *lanes = [word; LANES];
    }
    let (rows, rest) = elements.as_chunks::<LANES>();
    whole(&mut lanes, rows);
    for (index, x) in rest.iter().enumerate() {
        let state = reducer.add(state(&lanes, index), x.widen(), at(rows.len()));
        put(&mut lanes, index, state);
    }
    if R::HOLDS_STEPS {
        for index in 0..LANES {
            let state = reducer.settle(state(&lanes, index), index);
            put(&mut lanes, index, state);
        }
    }
    let (count, mut used, mut half) = (elements.len(), elements.len().min(LANES), LANES / 2);
    while half > 0 {
        for index in half..used {
            let counts = [index - half, index].map(|lane| R::Word::of(of_lane(lane, 2 * half, count)));
            let state = reducer.merge(state(&lanes, index - half), state(&lanes, index), counts);
            put(&mut lanes, index - half, state);
        }
        (used, half) = (used.min(half), half / 2);
    }
    state(&lanes, 0)
}

/// The baseline has no such loop: it would be as large as the one for AVX2, for few processors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c")]
fn add_whole_avx2<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    lanes: &mut Lanes<R::Word, P>,
    rows: &[[T; LANES]],
    step: usize,
) {
    add_whole(reducer, lanes, rows, step);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
fn add_whole_avx512<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    lanes: &mut Lanes<R::Word, P>,
    rows: &[[T; LANES]],
    step: usize,
) {
    add_whole(reducer, lanes, rows, step);
}

impl<T, R, const P: usize> Loops for Compiled<T, R, P>
where
    R: Reducer<P>,
    T: Widen<R::Element>,
{
    fn planes(&self) -> usize {
        P
    }

    fn clear(&self, states: Planes<'_>, count: usize, step: usize) {
        let none = self.reducer.none(R::Word::of(step));
        let mut planes = planes::<R::Word, P>(states, 0, count);
        for (plane, word) in planes.iter_mut().zip(none) {
            plane.fill(word);
        }
    }

    fn add(&self, states: Planes<'_>, from: usize, rows: &[&[u8]], step: usize, nth: usize) {
        let rows: SmallVec<[&[T]; 64]> = rows.iter().map(|row| cast(row)).collect();
        let count = rows.first().map_or(0, |row| row.len());
        #[cfg(target_arch = "x86_64")]
        let add: AddRows<T, R, P> = match Instructions::chosen() {
            Instructions::Baseline => add_rows::<T, R, P, LANES>,
            Instructions::Avx512 | Instructions::Bf16 if R::Word::PAYS_WIDE => add_rows_avx512::<T, R, P>,
            _ => add_rows_avx2::<T, R, P>,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let add: AddRows<T, R, P> = add_rows::<T, R, P, LANES>;
        // SAFETY: `add` is the loop for the instructions that were chosen above, which the processor has.
        unsafe { add(self.reducer, planes(states, from, count), &rows, step, nth) };
    }

    fn leaf(&self, states: Planes<'_>, to: usize, elements: &[u8], step: usize) -> bool {
        #[cfg(target_arch = "x86_64")]
        let whole: AddWhole<T, R, P> = match Instructions::chosen() {
            Instructions::Baseline => return false,
            Instructions::Avx512 | Instructions::Bf16 if R::Word::PAYS_WIDE => add_whole_avx512::<T, R, P>,
            _ => add_whole_avx2::<T, R, P>,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let whole: AddWhole<T, R, P> = add_whole::<T, R, P>;
        let reducer = self.reducer;
        let state = leaf(reducer, cast::<T>(elements), step, |lanes, rows| {
            // SAFETY: `whole` is the loop for the instructions that were chosen above, which the processor has.
            unsafe { whole(reducer, lanes, rows, step) };
        });
        put(&mut planes::<R::Word, P>(states, to, 1), 0, state);
        true
    }

    fn settle(&self, states: Planes<'_>, columns: usize, lanes: usize) {
        if R::HOLDS_STEPS {
            for lane in 0..lanes {
                let mut planes = planes::<R::Word, P>(states, lane * columns, columns);
                for column in 0..columns {
                    let state = self.reducer.settle(state(&planes, column), lane);
                    put(&mut planes, column, state);
                }
            }
        }
    }

    fn merge(&self, states: Planes<'_>, to: usize, from: usize, count: usize, counts: [usize; 2]) {
        let counts = counts.map(R::Word::of);
        let mut planes = planes::<R::Word, P>(states, to, from + count - to);
        for index in 0..count {
            let [a, b] = [state(&planes, index), state(&planes, from - to + index)];
            put(&mut planes, index, self.reducer.merge(a, b, counts));
        }
    }

    fn finish(&self, states: Planes<'_>, count: usize, results: [&mut [u64]; 2]) {
        let [first, second] = results;
        let planes = planes::<R::Word, P>(states, 0, first.len());
        for (index, (first, second)) in first.iter_mut().zip(second).enumerate() {
            let [value, position] = self.reducer.finish(state(&planes, index), count);
            [*first, *second] = [bytemuck::cast(value), bytemuck::cast(position)];
        }
    }
}

/// Merges the lanes of a leaf of `count` elements in halves; the first states are its result.
pub(super) fn fold(loops: &dyn Loops, states: Planes<'_>, columns: usize, count: usize) {
    let mut lanes = count.min(LANES);
    loops.settle(states, columns, lanes);
    let mut half = LANES / 2;
    while half > 0 {
        if count.is_multiple_of(LANES) {
            let each = count / (2 * half);
            loops.merge(states, 0, half * columns, half * columns, [each; 2]);
        } else {
            for lane in half..lanes {
                let counts = [lane - half, lane].map(|lane| of_lane(lane, 2 * half, count));
                loops.merge(states, (lane - half) * columns, lane * columns, columns, counts);
            }
        }
        lanes = lanes.min(half);
        half /= 2;
    }
}

/// The elements of a lane with which every `distance`-th one was merged, of a leaf of `count`.
fn of_lane(lane: usize, distance: usize, count: usize) -> usize {
    (lane..LANES).step_by(distance).map(|lane| count.saturating_sub(lane).div_ceil(LANES)).sum()
}
