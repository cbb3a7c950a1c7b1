//! Singular values and their vectors, by Jacobi's rotations of pairs of columns.

use super::field::{Field, length, subtract};
use crate::views::allocation;
use crate::views::failure::{Cause, Failure, Result};

/// Rounds over all pairs of columns; matrices of any size need about ten.
const ROUNDS: usize = 60;

/// Writes the singular values of matrix `number`, `m` × `n`, in descending order; then the left and the right vectors as
/// columns, if there are places for them.
pub(super) fn svd<T: Field>(
    number: usize,
    matrix: &[T],
    [m, n]: [usize; 2],
    is_full: bool,
    outputs: &mut [&mut [u8]],
) -> Result {
    if matrix.iter().any(|element| !element.modulus().is_finite()) {
        let message = format!("matrix {number} has elements that are not finite, and so no singular values");
        return Err(Failure::new(Cause::AiCpu, message));
    }
    // The columns of the matrix, or of its conjugate transpose: there are at most as many of them as rows.
    let is_wide = m < n;
    let (rows, count) = if is_wide { (n, m) } else { (m, n) };
    // A power of two, so that no square of an element is too large or too small, and nothing is rounded.
    let largest = matrix.iter().map(|element| element.modulus()).fold(0.0, f64::max);
    let scale = match largest > 0.0 && largest.is_finite() {
        true => 2.0_f64.powi(largest.log2().floor().clamp(-1000.0, 1000.0) as i32),
        false => 1.0,
    };
    let element = |row: usize, column: usize| match is_wide {
        true => matrix[column * n + row].conjugate() / T::real(scale),
        false => matrix[row * n + column] / T::real(scale),
    };
    let (mut columns, mut rotations): (Vec<Vec<T>>, Vec<Vec<T>>) =
        (allocation::for_elements(count)?, allocation::for_elements(count)?);
    for column in 0..count {
        columns.push(allocation::collect((0..rows).map(|row| element(row, column)))?);
        rotations.push(unit(count, column)?);
    }
    let square = |column: &Vec<T>| dot(column, column).real_part();
    let mut squares: Vec<f64> = columns.iter().map(square).collect();
    for _ in 0..ROUNDS {
        let mut rotates = false;
        for first in 0..count {
            for second in first + 1..count {
                let product = dot(&columns[first], &columns[second]);
                if let Some(rotation) = rotation(product, [squares[first], squares[second]]) {
                    rotate(&mut columns, first, second, rotation);
                    rotate(&mut rotations, first, second, rotation);
                    for column in [first, second] {
                        squares[column] = square(&columns[column]);
                    }
                    rotates = true;
                }
            }
        }
        if !rotates {
            break;
        }
    }
    let mut values: Vec<(f64, usize)> =
        columns.iter().map(|column| length(column.iter().copied())).zip(0..).collect();
    values.sort_by(|a, b| b.0.total_cmp(&a.0));
    let [sigma, vectors @ ..] = outputs else { return Ok(()) };
    for (to, (value, _)) in bytemuck::cast_slice_mut(sigma).iter_mut().zip(&values) {
        *to = T::real(*value * scale);
    }
    let [left, right] = vectors else { return Ok(()) };
    // A column of zeros, or of what roundings of other columns left, has no direction of its own.
    let least = values.first().map_or(0.0, |(largest, _)| largest * rows as f64 * f64::EPSILON);
    let mut long: Vec<Vec<T>> = values
        .iter()
        .filter(|(value, _)| *value > least)
        .map(|(value, column)| columns[*column].iter().map(|element| *element / T::real(*value)).collect())
        .collect();
    complete(&mut long, rows, if is_full { rows } else { count })?;
    let short: Vec<Vec<T>> =
        values.iter().map(|(_, column)| std::mem::take(&mut rotations[*column])).collect();
    let (left_columns, right_columns) = if is_wide { (short, long) } else { (long, short) };
    write(&left_columns, bytemuck::cast_slice_mut(left));
    write(&right_columns, bytemuck::cast_slice_mut(right));
    Ok(())
}

fn unit<T: Field>(len: usize, number: usize) -> Result<Vec<T>> {
    allocation::collect((0..len).map(|element| T::real(if element == number { 1.0 } else { 0.0 })))
}

/// The product of a conjugated vector and another one, of sums that run side by side.
fn dot<T: Field>(a: &[T], b: &[T]) -> T {
    let ((a, last_a), (b, last_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [T::zeroed(); 8];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a.conjugate() * *b;
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(last_a.iter().zip(last_b)) {
        *sum += a.conjugate() * *b;
    }
    sums.into_iter().fold(T::zeroed(), |total, sum| total + sum)
}

/// The rotation after which two columns of such a product and such squares are orthogonal: its cosine, and its sine times a
/// direction. `None` if they are.
fn rotation<T: Field>(product: T, squares: [f64; 2]) -> Option<(f64, T)> {
    let modulus = product.modulus();
    if modulus == 0.0 || modulus <= f64::EPSILON * (squares[0].sqrt() * squares[1].sqrt()) {
        return None;
    }
    let ratio = (squares[1] - squares[0]) / (2.0 * modulus);
    let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + 1.0_f64.hypot(ratio));
    let cosine = 1.0 / 1.0_f64.hypot(tangent);
    Some((cosine, product.sign() * T::real(cosine * tangent)))
}

fn rotate<T: Field>(columns: &mut [Vec<T>], first: usize, second: usize, (cosine, sine): (f64, T)) {
    let (before, after) = columns.split_at_mut(second);
    for (a, b) in before[first].iter_mut().zip(&mut after[0]) {
        let (old_a, old_b) = (*a, *b);
        *a = T::real(cosine) * old_a - sine.conjugate() * old_b;
        *b = sine * old_a + T::real(cosine) * old_b;
    }
}

/// Adds columns until there are so many, each orthogonal to all others.
fn complete<T: Field>(columns: &mut Vec<Vec<T>>, rows: usize, count: usize) -> Result {
    // Of the axes, one at least has a part of this length that is orthogonal to fewer columns than rows.
    let least = 0.5 / (rows as f64).sqrt();
    for axis in 0..rows {
        if columns.len() >= count {
            break;
        }
        let mut column = unit(rows, axis)?;
        // Twice, so that roundings of the first time are gone too.
        for _ in 0..2 {
            for other in columns.iter() {
                let part = dot(other, &column);
                subtract(&mut column, part, other);
            }
        }
        let length = length(column.iter().copied());
        if length > least {
            column.iter_mut().for_each(|element| *element = *element / T::real(length));
            columns.push(column);
        }
    }
    // There are enough, but for columns that overflowed: the places of all are filled.
    while columns.len() < count {
        columns.push(allocation::zeros(rows)?);
    }
    Ok(())
}

fn write<T: Field>(columns: &[Vec<T>], to: &mut [T]) {
    for (row, to) in to.chunks_exact_mut(columns.len().max(1)).enumerate() {
        to.iter_mut().zip(columns).for_each(|(to, column)| *to = column[row]);
    }
}
