//! A product as data, and the pieces that threads share.

use std::ops::Range;

use crate::kernels::Conversions;

/// Products of pairs of matrices, one after the other in the output, and what is added to them.
///
/// The inputs are all matrices of each operand, then the tensor to add, as many elements as there are results.
pub(crate) struct Products {
    pub(crate) compute: Compute,
    /// Rows of the result, the common axis, columns.
    pub(crate) sizes: [usize; 3],
    /// Of each product, the numbers of its two matrices.
    pub(crate) pairs: Vec<[usize; 2]>,
    /// Whether the columns of the matrices lie one after the other instead of their rows.
    pub(crate) transposed: [bool; 2],
    pub(crate) finish: Finish,
}

/// The type that elements have for the products: for those of floats also the type of sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compute {
    F32,
    F64,
    I64,
    /// bf16, summed in f32.
    Bf16,
}

/// What becomes of the products: `own · beta + product · alpha`, with roundings in between, each from the type of the sums
/// to itself.
#[derive(Clone)]
pub(crate) struct Finish {
    pub(crate) product: Conversions,
    /// Whether all products are summed up into one.
    pub(crate) is_total: bool,
    pub(crate) alpha: f64,
    /// The factor of the tensor that is added.
    pub(crate) beta: Option<f64>,
    pub(crate) own: Conversions,
}

/// A part of one product.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) pair: [usize; 2],
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
}
