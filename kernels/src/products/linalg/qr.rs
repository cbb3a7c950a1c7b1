//! An orthogonal matrix and an upper triangle, whose product a matrix is, by Householder's reflections.

use super::blocks::WIDTH;
use super::field::Field;
use super::reflections::{Reflections, reflect};
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
    let mut reflections = Reflections::new(m, 0, k)?;
    for first in (0..k).step_by(WIDTH) {
        let block = first..k.min(first + WIDTH);
        // Columns that are reflected before the others are, one after the other.
        for column in block.clone() {
            let from = elements.iter().skip(first * n + column).step_by(n);
            let to = &mut reflections.vectors[column * m + first..(column + 1) * m];
            to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
        for column in block.clone() {
            let replaced = reflections.find(column);
            let scale = reflections.scales[column].conjugate();
            let (known, others) = reflections.vectors.split_at_mut((column + 1) * m);
            let own = &mut known[column * m..];
            reflect(&own[column..], scale, &mut others[..(block.end - column - 1) * m], m);
            let of_triangle = own[first..column]
                .iter_mut()
                .map(|element| std::mem::replace(element, T::zeroed()))
                .chain([replaced]);
            let to = elements.iter_mut().skip(first * n + column).step_by(n);
            to.zip(of_triangle).for_each(|(to, from)| *to = from);
        }
        let from = block.end;
        reflections.apply(block, true, (&mut elements, n, from))?;
    }
    let columns = if parts == Parts::Complete { m } else { k };
    let [first, .., last] = outputs else {
        if let [triangle] = outputs {
            write_triangle(&elements, n, bytemuck::cast_slice_mut(triangle));
        }
        return Ok(());
    };
    write_triangle(&elements, n, bytemuck::cast_slice_mut(last));
    reflections.write_product(bytemuck::cast_slice_mut(first), columns)
}

/// Writes the rows of the triangle that there is room for.
fn write_triangle<T: Field>(elements: &[T], n: usize, to: &mut [T]) {
    for (row, (to, from)) in to.chunks_exact_mut(n).zip(elements.chunks_exact(n)).enumerate() {
        let zeros = row.min(n);
        to[..zeros].fill(T::zeroed());
        to[zeros..].copy_from_slice(&from[zeros..]);
    }
}
