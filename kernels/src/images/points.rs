//! Points between others.

/// Writes the gradients of points by those of the points between them, `g`, each of which was made of three of them, times
/// their weights. A place where there is no point is an error.
pub fn gradients_of_points(g: &[f32], places: &[i32], weights: &[f32], out: &mut [f32]) -> Result<(), i32> {
    out.fill(0.0);
    for (g, (places, weights)) in g.iter().zip(places.chunks(3).zip(weights.chunks(3))) {
        for (place, weight) in places.iter().zip(weights) {
            let point = usize::try_from(*place).ok().and_then(|place| out.get_mut(place));
            let Some(point) = point else { return Err(*place) };
            *point += g * weight;
        }
    }
    Ok(())
}
