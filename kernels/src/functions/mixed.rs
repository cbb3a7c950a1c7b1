//! Rows of f32 whose elements are mixed in f64 and rounded once.

/// Computes `x factor + y`.
pub fn multiply_add(x: &[f32], factor: f32, y: &[f32], out: &mut [f32]) {
    for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
        *out = (f64::from(*x) * f64::from(factor) + f64::from(*y)) as f32;
    }
}

/// Computes `(x + y) / divisor`.
pub fn add_divide([x, y]: [&[f32]; 2], divisor: f64, out: &mut [f32]) {
    for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
        *out = ((f64::from(*x) + f64::from(*y)) / divisor) as f32;
    }
}

/// Blends images by a mask, where 1 is the foreground: `background (1 − mask) + foreground mask`.
pub fn blend([background, foreground, mask]: [&[f32]; 3], out: &mut [f32]) {
    let numbers = background.iter().zip(foreground).zip(mask);
    for (out, ((background, foreground), mask)) in out.iter_mut().zip(numbers) {
        let [background, foreground, mask] = [background, foreground, mask].map(|x| f64::from(*x));
        *out = (background * (1.0 - mask) + foreground * mask) as f32;
    }
}

/// The greatest number of a channel.
const OPAQUE: f64 = 255.0;

/// Blends channels of bytes with those of a frame by how opaque they are, without fractions. A missing frame is black.
pub fn blend_channels([x, alpha, frame]: [&[f32]; 3], out: &mut [f32]) {
    for (place, (out, (x, alpha))) in out.iter_mut().zip(x.iter().zip(alpha)).enumerate() {
        let (x, alpha) = (f64::from(*x), f64::from(*alpha));
        let frame = frame.get(place).map_or(0.0, |frame| f64::from(*frame));
        *out = ((x * alpha + frame * (OPAQUE - alpha)) / OPAQUE).floor() as f32;
    }
}
