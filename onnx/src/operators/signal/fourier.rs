//! Discrete Fourier transforms as products of matrices. A signal is `[…, n, 2]` if it is complex and `[…, n, 1]` if it is
//! real; with its last two axes as one, a transform is a product with a matrix of cosines and sines.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::sync::{Mutex, PoisonError};

use aclnn::{DType, Shape, Tensor, ops};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::host::places;
use crate::operators::elements::InType;
use crate::operators::products::precise_product;
use crate::run::{Call, Prepared};
use crate::value::Value;

/// The longest transform that is one product; longer ones are made of others.
const WHOLE: usize = 1024;

/// The attributes of a transform.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Transform {
    /// The number of elements that are given, at most the length. Those that lack are zero.
    given: usize,
    length: usize,
    /// The elements have an imaginary part.
    is_complex: bool,
    is_inverse: bool,
    /// Half of the spectrum stands for the whole of it.
    is_onesided: bool,
}

/// The matrices of transforms, which are made once.
#[derive(Default)]
struct Matrices(Mutex<HashMap<(Matrix, DType), Value>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Matrix {
    Of(Transform),
    /// The factors between the two steps of a transform of a product of two lengths.
    Twiddles {
        rows: usize,
        columns: usize,
        is_inverse: bool,
    },
    /// Half turns by the squares of the places.
    Squares {
        length: usize,
        is_inverse: bool,
    },
    /// The same backwards, around the start of a longer signal.
    Filter {
        length: usize,
        padded: usize,
        is_inverse: bool,
    },
}

impl Transform {
    /// A transform of complex numbers to as many.
    fn of_complex(length: usize, is_inverse: bool) -> Transform {
        Transform { given: length, length, is_complex: true, is_inverse, is_onesided: false }
    }

    /// The number of frequencies or elements that the transform gives.
    fn results(&self) -> usize {
        match self.is_onesided && !self.is_inverse {
            true => self.length / 2 + 1,
            false => self.length,
        }
    }

    /// The parts of each result: one if it is real.
    fn parts(&self) -> usize {
        if self.is_onesided && self.is_inverse { 1 } else { 2 }
    }

    /// Returns the matrix of the transform.
    fn matrix(&self, dtype: DType) -> NodeResult<Array> {
        let (results, parts) = (self.results(), self.parts());
        let sign = if self.is_inverse { 1.0 } else { -1.0 };
        let scale = if self.is_inverse { 1.0 / self.length as f64 } else { 1.0 };
        let turns: Vec<(f64, f64)> = (0..self.length).map(|step| turn(step, self.length)).collect();
        let mut values = Vec::new();
        for from in 0..self.given {
            let rows = if self.is_complex { 2 } else { 1 };
            for part in 0..rows {
                for to in 0..results {
                    let step = (from as u128 * to as u128 % self.length as u128) as usize;
                    let (cos, sin) = turns.get(step).copied().unwrap_or((1.0, 0.0));
                    let (cos, sin) =
                        (cos * scale * self.weight(from), sign * sin * scale * self.weight(from));
                    let pair = if part == 0 { [cos, sin] } else { [-sin, cos] };
                    values.extend(pair.iter().take(parts));
                }
            }
        }
        let rows = self.given * if self.is_complex { 2 } else { 1 };
        Ok(Array::from_f64s(dtype, &values, [rows, results * parts])?)
    }

    /// Returns how often a frequency counts: those of half a spectrum stand for two, except the first and the middle one.
    fn weight(&self, frequency: usize) -> f64 {
        let is_half = self.is_onesided && self.is_inverse;
        match frequency {
            0 => 1.0,
            middle if middle * 2 == self.length => 1.0,
            beyond if is_half && beyond * 2 > self.length => 0.0,
            _ if is_half => 2.0,
            _ => 1.0,
        }
    }
}

/// Returns the cosine and the sine of a part of a turn.
fn turn(step: usize, length: usize) -> (f64, f64) {
    let (sin, cos) = (TAU * step as f64 / length as f64).sin_cos();
    (cos, sin)
}

impl Matrix {
    fn array(&self, dtype: DType) -> NodeResult<Array> {
        let turned = |is_inverse: bool, (cos, sin): (f64, f64)| [cos, if is_inverse { sin } else { -sin }];
        let square = |place: usize, length: usize| {
            let around = 2 * length;
            turn((place as u128 * place as u128 % around as u128) as usize, around)
        };
        Ok(match *self {
            Matrix::Of(transform) => transform.matrix(dtype)?,
            Matrix::Twiddles { rows, columns, is_inverse } => {
                let places = (0..rows).flat_map(|row| (0..columns).map(move |column| row * column));
                let values: Vec<f64> =
                    places.flat_map(|place| turned(is_inverse, turn(place, rows * columns))).collect();
                Array::from_f64s(dtype, &values, [rows, columns, 2])?
            }
            Matrix::Squares { length, is_inverse } => {
                let values: Vec<f64> =
                    (0..length).flat_map(|place| turned(is_inverse, square(place, length))).collect();
                Array::from_f64s(dtype, &values, [length, 2])?
            }
            Matrix::Filter { length, padded, is_inverse } => {
                let at = |place: usize| match place.min(padded - place) {
                    near if near < length => turned(!is_inverse, square(near, length)),
                    _ => [0.0; 2],
                };
                let values: Vec<f64> = (0..padded).flat_map(at).collect();
                Array::from_f64s(dtype, &values, [padded, 2])?
            }
        })
    }
}

impl Matrices {
    fn get(&self, call: &Call<'_>, matrix: Matrix, dtype: DType) -> NodeResult<Tensor> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&(matrix, dtype)).cloned();
        let value = match known {
            Some(value) => value,
            None => {
                let value = Value::from(matrix.array(dtype)?);
                let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                all.entry((matrix, dtype)).or_insert(value).clone()
            }
        };
        call.on_device(&value)
    }

    /// Transforms the last axis but one of a signal.
    fn transform(&self, call: &Call<'_>, signal: &Tensor, transform: Transform) -> NodeResult<Tensor> {
        let (results, parts) = (transform.results(), transform.parts());
        if transform.given.max(results) <= WHOLE {
            let before = before(signal)?;
            let row = transform.given * if transform.is_complex { 2 } else { 1 };
            let rows = signal.contiguous()?.reshape(with(before, &[row]))?;
            let matrix = self.get(call, Matrix::Of(transform), signal.dtype())?;
            return Ok(precise_product(call, &rows, &matrix)?.reshape(with(before, &[results, parts]))?);
        }
        let signal = whole(signal, transform)?;
        let result = match divisor(transform.length) {
            Some(divisor) => self.in_two_steps(call, &signal, transform, divisor)?,
            None => self.by_convolution(call, &signal, transform)?,
        };
        Ok(result.narrow(-2, 0, results)?.narrow(-1, 0, parts)?.contiguous()?)
    }

    /// Transforms a signal whose length is a product, by transforms of both factors.
    fn in_two_steps(
        &self,
        call: &Call<'_>,
        signal: &Tensor,
        Transform { length, is_inverse, .. }: Transform,
        first: usize,
    ) -> NodeResult<Tensor> {
        let second = length / first;
        let before = before(signal)?;
        // The element at n₁ · second + n₂ comes to row n₂, place n₁.
        let rows = signal.contiguous()?.reshape(with(before, &[first, second, 2]))?.movedim(-3, -2)?;
        let rows = self.transform(call, &rows, Transform::of_complex(first, is_inverse))?;
        let turns = Matrix::Twiddles { rows: second, columns: first, is_inverse };
        let turned = multiplied(&rows, &self.get(call, turns, signal.dtype())?)?;
        let columns = turned.movedim(-3, -2)?;
        let columns = self.transform(call, &columns, Transform::of_complex(second, is_inverse))?;
        // The frequency k₁ + first · k₂ stands in row k₁, place k₂.
        Ok(columns.movedim(-3, -2)?.contiguous()?.reshape(with(before, &[length, 2]))?)
    }

    /// Transforms a signal of any length as a convolution, which is a product of transforms of a power of two: with
    /// `2nk = n² + k² − (k − n)²`, a transform is a convolution with turns by squares.
    fn by_convolution(
        &self,
        call: &Call<'_>,
        signal: &Tensor,
        Transform { length, is_inverse, .. }: Transform,
    ) -> NodeResult<Tensor> {
        let padded = (2 * length).next_power_of_two();
        let turns = self.get(call, Matrix::Squares { length, is_inverse }, signal.dtype())?;
        let filter = self.get(call, Matrix::Filter { length, padded, is_inverse }, signal.dtype())?;
        let filter = self.transform(call, &filter, Transform::of_complex(padded, false))?;
        let turned = extended(&multiplied(signal, &turns)?, padded)?;
        let spectrum = self.transform(call, &turned, Transform::of_complex(padded, false))?;
        let spectrum = multiplied(&spectrum, &filter)?;
        let result = self.transform(call, &spectrum, Transform::of_complex(padded, true))?;
        let result = multiplied(&result.narrow(-2, 0, length)?, &turns)?;
        Ok(if is_inverse { result.mul(1.0 / length as f64)? } else { result })
    }
}

/// Multiplies complex numbers, whose parts are the last axis.
fn multiplied(a: &Tensor, b: &Tensor) -> NodeResult<Tensor> {
    let (real, imaginary) = (b.narrow(-1, 0, 1)?, b.narrow(-1, 1, 1)?);
    // (x + iy)(c + is) = (xc − ys) + i(yc + xs)
    let signed = ops::cat(&[&imaginary.neg()?, &imaginary], -1).run()?;
    Ok(a.mul(&real)?.add(&a.flip(-1)?.mul(&signed)?)?)
}

/// Returns a signal with all its elements and both parts of each.
fn whole(signal: &Tensor, transform: Transform) -> NodeResult<Tensor> {
    let Transform { given, length, is_complex, .. } = transform;
    let signal =
        if is_complex { signal.clone() } else { ops::cat(&[signal, &signal.zeros_like()?], -1).run()? };
    if transform.is_onesided && transform.is_inverse {
        // The other half of the spectrum is the conjugate of this one, backwards.
        let half = signal.narrow(-2, 0, given.min(length / 2 + 1))?;
        let half = extended(&half, length / 2 + 1)?;
        let mirrored = half.narrow(-2, 1, (length - 1) / 2)?.flip(-2)?;
        let conjugate =
            ops::cat(&[&mirrored.narrow(-1, 0, 1)?, &mirrored.narrow(-1, 1, 1)?.neg()?], -1).run()?;
        return Ok(ops::cat(&[&half, &conjugate], -2).run()?);
    }
    extended(&signal, length)
}

/// Adds zeros at the end of the last axis but one.
fn extended(signal: &Tensor, length: usize) -> NodeResult<Tensor> {
    let &[ref before @ .., given, parts] = signal.dims() else {
        return Reason::text(format!("the signal {:?} has too few axes", signal.dims()));
    };
    if given >= length {
        return Ok(signal.clone());
    }
    let zeros = Tensor::zeros(signal.stream(), with(before, &[length - given, parts]), signal.dtype())?;
    Ok(ops::cat(&[signal, &zeros], -2).run()?)
}

/// Returns the divisor of a length that is nearest to its root from below, if there is one.
fn divisor(length: usize) -> Option<usize> {
    (2..=length.isqrt()).rev().find(|divisor| length.is_multiple_of(*divisor))
}

/// Returns the sizes of the axes before the last two.
fn before(signal: &Tensor) -> NodeResult<&[usize]> {
    match signal.dims() {
        [before @ .., _, _] => Ok(before),
        dims => Reason::text(format!("the signal {dims:?} has too few axes")),
    }
}

fn with(before: &[usize], last: &[usize]) -> Shape {
    before.iter().chain(last).copied().collect()
}

/// Options of a transform, as attributes.
fn directions(node: &Node) -> NodeResult<(bool, bool)> {
    Ok((node.flag("inverse", false)?, node.flag("onesided", false)?))
}

pub(in crate::operators) fn dft_by_attribute(node: &Node) -> NodeResult<Prepared> {
    let axis = node.int("axis", 1)?;
    prepared(node, move |_| Ok(axis))
}

pub(in crate::operators) fn dft(node: &Node) -> NodeResult<Prepared> {
    prepared(node, |call| if call.has(2) { call.int(2) } else { Ok(-2) })
}

fn prepared(
    node: &Node,
    axis: impl Fn(&Call<'_>) -> NodeResult<i64> + Send + Sync + 'static,
) -> NodeResult<Prepared> {
    let (is_inverse, is_onesided) = directions(node)?;
    let matrices = Matrices::default();
    Ok(Prepared::device(move |call| {
        let signal = call.tensor(0)?;
        let axis = places::axis(axis(call)?, signal.rank())?;
        let Some((&parts, Some(&size))) =
            signal.dims().split_last().map(|(last, dims)| (last, dims.get(axis)))
        else {
            return Reason::text(format!("its axis {axis} is that of the parts of complex numbers"));
        };
        let is_half = is_inverse && is_onesided;
        let length = match call.has(1) {
            true => call.int(1)?,
            false if is_half => (size as i64 - 1) * 2,
            false => size as i64,
        };
        let Some(length) = usize::try_from(length).ok().filter(|&length| length > 0) else {
            return Reason::text(format!("its length is {length}, but must be greater than 0"));
        };
        let is_complex = parts == 2;
        if parts > 2 || parts == 0 || is_onesided && is_complex != is_inverse {
            return Reason::text(format!("it takes no signal {:?} of {parts} parts", signal.dims()));
        }
        let given = size.min(if is_half { length / 2 + 1 } else { length });
        let transform = Transform { given, length, is_complex, is_inverse, is_onesided };
        let wide = signal.in_type(computed(signal.dtype()))?.narrow(axis, 0, given)?.movedim(axis, -2)?;
        let result = matrices.transform(call, &wide, transform)?;
        Ok(result.movedim(-2, axis)?.in_type(signal.dtype())?)
    }))
}

/// Returns the type in which a transform is computed.
fn computed(dtype: DType) -> DType {
    if dtype == DType::F64 { dtype } else { DType::F32 }
}

pub(in crate::operators) fn stft(node: &Node) -> NodeResult<Prepared> {
    let is_onesided = node.flag("onesided", true)?;
    let matrices = Matrices::default();
    Ok(Prepared::device(move |call| {
        let signal = call.tensor(0)?;
        let signal = if signal.rank() == 2 { signal.unsqueeze(2)? } else { signal };
        let &[_, size, parts] = signal.dims() else {
            return Reason::text(format!("its signal has the shape {:?}, not three axes", signal.dims()));
        };
        let window = call.optional_tensor(2)?;
        let length = match (call.has(3), &window) {
            (true, _) => call.int(3)?,
            (false, Some(window)) => window.numel() as i64,
            (false, None) => size as i64,
        };
        let (Ok(length), Ok(step)) = (usize::try_from(length), usize::try_from(call.int(1)?)) else {
            return Reason::text("its frames have a negative length or distance");
        };
        let is_complex = parts == 2;
        if length == 0 || length > size || step == 0 || parts == 0 || parts > 2 || is_complex && is_onesided {
            return Reason::text(format!("it takes no frames of {length} from a signal {:?}", signal.dims()));
        }
        let wide = signal.in_type(computed(signal.dtype()))?.contiguous()?;
        let mut frames = frames(&wide, length, step)?;
        if let Some(window) = window {
            if window.dims() != [length] {
                return Reason::text(format!("its window has the shape {:?}, not [{length}]", window.dims()));
            }
            frames = frames.mul(&window.in_type(wide.dtype())?.unsqueeze(1)?)?;
        }
        let transform = Transform { given: length, length, is_complex, is_inverse: false, is_onesided };
        let result = matrices.transform(call, &frames, transform)?;
        Ok(result.in_type(signal.dtype())?)
    }))
}

/// Returns the frames of a signal `[batch, size, parts]`, as `[batch, frames, length, parts]`.
fn frames(signal: &Tensor, length: usize, step: usize) -> NodeResult<Tensor> {
    // The axis of the elements of a frame is the last one.
    Ok(signal.windows(1, length, step)?.movedim(-1, 2)?)
}
