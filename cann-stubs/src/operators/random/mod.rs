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
use choice::{multinomial, randperm};
use dropout::{dropout, dropout_backward, dropout_do_mask, dropout_mask, dropout_v3};
use leaky::rrelu;
use numbers::{
    bernoulli, bernoulli_tensor, exponential, normal, normal_in_place, random, random_whole_range, uniform,
};

aclnn_sys::random_operators!(entry_points);
