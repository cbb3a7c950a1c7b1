//! Positions in random order, and positions drawn by weights.

use super::Seeds;
use super::philox::{Philox, fraction_of};
use crate::LaneFunction;
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};

/// Numbers that are drawn together.
const PIECE: usize = 256;

/// Draws the numbers from 0 on, in random order: the only output is a lane of i64.
pub fn permutation(seeds: Seeds) -> LaneFunction {
    LaneFunction::new("permutation", move |_, inputs, outputs| {
        let [out] = outputs else { return Ok(()) };
        let philox = seeds.of_lane(inputs);
        let out: &mut [i64] = bytemuck::cast_slice_mut(out);
        for (number, out) in out.iter_mut().enumerate() {
            *out = number as i64;
        }
        let mut bits = [0; PIECE];
        for first in (0..out.len()).step_by(PIECE).rev() {
            let bits = &mut bits[..PIECE.min(out.len() - first)];
            philox.bits_from(first, bits);
            for (index, bits) in bits.iter().enumerate().rev() {
                let last = first + index;
                let product = u128::from(*bits) * (last as u128 + 1);
                out.swap(last, (product >> 64) as usize);
            }
        }
        Ok(())
    })
}

/// Draws positions by the weights of a row, the last input, in f64; the output is a lane of i64.
pub fn multinomial(seeds: Seeds, with_replacement: bool) -> LaneFunction {
    LaneFunction::new("multinomial", move |row, inputs, outputs| {
        let ([.., weights], [out]) = (inputs, outputs) else { return Ok(()) };
        let philox = seeds.of_lane(inputs);
        let weights: &[f64] = bytemuck::cast_slice(weights);
        let out: &mut [i64] = bytemuck::cast_slice_mut(out);
        let total = weights
            .iter()
            .try_fold(0.0, |total, weight| (weight.is_finite() && *weight >= 0.0).then_some(total + weight));
        match total.filter(|total| *total > 0.0 && total.is_finite()) {
            Some(_) if with_replacement => drawn_again(philox, row, weights, out),
            Some(_) => drawn_once(philox, row, weights, out),
            None => Err(no_weights(row)),
        }
    })
}

/// Each position is the first one whose sum of the weights so far is beyond a number.
fn drawn_again(philox: Philox, row: usize, weights: &[f64], out: &mut [i64]) -> Result {
    let mut total = 0.0;
    let sums: Vec<f64> = allocation::collect(weights.iter().map(|weight| {
        total += weight;
        total
    }))?;
    // Rounding may lead to the sum of all weights.
    let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or(0);
    let first = row * out.len();
    for (number, out) in out.iter_mut().enumerate() {
        let limit = philox.fraction(first + number) * total;
        *out = sums.partition_point(|sum| *sum <= limit).min(last) as i64;
    }
    Ok(())
}

/// The positions whose weights over exponentially distributed numbers are greatest, the greatest first. That they are drawn
/// as one after the other would be, is shown by Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006.
fn drawn_once(philox: Philox, row: usize, weights: &[f64], out: &mut [i64]) -> Result {
    let first = row * weights.len();
    let mut keys = allocation::for_elements(weights.len())?;
    let mut bits = [0; PIECE];
    // The bits of an odd number lie behind those of the even one before it.
    for begin in (first - first % 2..first + weights.len()).step_by(PIECE) {
        let bits = &mut bits[..PIECE.min(first + weights.len() - begin)];
        philox.bits_from(begin, bits);
        for (number, bits) in
            (begin..first + weights.len()).zip(bits).skip_while(|(number, _)| *number < first)
        {
            // Never zero, so that a weight of zero comes last.
            let exponential = -(-fraction_of(*bits)).ln_1p() + f64::MIN_POSITIVE;
            keys.push((weights[number - first] / exponential, number - first));
        }
    }
    let greater_first = |(a, i): &(f64, usize), (b, j): &(f64, usize)| b.total_cmp(a).then(i.cmp(j));
    if out.len() < keys.len() {
        keys.select_nth_unstable_by(out.len(), greater_first);
        keys.truncate(out.len());
    }
    keys.sort_unstable_by(greater_first);
    for (out, (_, number)) in out.iter_mut().zip(keys) {
        *out = number as i64;
    }
    Ok(())
}

fn no_weights(row: usize) -> Failure {
    let message = format!(
        "row {row} of self has a weight that is negative, infinite or NaN, or none above zero, so that nothing can be drawn"
    );
    Failure::new(Cause::AiCpu, message)
}
