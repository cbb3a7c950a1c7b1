//! Attention over chosen keys: `indexer` chooses them, `chosen` computes attention and its gradients, `compressed` sums up blocks
//! of tokens, and `layout` finds the sequences of a call.
//!
//! The *top-k* keys of a query are the `k` keys with the greatest scores. The *rope part* of a query or key is the part that carries
//! its place by a rotary embedding; it has an operand of its own. The *log-sum-exp* of a row is the logarithm of the sum of
//! the exponentials of its scores, which the gradients start from.

mod chosen;
mod compressed;
mod indexer;
mod layout;

use super::phases::entry_points;

use chosen::{chosen_attention, chosen_attention_backward, selected_attention, selected_attention_backward};
use compressed::{compress_blocks, compress_blocks_backward};
use indexer::{choose_keys, choose_keys_backward, choose_quantised_keys, scores_log_sum};

aclnn_sys::sparse_operators!(entry_points);
