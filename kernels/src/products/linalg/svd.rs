//! Singular values and their vectors, by those of a matrix of two diagonals, which reflections make of a matrix.

use super::bidiagonal::Bidiagonal;
use super::blocks::dot;
use super::field::{Field, subtract};
use super::reflections::Reflections;
use crate::views::failure::{Cause, Failure, Result};
use crate::views::order_by::order_by;
use crate::views::{allocation, instructions};

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
    // The matrix, or its conjugate transpose: it has at most as many columns as rows.
    let is_wide = m < n;
    let (rows, count) = if is_wide { (n, m) } else { (m, n) };
    // A power of two, so that no square of an element is too large or too small, and nothing is rounded.
    let largest = matrix.iter().map(|element| element.modulus()).fold(0.0, f64::max);
    let scale = match largest > 0.0 && largest.is_finite() {
        true => 2.0_f64.powi(largest.log2().floor().clamp(-1000.0, 1000.0) as i32),
        false => 1.0,
    };
    let element = |index: usize| match is_wide {
        true => matrix[index % count * n + index / count].conjugate(),
        false => matrix[index],
    };
    let mut elements = allocation::collect((0..m * n).map(|index| element(index) / T::real(scale)))?;
    let mut left = Reflections::new(rows, 0, count)?;
    let mut right = Reflections::new(count, 1, count.saturating_sub(1))?;
    let mut values = Bidiagonal::new(count)?;
    let mut product = allocation::zeros(count)?;
    for k in 0..count {
        let to = &mut left.vectors[k * rows + k..(k + 1) * rows];
        to.iter_mut()
            .zip(elements.iter().skip(k * count + k).step_by(count))
            .for_each(|(to, from)| *to = *from);
        values.diagonal[k] = left.find(k).real_part();
        if k + 1 == count {
            break;
        }
        let (by_left, of_left) = (left.scales[k].conjugate(), &left.vectors[k * rows + k..(k + 1) * rows]);
        let rest = &mut elements[k * count..];
        let product = &mut product[k + 1..];
        multiply(of_left, rest, count, product);
        let own = &mut rest[k + 1..count];
        subtract(own, by_left, product);
        let to = &mut right.vectors[k * count + k + 1..(k + 1) * count];
        to.iter_mut().zip(&*own).for_each(|(to, from)| *to = from.conjugate());
        values.above[k] = right.find(k).real_part();
        own.iter_mut().zip(&right.vectors[k * count + k + 1..]).for_each(|(to, from)| *to = from.conjugate());
        let (own, below) = rest.split_at_mut(count);
        reflect_twice((by_left, &of_left[1..], product), (right.scales[k], &own[k + 1..]), below, count);
    }
    let [sigma, vectors @ ..] = outputs else { return Ok(()) };
    let mut of_sides: Vec<Turned<T>> = Vec::new();
    if !vectors.is_empty() {
        let columns = if is_full { rows } else { count };
        of_sides = [(&left, columns), (&right, count)]
            .into_iter()
            .map(|(reflections, columns)| Turned::of(reflections, columns))
            .collect::<Result<_>>()?;
    }
    values.diagonalise(|[of_left, of_right]: [&[(f64, f64)]; 2], first| {
        for (turned, rotations) in of_sides.iter_mut().zip([of_left, of_right]) {
            rotate(rotations, first, turned.chunks, &mut turned.rows);
        }
    })?;
    let diagonal = &values.diagonal;
    let mut order: Vec<usize> = allocation::collect(0..diagonal.len())?;
    order_by(&mut order, &mut |a, b| diagonal[b].abs().total_cmp(&diagonal[a].abs()));
    for (to, row) in bytemuck::cast_slice_mut(sigma).iter_mut().zip(&order) {
        *to = T::real(diagonal[*row].abs() * scale);
    }
    for (place, turned) in vectors.iter_mut().zip(if is_wide { [1, 0] } else { [0, 1] }) {
        // One of both vectors takes the sign of its value.
        let sign = |value: f64| if turned == 0 { 1.0_f64.copysign(value) } else { 1.0 };
        let Some(turned) = of_sides.get(turned) else { break };
        let columns = turned.rows.len() / turned.chunks.max(1);
        let to: &mut [T] = bytemuck::cast_slice_mut(place);
        let ordered = order
            .iter()
            .map(|row| (*row, sign(diagonal[*row])))
            .chain((count..columns).map(|row| (row, 1.0)));
        for (column, (row, sign)) in ordered.enumerate() {
            let from = turned.rows[row * turned.chunks..(row + 1) * turned.chunks].as_flattened();
            let to = to.iter_mut().skip(column).step_by(columns);
            to.zip(from).for_each(|(to, from)| *to = from.times(sign));
        }
    }
    Ok(())
}

/// Elements of two rows that are rotated side by side.
const LANES: usize = 16;

/// Vectors one after the other, each in so many chunks, of which the last one is filled up.
struct Turned<T> {
    rows: Vec<[T; LANES]>,
    chunks: usize,
}

impl<T: Field> Turned<T> {
    /// The first columns of the product of reflections.
    fn of(reflections: &Reflections<T>, columns: usize) -> Result<Self> {
        let chunks = reflections.len.div_ceil(LANES);
        let mut product = allocation::zeros(reflections.len * columns)?;
        reflections.write_product(&mut product, columns)?;
        let mut rows = allocation::zeros(columns * chunks)?;
        for (column, to) in rows.chunks_exact_mut(chunks).enumerate() {
            let from = product.iter().skip(column).step_by(columns);
            to.as_flattened_mut().iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
        Ok(Self { rows, chunks })
    }
}

instructions::for_wide_instructions! {
    /// Writes the products of a conjugated vector and the last columns of rows of `len` elements.
    fn multiply[T: Field](vector: &[T], rows: &[T], len: usize, to: &mut [T]) {
        to.fill(T::zeroed());
        let start = len - to.len();
        for (row, factor) in rows.chunks_exact(len).zip(vector) {
            subtract(to, -factor.conjugate(), &row[start..]);
        }
    }

    /// Applies a left reflection, of which the product is known, to rows, then a right one, whose vector is
    /// conjugated.
    fn reflect_twice[T: Field](left: (T, &[T], &[T]), right: (T, &[T]), rows: &mut [T], len: usize) {
        let ((by_left, of_left, product), (by_right, of_right)) = (left, right);
        for (row, factor) in rows.chunks_exact_mut(len).zip(of_left) {
            let row = &mut row[len - product.len()..];
            subtract(row, by_left * *factor, product);
            let scale = by_right * dot(of_right, row);
            subtract(row, scale, of_right);
        }
    }

    /// Applies rotations of each row with the next one, from `first` on, one after the other.
    fn rotate[T: Field](rotations: &[(f64, f64)], first: usize, chunks: usize, rows: &mut [[T; LANES]]) {
        for chunk in 0..chunks {
            let mut places = rows[first * chunks..].chunks_exact_mut(chunks);
            let Some(mut place) = places.next() else { return };
            let mut carried = place[chunk];
            for ((cosine, sine), next) in rotations.iter().zip(places) {
                let other = next[chunk];
                let lanes = carried.iter_mut().zip(&other).zip(&mut place[chunk]);
                for ((carried, other), to) in lanes {
                    *to = carried.scaled_plus(*cosine, other.times(*sine));
                    *carried = carried.scaled_plus(-*sine, other.times(*cosine));
                }
                place = next;
            }
            place[chunk] = carried;
        }
    }
}
