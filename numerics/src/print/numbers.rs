//! Elements as words of one width.

use super::float::{Columns, Float};
use crate::convert::pack::Width;
use crate::convert::small::FloatFormat;
use crate::convert::{hif8, round};
use crate::dtype::{Class, DType};
use crate::element::Element;
use half::{bf16, f16};

/// Decoded elements.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Truths(Vec<bool>),
    Integers(Vec<i128>),
    Floats(Float, Vec<f64>),
    Complex(Float, Vec<f64>, Vec<f64>),
}

impl Numbers {
    /// Decodes elements; elements narrower than a byte take one byte each.
    pub(super) fn decode(dtype: DType, bytes: &[u8]) -> Numbers {
        fn of<T: Element, N>(bytes: &[u8], number: impl Fn(T) -> N) -> Vec<N> {
            T::from_bytes(bytes).into_iter().map(number).collect()
        }
        let complex = |float, parts: Vec<f64>| {
            let part = |first| parts.iter().skip(first).step_by(2).copied().collect();
            Numbers::Complex(float, part(0), part(1))
        };
        let halves = || of::<f16, _>(bytes, |half| round::f32_from_f16(half).into());
        let singles = || of::<f32, _>(bytes, f64::from);
        match dtype {
            DType::Bool => Numbers::Truths(bool::from_bytes(bytes)),
            DType::F16 => Numbers::Floats(Float::Half, halves()),
            DType::BF16 => {
                // The fewest digits of a bf16 parse as an f64 that has the same fewest digits.
                let fewest = |half: bf16| {
                    let value = round::f32_from_bf16(half).into();
                    Float::fewest_digits(value, |close| {
                        round::f32_from_bf16(round::bf16_from_f64(close)).into()
                    })
                };
                let fewest = of(bytes, |half| fewest(half).parse().unwrap_or(f64::NAN));
                Numbers::Floats(Float::Double, fewest)
            }
            DType::F32 => Numbers::Floats(Float::Single, singles()),
            DType::F64 => Numbers::Floats(Float::Double, f64::from_bytes(bytes)),
            DType::C32 => complex(Float::Half, halves()),
            DType::C64 => complex(Float::Single, singles()),
            DType::C128 => complex(Float::Double, f64::from_bytes(bytes)),
            DType::HiF8 => {
                let values = bytes.iter().map(|&code| hif8::decode(code).into()).collect();
                Numbers::Floats(Float::Single, values)
            }
            DType::I16 => Numbers::Integers(of::<i16, _>(bytes, i128::from)),
            DType::I32 => Numbers::Integers(of::<i32, _>(bytes, i128::from)),
            DType::I64 => Numbers::Integers(of::<i64, _>(bytes, i128::from)),
            DType::U16 => Numbers::Integers(of::<u16, _>(bytes, i128::from)),
            DType::U32 => Numbers::Integers(of::<u32, _>(bytes, i128::from)),
            DType::U64 => Numbers::Integers(of::<u64, _>(bytes, i128::from)),
            _ => match (dtype.class(), FloatFormat::of(dtype), Width::of(dtype)) {
                (_, Some(format), _) => {
                    let values = bytes.iter().map(|&code| format.decode(code).into()).collect();
                    Numbers::Floats(Float::Single, values)
                }
                (Class::Signed, _, Some(width)) => {
                    Numbers::Integers(bytes.iter().map(|&code| width.sign_extend(code).into()).collect())
                }
                _ => Numbers::Integers(bytes.iter().map(|&code| code.into()).collect()),
            },
        }
    }

    /// Returns the numbers as words; `is_single` says that no other word stands beside the word.
    pub(super) fn words(&self, precision: usize, is_single: bool) -> Words {
        let words: Vec<String> = match self {
            Numbers::Truths(truths) => truths.iter().map(bool::to_string).collect(),
            Numbers::Integers(integers) => integers.iter().map(i128::to_string).collect(),
            Numbers::Floats(float, values) => {
                let columns = Columns::fitting(*float, values, precision, false);
                values.iter().map(|&value| columns.word(value)).collect()
            }
            Numbers::Complex(float, re, im) => {
                let res = Columns::fitting(*float, re, precision, false);
                let ims = Columns::fitting(*float, im, precision, true);
                let word = |(&re, &im): (&f64, &f64)| {
                    let im = ims.word(im);
                    let digits = im.trim_end();
                    let padding = im.len() - digits.len();
                    format!("{}{digits}j{:padding$}", res.word(re), "")
                };
                re.iter().zip(im).map(word).collect()
            }
        };
        let widest = match self {
            // Wide enough for `false`, whatever the elements are.
            Numbers::Truths(_) if !is_single => 5,
            _ => words.iter().map(String::len).max().unwrap_or(0),
        };
        Words { words, widest }
    }
}

/// Words to be aligned to the right.
pub(super) struct Words {
    words: Vec<String>,
    widest: usize,
}

impl Words {
    pub(super) fn word(&self, index: usize) -> String {
        let word = self.words.get(index).map_or("", String::as_str);
        format!("{word:>0$}", self.widest)
    }
}
