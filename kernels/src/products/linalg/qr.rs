//! An orthogonal matrix and an upper triangle, whose product a matrix is, by Householder's reflections.
//!
//! Signs are those of LAPACK: each element on the diagonal of the triangle is real and has the other sign than the element
//! that it replaces, unless that one has only zeros below it already.

use super::field::{Field, length, subtract};
use crate::views::allocation;
use crate::views::failure::Result;

/// The factors that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// As many columns and rows as the matrix has on its shorter side.
    Reduced,
    /// A square orthogonal matrix.
    Complete,
    /// The reduced triangle alone.
    Triangle,
}

/// Writes the factors of an `m` × `n` matrix: the orthogonal one if it is asked for, and the triangle.
pub(super) fn qr<T: Field>(
    matrix: &[T],
    [m, n]: [usize; 2],
    parts: Parts,
    outputs: &mut [&mut [u8]],
) -> Result {
    let mut elements = allocation::collect(matrix.iter().copied())?;
    let k = m.min(n);
    let mut reflections = allocation::for_elements(k)?;
    for column in 0..k {
        let scale = reflection(&mut elements[column * n..], n, column);
        let (vector, rest) = (vector(&elements[column * n..], n, column, m - column)?, column + 1);
        reflect(&mut elements[column * n..], n, rest, &vector, scale.conjugate())?;
        reflections.push((vector, scale));
    }
    let columns = if parts == Parts::Complete { m } else { k };
    let [first, .., last] = outputs else {
        if let [triangle] = outputs {
            write_triangle(&elements, n, bytemuck::cast_slice_mut(triangle));
        }
        return Ok(());
    };
    write_triangle(&elements, n, bytemuck::cast_slice_mut(last));
    let orthogonal: &mut [T] = bytemuck::cast_slice_mut(first);
    orthogonal.fill(T::zeroed());
    orthogonal.iter_mut().step_by(columns + 1).take(columns).for_each(|one| *one = T::real(1.0));
    for (column, (vector, scale)) in reflections.iter().enumerate().rev() {
        reflect(&mut orthogonal[column * columns..], columns, column, vector, *scale)?;
    }
    Ok(())
}

/// Writes the rows of the triangle that there is room for.
fn write_triangle<T: Field>(elements: &[T], n: usize, to: &mut [T]) {
    for (row, (to, from)) in to.chunks_exact_mut(n).zip(elements.chunks_exact(n)).enumerate() {
        let zeros = row.min(n);
        to[..zeros].fill(T::zeroed());
        to[zeros..].copy_from_slice(&from[zeros..]);
    }
}

/// Finds the reflection that leaves only the first element of a column of some rows, which it replaces. Below it comes the
/// vector of the reflection, whose first element is 1. Returns its scale; 0 where nothing is reflected.
fn reflection<T: Field>(rows: &mut [T], n: usize, column: usize) -> T {
    let first = rows[column];
    let below = length(rows.iter().skip(column + n).step_by(n).copied());
    if below == 0.0 && first == T::real(first.real_part()) {
        return T::zeroed();
    }
    let replaced = T::real(-first.modulus().hypot(below).copysign(first.real_part()));
    rows[column] = replaced;
    let divisor = first - replaced;
    rows.iter_mut().skip(column + n).step_by(n).for_each(|element| *element = *element / divisor);
    (replaced - first) / replaced
}

/// The vector of a reflection, of `len` elements.
fn vector<T: Field>(rows: &[T], n: usize, column: usize, len: usize) -> Result<Vec<T>> {
    let mut vector = allocation::for_elements(len)?;
    vector.push(T::real(1.0));
    vector.extend(rows.iter().skip(column + n).step_by(n));
    Ok(vector)
}

/// Applies `1 − scale · v · vᴴ` to the columns of some rows from one on.
fn reflect<T: Field>(rows: &mut [T], n: usize, from: usize, vector: &[T], scale: T) -> Result {
    let mut product = allocation::zeros(n - from)?;
    for (row, element) in rows.chunks_exact(n).zip(vector) {
        subtract(&mut product, -element.conjugate(), &row[from..]);
    }
    for (row, element) in rows.chunks_exact_mut(n).zip(vector) {
        subtract(&mut row[from..], scale * *element, &product);
    }
    Ok(())
}
