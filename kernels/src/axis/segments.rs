//! Sums of segments: of rows, of runs along a lane, and of all segments of a lane.

use crate::functions::rows::number;

/// Adds rows, of as many elements as there are sums, to the sums.
pub fn add_rows(rows: &[f32], sums: &mut [f32]) {
    for row in rows.chunks(sums.len().max(1)) {
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
}

/// Writes the sums of the rows, of `len` elements, of each group. The numbers of groups are the rows at which they end, or how
/// many they have.
pub fn sum_groups((x, len): (&[f32], usize), groups: &[i32], are_counts: bool, out: &mut [f32]) {
    out.fill(0.0);
    let mut end = 0_usize;
    for (group, out) in groups.iter().zip(out.chunks_mut(len.max(1))) {
        let group = usize::try_from(*group).unwrap_or(0);
        let start = end;
        end = if are_counts { start.saturating_add(group) } else { group };
        let places = start.saturating_mul(len)..end.saturating_mul(len).min(x.len());
        add_rows(x.get(places).unwrap_or_default(), out);
    }
}

/// Writes the sums of runs of a lane, one after the other: each has so many elements, or a length of its own. A length that
/// the lane does not have any more is an error.
pub fn sum_runs(x: &[f32], each: Option<i32>, lengths: &[i32], out: &mut [f32]) -> Result<(), i32> {
    let mut rest = x;
    for (index, out) in out.iter_mut().enumerate() {
        let len = each.or_else(|| lengths.get(index).copied()).unwrap_or(0);
        let run = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len));
        let Some((run, behind)) = run else { return Err(len) };
        *out = run.iter().map(|x| f64::from(*x)).sum::<f64>() as f32;
        rest = behind;
    }
    Ok(())
}

/// Writes the exponential of the sum of each segment of a lane: row `i` and column `j` of a square matrix have that of the
/// elements behind `j`, up to `i`. Above the diagonal is 0.
pub fn exponentials_of_segments(x: &[f32], out: &mut [f32]) {
    let len = x.len();
    for j in 0..len {
        let mut column = out.iter_mut().skip(j).step_by(len);
        column.by_ref().take(j).for_each(|out| *out = 0.0);
        let mut sum = 0.0;
        for (place, (out, x)) in column.zip(x.iter().skip(j)).enumerate() {
            if place > 0 {
                sum += f64::from(*x);
            }
            *out = sum.exp() as f32;
        }
    }
}

/// Writes the gradients of a lane by those of the exponentials of its segments, `g`, and these, `y`.
pub fn gradients_of_segments(g: &[f32], y: &[f32], out: &mut [f32]) {
    let len = out.len();
    let product = |i: usize, j: usize| number(g, i * len + j) * number(y, i * len + j);
    // Element k is in the segments that begin before it and end at it or behind it.
    let mut sum = 0.0;
    for (k, out) in out.iter_mut().enumerate() {
        if k > 0 {
            sum -= (0..k - 1).map(|j| product(k - 1, j)).sum::<f64>();
            sum += (k..len).map(|i| product(i, k - 1)).sum::<f64>();
        }
        *out = sum as f32;
    }
}
