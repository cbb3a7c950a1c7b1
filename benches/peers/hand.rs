//! The items as loops that somebody would write for them by hand: conversion and arithmetic in one pass, with AVX2 and
//! F16C, one simple loop for each.
//!
//! Loops over elements are left to the compiler, which makes vectors of them. It has no instruction for f16 in them, so
//! loops with f16 take eight elements at a time; the memory has whole lines, so nothing is left over.

use std::arch::x86_64::{
    __m128i, __m256, _mm_loadu_si128, _mm_storeu_si128, _mm256_add_ps, _mm256_castsi256_ps,
    _mm256_cvtepi32_ps, _mm256_cvtepu16_epi32, _mm256_cvtph_ps, _mm256_cvtps_ph, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_set1_ps, _mm256_setr_ps, _mm256_slli_epi32, _mm256_storeu_ps,
};

use bytemuck::Pod;

use super::Result;
use super::items::Item;
use super::memory::Memory;
use super::subject::{Peer, Run};

/// Computes an item of a shape.
type Loop = unsafe fn(&[Memory], &mut Memory, &[usize]);

pub(crate) fn peer() -> Peer {
    Peer { name: "by hand", version: "Rust, AVX2 and F16C".to_owned(), prepare }
}

pub(crate) fn runs_here() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c")
}

struct ByHand {
    compute: Loop,
    inputs: Vec<Memory>,
    out: Memory,
    shape: Vec<usize>,
    bytes: usize,
}

impl Run for ByHand {
    fn run(&mut self) -> Result<()> {
        // SAFETY: `runs_here` says that the processor has the instructions.
        unsafe { (self.compute)(&self.inputs, &mut self.out, &self.shape) };
        Ok(())
    }

    fn result(&mut self) -> Result<Vec<u8>> {
        Ok(self.out.elements()[..self.bytes].to_vec())
    }
}

fn prepare(item: &Item, shape: &[usize], inputs: &[Vec<u8>]) -> Option<Box<dyn Run>> {
    let (_, bytes) = item.bytes(shape);
    Some(Box::new(ByHand {
        compute: compute(item.name)?,
        inputs: inputs.iter().map(|bytes| Memory::filled(bytes)).collect(),
        out: Memory::new(bytes),
        shape: shape.to_vec(),
        bytes,
    }))
}

/// Declares the loops by the names of their items.
macro_rules! loops {
    ($($name:literal => |$inputs:ident, $out:ident, $shape:ident| $body:expr;)*) => {
        fn compute(item: &str) -> Option<Loop> {
            Some(match item {
                $($name => {
                    #[target_feature(enable = "avx2,f16c")]
                    fn compute($inputs: &[Memory], $out: &mut Memory, $shape: &[usize]) {
                        $body
                    }
                    compute
                })*
                _ => return None,
            })
        }
    };
}

loops! {
    "f32 + f32" => |inputs, out, _shape| add(inputs, out, |a: f32, b: f32| a + b);
    "f16 + f32" => |inputs, out, _shape| add8(inputs, out, |a, b, out| from_f32(sum(f16(a), f32(b)), out));
    "bf16 + f32" => |inputs, out, _shape| add(inputs, out, |a: u16, b: f32| bf16_to_f32(a) + b);
    "f16 + bf16" => |inputs, out, _shape| add8(inputs, out, |a, b, out| from_f32(sum(f16(a), bf16(b)), out));
    "s32 + f16" => |inputs, out, _shape| {
        add8(inputs, out, |a, b, out| to_f16(sum(s32_as_f16(a), f16(b)), out));
    };
    "f16 + f16" => |inputs, out, _shape| add8(inputs, out, |a, b, out| to_f16(sum(f16(a), f16(b)), out));
    "bf16 + bf16" => |inputs, out, _shape| add(inputs, out, |a, b| f32_to_bf16(bf16_to_f32(a) + bf16_to_f32(b)));
    "bool + f32" => |inputs, out, _shape| add(inputs, out, |a: u8, b: f32| f32::from(a) + b);
    "s8 + u8" => |inputs, out, _shape| add(inputs, out, |a: i8, b: u8| i16::from(a) + i16::from(b));
    "s64 · f32" => |inputs, out, _shape| add(inputs, out, |a: i64, b: f32| a as f32 * b);
    "f32 [N,1] + [1,M]" => |inputs, out, shape| {
        let (column, row) = (inputs[0].elements::<f32>(), inputs[1].elements::<f32>());
        for (a, out) in column.iter().zip(rows(out, shape)) {
            for (out, b) in out.iter_mut().zip(row) {
                *out = a + b;
            }
        }
    };
    "f32 [N,M] + [M]" => |inputs, out, shape| {
        let (whole, row) = (inputs[0].elements::<f32>(), inputs[1].elements::<f32>());
        for (a, out) in whole.chunks_exact(shape[1]).zip(rows(out, shape)) {
            for ((out, a), b) in out.iter_mut().zip(a).zip(row) {
                *out = a + b;
            }
        }
    };
    "f32 + f32 transposed" => |inputs, out, shape| add_transposed(inputs, out, shape, |a: &[f32; 8], out| *out = *a);
    "f16 + f32 transposed" => |inputs, out, shape| add_transposed(inputs, out, shape, |a, out| from_f32(f16(a), out));
    "f32 + f32 every other" => |inputs, out, _shape| {
        let (a, b) = (inputs[0].elements::<[f32; 2]>(), inputs[1].elements::<[f32; 2]>());
        for ((out, a), b) in out.elements_mut::<f32>().iter_mut().zip(a).zip(b) {
            *out = a[0] + b[0];
        }
    };
    "f32 → f16" => |inputs, out, _shape| cast8(inputs, out, |a, out| to_f16(f32(a), out));
    "f16 → f32" => |inputs, out, _shape| cast8(inputs, out, |a, out| from_f32(f16(a), out));
    "f32 → bf16" => |inputs, out, _shape| cast(inputs, out, f32_to_bf16);
    "bf16 → f32" => |inputs, out, _shape| cast(inputs, out, bf16_to_f32);
    "f32 → f8e4m3" => |inputs, out, _shape| cast(inputs, out, f32_to_f8::<3, -6, 0x7e>);
    "f8e4m3 → f32" => |inputs, out, _shape| cast(inputs, out, f8_to_f32::<3, -6>);
    "f32 → f8e5m2" => |inputs, out, _shape| cast(inputs, out, f32_to_f8::<2, -14, 0x7c>);
    "f8e5m2 → f32" => |inputs, out, _shape| cast(inputs, out, f8_to_f32::<2, -14>);
    "f32 → s8" => |inputs, out, _shape| cast(inputs, out, |a: f32| f32_to_i32(a) as i8);
    "f32 → bool" => |inputs, out, _shape| cast(inputs, out, |a: f32| u8::from(a != 0.0));
    "f64 → f32" => |inputs, out, _shape| cast(inputs, out, |a: f64| a as f32);
    "s64 → f32" => |inputs, out, _shape| cast(inputs, out, |a: i64| a as f32);
    "range f32" => |_inputs, out, _shape| range(out, |index| index as u32 as f32);
    "range s64" => |_inputs, out, _shape| range(out, |index| index as i64);
    "range f16" => |_inputs, out, _shape| {
        for (block, out) in out.elements_mut::<[u16; 8]>().iter_mut().enumerate() {
            to_f16(eight_steps(8 * block), out);
        }
    };
    "range bf16" => |_inputs, out, _shape| range(out, |index| f32_to_bf16(index as u32 as f32 / 1024.0));
}

// Loops.

#[inline(always)]
fn add<A: Pod, B: Pod, O: Pod>(inputs: &[Memory], out: &mut Memory, compute: impl Fn(A, B) -> O) {
    let (a, b) = (inputs[0].elements(), inputs[1].elements());
    for ((out, &a), &b) in out.elements_mut().iter_mut().zip(a).zip(b) {
        *out = compute(a, b);
    }
}

#[inline(always)]
fn add8<A: Pod, B: Pod, O: Pod>(
    inputs: &[Memory],
    out: &mut Memory,
    compute: impl Fn(&[A; 8], &[B; 8], &mut [O; 8]),
) {
    let (a, b) = (inputs[0].elements(), inputs[1].elements());
    for ((out, a), b) in out.elements_mut().iter_mut().zip(a).zip(b) {
        compute(a, b, out);
    }
}

#[inline(always)]
fn cast<A: Pod, O: Pod>(inputs: &[Memory], out: &mut Memory, compute: impl Fn(A) -> O) {
    for (out, &a) in out.elements_mut().iter_mut().zip(inputs[0].elements()) {
        *out = compute(a);
    }
}

#[inline(always)]
fn cast8<A: Pod, O: Pod>(inputs: &[Memory], out: &mut Memory, compute: impl Fn(&[A; 8], &mut [O; 8])) {
    for (out, a) in out.elements_mut().iter_mut().zip(inputs[0].elements()) {
        compute(a, out);
    }
}

#[inline(always)]
fn range<O: Pod>(out: &mut Memory, compute: impl Fn(usize) -> O) {
    for (index, out) in out.elements_mut().iter_mut().enumerate() {
        *out = compute(index);
    }
}

fn rows<'a>(out: &'a mut Memory, shape: &[usize]) -> impl Iterator<Item = &'a mut [f32]> {
    out.elements_mut().chunks_exact_mut(shape[1]).take(shape[0])
}

/// Adds in tiles, each of which is transposed in the first cache. The sides are powers of two from 16 on.
#[inline(always)]
fn add_transposed<A: Pod>(
    inputs: &[Memory],
    out: &mut Memory,
    shape: &[usize],
    widen: impl Fn(&[A; 8], &mut [f32; 8]),
) {
    const TILE: usize = 16;
    let (a, b, out) =
        (inputs[0].elements::<[A; 8]>(), inputs[1].elements::<f32>(), out.elements_mut::<[f32; 8]>());
    let side = shape[0];
    let mut tile = [[0f32; TILE]; TILE];
    for top in (0..side).step_by(TILE) {
        for left in (0..side).step_by(TILE) {
            for (column, values) in b[left * side..].chunks(side).take(TILE).enumerate() {
                for (row, value) in values[top..top + TILE].iter().enumerate() {
                    tile[row][column] = *value;
                }
            }
            for (row, values) in tile.iter().enumerate() {
                let at = ((top + row) * side + left) / 8;
                for (block, values) in values.chunks_exact(8).enumerate() {
                    let mut wide = [0f32; 8];
                    widen(&a[at + block], &mut wide);
                    for ((out, a), b) in out[at + block].iter_mut().zip(wide).zip(values) {
                        *out = a + b;
                    }
                }
            }
        }
    }
}

// Eight elements at a time.

#[target_feature(enable = "avx2,f16c")]
fn f32(from: &[f32; 8]) -> __m256 {
    // SAFETY: eight elements.
    unsafe { _mm256_loadu_ps(from.as_ptr()) }
}

#[target_feature(enable = "avx2,f16c")]
fn f16(from: &[u16; 8]) -> __m256 {
    // SAFETY: eight elements.
    _mm256_cvtph_ps(unsafe { _mm_loadu_si128(from.as_ptr().cast()) })
}

#[target_feature(enable = "avx2,f16c")]
fn bf16(from: &[u16; 8]) -> __m256 {
    // SAFETY: eight elements.
    let bits: __m128i = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits)))
}

/// Returns integers as f16, in whose precision CANN adds them to f16.
#[target_feature(enable = "avx2,f16c")]
fn s32_as_f16(from: &[i32; 8]) -> __m256 {
    // SAFETY: eight elements.
    let integers = unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
    _mm256_cvtph_ps(_mm256_cvtps_ph::<0>(_mm256_cvtepi32_ps(integers)))
}

#[target_feature(enable = "avx2,f16c")]
fn sum(a: __m256, b: __m256) -> __m256 {
    _mm256_add_ps(a, b)
}

#[target_feature(enable = "avx2,f16c")]
fn from_f32(value: __m256, to: &mut [f32; 8]) {
    // SAFETY: eight elements.
    unsafe { _mm256_storeu_ps(to.as_mut_ptr(), value) }
}

#[target_feature(enable = "avx2,f16c")]
fn to_f16(value: __m256, to: &mut [u16; 8]) {
    // SAFETY: eight elements.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_cvtps_ph::<0>(value)) }
}

/// Returns eight elements of a range by 1/1024.
#[target_feature(enable = "avx2,f16c")]
fn eight_steps(from: usize) -> __m256 {
    let step = 1.0 / 1024.0;
    let steps =
        _mm256_setr_ps(0.0, step, 2.0 * step, 3.0 * step, 4.0 * step, 5.0 * step, 6.0 * step, 7.0 * step);
    _mm256_add_ps(_mm256_set1_ps(from as f32 * step), steps)
}

// Elements.

/// Converts numbers that are known to fit.
#[inline(always)]
fn f32_to_i32(value: f32) -> i32 {
    // SAFETY: the inputs are between -100 and 100.
    unsafe { value.to_int_unchecked() }
}

#[inline(always)]
fn bf16_to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

#[inline(always)]
fn f32_to_bf16(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() { 0x7fc0 } else { ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16 }
}

/// Returns the power of two, which must be normal.
#[inline(always)]
const fn power(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127) as u32) << 23)
}

/// Converts from an 8-bit float with so many bits of mantissa, by the least normal exponent: scaled up by the difference
/// of the exponents, all of its finite values are right in f32.
#[inline(always)]
fn f8_to_f32<const MANTISSA: u32, const LEAST: i32>(bits: u8) -> f32 {
    let (sign, rest) = (u32::from(bits & 0x80) << 24, u32::from(bits & 0x7f));
    let value = f32::from_bits(rest << (23 - MANTISSA)) * power(LEAST + 126);
    let special = if MANTISSA == 3 { rest == 0x7f } else { rest >= 0x7c };
    let value = if special { f32::from_bits(0x7f80_0000 | rest << 21) } else { value };
    f32::from_bits(value.to_bits() | sign)
}

/// Converts to an 8-bit float, whose values from `LARGEST` on are this one.
#[inline(always)]
fn f32_to_f8<const MANTISSA: u32, const LEAST: i32, const LARGEST: u32>(value: f32) -> u8 {
    let (sign, size) = (value.to_bits() >> 24 & 0x80, value.to_bits() & 0x7fff_ffff);
    let drop = 23 - MANTISSA;
    let rounded = (size + (1 << (drop - 1)) - 1 + (size >> drop & 1)) >> drop;
    let normal = rounded.wrapping_sub(((LEAST + 126) as u32) << MANTISSA);
    // A sum with this number has the last bit of a small number as its own.
    let magic = power(LEAST + 23 - MANTISSA as i32);
    let small = (f32::from_bits(size) + magic).to_bits().wrapping_sub(magic.to_bits());
    let bits = if size < power(LEAST).to_bits() { small } else { normal.min(LARGEST) };
    let bits = if size > 0x7f80_0000 { 0x7f } else { bits };
    (bits | sign) as u8
}
