//! Numbers beside which a conversion from one type to another changes its result: where it rounds, saturates or wraps.

use aclnn_numerics::DType;

use super::elements::{encode, limits, part};

/// A format of floats.
pub(crate) struct Format {
    /// The digits of its numbers, in bits.
    pub(crate) digits: i32,
    /// The exponents of its least normal number and of its greatest one.
    pub(crate) exponents: (i32, i32),
}

impl Format {
    pub(crate) fn of(dtype: DType) -> Option<Self> {
        let (digits, exponents) = match dtype {
            DType::F16 => (11, (-14, 15)),
            DType::BF16 => (8, (-126, 127)),
            DType::F32 => (24, (-126, 127)),
            DType::F64 => (53, (-1022, 1023)),
            _ => return None,
        };
        Some(Self { digits, exponents })
    }

    /// The greatest finite number.
    pub(crate) fn greatest(&self) -> f64 {
        (2.0 - 2f64.powi(1 - self.digits)) * 2f64.powi(self.exponents.1)
    }
}

/// The elements of `from` at the borders of a conversion to `to`; of a complex number the real part is one. Numbers with an
/// absolute value beyond `most` are left out.
pub(crate) fn borders(from: DType, to: DType, most: f64) -> Vec<Vec<u8>> {
    let (own, other) = (part(from), part(to));
    let mut elements: Vec<Vec<u8>> = match (Format::of(own), limits(own)) {
        (Some(format), _) => {
            let numbers = of_floats(&format, other).into_iter().flat_map(|number| [number, -number]);
            let kept = numbers.filter(|number| number.abs() <= most).map(|number| encode(own, number));
            let is_finite = |element: &Vec<u8>| super::elements::decode(own, element).is_finite();
            kept.filter(is_finite).collect()
        }
        (None, Some((least, greatest))) => of_integers(other)
            .into_iter()
            .flat_map(|number| [number, -number])
            .filter(|number| (least..=greatest).contains(number) && number.abs() as f64 <= most)
            .map(|number| number.to_le_bytes()[..own.bits() / 8].to_vec())
            .collect(),
        _ => Vec::new(),
    };
    elements.sort_unstable();
    elements.dedup();
    if from.is_complex() {
        let one = encode(own, 1.0);
        elements.iter_mut().for_each(|element| element.extend_from_slice(&one));
    }
    elements
}

fn of_floats(own: &Format, to: DType) -> Vec<f64> {
    let Some(format) = Format::of(to) else {
        return limits(to).map_or(vec![0.5, 0.25], of_floats_to_integers);
    };
    let mut numbers = Vec::new();
    let (step, fine) = (2f64.powi(1 - format.digits), 2f64.powi(1 - own.digits));
    if format.digits < own.digits {
        // Halfway to an even neighbour below and above, one digit beside it, nearer to either side, and a carry.
        for scale in [1.0, 2f64.powi(-5)] {
            let of = [
                1.0 + step / 2.0,
                1.0 + 1.5 * step,
                1.0 + step / 2.0 + fine,
                1.0 + step / 2.0 - fine,
                1.0 + 0.75 * step,
                1.0 + 0.25 * step,
                2.0 - fine,
            ];
            numbers.extend(of.map(|number| number * scale));
        }
    }
    if format.exponents.1 < own.exponents.1 || format.digits < own.digits && format.exponents == own.exponents
    {
        // Halfway to infinity, and the last number that is not infinite.
        let scale = 2f64.powi(format.exponents.1);
        let of = [2.0 - step, 2.0 - step / 2.0, 2.0 - step / 2.0 - fine, 2.0 - 0.75 * step, 2.0 - fine];
        numbers.extend(of.map(|number| number * scale));
        if to == DType::F16 {
            numbers.extend([65519.0, 65520.0, 65536.0, 70000.0]);
        }
    }
    // Whether a device keeps the subnormal numbers of the wider formats is not known.
    if to == DType::F16 && own.exponents.0 < format.exponents.0 {
        let least = 2f64.powi(format.exponents.0 + 1 - format.digits);
        numbers.extend([0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 3.25, 1023.0, 1023.5].map(|number| number * least));
    }
    if own.exponents == (-14, 15) && format.digits >= own.digits {
        numbers.extend([1.0, 3.0, 1023.0].map(|number| number * 2f64.powi(-24)));
    }
    numbers
}

/// Fractions, and numbers beside the limits.
fn of_floats_to_integers((least, greatest): (i128, i128)) -> Vec<f64> {
    let (least, greatest) = (least as f64, greatest as f64);
    let small = [0.5, 0.25, 0.75, 1.5, 2.5, 3.5, 0.999_999, 1.000_001, 63.5, 64.5];
    let large = [
        greatest,
        greatest + 0.5,
        greatest + 1.0,
        greatest + 4.0,
        least - 0.5,
        least - 1.0,
        2.0 * greatest + 7.0,
    ];
    small.into_iter().chain(large).collect()
}

fn of_integers(to: DType) -> Vec<i128> {
    match (Format::of(to), limits(to)) {
        (Some(format), _) => {
            let power = |exponent: i32| 1_i128 << exponent;
            let digits = format.digits;
            let mut numbers = vec![power(digits) + 1, power(digits) + 3, power(digits) - 1];
            // Beside the middle of two numbers, in it, and a carry.
            for exponent in [digits + 1, digits + 3] {
                let half = power(exponent - digits);
                let base = power(exponent);
                numbers.extend([
                    base + half,
                    base + half - 1,
                    base + half + 1,
                    base + 3 * half,
                    2 * base - 1,
                ]);
            }
            if to == DType::F16 {
                numbers.extend([65503, 65504, 65519, 65520, 65535, 65536, 70000]);
            }
            numbers
        }
        (None, Some((least, greatest))) => {
            let count = greatest - least + 1;
            vec![greatest, greatest + 1, least - 1, least, count, count + 5, count - 1, 3 * count / 2 + 3]
        }
        // Bits that a byte of a bool does not see.
        _ => vec![256, 65536, 1 << 32],
    }
}

#[cfg(test)]
mod tests {
    use aclnn_numerics::{bf16, f16};

    use super::*;
    use crate::verify::elements::decode;

    /// The conversions of the crate `half` round to nearest; bits are cut off for the rounding towards zero.
    #[test]
    fn inputs_tell_roundings_apart() {
        let of = |from, to| -> Vec<f64> {
            borders(from, to, f64::INFINITY).iter().map(|element| decode(from, element)).collect()
        };
        let finite = |number: &&f64| f16::from_f64(**number).is_finite();
        let numbers = of(DType::F32, DType::F16);
        let nearest = |number: f64| f16::from_f64(number).to_f64();
        let cut =
            numbers.iter().filter(finite).filter(|number| nearest(**number).abs() > number.abs()).count();
        assert!(cut >= 10, "{cut} of {numbers:?}");
        for wanted in [65519.0, 65520.0, 2f64.powi(-25), 1.5 * 2f64.powi(-24), 1.0 + 2f64.powi(-11)] {
            assert!(numbers.contains(&wanted) && numbers.contains(&-wanted), "{wanted}");
        }
        // Significant digits: the zeros behind the fraction of f32 are not counted.
        let digits =
            |number: &f64| 24 - ((*number as f32).to_bits() & 0x7F_FFFF | 0x80_0000).trailing_zeros();
        assert!(numbers.iter().map(digits).any(|digits| digits == 24));
        assert!(numbers.iter().map(digits).any(|digits| digits == 13));
        let numbers = of(DType::F32, DType::BF16);
        let nearest = |number: f64| bf16::from_f32(number as f32).to_f64();
        assert!(numbers.iter().filter(|number| nearest(**number).abs() > number.abs()).count() >= 10);
    }

    #[test]
    fn every_pair_that_is_not_exact_has_borders() {
        let types =
            DType::TABLE.into_iter().filter(|dtype| Format::of(*dtype).is_some() || limits(*dtype).is_some());
        for from in types.clone() {
            for to in types.clone() {
                let digits =
                    |dtype| Format::of(dtype).map_or(dtype.bits() as i32 - 1, |format| format.digits);
                if digits(to) < digits(from) {
                    assert!(borders(from, to, f64::INFINITY).len() >= 4, "{from} to {to}");
                }
            }
        }
    }
}
