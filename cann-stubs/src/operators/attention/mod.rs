//! Attention: which tokens operands hold, which keys a query sees, and the rotation of operands by their positions.
//!
//! `heads` sees operands as heads of tokens, `pages` finds those of a paged cache, `visible` knows masks and bands, and
//! `problem` makes a plan of these; the other files hold the operators.

mod backward;
mod caches;
mod heads;
mod infer;
mod lengths;
mod pages;
mod problem;
mod rotary;
mod train;
mod visible;

use backward::*;
use caches::*;
use infer::*;
use rotary::*;
use train::*;

use super::phases::entry_points;

aclnn_sys::attention_operators!(entry_points);
