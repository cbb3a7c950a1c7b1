//! Random numbers.
//!
//! An element depends on the seed, the offset and its own number in row-major order, and on nothing else: not on the layout
//! of the tensor, and not on how threads share it. `philox` computes the words, `seeds` says where seed and offset come
//! from; `draws` makes numbers of words, `mask` bits, `choice` positions.

mod choice;
mod draws;
mod mask;
mod philox;
mod seeds;

pub(crate) use choice::{multinomial, permutation};
pub(crate) use draws::{Distribution, Draws, Parameter, Rounding};
pub(crate) use mask::{Mask, kept};
pub(crate) use seeds::Seeds;
