//! The loop over two operands that are converted to vectors of f32.

use aclnn_numerics::DType::{self, *};

use super::super::arithmetic::Operation;
use super::super::runs::Plane;
use super::planar::{Pair, Planar};

/// Vectors of f32, and the instructions for them, which this processor must have where any of these functions runs.
pub(super) trait Vectors: Sized {
    type Vector: Copy;

    /// Elements of a vector.
    const LANES: usize;

    /// The even elements of the first vector, and then those of the second: the odd ones if it is `SHIFTED`.
    ///
    /// # Safety
    /// This processor has the instructions.
    unsafe fn every_other<const SHIFTED: bool>(first: Self::Vector, second: Self::Vector) -> Self::Vector;

    /// The loop of [`each`] as compiled for these instructions.
    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>, F: Combine<Self>>() -> unsafe fn(&Pair);
}

/// An element that is loaded as f32.
pub(super) trait Load<V: Vectors> {
    /// # Safety
    /// A vector of elements may be read, of any alignment.
    unsafe fn load(from: *const Self) -> V::Vector;
}

/// An element that f32 is rounded to. A NaN among the values is quiet, as every result is.
pub(super) trait Store<V: Vectors> {
    /// # Safety
    /// A vector of elements may be written, of any alignment.
    unsafe fn store(to: *mut Self, values: V::Vector);

    /// # Safety
    /// As for [`Store::store`], at a multiple of the size of the vector. The store goes past the caches.
    unsafe fn stream(to: *mut Self, values: V::Vector);
}

/// One instruction of arithmetic. Of two NaNs it gives the first, quiet.
pub(super) trait Combine<V: Vectors> {
    /// # Safety
    /// This processor has the instructions.
    unsafe fn combine(a: V::Vector, b: V::Vector) -> V::Vector;
}

pub(super) struct Add;
pub(super) struct Sub;
pub(super) struct Mul;
pub(super) struct Div;

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

/// Vectors that are computed between two looks at how many are left.
const TOGETHER: usize = 4;

/// Copies of an element. No vector of them lies in two lines of the caches.
#[repr(align(64))]
struct Room([u8; ROOM]);

/// Combines a pair row by row. `again` is this loop itself.
///
/// # Safety
/// As for [`Planar::run`], and this processor has the instructions.
#[inline(always)]
pub(super) unsafe fn each<V: Vectors, A: Load<V>, B: Load<V>, R: Store<V>, F: Combine<V>>(
    pair: &Pair,
    again: unsafe fn(&Pair),
) {
    let ([a, b], [rows, columns]) = (pair.operands, pair.counts);
    let (size, align) = (size_of::<R>(), V::LANES * size_of::<R>());
    let Some(last) = columns.checked_sub(V::LANES) else {
        // SAFETY: by the contract.
        return unsafe { less_than_a_vector(pair, [size_of::<A>(), size_of::<B>(), size], again) };
    };
    // Past the caches go whole vectors, which are aligned if the elements are.
    let streams = pair.streams && pair.out.first.addr().is_multiple_of(size);
    // Such rows end before it pays to have as many vectors in one as its address asks for.
    let is_short = columns < SHORT * V::LANES && !streams;
    let (mut one_a, mut one_b) = (Room([0; ROOM]), Room([0; ROOM]));
    let (mut a, mut b) = (Row::<A>::of(a, &mut one_a), Row::<B>::of(b, &mut one_b));
    let mut out = pair.out.first.cast::<R>();
    for _ in 0..rows {
        // SAFETY: a vector from any element up to `last` on lies in each row, or in the copies of one that is repeated; the
        // instructions are here by the contract.
        unsafe {
            a.begin();
            b.begin();
            // None of the vectors between the ends of a long row lies in two lines of the caches; some elements are computed
            // twice where vectors overlap. What goes past the caches does so in whole lines, of which a row of a tile has few.
            let mut at = 0;
            let ahead = if is_short { 0 } else { out.addr() % align };
            if ahead > 0 {
                R::store(out, F::combine(a.load::<V, true>(0), b.load::<V, true>(0)));
                at = (align - ahead) / size;
            }
            if let (Some((mut a, step_a)), Some((mut b, step_b))) = (a.from::<V>(at), b.from::<V>(at)) {
                // The less there is to do for a vector, the more of the rows that follow does the processor ask for.
                while at + TOGETHER * V::LANES <= columns {
                    for number in 0..TOGETHER {
                        let (first, second) =
                            (A::load(a.add(number * step_a)), B::load(b.add(number * step_b)));
                        put::<V, R>(out.add(at + number * V::LANES), F::combine(first, second), streams);
                    }
                    (a, b) = (a.add(TOGETHER * step_a), b.add(TOGETHER * step_b));
                    at += TOGETHER * V::LANES;
                }
            }
            while at < last {
                let values = F::combine(a.load::<V, false>(at), b.load::<V, false>(at));
                put::<V, R>(out.add(at), values, streams);
                at += V::LANES;
            }
            if at < columns {
                let values = F::combine(a.load::<V, true>(last), b.load::<V, true>(last));
                put::<V, R>(out.add(last), values, streams && at == last);
            }
        }
        out = out.wrapping_offset(pair.out.down);
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

/// Where a row of an operand is read.
struct Row<T> {
    /// Where it begins, and where the next one does, `down` elements from there.
    next: *const T,
    down: isize,
    /// Where its elements are read, and where copies of one may lie.
    first: *const T,
    copies: *mut T,
    /// A mask for the numbers of its elements: copies of one that is repeated have no numbers.
    moves: usize,
    /// It has every other element.
    has_gaps: bool,
}

impl<T> Row<T> {
    /// The rows of a plane from the first one on. One element is repeated in `room`.
    #[inline(always)]
    fn of(plane: Plane<*const u8>, room: &mut Room) -> Self {
        let (next, copies) = (plane.first.cast::<T>(), room.0.as_mut_ptr().cast::<T>());
        let moves = if plane.across == 0 { 0 } else { usize::MAX };
        Row { next, down: plane.down, first: copies, copies, moves, has_gaps: plane.across == 2 }
    }

    /// Makes the next row the one that is read.
    ///
    /// # Safety
    /// The row may be read, and the room written.
    #[inline(always)]
    unsafe fn begin(&mut self) {
        if self.moves != 0 {
            self.first = self.next;
        } else {
            // SAFETY: by the contract; the room holds so many elements.
            unsafe {
                let copy = |number| self.copies.add(number).write_unaligned(self.next.read_unaligned());
                (0..LANES).for_each(copy);
            }
        }
        self.next = self.next.wrapping_offset(self.down);
    }

    /// Where the vector from element `at` on is read, and the elements from there to the next vector, unless it has every
    /// other element.
    ///
    /// # Safety
    /// The row has so many elements.
    #[inline(always)]
    unsafe fn from<V: Vectors>(&self, at: usize) -> Option<(*const T, usize)> {
        // SAFETY: by the contract.
        (!self.has_gaps).then(|| (unsafe { self.first.add(at & self.moves) }, V::LANES & self.moves))
    }

    /// Loads a vector from element `at` on, with which the row may end if it is `LAST`.
    ///
    /// # Safety
    /// The row has so many elements, and this processor has the instructions.
    #[inline(always)]
    unsafe fn load<V: Vectors, const LAST: bool>(&self, at: usize) -> V::Vector
    where
        T: Load<V>,
    {
        let at = at & self.moves;
        // SAFETY: by the contract; behind the last element there may be no other.
        unsafe {
            if !self.has_gaps {
                return T::load(self.first.add(at));
            }
            let second = T::load(self.first.add(2 * at + V::LANES - usize::from(LAST)));
            V::every_other::<LAST>(T::load(self.first.add(2 * at)), second)
        }
    }
}

/// Combines rows in blocks that a vector fits into.
///
/// # Safety
/// As for [`each`].
#[cold]
unsafe fn less_than_a_vector(pair: &Pair, [size_a, size_b, size]: [usize; 3], again: unsafe fn(&Pair)) {
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
            again(&Pair { operands, out, counts: [1, LANES], streams: false });
            let to = pair.out.first.offset(row * pair.out.down * size as isize);
            to.copy_from(result.as_ptr(), columns * size);
        }
    }
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
    Add: Combine<V>,
    Sub: Combine<V>,
    Mul: Combine<V>,
    Div: Combine<V>,
{
    macro_rules! pairs {
        ($($promoted:ident $a:ident $b:ident: $first:ty, $second:ty => $result:ty;)*) => {
            match (promoted, a, b) {
                $(($promoted, $a, $b) => Planar {
                    run: match operation {
                        Operation::Add => V::compiled::<$first, $second, $result, Add>(),
                        Operation::Sub => V::compiled::<$first, $second, $result, Sub>(),
                        Operation::Mul => V::compiled::<$first, $second, $result, Mul>(),
                        Operation::Div => V::compiled::<$first, $second, $result, Div>(),
                    },
                    sizes: [size_of::<$first>(), size_of::<$second>(), size_of::<$result>()],
                },)*
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
