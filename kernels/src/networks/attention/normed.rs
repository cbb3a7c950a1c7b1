//! Rows of keys and values that are normalised and rotated on their way to a cache, with or without quantisation.

use super::rotary::Rotation;
use crate::LaneFunction;

/// The scale of numbers that are quantised: they are multiplied by it, or divided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Factor,
    Divisor,
}

/// The numbers of a row as an output has them: as they are, or in steps of i8 by a scale and an offset of each element.
#[derive(Clone, Copy)]
pub struct Steps {
    pub scale: Scale,
    /// Whether there are offsets.
    pub shifts: bool,
}

/// The integer of i8 that is nearest, of two the even one; the last one beyond, and 0 for NaN.
pub fn to_i8(x: f32) -> i8 {
    x.round_ties_even().clamp(-128.0, 127.0) as i8
}

impl Steps {
    /// Writes numbers to a row of f32, or their steps to one of i8; takes what belongs to the steps off the inputs.
    fn write(steps: Option<Self>, numbers: &[f32], inputs: &mut &[&[u8]], to: &mut [u8]) {
        let Some(Self { scale, shifts }) = steps else {
            return to.copy_from_slice(bytemuck::cast_slice(numbers));
        };
        let mut next = |is_there: bool| -> &[f32] {
            let Some((first, rest)) = inputs.split_first().filter(|_| is_there) else { return &[] };
            *inputs = rest;
            bytemuck::cast_slice(first)
        };
        let (scales, offsets) = (next(true), next(shifts));
        let to: &mut [i8] = bytemuck::cast_slice_mut(to);
        for (at, (to, x)) in to.iter_mut().zip(numbers).enumerate() {
            let own = scales.get(at).copied().unwrap_or(1.0);
            let step = if scale == Scale::Factor { x * own } else { x / own };
            *to = to_i8(step + offsets.get(at).copied().unwrap_or(0.0));
        }
    }
}

/// Divides a row by the root of its mean square, and multiplies it by `gamma`.
pub fn normalize(x: &[f32], gamma: &[f32], epsilon: f32, out: &mut [f32]) {
    let sum: f64 = x.iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
    let root = ((sum / x.len().max(1) as f64) as f32 + epsilon).sqrt();
    for ((out, x), gamma) in out.iter_mut().zip(x).zip(gamma) {
        *out = x / root * gamma;
    }
}

/// Rows of a latent key with a part that is rotated: `size` elements of which are normalised, and the others rotated.
///
/// Inputs are rows, weights of the norm, cosines and sines, a row of values if the norm is `of_all`, and scales and offsets of
/// keys and of latent rows. Outputs are keys and latent rows for the caches, and then, if there are four, both as they were
/// before quantisation.
pub struct NormAndRotate {
    pub size: usize,
    /// Elements that are rotated.
    pub rotated: usize,
    /// Whether all elements are normalised, of which the first ones are rotated then; values are the other row.
    pub of_all: bool,
    pub epsilon: f32,
    /// The steps of keys and of latent rows.
    pub steps: [Option<Steps>; 2],
}

impl NormAndRotate {
    pub fn body(self) -> LaneFunction {
        LaneFunction::new("normalise and rotate", move |_, inputs, outputs| {
            let ([row, gamma, cos, sin, others @ ..], [key, latent, plain @ ..]) = (inputs, outputs) else {
                return Ok(());
            };
            let [row, gamma, cos, sin]: [&[f32]; 4] =
                [row, gamma, cos, sin].map(|bytes| bytemuck::cast_slice(bytes));
            let Self { size, rotated, of_all, epsilon, steps } = self;
            let (mut normed, mut keys) = (vec![0.0; size], vec![0.0; rotated]);
            normalize(&row[..size], gamma, epsilon, &mut normed);
            let mut others = others;
            let to_rotate = if of_all { normed[..rotated].to_vec() } else { row[size..].to_vec() };
            Rotation::InterleavedHalf.rotate(&to_rotate, [cos, sin], &mut keys);
            if of_all {
                keys.extend_from_slice(&normed[rotated..]);
                let Some((values, rest)) = others.split_first() else { return Ok(()) };
                others = rest;
                normed = bytemuck::cast_slice(values).to_vec();
            }
            Steps::write(steps[0], &keys, &mut others, key);
            Steps::write(steps[1], &normed, &mut others, latent);
            for (to, numbers) in plain.iter_mut().zip([keys, normed]) {
                to.copy_from_slice(bytemuck::cast_slice(&numbers));
            }
            Ok(())
        })
    }
}

/// Rows of queries, keys and values of so many heads, of which queries and keys are normalised, if there is a norm, and rotated
/// in halves.
///
/// Inputs are rows, weights of the norms of queries and keys, cosines and sines, and scales and offsets of keys and of values.
/// Outputs are queries, keys and values for the caches, and then, if there are six, all as they were before quantisation.
pub struct Heads {
    /// Heads of queries, of keys and of values.
    pub counts: [usize; 3],
    /// Elements of a head.
    pub size: usize,
    pub epsilon: Option<f32>,
    /// The steps of keys and of values.
    pub steps: [Option<Steps>; 2],
}

impl Heads {
    pub fn body(self) -> LaneFunction {
        LaneFunction::new("normalise and rotate", move |_, inputs, outputs| {
            let Some((row, inputs)) = inputs.split_first() else { return Ok(()) };
            let Self { counts, size, epsilon, steps } = self;
            let norms = if epsilon.is_some() { 2 } else { 0 };
            let Some(([gammas @ .., cos, sin], mut others)) = inputs.split_at_checked(norms + 2) else {
                return Ok(());
            };
            let [row, cos, sin]: [&[f32]; 3] = [row, cos, sin].map(|bytes| bytemuck::cast_slice(bytes));
            let mut rest = row.to_vec();
            let (rotated, _) = rest.split_at_mut((counts[0] + counts[1]) * size);
            for (number, head) in rotated.chunks_exact_mut(size).enumerate() {
                let mut own = head.to_vec();
                let gamma = gammas.get(usize::from(number >= counts[0]));
                if let (Some(epsilon), Some(gamma)) = (epsilon, gamma) {
                    normalize(head, bytemuck::cast_slice(gamma), epsilon, &mut own);
                }
                Rotation::Half.rotate(&own, [cos, sin], head);
            }
            let (query, rest) = rest.split_at(counts[0] * size);
            let (key, value) = rest.split_at(counts[1] * size);
            let [to_query, to_key, to_value, plain @ ..] = outputs else { return Ok(()) };
            to_query.copy_from_slice(bytemuck::cast_slice(query));
            Steps::write(steps[0], key, &mut others, to_key);
            Steps::write(steps[1], value, &mut others, to_value);
            for (to, numbers) in plain.iter_mut().zip([query, key, value]) {
                to.copy_from_slice(bytemuck::cast_slice(numbers));
            }
            Ok(())
        })
    }
}

/// The operands by which integers become numbers, besides these.
#[derive(Clone, Copy, Default)]
pub struct Dequantisation {
    pub by_column: bool,
    pub by_row: bool,
    pub bias: bool,
    /// Whether the bias is added to the integers.
    pub bias_first: bool,
}

impl Dequantisation {
    /// The body over rows, factors of columns, a factor of the row, and a bias: those that are there.
    pub fn body(self) -> LaneFunction {
        LaneFunction::new("dequantise", move |_, inputs, outputs| {
            let ([row, others @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
            let mut next = others.iter();
            let mut given = |is_there: bool| -> &[f32] {
                let list = if is_there { next.next() } else { None };
                list.map_or(&[], |bytes| bytemuck::cast_slice(bytes))
            };
            let (columns, own, bias) = (given(self.by_column), given(self.by_row), given(self.bias));
            let of = |list: &[f32], at: usize, otherwise: f32| list.get(at).copied().unwrap_or(otherwise);
            let (row, out): (&[f32], &mut [f32]) = (bytemuck::cast_slice(row), bytemuck::cast_slice_mut(out));
            for (at, (out, x)) in out.iter_mut().zip(row).enumerate() {
                let shift = of(bias, at, 0.0);
                let (before, after) = if self.bias_first { (shift, 0.0) } else { (0.0, shift) };
                *out = (x + before) * of(columns, at, 1.0) * of(own, 0, 1.0) + after;
            }
            Ok(())
        })
    }
}

/// The steps of numbers that are scattered: divided by a scale, with an offset added.
pub fn steps_of(scales: bool, shifts: bool) -> LaneFunction {
    LaneFunction::new("quantise", move |_, inputs, outputs| {
        let ([numbers, others @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
        let mut others = others;
        let steps = scales.then_some(Steps { scale: Scale::Divisor, shifts });
        Steps::write(steps, bytemuck::cast_slice(numbers), &mut others, out);
        Ok(())
    })
}
