//! Poolings: averages and greatest elements of windows, and their gradients.
//!
//! `windows` checks attributes, and `plans` puts the operands together; the other files hold the operators.

mod adaptive;
mod average;
mod greatest;
mod plans;
mod unpool;
mod windows;

use super::phases::entry_points;
use adaptive::*;
use average::*;
use greatest::*;
use unpool::*;

aclnn_sys::pooling_operators!(entry_points);
