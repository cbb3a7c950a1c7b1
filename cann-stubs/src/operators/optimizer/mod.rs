//! Optimizer steps: `adam` and `sgd`, and `classic` ones of TensorFlow; `blocks` has moments of few bits; `scale` is about losses in mixed precision, `step` what they are put together with.

mod adam;
mod blocks;
mod classic;
mod scale;
mod sgd;
mod step;

use super::phases::entry_points;
use adam::*;
use blocks::*;
use classic::*;
use scale::*;
use sgd::*;

aclnn_sys::optimizer_operators!(entry_points);
