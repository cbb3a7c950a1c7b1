//! Products of matrices.
//!
//! A product is cut into pieces of its rows and columns, which threads share. Each element is summed over the common axis in
//! one order, whatever the pieces and the threads are, so that its bits are always the same. `products` cuts and finishes,
//! `halves` multiplies bf16, `vectors` with vectors, and `element` and `piece` are what they know; `pairs` says which matrices are multiplied. `fused` makes products of
//! whole operands, of which some are quantised, and goes on with their sums; `slices` is for products inside other
//! kernels.

mod element;
mod fused;
mod halves;
mod pairs;
mod piece;
mod products;
mod slices;
mod vectors;

pub(crate) use fused::{
    Activation, Antiquant, Fused, Groups, Job, Jobs, Listed, Reading, Side, Split, Spread, Step,
};
pub(crate) use pairs::Pairs;
pub(crate) use products::{Compute, Finish, Products, Scaled};
pub(super) use slices::{Matrix, multiply, multiply_at};
pub(crate) use vectors::Stored;
