//! Windows and weights, which follow from a few numbers: they are made on the host.

use std::f64::consts::PI;

use aclnn::{DType, Shape};

use crate::array::Array;
use crate::error::{NodeResult, Reason};
use crate::graph::Node;
use crate::run::{Call, Prepared};

/// The most elements of a window or of weights.
const MOST: usize = 1 << 24;

fn output_type(node: &Node) -> NodeResult<DType> {
    Ok(node.dtype("output_datatype")?.unwrap_or(DType::F32))
}

/// Returns an input that counts something.
fn size(call: &Call<'_>, input: usize) -> NodeResult<usize> {
    let number = call.int(input)?;
    match usize::try_from(number) {
        Ok(size) if size <= MOST => Ok(size),
        _ => Reason::text(format!("its input {input} is {number}, but must be from 0 to {MOST}")),
    }
}

/// Prepares a window that is a sum of cosines: `a₀ − a₁ cos(x) + a₂ cos(2x)`.
pub(super) fn window(node: &Node, factors: [f64; 3]) -> NodeResult<Prepared> {
    let (dtype, is_periodic) = (output_type(node)?, node.flag("periodic", true)?);
    let [constant, first, second] = factors;
    Ok(Prepared::device(move |call| {
        let size = size(call, 0)?;
        let period = if is_periodic { size } else { size.saturating_sub(1).max(1) };
        let at = |index: usize| {
            let angle = 2.0 * PI * index as f64 / period as f64;
            constant - first * angle.cos() + second * (2.0 * angle).cos()
        };
        let values: Vec<f64> = (0..size).map(at).collect();
        Ok(Array::from_f64s(dtype, &values, [size])?)
    }))
}

/// Prepares the weights that combine the frequencies of a spectrum to the bands of the mel scale, which are triangles.
pub(super) fn mel_weights(node: &Node) -> NodeResult<Prepared> {
    let dtype = output_type(node)?;
    Ok(Prepared::device(move |call| {
        let (bands, length) = (size(call, 0)?, size(call, 1)?);
        let mut numbers = [0.0; 3];
        for (number, input) in numbers.iter_mut().zip(2..) {
            let Some(value) = call.optional_number(input)? else {
                return Reason::text(format!("its input {input} is missing"));
            };
            *number = value;
        }
        let [rate, low, high] = numbers;
        if !(rate > 0.0 && low >= 0.0 && low <= high && high.is_finite()) {
            return Reason::text(format!("its sample rate is {rate}, and its band {low} to {high}"));
        }
        let frequencies = length / 2 + 1;
        let Some(count) = frequencies.checked_mul(bands).filter(|&count| count <= MOST) else {
            return Reason::text(format!("{frequencies} frequencies in {bands} bands are too many weights"));
        };
        let mut weights = vec![0.0; count];
        let edges = band_edges(bands, length, rate, [low, high]);
        for (band, edges) in edges.windows(3).enumerate() {
            let &[left, center, right] = edges else { continue };
            for frequency in left..right.max(center + 1) {
                let place = weights.get_mut(frequency * bands + band).filter(|_| frequency < frequencies);
                if let Some(weight) = place {
                    *weight = triangle(frequency, left, center, right);
                }
            }
        }
        Ok(Array::from_f64s(dtype, &weights, Shape::from([frequencies, bands]))?)
    }))
}

/// Returns the frequencies at which the bands start, peak and end.
fn band_edges(bands: usize, length: usize, rate: f64, range: [f64; 2]) -> Vec<usize> {
    let [low, high] = range.map(|hertz| 2595.0 * (hertz / 700.0).ln_1p() / 10f64.ln());
    let step = (high - low) / (bands + 2) as f64;
    let edges = 0..bands + 2;
    edges
        .map(|edge| {
            let mel = edge as f64 * step + low;
            let hertz = 700.0 * (mel / 2595.0 * 10f64.ln()).exp_m1();
            ((length + 1) as f64 * hertz / rate).floor().min(length as f64) as usize
        })
        .collect()
}

fn triangle(frequency: usize, left: usize, center: usize, right: usize) -> f64 {
    let part = |of: usize, whole: usize| of as f64 / whole as f64;
    if frequency >= center && right > center && frequency < right {
        part(right - frequency, right - center)
    } else if frequency <= center && center > left {
        part(frequency - left, center - left)
    } else {
        1.0
    }
}
