//! Comparison of the levels of this machine with the plain one, for tests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use super::level::Level;
use crate::dtype::DType;

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

/// A test without optimisation takes one in so many of the samples of wide types.
pub(super) const SHARE: usize = if cfg!(debug_assertions) { 7 } else { 1 };

/// Returns every code of a type of up to 16 bits; of a wider one random codes, small numbers and the neighbours of
/// every fifth bf16 and f16, of the ties after them and of the powers of two.
fn samples(dtype: DType) -> Vec<u8> {
    let mut bits = Bits(1);
    let f32_near_short = || {
        (0..=u16::MAX).step_by(5).flat_map(|code| {
            let f16 = half::f16::from_bits(code).to_f32().to_bits();
            let bf16 = u32::from(code) << 16;
            let near =
                |base: u32, tie: u32| [0, 1, tie - 1, tie, tie + 1].map(|step| base.wrapping_add(step));
            near(f16, 0x1000).into_iter().chain(near(bf16, 0x8000))
        })
    };
    let wide: Vec<u64> = (0..10_000)
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
            all.step_by(SHARE).flat_map(u32::to_le_bytes).collect()
        }
        64 if dtype == DType::F64 => {
            let numbers = wide.iter().map(|&bits| (bits.cast_signed() as f64).to_bits());
            let singles = wide.iter().map(|&bits| bits as u32).chain(f32_near_short());
            let singles = singles.step_by(3 * SHARE).flat_map(|single| {
                let bits = f64::from(f32::from_bits(single)).to_bits();
                // The last one is a tie between two f32.
                [bits, bits.wrapping_sub(1), bits + 1, bits + (1 << 28)]
            });
            wide.iter().copied().chain(numbers).chain(singles).flat_map(u64::to_le_bytes).collect()
        }
        _ => wide.iter().flat_map(|bits| bits.to_le_bytes()).collect(),
    }
}

fn converted(convert: &impl Fn(&[u8], &mut [u8]), source: &[u8], len: usize) -> Vec<u8> {
    // Unaligned, as the source is.
    let mut target = vec![0xA5; len + 1];
    convert(source, &mut target[1..]);
    assert_eq!(target.remove(0), 0xA5);
    target
}

/// Compares the conversions that `find` returns, of every pair, at every level of this machine with the plain level: bit
/// for bit, on whole slices and on lengths around those of vectors.
pub(super) fn compare<C: Fn(&[u8], &mut [u8])>(find: impl Fn(Level, DType, DType) -> Option<C>) {
    for &from in DType::ALL {
        let mut values = vec![0xEE];
        values.extend(samples(from));
        let values = &values[1..];
        for &to in DType::ALL {
            let Some(plain) = find(Level::PLAIN, from, to) else { continue };
            let (n, m) = (from.bits().div_ceil(8), to.bits().div_ceil(8));
            let whole = converted(&plain, values, values.len() / n * m);
            for level in Level::all() {
                let convert = find(level, from, to).unwrap();
                let got = converted(&convert, values, whole.len());
                if got != whole {
                    let at = got.chunks(m).zip(whole.chunks(m)).position(|(got, want)| got != want).unwrap();
                    let (value, got, want) =
                        (&values[at * n..][..n], &got[at * m..][..m], &whole[at * m..][..m]);
                    panic!("{level:?}: {from} {value:02x?} to {to}: {got:02x?}, not {want:02x?}");
                }
                for len in 0..70 {
                    // The source ends in a part of an element; the target has room for more.
                    let part = &values[n * 3..][..len * n + n - 1];
                    let got = converted(&convert, part, 80 * m);
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
