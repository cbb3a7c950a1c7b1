//! Quantisation: numbers in steps, and rows of numbers with scales.
//!
//! `rows` puts the plans of rows together, `sources` says what groups of neighbours are quantised from; the other files hold
//! operators.

mod blocks;
mod computed;
mod dynamic;
mod fixed;
mod multiplied;
mod norms;
mod products;
mod rows;
mod shared;
mod sources;
mod steps;
mod sums;
mod swiglu;
mod vectors;

pub(super) use dynamic::rows_by_own_scales;

use blocks::*;
use computed::*;
use dynamic::*;
use fixed::*;
use multiplied::*;
use norms::*;
use products::*;
use shared::*;
use steps::*;
use sums::*;
use swiglu::*;
use vectors::*;

use super::phases::entry_points;

aclnn_sys::quantisation_operators!(entry_points);
