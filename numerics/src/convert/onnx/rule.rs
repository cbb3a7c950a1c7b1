//! The rules of ONNX Cast: which one converts a pair of types.
//!
#![doc = include_str!("matrix.md")]

use std::fmt;

use super::version::since;
use crate::convert::small::Beyond;
use crate::dtype::{Class, DType};

/// The rule by which Cast converts a pair of types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// The elements are copied.
    Same,
    /// True for every value but zero.
    Truth,
    /// The low bits of an integer.
    Bits,
    /// The low bits of the whole part of a float, computed in 32 bits.
    Whole,
    /// The low bits of the whole part of a float, computed in 64 bits.
    Wide,
    /// The whole part of a float, or the nearest value of the type if it is out of range.
    Clamp,
    /// One rounding to a type with infinities.
    Round,
    /// The rule of the float8 tables.
    Float8,
    /// The rule of the float8e8m0 table.
    Power,
    /// Rounding to float4e2m1.
    Float4,
    /// A number read from text.
    Read,
    /// A number written as text.
    Write,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 12] = [
        Rule::Same,
        Rule::Truth,
        Rule::Bits,
        Rule::Whole,
        Rule::Wide,
        Rule::Clamp,
        Rule::Round,
        Rule::Float8,
        Rule::Power,
        Rule::Float4,
        Rule::Read,
        Rule::Write,
    ];

    /// Returns the symbol of the rule in the matrix.
    #[inline]
    pub fn symbol(self) -> char {
        match self {
            Rule::Same => '=',
            Rule::Truth => 't',
            Rule::Bits => 'b',
            Rule::Whole => 'w',
            Rule::Wide => 'v',
            Rule::Clamp => 'c',
            Rule::Round => 'r',
            Rule::Float8 => '8',
            Rule::Power => 'p',
            Rule::Float4 => '4',
            Rule::Read => 'a',
            Rule::Write => 's',
        }
    }
}

/// Writes the rule in one line.
impl fmt::Display for Rule {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Same => "the elements are copied, every code as it is",
            Rule::Truth => {
                "true unless zero: −0 is false, NaN is true, and so is every f8e8m0, which has no zero"
            }
            Rule::Bits => {
                "the low bits in two's complement, or extended by the sign of the source; bool is 0 or 1"
            }
            Rule::Whole => "truncated to i32, saturating; the low bits of that; NaN gives 0",
            Rule::Wide => "truncated to i64, saturating; the low bits of that; NaN gives 0",
            Rule::Clamp => "truncated, saturating at the ends of the type; NaN gives 0",
            Rule::Round => "one rounding, nearest even; what is then out of range is ±∞; NaN keeps its sign",
            Rule::Float8 => "one rounding, nearest even; the tables of float8 by `saturate` and version",
            Rule::Power => "a power of two by `round_mode` and `saturate`",
            Rule::Float4 => "one rounding, nearest even; out of range, ±∞ too, is ±6; NaN is −0, −NaN is +0",
            Rule::Read => "read as a decimal number, to which the rule of the target applies: one rounding",
            Rule::Write => "written in plain decimal notation with the fewest digits that read back",
        })
    }
}

/// Returns the rule of a pair, which host and device share; `None` if no version has one of the types.
#[inline]
pub fn rule(from: DType, to: DType) -> Option<Rule> {
    since(from).and(since(to))?;
    Some(match (from.class(), to) {
        // f8e5m2 is the only float8 type with infinities, and they saturate on the way to f8e5m2 too.
        (_, DType::F8E5M2) if from == to => Rule::Float8,
        // A byte that is neither 0 nor 1 becomes 1.
        (_, DType::Bool) if from != DType::String => Rule::Truth,
        _ if from == to => Rule::Same,
        (_, DType::String) => Rule::Write,
        (Class::String, _) => Rule::Read,
        (_, DType::F64 | DType::F32 | DType::F16 | DType::BF16) => Rule::Round,
        (_, DType::F8E8M0) => Rule::Power,
        (_, DType::F4E2M1) => Rule::Float4,
        _ if to.is_float() => Rule::Float8,
        (Class::Float, DType::I32 | DType::I64 | DType::U32 | DType::U64) => Rule::Clamp,
        (Class::Float, DType::U8) if !matches!(from, DType::F16 | DType::F64) => Rule::Wide,
        (Class::Float, _) => Rule::Whole,
        _ => Rule::Bits,
    })
}

/// Returns what becomes of numbers beyond the range of a type of 8 bits, and of infinities, in a version of Cast.
#[inline]
pub(super) fn beyond_float8(to: DType, version: u32, saturate: bool) -> [Beyond; 2] {
    let beyond = if saturate { Beyond::Largest } else { Beyond::Special };
    // Up to version 23 an infinity becomes NaN in formats with neither infinity nor −0, saturating or not.
    let no_negative_zero = matches!(to, DType::F8E4M3FNUZ | DType::F8E5M2FNUZ);
    [beyond, if version < 24 && no_negative_zero { Beyond::Special } else { beyond }]
}
