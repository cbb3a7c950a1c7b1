//! The elements of the ranges of ONNX and OpenVINO, and their number.

use half::bf16;

use super::fill::bytes_for;
use super::ramp::{self, Ramp, Short};
use super::{Number, RangeError};
use crate::convert::cann::Numeric;
use crate::convert::level::Level;
use crate::convert::{Converter, convert_bytes, copy_bytes, round};
use crate::dtype::DType;

/// The elements of a range as ONNX or OpenVINO defines it, and their number.
///
/// ```
/// use aclnn_numerics::range::onnx;
///
/// let range = onnx(10i32.into(), 4i32.into(), (-2i32).into())?;
/// let mut elements = vec![0i32; range.count()];
/// range.fill(0, &mut elements)?;
/// assert_eq!(elements, [10, 8, 6]);
/// # Ok::<(), aclnn_numerics::range::RangeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sequence {
    pub(super) held: Held,
    pub(super) count: usize,
    pub(super) out: DType,
}

/// Start and step, and how the elements are computed from them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Held {
    /// start + i · step, modulo 2⁶⁴.
    Integer(i64, i64),
    /// start + i · step, each rounded; with bf16 rounded as the library of OpenVINO does it.
    Multiplied32(f32, f32),
    Multiplied64(f64, f64),
    /// The previous element + step. Elements narrower than f32 are rounded towards zero.
    Accumulated32(f32, f32),
    Accumulated64(f64, f64),
}

impl Sequence {
    /// Returns the type of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns the number of elements.
    #[inline]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether each element needs all elements before it, so that computing blocks separately does not pay.
    #[inline]
    pub fn is_sequential(&self) -> bool {
        matches!(self.held, Held::Accumulated32(..) | Held::Accumulated64(..))
    }

    /// Writes the elements from index `first` on; slots past the last element keep what they hold.
    ///
    /// # Errors
    /// `T` is not the type of the elements.
    pub fn fill<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_bytes(first, bytes_for(self.out, out)?);
        Ok(())
    }

    /// Writes the elements from index `first` on into whole elements of any alignment, as [`Sequence::fill`] does.
    #[inline]
    pub fn fill_bytes(&self, first: usize, out: &mut [u8]) {
        self.fill_at(Level::best(), first, out);
    }

    #[inline]
    fn fill_at(&self, level: Level, first: usize, out: &mut [u8]) {
        let size = self.out.bits() / 8;
        let count = self.count.saturating_sub(first).min(out.len() / size);
        // Without slots there is nothing to write, and no element to compute.
        let Some(out) = out.get_mut(..count * size).filter(|out| !out.is_empty()) else { return };
        match self.held {
            Held::Integer(start, step) => ramp::count(level, [start, step], first, self.out.bits(), out),
            Held::Multiplied32(base, step) => match self.out {
                DType::F16 => ramp::up_f32(level, Ramp { base, step, first }, Short::F16, out),
                DType::BF16 => {
                    let round = |from: &[u8], to: &mut [u8]| convert_bytes(from, to, bf16_as_implemented);
                    ramp::converted(round, size, out, |offset, singles| {
                        let ramp = Ramp { base, step, first: first + offset };
                        ramp::up_f32(level, ramp, Short::F32, bytemuck::cast_slice_mut(singles));
                    });
                }
                _ => ramp::up_f32(level, Ramp { base, step, first }, Short::F32, out),
            },
            Held::Multiplied64(base, step) => ramp::up_f64(level, Ramp { base, step, first }, out),
            Held::Accumulated64(start, step) => {
                let mut value = (0..first).fold(start, |value, _| value + step);
                for slot in out.chunks_exact_mut(size) {
                    slot.copy_from_slice(&value.to_ne_bytes());
                    value += step;
                }
            }
            Held::Accumulated32(start, step) => {
                let mut value = (0..first).fold(start, |value, _| value + step);
                let round: Converter = match self.out {
                    DType::F16 => |from, to| convert_bytes(from, to, round::f16_from_f32_towards_zero),
                    DType::BF16 => |from, to| convert_bytes(from, to, round::bf16_from_f32_towards_zero),
                    _ => copy_bytes::<f32>,
                };
                ramp::converted(round, size, out, |_, singles| {
                    for slot in singles {
                        *slot = value;
                        value += step;
                    }
                });
            }
        }
    }
}

/// Rounds to bf16 as the library of OpenVINO does: to the nearest only from an odd lower neighbour.
#[inline]
fn bf16_as_implemented(value: f32) -> bf16 {
    let bits = value.to_bits();
    bf16::from_bits((bits.wrapping_add((bits & 0x1_0000) >> 1) >> 16) as u16)
}

/// Returns max(⌈distance / step⌉, 0) of integers.
#[inline]
pub(super) fn count_integers(distance: i128, step: i128) -> Option<usize> {
    if distance == 0 || (distance > 0) != (step > 0) {
        return Some(0);
    }
    usize::try_from(distance.unsigned_abs().div_ceil(step.unsigned_abs())).ok()
}

/// Returns max(⌈distance / step⌉, 0), at least 1 if the signs agree: a quotient of zero comes from underflow, or from
/// an infinite step, which leaves the start.
#[inline]
pub(super) fn count_floats(distance: f64, step: f64, given: [Number; 3]) -> Result<usize, RangeError> {
    let agree = distance != 0.0 && (distance > 0.0) == (step > 0.0);
    let count = count_quotient(distance / step, given)?;
    Ok(if agree { count.max(1) } else { count })
}

/// Returns max(⌈quotient⌉, 0).
#[inline]
pub(super) fn count_quotient(quotient: f64, [start, end, step]: [Number; 3]) -> Result<usize, RangeError> {
    if quotient.is_nan() {
        return Err(RangeError::Undefined { start, end, step });
    }
    // 2⁶⁴ is the first f64 that does not fit; the conversion saturates.
    if quotient >= usize::MAX as f64 {
        return Err(RangeError::Endless { start, end, step });
    }
    Ok(quotient.ceil() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the level that every machine has, from indices of several kinds.
    #[test]
    fn every_instruction_set_makes_the_same_elements() {
        let (floats, integers) =
            ([DType::F32, DType::F16, DType::BF16], [DType::I8, DType::U16, DType::I32, DType::U64]);
        let singles = floats.into_iter().flat_map(|out| {
            [Held::Multiplied32(-0.0, 0.1), Held::Accumulated32(1e30, -3e34)].map(|held| (held, out))
        });
        let all = singles.chain(integers.map(|out| (Held::Integer(i64::MAX - 5, -3), out))).chain(
            [Held::Multiplied64(0.1, 1e-3), Held::Accumulated64(0.1, -7.3)].map(|held| (held, DType::F64)),
        );
        for (held, out) in all {
            let range = Sequence { held, count: 1000, out };
            for first in [0, 1, 777, 999, 1000] {
                let mut expected = vec![0xA5; 400 * out.bits() / 8 + 1];
                range.fill_at(Level::PLAIN, first, &mut expected[1..]);
                for level in Level::all() {
                    let mut bytes = vec![0xA5; expected.len()];
                    range.fill_at(level, first, &mut bytes[1..]);
                    assert!(bytes == expected, "{level:?}: {held:?} of {out} from {first}");
                }
            }
        }
    }
}
