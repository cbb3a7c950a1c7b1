//! Losses and their gradients.
//!
//! `reduction` is how the losses of elements are combined, and `terms` plans functions of elements; `differences`, `divergence`
//! and `entropy` hold losses of that kind. `rows` plans functions of rows with a class each, for `likelihood` and `classes`;
//! `margin` is about rows
//! with several classes, `vocabulary` about classes that several devices share, and `ctc` about sequences.

mod classes;
mod ctc;
mod differences;
mod divergence;
mod entropy;
mod likelihood;
mod margin;
mod reduction;
mod rows;
mod terms;
mod vocabulary;

use classes::*;
use ctc::*;
use differences::*;
use divergence::*;
use entropy::*;
use likelihood::*;
use margin::*;
use vocabulary::*;

use super::phases::entry_points;

aclnn_sys::loss_operators!(entry_points);
