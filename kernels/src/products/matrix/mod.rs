//! Products of matrices.
//!
//! A product is cut into pieces of its rows and columns, which threads share. Each element is summed over the common axis in
//! one order, whatever the pieces and the threads are, so that its bits are the same each time. On x86-64 processors without
//! fused multiply-add, older than 2013, products of f32 and f64 are rounded before they are added, so that the last bits of a
//! sum may be others there.
//!
//! `products` cuts and finishes, `halves` multiplies bf16, `vectors` with a few vectors, and `element` and `piece` are what
//! they know; `strips` multiplies f32 with the loops of convolutions, `tile`; `pairs` says which matrices are multiplied.
//! `fused` makes products of whole operands, of which some are quantised (`codes`), and goes on with their sums; `slices` is for
//! products inside other kernels.

mod codes;
mod element;
mod fused;
mod halves;
mod pairs;
mod piece;
mod products;
mod slices;
mod strips;
pub(crate) mod tile;
mod vectors;

pub use fused::{
    Activation, Antiquant, Fused, Groups, Job, Jobs, Listed, Reading, Side, Split, Spread, Step,
};
pub use pairs::Pairs;
pub use products::{Compute, Finish, Products, Scaled};
pub(crate) use slices::{Matrix, multiply, multiply_rows, subtract_product};
pub use vectors::{FEW, Stored};
