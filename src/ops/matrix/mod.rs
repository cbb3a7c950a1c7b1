//! Products of matrices and vectors, alone and added to a tensor.
//!
//! `precision` says how f32 may be multiplied, `shapes` which matrices operands hold, `equation` reads what `einsum` multiplies;
//! `product`, `sum`, `quantised`, `einsum` and, on top of the first two, `linear` are the operations.

mod einsum;
mod equation;
mod linear;
mod precision;
mod product;
mod quantised;
mod shapes;
mod sum;

pub use einsum::einsum;
pub use linear::{Linear, linear};
pub use precision::Precision;
pub use product::{Matmul, matmul};
pub use quantised::{
    GroupedMatmul, QuantMatmul, WeightQuantMatmul, grouped_matmul, quant_matmul, weight_quant_matmul,
};
pub use sum::{AddMatmul, addbmm, addmm, addmv, addr, baddbmm};
