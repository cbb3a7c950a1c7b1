//! The loop over two operands that are converted to vectors of one type.

use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ops::Range;

use aclnn_numerics::DType::{self, *};

use super::planar::{Pair, Planar, Run};
use crate::functions::arithmetic::Operation;
use crate::views::block::Line;
use crate::views::runs::{Plane, prefetch};

/// Vectors of f32 or i16, and the instructions for them, which this processor must have where any of these functions runs.
pub(super) trait Vectors: Sized {
    type Vector: Copy;

    /// Elements of a vector.
    const LANES: usize;

    /// The even elements of the first vector, and then those of the second: the odd ones if it is `SHIFTED`.
    ///
    /// # Safety
    /// This processor has the instructions.
    unsafe fn every_other<const SHIFTED: bool>(first: Self::Vector, second: Self::Vector) -> Self::Vector;

    /// The sum. Of two NaNs it is the first, quiet, as in the other arithmetic.
    ///
    /// # Safety
    /// This processor has the instructions.
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The difference.
    ///
    /// # Safety
    /// As for [`Vectors::add`].
    unsafe fn sub(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The product.
    ///
    /// # Safety
    /// As for [`Vectors::add`].
    unsafe fn mul(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The quotient.
    ///
    /// # Safety
    /// As for [`Vectors::add`].
    unsafe fn div(a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The loop of [`each`] as compiled for these instructions.
    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>>() -> Run;
}

/// An element that is loaded as one of a vector.
pub(super) trait Load<V: Vectors> {
    /// # Safety
    /// A vector of elements may be read, of any alignment.
    unsafe fn load(from: *const Self) -> V::Vector;
}

/// An element that those of a vector are rounded to. A NaN among the values is quiet, as every result is.
pub(super) trait Store<V: Vectors> {
    /// # Safety
    /// A vector of elements may be written, of any alignment.
    unsafe fn store(to: *mut Self, values: V::Vector);

    /// # Safety
    /// As for [`Store::store`], at a multiple of the size of the vector. The store goes past the caches.
    unsafe fn stream(to: *mut Self, values: V::Vector);
}

#[repr(transparent)]
pub(super) struct Half(u16);

#[repr(transparent)]
pub(super) struct BHalf(u16);

#[repr(transparent)]
pub(super) struct Truth(u8);

/// Rounded to f16 before it is combined.
#[repr(transparent)]
pub(super) struct RoundedToHalf(i32);

/// The most elements of a vector, and their most bytes.
const LANES: usize = 16;
const ROOM: usize = LANES * size_of::<u64>();

/// Vectors of a row that is not short.
const SHORT: usize = 4;

/// More bytes than these come from behind the second cache.
const NEAR: usize = 1 << 20;

/// Combines a pair row by row. `again` is this loop itself.
///
/// # Safety
/// As for [`Planar::run`], and this processor has the instructions.
#[inline(always)]
pub(super) unsafe fn each<V: Vectors, A: Load<V>, B: Load<V>, R: Store<V>>(
    pair: &Pair,
    operation: Operation,
    again: Run,
) {
    let ([a, b], [rows, columns]) = (pair.operands, pair.counts);
    let (size, align) = (size_of::<R>(), V::LANES * size_of::<R>());
    let Some(last) = columns.checked_sub(V::LANES) else {
        // SAFETY: by the contract.
        return unsafe { less_than_a_vector(pair, [size_of::<A>(), size_of::<B>(), size], operation, again) };
    };
    // Past the caches go whole vectors, which are aligned if the elements are.
    let streams = pair.streams && pair.out.first.addr().is_multiple_of(size);
    let bytes = rows.saturating_mul(columns).saturating_mul(size_of::<A>() + size_of::<B>() + size);
    let is_far = bytes > NEAR && !streams;
    let (mut a, mut b, mut out) = (Row::<A>::of(a), Row::<B>::of(b), pair.out.first.cast::<R>());
    if columns < SHORT * V::LANES && !streams {
        // Such rows end before it pays to look at their addresses.
        for _ in 0..rows {
            // SAFETY: as below.
            unsafe {
                let (one_a, one_b) = (a.one::<V>(), b.one::<V>());
                for at in (0..last).step_by(V::LANES) {
                    R::store(out.add(at), combine_one::<V>(operation, a.load(at, one_a), b.load(at, one_b)));
                }
                R::store(
                    out.add(last),
                    combine_one::<V>(operation, a.last(last, one_a), b.last(last, one_b)),
                );
            }
            (a, b) = (a.next(), b.next());
            out = out.wrapping_offset(pair.out.down);
        }
        return;
    }
    for _ in 0..rows {
        // SAFETY: a vector from any element up to `last` on lies in each row; the instructions are here by the contract.
        unsafe {
            if streams {
                a.ask(columns);
                b.ask(columns);
            }
            let (one_a, one_b) = (a.one::<V>(), b.one::<V>());
            // None of the vectors between the ends of a row lies in two lines of the caches; some elements are computed
            // twice where vectors overlap. What goes past the caches does so in whole lines, of which a row of a tile has few.
            let mut at = 0;
            let ahead = out.addr() % align;
            if ahead > 0 {
                R::store(out, combine_one::<V>(operation, a.last(0, one_a), b.last(0, one_b)));
                at = (align - ahead) / size;
            }
            macro_rules! together {
                ($operation:expr, $across_a:literal, $across_b:literal, $touches:literal, $chooses:literal, $elements:expr) => {
                    together::<V, A, B, R, $across_a, $across_b, $touches, $chooses>(
                        $operation, a.first, b.first, out, $elements, streams,
                    )
                };
            }
            at = match (a.across, b.across, operation) {
                // Not compiled where it is never so.
                (1, 1, _) if const { reads_lines::<V, A>() || reads_lines::<V, B>() } && is_far => {
                    together!(operation, 1, 1, true, true, at..columns)
                }
                (1, 1, Operation::Add) => together!(Operation::Add, 1, 1, false, false, at..columns),
                (1, 1, Operation::Sub) => together!(Operation::Sub, 1, 1, false, false, at..columns),
                (1, 1, Operation::Mul) => together!(Operation::Mul, 1, 1, false, false, at..columns),
                (1, 1, Operation::Div) => together!(Operation::Div, 1, 1, false, false, at..columns),
                (0, 1, _) => together!(operation, 0, 1, false, true, at..columns),
                (1, 0, _) => together!(operation, 1, 0, false, true, at..columns),
                // Behind the last element there may be no other.
                (2, 2, _) => together!(operation, 2, 2, false, true, at..columns - 1),
                _ => at,
            };
            while at < last {
                put::<V, R>(
                    out.add(at),
                    combine_one::<V>(operation, a.load(at, one_a), b.load(at, one_b)),
                    streams,
                );
                at += V::LANES;
            }
            if at < columns {
                let values = combine_one::<V>(operation, a.last(last, one_a), b.last(last, one_b));
                put::<V, R>(out.add(last), values, streams && at == last);
            }
        }
        (a, b) = (a.next(), b.next());
        out = out.wrapping_offset(pair.out.down);
    }
}

/// Combines elements of a row as long as there are several vectors of them, and returns where it ended. `ACROSS_A` and
/// `ACROSS_B` are the distances of neighbours. With `TOUCHES`, lines are touched before they are read. With `CHOOSES`, the
/// operation is looked at for each few vectors, which costs more than a call with a constant, but is a quarter of the code.
///
/// # Safety
/// As for [`each`], of a row; of an operand with gaps there is an element behind the last one of the range.
#[inline(always)]
unsafe fn together<
    V,
    A,
    B,
    R,
    const ACROSS_A: isize,
    const ACROSS_B: isize,
    const TOUCHES: bool,
    const CHOOSES: bool,
>(
    operation: Operation,
    a: *const A,
    b: *const B,
    out: *mut R,
    elements: Range<usize>,
    streams: bool,
) -> usize
where
    V: Vectors,
    A: Load<V>,
    B: Load<V>,
    R: Store<V>,
{
    /// Vectors between two looks at how many elements are left, and at the operation.
    const TOGETHER: usize = 4;
    let (a, b) = (Row { first: a, down: 0, across: ACROSS_A }, Row { first: b, down: 0, across: ACROSS_B });
    let mut at = elements.start;
    // SAFETY: by the contract.
    unsafe {
        let (one_a, one_b) = (a.one::<V>(), b.one::<V>());
        while at + TOGETHER * V::LANES <= elements.end {
            // Hidden, or the compiler would make a loop for each operation.
            let operation = if CHOOSES { black_box(operation) } else { operation };
            let (mut left, mut right) = ([one_a; TOGETHER], [one_b; TOGETHER]);
            for number in 0..TOGETHER {
                let place = at + number * V::LANES;
                if TOUCHES {
                    touch::<V, A>(a.first.add(place));
                    touch::<V, B>(b.first.add(place));
                }
                (left[number], right[number]) = (a.load(place, one_a), b.load(place, one_b));
            }
            let results = combine::<V, TOGETHER>(operation, left, right);
            #[allow(clippy::needless_range_loop, reason = "what passes vectors by value may stay a call")]
            for number in 0..TOGETHER {
                put::<V, R>(out.add(at + number * V::LANES), results[number], streams);
            }
            at += TOGETHER * V::LANES;
        }
    }
    at
}

/// Returns whether a vector of these elements is loaded by whole lines of the caches.
const fn reads_lines<V: Vectors, T>() -> bool {
    V::LANES * size_of::<f32>() == Line::SIZE && size_of::<T>() >= size_of::<f32>()
}

/// Combines vectors, one instruction each.
///
/// # Safety
/// This processor has the instructions.
#[inline(always)]
unsafe fn combine<V: Vectors, const N: usize>(
    operation: Operation,
    mut a: [V::Vector; N],
    b: [V::Vector; N],
) -> [V::Vector; N] {
    macro_rules! each {
        ($function:ident) => {
            // Not by iterators, as above.
            for number in 0..N {
                // SAFETY: by the contract.
                a[number] = unsafe { V::$function(a[number], b[number]) };
            }
        };
    }
    match operation {
        Operation::Add => each!(add),
        Operation::Sub => each!(sub),
        Operation::Mul => each!(mul),
        Operation::Div => each!(div),
    }
    a
}

/// Combines one vector with another.
///
/// # Safety
/// This processor has the instructions.
#[inline(always)]
unsafe fn combine_one<V: Vectors>(operation: Operation, a: V::Vector, b: V::Vector) -> V::Vector {
    // SAFETY: by the contract.
    let [result] = unsafe { combine::<V, 1>(operation, [a], [b]) };
    result
}

/// Loads a byte of each line of a vector that is loaded by whole lines. Processors look ahead sooner where every line is
/// loaded from twice: sums of 10⁶ floats take a tenth longer without.
///
/// # Safety
/// The vector may be read.
#[inline(always)]
unsafe fn touch<V: Vectors, T>(vector: *const T) {
    if const { reads_lines::<V, T>() } {
        for line in (0..V::LANES).step_by(Line::SIZE / size_of::<T>()) {
            // SAFETY: by the contract.
            unsafe { vector.add(line).cast::<u8>().read_volatile() };
        }
    }
}

/// Stores a vector, past the caches if it `streams`.
///
/// # Safety
/// As for [`Store::store`], or for [`Store::stream`].
#[inline(always)]
unsafe fn put<V: Vectors, R: Store<V>>(to: *mut R, values: V::Vector, streams: bool) {
    // SAFETY: by the contract.
    unsafe { if streams { R::stream(to, values) } else { R::store(to, values) } }
}

/// A row of an operand.
struct Row<T> {
    first: *const T,
    /// Elements to the next row, and to the next one of this row: none if it is repeated, or two.
    down: isize,
    across: isize,
}

impl<T> Row<T> {
    fn of(plane: Plane<*const u8>) -> Self {
        Row { first: plane.first.cast(), down: plane.down, across: plane.across }
    }

    #[inline(always)]
    fn next(self) -> Self {
        Row { first: self.first.wrapping_offset(self.down), ..self }
    }

    /// Asks for a row that is read soon, where rows are far from each other: no processor foresees where one begins.
    #[inline(always)]
    fn ask(&self, columns: usize) {
        /// Rows from the one that is read to the one that is asked for.
        const AHEAD: isize = 4;
        if self.across != 1 || self.down.unsigned_abs() <= columns {
            return;
        }
        let row = self.first.wrapping_offset(self.down.wrapping_mul(AHEAD));
        for at in (0..columns).step_by(Line::SIZE / size_of::<T>()) {
            prefetch(row.wrapping_add(at).cast(), false);
        }
    }

    /// A vector of the first element, for a row that repeats it.
    ///
    /// # Safety
    /// The row may be read, and this processor has the instructions.
    #[inline(always)]
    unsafe fn one<V: Vectors>(&self) -> V::Vector
    where
        T: Load<V>,
    {
        /// No vector of it lies in two lines of the caches.
        #[repr(align(64))]
        struct Copies<T>(MaybeUninit<[T; LANES]>);

        let mut copies = Copies::<T>(MaybeUninit::uninit());
        let place = copies.0.as_mut_ptr().cast::<T>();
        // SAFETY: by the contract; there is room for so many.
        unsafe {
            (0..LANES).for_each(|number| place.add(number).write(self.first.read_unaligned()));
            T::load(place)
        }
    }

    /// Loads a vector from element `at` on, behind which the row has another one. `one` is that of [`Row::one`].
    ///
    /// # Safety
    /// The row has so many elements, and this processor has the instructions.
    #[inline(always)]
    unsafe fn load<V: Vectors>(&self, at: usize, one: V::Vector) -> V::Vector
    where
        T: Load<V>,
    {
        // SAFETY: by the contract.
        unsafe {
            match self.across {
                0 => one,
                1 => T::load(self.first.add(at)),
                _ => {
                    let second = T::load(self.first.add(2 * at + V::LANES));
                    V::every_other::<false>(T::load(self.first.add(2 * at)), second)
                }
            }
        }
    }

    /// Loads a vector as [`Row::load`] does, with which the row may end.
    ///
    /// # Safety
    /// As for [`Row::load`], but for the element behind.
    #[inline(always)]
    unsafe fn last<V: Vectors>(&self, at: usize, one: V::Vector) -> V::Vector
    where
        T: Load<V>,
    {
        // SAFETY: by the contract.
        unsafe {
            match self.across {
                0 => one,
                1 => T::load(self.first.add(at)),
                _ => {
                    let second = T::load(self.first.add(2 * at + V::LANES - 1));
                    V::every_other::<true>(T::load(self.first.add(2 * at)), second)
                }
            }
        }
    }
}

/// Combines rows in blocks that a vector fits into.
///
/// # Safety
/// As for [`each`].
#[cold]
unsafe fn less_than_a_vector(
    pair: &Pair,
    [size_a, size_b, size]: [usize; 3],
    operation: Operation,
    again: Run,
) {
    let ([a, b], [rows, columns]) = (pair.operands, pair.counts);
    for row in 0..rows as isize {
        let wide = |operand: Plane<*const u8>, size: usize| {
            let mut wide = [0; ROOM];
            for (column, place) in (0..columns as isize).zip(wide.chunks_exact_mut(size)) {
                let number = row * operand.down + column * operand.across;
                // SAFETY: the element may be read.
                unsafe {
                    place.as_mut_ptr().copy_from(operand.first.offset(number * size as isize), size);
                }
            }
            wide
        };
        let (a, b, mut result) = (wide(a, size_a), wide(b, size_b), [0_u8; ROOM]);
        let operands = [&a, &b].map(|wide| Plane { first: wide.as_ptr(), down: 0, across: 1 });
        let out = Plane { first: result.as_mut_ptr(), down: 0, across: 1 };
        // SAFETY: each room holds the widest vector; the row may be written.
        unsafe {
            again(&Pair { operands, out, counts: [1, LANES], streams: false }, operation);
            let to = pair.out.first.offset(row * pair.out.down * size as isize);
            to.copy_from(result.as_ptr(), columns * size);
        }
    }
}

/// The loop of a pair.
pub(super) fn planar<V: Vectors, A: Load<V>, B: Load<V>, R: Store<V>>(operation: Operation) -> Planar {
    let sizes = [size_of::<A>(), size_of::<B>(), size_of::<R>()];
    Planar { run: V::compiled::<A, B, R>(), operation, sizes }
}

/// The loop of a pair, where there is one.
pub(super) fn pair<V>(operation: Operation, a: DType, b: DType, promoted: DType) -> Option<Planar>
where
    V: Vectors,
    f32: Load<V> + Store<V>,
    Half: Load<V> + Store<V>,
    BHalf: Load<V> + Store<V>,
    Truth: Load<V>,
    i32: Load<V>,
    i64: Load<V>,
    RoundedToHalf: Load<V>,
{
    macro_rules! pairs {
        ($($promoted:ident $a:ident $b:ident: $first:ty, $second:ty => $result:ty;)*) => {
            match (promoted, a, b) {
                $(($promoted, $a, $b) => planar::<V, $first, $second, $result>(operation),)*
                _ => return None,
            }
        };
    }
    Some(pairs! {
        F32 F32 F32: f32, f32 => f32;
        F32 F32 F16: f32, Half => f32;
        F32 F16 F32: Half, f32 => f32;
        F32 F32 BF16: f32, BHalf => f32;
        F32 BF16 F32: BHalf, f32 => f32;
        F32 F16 BF16: Half, BHalf => f32;
        F32 BF16 F16: BHalf, Half => f32;
        F32 F32 Bool: f32, Truth => f32;
        F32 Bool F32: Truth, f32 => f32;
        F32 F32 I32: f32, i32 => f32;
        F32 I32 F32: i32, f32 => f32;
        F32 F32 I64: f32, i64 => f32;
        F32 I64 F32: i64, f32 => f32;
        F16 F16 F16: Half, Half => Half;
        F16 F16 I32: Half, RoundedToHalf => Half;
        F16 I32 F16: RoundedToHalf, Half => Half;
        F16 F16 F32: Half, f32 => Half;
        BF16 BF16 BF16: BHalf, BHalf => BHalf;
        BF16 BF16 F32: BHalf, f32 => BHalf;
    })
}
