//! Elements with scales and offsets that are given.

use super::codes::{Codes, Rounding, multiply};
use super::rows::{Rows, floats};

/// Elements times a scale, or times its square, plus an offset where there is one. The inputs are rows of elements, of scales
/// and of offsets, in f32.
pub fn fixed(is_squared: bool, rounding: Rounding, codes: Codes) -> Rows {
    Rows::new("quantise", move |_, inputs, outputs, room| {
        let scales = floats(inputs, 1)?;
        room.clear();
        room.extend_from_slice(floats(inputs, 0)?);
        multiply(room, scales);
        if is_squared {
            multiply(room, scales);
        }
        if inputs.len() > 2 {
            let offsets = floats(inputs, 2)?;
            room.iter_mut().zip(offsets).for_each(|(element, offset)| *element += offset);
        }
        rounding.apply(room);
        if let Some(to) = outputs.first_mut() {
            codes.write(room, to);
        }
        Ok(())
    })
}

/// Quantises a row to i8 by its scale. Without factors of its elements, in `smooth`, they are 1.
pub fn quantise_by_scale(x: &[f32], smooth: &[f32], scale: f32, codes: &mut [i8]) {
    for (place, (code, x)) in codes.iter_mut().zip(x).enumerate() {
        let by = smooth.get(place).copied().unwrap_or(1.0);
        *code = (x * by / scale).round_ties_even().clamp(-128.0, 127.0) as i8;
    }
}
