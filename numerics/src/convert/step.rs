//! Conversions in several steps, for the pairs of types that have no loop of their own.
//!
//! Every type has loops to and from a few others. A pair without one goes through a third type, block by block, so that
//! what lies between stays in the fastest cache. The number of loops to compile grows with the number of types and not
//! with its square.

use std::marker::PhantomData;

use super::level::{AnyLevel, Level};
use super::{Converter, copy_bytes};

/// A conversion that is put together when the program is compiled, since a [`Converter`] holds no values.
pub(crate) trait Step {
    /// Bytes of an element of the source.
    const FROM: usize;
    /// Bytes of an element of the target.
    const TO: usize;

    /// Returns the conversion as compiled for a level.
    fn at(level: Level) -> Converter;
}

/// `First`, and then `Second`.
pub(crate) struct Chain<First, Second>(PhantomData<(First, Second)>);

impl<First: Step, Second: Step> Step for Chain<First, Second> {
    const FROM: usize = First::FROM;
    const TO: usize = Second::TO;

    #[inline]
    fn at(level: Level) -> Converter {
        level.bound::<Self>()
    }
}

impl<First: Step, Second: Step> AnyLevel for Chain<First, Second> {
    #[inline(always)]
    fn run(level: Level, source: &[u8], target: &mut [u8]) {
        let sizes = const { [First::FROM, First::TO, Second::TO] };
        in_blocks(First::at(level), Second::at(level), sizes, source, target);
    }
}

/// A conversion of `PARTS` times as many elements, which are read as elements of `PARTS` parts.
pub(crate) struct Parts<One, const PARTS: usize>(PhantomData<One>);

impl<One: Step, const PARTS: usize> Step for Parts<One, PARTS> {
    const FROM: usize = One::FROM * PARTS;
    const TO: usize = One::TO * PARTS;

    #[inline]
    fn at(level: Level) -> Converter {
        level.bound::<Self>()
    }
}

impl<One: Step, const PARTS: usize> AnyLevel for Parts<One, PARTS> {
    #[inline(always)]
    fn run(level: Level, source: &[u8], target: &mut [u8]) {
        let count = (source.len() / Self::FROM).min(target.len() / Self::TO);
        if let (Some(source), Some(target)) =
            (source.get(..count * Self::FROM), target.get_mut(..count * Self::TO))
        {
            One::at(level)(source, target);
        }
    }
}

/// A copy of elements of type `A`.
pub(crate) struct Copy<A>(PhantomData<A>);

impl<A: bytemuck::Pod> Step for Copy<A> {
    const FROM: usize = size_of::<A>();
    const TO: usize = size_of::<A>();

    #[inline]
    fn at(_: Level) -> Converter {
        copy_bytes::<A>
    }
}

/// Bytes of a block between two steps.
const BLOCK: usize = 2048;

#[repr(align(64))]
struct Block([u8; BLOCK]);

// Compiled once, not into each chain.
#[inline(never)]
fn in_blocks(
    first: Converter,
    second: Converter,
    [from, between, to]: [usize; 3],
    source: &[u8],
    target: &mut [u8],
) {
    let count = BLOCK / between;
    let mut block = Block([0; BLOCK]);
    for (source, target) in source.chunks(count * from).zip(target.chunks_mut(count * to)) {
        let whole = source.len() / from * between;
        let block = block.0.get_mut(..whole).unwrap_or_default();
        first(source, block);
        second(block, target);
    }
}
