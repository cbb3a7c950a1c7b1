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

/// Combines as many elements as all three blocks hold. `again` is this loop itself.
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
    let sizes = [size_of::<A>(), size_of::<B>(), size_of::<R>()];
    let count = (a.len() / sizes[0]).min(b.len() / sizes[1]).min(out.len() / sizes[2]);
    let Some(last) = count.checked_sub(V::LANES) else {
        return less_than_a_vector(a, b, out, sizes, count, again);
    };
    let (a, b, out) = (a.as_ptr().cast::<A>(), b.as_ptr().cast::<B>(), out.as_mut_ptr().cast::<R>());
    let mut at = 0;
    loop {
        // SAFETY: a vector from any element up to `last` on lies in each block, and the instructions are here by the
        // contract.
        unsafe { R::store(out.add(at), F::combine(A::load(a.add(at)), B::load(b.add(at)))) };
        if at == last {
            return;
        }
        // The last vector may compute some elements once more.
        at = (at + V::LANES).min(last);
    }
}

/// Combines elements in blocks that a vector fits into.
#[cold]
fn less_than_a_vector(a: &[u8], b: &[u8], out: &mut [u8], sizes: [usize; 3], count: usize, again: Binary) {
    const ROOM: usize = 16 * size_of::<f32>();
    if count == 0 {
        return;
    }
    let (mut wide_a, mut wide_b, mut wide_out) = ([0; ROOM], [0; ROOM], [0; ROOM]);
    let [size_a, size_b, size_out] = sizes;
    wide_a[..count * size_a].copy_from_slice(&a[..count * size_a]);
    wide_b[..count * size_b].copy_from_slice(&b[..count * size_b]);
    again(&wide_a, &wide_b, &mut wide_out);
    out[..count * size_out].copy_from_slice(&wide_out[..count * size_out]);
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
