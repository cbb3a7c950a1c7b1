//! Products of matrices: which matrices an operand holds, in which type they are multiplied, and what is added.
//!
//! `types` follows `cubeMathType`; `matrices` sees operands as matrices and plans products of them; the other files hold the
//! operators.

mod add;
mod add_vectors;
mod einsum;
mod matrices;
mod product;
mod types;
mod weight;

use add::*;
use add_vectors::*;
use einsum::*;
use product::*;
use weight::*;

use super::phases::entry_points;

aclnn_sys::matrix_operators!(entry_points);

pub(super) use matrices::pairs;
pub(super) use types::CubeMath;
pub(super) use weight::SYMBOLS as SIZES;
