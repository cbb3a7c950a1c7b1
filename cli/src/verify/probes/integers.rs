//! Integers: what casts to them give at the edges, and divisions by zero.

use aclnn::DType::{self, BF16, Bool, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
use aclnn::product::Product;
use aclnn::sys::aclDataType;
use aclnn_numerics::convert::cann::converter_on;
use anyhow::{Context as _, Result};

use super::probe::Probe;
use crate::verify::answer::Answer;
use crate::verify::raw::{Setting, plan};

pub(super) const PROBES: &[Probe] = &[
    Probe::new(
        "nan-as-an-integer",
        "What does Cast make of what is not a number, for each integer type?",
        "0, and true for bool.",
        |setting| casts(setting, &[f64::NAN]),
    ),
    Probe::new(
        "casts-beyond-the-range",
        "What does Cast make of numbers beyond the range of an integer type?",
        "Floats are truncated to s32 or s64, which saturate; narrower types keep the low bits.",
        |setting| {
            casts(
                setting,
                &[300.0, -1.0, -129.0, 70_000.0, 3e9, -3e9, 1e10, -1e19, f64::INFINITY, f64::NEG_INFINITY],
            )
        },
    ),
    Probe::new("halves-as-integers", "How does Cast round floats to integers?", "Towards zero.", |setting| {
        casts(setting, &[0.5, -0.5, 1.5, -1.5, 2.5, 0.999, -0.0])
    }),
    Probe::new(
        "bool-byte-of-two",
        "What does Cast make of a bool whose byte is 2?",
        "1. The published kernel of the 950 keeps the 2 in s8 and u8.",
        bool_byte_of_two,
    ),
    Probe::new(
        "minima-of-large-integers",
        "Is Cummin exact for s32 beyond 2^24?",
        "Yes; a page says that it is not, for a product that it does not name.",
        minima_of_large_integers,
    ),
    Probe::new(
        "integer-divided-by-zero",
        "What does FloorDivide make of an s32 divided by zero?",
        "The work fails on its stream. On the AI cores it is whatever the hardware gives.",
        integer_divided_by_zero,
    )
    .dangerous(),
    Probe::new(
        "index-that-does-not-exist",
        "What does IndexSelect make of an index beyond the axis?",
        "The work fails on its stream.",
        index_that_does_not_exist,
    )
    .dangerous(),
];

const FLOATS: [DType; 4] = [F32, F16, BF16, F64];
const INTEGERS: [DType; 9] = [I8, U8, I16, U16, I32, U32, I64, U64, Bool];

/// Casts numbers from every float type to every integer type, and compares them with what this project computes.
fn casts(setting: &Setting, numbers: &[f64]) -> Result<Answer> {
    let product = setting.device.product().unwrap_or(Product::Ascend910B);
    let dims = [numbers.len() as i64];
    let (mut same, mut refused, mut told) = (0, 0, Vec::new());
    for (from, to) in FLOATS.into_iter().flat_map(|from| INTEGERS.map(|to| (from, to))) {
        let narrow = converter_on(product, F64, from).context("floats convert")?;
        let convert = converter_on(product, from, to).context("floats convert")?;
        let size = |dtype: DType| dtype.storage_bytes(1).unwrap_or(1);
        let mut input = vec![0; numbers.len() * size(from)];
        let wide: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
        narrow(&wide, &mut input);
        let mut expected = vec![0; numbers.len() * size(to)];
        convert(&input, &mut expected);
        let (memory, output) = (setting.filled(&input)?, setting.memory(expected.len())?);
        let own = setting.tensor(from, &dims, memory.handle)?;
        let out = setting.tensor(to, &dims, output.handle)?;
        let code = aclDataType(to.acl_code().context("CANN has no such type")?);
        let planned = plan!(setting, Cast(own.handle, code, out.handle));
        if planned.code != 0 {
            refused += 1;
            continue;
        }
        setting.finish(&planned)?;
        let found = setting.download::<u8>(output.handle, expected.len())?;
        let pairs = found.chunks(size(to)).zip(expected.chunks(size(to)));
        for ((found, expected), number) in pairs.zip(numbers) {
            match found == expected {
                true => same += 1,
                false => told.push(format!(
                    "{from} {number} as {to} is {} instead of {}",
                    integer(found),
                    integer(expected)
                )),
            }
        }
    }
    let is_assumed = told.is_empty();
    told.insert(0, format!("{same} casts as assumed, {refused} pairs of types refused"));
    Ok(Answer::as_assumed(is_assumed, told.join("; ")))
}

/// Bytes as a number in hexadecimal digits.
fn integer(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}

fn bool_byte_of_two(setting: &Setting) -> Result<Answer> {
    let (memory, output) = (setting.filled(&[2_u8])?, setting.memory(8)?);
    let own = setting.tensor(Bool, &[1], memory.handle)?;
    let mut told = Vec::new();
    let mut all = true;
    for to in [I8, U8, I32, I64, F32] {
        let out = setting.tensor(to, &[1], output.handle)?;
        let code = aclDataType(to.acl_code().context("CANN has no such type")?);
        setting.finish(&plan!(setting, Cast(own.handle, code, out.handle)))?;
        let bytes = setting.download::<u8>(output.handle, to.storage_bytes(1).unwrap_or(1))?;
        let one = match to {
            F32 => bytes == 1_f32.to_ne_bytes(),
            _ => bytes.first() == Some(&1),
        };
        all &= one;
        told.push(format!("{to} {}", integer(&bytes)));
    }
    Ok(Answer::as_assumed(all, told.join(", ")))
}

fn minima_of_large_integers(setting: &Setting) -> Result<Answer> {
    let row = [16_777_219, 16_777_217, 16_777_218];
    let memory = setting.filled(&row)?;
    let (values, indices) = (setting.memory(12)?, setting.memory(12)?);
    let own = setting.tensor(I32, &[3], memory.handle)?;
    let (out, places) =
        (setting.tensor(I32, &[3], values.handle)?, setting.tensor(I32, &[3], indices.handle)?);
    setting.finish(&plan!(setting, Cummin(own.handle, 0, out.handle, places.handle)))?;
    let found = setting.download::<i32>(values.handle, 3)?;
    let exact = found == [16_777_219, 16_777_217, 16_777_217];
    Ok(Answer::as_assumed(exact, format!("of {row:?}: {found:?}")))
}

fn index_that_does_not_exist(setting: &Setting) -> Result<Answer> {
    let (own, index, output) =
        (setting.filled(&[1_i32, 2, 3, 4])?, setting.filled(&[1_i64, 7])?, setting.memory(8)?);
    let own = setting.tensor(I32, &[4], own.handle)?;
    let index = setting.tensor(I64, &[2], index.handle)?;
    let out = setting.tensor(I32, &[2], output.handle)?;
    let end = setting.finish(&plan!(setting, IndexSelect(own.handle, 0, index.handle, out.handle)));
    if let Err(error) = end {
        return Ok(Answer::right(format!("{error:#}")));
    }
    let found = setting.download::<i32>(output.handle, 2)?;
    Ok(Answer::wrong(format!("of [1, 2, 3, 4], the elements 1 and 7 are {found:?}")))
}

fn integer_divided_by_zero(setting: &Setting) -> Result<Answer> {
    let (own, zero, output) =
        (setting.filled(&[7_i32, -7, 0])?, setting.filled(&[0_i32; 3])?, setting.memory(12)?);
    let a = setting.tensor(I32, &[3], own.handle)?;
    let b = setting.tensor(I32, &[3], zero.handle)?;
    let out = setting.tensor(I32, &[3], output.handle)?;
    let end = setting.finish(&plan!(setting, FloorDivide(a.handle, b.handle, out.handle)));
    if let Err(error) = end {
        return Ok(Answer::right(format!("{error:#}")));
    }
    let found = setting.download::<i32>(output.handle, 3)?;
    Ok(Answer::wrong(format!("7, -7 and 0 divided by 0 give {found:?}")))
}
