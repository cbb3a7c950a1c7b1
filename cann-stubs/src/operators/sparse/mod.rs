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

use chosen::*;
use compressed::*;
use divergence::*;
use flagged::*;
use indexer::*;
use native::*;

aclnn_sys::sparse_operators!(entry_points);
