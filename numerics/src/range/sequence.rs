//! The elements of the ranges of ONNX and OpenVINO, and their number.

use half::bf16;

use super::fill::Elements;
use super::{Number, RangeError};
use crate::convert::cann::{Numeric, cast};
use crate::convert::round;
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
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether each element needs all elements before it, so that computing blocks separately does not pay.
    pub fn is_sequential(&self) -> bool {
        matches!(self.held, Held::Accumulated32(..) | Held::Accumulated64(..))
    }

    /// Writes the elements from index `first` on; slots past the last element keep what they hold.
    ///
    /// # Errors
    /// `T` is not the type of the elements.
    pub fn fill<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_slice(first, out)
    }

    /// Writes the elements from index `first` on into whole elements of any alignment, as [`Sequence::fill`] does.
    pub fn fill_bytes(&self, first: usize, out: &mut [u8]) {
        self.fill_packed(first, out)
    }
}

impl Elements for Sequence {
    fn element_type(&self) -> DType {
        self.out
    }

    #[inline(always)]
    fn write<T: Numeric, S>(
        &self,
        first: usize,
        slots: impl ExactSizeIterator<Item = S>,
        put: impl Fn(S, T),
    ) {
        let slots = slots.take(self.count.saturating_sub(first));
        match self.held {
            Held::Integer(start, step) => {
                let mut value = start.wrapping_add(step.wrapping_mul(first as i64));
                for slot in slots {
                    put(slot, cast(value));
                    value = value.wrapping_add(step);
                }
            }
            Held::Multiplied32(start, step) if self.out == DType::BF16 => {
                let element = |i: usize| bf16_as_implemented(start + step * i as f32);
                slots.zip(first..).for_each(|(slot, i)| put(slot, cast(element(i))));
            }
            Held::Multiplied32(start, step) => {
                slots.zip(first..).for_each(|(slot, i)| put(slot, cast(start + step * i as f32)));
            }
            Held::Multiplied64(start, step) => {
                slots.zip(first..).for_each(|(slot, i)| put(slot, cast(start + step * i as f64)));
            }
            Held::Accumulated64(start, step) => {
                accumulate(start, first, slots, |value| value + step, |slot, value| put(slot, cast(value)));
            }
            Held::Accumulated32(start, step) => {
                let next = |value| value + step;
                match self.out {
                    DType::F16 => accumulate(start, first, slots, next, |slot, value| {
                        put(slot, cast(round::f16_from_f32_towards_zero(value)));
                    }),
                    DType::BF16 => accumulate(start, first, slots, next, |slot, value| {
                        put(slot, cast(round::bf16_from_f32_towards_zero(value)));
                    }),
                    _ => accumulate(start, first, slots, next, |slot, value| put(slot, cast(value))),
                }
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

#[inline(always)]
fn accumulate<V: Copy, S>(
    start: V,
    first: usize,
    slots: impl Iterator<Item = S>,
    next: impl Fn(V) -> V,
    put: impl Fn(S, V),
) {
    // Without slots there is nothing to write, and no element to compute.
    let mut slots = slots.peekable();
    if slots.peek().is_none() {
        return;
    }
    let mut value = (0..first).fold(start, |value, _| next(value));
    for slot in slots {
        put(slot, value);
        value = next(value);
    }
}

/// Returns max(⌈distance / step⌉, 0) of integers.
pub(super) fn count_integers(distance: i128, step: i128) -> Option<usize> {
    if distance == 0 || (distance > 0) != (step > 0) {
        return Some(0);
    }
    usize::try_from(distance.unsigned_abs().div_ceil(step.unsigned_abs())).ok()
}

/// Returns max(⌈distance / step⌉, 0), at least 1 if the signs agree: a quotient of zero comes from underflow, or from
/// an infinite step, which leaves the start.
pub(super) fn count_floats(distance: f64, step: f64, given: [Number; 3]) -> Result<usize, RangeError> {
    let agree = distance != 0.0 && (distance > 0.0) == (step > 0.0);
    let count = count_quotient(distance / step, given)?;
    Ok(if agree { count.max(1) } else { count })
}

/// Returns max(⌈quotient⌉, 0).
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
