//! Norms of the sums of two rows. Their sums are computed one element after the other.

/// Writes a row that is normalised by the root of the mean of its squares, weighted and shifted by `beta`; returns the inverse of
/// the root. What is added, in `other` and in `beta`, is 0 where it is missing. The row before the norm is written to `sum`, unless
/// that is empty.
pub fn rms_norm_of_sum(
    [x, other]: [&[f32]; 2],
    [gamma, beta]: [&[f32]; 2],
    epsilon: f64,
    [out, sum]: [&mut [f32]; 2],
) -> f32 {
    let at = |numbers: &[f32], place: usize| numbers.get(place).map_or(0.0, |number| f64::from(*number));
    let value = |(place, x): (usize, &f32)| f64::from(*x) + at(other, place);
    let squares: f64 = x.iter().enumerate().map(|x| value(x) * value(x)).sum();
    let root = 1.0 / (squares / x.len() as f64 + epsilon).sqrt();
    for (out, (x, gamma)) in out.iter_mut().zip(x.iter().enumerate().zip(gamma)) {
        *out = (value(x) * root * f64::from(*gamma) + at(beta, x.0)) as f32;
    }
    sum.iter_mut().zip(x.iter().enumerate()).for_each(|(sum, x)| *sum = value(x) as f32);
    root as f32
}
