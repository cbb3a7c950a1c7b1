//! Products and factorisations of matrices.

pub mod linalg;
pub mod matrix;
