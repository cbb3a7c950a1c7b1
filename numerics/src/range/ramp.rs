//! The loops that make numbers from their indices, compiled for several instruction sets.

use std::marker::PhantomData;

use bytemuck::{Pod, bytes_of, cast_slice, cast_slice_mut};
use half::{bf16, f16};

use crate::convert::level::{Halves, Level, Levels, Loop};
use crate::convert::{Converter, convert_bytes, round};

/// Floats, `base` plus or less `step` times an index; product and result are each rounded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Ramp<V> {
    pub(super) base: V,
    pub(super) step: V,
    /// The index of the first number.
    pub(super) first: usize,
}

impl<V: Float> Ramp<V> {
    /// Returns base and step for sums. If both are NaN, the sum has the payload of the base; left to itself, the compiler
    /// exchanges the operands of a sum as suits the instructions.
    #[inline(always)]
    fn terms(&self) -> (V, V) {
        (self.base, if self.base.is_nan() { V::zeroed() } else { self.step })
    }
}

impl Ramp<f32> {
    /// Returns whether all numbers are zero, normal or infinite: they are sums of multiples of 2⁻¹²⁶.
    #[inline(always)]
    fn is_normal(&self) -> bool {
        /// The least number of which all 24 bits are multiples of 2⁻¹²⁶.
        const LEAST: f32 = f32::MIN_POSITIVE * (1 << 23) as f32;
        let is_multiple = |value: f32| value == 0.0 || value.is_finite() && value.abs() >= LEAST;
        is_multiple(self.base) && is_multiple(self.step)
    }
}

pub(super) trait Float: Pod {
    fn is_nan(self) -> bool;
}

/// `base + step · index`, the index counting up; `T` is the type of the elements.
struct Up<T>(PhantomData<T>);

/// `base − step · index`, the index counting down.
struct Down<V>(PhantomData<V>);

/// `value + i · step`, modulo a power of two.
struct Count<V>(PhantomData<V>);

/// Writes elements from their indices; `small` takes those that fit into i32, which convert in vectors.
#[inline(always)]
fn put<T: Pod>(target: &mut [u8], first: usize, small: impl Fn(i32) -> T, large: impl Fn(usize) -> T) {
    let slots = target.chunks_exact_mut(size_of::<T>());
    match i32::try_from(first.saturating_add(slots.len())) {
        Ok(end) => {
            let mut index = end - slots.len() as i32;
            for slot in slots {
                slot.copy_from_slice(bytes_of(&small(index)));
                index = index.wrapping_add(1);
            }
        }
        Err(_) => {
            let mut index = first;
            for slot in slots {
                slot.copy_from_slice(bytes_of(&large(index)));
                index = index.wrapping_add(1);
            }
        }
    }
}

macro_rules! floats {
    ($($type:ty)*) => {$(
        impl Float for $type {
            #[inline(always)]
            fn is_nan(self) -> bool {
                self.is_nan()
            }
        }

        impl Loop for Up<$type> {
            const LEVELS: Levels = Levels::Both;

            type Settings = Ramp<$type>;

            #[inline(always)]
            fn run(_: impl Halves, ramp: &Ramp<$type>, _: &[u8], target: &mut [u8]) {
                let ((base, step), first) = (ramp.terms(), ramp.first);
                put(target, first, |i| base + step * i as $type, |i| base + step * i as $type);
            }
        }

        impl Loop for Down<$type> {
            const LEVELS: Levels = Levels::Avx2;

            type Settings = Ramp<$type>;

            #[inline(always)]
            fn run(_: impl Halves, ramp: &Ramp<$type>, _: &[u8], target: &mut [u8]) {
                let Ramp { base, step, first } = *ramp;
                // The indices, counted up from zero, are how far the index went down.
                match i32::try_from(first) {
                    Ok(first) => {
                        put(target, 0, |i| base - step * (first - i) as $type, |_| base);
                    }
                    Err(_) => {
                        let element = |i: usize| base - step * (first - i) as $type;
                        put(target, 0, |i| element(i as usize), element);
                    }
                }
            }
        }
    )*};
}

floats! { f32 f64 }

impl Loop for Up<bf16> {
    const LEVELS: Levels = Levels::All;

    type Settings = Ramp<f32>;

    #[inline(always)]
    fn run(halves: impl Halves, ramp: &Ramp<f32>, _: &[u8], target: &mut [u8]) {
        let ((base, step), first) = (ramp.terms(), ramp.first);
        let element = |index: f32| base + step * index;
        if ramp.is_normal() {
            rounded(target, first, element, |singles, target| halves.narrow_normal(singles, target));
        } else {
            rounded(target, first, element, |singles, target| {
                convert_bytes(singles, target, |single: f32| round::bf16_from_f32(single))
            });
        }
    }
}

impl Loop for Up<f16> {
    const LEVELS: Levels = Levels::Both;

    type Settings = Ramp<f32>;

    #[inline(always)]
    fn run(halves: impl Halves, ramp: &Ramp<f32>, _: &[u8], target: &mut [u8]) {
        let ((base, step), first) = (ramp.terms(), ramp.first);
        let near = target.len().min(EXACT.saturating_sub(first).saturating_mul(size_of::<f16>()));
        let written = halves.ramp([base, step], first, &mut target[..near]);
        let (target, first) = (&mut target[written * size_of::<f16>()..], first.wrapping_add(written));
        let element = |index: f32| base + step * index;
        rounded(target, first, element, |singles, target| halves.narrow(singles, target));
    }
}

/// Indices up to here are f32.
const EXACT: usize = 1 << f32::MANTISSA_DIGITS;

/// The numbers that are rounded together, of which the loops are too long to be unrolled before they become vectors.
const TOGETHER: usize = 128;

/// Writes f32 numbers, rounded to halves, from their indices.
#[inline(always)]
fn rounded(target: &mut [u8], first: usize, element: impl Fn(f32) -> f32, round: impl Fn(&[u8], &mut [u8])) {
    const OFFSETS: [f32; TOGETHER] = {
        let mut offsets = [0.0; TOGETHER];
        let mut offset = 0;
        while offset < TOGETHER {
            offsets[offset] = offset as f32;
            offset += 1;
        }
        offsets
    };
    let mut singles = [0f32; TOGETHER];
    for (number, target) in target.chunks_mut(TOGETHER * size_of::<f16>()).enumerate() {
        let first = first.wrapping_add(number * TOGETHER);
        if first <= EXACT - TOGETHER {
            let first = first as f32;
            for (single, offset) in singles.iter_mut().zip(&OFFSETS) {
                *single = element(first + offset);
            }
        } else {
            put(cast_slice_mut(&mut singles), first, |i| element(i as f32), |i| element(i as f32));
        }
        round(cast_slice(&singles), target);
    }
}

macro_rules! integers {
    ($($type:ty: $levels:ident;)*) => {$(
        impl Loop for Count<$type> {
            const LEVELS: Levels = Levels::$levels;

            type Settings = ($type, $type);

            #[inline(always)]
            fn run(_: impl Halves, &(mut value, step): &($type, $type), _: &[u8], target: &mut [u8]) {
                for slot in target.chunks_exact_mut(size_of::<$type>()) {
                    slot.copy_from_slice(bytes_of(&value));
                    value = value.wrapping_add(step);
                }
            }
        }
    )*};
}

integers! { u8: Avx2; u16: Avx2; u32: Avx2; u64: Both; }

/// The type of elements that are made of f32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Short {
    F32,
    F16,
    BF16,
}

/// Writes `base + step · index`, rounded once to the type of the elements.
#[inline]
pub(super) fn up_f32(level: Level, ramp: Ramp<f32>, out: Short, target: &mut [u8]) {
    match out {
        Short::F32 => level.compiled::<Up<f32>>()(&ramp, &[], target),
        Short::F16 => level.compiled::<Up<f16>>()(&ramp, &[], target),
        Short::BF16 => level.compiled::<Up<bf16>>()(&ramp, &[], target),
    }
}

/// Writes `base + step · index`.
#[inline]
pub(super) fn up_f64(level: Level, ramp: Ramp<f64>, target: &mut [u8]) {
    level.compiled::<Up<f64>>()(&ramp, &[], target);
}

/// Writes `base − step · index`.
#[inline]
pub(super) fn down_f32(level: Level, ramp: Ramp<f32>, target: &mut [u8]) {
    level.compiled::<Down<f32>>()(&ramp, &[], target);
}

/// Writes `base − step · index`.
#[inline]
pub(super) fn down_f64(level: Level, ramp: Ramp<f64>, target: &mut [u8]) {
    level.compiled::<Down<f64>>()(&ramp, &[], target);
}

/// Writes the low `bits` of `start + index · step`.
#[inline]
pub(super) fn count(level: Level, [start, step]: [i64; 2], first: usize, bits: usize, target: &mut [u8]) {
    let value = start.wrapping_add(step.wrapping_mul(first as i64));
    match bits {
        8 => level.compiled::<Count<u8>>()(&(value as u8, step as u8), &[], target),
        16 => level.compiled::<Count<u16>>()(&(value as u16, step as u16), &[], target),
        32 => level.compiled::<Count<u32>>()(&(value as u32, step as u32), &[], target),
        _ => level.compiled::<Count<u64>>()(&(value as u64, step as u64), &[], target),
    }
}

/// Writes f32 numbers block by block, and what they are converted to. `make` gets the offset of a block.
pub(super) fn converted(
    convert: Converter,
    size: usize,
    target: &mut [u8],
    mut make: impl FnMut(usize, &mut [f32]),
) {
    const BLOCK: usize = 256;
    let mut singles = [0f32; BLOCK];
    for (block, target) in target.chunks_mut(BLOCK * size).enumerate() {
        let singles = singles.get_mut(..target.len() / size).unwrap_or_default();
        make(block * BLOCK, singles);
        convert(bytemuck::cast_slice(singles), target);
    }
}
