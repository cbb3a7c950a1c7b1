//! Random choices by a seed, and the elements that cases compute with.

use aclnn_numerics::DType;

use super::borders::borders;
use super::elements::{encode, limits, part};

/// A source of random choices: the same for the same seed and name, whatever other cases are made.
pub(crate) struct Draw(u64);

/// Which numbers an operand holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Domain {
    /// Signed zeros, infinities, NaN, extremes, ties of roundings, and numbers from −4 to 4. No subnormal numbers: whether
    /// an NPU keeps them is not known. Complex numbers are finite: what their infinities make is not described.
    Any,
    /// The same without extremes.
    Moderate,
    /// The same without infinities and NaN.
    Finite,
    /// Numbers from one bound to the other, and the bounds; of floats with fractions.
    Between(f64, f64),
    /// Whole numbers from one bound to the other.
    Whole(i64, i64),
    /// As `Any`, but without zero and, beside the least integer, without −1.
    Divisor,
    /// As `Any`, with numbers that a conversion to a type rounds, saturates or wraps: halfway between two of its numbers,
    /// beside that, at the ends of its range, and with all the digits of their own type.
    Converted(DType),
    /// As `Moderate`, with such numbers, but for those whose quotients may be subnormal in f32.
    Narrowed(DType),
}

/// The greatest number whose quotients are normal in f32.
const MODERATE: f64 = 1.2e30;

impl Draw {
    pub(crate) fn new(seed: u64, name: &str) -> Self {
        // FNV-1a, so that a name alone decides.
        let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        Self(hash ^ seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = self.below(last + 1);
            values.swap(last, other);
        }
    }

    /// Different numbers below `bound`, in any order; as many as `count` or `bound`.
    pub(crate) fn different(&mut self, count: usize, bound: usize) -> Vec<i64> {
        let mut all: Vec<i64> = (0..bound as i64).collect();
        self.shuffle(&mut all);
        all.truncate(count);
        all
    }

    /// So many elements of a type, as bytes.
    pub(crate) fn elements(&mut self, dtype: DType, count: usize, domain: Domain) -> Vec<u8> {
        let mut elements: Vec<Vec<u8>> = Vec::with_capacity(count);
        let (like, at_borders) = match domain {
            Domain::Converted(to) => (Domain::Any, borders(dtype, to, f64::INFINITY)),
            Domain::Narrowed(to) => (Domain::Moderate, borders(dtype, to, MODERATE)),
            domain => (domain, Vec::new()),
        };
        if matches!(like, Domain::Any | Domain::Moderate | Domain::Finite | Domain::Divisor) {
            // A third of the elements at least is ordinary, and of the others a third is special.
            let chosen = count - count / 3;
            elements = at_borders;
            self.shuffle(&mut elements);
            elements.truncate(chosen - chosen / 3);
            let mut specials = special(dtype, like);
            self.shuffle(&mut specials);
            specials.truncate(chosen - elements.len());
            elements.append(&mut specials);
        }
        while elements.len() < count {
            elements.push(self.element(dtype, domain));
        }
        self.shuffle(&mut elements);
        elements.concat()
    }

    fn element(&mut self, dtype: DType, domain: Domain) -> Vec<u8> {
        if dtype.is_complex() {
            let part = part(dtype);
            return [self.element(part, domain), self.element(part, domain)].concat();
        }
        let number = match domain {
            Domain::Whole(low, high) => self.between(low, high) as f64,
            Domain::Between(low, high) => low + (high - low) * self.unit(),
            Domain::Converted(_) | Domain::Narrowed(_) if dtype.bits() >= 16 || dtype.is_integer() => {
                return self.with_all_digits(dtype);
            }
            Domain::Divisor if !dtype.is_float() => {
                let magnitude = self.between(1, 9) as f64;
                if is_unsigned(dtype) || self.below(2) == 0 { magnitude } else { -magnitude - 1.0 }
            }
            _ if dtype.is_float() => 8.0 * self.unit() - 4.0,
            _ if dtype == DType::Bool => self.below(2) as f64,
            _ if is_unsigned(dtype) => self.below(10) as f64,
            _ => self.between(-9, 9) as f64,
        };
        match (domain, number) {
            (Domain::Divisor, 0.0) => encode(dtype, 1.0),
            _ => encode(dtype, number),
        }
    }

    /// A number of any magnitude of an integer type, or a float up to 8 with all the digits that its type has.
    fn with_all_digits(&mut self, dtype: DType) -> Vec<u8> {
        if limits(dtype).is_some() {
            let bits = self.next() >> self.below(dtype.bits());
            return bits.to_le_bytes()[..dtype.bits() / 8].to_vec();
        }
        let fraction = 1.0 + (self.next() >> 12) as f64 / 2f64.powi(52);
        let number = fraction * 2f64.powi(self.between(-3, 2) as i32);
        encode(dtype, if self.below(2) == 0 { number } else { -number })
    }

    /// A number from 0 to 1, with few enough digits that sums and products of some are exact in f32.
    fn unit(&mut self) -> f64 {
        self.below(1025) as f64 / 1024.0
    }
}

pub(crate) fn is_unsigned(dtype: DType) -> bool {
    matches!(dtype, DType::U8 | DType::U16 | DType::U32 | DType::U64) || dtype.bits() == 8 && dtype.is_float()
}

/// The elements that tell roundings, wraps and special cases apart.
fn special(dtype: DType, domain: Domain) -> Vec<Vec<u8>> {
    let limits: &[f64] = match dtype {
        DType::F32 => &[f32::MAX as f64, f32::MIN as f64, f32::MIN_POSITIVE as f64, 16_777_217.0],
        DType::F64 => &[f64::MAX, f64::MIN, f64::MIN_POSITIVE, 9_007_199_254_740_993.0],
        DType::F16 => &[65504.0, -65504.0, 6.103_515_625e-5, 2049.0],
        DType::BF16 => {
            &[3.389_531_389_251_535_5e38, -3.389_531_389_251_535_5e38, 1.175_494_350_822_287_5e-38]
        }
        DType::I8 => &[-128.0, 127.0],
        DType::U8 => &[255.0, 128.0],
        DType::I16 => &[-32768.0, 32767.0],
        DType::U16 => &[65535.0, 32768.0],
        DType::I32 => &[-2_147_483_648.0, 2_147_483_647.0],
        DType::U32 => &[4_294_967_295.0, 2_147_483_648.0],
        // As f64 they saturate to the limits.
        DType::I64 => &[-9.3e18, 9.3e18],
        DType::U64 => &[1.9e19, 9_223_372_036_854_775_808.0],
        _ => &[],
    };
    let numbers: &[f64] = match dtype {
        DType::F32 | DType::F64 | DType::F16 | DType::BF16 => &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            1.0 / 3.0,
            0.1,
            3.75,
            -7.25,
            10.0,
            1.0009765625,
            100.0,
        ],
        DType::Bool => &[0.0, 1.0],
        DType::C32 | DType::C64 | DType::C128 => &[0.0, 1.0, -1.0, 0.5],
        dtype if is_unsigned(dtype) && dtype.is_integer() => &[0.0, 1.0, 2.0, 3.0, 7.0, 100.0],
        dtype if dtype.is_integer() => &[0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 7.0, 100.0],
        // Codes of small floats: zero, and numbers in the middle of their range.
        _ => &[0.0, 56.0, 60.0, 184.0],
    };
    let mut numbers = numbers.to_vec();
    if domain == Domain::Any || domain == Domain::Divisor {
        numbers.extend(limits);
    }
    if domain != Domain::Finite && matches!(dtype, DType::F32 | DType::F64 | DType::F16 | DType::BF16) {
        numbers.extend([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]);
    }
    if domain == Domain::Divisor {
        numbers.retain(|number| *number != 0.0 && (*number != -1.0 || dtype.is_float()));
    }
    numbers.into_iter().map(|number| encode(dtype, number)).collect()
}
