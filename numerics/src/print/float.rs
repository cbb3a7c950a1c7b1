//! Floating-point numbers as words of one width, with their points below each other.

use crate::convert::round;

/// A floating-point type, whose digits and limits differ from those of the others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Float {
    Half,
    Single,
    Double,
}

impl Float {
    /// Returns the limit from which on numbers have an exponent: the type has no more digits, or they would be too many
    /// to read.
    fn limit(self) -> f64 {
        match self {
            Float::Half => 1e3,
            Float::Single => 1e6,
            Float::Double => 1e8,
        }
    }

    fn rounded(self, value: f64) -> f64 {
        match self {
            Float::Half => round::f32_from_f16(round::f16_from_f64(value)).into(),
            Float::Single => (value as f32).into(),
            Float::Double => value,
        }
    }

    /// Returns the shortest text in scientific notation that `rounded` makes the same number of; for finite numbers.
    pub(super) fn fewest_digits(value: f64, rounded: impl Fn(f64) -> f64) -> String {
        let texts = (0..17).flat_map(|digits| {
            let nearest = format!("{value:.digits$e}");
            // A power of two is nearer to its neighbour below than to the one above, so a text above it may still be
            // rounded to it.
            let power = nearest.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok()).unwrap_or(0);
            let half = 0.5 * 10f64.powi(power - digits as i32);
            [nearest, format!("{:.digits$e}", value + half.copysign(value))]
        });
        let mut same = texts.filter(|text| text.parse().is_ok_and(|close| rounded(close) == value));
        same.next().unwrap_or_else(|| format!("{value:e}"))
    }

    /// Returns the number in scientific notation, with as few digits as tell it from its neighbours.
    fn scientific(self, value: f64) -> String {
        match self {
            Float::Half => Self::fewest_digits(value, |close| self.rounded(close)),
            Float::Single => {
                self.even(value, format!("{:e}", value as f32), |digits| format!("{value:.digits$e}"))
            }
            Float::Double => self.even(value, format!("{value:e}"), |digits| format!("{value:.digits$e}")),
        }
    }

    /// Returns the same digits without an exponent.
    fn positional(self, value: f64) -> String {
        match self {
            Float::Half => self.scientific(value).parse().unwrap_or(value).to_string(),
            Float::Single => {
                self.even(value, (value as f32).to_string(), |digits| format!("{value:.digits$}"))
            }
            Float::Double => self.even(value, value.to_string(), |digits| format!("{value:.digits$}")),
        }
    }

    /// Returns the even one of two texts of as many digits that are equally near; Rust takes the larger one.
    fn even(self, value: f64, fewest: String, exact: impl Fn(usize) -> String) -> String {
        let (number, _) = fewest.split_once('e').unwrap_or((&fewest, ""));
        let exact = exact(number.split_once('.').map_or(0, |(_, fraction)| fraction.len()));
        if exact.parse().is_ok_and(|close| self.rounded(close) == value) { exact } else { fewest }
    }
}

/// The format of the numbers of a tensor.
pub(super) struct Columns {
    float: Float,
    /// The number of digits after the point, at most.
    precision: usize,
    /// The number of digits of the exponent, if exponents are written.
    exponent: Option<usize>,
    /// Whether a plus is written.
    plus: bool,
    /// The number of columns before and after the point.
    left: usize,
    right: usize,
}

/// The parts of a finite number: the digits before the point with their sign, those after it, and the exponent with its
/// sign.
struct Parts {
    whole: String,
    fraction: String,
    exponent: String,
}

impl Columns {
    pub(super) fn fitting(float: Float, values: &[f64], precision: usize, plus: bool) -> Columns {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let magnitudes = || finite().filter(|&value| value != 0.0).map(f64::abs);
        let (largest, smallest) =
            (magnitudes().fold(0.0, f64::max), magnitudes().fold(f64::INFINITY, f64::min));
        let has_exponents = largest >= float.limit()
            || smallest < float.rounded(1e-4)
            || float.rounded(largest / smallest) > 1000.0;

        let mut columns = Columns { float, precision, exponent: None, plus, left: 0, right: 0 };
        let parts: Vec<Parts> = finite()
            .map(|value| if has_exponents { columns.scientific(value) } else { columns.positional(value) })
            .collect();
        let widest =
            |part: fn(&Parts) -> &str| parts.iter().map(|parts| part(parts).len()).max().unwrap_or(0);
        columns.left = widest(|parts| &parts.whole);
        columns.right = widest(|parts| &parts.fraction);
        if has_exponents {
            columns.precision = columns.right;
            let digits = widest(|parts| &parts.exponent).saturating_sub(1);
            columns.exponent = Some(digits);
            columns.right += digits + 2;
        }
        for &special in values.iter().filter(|value| !value.is_finite()) {
            let sign = usize::from(plus || special == f64::NEG_INFINITY);
            columns.left = columns.left.max((sign + 3).saturating_sub(1 + columns.right));
        }
        columns
    }

    /// Returns a number, padded to the columns.
    pub(super) fn word(&self, value: f64) -> String {
        let (left, right) = (self.left, self.right);
        if !value.is_finite() {
            let sign = if value < 0.0 { "-" } else { self.sign() };
            let name = if value.is_nan() { "nan" } else { "inf" };
            return format!("{:>1$}", format!("{sign}{name}"), left + 1 + right);
        }
        match self.exponent {
            None => {
                let Parts { whole, fraction, .. } = self.positional(value);
                format!("{whole:>left$}.{fraction:<right$}")
            }
            Some(digits) => {
                let precision = self.precision;
                // All numbers have this precision: after the fewest digits follow those of the exact number.
                let Parts { whole, fraction, exponent } = match self.scientific(value) {
                    parts if parts.fraction.len() == precision => parts,
                    _ => self.parts(&format!("{value:.precision$e}")),
                };
                let (sign, power) = exponent.split_at(exponent.len().min(1));
                format!("{whole:>left$}.{fraction:0<precision$}e{sign}{power:0>digits$}")
            }
        }
    }

    fn sign(&self) -> &'static str {
        if self.plus { "+" } else { "" }
    }

    fn scientific(&self, value: f64) -> Parts {
        let parts = self.parts(&self.float.scientific(value));
        self.cut(parts, || format!("{value:.*e}", self.precision))
    }

    fn positional(&self, value: f64) -> Parts {
        let parts = self.parts(&self.float.positional(value));
        self.cut(parts, || format!("{value:.*}", self.precision))
    }

    /// Rounds a number with too many digits after the point, and removes zeros at its end.
    fn cut(&self, parts: Parts, rounded: impl Fn() -> String) -> Parts {
        if parts.fraction.len() <= self.precision {
            return parts;
        }
        let mut parts = self.parts(&rounded());
        parts.fraction.truncate(parts.fraction.trim_end_matches('0').len());
        parts
    }

    fn parts(&self, text: &str) -> Parts {
        let (number, power) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let sign = if whole.starts_with('-') { "" } else { self.sign() };
        let (power_sign, power) = power.strip_prefix('-').map_or(('+', power), |power| ('-', power));
        Parts {
            whole: format!("{sign}{whole}"),
            fraction: fraction.to_owned(),
            exponent: format!("{power_sign}{power:0>2}"),
        }
    }
}
