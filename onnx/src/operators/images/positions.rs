//! Where each element of a resized axis comes from.

use crate::error::{NodeResult, Reason};
use crate::graph::Node;

/// The rule by which positions become elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode {
    Nearest(Rounding),
    /// Between two elements.
    Linear,
    /// Between four, by polynomials with this factor.
    Cubic(f64),
}

/// The rule by which an element is the nearest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    PreferFloor,
    PreferCeil,
    Floor,
    Ceil,
    /// The one before, and behind in a smaller image.
    Outward,
}

/// The rule by which positions in the result become positions in the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transform {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    /// The middle of the element of the result, counted from the edge.
    Middle,
    CropAndResize,
}

/// The interpolation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Method {
    pub(super) mode: Mode,
    pub(super) transform: Transform,
    pub(super) antialias: bool,
    pub(super) exclude_outside: bool,
}

/// The change of one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) scale: f64,
    /// The part of the image, from 0 to 1, for a crop.
    pub(super) part: (f64, f64),
}

/// The elements that make those of a resized axis: as many for each, with their weights.
#[derive(Debug, Clone, Default)]
pub(super) struct Taps {
    pub(super) each: usize,
    /// First the first ones of all elements.
    pub(super) places: Vec<i64>,
    pub(super) weights: Vec<f64>,
}

impl Mode {
    pub(super) fn of(node: &Node, rounding: Option<Rounding>) -> NodeResult<Mode> {
        let factor = node.float("cubic_coeff_a", -0.75)?;
        let nearest = node.text("nearest_mode", "round_prefer_floor")?;
        let rounding = match (rounding, nearest.as_str()) {
            (Some(rounding), _) => rounding,
            (None, "round_prefer_floor") => Rounding::PreferFloor,
            (None, "round_prefer_ceil") => Rounding::PreferCeil,
            (None, "floor") => Rounding::Floor,
            (None, "ceil") => Rounding::Ceil,
            (None, other) => return Reason::text(format!("its `nearest_mode` is `{other}`")),
        };
        match node.text("mode", "nearest")?.as_str() {
            "nearest" => Ok(Mode::Nearest(rounding)),
            // Two names of old models.
            "linear" | "bilinear" => Ok(Mode::Linear),
            "cubic" => Ok(Mode::Cubic(factor.into())),
            other => Reason::text(format!("its `mode` is `{other}`")),
        }
    }
}

impl Transform {
    pub(super) fn of(node: &Node) -> NodeResult<Transform> {
        Ok(match node.text("coordinate_transformation_mode", "half_pixel")?.as_str() {
            "half_pixel" => Transform::HalfPixel,
            "half_pixel_symmetric" => Transform::HalfPixelSymmetric,
            "pytorch_half_pixel" => Transform::PytorchHalfPixel,
            "align_corners" => Transform::AlignCorners,
            "asymmetric" => Transform::Asymmetric,
            "tf_crop_and_resize" => Transform::CropAndResize,
            // Version 11 alone has it.
            "tf_half_pixel_for_nn" => Transform::Middle,
            other => return Reason::text(format!("its `coordinate_transformation_mode` is `{other}`")),
        })
    }
}

impl Change {
    /// Returns whether every element stays where it is.
    pub(super) fn is_none(&self, transform: Transform) -> bool {
        self.from == self.to && self.scale == 1.0 && transform != Transform::CropAndResize
    }

    /// Returns whether the scale is that of the sizes.
    pub(super) fn is_exact(&self) -> bool {
        self.from > 0 && self.scale == self.to as f64 / self.from as f64
    }

    /// Returns the position in the image of an element of the result. It is computed in f32, so that what lies in the middle
    /// between two elements does so for the numbers of a model, which are f32.
    pub(super) fn position(&self, transform: Transform, index: usize) -> f64 {
        let (x, from, scale) = (index as f32, self.from as f32, self.scale as f32);
        // The size of the result before it is rounded.
        let width = scale * from;
        let half_pixel = (x + 0.5) / scale - 0.5;
        let position = match transform {
            Transform::HalfPixel => half_pixel,
            Transform::HalfPixelSymmetric => {
                let adjustment = self.to as f32 / width;
                from / 2.0 * (1.0 - adjustment) + half_pixel
            }
            Transform::PytorchHalfPixel if self.to > 1 => half_pixel,
            Transform::PytorchHalfPixel => 0.0,
            Transform::AlignCorners if self.to > 1 => x * (from - 1.0) / (width - 1.0),
            Transform::AlignCorners => 0.0,
            Transform::Asymmetric => x / scale,
            Transform::Middle => (x + 0.5) / scale,
            Transform::CropAndResize => {
                let (start, end) = (self.part.0 as f32, self.part.1 as f32);
                match self.to > 1 {
                    true => start * (from - 1.0) + x * (end - start) * (from - 1.0) / (width - 1.0),
                    false => 0.5 * (start + end) * (from - 1.0),
                }
            }
        };
        position.into()
    }

    /// Returns which elements of the result lie beyond the image, if any do.
    pub(super) fn beyond(&self, transform: Transform) -> Option<Vec<bool>> {
        if transform != Transform::CropAndResize {
            return None;
        }
        let inside = 0.0..=self.from as f64 - 1.0;
        let beyond: Vec<bool> =
            (0..self.to).map(|index| !inside.contains(&self.position(transform, index))).collect();
        beyond.contains(&true).then_some(beyond)
    }

    /// Returns the nearest element for each of the result.
    pub(super) fn nearest(&self, transform: Transform, rounding: Rounding) -> Vec<i64> {
        let last = self.from as i64 - 1;
        let nearest = |index| {
            let x = self.position(transform, index);
            let place = match rounding {
                Rounding::PreferFloor => (x - 0.5).ceil(),
                Rounding::PreferCeil => (x + 0.5).floor(),
                Rounding::Floor => x.floor(),
                Rounding::Ceil => x.ceil(),
                Rounding::Outward if self.scale < 1.0 => x.ceil(),
                Rounding::Outward => x.floor(),
            };
            (place as i64).min(last).max(0)
        };
        (0..self.to).map(nearest).collect()
    }

    /// Returns the elements and weights for each element of the result.
    pub(super) fn taps(&self, method: &Method) -> Taps {
        let support = if matches!(method.mode, Mode::Cubic(_)) { 2.0 } else { 1.0 };
        // In a smaller image more elements count.
        let narrowing = if method.antialias { self.scale.min(1.0) } else { 1.0 };
        let start = (-support / narrowing).floor() as i64 + 1;
        let each = (2 - 2 * start).max(0) as usize;
        let mut taps = Taps { each, places: vec![0; each * self.to], weights: vec![0.0; each * self.to] };
        let last = self.from as i64 - 1;
        for index in 0..self.to {
            let x = self.position(method.transform, index);
            let base = x.ceil() - 1.0;
            let places = (start..).take(each).map(|place| place.saturating_add(base as i64));
            let mut weights: Vec<f64> = (start..)
                .take(each)
                .map(|place| weight(method.mode, narrowing * (place as f64 - (x - base))))
                .collect();
            if method.exclude_outside {
                for (weight, place) in weights.iter_mut().zip(places.clone()) {
                    if !(0..=last).contains(&place) {
                        *weight = 0.0;
                    }
                }
            }
            let sum: f64 = weights.iter().sum();
            let divisor = if method.exclude_outside || method.antialias { sum } else { 1.0 };
            for (tap, (place, weight)) in places.zip(weights).enumerate() {
                let at = tap * self.to + index;
                if let (Some(to), Some(by)) = (taps.places.get_mut(at), taps.weights.get_mut(at)) {
                    *to = place.min(last).max(0);
                    *by = weight / divisor;
                }
            }
        }
        taps
    }
}

/// The weight of an element at a distance.
fn weight(mode: Mode, distance: f64) -> f64 {
    let x = distance.abs();
    match mode {
        Mode::Cubic(a) if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
        Mode::Cubic(a) if x < 2.0 => ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a,
        Mode::Cubic(_) => 0.0,
        _ => (1.0 - x).max(0.0),
    }
}
