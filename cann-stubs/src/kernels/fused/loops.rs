//! The loop over two operands that are converted to vectors of f32.

use aclnn_numerics::DType::{self, *};

use super::super::arithmetic::{Binary, Operation};

/// Vectors of f32, and the instructions for them, which this processor must have where any of these functions runs.
pub(super) trait Vectors: Sized {
    type Vector: Copy;

    /// Elements of a vector.
    const LANES: usize;

    /// The loop of [`each`] as compiled for these instructions.
    fn compiled<A: Load<Self>, B: Load<Self>, R: Store<Self>, F: Combine<Self>>() -> Binary;
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

/// The most bytes of a vector of elements.
const ROOM: usize = 16 * size_of::<f32>();

/// Fills `out`. An operand of one element is repeated. `again` is this loop itself.
///
/// # Safety
/// This processor has the instructions.
#[inline(always)]
pub(super) unsafe fn each<V: Vectors, A: Load<V>, B: Load<V>, R: Store<V>, F: Combine<V>>(
    a: &[u8],
    b: &[u8],
    out: &mut [u8],
    again: Binary,
) {
    let (size, align) = (size_of::<R>(), V::LANES * size_of::<R>());
    let count = out.len() / size;
    let (mut one_a, mut one_b) = ([0; ROOM], [0; ROOM]);
    let (first_a, moves_a, count) = operand::<A>(a, count, &mut one_a);
    let (first_b, moves_b, count) = operand::<B>(b, count, &mut one_b);
    let Some(last) = count.checked_sub(V::LANES) else {
        let operands = [(a, size_of::<A>()), (b, size_of::<B>())];
        return less_than_a_vector(operands, (out, size), count, again);
    };
    let out = out.as_mut_ptr().cast::<R>();
    // From the second one on, no vector lies in two lines of the caches.
    let (mut at, mut next) = (0, (align - out.addr() % align) / size);
    loop {
        // SAFETY: a vector from any element up to `last` on lies in each block, or at the begin of one that is repeated;
        // the instructions are here by the contract.
        unsafe {
            let (a, b) = (A::load(first_a.add(at & moves_a)), B::load(first_b.add(at & moves_b)));
            R::store(out.add(at), F::combine(a, b));
        }
        if at == last {
            return;
        }
        // Some elements are computed twice where vectors overlap, at both ends.
        at = next.min(last);
        next += V::LANES;
    }
}

/// Where an operand is read, a mask for the numbers of its elements, and how many of `count` elements it has. One element
/// is repeated in `room`, and has no numbers.
#[inline(always)]
fn operand<T>(block: &[u8], count: usize, room: &mut [u8; ROOM]) -> (*const T, usize, usize) {
    let held = block.len() / size_of::<T>();
    if held != 1 {
        return (block.as_ptr().cast(), usize::MAX, count.min(held));
    }
    for copy in room.chunks_exact_mut(size_of::<T>()) {
        copy.copy_from_slice(&block[..size_of::<T>()]);
    }
    (room.as_ptr().cast(), 0, count)
}

/// Combines elements in blocks that a vector fits into.
#[cold]
fn less_than_a_vector(operands: [(&[u8], usize); 2], out: (&mut [u8], usize), count: usize, again: Binary) {
    if count == 0 {
        return;
    }
    let [a, b] = operands.map(|(block, size)| {
        let mut wide = [0; ROOM];
        let elements = block.chunks_exact(size).cycle();
        for (place, element) in wide.chunks_exact_mut(size).zip(elements) {
            place.copy_from_slice(element);
        }
        wide
    });
    let (mut result, len) = ([0; ROOM], count * out.1);
    again(&a, &b, &mut result);
    out.0[..len].copy_from_slice(&result[..len]);
}

/// The loop of a pair, where there is one.
pub(super) fn pair<V>(operation: Operation, a: DType, b: DType, promoted: DType) -> Option<Binary>
where
    V: Vectors,
    f32: Load<V> + Store<V>,
    Half: Load<V> + Store<V>,
    BHalf: Load<V> + Store<V>,
    Truth: Load<V>,
    i32: Load<V>,
    RoundedToHalf: Load<V>,
    Add: Combine<V>,
    Sub: Combine<V>,
    Mul: Combine<V>,
    Div: Combine<V>,
{
    macro_rules! pairs {
        ($($promoted:ident $a:ident $b:ident: $first:ty, $second:ty => $result:ty;)*) => {
            match (promoted, a, b) {
                $(($promoted, $a, $b) => match operation {
                    Operation::Add => V::compiled::<$first, $second, $result, Add>(),
                    Operation::Sub => V::compiled::<$first, $second, $result, Sub>(),
                    Operation::Mul => V::compiled::<$first, $second, $result, Mul>(),
                    Operation::Div => V::compiled::<$first, $second, $result, Div>(),
                    Operation::Rsub => return None,
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
        F16 F16 F16: Half, Half => Half;
        F16 F16 I32: Half, RoundedToHalf => Half;
        F16 I32 F16: RoundedToHalf, Half => Half;
        F16 F16 F32: Half, f32 => Half;
        BF16 BF16 BF16: BHalf, BHalf => BHalf;
        BF16 BF16 F32: BHalf, f32 => BHalf;
    })
}
