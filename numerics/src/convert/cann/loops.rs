//! The loop of each pair of types.

use std::marker::PhantomData;

use bytemuck::{Pod, bytes_of, bytes_of_mut};

use super::rules::{Kind, Source, Target, Widened};
use crate::convert::convert_bytes;
use crate::convert::level::{Halves, Loop};

/// The conversion of Cast from `A` to `B`.
pub(super) struct Pair<A, B>(PhantomData<(A, B)>);

impl<A: Pod + Source, B: Pod + Source + Target> Loop for Pair<A, B> {
    const LEVELS: bool = !matches!((A::KIND, B::KIND), (Kind::Complex, _) | (_, Kind::Complex));

    type Settings = ();

    #[inline(always)]
    fn run(halves: impl Halves, _: &(), source: &[u8], target: &mut [u8]) {
        match const { (A::KIND, B::KIND) } {
            (Kind::F16, Kind::F32) => halves.widen(source, target),
            (Kind::F32, Kind::F16) => halves.narrow(source, target),
            (Kind::F16, Kind::Other) => from_f16::<B>(halves, source, target),
            (Kind::Other, Kind::F16) => to_f16::<A>(halves, source, target),
            _ => convert_bytes(source, target, |value: A| B::of(value)),
        }
    }
}

/// The number of f32 between the two steps of a conversion.
const BLOCK: usize = 256;

#[inline(always)]
fn from_f16<B: Pod + Target>(halves: impl Halves, source: &[u8], target: &mut [u8]) {
    let mut widened = [0f32; BLOCK];
    for (from, to) in source.chunks(BLOCK * 2).zip(target.chunks_mut(BLOCK * size_of::<B>())) {
        let widened = bytes_of_mut(&mut widened);
        halves.widen(from, widened);
        let whole = from.len() / 2 * size_of::<f32>();
        convert_bytes(widened.get(..whole).unwrap_or_default(), to, |value: f32| B::of(Widened(value)));
    }
}

/// Every real type is converted to f16 through f32.
#[inline(always)]
fn to_f16<A: Pod + Source>(halves: impl Halves, source: &[u8], target: &mut [u8]) {
    let mut singles = [0f32; BLOCK];
    for (from, to) in source.chunks(BLOCK * size_of::<A>()).zip(target.chunks_mut(BLOCK * 2)) {
        convert_bytes(from, bytes_of_mut(&mut singles), |value: A| value.to_f32());
        let whole = from.len() / size_of::<A>() * size_of::<f32>();
        halves.narrow(bytes_of(&singles).get(..whole).unwrap_or_default(), to);
    }
}

#[cfg(test)]
mod tests {
    use crate::convert::cann::converter_on_at;
    use crate::convert::levels::compare;
    use crate::product::Product;

    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        compare(|level, from, to| converter_on_at(level, Product::Ascend950, from, to));
    }
}
