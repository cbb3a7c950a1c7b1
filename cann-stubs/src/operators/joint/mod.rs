//! Operators of several ranks, in parts: what a rank does alone and what the ranks of a group do together.
//!
//! `parts` finds the group by its name and puts the parts together. What goes from one part to the next lies in the workspace,
//! if it is no output. `factors` has the products and `routed` what operators of experts have in common; the other
//! files hold the operators.

mod all_reduce;
mod barrier;
mod combine;
mod dispatch;
mod exchanged;
mod factors;
mod grouped;
mod parts;
mod routed;

use super::phases::entry_points;

use all_reduce::*;
use barrier::*;
use combine::*;
use dispatch::*;
use exchanged::*;
use grouped::*;

aclnn_sys::joint_operators!(entry_points);
