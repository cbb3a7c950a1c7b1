//! The elements of an image that an element of a result is made of, along one axis.

use crate::kernels::resample::Axis;

/// How elements between those of an image are found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The element that begins before.
    Nearest,
    /// The element whose middle is nearest.
    NearestExact,
    /// Between two elements.
    Linear,
    /// Between four elements, by a polynomial of the third degree for each.
    Cubic,
}

/// The factor of the polynomials, as PyTorch has it.
const CUBIC: f64 = -0.75;

/// Arithmetic in f32, whose roundings decide which element is nearest; f64 is computed in f64.
#[derive(Clone, Copy)]
struct Precision(bool);

impl Precision {
    fn round(self, number: f64) -> f64 {
        if self.0 { number } else { f64::from(number as f32) }
    }
}

impl Mode {
    /// The elements for an axis of `image` elements that becomes one of `result`. `given` is how much larger the result is,
    /// if it is positive; `aligned` puts the first and the last elements of both onto each other.
    pub(super) fn axis(self, image: usize, result: usize, given: f64, aligned: bool, is_f64: bool) -> Axis {
        let precision = Precision(is_f64);
        let round = |number| precision.round(number);
        let step = match (aligned, image == result) {
            (true, _) if matches!(self, Mode::Linear | Mode::Cubic) => match result {
                0 | 1 => 0.0,
                _ => round((image as f64 - 1.0) / (result as f64 - 1.0)),
            },
            (_, true) => 1.0,
            _ if given > 0.0 => round(1.0 / given),
            _ => round(image as f64 / result as f64),
        };
        let is_aligned = aligned && matches!(self, Mode::Linear | Mode::Cubic);
        let last = image.saturating_sub(1);
        let whole = |place: f64| (place.floor().max(0.0) as usize).min(last);
        let middle = |index: usize| match is_aligned {
            true => round(step * index as f64),
            false => round(round(step * round(index as f64 + 0.5)) - 0.5),
        };
        let taps = |index: usize| match self {
            Mode::Nearest => vec![(whole(round(index as f64 * step)), 1.0)],
            Mode::NearestExact => vec![(whole(round((index as f64 + 0.5) * step)), 1.0)],
            Mode::Linear => {
                let place = middle(index).max(0.0);
                let first = whole(place);
                let second = round((place - first as f64).clamp(0.0, 1.0));
                let next = (first + 1).min(last);
                with_weights([(first, round(1.0 - second)), (next, second)])
            }
            Mode::Cubic => {
                let place = middle(index);
                let first = (place.floor() as i64).min(last as i64);
                let part = round((place - first as f64).clamp(0.0, 1.0));
                let weights = [far(part + 1.0), near(part), near(1.0 - part), far(2.0 - part)];
                let places = (first - 1..).map(|place| place.clamp(0, last as i64) as usize);
                with_weights(places.zip(weights).map(|(place, weight)| (place, round(weight))))
            }
        };
        Axis { size: image, taps: (0..result).map(taps).collect() }
    }
}

/// The taps that count: a neighbour that does not may be NaN.
fn with_weights(taps: impl IntoIterator<Item = (usize, f64)>) -> Vec<(usize, f64)> {
    taps.into_iter().filter(|(_, weight)| *weight != 0.0).collect()
}

/// The weight of an element at a distance of at most 1.
fn near(distance: f64) -> f64 {
    ((CUBIC + 2.0) * distance - (CUBIC + 3.0)) * distance * distance + 1.0
}

/// The weight of an element at a distance from 1 to 2.
fn far(distance: f64) -> f64 {
    ((CUBIC * distance - 5.0 * CUBIC) * distance + 8.0 * CUBIC) * distance - 4.0 * CUBIC
}
