//! The elements of an image that an element of a result is made of, along one axis.

/// The interpolation between the elements of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// The element that begins before.
    Nearest,
    /// The element whose middle is nearest.
    NearestExact,
    /// Between two elements.
    Linear,
    /// Between four elements, by a polynomial of the third degree for each.
    Cubic,
    /// As `Linear`, over a window that grows with the elements that one of the result stands for.
    LinearWindow,
    /// As `Cubic`, over such a window.
    CubicWindow,
}

/// The factor of the polynomials, as PyTorch has it.
pub const CUBIC: f64 = -0.75;

/// That of polynomials over a window, as PyTorch has it.
const CUBIC_WINDOW: f64 = -0.5;

/// Arithmetic in f32, whose roundings decide which element is nearest; f64 is computed in f64.
#[derive(Clone, Copy, Debug)]
struct Precision(bool);

impl Precision {
    fn round(self, number: f64) -> f64 {
        if self.0 { number } else { f64::from(number as f32) }
    }
}

/// The numbers of elements of an image, and how much each counts.
pub(super) type Taps = Vec<(usize, f64)>;

/// The resampling of one axis of an image.
#[derive(Clone, Copy, Debug)]
pub struct Axis {
    mode: Mode,
    /// Elements of the image and of the result along the axis.
    pub(super) size: usize,
    result: usize,
    /// From an element of the result to the next one, in elements of the image.
    step: f64,
    /// Whether the first and the last elements of both lie on each other.
    is_aligned: bool,
    precision: Precision,
}

impl Mode {
    /// Returns the axis of `image` elements that becomes one of `result`. `given` is how much larger the result is, if
    /// it is positive; `aligned` puts the first and the last elements of both onto each other.
    pub fn axis(self, image: usize, result: usize, given: f64, aligned: bool, is_f64: bool) -> Axis {
        let precision = Precision(is_f64);
        let is_aligned = aligned && !matches!(self, Mode::Nearest | Mode::NearestExact);
        let step = match (is_aligned, image == result) {
            (true, _) if result < 2 => 0.0,
            (true, _) => precision.round((image as f64 - 1.0) / (result as f64 - 1.0)),
            (_, true) => 1.0,
            _ if given > 0.0 => precision.round(1.0 / given),
            _ => precision.round(image as f64 / result as f64),
        };
        Axis { mode: self, size: image, result, step, is_aligned, precision }
    }
}

impl Axis {
    /// Returns an axis that the image does not have.
    pub fn none() -> Self {
        Mode::Nearest.axis(1, 1, 0.0, false, false)
    }

    /// The elements that each element of the result is made of.
    pub(super) fn taps(&self) -> impl Iterator<Item = Taps> + use<> {
        let axis = *self;
        (0..axis.result).map(move |index| axis.tap(index))
    }

    fn tap(self, index: usize) -> Taps {
        let round = |number| self.precision.round(number);
        let last = self.size.saturating_sub(1);
        let whole = |place: f64| (place.floor().max(0.0) as usize).min(last);
        let middle = || match self.is_aligned {
            true => round(self.step * index as f64),
            false => round(round(self.step * round(index as f64 + 0.5)) - 0.5),
        };
        match self.mode {
            Mode::Nearest => with_weights([(whole(round(index as f64 * self.step)), 1.0)]),
            Mode::NearestExact => with_weights([(whole(round((index as f64 + 0.5) * self.step)), 1.0)]),
            Mode::Linear => {
                let place = middle().max(0.0);
                let first = whole(place);
                let second = round((place - first as f64).clamp(0.0, 1.0));
                let next = (first + 1).min(last);
                with_weights([(first, round(1.0 - second)), (next, second)])
            }
            Mode::LinearWindow => self.window(index, 1.0, |distance| 1.0 - distance),
            Mode::CubicWindow => self.window(index, 2.0, |distance| cubic(distance, CUBIC_WINDOW)),
            Mode::Cubic => {
                let place = middle();
                let first = (place.floor() as i64).min(last as i64);
                let part = round((place - first as f64).clamp(0.0, 1.0));
                let weights =
                    [part + 1.0, part, 1.0 - part, 2.0 - part].map(|distance| cubic(distance, CUBIC));
                let places = (first - 1..).map(|place| place.clamp(0, last as i64) as usize);
                with_weights(places.zip(weights).map(|(place, weight)| (place, round(weight))))
            }
        }
    }

    /// The elements of a window around an element of the result, and their parts of the sum of their weights: `weight` of a
    /// distance below `reach`, in elements of the coarser one of image and result.
    fn window(&self, index: usize, reach: f64, weight: impl Fn(f64) -> f64) -> Taps {
        let unit = self.step.max(1.0);
        let middle = self.step * (index as f64 + 0.5);
        let bound = |place: f64| (place + 0.5).max(0.0) as usize;
        let places = bound(middle - reach * unit)..bound(middle + reach * unit).min(self.size);
        let weighted = |place: usize| {
            let distance = ((place as f64 + 0.5 - middle) / unit).abs();
            (place, if distance < reach { weight(distance) } else { 0.0 })
        };
        let taps: Taps = places.map(weighted).collect();
        let sum: f64 = taps.iter().map(|(_, weight)| weight).sum();
        with_weights(
            taps.into_iter().map(|(place, weight)| (place, if sum == 0.0 { weight } else { weight / sum })),
        )
    }
}

/// The taps that count: a neighbour that does not may be NaN.
fn with_weights(taps: impl IntoIterator<Item = (usize, f64)>) -> Taps {
    taps.into_iter().filter(|(_, weight)| *weight != 0.0).collect()
}

/// Returns the weight of an element at a distance of at most 2, by a polynomial whose slope at the distance 1 is
/// `factor`.
pub fn cubic(distance: f64, factor: f64) -> f64 {
    match distance <= 1.0 {
        true => ((factor + 2.0) * distance - (factor + 3.0)) * distance * distance + 1.0,
        false => ((factor * distance - 5.0 * factor) * distance + 8.0 * factor) * distance - 4.0 * factor,
    }
}
