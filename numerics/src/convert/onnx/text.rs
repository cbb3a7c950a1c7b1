//! Conversions of text to numbers and of numbers to text.

use std::fmt;
use std::str::FromStr;

use super::version::check;
use super::{Cast, CastError, CastOptions};
use crate::dtype::{Class, DType};

/// Parses one number per string into `target`, packed.
///
/// | string | result |
/// |---|---|
/// | `3.14`, `1000`, `.5`, `1.`, `1e-5`, `+1E8` | the number, rounded once; a target of type bool is true unless it is 0 |
/// | `INF`, `+INF`, `-INF`, `NaN`, in any case; also `infinity`, `-nan` | for float targets, by their rule |
/// | the same, or a number out of range, for an integer target | error |
/// | a fraction for an integer target: `100.5`, `2.5e-1` | truncated: 100, 0 |
/// | `True`, `False`, in any case, for a target of type bool | as [`cast_to_strings`] writes them |
/// | anything else: `1_000`, `0x10`, `1,5`, an empty string | error |
///
/// White space around the number is ignored. The description leaves fractions for an integer target undefined, with
/// 100.5 as an example; the reference evaluator refuses them.
///
/// # Errors
/// The version of the opset lacks strings or the target type; the target is string; `target` is too short; a string is
/// not a number, or not a number of the type. Elements before that string have been written.
pub fn cast_from_strings<S: AsRef<str>>(
    strings: &[S],
    to: DType,
    options: CastOptions,
    target: &mut [u8],
) -> Result<(), CastError> {
    /// The number of strings that are parsed before their elements are written; whole bytes of any type.
    const BLOCK: usize = 64;
    check(DType::String, to, options.opset)?;
    if to == DType::String {
        return Err(CastError::Strings);
    }
    let (needed, found) = (to.storage_bytes(strings.len()).unwrap_or(usize::MAX), target.len());
    let target = target.get_mut(..needed).ok_or(CastError::Target { needed, found })?;
    let reading = Reading::of(to);
    // Through 64 bits. A number is rounded to odd unless the target itself has 64 bits.
    let cast = Cast::new(reading.wide(), to, options)?;
    let mut wide = [0u8; 8 * BLOCK];
    let blocks = strings.chunks(BLOCK).zip(target.chunks_mut((BLOCK * to.bits() / 8).max(1)));
    for (block, (strings, target)) in blocks.enumerate() {
        for (i, (text, slot)) in strings.iter().zip(wide.chunks_exact_mut(8)).enumerate() {
            let text = text.as_ref();
            let index = block * BLOCK + i;
            let not_a_number = || CastError::NotANumber { index, text: text.to_owned() };
            let bits = match (Literal::parse(text), to) {
                (None, DType::Bool) => truth(text).ok_or_else(not_a_number)?.into(),
                (None, _) => return Err(not_a_number()),
                (Some(literal), _) => reading.bits(&literal).ok_or_else(|| CastError::NotInRange {
                    index,
                    text: text.to_owned(),
                    to,
                })?,
            };
            slot.copy_from_slice(&bits.to_le_bytes());
        }
        cast.run(&wide, strings.len(), target)?;
    }
    Ok(())
}

/// Writes one string per element, in plain decimal notation: no exponent, however large or small.
///
/// | element | string |
/// |---|---|
/// | integers | `-128` |
/// | floats | the fewest digits that parse as the same element, and at least one after the point: `314.15926`, `0.1`, `1.0`, `-0.0`, `0.00001` |
/// | ∞, NaN | `inf`, `-inf`, `nan` |
/// | bool | `True`, `False` |
///
/// Of two numbers with the fewest digits, the nearer one is written; of two that are equally near, the one whose last
/// digit is even: the f32 128.953125 is `128.95312`. The fewest digits of a short format may name a value that is not
/// exact: the largest f16 is `65500.0`, the f8e4m3fn 416 is `420.0`. These strings parse as the same element without
/// saturation too. f8e8m0 has the digits of its f32, to be parsed with the mode `nearest`.
///
/// The description leaves digits and spellings open. They are those of the reference evaluator, with these exceptions:
/// it writes exponents below 10⁻⁴ and from 10¹⁶ on, bf16 with the digits of f32, and no 8-bit floats.
///
/// # Errors
/// The version of the opset lacks strings or the source type; the source is string; or `source` is too short.
#[inline]
pub fn cast_to_strings(
    from: DType,
    options: CastOptions,
    source: &[u8],
    count: usize,
) -> Result<Vec<String>, CastError> {
    check(from, DType::String, options.opset)?;
    if from == DType::String {
        return Err(CastError::Strings);
    }
    let wide = match from.class() {
        Class::Float => DType::F64,
        Class::Unsigned => DType::U64,
        _ => DType::I64,
    };
    let widen = Cast::new(from, wide, options)?;
    // A text that overflows the type must not count as its largest value.
    let narrow = Cast::new(DType::F64, from, CastOptions { saturate: false, ..options })?;
    let mut elements = vec![0; count.min(source.len().saturating_mul(8)).saturating_mul(8)];
    widen.run(source, count, &mut elements)?;
    let bits = elements.chunks_exact(8).map(bytemuck::pod_read_unaligned::<u64>);
    Ok(bits
        .map(|bits| match (from, from.class()) {
            (DType::Bool, _) => if bits != 0 { "True" } else { "False" }.to_owned(),
            (DType::F64, _) => plain_float(f64::from_bits(bits)),
            (DType::F32 | DType::F8E8M0, _) => plain_float(f64::from_bits(bits) as f32),
            (_, Class::Float) => shortest(f64::from_bits(bits), &narrow),
            (_, Class::Unsigned) => bits.to_string(),
            _ => (bits as i64).to_string(),
        })
        .collect())
}

#[inline]
fn truth(text: &str) -> Option<bool> {
    let text = text.trim();
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("true") { Some(true) } else { is("false").then_some(false) }
}

/// The numbers that strings are parsed as before they become elements.
#[derive(Clone, Copy)]
enum Reading {
    /// f64, nearest.
    Float,
    /// f64 rounded to odd.
    Odd,
    /// Integers between two bounds.
    Integer(i128, i128),
}

impl Reading {
    #[inline]
    fn of(to: DType) -> Reading {
        match to.class() {
            Class::Float if to == DType::F64 => Reading::Float,
            Class::Signed => Reading::Integer(-1 << (to.bits() - 1), (1 << (to.bits() - 1)) - 1),
            Class::Unsigned => Reading::Integer(0, (1 << to.bits()) - 1),
            _ => Reading::Odd,
        }
    }

    #[inline]
    fn wide(self) -> DType {
        match self {
            Reading::Float | Reading::Odd => DType::F64,
            Reading::Integer(low, _) => {
                if low < 0 {
                    DType::I64
                } else {
                    DType::U64
                }
            }
        }
    }

    #[inline]
    fn bits(self, literal: &Literal) -> Option<u64> {
        match self {
            Reading::Float => Some(literal.nearest.to_bits()),
            Reading::Odd => Some(literal.to_odd().to_bits()),
            Reading::Integer(low, high) => {
                literal.whole().filter(|whole| (low..=high).contains(whole)).map(|whole| whole as u64)
            }
        }
    }
}

/// A number in decimal notation.
struct Literal {
    /// The digits without zeros at either end; of ∞ and NaN none.
    digits: Vec<u8>,
    /// The exponent of ten: the number is 0.digits · 10^point.
    point: i64,
    /// The f64 nearest to it.
    nearest: f64,
}

impl Literal {
    #[inline]
    fn parse(text: &str) -> Option<Literal> {
        let text = text.trim();
        // The same grammar: sign, then `inf`, `infinity`, `nan` or digits with a point and an exponent.
        let nearest: f64 = text.parse().ok()?;
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if unsigned.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return Some(Literal { digits: Vec::new(), point: 0, nearest });
        }
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
        let leading = all.iter().take_while(|&&digit| digit == b'0').count();
        let trailing = all.iter().rev().take_while(|&&digit| digit == b'0').count();
        let digits = all.get(leading..all.len() - trailing).unwrap_or_default().to_vec();
        // An exponent that is too long for i64 has the same effect as an infinite one.
        let far = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let exponent = exponent.parse::<i64>().unwrap_or(far).clamp(i64::MIN / 2, i64::MAX / 2);
        Some(Literal { digits, point: whole.len() as i64 - leading as i64 + exponent, nearest })
    }

    /// Rounds to odd where this makes a difference to a further rounding, see
    /// [`round::f32_from_f64_to_odd`](crate::convert::round::f32_from_f64_to_odd).
    #[inline]
    fn to_odd(&self) -> f64 {
        let bits = self.nearest.to_bits();
        // f32 and shorter types round at numbers whose low 28 bits are zero; elsewhere the nearest f64 serves as well.
        if self.digits.is_empty() || bits & 0x0FFF_FFFF != 0 && self.nearest.is_finite() {
            return self.nearest;
        }
        if self.nearest.is_infinite() {
            return f64::MAX.copysign(self.nearest);
        }
        // All digits of the nearest f64, of which there are up to 767.
        let exact = format!("{:.766e}", self.nearest.abs());
        let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
        let digits: Vec<u8> = mantissa.bytes().filter(|&byte| byte != b'.').collect();
        let trailing = digits.iter().rev().take_while(|&&digit| digit == b'0').count();
        let digits = digits.get(..digits.len() - trailing).unwrap_or_default();
        let point = exponent.parse::<i64>().unwrap_or(0) + 1;
        let is_zero = digits.is_empty();
        let order = (!is_zero, self.point, self.digits.as_slice()).cmp(&(true, point, digits));
        f64::from_bits(match order {
            _ if is_zero => bits + 1,
            std::cmp::Ordering::Equal => bits,
            std::cmp::Ordering::Greater => bits + 1,
            std::cmp::Ordering::Less => bits - 1,
        })
    }

    /// Returns the whole part; `None` if the text is not a finite number or has too many digits.
    #[inline]
    fn whole(&self) -> Option<i128> {
        if !self.nearest.is_finite() && self.digits.is_empty() {
            return None;
        }
        if self.digits.is_empty() || self.point <= 0 {
            return Some(0);
        }
        let places = usize::try_from(self.point).ok().filter(|&places| places <= 20)?;
        let digits = self.digits.iter().copied().chain(std::iter::repeat(b'0')).take(places);
        let magnitude = digits.fold(0i128, |whole, digit| whole * 10 + i128::from(digit - b'0'));
        Some(if self.nearest.is_sign_negative() { -magnitude } else { magnitude })
    }
}

/// Returns the fewest digits of an f32 or f64 that parse as the same number.
fn plain_float<T>(value: T) -> String
where
    T: Copy + Into<f64> + PartialEq + FromStr + fmt::Display + fmt::LowerExp,
{
    let wide: f64 = value.into();
    if wide.is_nan() {
        return "nan".to_owned();
    }
    if wide.is_infinite() {
        return value.to_string();
    }
    let shortest = format!("{value:e}");
    let places = shortest.bytes().take_while(|&byte| byte != b'e').filter(u8::is_ascii_digit).count() - 1;
    // As many digits of the exact number, ties to even. Beside a power of two they may parse as another number.
    let nearest = format!("{value:.places$e}");
    let text = if nearest.parse::<T>().is_ok_and(|read| read == value) { nearest } else { shortest };
    let (digits, exponent) = digits_of(&text);
    plain(if wide.is_sign_negative() { "-" } else { "" }, digits, exponent)
}

/// Returns the digits of a number in scientific notation as an integer, and the power of ten to multiply it by.
#[inline]
fn digits_of(text: &str) -> (u64, i64) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    let places = mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let digits = digits.fold(0, |all, digit| all * 10 + u64::from(digit - b'0'));
    (digits, exponent.parse::<i64>().unwrap_or(0) - places as i64)
}

/// Returns the fewest digits that `narrow` converts to the same element.
#[inline]
fn shortest(value: f64, narrow: &Cast) -> String {
    if !value.is_finite() || value == 0.0 {
        return plain_float(value);
    }
    let code = narrow.code(value.to_bits());
    let sign = if value < 0.0 { "-" } else { "" };
    for places in 0..9usize {
        let (digits, exponent) = digits_of(&format!("{:.places$e}", value.abs()));
        // Beside a power of two, the nearest number with so many digits may lie on the side where the format is finer.
        for digits in [digits, digits + 1, digits.saturating_sub(1)] {
            let Some(literal) = Literal::parse(&format!("{sign}{digits}e{exponent}")) else { continue };
            if narrow.code(literal.to_odd().to_bits()) == code {
                return plain(sign, digits, exponent);
            }
        }
    }
    plain_float(value)
}

/// Writes digits times a power of ten without an exponent.
#[inline]
fn plain(sign: &str, mut digits: u64, mut exponent: i64) -> String {
    while digits.is_multiple_of(10) && digits > 0 {
        (digits, exponent) = (digits / 10, exponent + 1);
    }
    let digits = digits.to_string();
    let point = digits.len() as i64 + exponent;
    match usize::try_from(point) {
        Ok(point) if point >= digits.len() => format!("{sign}{digits:0<point$}.0"),
        Ok(point) if point > 0 => {
            let (whole, fraction) = digits.split_at(point);
            format!("{sign}{whole}.{fraction}")
        }
        _ => format!("{sign}0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
    }
}
