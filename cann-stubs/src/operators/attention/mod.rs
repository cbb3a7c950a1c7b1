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

use backward::attention_backward;
use caches::{read_from_cache, write_keys_to_cache, write_to_cache};
use infer::{infer_attention, stepwise_attention};
use rotary::{
    apply_rotary_embedding, deinterleaved_rotary_embedding, partial_rotary, rotary_embedding,
    rotary_embedding_backward, rotary_embedding_by_positions,
};
use train::attention;

use super::phases::entry_points;

aclnn_sys::attention_operators!(entry_points);
