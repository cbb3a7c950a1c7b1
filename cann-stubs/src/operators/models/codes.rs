//! Floats whose exponents are coded by their frequencies.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use aclnn_numerics::DType::I32;
use cann_kernels::{Cause, Failure, LaneFunction, ordered, size_of_dtype};

use crate::mapped::try_mapped;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::check::{self, when_divided};
use crate::operators::signatures;
use crate::operators::stage_planner::{StagePlanner, Used};
use crate::status::Result;

/// Values of a byte.
const BYTES: usize = 256;

/// The bytes of the length of a code.
const HEAD: usize = size_of::<u64>();

/// The code of each byte, and how many bits it has.
type Codes = [(u64, u32); BYTES];

/// A canonical code of Huffman. A byte that occurs less often than another one gets no fewer bits, and none has no code.
fn codes(frequencies: &[i32]) -> Codes {
    // Trees by weight, and by age where that is the same; a tree is the bytes in it.
    let mut trees = BinaryHeap::new();
    for (byte, frequency) in frequencies.iter().enumerate() {
        trees.push(Reverse((i64::from(*frequency).max(0) + 1, byte, vec![byte])));
    }
    let mut bits = [0_u32; BYTES];
    let mut age = frequencies.len();
    while let (Some(Reverse(first)), Some(Reverse(second))) = (trees.pop(), trees.pop()) {
        let bytes = [first.2, second.2].concat();
        bytes.iter().for_each(|byte| bits[*byte] += 1);
        if trees.is_empty() {
            break;
        }
        trees.push(Reverse((first.0 + second.0, age, bytes)));
        age += 1;
    }
    let mut codes = bits.map(|bits| (0, bits));
    let order = ordered(BYTES, &mut |a, b| bits[a].cmp(&bits[b]));
    let (mut code, mut width) = (0_u64, 0);
    for byte in order {
        code <<= bits[byte] - width;
        width = bits[byte];
        codes[byte].0 = code;
        code += 1;
    }
    codes
}

/// The bytes of two outputs, one after the other.
fn places<'a>(first: &'a mut [u8], second: &'a mut [u8]) -> impl Iterator<Item = &'a mut u8> {
    first.iter_mut().chain(second)
}

/// The highest byte of an element after its bits were rotated left by one, and the others.
fn rotated(element: &[u8], turned: &mut [u8; 4]) {
    let size = element.len();
    let carry = |at: usize| element[(at + size - 1) % size] >> 7;
    turned.iter_mut().take(size).enumerate().for_each(|(at, byte)| *byte = element[at] << 1 | carry(at));
}

/// Writes a code, or the bytes themselves where that is not longer.
fn encode(exponents: &[u8], frequencies: &[i32], [fixed, var]: [&mut [u8]; 2]) -> cann_kernels::Result {
    let codes = codes(frequencies);
    let width = |byte: &u8| u64::from(codes[usize::from(*byte)].1);
    let (coded, plain) = (exponents.iter().map(width).sum::<u64>(), exponents.len() as u64 * 8);
    let is_coded = coded < plain;
    let bits = coded.min(plain);
    let (room, needed) = (fixed.len() + var.len(), HEAD as u64 + bits.div_ceil(8));
    if needed > room as u64 {
        let message = format_args!("fixedOut and varOut have {room} bytes, but {needed} are needed");
        return Err(Failure::new(Cause::AiCore, message));
    }
    let mut places = places(fixed, var);
    let head = (bits << 1 | u64::from(is_coded)).to_le_bytes();
    places.by_ref().zip(head).for_each(|(place, byte)| *place = byte);
    if !is_coded {
        places.by_ref().zip(exponents).for_each(|(place, byte)| *place = *byte);
        return Ok(());
    }
    let (mut byte, mut filled) = (0_u8, 0);
    for exponent in exponents {
        let (code, width) = codes[usize::from(*exponent)];
        for bit in (0..width).rev() {
            byte = byte << 1 | (code >> bit & 1) as u8;
            filled += 1;
            if filled == 8 {
                places.by_ref().take(1).for_each(|place| *place = byte);
                (byte, filled) = (0, 0);
            }
        }
    }
    if filled > 0 {
        places.by_ref().take(1).for_each(|place| *place = byte << (8 - filled));
    }
    Ok(())
}

/// Reads what `encode` wrote.
fn decode(parts: [&[u8]; 2], frequencies: &[i32], exponents: &mut [u8]) -> cann_kernels::Result {
    let broken =
        || Failure::new(Cause::AiCore, "fixed and var do not hold what HansEncode writes with this pdf");
    let mut bytes = parts[0].iter().chain(parts[1]).copied();
    let mut head = [0; HEAD];
    for place in &mut head {
        *place = bytes.next().ok_or_else(broken)?;
    }
    if u64::from_le_bytes(head) & 1 == 0 {
        for exponent in exponents {
            *exponent = bytes.next().ok_or_else(broken)?;
        }
        return Ok(());
    }
    let codes = codes(frequencies);
    let order = ordered(BYTES, &mut |a, b| (codes[a].1, codes[a].0).cmp(&(codes[b].1, codes[b].0)));
    let mut bits = bytes.flat_map(|byte| (0..8).rev().map(move |bit| u64::from(byte >> bit & 1)));
    for exponent in exponents {
        let (mut code, mut width) = (0, 0);
        *exponent = loop {
            (code, width) = (code << 1 | bits.next().ok_or_else(broken)?, width + 1);
            // Codes are in order by their bits and then by their values.
            let found = order.binary_search_by_key(&(width, code), |byte| (codes[*byte].1, codes[*byte].0));
            if let Ok(place) = found {
                break order[place] as u8;
            }
        };
    }
    Ok(())
}

/// The number of elements, and of the bytes of one.
struct Sized {
    count: usize,
    size: usize,
}

/// Checks the operands: floats of one type, of which one has the bytes below the exponents of all of another, and 256 numbers.
fn checked(floats: &[&Operand], numbers: &Operand, all: &Operand, below: &Operand) -> Result<Sized> {
    let own = check::alike(floats, signatures::hans_encode.takes)?;
    check::exactly(numbers, I32)?;
    let (count, size) = (all.shape()?.numel().unwrap_or(usize::MAX), size_of_dtype(own));
    let counted = || {
        check::have_elements(&[Some(numbers)], BYTES)?;
        check::have_elements(&[Some(below)], count.saturating_mul(size - 1).div_ceil(size))
    };
    counted().map_err(when_divided)?;
    Ok(Sized { count, size })
}

/// The operands of a stage, each of them one list of its own type.
fn lists(planner: &mut StagePlanner, operands: &[&Operand]) -> Result<Vec<Used>> {
    try_mapped(operands, |operand| planner.list(operand, None))
}

fn written(planner: &mut StagePlanner, operands: &[&Operand]) -> Result<Vec<Used>> {
    let mut write = |operand: &Operand| planner.write(operand, operand.shape()?.numel().unwrap_or(0), None);
    try_mapped(operands, |operand| write(operand))
}

pub(super) fn hans_encode(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["inputTensor", "mantissaOut", "fixedOut", "varOut"])?;
    let ([own, below, fixed, var], numbers) = (&tensors, call.tensor("pdfRef")?);
    let Sized { count, size } = checked(&[own, below, fixed, var], &numbers, own, below)?;
    let counts = call.flag("statistic")?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let inputs = lists(&mut planner, &[own, &numbers])?;
    let outputs = written(&mut planner, &[below, fixed, var, &numbers])?;
    let body = LaneFunction::new("code exponents", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let ([own, frequencies], [below, fixed, var, numbers]) = (inputs, outputs) else { return Ok(()) };
        [&mut *below, &mut *fixed, &mut *var].into_iter().for_each(|bytes| bytes.fill(0));
        numbers.copy_from_slice(frequencies);
        let mut exponents = cann_kernels::allocation::zeros::<u8>(count)?;
        let mut turned = [0; 4];
        let rest = below.chunks_mut(size - 1).take(count);
        for ((element, rest), exponent) in own.chunks(size).zip(rest).zip(&mut exponents) {
            rotated(element, &mut turned);
            rest.copy_from_slice(&turned[..size - 1]);
            *exponent = turned[size - 1];
        }
        let frequencies: &mut [i32] = bytemuck::cast_slice_mut(numbers);
        if counts {
            frequencies.fill(0);
            exponents.iter().for_each(|byte| {
                let count = &mut frequencies[usize::from(*byte)];
                *count = count.saturating_add(1);
            });
        }
        encode(&exponents, frequencies, [fixed, var])
    });
    planner.builder.lanes(inputs, outputs, 1, body);
    Ok(planner.plan())
}

pub(super) fn hans_decode(call: &Call<'_>) -> Result<Plan> {
    let tensors = call.tensors_of(["mantissa", "fixed", "var", "out"])?;
    let ([below, fixed, var, out], numbers) = (&tensors, call.tensor("pdf")?);
    let Sized { count, size } = checked(&[below, fixed, var, out], &numbers, out, below)?;
    if count == 0 {
        return Ok(Plan::empty());
    }
    let mut planner = StagePlanner::default();
    let inputs = lists(&mut planner, &[below, fixed, var, &numbers])?;
    let outputs = written(&mut planner, &[out])?;
    let body =
        LaneFunction::new("decode exponents", move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
            let ([below, fixed, var, numbers], [out]) = (inputs, outputs) else { return Ok(()) };
            let mut exponents = cann_kernels::allocation::zeros::<u8>(count)?;
            decode([fixed, var], bytemuck::cast_slice(numbers), &mut exponents)?;
            for ((element, rest), exponent) in out.chunks_mut(size).zip(below.chunks(size - 1)).zip(exponents)
            {
                element[..size - 1].copy_from_slice(rest);
                element[size - 1] = exponent;
                // The bits rotate back.
                let lowest = element[0] & 1;
                for at in 0..size {
                    let above = element.get(at + 1).map_or(lowest, |next| next & 1);
                    element[at] = element[at] >> 1 | above << 7;
                }
            }
            Ok(())
        });
    planner.builder.lanes(inputs, outputs, 1, body);
    Ok(planner.plan())
}
