//! Random numbers.
//!
//! An element depends on the seed, the offset and its own number in row-major order, and on nothing else: not on the layout
//! of the tensor, and not on how threads share it. `philox` computes the words, `seeds` says where seed and offset come
//! from; `draws` makes numbers of words, `mask` bits, `leaky` slopes, `choice` positions; `threads` draws
//! in the order of threads of a GPU.

mod choice;
mod draws;
mod leaky;
mod mask;
mod philox;
mod seeds;
mod threads;

pub use choice::{multinomial, permutation};
pub use draws::{Distribution, Draws, Parameter, Uniform};
pub use leaky::{leaky, sloped};
pub use mask::{Mask, kept};
pub use seeds::Seeds;
pub use threads::exponential;
