//! Attention over chosen keys: `indexer` chooses them, `chosen` computes attention and its gradients, `compressed` sums up blocks
//! of tokens, `native` attends to those and to the blocks that they select, `flagged` to blocks that flags choose, `divergence`
//! compares the scores that choose with attention, and `layout` finds the sequences of a call.
//!
//! The *top-k* keys of a query are the `k` keys with the greatest scores. The *rope part* of a query or key is the part that carries
//! its place by a rotary embedding; it has an operand of its own. The *log-sum-exp* of a row is the logarithm of the sum of
//! the exponentials of its scores, which the gradients start from.

mod chosen;
mod compressed;
mod divergence;
mod flagged;
mod indexer;
mod layout;
mod native;

use super::phases::entry_points;

use chosen::{chosen_attention, chosen_attention_backward, selected_attention, selected_attention_backward};
use compressed::{compress_blocks, compress_blocks_backward, compress_last_blocks};
use divergence::divergence;
use flagged::{flagged_attention, flagged_attention_backward};
use indexer::{choose_keys, choose_keys_backward, choose_quantised_keys, scores_log_sum};
use native::{compress_attention, compress_attention_infer, selected_attention_infer};

aclnn_sys::sparse_operators!(entry_points);
