//! Random numbers: `numbers` draws elements, `dropout` drops some, `leaky` draws slopes, `choice` draws positions. `source` is where seed and
//! offset come from, and `mode` takes the order of numbers.

mod choice;
mod dropout;
mod leaky;
mod mode;
mod numbers;
mod source;

pub(super) use mode::SYMBOLS as MODES;

use super::phases::entry_points;
use choice::*;
use dropout::*;
use leaky::*;
use numbers::*;

aclnn_sys::random_operators!(entry_points);
