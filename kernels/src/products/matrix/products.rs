//! Products in pieces, and what is added to them.

use std::ops::Range;

use super::element::Element;
use super::halves;
use super::pairs::Pairs;
use super::piece::{Matrices, Piece};
use super::vectors::{self, Stored};
use crate::engine::share;
use crate::views::allocation;
use crate::views::failure::Result;
use crate::views::instructions::for_instructions;
use crate::{Block, Conversions, LaneBody};

/// Rows and columns of a piece of a product.
const ROWS: usize = 512;
const COLUMNS: usize = 1024;

/// Multiplications that cost as much as reading and writing a byte.
const MULTIPLICATIONS: usize = 4;

/// Products of pairs of matrices, one after the other in the output, and what is added to them.
///
/// The inputs are all matrices of each operand, then the tensor to add, as many elements as there are results.
pub struct Products {
    pub compute: Compute,
    /// Rows of the result, the common axis, columns.
    pub sizes: [usize; 3],
    /// Of each product, the numbers of its two matrices.
    pub pairs: Pairs,
    /// Whether the columns of the matrices lie one after the other instead of their rows.
    pub transposed: [bool; 2],
    pub finish: Finish,
    /// The elements of the matrix of a product with a vector or a few, if they are converted as they are multiplied.
    pub matrix: Option<Stored>,
}

/// The type that elements have for the products: for those of floats also the type of sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Compute {
    F32,
    F64,
    I64,
    /// bf16, summed in f32.
    Bf16,
    /// In f32, and the sums are rounded to bf16: nothing is added to them.
    RoundedBf16,
}

/// The last step of products: `own · beta + product · alpha`, with roundings in between, each from the type of the sums
/// to itself.
#[derive(Clone)]
pub struct Finish {
    pub product: Conversions,
    /// Whether all products are summed up into one.
    pub is_total: bool,
    pub alpha: f64,
    /// The factor of the tensor that is added.
    pub beta: Option<f64>,
    pub own: Conversions,
}

impl Finish {
    /// Returns whether the products are the results.
    pub fn is_nothing(&self) -> bool {
        self.product.is_empty() && !self.is_total && self.alpha == 1.0 && self.beta.is_none()
    }
}

impl LaneBody for Products {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        self.run(inputs, outputs)
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["multiply matrices"]
    }
}

/// Elements times a factor.
pub struct Scaled {
    pub compute: Compute,
    pub factor: f64,
}

impl Scaled {
    fn scale<T: Element>(&self, from: &[u8], to: &mut [u8]) {
        let (from, to): (&[T], &mut [T]) = (bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
        for (to, from) in to.iter_mut().zip(from) {
            *to = if self.factor == 1.0 { *from } else { from.times(self.factor) };
        }
    }
}

impl LaneBody for Scaled {
    fn lane(&self, _: usize, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        match self.compute {
            Compute::F32 | Compute::Bf16 | Compute::RoundedBf16 => self.scale::<f32>(from, to),
            Compute::F64 => self.scale::<f64>(from, to),
            Compute::I64 => self.scale::<i64>(from, to),
        }
        Ok(())
    }

    fn steps(&self) -> Vec<&'static str> {
        vec!["scale"]
    }
}

/// Multiplies a piece of the operands, and writes it to a place.
type Multiply<'a, T> = dyn Fn([&[u8]; 2], &Piece, *mut T) + Sync + 'a;

/// The memory of a result, of which each thread writes other elements.
#[derive(Clone, Copy)]
struct Place<T>(*mut T);

// SAFETY: pieces of a result share no element.
unsafe impl<T: Send> Sync for Place<T> {}

impl<T> Place<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

impl Products {
    /// Returns whether this processor multiplies bf16, so that they need not become f32 first.
    pub fn has_bf16() -> bool {
        halves::are_multiplied()
    }

    /// Returns the product of one matrix and another; the elements of both, and those of the result, are of the type of
    /// the sums.
    pub fn plain(compute: Compute, sizes: [usize; 3], transposed: [bool; 2]) -> Self {
        let finish = Finish {
            product: Conversions::default(),
            is_total: false,
            alpha: 1.0,
            beta: None,
            own: Conversions::default(),
        };
        Self { compute, sizes, pairs: Pairs::single(), transposed, finish, matrix: None }
    }

    /// Computes the products outside a kernel of their own. All elements are aligned.
    pub fn multiply_into(&self, left: &[u8], right: &[u8], to: &mut [u8]) -> Result {
        self.run(&[left, right], &mut [to])
    }

    /// Returns whether the left factor has few rows, one after the other, so that elements of the right one are used once.
    pub(super) fn are_few(&self) -> bool {
        let [m, _, n] = self.sizes;
        n > 1 && m <= vectors::FEW && !self.transposed[0]
    }

    /// Computes the products of few rows and a matrix that a function makes.
    pub(super) fn multiply_made<T: Element>(&self, left: &[T], make: &dyn vectors::Make<T>, to: &mut [T]) {
        self.each_piece([&[], &[]], to, &|_, piece, to| {
            self.multiply_few(vectors::Matrix::Made(0, make), left, piece, to);
        });
    }

    fn run(&self, inputs: &[&[u8]], outputs: &mut [&mut [u8]]) -> Result {
        let ([left, right, own @ ..], [out]) = (inputs, outputs) else { return Ok(()) };
        let own = own.first().copied();
        match self.compute {
            Compute::F32 => self.compute::<f32>([left, right], own, out, &|side, piece, to| {
                self.multiply(side, piece, to);
            }),
            Compute::F64 => self.compute::<f64>([left, right], own, out, &|side, piece, to| {
                self.multiply(side, piece, to);
            }),
            Compute::I64 => self.compute::<i64>([left, right], own, out, &|side, piece, to| {
                self.multiply(side, piece, to);
            }),
            Compute::Bf16 => self.compute::<f32>([left, right], own, out, &|side, piece, to| {
                halves::multiply(self.matrices(), side, piece, halves::Place::Sums(to));
            }),
            Compute::RoundedBf16 => {
                let out: &mut [u16] = bytemuck::cast_slice_mut(out);
                self.each_piece([left, right], out, &|side, piece, to| {
                    halves::multiply(self.matrices(), side, piece, halves::Place::Rounded(to));
                });
                Ok(())
            }
        }
    }

    fn compute<T: Element>(
        &self,
        operands: [&[u8]; 2],
        own: Option<&[u8]>,
        out: &mut [u8],
        multiply: &Multiply<'_, T>,
    ) -> Result {
        let [m, _, n] = self.sizes;
        let out: &mut [T] = bytemuck::cast_slice_mut(out);
        let mut products = Vec::new();
        let to = if self.finish.is_total {
            allocation::resize(&mut products, self.pairs.len() * m * n, T::zeroed())?;
            &mut products[..]
        } else {
            &mut *out
        };
        self.each_piece(operands, to, multiply);
        self.finish(own, &products, out);
        Ok(())
    }

    /// Multiplies piece by piece, with threads.
    fn each_piece<T: Send>(&self, operands: [&[u8]; 2], to: &mut [T], multiply: &Multiply<'_, T>) {
        let [m, k, n] = self.sizes;
        let (down, across) = (m.div_ceil(ROWS), n.div_ceil(COLUMNS));
        let pieces = self.pairs.len() * down * across;
        let place = Place(to.as_mut_ptr());
        let bytes =
            m.saturating_mul(k.max(1)).saturating_mul(n).saturating_mul(self.pairs.len()) / MULTIPLICATIONS;
        share::each(pieces, 1, bytes, &|range: Range<usize>| {
            for number in range {
                let (product, part) = (number / (down * across), number % (down * across));
                let (row, column) = (part / across * ROWS, part % across * COLUMNS);
                let pair = self.pairs.at(product);
                let piece =
                    Piece { pair, rows: row..m.min(row + ROWS), columns: column..n.min(column + COLUMNS) };
                // Inside the result, which has a matrix for each pair.
                multiply(operands, &piece, place.get().wrapping_add(product * m * n + row * n + column));
            }
        });
    }

    /// Multiplies a piece; `to` is where it begins in its matrix.
    fn multiply<T: Element>(&self, operands: [&[u8]; 2], piece: &Piece, to: *mut T) {
        let ([m, k, n], matrices) = (self.sizes, self.matrices());
        let ([[row, down], [over, column]], from) = (matrices.strides(), matrices.first(piece));
        let sizes = [piece.rows.len(), k, piece.columns.len()];
        if n == 1 || m == 1 || m <= vectors::FEW && !self.transposed[0] {
            let matrix = if n == 1 { 0 } else { 1 };
            let stored = match &self.matrix {
                None => vectors::Matrix::Elements(bytemuck::cast_slice(operands[matrix])),
                Some(stored) => vectors::Matrix::Stored(operands[matrix], stored),
            };
            return self.multiply_few(stored, bytemuck::cast_slice(operands[1 - matrix]), piece, to);
        }
        let [left, right]: [&[T]; 2] = operands.map(bytemuck::cast_slice);
        let (Some(left), Some(right)) = (left.get(from[0]..), right.get(from[1]..)) else { return };
        // SAFETY: both matrices of the pair lie in the slices, the operands of the plan; `to` is a piece of a result that no
        // other thread writes.
        unsafe { T::multiply(sizes, (left.as_ptr(), [row, down]), (right.as_ptr(), [over, column]), to, n) }
    }

    /// Multiplies a piece of a matrix and one vector or a few, the other factor, whose elements lie one after the other.
    fn multiply_few<T: Element>(
        &self,
        matrix: vectors::Matrix<'_, T>,
        elements: &[T],
        piece: &Piece,
        to: *mut T,
    ) {
        let ([m, k, n], from) = (self.sizes, self.matrices().first(piece));
        let (number, is_by_rows, count) =
            if n == 1 { (0, !self.transposed[0], 1) } else { (1, self.transposed[1], m) };
        let mut some = [&[][..]; vectors::FEW];
        let mut results: [&mut [T]; vectors::FEW] = std::array::from_fn(|_| &mut [][..]);
        let len = piece.rows.len() * piece.columns.len() / count;
        for (vector, (place, out)) in some.iter_mut().zip(&mut results).enumerate().take(count) {
            let first = from[1 - number] + vector * k;
            *place = elements.get(first..first + k).unwrap_or_default();
            // SAFETY: elements of the piece, in a row of it or a column; no other thread writes them.
            *out = unsafe { std::slice::from_raw_parts_mut(to.add(vector * n), len) };
        }
        let (matrix, some, results) = (matrix.from(from[number]), &some[..count], &mut results[..count]);
        match is_by_rows {
            true => vectors::rows(matrix, some, results),
            false => vectors::columns(matrix, if n == 1 { m } else { n }, some, results),
        }
    }

    fn matrices(&self) -> Matrices {
        Matrices { sizes: self.sizes, transposed: self.transposed }
    }

    /// Rounds the products, and adds the tensor.
    fn finish<T: Element>(&self, own: Option<&[u8]>, products: &[T], out: &mut [T]) {
        if self.finish.is_nothing() {
            return;
        }
        let Finish { product, is_total, alpha, beta, own: own_round } = &self.finish;
        let own: &[T] = own.map_or(&[], bytemuck::cast_slice);
        // A product of nothing is no zero that could change the sign of one.
        let adds = self.sizes[1] > 0;
        let is_sum = product.is_empty() && own_round.is_empty() && !is_total && adds;
        if is_sum && (*alpha, *beta) == (1.0, Some(1.0)) {
            return add_to(own, out);
        }
        let mut between = Block::new();
        let (mut row, mut scaled) = (vec![T::zeroed(); CHUNK], vec![T::zeroed(); CHUNK]);
        for (number, out) in out.chunks_mut(CHUNK).enumerate() {
            let (row, scaled) = (&mut row[..out.len()], &mut scaled[..out.len()]);
            if *is_total {
                let first = number * CHUNK;
                out.fill(T::zeroed());
                let (len, whole) = (out.len(), self.sizes[0] * self.sizes[2]);
                for product_of_a_pair in products.chunks(whole.max(1)) {
                    round(product, &product_of_a_pair[first..first + len], row, &mut between);
                    out.iter_mut().zip(&*row).for_each(|(out, element)| *out = out.plus(*element));
                }
            }
            round(product, out, row, &mut between);
            if *alpha != 1.0 {
                row.iter_mut().for_each(|product| *product = product.times(*alpha));
            }
            let Some(beta) = *beta else {
                out.copy_from_slice(row);
                continue;
            };
            let own = own.get(number * CHUNK..).and_then(|own| own.get(..row.len())).unwrap_or_default();
            scaled.copy_from_slice(own);
            if beta != 1.0 {
                scaled.iter_mut().for_each(|own| *own = own.times(beta));
            }
            round(own_round, scaled, out, &mut between);
            if adds {
                out.iter_mut().zip(&*row).for_each(|(own, product)| *own = own.plus(*product));
            }
        }
    }
}

for_instructions! {
    /// Adds products to elements, in their place.
    fn add_to[T: Element](own: &[T], products: &mut [T]) {
        products.iter_mut().zip(own).for_each(|(product, own)| *product = own.plus(*product));
    }
}

/// Elements that are rounded together.
const CHUNK: usize = 1024;

fn round<T: Element>(by: &Conversions, from: &[T], to: &mut [T], between: &mut Block) {
    match by.is_empty() {
        true => to.copy_from_slice(from),
        false => {
            let (count, from, to) = (from.len(), bytemuck::cast_slice(from), bytemuck::cast_slice_mut(to));
            by.apply_all(count, from, to, between);
        }
    }
}
