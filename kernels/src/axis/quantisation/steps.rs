//! Quantisation: numbers in whole steps.

use crate::LaneFunction;

/// The number of steps to an element, from a zero point on; NaN has the least.
fn steps(x: f32, scale: f32, zero: i32) -> i64 {
    let count = (x * (1.0 / scale)).round_ties_even() + zero as f32;
    if count.is_nan() { i64::MIN } else { count as i64 }
}

/// Computes the elements in f32 as whole numbers of steps of i32, within the limits of a type. The inputs are lanes of
/// elements, of steps in f32 and of zero points in i32.
pub fn quantized(least: i64, most: i64) -> LaneFunction {
    LaneFunction::new("quantise", move |_, inputs, outputs| {
        let ([x, scales, zeros], [out]) = (inputs, outputs) else { return Ok(()) };
        let [x, scales]: [&[f32]; 2] = [x, scales].map(|lane| bytemuck::cast_slice(lane));
        let zeros: &[i32] = bytemuck::cast_slice(zeros);
        let out: &mut [i32] = bytemuck::cast_slice_mut(out);
        for ((out, x), (scale, zero)) in out.iter_mut().zip(x).zip(scales.iter().zip(zeros)) {
            *out = steps(*x, *scale, *zero).clamp(least, most) as i32;
        }
        Ok(())
    })
}

/// Computes the elements in f32 as the whole steps within a range give them, and whether they were within it. Inputs as
/// [`quantized`].
pub fn in_steps(least: i64, most: i64) -> LaneFunction {
    LaneFunction::new("quantise", move |_, inputs, outputs| {
        let ([x, scales, zeros], [out, mask]) = (inputs, outputs) else { return Ok(()) };
        let [x, scales]: [&[f32]; 2] = [x, scales].map(|lane| bytemuck::cast_slice(lane));
        let zeros: &[i32] = bytemuck::cast_slice(zeros);
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        let places = out.iter_mut().zip(mask.iter_mut()).zip(x);
        for (((out, inside), x), (scale, zero)) in places.zip(scales.iter().zip(zeros)) {
            let count = steps(*x, *scale, *zero);
            *inside = (least..=most).contains(&count).into();
            let kept = count.clamp(least, most) as f64 - f64::from(*zero);
            *out = (kept * f64::from(*scale)) as f32;
        }
        Ok(())
    })
}
