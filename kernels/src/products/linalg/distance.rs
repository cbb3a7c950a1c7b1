//! Distances between rows.

use super::{Body, body};

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

    fn distance(self, a: &[f64], b: &[f64]) -> f64 {
        let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
        match self {
            // A NaN stays, here and below.
            Norm::Count => {
                differences.map(|one| if one.is_nan() { one } else { f64::from(one != 0.0) }).sum()
            }
            Norm::Sum => differences.sum(),
            Norm::Euclidean => differences.map(|difference| difference * difference).sum::<f64>().sqrt(),
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

/// Distances between each row of one matrix and each of another, of `width` elements.
pub fn distances(norm: Norm, width: usize) -> Body {
    let function = move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let [first, second]: [&[f64]; 2] = [bytemuck::cast_slice(inputs[0]), bytemuck::cast_slice(inputs[1])];
        let rows = first.chunks_exact(width).flat_map(|a| second.chunks_exact(width).map(move |b| (a, b)));
        for (to, (a, b)) in bytemuck::cast_slice_mut(outputs[0]).iter_mut().zip(rows) {
            *to = norm.distance(a, b);
        }
        Ok(())
    };
    body("distance", Box::new(function))
}

/// Distances between each row of a matrix and each of those after it.
pub fn distances_within(norm: Norm, width: usize) -> Body {
    let function = move |_, inputs: &[&[u8]], outputs: &mut [&mut [u8]]| {
        let rows: &[f64] = bytemuck::cast_slice(inputs[0]);
        let after = |number: usize| rows.chunks_exact(width).skip(number + 1);
        let pairs =
            rows.chunks_exact(width).enumerate().flat_map(|(number, a)| after(number).map(move |b| (a, b)));
        for (to, (a, b)) in bytemuck::cast_slice_mut(outputs[0]).iter_mut().zip(pairs) {
            *to = norm.distance(a, b);
        }
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
                for (to, (a, b)) in to.iter_mut().zip(a.iter().zip(b)) {
                    *to += gradient * norm.derivative(a - b, *distance);
                }
            }
        }
        Ok(())
    };
    body("distance", Box::new(function))
}
