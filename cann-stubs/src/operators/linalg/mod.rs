//! Linear algebra: factors of matrices and what is computed with them, distances between rows.
//!
//! `matrices` sees operands as batches of matrices and plans what is computed of each; the other files hold the operators.

mod distance;
mod factor;
mod matrices;
mod triangular;
mod vectors;

use distance::*;
use factor::*;
use triangular::*;
use vectors::*;

use super::phases::entry_points;

aclnn_sys::linalg_operators!(entry_points);
