//! Results of attention over parts of the keys, joined.

use crate::LaneFunction;

/// The body over logarithms of sums and results of so many parts: the joined result, and the logarithm of its sum if there is a
/// second output. A logarithm of +∞ counts as −∞.
pub fn join_parts(parts: usize) -> LaneFunction {
    LaneFunction::new("join parts", move |_, inputs, outputs| {
        let (Some((sums, results)), [out, lse @ ..]) = (inputs.split_at_checked(parts), outputs) else {
            return Ok(());
        };
        let of = |bytes: &[u8]| -> f32 {
            let sum = bytemuck::cast_slice::<u8, f32>(bytes).first().copied().unwrap_or(f32::NEG_INFINITY);
            if sum == f32::INFINITY { f32::NEG_INFINITY } else { sum }
        };
        let sums: Vec<f32> = sums.iter().map(|sum| of(sum)).collect();
        let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let total = most + sums.iter().map(|sum| (sum - most).exp()).sum::<f32>().ln();
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        out.fill(0.0);
        for (sum, result) in sums.iter().zip(results) {
            let weight = (sum - total).exp();
            let result: &[f32] = bytemuck::cast_slice(result);
            out.iter_mut().zip(result).for_each(|(out, x)| *out += weight * x);
        }
        if let [lse] = lse {
            bytemuck::cast_slice_mut::<u8, f32>(lse).fill(total);
        }
        Ok(())
    })
}

/// The body over two results, each with its greatest score and its sum of exponentials: those of both together. A part that has
/// no keys, whose sum is 0, has no weight.
pub fn join_two() -> LaneFunction {
    LaneFunction::new("join parts", |_, inputs, outputs| {
        let ([a, a_most, a_sum, b, b_most, b_sum], [out, most, sum]) = (inputs, outputs) else {
            return Ok(());
        };
        let [a, b]: [&[f32]; 2] = [a, b].map(|bytes| bytemuck::cast_slice(bytes));
        let first = |bytes: &[u8]| bytemuck::cast_slice::<u8, f32>(bytes).first().copied().unwrap_or(0.0);
        let greatest = first(a_most).max(first(b_most));
        let scaled = |most: f32, sum: f32| if sum == 0.0 { 0.0 } else { sum * (most - greatest).exp() };
        let (of_a, of_b) = (scaled(first(a_most), first(a_sum)), scaled(first(b_most), first(b_sum)));
        let total = of_a + of_b;
        let part = |own: f32| if own == 0.0 { 0.0 } else { own / total };
        let (of_a, of_b) = (part(of_a), part(of_b));
        // What has no weight may hold no number.
        let weighted = |x: f32, weight: f32| if weight == 0.0 { 0.0 } else { x * weight };
        let out: &mut [f32] = bytemuck::cast_slice_mut(out);
        for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
            *out = weighted(*a, of_a) + weighted(*b, of_b);
        }
        for (to, number) in [(most, greatest), (sum, total)] {
            let to: &mut [f32] = bytemuck::cast_slice_mut(to);
            to.fill(number);
        }
        Ok(())
    })
}

/// The body that copies lanes, which are converted on the way.
pub fn copied() -> LaneFunction {
    LaneFunction::new("copy rows", |_, inputs, outputs| {
        if let ([from], [to]) = (inputs, outputs) {
            to.copy_from_slice(from);
        }
        Ok(())
    })
}
