//! Matrices of two diagonals, which rotations of their rows and columns make diagonal.

use crate::views::allocation;
use crate::views::failure::Result;

/// Rounds for each value; a value needs two or three.
const ROUNDS: usize = 30;

/// A number too small beside the largest elements, which are about 1, to change anything. Squares of larger numbers keep all
/// digits.
const NOTHING: f64 = 1e-140;

/// A matrix with zeros but for the diagonal and the one above it.
pub(super) struct Bidiagonal {
    pub(super) diagonal: Vec<f64>,
    pub(super) above: Vec<f64>,
}

/// The cosine and the sine of a rotation.
type Rotation = (f64, f64);

impl Bidiagonal {
    pub(super) fn new(count: usize) -> Result<Self> {
        Ok(Self { diagonal: allocation::zeros(count)?, above: allocation::zeros(count.saturating_sub(1))? })
    }

    /// Makes the matrix diagonal by rounds of implicit shifts. `rotate` learns of the rotations of left and of right vectors:
    /// each of one vector with the next one, from that with a number on.
    pub(super) fn diagonalise(&mut self, mut rotate: impl FnMut([&[Rotation]; 2], usize)) -> Result {
        let count = self.diagonal.len();
        let (mut left, mut right) = (allocation::for_elements(count)?, allocation::for_elements(count)?);
        let mut last = count.saturating_sub(1);
        for _ in 0..ROUNDS.saturating_mul(count) {
            for (element, pair) in self.above.iter_mut().zip(self.diagonal.windows(2)) {
                let least = f64::EPSILON / 2.0 * (pair[0].abs() + pair[1].abs());
                if element.abs() <= least.max(NOTHING) {
                    *element = 0.0;
                }
            }
            while last > 0 && self.above[last - 1] == 0.0 {
                last -= 1;
            }
            if last == 0 {
                break;
            }
            let first = self.above[..last].iter().rposition(|element| *element == 0.0).map_or(0, |at| at + 1);
            left.clear();
            right.clear();
            match self.shift(first, last) {
                0.0 => self.round_without_shift(first, last, &mut left, &mut right),
                shift => self.round(first, last, shift, &mut left, &mut right),
            }
            rotate([&left, &right], first);
        }
        Ok(())
    }

    /// A value near the last one of a block; 0 where it changes nothing but the roundings.
    fn shift(&self, first: usize, last: usize) -> f64 {
        let moduli = self.diagonal[first..=last].iter().map(|element| element.abs());
        let largest = self.above[first..last].iter().fold(0.0, |most: f64, element| most.max(element.abs()));
        let (least, largest) =
            moduli.fold((f64::INFINITY, largest), |(least, most), one| (least.min(one), most.max(one)));
        if least <= f64::EPSILON * largest {
            return 0.0;
        }
        let [a, b, c] = [self.diagonal[last - 1], self.above[last - 1], self.diagonal[last]];
        let shift = smaller_value(a.abs(), b.abs(), c.abs());
        if (shift / self.diagonal[first]).powi(2) < f64::EPSILON { 0.0 } else { shift }
    }

    fn round(
        &mut self,
        first: usize,
        last: usize,
        shift: f64,
        left: &mut Vec<Rotation>,
        right: &mut Vec<Rotation>,
    ) {
        let (d, e) = (&mut self.diagonal, &mut self.above);
        let (mut f, mut g) =
            ((d[first].abs() - shift) * (1.0_f64.copysign(d[first]) + shift / d[first]), e[first]);
        for k in first..last {
            let (by_right, length) = rotation(f, g);
            if k > first {
                e[k - 1] = length;
            }
            (f, e[k]) = turned(by_right, d[k], e[k]);
            (g, d[k + 1]) = (by_right.1 * d[k + 1], by_right.0 * d[k + 1]);
            let (by_left, length) = rotation(f, g);
            d[k] = length;
            (f, d[k + 1]) = turned(by_left, e[k], d[k + 1]);
            if k + 1 < last {
                (g, e[k + 1]) = (by_left.1 * e[k + 1], by_left.0 * e[k + 1]);
            }
            left.push(by_left);
            right.push(by_right);
        }
        e[last - 1] = f;
    }

    /// A round that keeps small values exact, and after which a 0 on the diagonal stands alone.
    fn round_without_shift(
        &mut self,
        first: usize,
        last: usize,
        left: &mut Vec<Rotation>,
        right: &mut Vec<Rotation>,
    ) {
        let (d, e) = (&mut self.diagonal, &mut self.above);
        let (mut by_right, mut by_left) = ((1.0, 0.0), (1.0, 0.0));
        for k in first..last {
            let length;
            (by_right, length) = rotation(d[k] * by_right.0, e[k]);
            if k > first {
                e[k - 1] = by_left.1 * length;
            }
            (by_left, d[k]) = rotation(by_left.0 * length, d[k + 1] * by_right.1);
            left.push(by_left);
            right.push(by_right);
        }
        let rest = d[last] * by_right.0;
        (d[last], e[last - 1]) = (rest * by_left.0, rest * by_left.1);
    }
}

/// The rotation that makes the second of two numbers 0, and the first one then.
fn rotation(a: f64, b: f64) -> (Rotation, f64) {
    let length = (a * a + b * b).sqrt();
    let inverse = 1.0 / length;
    match b == 0.0 || length < NOTHING {
        true => ((1.0, 0.0), a),
        false => ((a * inverse, b * inverse), length),
    }
}

fn turned((cosine, sine): Rotation, a: f64, b: f64) -> (f64, f64) {
    (cosine * a + sine * b, cosine * b - sine * a)
}

/// The smaller singular value of a triangle with the diagonal `a`, `c` and `b` beside it, none of which is negative.
fn smaller_value(a: f64, b: f64, c: f64) -> f64 {
    let (least, most) = (a.min(c), a.max(c));
    if least == 0.0 {
        return 0.0;
    }
    // Products and squares of numbers near each other alone, so that the result has no error but roundings.
    let (sum, difference) = (1.0 + least / most, (most - least) / most);
    let square = (b / most).powi(2);
    least * 2.0 / ((sum * sum + square).sqrt() + (difference * difference + square).sqrt())
}
