//! Averages and greatest elements of windows, plane by plane, and their gradients.

use bytemuck::Pod;

use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};

/// The elements under a window along one axis, at one of its positions.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    count: usize,
    /// Of how many elements along the axis an average is.
    divisor: usize,
    /// The distance between two elements.
    step: usize,
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    /// Elements of the image along the axis.
    pub size: usize,
    /// The number of positions.
    pub positions: usize,
    pub kind: Kind,
}

/// The windows along one axis.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A window that moves.
    Moves {
        kernel: i64,
        stride: i64,
        /// Elements before the image, and behind it.
        padding: [i64; 2],
        dilation: i64,
        /// Whether an average is also of the elements of the padding.
        counts_padding: bool,
    },
    /// As many parts of the image as there are positions.
    Parts,
}

/// How many steps lead to a distance, or beyond it.
fn steps(distance: i64, step: i64) -> i64 {
    (distance.max(0) + step - 1).div_euclid(step)
}

impl Axis {
    /// Returns an axis that the image does not have.
    pub fn none() -> Self {
        Self { size: 1, positions: 1, kind: Kind::Parts }
    }

    /// The elements under the window at each position.
    fn spans(&self) -> impl Iterator<Item = Span> + use<> {
        let axis = *self;
        (0..axis.positions).map(move |position| axis.span(position))
    }

    fn span(&self, position: usize) -> Span {
        let size = self.size as i64;
        let Kind::Moves { kernel, stride, padding: [before, behind], dilation, counts_padding } = self.kind
        else {
            let (first, end) = (
                position * self.size / self.positions,
                ((position + 1) * self.size).div_ceil(self.positions),
            );
            return Span { first, count: end - first, divisor: end - first, step: 1 };
        };
        let begin = position as i64 * stride - before;
        let end = begin + dilation * (kernel - 1) + 1;
        // The first element of the window that lies on the image.
        let first = begin + steps(-begin, dilation) * dilation;
        let count = steps(end.min(size) - first, dilation);
        let divisor = if counts_padding { end.min(size + behind) - begin } else { count };
        Span {
            first: first.max(0) as usize,
            count: count as usize,
            divisor: divisor.max(0) as usize,
            step: dilation as usize,
        }
    }
}

impl Span {
    fn indices(self) -> impl Iterator<Item = usize> + use<> {
        (0..self.count).map(move |number| self.first + number * self.step)
    }
}

/// Windows over the planes, rows and columns of an image.
#[derive(Clone, Debug)]
pub struct Windows(pub [Axis; 3]);

impl Windows {
    /// Returns the elements of an image.
    pub fn elements(&self) -> usize {
        self.0.iter().map(|axis| axis.size).product()
    }

    /// Returns the positions of the window.
    pub fn positions(&self) -> usize {
        self.0.iter().map(|axis| axis.positions).product()
    }

    /// Visits every position in order, with the elements under the window along each axis.
    fn each(&self, mut visit: impl FnMut(usize, [Span; 3])) -> Result {
        let [planes, rows, columns] = self.0.each_ref().map(|axis| allocation::collect(axis.spans()));
        let (planes, rows, columns) = (planes?, rows?, columns?);
        let mut number = 0;
        for plane in &planes {
            for row in &rows {
                for column in &columns {
                    visit(number, [*plane, *row, *column]);
                    number += 1;
                }
            }
        }
        Ok(())
    }

    /// Visits the numbers of the elements under the window, in order.
    fn under(&self, [plane, row, column]: [Span; 3], mut visit: impl FnMut(usize)) {
        let [_, rows, columns] = &self.0;
        for plane in plane.indices() {
            for row in row.indices() {
                let line = (plane * rows.size + row) * columns.size;
                column.indices().for_each(|column| visit(line + column));
            }
        }
    }

    /// Returns the number of the first element under the window, at each position.
    pub fn firsts(&self) -> Result<Vec<i64>> {
        let mut firsts = allocation::for_elements(self.positions())?;
        let [_, rows, columns] = &self.0;
        self.each(|_, [plane, row, column]| {
            firsts.push(((plane.first * rows.size + row.first) * columns.size + column.first) as i64);
        })?;
        Ok(firsts)
    }

    /// Writes the average at each position; `divisor` replaces the number of elements.
    pub fn average(&self, image: &[f32], divisor: Option<i64>, out: &mut [f32]) -> Result {
        self.each(|position, spans| {
            let mut sum = 0.0;
            self.under(spans, |index| sum += image.get(index).copied().map_or(0.0, f64::from));
            if let Some(out) = out.get_mut(position) {
                *out = (sum / divided(spans, divisor)) as f32;
            }
        })
    }

    /// Writes the gradient of [`Windows::average`].
    pub fn spread(&self, gradient: &[f32], divisor: Option<i64>, out: &mut [f32]) -> Result {
        let mut sums = allocation::zeros::<f64>(out.len())?;
        self.each(|position, spans| {
            let part = gradient.get(position).copied().map_or(0.0, f64::from) / divided(spans, divisor);
            self.under(spans, |index| {
                if let Some(sum) = sums.get_mut(index) {
                    *sum += part;
                }
            });
        })?;
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum as f32);
        Ok(())
    }

    /// Writes the greatest element at each position, and its number if there is a place for it. The last NaN is greater than
    /// everything, and the first of equal elements counts.
    pub fn greatest<T: Ordered>(
        &self,
        image: &[T],
        values: &mut [T],
        mut numbers: Option<&mut [i64]>,
    ) -> Result {
        self.each(|position, spans| {
            let mut found: Option<(T, usize)> = None;
            self.under(spans, |index| {
                let Some(value) = image.get(index).copied() else { return };
                if found.is_none_or(|(greatest, _)| value > greatest || value.is_nan()) {
                    found = Some((value, index));
                }
            });
            // A window may lie on padding alone.
            let (value, index) = found.unwrap_or((T::LEAST, 0));
            if let Some(place) = values.get_mut(position) {
                *place = value;
            }
            if let Some(place) = numbers.as_mut().and_then(|numbers| numbers.get_mut(position)) {
                *place = index as i64;
            }
        })
    }
}

/// The divisor of a sum.
fn divided(spans: [Span; 3], divisor: Option<i64>) -> f64 {
    divisor.map_or_else(|| spans.iter().map(|span| span.divisor as f64).product(), |divisor| divisor as f64)
}

/// Adds each element of a gradient to the element of `out` that has its number.
///
/// # Errors
/// A number that no element has fails the work.
pub fn put<T: Ordered + std::ops::AddAssign>(
    gradient: &[T],
    numbers: impl Iterator<Item = i64>,
    out: &mut [T],
) -> Result {
    out.fill(T::zeroed());
    for (gradient, number) in gradient.iter().zip(numbers) {
        let index = index(number, out.len())?;
        if let Some(place) = out.get_mut(index) {
            *place += *gradient;
        }
    }
    Ok(())
}

/// Writes each value to the element of `out` that has its number, and 0 to the others. The last value of a number counts.
///
/// # Errors
/// A number that no element has fails the work.
pub fn set<T: Pod>(values: &[T], numbers: impl Iterator<Item = i64>, out: &mut [T]) -> Result {
    out.fill(T::zeroed());
    for (value, number) in values.iter().zip(numbers) {
        let index = index(number, out.len())?;
        if let Some(place) = out.get_mut(index) {
            *place = *value;
        }
    }
    Ok(())
}

/// Writes the elements of a plane that have the numbers.
///
/// # Errors
/// A number that no element has fails the work.
pub fn take<T: Pod>(plane: &[T], numbers: impl Iterator<Item = i64>, out: &mut [T]) -> Result {
    for (out, number) in out.iter_mut().zip(numbers) {
        *out = plane.get(index(number, plane.len())?).copied().unwrap_or(T::zeroed());
    }
    Ok(())
}

/// The index of the element with a number in a plane of so many.
fn index(number: i64, len: usize) -> Result<usize> {
    usize::try_from(number).ok().filter(|index| *index < len).ok_or_else(|| {
        let message = format!("the index {number} is in no plane of {len} elements");
        Failure::new(Cause::AiCore, message)
    })
}

/// Numbers of which one is the greatest.
pub trait Ordered: Pod + PartialOrd + Send + Sync {
    /// The number that every other one is greater than.
    const LEAST: Self;

    fn is_nan(self) -> bool;
}

macro_rules! ordered {
    ($($type:ident from $least:expr, $is_nan:expr;)*) => {$(
        impl Ordered for $type {
            const LEAST: Self = $least;

            fn is_nan(self) -> bool {
                ($is_nan)(self)
            }
        }
    )*};
}

ordered! {
    f32 from f32::NEG_INFINITY, f32::is_nan;
    f64 from f64::NEG_INFINITY, f64::is_nan;
    i64 from i64::MIN, |_| false;
}
