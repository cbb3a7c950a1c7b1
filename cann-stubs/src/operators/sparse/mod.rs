//! Attention over chosen keys: `indexer` chooses them, `chosen` computes attention and its gradients, `compressed` sums up blocks
//! of tokens, and `layout` finds the sequences of a call.

mod chosen;
mod compressed;
mod indexer;
mod layout;

use super::phases::entry_points;

use chosen::{chosen_attention, chosen_attention_backward, selected_attention, selected_attention_backward};
use compressed::{compress_blocks, compress_blocks_backward};
use indexer::{choose_keys, choose_keys_backward, choose_quantised_keys, scores_log_sum};

aclnn_sys::sparse_operators!(entry_points);
