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

    #[inline(always)]
    fn run(halves: impl Halves, source: &[u8], target: &mut [u8]) {
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
    use crate::convert::Converter;
    use crate::convert::cann::converter_on_at;
    use crate::convert::level::Level;
    use crate::dtype::DType;
    use crate::product::Product;

    /// A generator of bits (splitmix64).
    struct Bits(u64);

    impl Bits {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ mixed >> 31
        }
    }

    /// Returns every code of a type of up to 16 bits; of a wider one random codes, small numbers and the neighbours of
    /// every bf16 and f16, of the ties between them and of the powers of two.
    fn samples(dtype: DType) -> Vec<u8> {
        let mut bits = Bits(1);
        let f32_near_short = || {
            (0..=u16::MAX).flat_map(|code| {
                let f16 = half::f16::from_bits(code).to_f32().to_bits();
                let bf16 = u32::from(code) << 16;
                let near =
                    |base: u32, tie: u32| [0, 1, tie - 1, tie, tie + 1].map(|step| base.wrapping_add(step));
                near(f16, 0x1000).into_iter().chain(near(bf16, 0x8000))
            })
        };
        let wide: Vec<u64> = (0..20_000)
            .flat_map(|i| {
                let random = bits.next();
                [random, (random.cast_signed() >> (i % 64)).cast_unsigned()]
            })
            .chain((0..64).flat_map(|shift| {
                let power = 1u64 << shift;
                [power - 1, power, power + 1, power.wrapping_neg(), (!power).wrapping_add(2), !power]
            }))
            .collect();
        match dtype.bits() {
            ..=8 => (0..=255).collect(),
            16 => (0..=u16::MAX).flat_map(u16::to_le_bytes).collect(),
            32 if dtype == DType::C32 => wide.iter().flat_map(|&bits| (bits as u32).to_le_bytes()).collect(),
            32 => {
                let numbers = wide.iter().map(|&bits| (bits.cast_signed() as f32).to_bits());
                let all = wide.iter().map(|&bits| bits as u32).chain(numbers).chain(f32_near_short());
                all.flat_map(u32::to_le_bytes).collect()
            }
            64 if dtype == DType::F64 => {
                let numbers = wide.iter().map(|&bits| (bits.cast_signed() as f64).to_bits());
                let singles = wide.iter().map(|&bits| bits as u32).chain(f32_near_short());
                let singles = singles.step_by(7).flat_map(|single| {
                    let bits = f64::from(f32::from_bits(single)).to_bits();
                    // The last one is a tie between two f32.
                    [bits, bits.wrapping_sub(1), bits + 1, bits + (1 << 28)]
                });
                wide.iter().copied().chain(numbers).chain(singles).flat_map(u64::to_le_bytes).collect()
            }
            _ => wide.iter().flat_map(|bits| bits.to_le_bytes()).collect(),
        }
    }

    fn converted(convert: Converter, source: &[u8], len: usize) -> Vec<u8> {
        // Unaligned, as the source is.
        let mut target = vec![0xA5; len + 1];
        convert(source, &mut target[1..]);
        assert_eq!(target.remove(0), 0xA5);
        target
    }

    /// Cast of every pair, at every level of this machine against the plain level: bit for bit, on whole slices and on
    /// lengths around those of vectors.
    #[test]
    fn every_instruction_set_gives_the_same_bits() {
        for &from in DType::ALL {
            let mut values = vec![0xEE];
            values.extend(samples(from));
            let values = &values[1..];
            for &to in DType::ALL {
                let find = |level| converter_on_at(level, Product::Ascend950, from, to);
                let Some(plain) = find(Level::PLAIN) else { continue };
                let (n, m) = (from.bits().div_ceil(8), to.bits().div_ceil(8));
                let whole = converted(plain, values, values.len() / n * m);
                for level in Level::all() {
                    let convert = find(level).unwrap();
                    let got = converted(convert, values, whole.len());
                    if got != whole {
                        let at =
                            got.chunks(m).zip(whole.chunks(m)).position(|(got, want)| got != want).unwrap();
                        let (value, got, want) =
                            (&values[at * n..][..n], &got[at * m..][..m], &whole[at * m..][..m]);
                        panic!("{level:?}: {from} {value:02x?} to {to}: {got:02x?}, not {want:02x?}");
                    }
                    for len in 0..70 {
                        // The source ends in a part of an element; the target has room for more.
                        let part = &values[n * 3..][..len * n + n - 1];
                        let got = converted(convert, part, 80 * m);
                        assert_eq!(
                            got[..len * m],
                            whole[m * 3..][..len * m],
                            "{level:?}: {len} of {from} to {to}"
                        );
                        assert!(
                            got[len * m..].iter().all(|&byte| byte == 0xA5),
                            "{level:?}: {len} of {from} to {to}"
                        );
                    }
                }
            }
        }
    }
}
