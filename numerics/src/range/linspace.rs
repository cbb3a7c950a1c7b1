//! The elements of Linspace.

use super::fill::Elements;
use super::{Number, RangeError};
use crate::convert::cann::{Numeric, cast};
use crate::dtype::DType;

/// The elements of Linspace: evenly spaced from start to end, both included.
///
/// The first half counts up from the start, the second half back from the end, so that the last element is exactly the
/// end; a single element is the start. The arithmetic is that of f32, and that of f64 for f64. For integers of up to 32
/// bits, start and end are truncated first, and elements are truncated as Cast does it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Linspace {
    held: Held,
    steps: usize,
    out: DType,
}

/// Start and end in the type of the arithmetic.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Held {
    F32(f32, f32),
    F64(f64, f64),
}

impl Linspace {
    /// Prepares `steps` elements of type `out`.
    ///
    /// # Errors
    /// The type is not one of f32, f16, bf16, f64, i8, u8, i16, i32, i64.
    pub fn new(start: Number, end: Number, steps: usize, out: DType) -> Result<Linspace, RangeError> {
        let pair = |to: fn(Number) -> f32| Held::F32(to(start), to(end));
        let held = match out {
            DType::F64 => Held::F64(start.to_f64(), end.to_f64()),
            DType::F32 | DType::F16 | DType::BF16 | DType::I64 => pair(Number::to_f32),
            DType::I8 => pair(|number| number.to_i32() as i8 as f32),
            DType::U8 => pair(|number| number.to_i32() as u8 as f32),
            DType::I16 => pair(|number| number.to_i32() as i16 as f32),
            DType::I32 => pair(|number| number.to_i32() as f32),
            dtype => return Err(RangeError::Output { dtype }),
        };
        Ok(Linspace { held, steps, out })
    }

    /// Returns the type of the elements.
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns the number of elements.
    pub fn count(&self) -> usize {
        self.steps
    }

    /// Writes the elements from index `first` on; slots past the last element keep what they hold.
    ///
    /// # Errors
    /// `T` is not the type of the elements.
    pub fn fill<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_slice(first, out)
    }

    /// Writes the elements from index `first` on into whole elements of any alignment, as [`Linspace::fill`] does.
    pub fn fill_bytes(&self, first: usize, out: &mut [u8]) {
        self.fill_packed(first, out)
    }
}

impl Elements for Linspace {
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
        let indexed = (first..self.steps).zip(slots);
        match self.held {
            Held::F32(start, end) => {
                let distance = (end - start) / (self.steps.saturating_sub(1)) as f32;
                for (i, slot) in indexed {
                    put(
                        slot,
                        cast(match Side::of(i, self.steps) {
                            Side::Start(0) => start,
                            Side::Start(i) => start + distance * i as f32,
                            Side::End(0) => end,
                            Side::End(i) => end - distance * i as f32,
                        }),
                    );
                }
            }
            Held::F64(start, end) => {
                let distance = (end - start) / (self.steps.saturating_sub(1)) as f64;
                for (i, slot) in indexed {
                    put(
                        slot,
                        cast(match Side::of(i, self.steps) {
                            Side::Start(0) => start,
                            Side::Start(i) => start + distance * i as f64,
                            Side::End(0) => end,
                            Side::End(i) => end - distance * i as f64,
                        }),
                    );
                }
            }
        }
    }
}

/// The number of steps from the end that an element is counted from.
enum Side {
    Start(usize),
    End(usize),
}

impl Side {
    #[inline(always)]
    fn of(index: usize, steps: usize) -> Side {
        if index < steps / 2 || steps == 1 { Side::Start(index) } else { Side::End(steps - 1 - index) }
    }
}
