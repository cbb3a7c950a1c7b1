//! The elements of Linspace.

use super::fill::bytes_for;
use super::ramp::{self, Ramp, Short};
use super::{Number, RangeError};
use crate::convert::cann::{Numeric, converter_at};
use crate::convert::level::Level;
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
    level: Level,
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
    #[inline]
    pub fn new(start: Number, end: Number, steps: usize, out: DType) -> Result<Linspace, RangeError> {
        Linspace::at(Level::best(), start, end, steps, out)
    }

    #[inline]
    fn at(
        level: Level,
        start: Number,
        end: Number,
        steps: usize,
        out: DType,
    ) -> Result<Linspace, RangeError> {
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
        Ok(Linspace { held, steps, out, level })
    }

    /// Returns the type of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.out
    }

    /// Returns the number of elements.
    #[inline]
    pub fn count(&self) -> usize {
        self.steps
    }

    /// Writes the elements from index `first` on; slots past the last element keep what they hold.
    ///
    /// # Errors
    /// `T` is not the type of the elements.
    pub fn fill<T: Numeric>(&self, first: usize, out: &mut [T]) -> Result<(), RangeError> {
        self.fill_bytes(first, bytes_for(self.out, out)?);
        Ok(())
    }

    /// Writes the elements from index `first` on into whole elements of any alignment, as [`Linspace::fill`] does.
    #[inline]
    pub fn fill_bytes(&self, first: usize, out: &mut [u8]) {
        let size = self.out.bits() / 8;
        let count = self.steps.saturating_sub(first).min(out.len() / size);
        let out = out.get_mut(..count * size).unwrap_or_default();
        match self.held {
            Held::F64(start, end) => {
                self.halves(first, [start, end], out, ramp::up_f64, ramp::down_f64);
            }
            Held::F32(start, end) => {
                let up = |level, ramp, out: &mut [u8]| ramp::up_f32(level, ramp, Short::F32, out);
                match converter_at(self.level, DType::F32, self.out) {
                    Some(convert) if self.out != DType::F32 => {
                        ramp::converted(convert, size, out, |offset, singles| {
                            let singles = bytemuck::cast_slice_mut(singles);
                            self.halves(first + offset, [start, end], singles, up, ramp::down_f32);
                        });
                    }
                    _ => self.halves(first, [start, end], out, up, ramp::down_f32),
                }
            }
        }
    }

    /// Writes numbers from index `first` on, as many as `out` holds and at most up to the last one.
    fn halves<V: Real>(
        &self,
        first: usize,
        [start, end]: [V; 2],
        out: &mut [u8],
        up: impl Fn(Level, Ramp<V>, &mut [u8]),
        down: impl Fn(Level, Ramp<V>, &mut [u8]),
    ) {
        let size = size_of::<V>();
        let last = self.steps.saturating_sub(1);
        let step = V::over(end - start, last);
        // A single element counts from the start.
        let half = (self.steps / 2).max(1);
        let rising = half.saturating_sub(first).min(out.len() / size);
        let (head, tail) = out.split_at_mut(rising * size);
        up(self.level, Ramp { base: start, step, first }, head);
        if !tail.is_empty() {
            let first = last.saturating_sub(first + rising);
            down(self.level, Ramp { base: end, step, first }, tail);
        }
        // Both ends are exact, whatever the step is.
        if let (0, Some(slot)) = (first, head.get_mut(..size)) {
            slot.copy_from_slice(bytemuck::bytes_of(&start));
        }
        let count = (head.len() + tail.len()) / size;
        if let (true, Some(slot)) = (first + count == self.steps, tail.rchunks_exact_mut(size).next()) {
            slot.copy_from_slice(bytemuck::bytes_of(&end));
        }
    }
}

/// A type of the arithmetic.
trait Real: bytemuck::Pod + std::ops::Sub<Output = Self> {
    /// Returns the quotient of a distance and a number of steps.
    fn over(distance: Self, steps: usize) -> Self;
}

impl Real for f32 {
    #[inline]
    fn over(distance: f32, steps: usize) -> f32 {
        distance / steps as f32
    }
}

impl Real for f64 {
    #[inline]
    fn over(distance: f64, steps: usize) -> f64 {
        distance / steps as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::cann::cast;
    use half::{bf16, f16};

    /// Against the definition, one element at a time.
    #[test]
    fn every_instruction_set_makes_the_same_elements() {
        fn compare<T: Numeric>(start: f32, end: f32, steps: usize) {
            let step = (end - start) / (steps - 1) as f32;
            let element = |i: usize| match steps - 1 - i {
                _ if i == 0 => start,
                0 => end,
                _ if i < steps / 2 => start + std::hint::black_box(step * i as f32),
                left => end - std::hint::black_box(step * left as f32),
            };
            for level in Level::all() {
                let range = Linspace::at(level, start.into(), end.into(), steps, T::DTYPE).unwrap();
                for (first, len) in
                    [(0, 700), (0, 1), (1, 1), (steps / 2, 5), (steps / 3, 700), (steps - 1, 1)]
                {
                    let len = len.min(steps - first);
                    let expected: Vec<T> = (first..first + len).map(|i| cast(element(i))).collect();
                    let mut bytes = vec![0xA5; (len + 1) * T::DTYPE.bits() / 8];
                    range.fill_bytes(first, &mut bytes[..T::as_bytes(&expected).len()]);
                    assert_eq!(
                        &bytes[..T::as_bytes(&expected).len()],
                        T::as_bytes(&expected),
                        "{level:?}: {start} to {end}, {steps} from {first}"
                    );
                }
            }
        }
        for (start, end, steps) in [
            (0.0, 1.0, 2),
            (-0.0, -0.0, 9),
            (0.1, 77.7, 1000),
            (300.0, -70000.0, 1999),
            (f32::MIN, f32::MAX, 11),
            (0.0, 1.0, (1 << 31) + 77),
            (f32::INFINITY, 1.0, 100),
        ] {
            compare::<f32>(start, end, steps);
            compare::<f16>(start, end, steps);
            compare::<bf16>(start, end, steps);
            compare::<i64>(start, end, steps);
        }
    }
}
