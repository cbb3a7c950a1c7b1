//! Distances between rows.

use super::{Body, body};
use crate::views::{allocation, instructions};

/// A norm, by which the distance of two rows is measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Norm {
    /// The number of elements that differ.
    Count,
    /// The sum of the differences.
    Sum,
    /// The length of the straight line.
    Euclidean,
    /// The largest difference.
    Largest,
    /// The p-th root of the sum of p-th powers.
    Power(f64),
}

impl Norm {
    /// Returns the norm of an exponent that is not negative.
    pub fn of(p: f64) -> Self {
        match p {
            0.0 => Norm::Count,
            1.0 => Norm::Sum,
            2.0 => Norm::Euclidean,
            f64::INFINITY => Norm::Largest,
            _ => Norm::Power(p),
        }
    }

    #[inline(always)]
    fn distance(self, a: &[f64], b: &[f64]) -> f64 {
        let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        match self {
            // A NaN stays, here and below.
            Norm::Count => {
                differences.map(|one| if one.is_nan() { one } else { f64::from(one != 0.0) }).sum()
            }
            Norm::Sum => differences.sum(),
            Norm::Euclidean => differences.fold(0.0, |sum: f64, one| one.mul_add(one, sum)).sqrt(),
            Norm::Largest => {
                differences.fold(0.0, |most, one| if one <= most || most.is_nan() { most } else { one })
            }
            Norm::Power(p) => differences.map(|difference| difference.powf(p)).sum::<f64>().powf(p.recip()),
        }
    }

    /// The derivative of a distance by a difference; 0 between equal rows.
    fn derivative(self, difference: f64, distance: f64) -> f64 {
        let (sign, modulus) = (if difference == 0.0 { 0.0 } else { difference.signum() }, difference.abs());
        match self {
            Norm::Count => 0.0,
            Norm::Sum => sign,
            _ if distance == 0.0 || difference == 0.0 => 0.0,
            Norm::Euclidean => difference / distance,
            Norm::Largest if modulus == distance => sign,
            Norm::Largest => 0.0,
            Norm::Power(p) => sign * (modulus / distance).powf(p - 1.0),
        }
    }
}

/// Rows of the second matrix that are compared with one of the first side by side.
const LANES: usize = 64;

instructions::for_wide_instructions! {
    /// Distances between each row of one matrix and each of another, of which some are laid side by side, as columns of a
    /// panel: each distance is a sum in the order of its own row, in a lane of vectors.
    fn by_panels(norm: Norm, width: usize, first: &[f64], second: &[f64], panel: &mut [f64], to: &mut [f32]) {
        let (panel, _) = panel.as_chunks_mut::<LANES>();
        let count = second.len() / width;
        for (number, rows) in second.chunks(width * LANES).enumerate() {
            for (lane, row) in rows.chunks_exact(width).enumerate() {
                panel.iter_mut().zip(row).for_each(|(place, element)| place[lane] = *element);
            }
            for (a, to) in first.chunks_exact(width).zip(to.chunks_exact_mut(count)) {
                let distances = match norm {
                    Norm::Count => in_lanes(a, panel, |sum, one| {
                        sum + if one.is_nan() { one } else { f64::from(one != 0.0) }
                    }),
                    Norm::Sum => in_lanes(a, panel, |sum, one| sum + one.abs()),
                    Norm::Euclidean => in_lanes(a, panel, |sum, one| one.mul_add(one, sum)).map(f64::sqrt),
                    _ => in_lanes(a, panel, |most, one| {
                        let one = one.abs();
                        if one <= most || most.is_nan() { most } else { one }
                    }),
                };
                let to = to.iter_mut().skip(number * LANES);
                to.zip(distances).for_each(|(to, distance)| *to = distance as f32);
            }
        }
    }
}

/// Folds the differences of a row from each column of a panel.
#[inline(always)]
fn in_lanes(row: &[f64], panel: &[[f64; LANES]], step: impl Fn(f64, f64) -> f64) -> [f64; LANES] {
    let mut results = [0.0; LANES];
    for (a, others) in row.iter().zip(panel) {
        for (result, b) in results.iter_mut().zip(others) {
            *result = step(*result, a - b);
        }
    }
    instructions::stored(results)
}

/// Distances in f32 between each row of one matrix and each of another, of `width` elements.
pub fn distances(norm: Norm, width: usize) -> Body {
    let function = move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let [first, second]: [&[f64]; 2] = [bytemuck::cast_slice(inputs[0]), bytemuck::cast_slice(inputs[1])];
        let to: &mut [f32] = bytemuck::cast_slice_mut(outputs[0]);
        if !matches!(norm, Norm::Power(_)) {
            // No vector of it lies in two lines of the caches.
            let mut lines = Vec::new();
            let panel = allocation::bytes_of(&mut lines, width * LANES * size_of::<f64>())?;
            by_panels(norm, width, first, second, bytemuck::cast_slice_mut(panel), to);
            return Ok(());
        }
        let rows = first.chunks_exact(width).flat_map(|a| second.chunks_exact(width).map(move |b| (a, b)));
        for (to, (a, b)) in to.iter_mut().zip(rows) {
            *to = norm.distance(a, b) as f32;
        }
        Ok(())
    };
    body("distance", Box::new(function))
}

instructions::for_instructions! {
    fn of_pairs(norm: Norm, width: usize, rows: &[f64], to: &mut [f32]) {
        let mut to = to.iter_mut();
        for (number, a) in rows.chunks_exact(width).enumerate() {
            for (b, to) in rows[(number + 1) * width..].chunks_exact(width).zip(&mut to) {
                *to = norm.distance(a, b) as f32;
            }
        }
    }
}

/// Distances in f32 between each row of a matrix and each of those after it.
pub fn distances_within(norm: Norm, width: usize) -> Body {
    let function = move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        of_pairs(norm, width, bytemuck::cast_slice(inputs[0]), bytemuck::cast_slice_mut(outputs[0]));
        Ok(())
    };
    body("distance", Box::new(function))
}

/// Computes the derivatives of [`distances`] by the rows of the first matrix. The inputs are the derivatives by the
/// distances, both matrices and the distances.
pub fn distances_backward(norm: Norm, width: usize) -> Body {
    let function = move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let [gradients, first, second, distances]: [&[f64]; 4] =
            std::array::from_fn(|input| bytemuck::cast_slice(inputs[input]));
        let others = second.len() / width;
        let to: &mut [f64] = bytemuck::cast_slice_mut(outputs[0]);
        to.fill(0.0);
        let of_row = gradients.chunks_exact(others).zip(distances.chunks_exact(others));
        for ((to, a), (gradients, distances)) in
            to.chunks_exact_mut(width).zip(first.chunks_exact(width)).zip(of_row)
        {
            for (b, (gradient, distance)) in second.chunks_exact(width).zip(gradients.iter().zip(distances)) {
                // The distance that was passed is rounded, and no difference may be equal to it.
                let distance = if matches!(norm, Norm::Largest) { norm.distance(a, b) } else { *distance };
                for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
                    *to += gradient * norm.derivative(a - b, distance);
                }
            }
        }
        Ok(())
    };
    body("distance", Box::new(function))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LaneBody;
    use crate::views::instructions::{Choice, choose};

    /// The reference is the distance of two rows alone; rows do not fill the last panel.
    #[test]
    fn distances_side_by_side_have_the_bits_of_each_alone() {
        const WIDTH: usize = 5;
        const COUNT: usize = LANES + 19;
        let number = |index: usize| ((index * 7919 % 101) as f64 - 50.0) / 7.0;
        let first: Vec<f64> = (0..3 * WIDTH).map(number).collect();
        let mut second: Vec<f64> = (4..4 + COUNT * WIDTH).map(number).collect();
        second[WIDTH] = f64::NAN;
        for p in [0.0, 1.0, 2.0, f64::INFINITY] {
            let norm = Norm::of(p);
            let rows = first.chunks(WIDTH).flat_map(|a| second.chunks(WIDTH).map(move |b| (a, b)));
            let expected: Vec<u32> = rows.map(|(a, b)| (norm.distance(a, b) as f32).to_bits()).collect();
            for instructions in [Some(0), None] {
                let before = choose(Choice { instructions, block: None });
                let mut found = vec![0.0_f32; 3 * COUNT];
                let inputs: [&[u8]; 2] = [bytemuck::cast_slice(&first), bytemuck::cast_slice(&second)];
                let outcome =
                    distances(norm, WIDTH).lane(0, &inputs, &mut [bytemuck::cast_slice_mut(&mut found)]);
                choose(before);
                assert!(outcome.is_ok());
                let found: Vec<u32> = found.into_iter().map(f32::to_bits).collect();
                assert_eq!(found, expected, "{norm:?}");
            }
        }
    }
}
