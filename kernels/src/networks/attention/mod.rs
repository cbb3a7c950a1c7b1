//! Attention: each lane holds the queries, keys and values of one head, and the scores of a block of queries stay in the
//! cache. `scores` computes these, `forward` weights the values by them, `backward` is the gradient, and `rotary` rotates
//! operands by their positions.
//!
//! Everything is f32, sums of weights are f64.

mod backward;
mod chosen;
mod delta;
mod divergence;
mod floyd;
mod forward;
mod indexer;
mod joined;
mod latent;
mod normed;
mod ranked;
mod rotary;
mod scores;
mod sequences;
mod slots;

pub use backward::{Backward, sum_of_rows};
pub use chosen::{Blocks, Chosen};
pub use delta::{DeltaRule, States};
pub use divergence::Divergence;
pub use floyd::FloydAttention;
pub use forward::{Forward, Statistics};
pub use indexer::Indexer;
pub use joined::{copied, join_parts, join_two};
pub use latent::Latent;
pub use normed::{Dequantisation, Heads, NormAndRotate, Scale, Steps, normalize, steps_of, to_i8};
pub use ranked::Ranked;
pub use rotary::{Rotate, RotateBack, RotateTokens, Rotation, rotate_by_matrix};
pub use scores::{Band, Dropout, Scores, Shift};
pub use sequences::{Causal, Lengths, Sequences, Tokens, missing};
pub use slots::{Compressed, Compression, Slots, WriteSlots};
