//! The loops of a reduction: many states at once, each combined with an element or with another state.
//!
//! They count by numbers: pairs of iterators are more functions, which are compiled for each reducer, and which the compiler
//! does not always put into the loop.

use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable, try_cast_slice, try_cast_slice_mut};
use smallvec::SmallVec;

use super::numbers::{Widen, Word};

#[cfg(target_arch = "x86_64")]
use crate::views::instructions::Instructions;
use crate::views::instructions::stored;

/// The states beside each other that elements of one result go to in turn. They are merged in halves, so that the order of
/// additions is that of a tree, whatever the layout and the instructions.
pub(super) const LANES: usize = 16;

/// The most elements of a lane that are combined before they are added to its state.
pub(super) const GROUP: usize = 8;

/// The elements of several groups, where these may become one.
const MORE: usize = 4 * GROUP;

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
    type Element: Pod;

    /// How many elements of a lane, one after the other, become one before it is added to a state: those that are combined in
    /// fewer bits than states have. A divisor of [`GROUP`].
    const GROUP: usize = 1;
    /// Whether elements of several groups may become one too: those that are joined without a loss.
    const JOINS_MORE: bool = false;
    /// Whether states hold numbers of steps, which become numbers of elements before lanes are merged.
    const HOLDS_STEPS: bool = false;
    /// Whether a merge has to know how many elements the states are of.
    const COUNTS: bool = false;
    /// Whether there are loops for AVX-512, and wide ones for rows. What few programs compute goes without.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there is one set of instructions"))]
    const IS_COMMON: bool = true;

    /// The state of no element, before the one of number `step`.
    fn none(self, step: Self::Word) -> [Self::Word; P];
    fn add(self, state: [Self::Word; P], x: Self::Element, step: Step<Self::Word>) -> [Self::Word; P];
    /// Makes two elements of a group one.
    fn join(self, a: Self::Element, _b: Self::Element) -> Self::Element {
        a
    }
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

/// The elements of each row. Compiled for a type of elements, and not for each reducer of them.
#[inline(never)]
fn cast_all<'a, T: Pod>(rows: &[&'a [u8]]) -> SmallVec<[&'a [T]; 256]> {
    rows.iter().map(|row| cast(row)).collect()
}

/// Returns the state at an index. Arrays are filled by loops, as `from_fn` would be compiled for each reducer again.
#[inline(always)]
fn state<W: Pod, L: AsRef<[W]>, const P: usize>(planes: &[L; P], index: usize) -> [W; P] {
    let mut state = [W::zeroed(); P];
    for word in 0..P {
        state[word] = planes[word].as_ref()[index];
    }
    state
}

/// Replaces the state at an index.
#[inline(always)]
fn put<W: Pod, L: AsMut<[W]>, const P: usize>(planes: &mut [L; P], index: usize, state: [W; P]) {
    for word in 0..P {
        planes[word].as_mut()[index] = state[word];
    }
}

/// Adds fewer elements than there are lanes. Compiled once, as there are few.
#[inline(never)]
fn add_rest<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    lanes: &mut Lanes<R::Word, P>,
    rest: &[T],
    at: Step<R::Word>,
) {
    for (index, x) in rest.iter().enumerate() {
        let state = reducer.add(state(lanes, index), x.widen(), at);
        put(lanes, index, state);
    }
}

/// Adds `count` rows of `C` elements to as many states, and the rest of another to the last group of the first ones. Groups that
/// become one are a loop over the columns, which becomes vectors.
#[inline(always)]
fn add_block<'a, T: Widen<R::Element>, R: Reducer<P>, const P: usize, const C: usize>(
    reducer: R,
    lanes: &mut [[R::Word; C]; P],
    (count, row): (usize, impl Fn(usize) -> &'a [T; C]),
    rest: &[T],
    at: impl Fn(usize) -> Step<R::Word>,
) {
    // A constant block, so that the rest is not compiled for reducers without groups.
    if const { R::GROUP == 1 } {
        let mut own = *lanes;
        for number in 0..count {
            let at = at(number);
            for (index, x) in row(number).iter().enumerate() {
                let state = reducer.add(state(&own, index), x.widen(), at);
                put(&mut own, index, state);
            }
        }
        *lanes = own;
        return;
    }
    let whole = count - count % GROUP;
    // What the groups before become, if they are joined with others.
    let mut before: Option<[R::Element; C]> = None;
    for first in (0..whole).step_by(GROUP) {
        let (at, mut group) = (at(first), [row(first); GROUP]);
        for (number, own) in group.iter_mut().enumerate() {
            *own = row(first + number);
        }
        // A loop over one type becomes vectors of as many elements as there can be.
        let mut parts = [R::Element::zeroed(); C];
        for (index, part) in parts.iter_mut().enumerate() {
            let mut own = group[0][index].widen();
            for row in &group[1..] {
                own = reducer.join(own, row[index].widen());
            }
            *part = own;
        }
        if R::JOINS_MORE {
            if let Some(before) = before.take() {
                for index in 0..C {
                    parts[index] = reducer.join(before[index], parts[index]);
                }
            }
            if !(first + GROUP).is_multiple_of(MORE) && first + GROUP < whole {
                before = Some(parts);
                continue;
            }
        }
        for (index, part) in parts.into_iter().enumerate() {
            let state = reducer.add(state(lanes, index), part, at);
            put(lanes, index, state);
        }
    }
    let mut parts = [R::Element::zeroed(); C];
    // The compiler makes vectors of a loop whose length it does not know, and none of one that it unrolls.
    let columns = stored(C);
    for number in whole..count {
        let (parts, row) = (&mut parts[..columns], &row(number)[..columns]);
        for index in 0..columns {
            let x = row[index].widen();
            parts[index] = if number == whole { x } else { reducer.join(parts[index], x) };
        }
    }
    for (index, x) in rest.iter().enumerate() {
        let x = x.widen();
        parts[index] = if whole == count { x } else { reducer.join(parts[index], x) };
    }
    let used = if whole == count { rest.len() } else { C };
    for (index, part) in parts.into_iter().enumerate().take(used) {
        let state = reducer.add(state(lanes, index), part, at(whole));
        put(lanes, index, state);
    }
}

/// Adds rows to states, from column `first` on, a block of `C` columns after the other, so that its states stay in registers.
/// Returns the first column behind the last whole block.
#[inline(always)]
fn add_blocks<T: Widen<R::Element>, R: Reducer<P>, const P: usize, const C: usize>(
    reducer: R,
    planes: &mut [&mut [R::Word]; P],
    rows: &[&[T]],
    first: usize,
    [step, nth]: [usize; 2],
) -> usize {
    let at = |row: usize| Step { number: R::Word::of(step + row), count: R::Word::of(nth + row + 1) };
    let columns = rows.first().map_or(0, |row| row.len());
    let whole = first + (columns - first) / C * C;
    for first in (first..whole).step_by(C) {
        let mut lanes = [[R::Word::ZERO; C]; P];
        for word in 0..P {
            lanes[word].copy_from_slice(&planes[word][first..first + C]);
        }
        let row = |number: usize| &rows[number][first..first + C].as_chunks::<C>().0[0];
        add_block(reducer, &mut lanes, (rows.len(), row), &[], at);
        for word in 0..P {
            planes[word][first..first + C].copy_from_slice(&lanes[word]);
        }
    }
    whole
}

/// Adds the columns behind the last block, one by one.
#[inline(never)]
fn add_last<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    planes: &mut [&mut [R::Word]; P],
    rows: &[&[T]],
    first: usize,
    at: [usize; 2],
) {
    add_blocks::<T, R, P, 1>(reducer, planes, rows, first, at);
}

/// Adds rows of as many elements as there are lanes, and the rest of another. The lanes are written to memory before anything
/// else is done with them: the compiler then keeps them in the widest registers.
#[inline(always)]
fn add_whole<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    lanes: &mut Lanes<R::Word, P>,
    elements: &[T],
    step: usize,
) {
    let (rows, rest) = elements.as_chunks::<LANES>();
    let at = |row: usize| Step { number: R::Word::of(step + row), count: R::Word::of(row + 1) };
    add_block(reducer, lanes, (rows.len(), |number: usize| &rows[number]), rest, at);
    if const { R::GROUP == 1 } {
        add_rest(reducer, lanes, rest, at(rows.len()));
    }
}

/// The words of the states of all lanes.
type Lanes<W, const P: usize> = [[W; LANES]; P];

/// [`add_whole`] with the instructions of a processor, which must have them.
type AddWhole<T, R, const P: usize> = unsafe fn(R, &mut Lanes<<R as Reducer<P>>::Word, P>, &[T], usize);

/// Computes the state of a leaf of a single result, whose elements go to the lanes in turn, from step `step` on.
///
/// # Safety
/// The processor has the instructions of `whole`, which is [`add_whole`].
#[inline(always)]
unsafe fn leaf<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
    reducer: R,
    elements: &[T],
    step: usize,
    whole: AddWhole<T, R, P>,
) -> [R::Word; P] {
    let mut lanes = [[R::Word::ZERO; LANES]; P];
    let none = reducer.none(R::Word::of(step));
    for word in 0..P {
        lanes[word] = [none[word]; LANES];
    }
    // SAFETY: the contract is the same.
    unsafe { whole(reducer, &mut lanes, elements, step) };
    if R::HOLDS_STEPS {
        for index in 0..LANES {
            let state = reducer.settle(state(&lanes, index), index);
            put(&mut lanes, index, state);
        }
    }
    let (count, mut used, mut half) = (elements.len(), elements.len().min(LANES), LANES / 2);
    while half > 0 {
        for index in half..used {
            let counts = match R::COUNTS {
                true => [index - half, index].map(|lane| R::Word::of(of_lane(lane, 2 * half, count))),
                false => [R::Word::ZERO; 2],
            };
            let state = reducer.merge(state(&lanes, index - half), state(&lanes, index), counts);
            put(&mut lanes, index - half, state);
        }
        (used, half) = (used.min(half), half / 2);
    }
    state(&lanes, 0)
}

/// [`leaf`] with the instructions of a processor, which must have them.
type Leaf<T, R, const P: usize> = unsafe fn(R, &[T], usize) -> [<R as Reducer<P>>::Word; P];

/// Defines [`leaf`] and [`add_blocks`] with the instructions of a processor, which must have them. The baseline has none of
/// them: they would be as large as those for AVX2, for few processors.
#[cfg(target_arch = "x86_64")]
macro_rules! with_instructions {
    ($features:literal: $leaf:ident, $add_blocks:ident of $columns:expr) => {
        #[target_feature(enable = $features)]
        fn $leaf<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
            reducer: R,
            elements: &[T],
            step: usize,
        ) -> [R::Word; P] {
            // A function of its own, whose lanes the compiler keeps in the widest registers.
            #[inline(never)]
            #[target_feature(enable = $features)]
            fn whole<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
                reducer: R,
                lanes: &mut Lanes<R::Word, P>,
                elements: &[T],
                step: usize,
            ) {
                add_whole(reducer, lanes, elements, step);
            }
            // SAFETY: this function has the same instructions.
            unsafe { leaf(reducer, elements, step, whole::<T, R, P>) }
        }

        #[target_feature(enable = $features)]
        fn $add_blocks<T: Widen<R::Element>, R: Reducer<P>, const P: usize>(
            reducer: R,
            planes: &mut [&mut [R::Word]; P],
            rows: &[&[T]],
            first: usize,
            at: [usize; 2],
        ) -> usize {
            add_blocks::<T, R, P, { $columns }>(reducer, planes, rows, first, at)
        }
    };
}
#[cfg(target_arch = "x86_64")]
with_instructions! { "avx2,fma,f16c": leaf_avx2, add_blocks_avx2 of LANES }
// The states of so many columns fill the registers: rows lie far from each other.
#[cfg(target_arch = "x86_64")]
with_instructions! {
    "avx2,fma,f16c,avx512f,avx512bw,avx512dq,avx512vl": leaf_avx512, add_blocks_avx512 of 4 * LANES
}

#[cfg(target_arch = "x86_64")]
impl<T, R: Reducer<P>, const P: usize> Compiled<T, R, P> {
    const HAS_WIDE: bool = R::Word::PAYS_WIDE && R::IS_COMMON;
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
        let planes = planes::<R::Word, P>(states, 0, count);
        for word in 0..P {
            planes[word].fill(none[word]);
        }
    }

    fn add(&self, states: Planes<'_>, from: usize, rows: &[&[u8]], step: usize, nth: usize) {
        let rows = cast_all::<T>(rows);
        let count = rows.first().map_or(0, |row| row.len());
        let mut planes = planes(states, from, count);
        let mut done = 0;
        #[cfg(target_arch = "x86_64")]
        if Self::HAS_WIDE && Instructions::chosen() >= Instructions::Avx512 {
            // SAFETY: only `Instructions::of_this_processor` makes these values, where the processor has them.
            done = unsafe { add_blocks_avx512::<T, R, P>(self.reducer, &mut planes, &rows, 0, [step, nth]) };
        }
        // The baseline has no such loop, as it has none for leaves.
        #[cfg(target_arch = "x86_64")]
        if Instructions::chosen() >= Instructions::Avx2 {
            // SAFETY: as above.
            done = unsafe { add_blocks_avx2::<T, R, P>(self.reducer, &mut planes, &rows, done, [step, nth]) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            done = add_blocks::<T, R, P, LANES>(self.reducer, &mut planes, &rows, done, [step, nth]);
        }
        add_last(self.reducer, &mut planes, &rows, done, [step, nth]);
    }

    fn leaf(&self, states: Planes<'_>, to: usize, elements: &[u8], step: usize) -> bool {
        #[cfg(target_arch = "x86_64")]
        let leaf: Leaf<T, R, P> = match Instructions::chosen() {
            Instructions::Baseline => return false,
            Instructions::Avx512 | Instructions::Bf16 if Self::HAS_WIDE => leaf_avx512::<T, R, P>,
            _ => leaf_avx2::<T, R, P>,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let leaf: Leaf<T, R, P> =
            // SAFETY: every processor has the instructions of `add_whole`.
            |reducer, elements, step| unsafe { leaf(reducer, elements, step, add_whole::<T, R, P>) };
        // SAFETY: `leaf` is the loop for the instructions that were chosen above, which the processor has.
        let state = unsafe { leaf(self.reducer, cast(elements), step) };
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
