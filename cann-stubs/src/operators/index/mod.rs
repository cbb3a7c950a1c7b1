//! Elements by their indices, or by a mask: the checks of phase one in CANN's order, and the plans.
//!
//! An operator describes the positions that its indices find as a [`grid`] over the tensor that they number; `plans` copies
//! from there or writes there. Values of indices are not looked at before the work runs, where one that does not exist fails,
//! unless the operator passes it over.

mod advanced;
mod bags;
mod checks;
mod gather;
pub(super) mod grid;
mod mask;
mod plans;
pub(super) mod scatter;
mod slices;

use advanced::*;
use bags::*;
use gather::*;
use mask::*;
use scatter::*;
use slices::*;

use super::phases::entry_points;

aclnn_sys::index_operators!(entry_points);
