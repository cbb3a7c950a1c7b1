//! Linear algebra: factors of matrices and what is computed with them, distances between rows.
//!
//! `shapes` says which matrices a tensor holds; the other files hold the operations.

mod distance;
mod factor;
mod shapes;
mod triangular;
mod vectors;

pub use distance::cdist_backward;
pub use factor::QrMode;
pub use triangular::{TriangularSolve, triangular_solve};
