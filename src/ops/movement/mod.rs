//! Elements copied to other places: joined, repeated, reordered, padded; and the derivatives of some of it.
//!
//! What needs no copy is a view: `slice`, `permute`, `broadcast_to`, `split`, `flatten`, `diagonal` and others of
//! [`Tensor`](crate::Tensor). `elements` says as which type elements are moved that an operator does not take.

mod backward;
mod diagonal;
mod elements;
mod im2col;
mod join;
mod pad;
mod reorder;
mod repeat;

pub use backward::{pad_backward, windows_backward};
pub use im2col::{Im2col, im2col};
pub use join::{Join, cat, stack};
pub use pad::PadMode;
