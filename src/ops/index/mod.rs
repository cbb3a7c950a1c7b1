//! Elements by their indices, or by a mask.
//!
//! `select` takes elements out of a tensor, `advanced` by a tensor of indices for each axis. `slices`, `scatter` and `put` write
//! to them, each into a new tensor and in place, and `mask` holds what depends on a mask. `checks` is what they share.

mod advanced;
mod checks;
mod embedding;
mod mask;
mod put;
mod scatter;
mod select;
mod slices;

pub use embedding::{
    BagMode, EmbeddingBackward, EmbeddingBag, EmbeddingBags, embedding_backward, embedding_bag,
};
pub use scatter::{ScatterReduce, ScatterReduction, scatter_reduce};
pub use slices::{IndexAdd, index_add};
